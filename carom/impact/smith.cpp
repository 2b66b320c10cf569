// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/smith.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/principal.h"
#include "carom/impact/whittaker.h"

namespace carom::impact {
namespace {

// Two tangential components.
struct Pair {
    double x, y;

    friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(Pair a, double k) { return {a.x * k, a.y * k}; }
};

double dot(Pair a, Pair b) {
    return a.x * b.x + a.y * b.y;
}
double det(Pair first, Pair second) {
    return first.x * second.y - first.y * second.x;
}

// A two by two matrix by its columns.
struct Columns {
    Pair first, second;

    Pair operator*(Pair v) const { return first * v.x + second * v.y; }
};

// The axes the equations are written in: those of the contact, or, where K is badly conditioned,
// the principal ones, in which no small number is the difference of large ones.
struct Axes {
    double c = 1.0, s = 0.0;
    Columns M;  // tangential block of K
    Pair b, q;  // its coupling to the normal, M^-1 b
    double kappa, k33;

    explicit Axes(const Unturned& K)
        : M{{K.m11, K.m12}, {K.m12, K.m22}},
          b{K.b1, K.b2},
          q{K.q1, K.q2},
          kappa(K.kappa),
          k33(K.k33) {}
    explicit Axes(const Principal& K)
        : c(K.c),
          s(K.s),
          M{{K.k1, 0.0}, {0.0, K.k2}},
          b{K.b1, K.b2},
          q{K.q1, K.q2},
          kappa(K.kappa),
          k33(K.k33) {}

    static Axes of(const Mat3& K) {
        const Unturned unturned(K);
        return unturned.well ? Axes(unturned) : Axes(make_principal(K));
    }
    Pair turn(double x, double y) const { return {c * x - s * y, s * x + c * y}; }
    Pair turn_back(Pair v) const { return {c * v.x + s * v.y, c * v.y - s * v.x}; }
};

// The equations of the law, for the change d of the slip, which keeps its digits where a grazing
// impact changes it little. u_z rises as wished where p_z is a linear function of d,
//     p_z = (rise - q.d)/kappa,
// without cancellation, and what is left is d = (b - mu M w(a + d)) p_z.
struct System {
    Pair a;  // first slip
    double square;
    double speed;  // its length
    Pair a_speed;
    double rise;  // -(1 + e) u_z
    double mu;
    Pair b, q;
    Columns mu_M;
    double kappa, k33;
    double pz_held;  // p_z for d = 0
    Pair pz_fall;    // how p_z falls with d

    System(const Axes& K, Pair slip, double wished_rise, double friction)
        : a(slip),
          square(dot(slip, slip)),
          speed(std::sqrt(square)),
          a_speed(slip * speed),
          rise(wished_rise),
          mu(friction),
          b(K.b),
          q(K.q),
          mu_M{K.M.first * friction, K.M.second * friction},
          kappa(K.kappa),
          k33(K.k33) {
        const double inverse = 1.0 / kappa;
        pz_held = rise * inverse;
        pz_fall = q * inverse;
    }

    double pz_for_rise(Pair d) const { return pz_held - dot(pz_fall, d); }
};

struct Point {
    Pair d;
    double pz;
};

// How much u_z has risen.
double rise_at(const System& s, const Point& at) {
    return s.kappa * at.pz + dot(s.q, at.d);
}

// The mean slip direction w for a change d.
Pair mean_slip(const System& s, Pair d) {
    const Pair v = s.a + d;
    const double v_squared = dot(v, v);
    return (s.a_speed + v * std::sqrt(v_squared)) * (1.0 / (s.square + v_squared));
}

// A square of a slip whose inverse is still a number; smaller ones have no direction.
constexpr double k_no_slip = 1e-300;

// The equations at a point: w and its derivative, what is missing for the slip, the derivative D of
// that with respect to d at fixed p_z, and Q = dd/dp_z at fixed friction.
struct Linearised {
    Pair w;
    Columns dw;
    Pair g, Q;
    Columns D;

    [[gnu::always_inline]] Linearised(const System& s, const Point& at) {
        const Pair v = s.a + at.d;
        const double v_squared = dot(v, v);
        const double size = std::sqrt(v_squared);
        // 1/|v|, by a quotient that does not wait for the root
        const double inverse = v_squared > k_no_slip ? size * (1.0 / v_squared) : 0.0;
        const double den = 1.0 / (s.square + v_squared);
        w = (s.a_speed + v * size) * den;
        // dw = ((|v| I + v v^T/|v|) - 2 w v^T) / den
        const Pair pull = (v * inverse - w * 2.0) * den;
        const double stretch = size * den;
        dw = {Pair{stretch, 0.0} + pull * v.x, Pair{0.0, stretch} + pull * v.y};
        Q = s.b - s.mu_M * w;
        g = at.d - Q * at.pz;
        D = {Pair{1.0, 0.0} + (s.mu_M * dw.first) * at.pz,
             Pair{0.0, 1.0} + (s.mu_M * dw.second) * at.pz};
    }
};

// The size of the slip before and after.
double size_of(const System& s, Pair d) {
    const Pair v = s.a + d;
    return std::abs(v.x) + std::abs(v.y) + s.speed;
}

// One Newton step for d at a given p_z; returns the size of the step relative to the slip.
double correct_at(const System& s, Point& at) {
    const Linearised l(s, at);
    const double inverse = 1.0 / det(l.D.first, l.D.second);
    const Pair step = Pair{det(l.g, l.D.second), det(l.D.first, l.g)} * inverse;
    at.d = at.d - step;
    return (std::abs(step.x) + std::abs(step.y)) / size_of(s, at.d);
}

constexpr double k_settled = 1e-15;
// Sizes of a step after which two steps with the same derivative end Newton, or one: what is left
// then is about the fourth or the third power of these, and p good to 1e-13. Ten times larger: to
// 1e-10.
constexpr double k_small = 2e-4;
constexpr double k_very_small = 1e-5;

// A point on the law, and the mean slip direction there.
struct Settled {
    bool found;
    Point at;
    Pair w;
};

// How large a step is relative to slip and p_z, as a fraction: num/den.
struct StepSize {
    double num, den;

    StepSize(const System& s, const Point& after, Pair step, double step_z) {
        const double slip = size_of(s, after.d);
        const double moved = std::abs(step.x) + std::abs(step.y);
        num = std::max(moved * after.pz, std::abs(step_z) * slip);
        den = slip * after.pz;
    }
    bool above(double limit) const { return num > limit * den; }
};

// Newton from a guess; not found unless it settles where the way from p_z = 0 could end: D and the
// whole derivative J have positive determinants there. With D s - Q s_z = g and s_z + pz_fall.s =
// g_z it is J s = g + Q g_z, J = D + Q pz_fall^T. A small step is followed by one more with the
// same J, and that is the last.
[[gnu::always_inline]] inline Settled newton(const System& s, Point at, int most) {
    for (int i = 0; i < most; ++i) {
        const Linearised l(s, at);
        const double g_z = at.pz - s.pz_for_rise(at.d);
        const Columns J{l.D.first + l.Q * s.pz_fall.x, l.D.second + l.Q * s.pz_fall.y};
        const double whole = det(J.first, J.second);
        const double inverse = 1.0 / whole;
        const auto solved = [&](Pair g) {
            return Pair{det(g, J.second), det(J.first, g)} * inverse;
        };
        const Pair step = solved(l.g + l.Q * g_z);
        const double step_z = g_z - dot(s.pz_fall, step);
        const Point next{at.d - step, at.pz - step_z};
        if (!(det(l.D.first, l.D.second) > 0.0 && whole > 0.0 && next.pz > 0.0)) break;
        const StepSize size(s, next, step, step_z);
        at = next;
        if (!size.above(k_small)) {
            // w is carried along with the last step
            Pair w{}, last{};
            for (int more = size.above(k_very_small) ? 2 : 1; more > 0; --more) {
                w = mean_slip(s, at.d);
                last = solved(at.d - (s.b - s.mu_M * w) * at.pz);
                at = {at.d - last, at.pz + dot(s.pz_fall, last)};
            }
            return {true, at, w - l.dw * last};
        }
        // a step as long as the slip itself overshoots: half of it
        if (size.above(0.6)) at = {next.d + step * 0.5, next.pz + step_z * 0.5};
    }
    return {false, at, {}};
}

// Corrects d at fixed p_z; false when Newton does not contract quickly.
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
Settled follow(const System& s) {
    Point at{{0.0, 0.0}, 0.0};
    double step = 0.05 * s.rise / (s.k33 + s.mu * (std::abs(s.b.x) + std::abs(s.b.y)));
    const double smallest = 1e-9 * step;
    const auto ended = [&](const Point& end) { return Settled{true, end, mean_slip(s, end.d)}; };
    for (int i = 0; i < 100000; ++i) {
        Point next{at.d, at.pz + step};
        if (!settle_at(s, next)) {
            // at a fold the solution has to jump
            if (step > smallest) {
                step *= 0.5;
                continue;
            }
        }
        if (rise_at(s, next) >= s.rise) {
            if (next.pz - at.pz <= 1e-3 * next.pz) {
                const Settled end = newton(s, next, 50);
                if (end.found && end.at.pz >= at.pz * (1.0 - 1e-9) &&
                    end.at.pz <= next.pz * (1.0 + 1e-9)) {
                    return end;
                }
            }
            if (step < 1e-15 * next.pz) return ended(next);
            step *= 0.5;
            continue;
        }
        at = next;
        step *= 1.3;
    }
    return ended(at);
}

Solution answer(const System& s, const Axes& K, const Settled& end) {
    const Pair p_t = K.turn_back(end.w * (-s.mu * end.at.pz));
    Solution solution;
    solution.p = {p_t.x, p_t.y, end.at.pz};
    solution.path.add(s.mu > 0.0 ? Mode::slide : Mode::frictionless);
    return solution;
}

// Where Newton starts: the motion along the first slip by itself, in which x is the final slip over
// the first: sliding on where x = alpha - beta > 0, else the negative root of
// x (1 + x^2) = alpha (1 + x^2) - beta (1 - x^2), as it is for alpha = 1; beside it the slip
// across. p_z, and the slip where it goes on, once around with the mean slip direction of that.
Point first_guess(const System& s) {
    const double pz = s.rise / s.k33;
    const double by_speed = s.speed * (1.0 / s.square);
    const double push = pz * by_speed;
    const Pair c = s.a * by_speed;
    const Pair across{-c.y, c.x};
    const Pair friction = s.mu_M * c * push;
    const Pair coupling = s.b * push;
    double x = 1.0 + dot(c, coupling - friction);
    double y = 0.0;
    if (x >= 0.0) {
        y = dot(across, coupling - friction);
    } else {
        const double beta = 1.0 - x;
        x = 0.5 * (beta - std::sqrt(beta * (beta + 4.0) - 4.0));
        const double den = 1.0 / (1.0 + x * x);
        const double w = (1.0 - x * x) * den;
        y = dot(across, coupling - friction * w) /
            (1.0 - push * dot(across, s.mu_M * across) * x * den);
    }
    Point at{(c * (x - 1.0) + across * y) * s.speed, pz};
    const Pair w = mean_slip(s, at.d);
    const double h = s.k33 - s.mu * dot(s.b, w);
    if (h > 0.1 * s.k33) {
        at.pz = s.rise / h;
        if (x > 0.0) at.d = (s.b - s.mu_M * w) * at.pz;
    }
    return at;
}

Solution solve(const Contact& contact, const SmithParameters& parameters, bool safe) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, mu] = parameters;
    if (contact.u.x() == 0.0 && contact.u.y() == 0.0) return whittaker(contact, {e, mu});
    const Axes K = Axes::of(contact.K);
    const System system(K, K.turn(contact.u.x(), contact.u.y()), -(1.0 + e) * contact.u.z(), mu);
    if (!safe) {
        const Point guess = first_guess(system);
        Settled end = newton(system, guess, 20);
        // from almost no slip
        if (!end.found)
            end = newton(system, {(system.a + end.at.d) * 0.1 - system.a, system.rise / K.k33}, 20);
        if (end.found) return answer(system, K, end);
    }
    return answer(system, K, follow(system));
}

}  // namespace

Solution smith(const Contact& contact, const SmithParameters& parameters) {
    return solve(contact, parameters, false);
}

Solution smith_by_continuation(const Contact& contact, const SmithParameters& parameters) {
    return solve(contact, parameters, true);
}

}  // namespace carom::impact
