// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/math/types.h"

namespace carom::math {

// A value and its derivative.
struct ValueSlope {
    double value;
    double slope;
};

struct BracketedRoot {
    double x;
    int evaluations;
};

// The root of f in [low, high], by Newton steps kept inside a shrinking bracket, bisecting when
// Newton leaves it or gains too little.
//
// Pre: f(low) and f(high) have opposite signs or one of them is zero; f_low is f(low).value.
// The bracket always contains a root. It ends when the step is below 2 ulp of x, when f is zero, or
// when Newton contracts so fast that the next step would be below that.
template <class Function>
BracketedRoot bracketed_newton(Function&& f, double low, double high, double f_low, double guess) {
    constexpr int k_most = 200;
    const bool rising = f_low < 0.0;
    double x = guess > low && guess < high ? guess : 0.5 * (low + high);
    double last_step = high - low;
    for (int n = 1; n <= k_most; ++n) {
        const ValueSlope v = f(x);
        if (v.value == 0.0) return {x, n};
        if ((v.value < 0.0) == rising) {
            low = x;
        } else {
            high = x;
        }
        double next = x - v.value / v.slope;
        const bool newton = next > low && next < high && std::abs(next - x) <= 0.5 * last_step;
        if (!newton) next = 0.5 * (low + high);
        const double step = std::abs(next - x);
        const bool quadratic = newton && step <= 1e-3 * last_step && step <= 1e-9 * std::abs(next);
        last_step = step;
        x = next;
        if (quadratic || step <= 2.0 * k_ulp * std::abs(x)) return {x, n};
    }
    return {x, k_most};
}

namespace detail {

// What has no bracket is no error here.
using QuietRoots = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

}  // namespace detail

// The root of f in [low, high], by Alefeld, Potra and Shi's method (Boost's TOMS 748), to the given
// number of bits or after `most` evaluations; NaN where f has the same sign at both ends. Throws
// nothing: a law whose numbers leave double precision has no answer, and says so itself.
template <class Function>
double bracketed_root(Function&& f, double low, double high, double f_low, double f_high,
                      std::uintmax_t most, unsigned bits = 52) {
    const auto bracket = boost::math::tools::toms748_solve(
        f, low, high, f_low, f_high, boost::math::tools::eps_tolerance<double>(bits), most,
        detail::QuietRoots());
    return 0.5 * (bracket.first + bracket.second);
}

// The end at which f is not positive of a bracket in [low, high] of a change of sign, as narrow as
// is_narrow(from, to) asks for. By the same method where f is finite at both ends, else by halving.
// Pre: f_low > 0, f_high <= 0.
template <class Function, class Narrow>
double first_not_positive(Function&& f, double low, double high, double f_low, double f_high,
                          Narrow&& is_narrow) {
    constexpr int k_most = 200;
    if (f_high == 0.0 && is_narrow(low, high)) return high;
    for (int i = 0; i < k_most && !std::isfinite(f_low - f_high); ++i) {
        if (is_narrow(low, high)) return high;
        const double middle = 0.5 * (low + high);
        const double value = f(middle);
        (value > 0.0 ? low : high) = middle;
        (value > 0.0 ? f_low : f_high) = value;
    }
    std::uintmax_t most = k_most;
    // zero counts as not positive: the method would end there, wherever else f is zero
    const auto positive_or_below = [&](double x) {
        const double value = f(x);
        return value > 0.0 ? value : std::min(value, -std::numeric_limits<double>::min());
    };
    const auto bracket = boost::math::tools::toms748_solve(
        positive_or_below, low, high, f_low, std::min(f_high, -std::numeric_limits<double>::min()),
        is_narrow, most, detail::QuietRoots());
    return bracket.second;
}

template <class Function>
double bracketed_root(Function&& f, double low, double high, std::uintmax_t most) {
    return bracketed_root(f, low, high, f(low), f(high), most);
}

}  // namespace carom::math
