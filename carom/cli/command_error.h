// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <string>

namespace carom::cli {

// Why a command ends without having done its work: one message for the user and the exit code.
struct CommandError {
    int code;
    std::string message;
};

// The input or the call is wrong (exit code 2).
[[noreturn]] void refuse(std::string message);
// The work failed (exit code 1).
[[noreturn]] void give_up(std::string message);

// Does the work of a command and returns its exit code. Whatever is thrown becomes a message on
// standard error: scenes and recordings that are wrong are bad input, anything else a failure.
// command: as in "carom run".
int guarded(const char* command, const std::function<int()>& work);

}  // namespace carom::cli
