// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/smith.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/principal.h"
#include "carom/impact/whittaker.h"

namespace carom::impact {
namespace {

// Everything tangential in principal axes: two numbers, component by component.
struct Pair {
    double x, y;

    friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
    friend Pair operator*(Pair a, double k) { return {a.x * k, a.y * k}; }
};

double sum(Pair a) {
    return a.x + a.y;
}
double det(Pair first, Pair second) {
    return first.x * second.y - first.y * second.x;
}

// The mean slip direction w(v) for a first slip a, and the columns of its derivative.
struct MeanSlip {
    Pair w;
    Pair first, second;
};

[[gnu::always_inline]] inline MeanSlip mean_slip(Pair a, double speed, Pair v) {
    const double v_squared = sum(v * v);
    const double inv_v = v_squared > 0.0 ? 1.0 / std::sqrt(v_squared) : 0.0;
    const double size = v_squared * inv_v;
    const double den = 1.0 / (speed * speed + v_squared);
    const Pair w = (a * speed + v * size) * den;
    // dw = ((|v| I + v v^T/|v|) - 2 w v^T) / den
    const Pair pull = v * inv_v - w * 2.0;
    return {w, (Pair{size, 0.0} + pull * v.x) * den, (Pair{0.0, size} + pull * v.y) * den};
}

// The equations of the law in principal axes.
struct System {
    Pair a;        // first slip
    double speed;  // its length
    double rise;   // -(1 + e) u_z
    double mu;
    Pair b, mu_k, q;
    double kappa, inverse_kappa;

    System(const Principal& K, const Vec2& slip, double wished_rise, double friction)
        : a{slip.x(), slip.y()},
          speed(std::sqrt(slip.squaredNorm())),
          rise(wished_rise),
          mu(friction),
          b{K.b1, K.b2},
          mu_k{friction * K.k1, friction * K.k2},
          q{K.q1, K.q2},
          kappa(K.kappa),
          inverse_kappa(1.0 / K.kappa) {}
};

struct Point {
    Pair v;
    double pz;
};

// How much u_z has risen; q.v carries what p_z does not, without cancellation.
double rise_at(const System& s, const Point& at) {
    return s.kappa * at.pz + sum(s.q * (at.v - s.a));
}

// The equations at a point: what is missing for the slip and for u_z, the columns of the derivative
// D of the first with respect to v, and Q = dv/dp_z at fixed friction.
struct Linearised {
    Pair g;
    double g3;
    Pair first, second;
    Pair Q;

    [[gnu::always_inline]] Linearised(const System& s, const Point& at) {
        const MeanSlip m = mean_slip(s.a, s.speed, at.v);
        Q = s.b - s.mu_k * m.w;
        g = at.v - s.a - Q * at.pz;
        g3 = rise_at(s, at) - s.rise;
        const Pair c = s.mu_k * at.pz;
        first = Pair{1.0, 0.0} + c * m.first;
        second = Pair{0.0, 1.0} + c * m.second;
    }
};

double size_of(const System& s, const Point& at) {
    return std::abs(at.v.x) + std::abs(at.v.y) + s.speed;
}

// One Newton step for v at a given p_z; returns the size of the step relative to the slip.
double correct_at(const System& s, Point& at) {
    const Linearised l(s, at);
    const double inverse = 1.0 / det(l.first, l.second);
    const Pair step = Pair{det(l.g, l.second), det(l.first, l.g)} * inverse;
    at.v = at.v - step;
    return (std::abs(step.x) + std::abs(step.y)) / size_of(s, at);
}

struct FullStep {
    double size;   // of the step, relative to slip and p_z
    bool on_path;  // the point could be reached from p_z = 0 with u_z rising at it
};

// One Newton step for v and p_z together, so that u_z rises as wished: with D s - Q s_z = g and
// kappa s_z + q.s = g_3 it is (kappa D + Q q^T) s = kappa g + Q g_3.
[[gnu::always_inline]] inline FullStep correct(const System& s, Point& at) {
    const Linearised l(s, at);
    const Pair first = l.first * s.kappa + l.Q * s.q.x;
    const Pair second = l.second * s.kappa + l.Q * s.q.y;
    const Pair right = l.g * s.kappa + l.Q * l.g3;
    const double whole = det(first, second);
    const Pair step = Pair{det(right, second), det(first, right)} * (1.0 / whole);
    const double step_z = (l.g3 - sum(s.q * step)) * s.inverse_kappa;
    at.v = at.v - step;
    at.pz -= step_z;
    const double slip = size_of(s, at);
    const double moved = std::abs(step.x) + std::abs(step.y);
    return {std::max(moved * at.pz, std::abs(step_z) * slip) / (slip * at.pz),
            det(l.first, l.second) > 0.0 && whole > 0.0 && at.pz > 0.0};
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
            at = {(before.v + at.v) * 0.5, 0.5 * (before.pz + at.pz)};
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
Point follow(const System& s, double k33) {
    Point at{s.a, 0.0};
    double step = 0.05 * s.rise / (k33 + s.mu * (std::abs(s.b.x) + std::abs(s.b.y)));
    const double smallest = 1e-9 * step;
    for (int i = 0; i < 100000; ++i) {
        Point next{at.v, at.pz + step};
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

Solution answer(const System& s, const Principal& K, const Point& at) {
    const Pair push = mean_slip(s.a, s.speed, at.v).w * (-s.mu * at.pz);
    Solution solution;
    const Vec2 p_t = K.turn_back(push.x, push.y);
    solution.p = {p_t.x(), p_t.y(), at.pz};
    solution.path.add(s.mu > 0.0 ? Mode::slide : Mode::frictionless);
    return solution;
}

// Where Newton starts: sliding on if that is what it does, else friction in proportion to slip;
// then once around with the mean slip direction of that.
Point first_guess(const System& s, double k33) {
    const double pz = s.rise / k33;
    const double push = pz / s.speed;
    Point at{s.a - s.a * s.mu_k * push + s.b * pz, pz};
    if (sum(at.v * s.a) < 0.2 * s.speed * s.speed) {
        const Pair slowed = s.a + s.b * pz;
        at.v = {slowed.x / (1.0 + s.mu_k.x * push), slowed.y / (1.0 + s.mu_k.y * push)};
    }
    const Pair w = mean_slip(s.a, s.speed, at.v).w;
    const double h = k33 - s.mu * sum(s.b * w);
    if (h > 0.1 * k33) {
        at.pz = s.rise / h;
        at.v = s.a + (s.b - s.mu_k * w) * at.pz;
    }
    return at;
}

Solution solve(const Contact& contact, const SmithParameters& parameters, bool safe) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, mu] = parameters;
    if (contact.u.x() == 0.0 && contact.u.y() == 0.0) return whittaker(contact, {e, mu});
    const Principal K = make_principal(contact.K);
    const System system(K, K.turn(contact.u.x(), contact.u.y()), -(1.0 + e) * contact.u.z(), mu);
    if (!safe) {
        Point at = first_guess(system, K.k33);
        if (newton(system, at, 20)) return answer(system, K, at);
        // from almost no slip
        at = {at.v * 0.1, system.rise / K.k33};
        if (newton(system, at, 20)) return answer(system, K, at);
    }
    return answer(system, K, follow(system, K.k33));
}

}  // namespace

Solution smith(const Contact& contact, const SmithParameters& parameters) {
    return solve(contact, parameters, false);
}

Solution smith_by_continuation(const Contact& contact, const SmithParameters& parameters) {
    return solve(contact, parameters, true);
}

}  // namespace carom::impact
