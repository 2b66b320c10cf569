// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/option_checks.h"

#include "carom/cli/json_text.h"
#include "carom/world/settings.h"

namespace carom::cli {

std::string not_empty(const std::string& text) {
    return text.empty() ? "needs a value, not ''" : "";
}

std::string whole_number(const std::string& text) {
    // the largest number of 64 bits has 20 digits
    constexpr std::size_t k_digits = 19;
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && !text.empty() && text.size() <= k_digits) return {};
    return "must be a whole number, 0 or more, not " + in_quotes(text);
}

std::function<std::string(const std::string&)> whole_number_between(long low, long high) {
    return [low, high](const std::string& text) -> std::string {
        constexpr std::size_t k_digits = 18;  // of any long
        if (whole_number(text).empty() && text.size() <= k_digits) {
            const long number = std::stol(text);
            if (number >= low && number <= high) return {};
        }
        return "must be a whole number, " + std::to_string(low) + " to " + std::to_string(high) +
               ", not " + in_quotes(text);
    };
}

std::string thread_count(const std::string& text) {
    return whole_number_between(1, world::k_most_threads)(text);
}

}  // namespace carom::cli
