// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/impact/compliant_state.h"
#include "carom/impact/slip_collocation.h"
#include "carom/impact/tolerances.h"

namespace carom::impact {
namespace {

using Map = SlipCollocation::Map;
constexpr std::size_t k_last = SlipCollocation::k_nodes - 1;
constexpr double k_never = std::numeric_limits<double>::infinity();

// du_z/dp_z with friction along phi.
double normal_rate(const CompliantState& s, double c, double sn) {
    const double mu = s.parameters.mu;
    return s.K.kappa + s.K.q1 * (s.K.b1 - mu * s.K.k1 * c) + s.K.q2 * (s.K.b2 - mu * s.K.k2 * sn);
}

// Normal impulse until the normal energy is used up, with the slip direction held.
double impulse_to_end(const CompliantState& s, double rate) {
    const double E = s.normal_energy();
    const double square = s.uz * s.uz + 2.0 * rate * E;
    const double root = square > 0.0 ? std::sqrt(square) : 0.0;
    const double sum = s.uz + root;
    return sum > 0.0 ? 2.0 * E / sum : k_never;
}

// Follows slip step by step until something happens.
class Slip {
public:
    explicit Slip(CompliantState& state)
        : s_(state),
          from_zero_(state.F == 0.0),
          origin_(state.pz),
          phi_(state.F == 0.0 ? std::atan2(state.y, state.x) : std::atan2(state.dy, state.dx)) {}

    CompliantEvent run() {
        constexpr int k_most = 20000;
        for (int i = 0; i < k_most; ++i) {
            if (!s_.compressing && close_tail()) return CompliantEvent::end;
            CompliantEvent event = CompliantEvent::end;
            if (advance(event)) return event;
        }
        finish_held();
        return CompliantEvent::end;
    }

private:
    // A step towards the natural end of this phase; fraction is the part of the way.
    Map propose(double fraction) const {
        const double rate = normal_rate(s_, std::cos(phi_), std::sin(phi_));
        if (!s_.compressing) {
            // y = sqrt(impulse left) falls by the fraction
            const double left = std::min(impulse_to_end(s_, rate), 4.0 * scale());
            const double a = std::min(fraction, 0.65);
            return {2.0 * a * left, -a * a * left};
        }
        double length = rate > 0.0 && s_.uz < 0.0 ? -s_.uz / rate : scale();
        length = 1.02 * std::min(length, 4.0 * scale());
        if (!from_zero_) return {fraction * length, 0.0};
        // x = sqrt(impulse since the start of slip) grows
        const double x0 = std::sqrt(std::max(0.0, s_.pz - origin_));
        const double dx = fraction * (std::sqrt(x0 * x0 + length) - x0);
        return {2.0 * x0 * dx, dx * dx};
    }

    // A normal impulse of the size of the whole one, as far as is known by now.
    double scale() const { return std::max(s_.scale_pz, s_.pz); }

    // One accepted step, or part of one up to an event; true when an event ended the stretch.
    bool advance(CompliantEvent& event) {
        SlipCollocation step(s_, phi_);
        const double vs_start = particle_speed();
        for (int tries = 0; tries < 200; ++tries) {
            const Map map = propose(fraction_);
            const double weight = std::min(1.0, std::abs(map.impulse(1.0)) / scale());
            if (!step.solve(map) || step.unresolved() * weight > k_unresolved) {
                fraction_ *= 0.5;
                continue;
            }
            if (!locate(step, map, vs_start, event)) {
                commit(step);
                fraction_ = std::min(1.0, 1.7 * fraction_);
                return false;
            }
            commit(step);
            if (event == CompliantEvent::uz_zero) s_.uz = 0.0;
            return true;
        }
        finish_held();
        event = CompliantEvent::end;
        return true;
    }

    double particle_speed() const {
        return s_.x * std::cos(phi_) + s_.y * std::sin(phi_) +
               s_.parameters.mu * s_.k() / s_.kt * s_.uz;
    }

    // Looks for the first event in the solved step. If there is one, solves the step again up to it.
    bool locate(SlipCollocation& step, const Map& map, double vs_start, CompliantEvent& event) {
        const double sign = s_.compressing ? -1.0 : 1.0;
        const auto uz_end = [&](double part) { return value_at_end(step, map, part, sign, true); };
        const auto vs_end = [&](double part) { return value_at_end(step, map, part, sign, false); };
        const Gap uz_gap = first_negative(step.uz(), s_.uz, sign);
        const Gap vs_gap = first_negative(step.particle_speed(), vs_start, 1.0);
        if (!uz_gap.found && !vs_gap.found) return false;
        double uz_part = k_never;
        double vs_part = k_never;
        if (uz_gap.found && (!vs_gap.found || uz_gap.low <= vs_gap.high)) {
            uz_part = root(uz_end, uz_gap);
        }
        if (vs_gap.found && (!uz_gap.found || vs_gap.low <= uz_gap.high)) {
            vs_part = root(vs_end, vs_gap);
        }
        const double part = std::min(uz_part, vs_part);
        event = uz_part <= vs_part ? CompliantEvent::uz_zero : CompliantEvent::mode_change;
        step.solve(scaled(map, part));
        return true;
    }

    struct Gap {
        bool found = false;
        double low = 0.0, high = 0.0;  // parts of the step around the sign change
    };

    // The first gap between samples (nodes and the middles between them) where sign * value < 0.
    static Gap first_negative(const SlipCollocation::Nodes& value, double start, double sign) {
        const math::Radau8& radau = math::radau8();
        double before = 0.0;
        for (std::size_t i = 0; i <= k_last; ++i) {
            double middle = radau.between[i][0] * start;
            for (std::size_t j = 0; j <= k_last; ++j) middle += radau.between[i][j + 1] * value[j];
            const double node_before = i == 0 ? 0.0 : radau.node[i - 1];
            const double middle_at = 0.5 * (node_before + radau.node[i]);
            if (sign * middle < 0.0) return {true, before, middle_at};
            if (sign * value[i] < 0.0) return {true, middle_at, radau.node[i]};
            before = radau.node[i];
        }
        return {};
    }

    static Map scaled(const Map& map, double part) {
        return {map.linear * part, map.quadratic * part * part};
    }

    double value_at_end(SlipCollocation& step, const Map& map, double part, double sign,
                        bool of_uz) const {
        if (part <= 0.0) return of_uz ? sign * s_.uz : particle_speed();
        step.solve(scaled(map, part));
        return of_uz ? sign * step.uz()[k_last] : step.particle_speed()[k_last];
    }

    template <class Function>
    static double root(Function&& f, const Gap& gap) {
        double low = gap.low;
        const double high = gap.high;
        double f_low = f(low);
        // interpolation between nodes and the shorter step may differ by rounding at the low end
        if (f_low <= 0.0) {
            low = 0.0;
            f_low = f(low);
            if (f_low <= 0.0) return low > 0.0 ? low : 1e-12 * high;
        }
        const double f_high = f(high);
        if (f_high >= 0.0) return high;
        std::uintmax_t most = 60;
        const auto bracket = boost::math::tools::toms748_solve(
            f, low, high, f_low, f_high, boost::math::tools::eps_tolerance<double>(50), most);
        return 0.5 * (bracket.first + bracket.second);
    }

    void commit(const SlipCollocation& step) {
        const double pz_before = s_.pz;
        const double energy_before = s_.normal_energy();
        if (s_.trace != nullptr) {
            for (std::size_t i = 0; i < k_last; ++i) {
                CompliantState now = s_;
                double phi = phi_;
                step.apply(i, now, phi);
                now.sample(Mode::slide, energy_before - now.normal_energy());
            }
        }
        step.apply(k_last, s_, phi_);
        s_.account(pz_before, energy_before);
    }

    // Ends the impact with the slip direction held once the rest cannot matter; true when done.
    bool close_tail() {
        const double c = std::cos(phi_);
        const double sn = std::sin(phi_);
        const double left = impulse_to_end(s_, normal_rate(s_, c, sn));
        const double r = std::sqrt(s_.x * s_.x + s_.y * s_.y);
        double turn = 1.0;
        if (r == 0.0) {
            turn = 0.0;
        } else if (s_.x * c + s_.y * sn > 0.0) {
            // e_ turns no further than to u_t, which itself turns by about left/r times its rate
            const double mu = s_.parameters.mu;
            const double drift = std::abs((s_.K.b2 - mu * s_.K.k2 * sn) * c -
                                          (s_.K.b1 - mu * s_.K.k1 * c) * sn) * left / r;
            turn = std::min(1.0, std::abs(s_.y * c - s_.x * sn) / r + drift);
        }
        const double mu = s_.parameters.mu;
        if (!(mu * turn * left <= k_tail * (1.0 + mu) * s_.pz)) return false;
        finish_held();
        return true;
    }

    void finish_held() {
        const double mu = s_.parameters.mu;
        const double c = std::cos(phi_);
        const double sn = std::sin(phi_);
        const double rate = normal_rate(s_, c, sn);
        const double left = impulse_to_end(s_, rate);
        const double pz_before = s_.pz;
        const double energy_before = s_.normal_energy();
        s_.px -= mu * c * left;
        s_.py -= mu * sn * left;
        s_.pz += left;
        s_.x += (s_.K.b1 - mu * s_.K.k1 * c) * left;
        s_.y += (s_.K.b2 - mu * s_.K.k2 * sn) * left;
        s_.uz += rate * left;
        s_.F = s_.dx = s_.dy = 0.0;
        s_.account(pz_before, energy_before);
    }

    // Resolution asked of a step, and what may be neglected at the end, relative to p_z.
    static constexpr double k_unresolved = 1e-10;
    static constexpr double k_tail = 1e-13;

    CompliantState& s_;
    bool from_zero_;
    double origin_;
    double phi_;
    double fraction_ = 0.6;
};

}  // namespace

CompliantEvent compliant_slip(CompliantState& state) { return Slip(state).run(); }

}  // namespace carom::impact
