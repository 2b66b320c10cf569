// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

namespace carom::tests {

// Equations of motion y' = f(y) that a test has written down for itself, integrated by Fehlberg's
// pair of orders 8 and 7 with an error of 1e-15 of the scale in a step. It uses nothing of Carom.
template <std::size_t N>
class Flow {
public:
    using Y = std::array<double, N>;
    using Rate = std::function<Y(const Y&)>;

    Flow(Rate rate, const Y& start) : y(start), rate_(std::move(rate)) {}

    // Goes on to this time.
    void to(double end) {
        until([](const Y&) { return 1.0; }, end);
    }

    // Goes on until this is no longer above zero, or to the end: false then. Where it is zero at
    // the start it has to rise first.
    template <typename Event>
    bool until(const Event& event, double end) {
        while (t < end) {
            const bool last = t + step_ >= end;
            const double h = last ? end - t : step_;
            const auto [next, error] = tried(h);
            const double ratio = error / k_error;
            const double factor = std::clamp(0.9 * std::pow(ratio + 1e-30, -0.125), 0.2, 4.0);
            if (ratio > 1.0) {
                step_ = h * factor;
                continue;
            }
            if (!last || factor < 1.0) step_ = h * factor;
            if (event(next) <= 0.0) {
                locate(event, h);
                return true;
            }
            y = next;
            t = last ? end : t + h;
        }
        return false;
    }

    // Goes on with other equations.
    void follow(Rate rate) {
        rate_ = std::move(rate);
        step_ = 1e-4;
    }

    Y y;
    double t = 0.0;

private:
    static constexpr double k_error = 1e-15;

    std::pair<Y, double> tried(double h) const {
        boost::numeric::odeint::runge_kutta_fehlberg78<Y> stepper;
        const auto f = [this](const Y& from, Y& slope, double) { slope = rate_(from); };
        Y next, off;
        stepper.do_step(f, y, t, next, h, off);
        double worst = 0.0;
        for (std::size_t i = 0; i < N; ++i)
            worst = std::max(worst, std::abs(off[i]) / (1.0 + std::abs(next[i])));
        return {next, worst};
    }

    // Bisects the step.
    template <typename Event>
    void locate(const Event& event, double h) {
        double low = 0.0, high = h;
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            (event(tried(middle).first) > 0.0 ? low : high) = middle;
        }
        y = tried(high).first;
        t += high;
    }

    Rate rate_;
    double step_ = 1e-4;
};

}  // namespace carom::tests
