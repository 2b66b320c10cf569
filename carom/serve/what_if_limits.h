// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>

namespace carom::serve {

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

// So many bytes for many together. For several threads.
class SharedBytes {
public:
    explicit SharedBytes(std::uint64_t most) : most_(most) {}
    std::uint64_t most() const { return most_; }
    std::uint64_t free() const { return most_ - taken_.load(); }
    // False, and nothing is taken, when there are not so many left.
    bool take(std::uint64_t bytes);
    void give_back(std::uint64_t bytes) { taken_ -= bytes; }

private:
    std::uint64_t most_;
    std::atomic<std::uint64_t> taken_ = 0;
};

// What one of them has taken, until its end.
class ByteShare {
public:
    // The bytes must outlive it.
    explicit ByteShare(SharedBytes& all) : all_(all) {}
    ~ByteShare() { all_.give_back(taken_); }
    ByteShare(const ByteShare&) = delete;
    ByteShare& operator=(const ByteShare&) = delete;
    // It uses so many more. Throws std::length_error when there are not so many for all together.
    void use(std::uint64_t bytes);

private:
    SharedBytes& all_;
    std::uint64_t taken_ = 0, used_ = 0;  // taken in larger pieces
};

// What the other futures of all runs together may take of the machine.
struct WhatIfPool {
    explicit WhatIfPool(std::size_t at_once = 2,
                        std::uint64_t most_row_bytes = std::uint64_t{1} << 30U)
        : turns(at_once), row_bytes(most_row_bytes) {}

    Turns turns;            // that are computed; others wait for their turn
    SharedBytes row_bytes;  // new rows

    // That of this program.
    static const std::shared_ptr<WhatIfPool>& of_program();
};

// What other futures of one run may take.
struct WhatIfLimits {
    std::size_t kept = 8;     // then the oldest goes, and is stopped
    double burst = 16.0;      // that may be begun in quick succession, and
    double per_second = 0.5;  // so many more in each second
    std::uint64_t row_bytes = std::uint64_t{512} << 20U;  // new rows of one
    std::shared_ptr<WhatIfPool> pool = WhatIfPool::of_program();
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
