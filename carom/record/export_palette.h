// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace carom::record {

// A colour as screens have it (sRGB).
struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;

    std::string hex() const;  // "#4e79a7"
    // In linear light, each from 0 to 1, as glTF wants it.
    std::array<double, 3> linear() const;
    // Towards white by a part from 0 to 1.
    Colour lighter(double part) const;
};

// The colour of each of a scene's materials, in their order. A name's hash chooses one of twelve
// colours; where an earlier material of the scene has it, the next free one is taken, so that the
// first twelve differ. The same list gives the same colours.
std::vector<Colour> material_colours(std::span<const std::string> names);

}  // namespace carom::record
