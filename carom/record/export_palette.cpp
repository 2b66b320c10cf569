// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/export_palette.h"

#include <cmath>
#include <cstdio>
#include <string_view>

namespace carom::record {
namespace {

// Of like lightness, so that all stand out on light and on dark ground.
constexpr std::array<Colour, 12> k_palette{{{0x4e, 0x79, 0xa7},
                                            {0xf2, 0x8e, 0x2b},
                                            {0x59, 0xa1, 0x4f},
                                            {0xe1, 0x57, 0x59},
                                            {0x9b, 0x72, 0xb0},
                                            {0x3f, 0xa7, 0xa3},
                                            {0xd9, 0xb0, 0x3a},
                                            {0xd3, 0x72, 0x95},
                                            {0x9c, 0x75, 0x5f},
                                            {0x6b, 0x8e, 0xd6},
                                            {0x8c, 0xb3, 0x43},
                                            {0x8a, 0x92, 0x9c}}};

// FNV-1a.
std::uint32_t hash_of(std::string_view name) {
    std::uint32_t hash = 2166136261U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

double to_linear(std::uint8_t value) {
    const double s = value / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

}  // namespace

std::string Colour::hex() const {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(red),
                  static_cast<unsigned>(green), static_cast<unsigned>(blue));
    return text;
}

std::array<double, 3> Colour::linear() const {
    return {to_linear(red), to_linear(green), to_linear(blue)};
}

Colour Colour::lighter(double part) const {
    const auto mix = [part](std::uint8_t value) {
        return static_cast<std::uint8_t>(std::lround(value + part * (255 - value)));
    };
    return {mix(red), mix(green), mix(blue)};
}

std::vector<Colour> material_colours(std::span<const std::string> names) {
    std::array<std::size_t, k_palette.size()> uses{};
    std::vector<Colour> colours;
    colours.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::size_t place = hash_of(names[i]) % k_palette.size();
        // after so many names every colour has been taken this often
        const std::size_t round = i / k_palette.size();
        while (uses[place] > round)
            place = (place + 1) % k_palette.size();
        ++uses[place];
        colours.push_back(k_palette[place]);
    }
    return colours;
}

}  // namespace carom::record
