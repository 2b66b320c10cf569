// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/time_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/cli/command_error.h"
#include "carom/cli/table.h"

namespace carom::cli {
namespace {

void check_time(const char* option, double t, const record::Progress& progress) {
    if (t >= 0.0 && t <= progress.time) return;
    // a time that lies beyond by less than people read has all its digits
    const bool near =
        t > progress.time && fmt::format("{:.9g}", t) == fmt::format("{:.9g}", progress.time);
    refuse(fmt::format("{} {} lies beyond the recording, which goes from 0 to {}{}", option, t,
                       near ? fmt::format("{} s", progress.time) : seconds_text(progress.time),
                       progress.finished ? "" : " and is not finished"));
}

}  // namespace

TimeRange time_range(const record::Progress& progress, std::optional<double> from,
                     std::optional<double> to, const char* to_option) {
    if (from) check_time("--from", *from, progress);
    if (to) check_time(to_option, *to, progress);
    const TimeRange range{from.value_or(0.0), to.value_or(progress.time)};
    if (range.from > range.to) {
        refuse(fmt::format("--from {} is later than {} {}", range.from, to_option, range.to));
    }
    return range;
}

SampleTimes::SampleTimes(const WantedTimes& wanted, const TimeRange& range,
                         const record::Progress& progress)
    : given_(wanted.at), range_(range), fps_(wanted.fps), every_(wanted.every) {
    for (const double t : given_)
        check_time("--at", t, progress);
    if (!given_.empty()) {
        size_ = given_.size();
        return;
    }
    const auto positive = [](const std::optional<double>& x) {
        return !x || (*x > 0.0 && std::isfinite(*x));
    };
    if (!positive(fps_)) refuse("--fps must be above 0");
    if (!positive(every_)) refuse("--every must be a number of seconds above 0");
    if (!fps_ && !every_) refuse("say at which times: --at T,T,... or --fps N or --every DT");
    constexpr double k_most = 1e12;
    // the last time of the grid may miss the end by rounding
    constexpr double k_rounding = 1e-9;
    const double steps = fps_ ? range.length() * *fps_ : range.length() / *every_;
    if (!(steps < k_most)) refuse("more than 1e12 times; take fewer with --fps or --every");
    size_ = static_cast<std::uint64_t>(steps * (1.0 + k_rounding)) + 1;
}

double SampleTimes::operator[](std::uint64_t i) const {
    if (!given_.empty()) return given_[i];
    const auto k = static_cast<double>(i);
    return std::min(range_.to, range_.from + (fps_ ? k / *fps_ : k * *every_));
}

}  // namespace carom::cli
