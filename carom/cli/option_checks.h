// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <string>

namespace carom::cli {

// For the values of all options: a variable of a script that is not set is no value. (The option
// parser itself takes it as if the option had not been given.)
std::string not_empty(const std::string& text);
// For the values of options that count something: empty for a whole number that is not negative,
// else what it must be. (The option parser itself takes -1 for a very large number.)
std::string whole_number(const std::string& text);
// The same for a number between two others, which count too.
std::function<std::string(const std::string&)> whole_number_between(long low, long high);
// For the threads of a run: 1 to world::k_most_threads.
std::string thread_count(const std::string& text);

}  // namespace carom::cli
