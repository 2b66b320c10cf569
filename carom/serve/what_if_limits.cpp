// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/what_if_limits.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace carom::serve {

bool Turns::take(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return free_ > 0; })) return false;
    --free_;
    return true;
}

void Turns::give_back() {
    {
        const std::lock_guard lock(mutex_);
        ++free_;
    }
    changed_.notify_one();
}

bool SharedBytes::take(std::uint64_t bytes) {
    std::uint64_t taken = taken_.load();
    do {
        if (bytes > most_ - taken) return false;
    } while (!taken_.compare_exchange_weak(taken, taken + bytes));
    return true;
}

void ByteShare::use(std::uint64_t bytes) {
    constexpr std::uint64_t k_piece = std::uint64_t{1} << 20U;
    used_ += bytes;
    if (used_ <= taken_) return;
    const std::uint64_t more = (used_ - taken_ + k_piece - 1) / k_piece * k_piece;
    if (!all_.take(more)) {
        throw std::length_error("stopped: all other futures together have " +
                                std::to_string(all_.most() >> 20U) +
                                " MiB of events and motions, which is all they may have here");
    }
    taken_ += more;
}

const std::shared_ptr<WhatIfPool>& WhatIfPool::of_program() {
    static const auto pool = std::make_shared<WhatIfPool>();
    return pool;
}

bool RateLimit::take(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (last_ != Clock::time_point::min()) {
        const double passed = std::chrono::duration<double>(now - last_).count();
        left_ = std::min(burst_, left_ + std::max(passed, 0.0) * per_second_);
    }
    last_ = now;
    if (left_ < 1.0) return false;
    left_ -= 1.0;
    return true;
}

}  // namespace carom::serve
