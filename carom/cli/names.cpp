// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/names.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "carom/cli/command_error.h"
#include "carom/cli/json_text.h"

namespace carom::cli {
namespace {

// Edits that make one word of the other: letters put in, left out, changed, or two neighbours
// swapped. A change between large and small letters is none.
std::size_t edits(std::string_view a, std::string_view b) {
    const auto same = [&](std::size_t i, std::size_t j) {
        return std::tolower(static_cast<unsigned char>(a[i])) ==
               std::tolower(static_cast<unsigned char>(b[j]));
    };
    // from the first i letters of a to the first j of b; the rows for i - 2, i - 1 and i
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = last[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
            row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
    // at most a third of the letters may be wrong
    constexpr std::size_t k_longest = 100;
    if (name.size() > k_longest) return {};
    std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
    std::string nearest;
    for (const std::string& candidate : known) {
        if (candidate.size() > name.size() + least || name.size() > candidate.size() + least) {
            continue;
        }
        const std::size_t distance = edits(name, candidate);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string in_words(std::span<const std::string> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

std::string which_there_are(std::string_view name, std::span<const std::string> known,
                            std::string_view what) {
    const std::string hint = did_you_mean(nearest_name(name, known));
    return fmt::format("{} {} are {}", hint.empty() ? "; the" : hint + " The", what,
                       in_words(known));
}

std::vector<bool> chosen_names(std::span<const std::string> wanted,
                               std::span<const std::string> known, std::string_view what) {
    std::vector<bool> chosen(known.size(), false);
    for (const std::string& name : wanted) {
        const bool exact = std::find(known.begin(), known.end(), name) != known.end();
        bool any = false;
        for (std::size_t i = 0; i < known.size(); ++i) {
            const bool meant =
                exact ? known[i] == name : fnmatch(name.c_str(), known[i].c_str(), 0) == 0;
            chosen[i] = chosen[i] || meant;
            any = any || meant;
        }
        if (any) continue;
        const std::string nearest = nearest_name(name, known);
        std::string hint = did_you_mean(nearest);
        if (hint.empty()) hint = "; 'carom info' lists them";
        refuse(fmt::format("the recording has no {} {}{}", what, in_quotes(name), hint));
    }
    return chosen;
}

}  // namespace carom::cli
