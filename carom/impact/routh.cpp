// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/routh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/impact/ray_series.h"
#include "carom/impact/routh_progress.h"
#include "carom/impact/routh_walk.h"
#include "carom/impact/slide_series.h"
#include "carom/impact/tolerances.h"
#include "carom/math/bracket.h"

namespace carom::impact {
namespace {

// The at most two slip directions at which h = du_z/dp_z = k33 - mu b.c changes sign.
struct JamDirections {
    bool possible = false;
    std::array<Vec2, 2> direction;

    JamDirections(const Principal& K, double mu) {
        const double b = std::sqrt(K.b1 * K.b1 + K.b2 * K.b2);
        possible = mu * b > K.k33;
        if (!possible) return;
        const double c = K.b1 / b;
        const double s = K.b2 / b;
        const double dc = K.k33 / (mu * b);
        const double ds = std::sqrt((1.0 - dc) * (1.0 + dc));
        direction = {Vec2(c * dc - s * ds, s * dc + c * ds),
                     Vec2(c * dc + s * ds, s * dc - c * ds)};
    }
};

double cross(const Vec2& a, const SlideSeries::Slip& b) {
    return a.x() * b.y - a.y() * b.x;
}

// The tolerance of a step that starts with slip speed r: what is lost counts against the whole
// slip. No looser than this, since the slip can grow again along a diverging ray.
double step_tolerance(double r, double first_speed) {
    constexpr double k_loosest = 1e-9;
    return std::min(k_loosest, k_tolerances.series * std::max(1.0, first_speed / r));
}

// One Taylor step of sliding; true when the impact ended within it.
bool slide_by_series(RouthProgress& now, const JamDirections& jam, double tolerance) {
    const SlideSeries series(now.K, now.parameters.mu, now.x, now.y, now.uz, tolerance);
    RouthWalk walk(now, series);
    const double end = series.step();
    bool ended = false;
    if (jam.possible) {
        // the zeros of h passed on the way: u_z is monotone between them
        std::array<double, 2> cut{};
        std::size_t cuts = 0;
        const SlideSeries::Slip first = series.slip(0.0);
        const SlideSeries::Slip last = series.slip(end);
        for (const Vec2& d : jam.direction) {
            const double a = cross(d, first);
            const double b = cross(d, last);
            if (!(a * b < 0.0)) continue;
            if (d.x() * (first.x + last.x) + d.y() * (first.y + last.y) < 0.0) continue;
            cut[cuts++] = math::bracketed_root([&](double t) { return cross(d, series.slip(t)); },
                                               0.0, end, a, b, 100);
        }
        if (cuts == 2 && cut[0] > cut[1]) std::swap(cut[0], cut[1]);
        for (std::size_t i = 0; i < cuts && !ended; ++i)
            ended = walk.walk_to(cut[i]);
    }
    if (!ended) ended = walk.walk_to(end);
    walk.settle();
    return ended;
}

// Whether the next event comes only after a fair part of the way: quantities along a RaySeries are
// differences from its end.
bool uses_enough(const RouthProgress& now, const RaySeries& ray) {
    constexpr double k_part = 0.05;
    if (now.uz < 0.0) return -now.uz >= k_part * std::abs(ray.whole_uz_change());
    if (now.ends_by_work()) return now.work_left() >= k_part * std::abs(ray.whole_work());
    if (now.ends_by_velocity()) {
        return now.uz_goal() - now.uz >= k_part * std::abs(ray.whole_uz_change());
    }
    return now.impulse_left() >= k_part * ray.whole_normal_impulse();
}

// Slides until the impact ends (true) or the slip vanishes (false). An impact that does not end has
// no finite impulse.
bool slide(RouthProgress& now) {
    const double mu = now.parameters.mu;
    const JamDirections jam(now.K, mu);
    const double first_speed = std::sqrt(now.x * now.x + now.y * now.y);
    now.path.add(Mode::slide);
    // some ten steps are usual, a few hundred the most that physical numbers were seen to take
    constexpr int k_most_steps = 20'000;
    for (int steps = 0;; ++steps) {
        if (steps == k_most_steps) {
            now.pz = std::numeric_limits<double>::quiet_NaN();
            return true;
        }
        const double r = std::sqrt(now.x * now.x + now.y * now.y);
        if (r <= k_tolerances.slip_end * first_speed) break;
        const double c = now.x / r;
        const double s = now.y / r;
        const RayField field = ray_field(now.K, mu, c, s);
        if (std::abs(field.f) <= k_tolerances.on_ray * (std::abs(field.f_th) + std::abs(field.g))) {
            const double g = growth_on_ray(now.K, mu, c, s);
            const StraightStretch ray{-mu * c,
                                      -mu * s,
                                      g * c,
                                      g * s,
                                      normal_rate_on_ray(now.K, c, s, g),
                                      g < 0.0 ? -r / g : k_never,
                                      Mode::slide};
            if (follow_straight(now, ray)) return true;
            break;
        }
        const auto ray = RaySeries::find(now.K, mu, now.x, now.y, now.uz, now.pz, field);
        if (ray && uses_enough(now, *ray)) {
            RouthWalk walk(now, *ray);
            const bool ended = walk.walk_to(1.0);
            walk.settle();
            if (ended) return true;
            if (!walk.stopped()) break;
            continue;
        }
        if (slide_by_series(now, jam, step_tolerance(r, first_speed))) return true;
    }
    now.x = now.y = 0.0;
    return false;
}

// The rest of the impact from zero slip: stick, or slip along the diverging ray.
void finish_from_rest(RouthProgress& now, bool slid) {
    const double mu = now.parameters.mu;
    const Principal& K = now.K;
    StraightStretch stretch{};
    stretch.length = k_never;
    if (K.stick_is_stable(mu)) {
        const Vec2 q = K.stick_direction();
        stretch = {q.x(), q.y(), 0.0, 0.0, K.kappa, k_never, Mode::stick};
        if (slid) now.mark(TransitionKind::slip_to_stick);
    } else {
        const UnitSlip ray = diverging_ray(K, mu);
        stretch = {-mu * ray.c1,
                   -mu * ray.c2,
                   ray.lambda * ray.c1,
                   ray.lambda * ray.c2,
                   normal_rate_on_ray(K, ray.c1, ray.c2, ray.lambda),
                   k_never,
                   mu > 0.0 ? Mode::ray : Mode::frictionless};
        if (slid) now.mark(TransitionKind::slip_to_slip);
    }
    now.path.add(stretch.mode);
    follow_straight(now, stretch);
}

// Without friction the slip plays no part.
void finish_frictionless(RouthProgress& now) {
    now.path.add(Mode::frictionless);
    follow_straight(now, {0.0, 0.0, now.K.b1, now.K.b2, now.K.k33, k_never, Mode::frictionless});
}

Solution integrate(const Contact& contact, const RouthParameters& parameters, Trace* trace) {
    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());
    RouthProgress now(K, parameters, slip, contact.u.z());
    now.trace = trace;
    const bool slips = (slip.x() != 0.0 || slip.y() != 0.0) && parameters.mu > 0.0;
    if (contact.u.z() == 0.0) {
        // grazing: an impact only if the slip drives the bodies together
        if (!slips) return Solution::none();
        const double h = K.k33 - parameters.mu * (K.b1 * slip.x() + K.b2 * slip.y()) / slip.norm();
        if (h >= 0.0) return Solution::none();
    }
    now.sample(slips ? Mode::slide : Mode::stick, 0.0, 0.0, 0.0, 0.0);
    if (parameters.mu == 0.0) {
        finish_frictionless(now);
    } else if (!slips || !slide(now)) {
        finish_from_rest(now, slips);
    }
    now.mark(TransitionKind::end);

    Solution solution;
    const Vec2 p = K.turn_back(now.px, now.py);
    solution.p = {p.x(), p.y(), now.pz};
    solution.path = now.path;
    solution.history = now.history;
    solution.history.known = true;
    return solution;
}

}  // namespace

const char* termination_name(Termination termination) {
    switch (termination) {
        case Termination::stronge:
            return "stronge";
        case Termination::poisson:
            return "poisson";
        case Termination::poisson_first:
            return "poisson-first";
        case Termination::newton:
            return "newton";
    }
    return "unknown";
}

Solution routh(const Contact& contact, const RouthParameters& parameters, Trace* trace) {
    if (contact.u.z() > 0.0) return Solution::none();
    if (trace != nullptr) integrate(contact, parameters, trace);
    return integrate(contact, parameters, nullptr);
}

}  // namespace carom::impact
