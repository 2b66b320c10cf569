// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/impact/compliant_state.h"
#include "carom/impact/slip_collocation.h"
#include "carom/impact/slip_series.h"
#include "carom/impact/tolerances.h"
#include "carom/math/bracket.h"

namespace carom::impact {
namespace {

using Map = SlipCollocation::Map;
constexpr std::size_t k_last = SlipCollocation::k_nodes - 1;

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
        : s_(state), from_zero_(state.F == 0.0), origin_(state.pz) {
        // the springs point along the slip at first, later as they are
        const double ex = from_zero_ ? state.x : state.dx;
        const double ey = from_zero_ ? state.y : state.dy;
        const double length = std::sqrt(ex * ex + ey * ey);
        c_ = ex / length;
        sn_ = ey / length;
    }

    CompliantEvent run() {
        while (s_.spend(CompliantState::k_series_step)) {
            if (!s_.compressing && close_tail()) return CompliantEvent::end;
            CompliantEvent event = CompliantEvent::end;
            if (is_stiff() ? advance_implicit(event) : advance_by_series(event)) return event;
        }
        return CompliantEvent::lost;
    }

private:
    // A step towards the natural end of this phase; fraction is the part of the way.
    Map propose(double fraction) const {
        const double rate = normal_rate(s_, c_, sn_);
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

    // Whether the springs turn much faster than anything else changes.
    bool is_stiff() const {
        constexpr double k_much = 20.0;
        const double r = std::sqrt(s_.x * s_.x + s_.y * s_.y);
        const double E = s_.normal_energy();
        const double rate = normal_rate(s_, c_, sn_);
        const double slow = std::max(std::abs(s_.uz), std::sqrt(2.0 * std::abs(rate) * E));
        // at F = 0 the springs turn against growing from nothing, twice as fast in these terms
        const double fast =
            s_.kt * r / ((from_zero_ && E == 0.0 ? 1.0 : 2.0) * s_.k() * s_.parameters.mu);
        return fast > k_much * slow;
    }

    // One Taylor step, or part of one up to an event; true when an event ended the stretch.
    bool advance_by_series(CompliantEvent& event) {
        double tolerance = k_tolerances.compliant_series;
        if (!s_.compressing) {
            const double left = impulse_to_end(s_, normal_rate(s_, c_, sn_));
            tolerance = std::min(1e-7, k_tolerances.compliant_series * std::max(1.0, s_.pz / left));
        }
        const SlipSeries series(s_, c_, sn_, tolerance);
        const double sign = s_.compressing ? -1.0 : 1.0;
        // look for events at the middle and the end: within a step the motion is nearly parabolic
        double before = 0.0;
        double uz_before = sign * s_.uz;
        double vs_before = particle_speed();
        for (const double part : {0.5, 1.0}) {
            const double t = series.step() * part;
            const SlipSeries::At at = series.at(t);
            const bool turns = sign * at.uz < 0.0;
            const bool sticks = at.vs < 0.0;
            if (turns || sticks) {
                const double uz_at =
                    turns ? series_root(series, {before, t, uz_before, sign * at.uz}, sign)
                          : k_never;
                const double vs_at =
                    sticks ? series_root(series, {before, t, vs_before, at.vs}, 0.0) : k_never;
                event = uz_at <= vs_at ? CompliantEvent::uz_zero : CompliantEvent::mode_change;
                commit(series, std::min(uz_at, vs_at));
                if (event == CompliantEvent::uz_zero) s_.uz = 0.0;
                return true;
            }
            before = t;
            uz_before = sign * at.uz;
            vs_before = at.vs;
            if (part == 1.0) commit(series, t, at);
        }
        return false;
    }

    // A stretch of t with the values of a function at its ends, the second negative.
    struct Fall {
        double low, high;
        double f_low, f_high;
    };

    // The zero of uz_sign * u_z in the stretch, or of v_s where uz_sign is zero.
    static double series_root(const SlipSeries& series, const Fall& fall, double uz_sign) {
        const auto f = [&](double t) {
            const SlipSeries::At at = series.at(t);
            return uz_sign != 0.0 ? math::ValueSlope{uz_sign * at.uz, uz_sign * at.uz_slope}
                                  : math::ValueSlope{at.vs, at.vs_slope};
        };
        const double guess =
            fall.low + (fall.high - fall.low) * fall.f_low / (fall.f_low - fall.f_high);
        return math::bracketed_newton(f, fall.low, fall.high, 1.0, guess).x;
    }

    void commit(const SlipSeries& series, double t) { commit(series, t, series.at(t)); }

    void commit(const SlipSeries& series, double t, const SlipSeries::At& at) {
        const double pz_before = s_.pz;
        const double energy_before = s_.normal_energy();
        if (s_.trace != nullptr) {
            for (int i = 1; i < k_trace_steps; ++i) {
                CompliantState now = s_;
                apply(series.at(t * i / k_trace_steps), now);
                now.sample(Mode::slide, energy_before - now.normal_energy());
            }
        }
        apply(at, s_);
        const double length = std::sqrt(at.c * at.c + at.s * at.s);
        c_ = at.c / length;
        sn_ = at.s / length;
        s_.account(pz_before, energy_before);
    }

    static void apply(const SlipSeries::At& at, CompliantState& state) {
        state.px += at.dpx;
        state.py += at.dpy;
        state.pz += at.dpz;
        state.x = at.x;
        state.y = at.y;
        state.uz = at.uz;
        state.F = std::sqrt(2.0 * state.k() * std::max(0.0, at.E));
        const double stretch = state.parameters.mu * state.F / state.kt;
        state.dx = stretch * at.c;
        state.dy = stretch * at.s;
    }

    // One implicit step, or part of one up to an event; true when an event ended the stretch.
    bool advance_implicit(CompliantEvent& event) {
        SlipCollocation step(s_, std::atan2(sn_, c_));
        const double vs_start = particle_speed();
        while (s_.spend(CompliantState::k_collocation)) {
            const Map map = propose(fraction_);
            const double weight = std::min(1.0, std::abs(map.impulse(1.0)) / scale());
            if (!step.solve(map) ||
                step.unresolved() * weight > k_tolerances.compliant_unresolved) {
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
        event = CompliantEvent::lost;
        return true;
    }

    double particle_speed() const {
        return s_.x * c_ + s_.y * sn_ + s_.parameters.mu * s_.k() / s_.kt * s_.uz;
    }

    // Looks for the first event in the solved step. If there is one, solves the step again up to
    // it.
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
        step.solve_near(scaled(map, part));
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
            for (std::size_t j = 0; j <= k_last; ++j)
                middle += radau.between[i][j + 1] * value[j];
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
        s_.spend(CompliantState::k_collocation);
        step.solve_near(scaled(map, part));
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
        return math::bracketed_root(f, low, high, f_low, f_high, 60, 50);
    }

    void commit(const SlipCollocation& step) {
        const double pz_before = s_.pz;
        const double energy_before = s_.normal_energy();
        if (s_.trace != nullptr) {
            for (std::size_t i = 0; i < k_last; ++i) {
                CompliantState now = s_;
                double phi = 0.0;
                step.apply(i, now, phi);
                now.sample(Mode::slide, energy_before - now.normal_energy());
            }
        }
        double phi = 0.0;
        step.apply(k_last, s_, phi);
        c_ = std::cos(phi);
        sn_ = std::sin(phi);
        s_.account(pz_before, energy_before);
    }

    // Ends the impact once the rest can be had with the contact velocity held; true when done.
    bool close_tail() {
        const double mu = s_.parameters.mu;
        const double rate = normal_rate(s_, c_, sn_);
        const double left = impulse_to_end(s_, rate);
        const double negligible = k_tolerances.compliant_tail * (1.0 + mu) * s_.pz;
        const double r = std::sqrt(s_.x * s_.x + s_.y * s_.y);
        if (r == 0.0 || mu * left <= negligible) {
            finish(c_, sn_);
            return true;
        }
        if (!(s_.uz > 0.0)) return false;
        // with u_t and u_z held, tan(psi/2) = T s^alpha, psi from e_ to u_t and s the part of E
        // left
        const double cosine = (s_.x * c_ + s_.y * sn_) / r;
        const double sine = (s_.y * c_ - s_.x * sn_) / r;
        const double alpha = s_.kt * r / (2.0 * s_.k() * mu * s_.uz);
        const double dx = s_.K.b1 - mu * s_.K.k1 * c_;
        const double dy = s_.K.b2 - mu * s_.K.k2 * sn_;
        // what is neglected: the turning of u_t itself, and the change of |u_t| and u_z
        const double turning = left * std::abs(dx * s_.y - dy * s_.x) / (r * r);
        const double growing =
            left * (std::abs(dx * s_.x + dy * s_.y) / (r * r) + std::abs(rate) / s_.uz);
        // the particle must go on slipping, and the estimates hold only for small changes
        const double vs_end =
            particle_speed() + left * (dx * c_ + dy * sn_ + mu * s_.k() / s_.kt * rate);
        if (!(vs_end > 0.0) || (growing > 0.3 && std::abs(sine) + turning > 1e-15)) return false;
        const Tail tail = tail_error(cosine, sine, turning, growing);
        if (mu * left * tail.held <= negligible) {
            finish(c_, sn_);
            return true;
        }
        if (mu * left * tail.turned > negligible) return false;
        if (alpha < 0.05) return false;
        const Vec2 mean = mean_direction(cosine, sine, alpha);
        finish((s_.x * mean.x() + s_.y * mean.y()) / r, (s_.y * mean.x() - s_.x * mean.y()) / r);
        return true;
    }

    // The error, relative to the rest of the friction impulse, of holding e_ and of turning it with
    // u_t and u_z held.
    struct Tail {
        double held, turned;
    };
    static Tail tail_error(double cosine, double sine, double turning, double growing) {
        if (cosine >= 0.0) {
            return {std::abs(sine) + turning, turning + growing * std::abs(sine)};
        }
        // against u_t, where e_ turns away: alpha is at most one half there, since v_s > 0
        const double away = std::abs(sine) / (1.0 - cosine);
        return {2.0 * (away + turning), 2.0 * (turning + growing * away)};
    }

    // The means of cos psi and sin psi over the rest of the normal impulse.
    static Vec2 mean_direction(double cosine, double sine, double alpha) {
        using Rule = boost::math::quadrature::gauss<double, 20>;
        const double T = sine / (1.0 + cosine);
        // s = v^m makes the integrand smooth at the end
        const double m = alpha < 2.0 ? 2.0 / alpha : 1.0;
        Vec2 mean(0.0, 0.0);
        for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
            for (const double side : {-1.0, 1.0}) {
                const double v = 0.5 * (1.0 + side * Rule::abscissa()[i]);
                const double t = T * std::pow(v, alpha * m);
                const double weight = 0.5 * Rule::weights()[i] * m * std::pow(v, m - 1.0);
                mean += weight / (1.0 + t * t) * Vec2(1.0 - t * t, 2.0 * t);
            }
        }
        return mean;
    }

    // The rest of the impact with friction along (c, sn), at most mu, and the energy used up.
    void finish(double c, double sn) {
        const double mu = s_.parameters.mu;
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

    static constexpr int k_trace_steps = 8;

    CompliantState& s_;
    bool from_zero_;
    double origin_;
    double c_ = 1.0, sn_ = 0.0;  // where the tangential springs pull
    double fraction_ = 0.6;
};

}  // namespace

CompliantEvent compliant_slip(CompliantState& state) {
    return Slip(state).run();
}

}  // namespace carom::impact
