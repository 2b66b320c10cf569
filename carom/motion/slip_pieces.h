// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <vector>

#include "carom/motion/hodograph.h"
#include "carom/motion/slip_series.h"

namespace carom::motion {

// What a SlipSeries is made of; see there.

// Time, displacement and slip as power series in s.
struct SlipTaylor {
    using Scalars = std::array<double, SlipSeries::k_order + 1>;
    using Vectors = std::array<Vec2, SlipSeries::k_order + 1>;
    Scalars t{};
    Vectors d, y;
};

// About a point with y != 0.
SlipTaylor slip_taylor(const SlipProblem& problem, double tau, const Vec2& d, const Vec2& y);
// How far it is good.
double slip_reach(const SlipProblem& problem, const SlipTaylor& series);

template <class Coefficients>
auto power_sum(const Coefficients& a, double x) {
    auto sum = a[SlipSeries::k_order];
    for (std::size_t k = SlipSeries::k_order; k-- > 0;)
        sum = sum * x + a[k];
    return sum;
}

struct SlipPiece {
    double start = 0.0;  // in s
    double length = 0.0;
    SlipTaylor series;

    double time(double x) const { return power_sum(series.t, x); }
    // x at a time of this piece
    double offset_at(double tau) const;
};

// The closed hodograph from where the pieces end, in axes along -h and across.
struct SlipTail {
    double start_time, start;  // tau and s
    Vec2 d, v, y, axis;
    Vec2 drift;  // acceleration that does not come from y
    Hodograph u;
    double last;  // the largest of its variable

    Vec2 to_plane(const Vec2& a) const;
    SlipSeries::Point at_parameter(const SlipProblem& problem, double p) const;
};

// The direction of a small slip, of size q, behind the pull -alpha h: see SlipSeries.
Vec2 slaved_direction(const SlipProblem& problem, const Vec2& v, double q);

struct SlipPieces {
    std::vector<SlipPiece> pieces;
    std::optional<SlipTail> tail{};
    double length = 0.0;
    double speed_max = 0.0;
    double y_max = 0.0;
    SlipSeries::End end = SlipSeries::End::length;
};
SlipPieces make_slip_pieces(const SlipProblem& problem);

}  // namespace carom::motion
