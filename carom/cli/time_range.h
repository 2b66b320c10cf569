// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/record/recording.h"

namespace carom::cli {

// A piece of a recording's time, both ends included.
struct TimeRange {
    double from = 0.0, to = 0.0;
    double length() const { return to - from; }
};

// From what the user gave; what is left out is the recording's start or end. Throws CommandError
// with the range of the recording when it goes beyond; `to_option` is how the user gave the end.
TimeRange time_range(const record::Progress& progress, std::optional<double> from,
                     std::optional<double> to, const char* to_option = "--to");

// How the user asks for times: exactly one of them.
struct WantedTimes {
    std::vector<double> at;
    std::optional<double> fps;    // a second
    std::optional<double> every;  // seconds
};

// The times of samples, made one by one: the given ones in their order, or those of a grid that
// begins with the range and does not pass its end.
class SampleTimes {
public:
    // Throws CommandError for times beyond the recording, or a grid of more than 1e12 of them.
    SampleTimes(const WantedTimes& wanted, const TimeRange& range,
                const record::Progress& progress);

    std::uint64_t size() const { return size_; }
    double operator[](std::uint64_t i) const;

private:
    std::vector<double> given_;
    TimeRange range_;
    std::optional<double> fps_, every_;
    std::uint64_t size_ = 0;
};

}  // namespace carom::cli
