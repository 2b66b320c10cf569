// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/smith.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/principal.h"
#include "carom/impact/whittaker.h"

namespace carom::impact {
namespace {

// The mean slip direction w(v) for a first slip a, and its derivative.
struct MeanSlip {
    double w1, w2;
    double j11, j12, j21, j22;
};

[[gnu::always_inline]] inline MeanSlip mean_slip(double a1, double a2, double a, double v1,
                                                 double v2) {
    const double v_squared = v1 * v1 + v2 * v2;
    const double v = std::sqrt(v_squared);
    const double den = 1.0 / (a * a + v_squared);
    const double w1 = (a1 * a + v1 * v) * den;
    const double w2 = (a2 * a + v2 * v) * den;
    // dw = ((|v| I + v v^T/|v|) - 2 w v^T) / den
    const double inv_v = v > 0.0 ? 1.0 / v : 0.0;
    return {w1,
            w2,
            (v + v1 * v1 * inv_v - 2.0 * w1 * v1) * den,
            (v1 * v2 * inv_v - 2.0 * w1 * v2) * den,
            (v1 * v2 * inv_v - 2.0 * w2 * v1) * den,
            (v + v2 * v2 * inv_v - 2.0 * w2 * v2) * den};
}

// The equations of the law in principal axes.
struct System {
    const Principal& K;
    double a1, a2, a;  // first slip and its speed
    double rise;       // -(1 + e) u_z
    double mu;
};

struct Point {
    double v1, v2;
    double pz;
};

// How much u_z has risen; q.v carries what p_z does not, without cancellation.
double rise_at(const System& s, const Point& at) {
    return s.K.kappa * at.pz + s.K.q1 * (at.v1 - s.a1) + s.K.q2 * (at.v2 - s.a2);
}

// The equations at a point: what is missing for the slip and for u_z, the derivative D of the first
// with respect to v, and Q = dv/dp_z at fixed friction.
struct Linearised {
    double g1, g2, g3;
    double d11, d12, d21, d22, det, inverse;
    double Q1, Q2;

    [[gnu::always_inline]] Linearised(const System& s, const Point& at) {
        const MeanSlip m = mean_slip(s.a1, s.a2, s.a, at.v1, at.v2);
        Q1 = s.K.b1 - s.mu * s.K.k1 * m.w1;
        Q2 = s.K.b2 - s.mu * s.K.k2 * m.w2;
        g1 = at.v1 - s.a1 - at.pz * Q1;
        g2 = at.v2 - s.a2 - at.pz * Q2;
        g3 = rise_at(s, at) - s.rise;
        const double c1 = s.mu * at.pz * s.K.k1;
        const double c2 = s.mu * at.pz * s.K.k2;
        d11 = 1.0 + c1 * m.j11;
        d12 = c1 * m.j12;
        d21 = c2 * m.j21;
        d22 = 1.0 + c2 * m.j22;
        det = d11 * d22 - d12 * d21;
        inverse = 1.0 / det;
    }
    // D^-1 applied to (r1, r2).
    double solve1(double r1, double r2) const { return (r1 * d22 - r2 * d12) * inverse; }
    double solve2(double r1, double r2) const { return (r2 * d11 - r1 * d21) * inverse; }
};

double size_of(const System& s, const Point& at) {
    return std::abs(at.v1) + std::abs(at.v2) + s.a;
}

// One Newton step for v at a given p_z; returns the size of the step relative to the slip.
double correct_at(const System& s, Point& at) {
    const Linearised l(s, at);
    const double s1 = l.solve1(l.g1, l.g2);
    const double s2 = l.solve2(l.g1, l.g2);
    at.v1 -= s1;
    at.v2 -= s2;
    return (std::abs(s1) + std::abs(s2)) / size_of(s, at);
}

struct FullStep {
    double size;   // of the step, relative to slip and p_z
    bool on_path;  // the point could be reached from p_z = 0 with u_z rising at it
};

// One Newton step for v and p_z together, so that u_z rises as wished.
[[gnu::always_inline]] inline FullStep correct(const System& s, Point& at) {
    const Linearised l(s, at);
    const double z1 = l.solve1(l.Q1, l.Q2);
    const double z2 = l.solve2(l.Q1, l.Q2);
    const double slope = s.K.kappa + s.K.q1 * z1 + s.K.q2 * z2;
    const double y1 = l.solve1(l.g1, l.g2);
    const double y2 = l.solve2(l.g1, l.g2);
    const double step_z = (l.g3 - s.K.q1 * y1 - s.K.q2 * y2) / slope;
    const double s1 = y1 + step_z * z1;
    const double s2 = y2 + step_z * z2;
    at.v1 -= s1;
    at.v2 -= s2;
    at.pz -= step_z;
    const double size =
        std::max((std::abs(s1) + std::abs(s2)) * at.pz, std::abs(step_z) * size_of(s, at)) /
        (size_of(s, at) * at.pz);
    return {size, l.det > 0.0 && slope > 0.0 && at.pz > 0.0};
}

constexpr double k_settled = 1e-15;

// Newton from a guess; false unless it settles where the way from p_z = 0 could end.
bool newton(const System& s, Point& at, int most) {
    for (int i = 0; i < most; ++i) {
        const Point before = at;
        const FullStep step = correct(s, at);
        if (!step.on_path) return false;
        // a step as long as the slip itself overshoots: half of it
        if (step.size > 0.6) {
            at = {0.5 * (before.v1 + at.v1), 0.5 * (before.v2 + at.v2), 0.5 * (before.pz + at.pz)};
        }
        // quadratic convergence: one more step would be below rounding
        if (step.size <= 1e-9) return true;
    }
    return false;
}

// Corrects v at fixed p_z; false when Newton does not contract quickly.
bool settle_at(const System& s, Point& at) {
    double last = 0.25;
    for (int i = 0; i < 12; ++i) {
        const double size = correct_at(s, at);
        if (!(size < last)) return size < 1e-13;
        if (size <= k_settled) return true;
        last = size;
    }
    return last < 1e-13;
}

// Follows the solution from p_z = 0 until u_z has risen enough.
Point follow(const System& s) {
    Point at{s.a1, s.a2, 0.0};
    double step = 0.05 * s.rise / (s.K.k33 + s.mu * (std::abs(s.K.b1) + std::abs(s.K.b2)));
    const double smallest = 1e-9 * step;
    for (int i = 0; i < 100000; ++i) {
        Point next{at.v1, at.v2, at.pz + step};
        if (!settle_at(s, next)) {
            // at a fold the solution has to jump
            if (step > smallest) {
                step *= 0.5;
                continue;
            }
        }
        if (rise_at(s, next) >= s.rise) {
            if (next.pz - at.pz <= 1e-3 * next.pz) {
                Point end = next;
                if (newton(s, end, 50) && end.pz >= at.pz * (1.0 - 1e-9) &&
                    end.pz <= next.pz * (1.0 + 1e-9)) {
                    return end;
                }
            }
            if (step < 1e-15 * next.pz) return next;
            step *= 0.5;
            continue;
        }
        at = next;
        step *= 1.3;
    }
    return at;
}

Solution answer(const System& s, const Point& at) {
    const MeanSlip m = mean_slip(s.a1, s.a2, s.a, at.v1, at.v2);
    Solution solution;
    const Vec2 p_t = s.K.turn_back(-s.mu * at.pz * m.w1, -s.mu * at.pz * m.w2);
    solution.p = {p_t.x(), p_t.y(), at.pz};
    solution.path.add(s.mu > 0.0 ? Mode::slide : Mode::frictionless);
    return solution;
}

Solution solve(const Contact& contact, const SmithParameters& parameters, bool safe) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, mu] = parameters;
    if (contact.u.x() == 0.0 && contact.u.y() == 0.0) return whittaker(contact, {e, mu});
    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());
    const System system{
        K, slip.x(), slip.y(), std::sqrt(slip.squaredNorm()), -(1.0 + e) * contact.u.z(), mu};
    if (!safe) {
        // start from sliding on if that is what it does, else from friction in proportion to slip,
        // at last from almost no slip
        const double pz = system.rise / K.k33;
        const double push = mu * pz / system.a;
        Point at{slip.x() * (1.0 - K.k1 * push) + K.b1 * pz,
                 slip.y() * (1.0 - K.k2 * push) + K.b2 * pz, pz};
        if (at.v1 * slip.x() + at.v2 * slip.y() < 0.2 * system.a * system.a) {
            at.v1 = (slip.x() + K.b1 * pz) / (1.0 + K.k1 * push);
            at.v2 = (slip.y() + K.b2 * pz) / (1.0 + K.k2 * push);
        }
        if (newton(system, at, 20)) return answer(system, at);
        at = {0.1 * at.v1, 0.1 * at.v2, pz};
        if (newton(system, at, 20)) return answer(system, at);
    }
    return answer(system, follow(system));
}

}  // namespace

Solution smith(const Contact& contact, const SmithParameters& parameters) {
    return solve(contact, parameters, false);
}

Solution smith_by_continuation(const Contact& contact, const SmithParameters& parameters) {
    return solve(contact, parameters, true);
}

}  // namespace carom::impact
