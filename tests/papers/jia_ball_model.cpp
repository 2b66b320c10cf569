// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/papers/jia_ball_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::tests {
namespace {

constexpr double k_tangential = 3.5;  // K of a solid ball along a tangent, mass 1
constexpr double k_half_pi = 0.5 * std::numbers::pi;

class Ball {
public:
    Ball(double v0, double w0, const BallLaw& law) : w0_(w0), law_(law), v_(v0) {}

    BallResult run() {
        bool slips = std::abs(v_) >= law_.mu * law_.eta2 * w0_;
        result_.starts_in_slip = slips;
        sign_ = v_ < 0.0 ? -1.0 : 1.0;
        while (time_ < end_time()) {
            if (slips) {
                slip();
            } else {
                stick();
            }
            slips = !slips;
        }
        result_.Iz = impulse(end_time());
        result_.v = v_;
        return result_;
    }

private:
    // Compression lasts from 0 to pi/2, restitution from there a time e pi/2.
    double end_time() const { return k_half_pi * (1.0 + law_.e); }
    bool compressing(double t) const { return t < k_half_pi; }
    double force(double t) const {
        return compressing(t) ? w0_ * std::sin(t) : w0_ * std::cos((t - k_half_pi) / law_.e);
    }
    double impulse(double t) const {
        if (compressing(t)) return w0_ * (1.0 - std::cos(t));
        return w0_ * (1.0 + law_.e * std::sin((t - k_half_pi) / law_.e));
    }
    double time_of(double Iz) const {
        if (Iz <= w0_) return std::acos(1.0 - Iz / w0_);
        return k_half_pi + law_.e * std::asin(std::min(1.0, (Iz / w0_ - 1.0) / law_.e));
    }
    double ratio(bool compression) const { return compression ? law_.mu : law_.restitution_ratio; }
    double spring_velocity_in_slip(bool compression, double Iz) const {
        const double eta2 = compression ? law_.eta2 : law_.eta2 / (law_.e * law_.e);
        return -sign_ * ratio(compression) * eta2 * (Iz - w0_);
    }

    // One phase of slip up to the normal impulse `limit`, or to where the contact particle comes
    // to rest; everything is linear in the normal impulse. True when it came to rest.
    bool slip_phase(bool compression, double limit) {
        const double Iz0 = impulse(time_);
        const auto particle_speed = [&](double Iz) {
            const double v = v_ - sign_ * k_tangential * ratio(compression) * (Iz - Iz0);
            return sign_ * (v - spring_velocity_in_slip(compression, Iz));
        };
        const double at_start = std::max(0.0, particle_speed(Iz0));
        const double at_limit = particle_speed(limit);
        const bool rests = at_limit < 0.0;
        const double Iz = rests ? Iz0 + (limit - Iz0) * at_start / (at_start - at_limit) : limit;
        const double step = sign_ * ratio(compression) * (Iz - Iz0);
        result_.Ix -= step;
        v_ -= k_tangential * step;
        time_ = rests ? time_of(Iz) : (compression ? k_half_pi : end_time());
        stretch_ = sign_ * ratio(compression) * law_.eta2 * force(time_);
        if (rests) result_.events.push_back({true, Iz, v_, v_});
        return rests;
    }

    void slip() {
        if (compressing(time_) && slip_phase(true, w0_)) return;
        slip_phase(false, w0_ * (1.0 + law_.e));
    }

    // Stick until the spring force reaches mu times the normal one. Scanned finely, then bisected.
    void stick() {
        const double frequency = std::sqrt(k_tangential / law_.eta2);
        const double t0 = time_;
        const double d0 = stretch_;
        const double v0 = v_;
        const auto stretch = [&](double t) {
            const double angle = frequency * (t - t0);
            return d0 * std::cos(angle) + v0 / frequency * std::sin(angle);
        };
        const auto margin = [&](double t) {
            return law_.mu * force(t) - std::abs(stretch(t)) / law_.eta2;
        };
        constexpr int k_scan = 20000;
        const double step = (end_time() - t0) / k_scan;
        int i = 1;
        while (i < k_scan && margin(t0 + i * step) >= 0.0)
            ++i;
        double inside = t0 + (i - 1) * step;
        double outside = t0 + i * step;
        for (int halving = 0; halving < 80; ++halving) {
            const double middle = 0.5 * (inside + outside);
            (margin(middle) >= 0.0 ? inside : outside) = middle;
        }
        time_ = inside;
        const double angle = frequency * (time_ - t0);
        const double v = v0 * std::cos(angle) - d0 * frequency * std::sin(angle);
        result_.Ix += (v - v_) / k_tangential;
        v_ = v;
        stretch_ = stretch(time_);
        sign_ = stretch_ < 0.0 ? -1.0 : 1.0;
        const double Iz = impulse(time_);
        result_.events.push_back({false, Iz, v_, spring_velocity_in_slip(compressing(time_), Iz)});
    }

    double w0_;
    BallLaw law_;
    double v_;
    double time_ = 0.0;
    double stretch_ = 0.0;  // of the tangential spring, positive along x
    double sign_ = 1.0;     // direction of the slip
    BallResult result_;
};

}  // namespace

BallResult bounce_ball(double v0, double w0, const BallLaw& law) {
    return Ball(v0, w0, law).run();
}

}  // namespace carom::tests
