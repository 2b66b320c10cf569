// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/anitescu_potra.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/impact/principal.h"
#include "carom/impact/whittaker.h"
#include "carom/math/bracket.h"
#include "carom/math/trig_roots.h"

namespace carom::impact {
namespace {

// The normal velocity that an expansion by pz from rest along the normal leads to.
double expanded_uz(const Principal& K, double x, double y, double pz, double mu) {
    const TangentialImpulse p = friction_for_normal(K, x, y, pz, mu);
    return K.kappa * pz + K.q1 * (p.x_after - x) + K.q2 * (p.y_after - y);
}

// The first pz >= from at which the bodies no longer approach.
double raised_normal(const Principal& K, double x, double y, double from, double mu) {
    double low = from;
    double high = 1.25 * from;
    for (int i = 0; i < 4000 && expanded_uz(K, x, y, high, mu) < 0.0; ++i) {
        low = high;
        high *= 1.25;
    }
    return math::bracketed_root([&](double pz) { return expanded_uz(K, x, y, pz, mu); }, low, high,
                                200);
}

// Friction against the slip at the end of a stage, in the axes of the contact: p_t = -limit c where
// the slip afterwards is speed c. Where such a slip exists it is a zero of a trigonometric
// polynomial, and unique.
struct StageSlip {
    Vec2 c;
    bool found;

    // From a guess for the slip v + (friction), v that without friction and limit its size.
    StageSlip(const Unturned& K, const math::Trig2& condition, const Vec2& v, double limit) {
        const double square = v.squaredNorm();
        const Vec2 Mv(K.m11 * v.x() + K.m12 * v.y(), K.m12 * v.x() + K.m22 * v.y());
        const double speed = std::max(0.0, std::sqrt(square) - limit * v.dot(Mv) / square);
        // along (speed + limit M)^-1 v
        const Vec2 along((speed + limit * K.m22) * v.x() - limit * K.m12 * v.y(),
                         (speed + limit * K.m11) * v.y() - limit * K.m12 * v.x());
        c = along / std::sqrt(along.squaredNorm());
        found = math::polish_trig_root(condition, c);
    }
};

// What one stage does, in the axes of the contact.
struct Stage {
    Vec2 p_t;
    double pz;
    Vec2 slip;  // after it
    bool sticks;
    bool found = true;
};

Vec2 friction_pull(const Unturned& K, const Vec2& c) {
    return {K.m11 * c.x() + K.m12 * c.y(), K.m12 * c.x() + K.m22 * c.y()};
}

// Compression to u_z = 0. Pre: mu > 0, K well conditioned and no jamming, which makes the answer
// unique.
Stage compression(const Unturned& K, const Vec2& slip, double rise, double mu) {
    // stick: u_z rises as wished and the slip goes to zero
    const double pz_stick = (rise + K.q1 * slip.x() + K.q2 * slip.y()) / K.kappa;
    const Vec2 p_stick = -K.divided(slip.x() + K.b1 * pz_stick, slip.y() + K.b2 * pz_stick);
    if (pz_stick > 0.0 && p_stick.squaredNorm() <= mu * mu * pz_stick * pz_stick) {
        return {p_stick, pz_stick, Vec2::Zero(), true};
    }
    // slip along c: (s.u_t) h + rise s.(b - mu M c) = 0, h = k33 - mu b.c, s across c
    const double x = slip.x();
    const double y = slip.y();
    const double half = 0.5 * mu;
    const math::Trig2 condition{half * (x * K.b2 - y * K.b1), y * K.k33 + rise * K.b2,
                                -x * K.k33 - rise * K.b1,
                                -half * (x * K.b2 + y * K.b1) - mu * rise * K.m12,
                                half * (x * K.b1 - y * K.b2 + rise * (K.m11 - K.m22))};
    const double pz_free = rise / K.k33;
    const Vec2 b(K.b1, K.b2);
    const StageSlip end(K, condition, slip + b * pz_free, mu * pz_free);
    const double pz = rise / (K.k33 - mu * b.dot(end.c));
    const double speed = end.c.dot(slip + pz * (b - mu * friction_pull(K, end.c)));
    return {-mu * pz * end.c, pz, speed * end.c, false, end.found && speed >= 0.0};
}

// Expansion by pz. Pre: as above; then u_z rises whatever the slip.
Stage expansion(const Unturned& K, const Vec2& slip, double pz, double mu) {
    const Vec2 v(slip.x() + K.b1 * pz, slip.y() + K.b2 * pz);
    const double limit = mu * pz;
    const Vec2 p_stick = -K.divided(v.x(), v.y());
    if (p_stick.squaredNorm() <= limit * limit) return {p_stick, pz, Vec2::Zero(), true};
    // slip along c: s.(v - limit M c) = 0
    const math::Trig2 condition{0.0, v.y(), -v.x(), -limit * K.m12, 0.5 * limit * (K.m11 - K.m22)};
    const StageSlip end(K, condition, v, limit);
    const double speed = end.c.dot(v - limit * friction_pull(K, end.c));
    return {-limit * end.c, pz, speed * end.c, false, end.found && speed >= 0.0};
}

struct Answer {
    Vec3 p;
    std::array<Mode, 2> modes;
    bool expands;
    bool found = true;

    Solution solution() const {
        Solution out;
        out.p = p;
        out.path.add(modes[0]);
        if (expands) out.path.add(modes[1]);
        return out;
    }
};

// The short way, where the answer is unique and K well conditioned; not found elsewhere.
Answer without_turning(const Contact& contact, double e, double mu) {
    const Unturned K(contact.K);
    const bool can_jam = mu * mu * (K.b1 * K.b1 + K.b2 * K.b2) >= K.k33 * K.k33;
    Answer answer{Vec3::Zero(), {Mode::slide, Mode::slide}, e > 0.0, false};
    if (!K.well || can_jam || mu == 0.0) return answer;
    const Stage C = compression(K, contact.u.head<2>(), -contact.u.z(), mu);
    answer.found = C.found;
    answer.p = {C.p_t.x(), C.p_t.y(), C.pz};
    if (C.sticks) answer.modes[0] = Mode::stick;
    if (!C.found || e == 0.0) return answer;
    const Stage E = expansion(K, C.slip, e * C.pz, mu);
    answer.found = E.found;
    answer.p += Vec3(E.p_t.x(), E.p_t.y(), E.pz);
    if (E.sticks) answer.modes[1] = Mode::stick;
    return answer;
}

}  // namespace

Solution anitescu_potra(const Contact& contact, const AnitescuPotraParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, mu] = parameters;
    const Answer quick = without_turning(contact, e, mu);
    if (quick.found) return quick.solution();

    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());

    // compression to u_z = 0
    const PrincipalImpulse C = whittaker_principal(K, slip.x(), slip.y(), -contact.u.z(), mu);
    Solution solution;
    const Mode moving = mu > 0.0 ? Mode::slide : Mode::frictionless;
    solution.path.add(C.sticks ? Mode::stick : moving);
    double px = C.x;
    double py = C.y;
    double pz = C.z;

    // expansion from there
    if (e > 0.0) {
        const double x = C.x_after;
        const double y = C.y_after;
        double pz_E = e * C.z;
        TangentialImpulse p_t = friction_for_normal(K, x, y, pz_E, mu);
        const double uz = K.kappa * pz_E + K.q1 * (p_t.x_after - x) + K.q2 * (p_t.y_after - y);
        if (uz < -1e-14 * K.k33 * pz_E) {
            pz_E = raised_normal(K, x, y, pz_E, mu);
            p_t = friction_for_normal(K, x, y, pz_E, mu);
        }
        solution.path.add(p_t.sticks ? Mode::stick : moving);
        px += p_t.x;
        py += p_t.y;
        pz += pz_E;
    }
    const Vec2 p_t = K.turn_back(px, py);
    solution.p = {p_t.x(), p_t.y(), pz};
    return solution;
}

}  // namespace carom::impact
