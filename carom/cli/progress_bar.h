// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace carom::cli {

// How far a run is, on one line of standard error, drawn anew at most ten times a second. Only on a
// terminal, and gone when the run is over.
class ProgressBar {
public:
    using Clock = std::chrono::steady_clock;

    // From `start` to `end` in simulated seconds. Shows nothing unless `wanted` and on a terminal.
    ProgressBar(double start, double end, std::uint64_t events, bool wanted);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void update(double t, std::uint64_t events);

private:
    void draw(double t, std::uint64_t events, Clock::time_point now);

    double start_, end_;
    bool shown_;
    bool drawn_ = false;
    Clock::time_point began_, last_;
    std::uint64_t last_events_;
    std::optional<double> rate_;  // events a second, smoothed
};

// "1.2 s", "3:04", "2:03:04".
std::string clock_text(double seconds);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

// "1 impact", "1,355 impacts"; `many` is the plural.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace carom::cli
