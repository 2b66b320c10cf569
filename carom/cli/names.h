// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::cli {

// The known name nearest to a misspelt one; empty when none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

// "the first, the second and the third".
std::string in_words(std::span<const std::string> names);

// "; did you mean 'run'? The commands are laws, run and info": the end of a message about a name
// that is not known. what: as "commands".
std::string which_there_are(std::string_view name, std::span<const std::string> known,
                            std::string_view what);

// Which of `known` are meant by names and patterns with * and ? (a name that is known stands for
// itself only). Throws CommandError for one that means none; `what` is what they are, as "body".
std::vector<bool> chosen_names(std::span<const std::string> wanted,
                               std::span<const std::string> known, std::string_view what);

}  // namespace carom::cli
