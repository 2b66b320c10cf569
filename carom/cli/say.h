// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace carom::cli {

// Says something to the user on standard error. Where that cannot be written (a log on a disk that
// is full), nothing is said and nothing thrown: the exit code still tells how the command ended.
template <typename... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace carom::cli
