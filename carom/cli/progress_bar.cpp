// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "carom/cli/say.h"
#include "carom/cli/table.h"

namespace carom::cli {

ProgressBar::ProgressBar(double start, double end, std::uint64_t events, bool wanted)
    : start_(start),
      end_(end),
      shown_(wanted && isatty(STDERR_FILENO) != 0),
      began_(Clock::now()),
      last_(began_),
      last_events_(events) {}

ProgressBar::~ProgressBar() {
    // back to the line's start, and wipe it
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::update(double t, std::uint64_t events) {
    if (!shown_) return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    draw(t, events, now);
}

void ProgressBar::draw(double t, std::uint64_t events, Clock::time_point now) {
    constexpr int k_width = 24;
    constexpr double k_memory = 0.8;  // of the smoothed rate
    const double passed = std::chrono::duration<double>(now - last_).count();
    const double rate = static_cast<double>(events - last_events_) / passed;
    rate_ = rate_ ? k_memory * *rate_ + (1.0 - k_memory) * rate : rate;
    last_ = now;
    last_events_ = events;

    const double part = std::clamp((t - start_) / (end_ - start_), 0.0, 1.0);
    const double elapsed = std::chrono::duration<double>(now - began_).count();
    const int filled = static_cast<int>(part * k_width);
    const std::string left =
        part > 0.0 ? clock_text(elapsed * (1.0 - part) / part) + " left" : "starting";
    say("\r[{:#<{}}{:.<{}}] {:3.0f} %  {} of {} s  {} events/s  {}\x1b[K", "", filled, "",
        k_width - filled, std::floor(100.0 * part), fmt::format("{:.4g}", t), short_number(end_),
        grouped(static_cast<std::uint64_t>(*rate_)), left);
    std::fflush(stderr);
    drawn_ = true;
}

std::string clock_text(double seconds) {
    constexpr double k_minute = 60.0;
    constexpr double k_longest = 1e9;
    if (seconds < k_minute) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<long>(std::min(seconds, k_longest));
    const long h = whole / 3600, m = whole / 60 % 60, s = whole % 60;
    return h > 0 ? fmt::format("{}:{:02}:{:02}", h, m, s) : fmt::format("{}:{:02}", m, s);
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

}  // namespace carom::cli
