// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/whittaker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/math/bracket.h"
#include "carom/math/trig_roots.h"

namespace carom::impact {
namespace {

// The slip condition as a trigonometric polynomial of the final slip angle.
math::Trig2 slip_condition(const Principal& K, double x, double y, double rise, double mu) {
    const double half_mu = 0.5 * mu;
    return {half_mu * (x * K.b2 - y * K.b1), y * K.k33 + rise * K.b2, -x * K.k33 - rise * K.b1,
            -half_mu * (x * K.b2 + y * K.b1),
            half_mu * (x * K.b1 - y * K.b2 + rise * (K.k1 - K.k2))};
}

// The impulse for a final slip along (c, s); z < 0 if it would pull or the slip would not be along.
PrincipalImpulse slip_along(const Principal& K, double x, double y, double rise, double mu,
                            double c, double s, double slack) {
    constexpr PrincipalImpulse k_none{0.0, 0.0, -1.0, false, 0.0, 0.0};
    const double h = K.k33 - mu * (K.b1 * c + K.b2 * s);
    if (!(h > -slack * K.k33)) return k_none;
    const double pz = rise / h;
    const double along =
        (x + pz * (K.b1 - mu * K.k1 * c)) * c + (y + pz * (K.b2 - mu * K.k2 * s)) * s;
    const double size = std::abs(x) + std::abs(y) + pz * K.k33;
    if (!(along >= -slack * size)) return k_none;
    return {-mu * pz * c, -mu * pz * s, pz, false, along * c, along * s};
}

// The admissible slip solution with the smallest normal impulse; z < 0 if there is none.
PrincipalImpulse smallest_slip(const Principal& K, double x, double y, double rise, double mu) {
    PrincipalImpulse best{0.0, 0.0, -1.0, false, 0.0, 0.0};
    const math::Trig2 condition = slip_condition(K, x, y, rise, mu);
    const math::TrigRoots roots = math::rough_trig_roots(condition);
    for (int i = 0; i < roots.count; ++i) {
        // most roots are far from admissible: polish the others only
        Vec2 c = roots.direction[static_cast<std::size_t>(i)];
        constexpr double k_rough = 1e-5;
        if (slip_along(K, x, y, rise, mu, c.x(), c.y(), k_rough).z == -1.0) continue;
        if (!math::polish_trig_root(condition, c)) continue;
        const PrincipalImpulse p = slip_along(K, x, y, rise, mu, c.x(), c.y(), 0.0);
        if (p.z > 0.0 && (best.z < 0.0 || p.z < best.z)) best = p;
    }
    return best;
}

// Newton from a good guess where the answer is unique: u_z rises for every slip direction, so that
// no jamming is possible. z < 0 when it does not settle on an admissible slip.
PrincipalImpulse unique_slip(const Principal& K, double x, double y, double rise, double mu) {
    const double pz = rise / K.k33;
    const double vx = x + K.b1 * pz;
    const double vy = y + K.b2 * pz;
    const double push = mu * pz;
    const double v2 = vx * vx + vy * vy;
    const double mean = (K.k1 * vx * vx + K.k2 * vy * vy) / v2;
    const double lambda = std::max(0.0, std::sqrt(v2) - push * mean);
    const double cx = vx * (lambda + push * K.k2);
    const double cy = vy * (lambda + push * K.k1);
    const double length = std::sqrt(cx * cx + cy * cy);
    Vec2 c(cx / length, cy / length);
    if (!(length > 0.0) || !math::polish_trig_root(slip_condition(K, x, y, rise, mu), c)) {
        return {0.0, 0.0, -1.0, false, 0.0, 0.0};
    }
    return slip_along(K, x, y, rise, mu, c.x(), c.y(), 0.0);
}

// An impulse with normal part pz and friction against the final slip, and the change of u_z that it
// brings, which q.(change of slip) gives without cancellation.
struct Trial {
    PrincipalImpulse impulse;
    double rise;

    Trial(const Principal& K, double x, double y, double pz, double mu) {
        const TangentialImpulse p = friction_for_normal(K, x, y, pz, mu);
        impulse = {p.x, p.y, pz, p.sticks, p.x_after, p.y_after};
        rise = K.kappa * pz + K.q1 * (p.x_after - x) + K.q2 * (p.y_after - y);
    }
};

// Steps in p_z from a solution that lost digits to a badly conditioned K, with the slope taken once
// over a distance at which its difference has digits to spare.
PrincipalImpulse refined(const Principal& K, double x, double y, double rise, double mu,
                         const PrincipalImpulse& rough) {
    constexpr double k_distance = 1e-6;
    Trial now(K, x, y, rough.z, mu);
    const Trial beside(K, x, y, rough.z * (1.0 + k_distance), mu);
    const double slope = (beside.rise - now.rise) / (k_distance * rough.z);
    for (int i = 0; i < 3; ++i) {
        const double pz = now.impulse.z + (rise - now.rise) / slope;
        if (!(std::abs(pz - rough.z) <= 1e-3 * rough.z)) break;
        now = Trial(K, x, y, pz, mu);
    }
    return now.impulse;
}

// The safe way: u_z is a continuous function of p_z that grows without bound, so that a solution
// exists; for roots that the polynomial loses to rounding at a fold.
PrincipalImpulse by_normal_impulse(const Principal& K, double x, double y, double rise, double mu) {
    double high = rise / K.k33;
    double low = 0.0;
    for (int i = 0; i < 2000 && Trial(K, x, y, high, mu).rise < rise; ++i) {
        low = high;
        high *= 1.25;
    }
    const double pz = math::bracketed_root(
        [&](double z) { return Trial(K, x, y, z, mu).rise - rise; }, low, high, 200);
    return Trial(K, x, y, pz, mu).impulse;
}

}  // namespace

PrincipalImpulse whittaker_principal(const Principal& K, double x, double y, double rise,
                                     double mu) {
    if (mu == 0.0) {
        const double pz = rise / K.k33;
        return {0.0, 0.0, pz, false, x + K.b1 * pz, y + K.b2 * pz};
    }
    // stick: u_z rises as wished and the slip goes to zero
    const double pz = (rise + K.q1 * x + K.q2 * y) / K.kappa;
    const double px = -(x + K.b1 * pz) * K.i1;
    const double py = -(y + K.b2 * pz) * K.i2;
    if (pz > 0.0 && px * px + py * py <= mu * mu * pz * pz) {
        return {px, py, pz, true, 0.0, 0.0};
    }
    const bool can_jam = mu * mu * (K.b1 * K.b1 + K.b2 * K.b2) >= K.k33 * K.k33;
    PrincipalImpulse slip{0.0, 0.0, -1.0, false, 0.0, 0.0};
    if (!can_jam) slip = unique_slip(K, x, y, rise, mu);
    if (!(slip.z > 0.0)) slip = smallest_slip(K, x, y, rise, mu);
    if (!(slip.z > 0.0)) return by_normal_impulse(K, x, y, rise, mu);
    return K.stiff ? refined(K, x, y, rise, mu, slip) : slip;
}

Solution whittaker(const Contact& contact, const WhittakerParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, mu] = parameters;
    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());
    const PrincipalImpulse p =
        whittaker_principal(K, slip.x(), slip.y(), -(1.0 + e) * contact.u.z(), mu);
    Solution solution;
    const Vec2 p_t = K.turn_back(p.x, p.y);
    solution.p = {p_t.x(), p_t.y(), p.z};
    solution.path.add(p.sticks ? Mode::stick : (mu > 0.0 ? Mode::slide : Mode::frictionless));
    return solution;
}

}  // namespace carom::impact
