// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace carom::cli {

// What is wrong with a line of input, for the user; id is that of the line where it could be read,
// file is empty for standard input.
struct ProblemError {
    std::string id = "null";
    std::string message;
    std::string file = {};
};

// Throws it.
[[noreturn]] void fail(std::string message);

// A piece of the input as part of a message: not longer than a person reads.
std::string in_quotes(std::string_view text);

// "; did you mean 'this'?", or nothing.
std::string did_you_mean(std::string_view nearest);

// A line as JSON. Throws ProblemError with the column when it is not valid, is nested too deeply or
// holds numbers that are not finite; with `unique`, also when an object has a key twice.
nlohmann::json parse_line(std::string_view line, bool unique);

// The id of a problem as JSON text: "null" when there is none.
std::string id_of(const nlohmann::json& problem);

}  // namespace carom::cli
