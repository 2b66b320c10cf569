// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <exception>
#include <functional>

namespace carom {

// The question that long computations ask again and again, on their own thread: whether to stop. It
// should cost no more than a look at an atomic flag. An empty one means never.
using StopCheck = std::function<bool()>;

// A computation was stopped in the middle: it has no answer. It is not a std::runtime_error, so
// that nobody takes it for a failure of the computation.
class Stopped : public std::exception {
public:
    const char* what() const noexcept override { return "stopped before there was an answer"; }
};

// Throws Stopped when the check says so; null: never.
inline void check_stop(const StopCheck* stop) {
    if (stop != nullptr && *stop && (*stop)()) throw Stopped();
}

}  // namespace carom
