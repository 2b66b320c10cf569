// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/option_checks.h"

#include "carom/cli/json_text.h"
#include "carom/world/settings.h"

namespace carom::cli {

std::string whole_number(const std::string& text) {
    // the largest number of 64 bits has 20 digits
    constexpr std::size_t k_digits = 19;
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && !text.empty() && text.size() <= k_digits) return {};
    return "must be a whole number, 0 or more, not " + in_quotes(text);
}

std::string thread_count(const std::string& text) {
    constexpr std::size_t k_digits = 9;
    if (whole_number(text).empty() && text.size() <= k_digits) {
        const int count = std::stoi(text);
        if (count >= 1 && count <= world::k_most_threads) return {};
    }
    return "must be a whole number, 1 to " + std::to_string(world::k_most_threads) + ", not " +
           in_quotes(text);
}

}  // namespace carom::cli
