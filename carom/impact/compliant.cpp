// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/compliant.h"

#include <cmath>
#include <limits>

#include "carom/impact/compliant_state.h"
#include "carom/impact/routh.h"
#include "carom/impact/scaling.h"
#include "carom/impact/tolerances.h"

namespace carom::impact {
namespace {

// Turns compression to restitution or back; true when the impact ends there.
bool turn_phase(CompliantState& state) {
    if (state.trace != nullptr) {
        state.trace->mark(state.compressing ? TransitionKind::maximum_compression
                                            : TransitionKind::recompression);
    }
    if (state.compressing) {
        ++state.history.compressions;
        if (state.parameters.e < k_tolerances.compliant_plastic) return true;
    }
    state.compressing = !state.compressing;
    return false;
}

// Whether the impact starts in slip: |u_t| >= mu eta2 |u_z|. Within rounding of equality the
// particle neither slips nor sticks at first; then what its velocity does next decides, v_s'' = F'
// (e.(b - mu M e) + mu eta2 h).
bool starts_in_slip(const CompliantState& s) {
    constexpr double k_equal = 1e-8;
    const double mu = s.parameters.mu;
    const double r = std::sqrt(s.x * s.x + s.y * s.y);
    const double limit = mu * s.parameters.eta2 * -s.uz;
    if (std::abs(r - limit) > k_equal * limit || r == 0.0) return r >= limit;
    const double c = s.x / r;
    const double sn = s.y / r;
    const double dx = s.K.b1 - mu * s.K.k1 * c;
    const double dy = s.K.b2 - mu * s.K.k2 * sn;
    const double h = s.K.kappa + s.K.q1 * dx + s.K.q2 * dy;
    return c * dx + sn * dy + mu * s.parameters.eta2 * h >= 0.0;
}

// Runs from stretch to stretch until the normal force is gone; false if there is no end in sight.
bool run(CompliantState& state, Path& path) {
    bool slips = starts_in_slip(state);
    bool on_cone = true;  // at the start d = F = 0: on the tip of the cone
    while (state.spend(CompliantState::k_stretch)) {
        const Mode mode = slips ? Mode::slide : Mode::stick;
        path.add(mode);
        const CompliantEvent event =
            slips ? compliant_slip(state) : compliant_stick(state, on_cone);
        state.sample(mode, 0.0);
        if (event == CompliantEvent::lost) return false;
        if (event == CompliantEvent::end) return true;
        if (event == CompliantEvent::uz_zero) {
            on_cone = false;
            if (turn_phase(state)) return true;
        } else {
            // springs that were never stretched reach the cone only at its tip: the end
            if (state.dx == 0.0 && state.dy == 0.0) return true;
            on_cone = slips;
            slips = !slips;
            if (state.trace != nullptr) {
                state.trace->mark(slips ? TransitionKind::stick_to_slip
                                        : TransitionKind::slip_to_stick);
            }
        }
    }
    return false;
}

Solution integrate(const Contact& contact, const CompliantParameters& parameters, Trace* trace) {
    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());
    PhaseModes modes;
    CompliantState state(K, parameters, slip, contact.u.z(), modes);
    state.trace = trace;
    Solution solution;
    state.sample(Mode::slide, 0.0);
    const bool ended = run(state, solution.path);
    if (trace != nullptr) trace->mark(TransitionKind::end);
    const Vec2 p = K.turn_back(state.px, state.py);
    solution.p = {p.x(), p.y(), state.pz};
    if (!ended) solution.p.setConstant(std::numeric_limits<double>::quiet_NaN());
    solution.history = state.history;
    solution.history.known = true;
    return solution;
}

}  // namespace

void CompliantState::sample(Mode mode, double work) const {
    if (trace == nullptr) return;
    TraceSample s;
    const Vec2 p_t = K.turn_back(px, py);
    const Vec2 u_t = K.turn_back(x, y);
    s.p = {p_t.x(), p_t.y(), pz};
    s.u = {u_t.x(), u_t.y(), uz};
    s.normal_work = history.compression_work + history.restitution_work + work;
    s.normal_energy = normal_energy();
    s.tangential_energy = 0.5 * kt * (dx * dx + dy * dy);
    s.mode = mode;
    trace->samples.push_back(s);
}

Solution compliant(const Contact& contact, const CompliantParameters& parameters, Trace* trace) {
    if (contact.u.z() >= 0.0) return Solution::none();
    // without friction the springs along the tangents are never loaded
    if (parameters.mu == 0.0) {
        return routh(contact, {parameters.e, 0.0, Termination::stronge}, trace);
    }
    // the series inside have high powers of the velocity: bring it to size one
    const PowerScale scale(contact);
    const Contact scaled = scale.scaled(contact);
    if (trace != nullptr) {
        integrate(scaled, parameters, trace);
        scale.bring_back(*trace);
    }
    Solution solution = integrate(scaled, parameters, nullptr);
    scale.bring_back(solution);
    return solution;
}

}  // namespace carom::impact
