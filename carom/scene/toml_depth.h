// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <string_view>

#include "carom/scene/report.h"

namespace carom::scene {

// Most names in one dotted key. Lists and inline tables may be nested 256 deep, and each may have
// such a key: all together is what the parser's recursive clean-up has to bear.
inline constexpr int k_most_dots = 8;

// The first dotted key (a.b.c, or as the name of a table) with more dots, if any. The parser has no
// limit of its own for these, and a key of 10^5 names overflows its stack. Strings and comments are
// skipped as TOML has them; in a text that is not TOML the places after the first error mean
// nothing, but the parser does not get there either.
std::optional<Place> find_deep_key(std::string_view text);

}  // namespace carom::scene
