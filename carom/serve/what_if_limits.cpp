// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/what_if_limits.h"

#include <algorithm>

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
