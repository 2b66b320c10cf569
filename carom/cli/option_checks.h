// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

namespace carom::cli {

// For the values of options that count something: empty for a whole number that is not negative,
// else what it must be. (The option parser itself takes -1 for a very large number.)
std::string whole_number(const std::string& text);
// The same for the threads of a run: 1 to world::k_most_threads.
std::string thread_count(const std::string& text);

}  // namespace carom::cli
