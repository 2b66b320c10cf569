// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace carom::serve {

// What other futures of a run may take of the machine.
struct WhatIfLimits {
    std::size_t kept = 8;     // then the oldest goes, and is stopped
    std::size_t at_once = 2;  // that are computed; others wait for their turn
    double burst = 16.0;      // that may be begun in quick succession, and
    double per_second = 0.5;  // so many more in each second
    std::uint64_t row_bytes = std::uint64_t{512} << 20U;  // new rows of one
};

// Lets so many threads at once do something. For several threads.
class Turns {
public:
    explicit Turns(std::size_t most) : free_(most) {}
    // Waits for a turn; false when it was asked to stop before it had one.
    bool take(const std::stop_token& stop);
    void give_back();

private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::size_t free_;
};

// Lets something happen `burst` times in quick succession, and `per_second` times a second in the
// long run (a token bucket). For several threads.
class RateLimit {
public:
    using Clock = std::chrono::steady_clock;
    RateLimit(double burst, double per_second)
        : burst_(burst), per_second_(per_second), left_(burst) {}
    // Whether it may happen now; it counts then.
    bool take(Clock::time_point now = Clock::now());

private:
    std::mutex mutex_;
    double burst_, per_second_, left_;
    Clock::time_point last_ = Clock::time_point::min();
};

}  // namespace carom::serve
