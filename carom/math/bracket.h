// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

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

// The root of f in [low, high], by Alefeld, Potra and Shi's method (Boost's TOMS 748), to the given
// number of bits or after `most` evaluations; NaN where f has the same sign at both ends. Throws
// nothing: a law whose numbers leave double precision has no answer, and says so itself.
template <class Function>
double bracketed_root(Function&& f, double low, double high, double f_low, double f_high,
                      std::uintmax_t most, int bits = 52) {
    namespace policies = boost::math::policies;
    using Quiet = policies::policy<policies::domain_error<policies::ignore_error>,
                                   policies::evaluation_error<policies::ignore_error>>;
    const auto bracket = boost::math::tools::toms748_solve(
        f, low, high, f_low, f_high, boost::math::tools::eps_tolerance<double>(bits), most,
        Quiet());
    return 0.5 * (bracket.first + bracket.second);
}

template <class Function>
double bracketed_root(Function&& f, double low, double high, std::uintmax_t most) {
    return bracketed_root(f, low, high, f(low), f(high), most);
}

}  // namespace carom::math
