// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace carom::scene {
namespace {

// How many letters have to be changed, put in, left out or swapped with their neighbour.
std::size_t changes(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> rows(3 * width);
    std::size_t* before = rows.data();
    std::size_t* last = before + width;
    std::size_t* now = last + width;
    for (std::size_t j = 0; j < width; ++j)
        now[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, now);
        now[0] = i;
        for (std::size_t j = 1; j < width; ++j) {
            const std::size_t kept = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({kept, last[j] + 1, now[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = std::min(now[j], before[j - 2] + 1);
            }
        }
    }
    return now[b.size()];
}

}  // namespace

std::string in_quotes(std::string_view name) {
    constexpr std::size_t k_longest = 60;
    std::string text = "'";
    for (const char c : name.substr(0, k_longest)) {
        const auto code = static_cast<unsigned char>(c);
        text += code < 0x20 || code == 0x7f ? '?' : c;
    }
    if (name.size() > k_longest) {
        // not in the middle of a letter
        while ((static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80U)
            text.pop_back();
        if (static_cast<unsigned char>(text.back()) >= 0xc0U) text.pop_back();
        text += "...";
    }
    return text + "'";
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t k_longest = 64;
    if (word.size() > k_longest) return {};
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string_view candidate : known) {
        if (candidate.size() > k_longest) continue;
        const std::size_t count = changes(word, candidate);
        // a word of which nothing is left is no misspelling
        if (count < least && count < std::max(word.size(), candidate.size())) {
            least = count;
            best = candidate;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word) {
    return word.empty() ? std::string() : "; did you mean " + in_quotes(word) + "?";
}

std::string listed(std::span<const std::string_view> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return text;
}

std::string readable_length(double metres) {
    struct Unit {
        double size;
        const char* name;
    };
    static constexpr Unit k_units[] = {{1.0, "m"}, {1e-3, "mm"}, {1e-6, "um"}, {1e-9, "nm"}};
    Unit unit{1.0, "m"};
    if (metres >= 1e-9 && metres < 1e6) {
        unit = *std::find_if(std::begin(k_units), std::end(k_units),
                             [metres](const Unit& u) { return metres >= u.size; });
    }
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %s", metres / unit.size, unit.name);
    return text;
}

}  // namespace carom::scene
