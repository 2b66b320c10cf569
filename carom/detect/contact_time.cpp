// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/contact_time.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "carom/detect/ball_contact.h"
#include "carom/detect/safe_step.h"
#include "carom/detect/tolerances.h"
#include "carom/detect/witness.h"

namespace carom::detect {
namespace {

// The pair at one time.
PairState state_at(const MovingPart& a, const MovingPart& b, double t, PairMemory& memory) {
    PairState now{&a, &b, motion::at(a.motion(), t), motion::at(b.motion(), t), {}};
    now.apart =
        separation(a.convex(), a.pose(now.state_a), b.convex(), b.pose(now.state_b), memory);
    now.state_a.angular_velocity = shape_spin(a, now.state_a).w;
    now.state_b.angular_velocity = shape_spin(b, now.state_b).w;
    return now;
}

// What a difference of coordinates can be wrong by.
double rounding_of(const PairState& now) {
    const double far = now.apart.point_a.cwiseAbs().maxCoeff() +
                       now.state_a.position.cwiseAbs().maxCoeff() +
                       now.state_b.position.cwiseAbs().maxCoeff();
    return k_tolerances.rounding * (far + now.a->outer_radius() + now.b->outer_radius());
}

double size_of(const PairState& now) {
    const double a = now.a->outer_radius();
    const double b = now.b->outer_radius();
    if (now.a->unbounded()) return b;
    return now.b->unbounded() ? a : std::min(a, b);
}

// The time to contact from a small gap, or a negative number when the approach speed does not give
// it to rounding.
double landing(const PairState& now, double t, double horizon, double rounding) {
    constexpr double k_rounding = 2e-16;
    const double gap = std::max(now.apart.distance, now.apart.lower);
    if (gap > k_tolerances.landing * size_of(now)) return -1.0;
    const Approach in = approach(now, t, horizon);
    if (!(in.speed > 0.0)) return -1.0;
    const double d = gap / in.speed;
    // the unknown curvature may shift the contact by this much
    const double shift = 0.5 * std::abs(in.curvature) * d * d / in.speed;
    if (in.curvature * d > 0.5 * in.speed) return -1.0;
    const double enough = std::max(k_rounding * (std::abs(t) + d), 0.5 * rounding / in.speed);
    if (!(shift <= enough) || d > horizon) return -1.0;
    return gap_after(now, t, d) >= -0.5 * rounding ? d : -1.0;
}

class Search {
public:
    Search(const MovingPart& a, const MovingPart& b, double until, PairMemory& memory,
           const ContactSearch& search)
        : a_(a), b_(b), until_(until), memory_(memory), search_(search) {}

    ContactTime run(double t0) {
        t_ = t0;
        PairState now = state_at(a_, b_, t_, memory_);
        PairState before = now;
        start_ = std::max(0.0, std::min(now.apart.lower, now.apart.distance));
        if (now.apart.distance < -8.0 * rounding_of(now)) {
            return {ContactKind::overlap, t_, now.apart, 0};
        }
        bool leaving = search_.leave_first;
        for (long steps = 0;; ++steps) {
            const double rounding = rounding_of(now);
            const bool touching = now.apart.distance <= rounding;
            if (touching && !(leaving && parts(now))) return land_at(t_, before, steps);
            if (!touching) leaving = false;
            if (t_ >= until_) return {ContactKind::none, until_, now.apart, steps};
            if (steps >= search_.most_steps) return {ContactKind::unsettled, t_, now.apart, steps};
            const double left = until_ - t_;
            if (!touching) {
                const double land = landing(now, t_, left, rounding);
                if (land >= 0.0 && land <= left) return land_at(t_ + land, now, steps);
            }
            const double step = safe_step(now, t_, left);
            const double next = std::min(until_, t_ + step);
            if (!(next > t_)) return land_at(t_, now, steps);
            t_ = next;
            before = now;
            now = state_at(a_, b_, t_, memory_);
        }
    }

    double start() const { return start_; }

private:
    // Whether a touching pair moves apart, or at first does not move.
    bool parts(const PairState& now) const { return approach(now, t_, until_ - t_).speed <= 0.0; }

    // The contact itself. At zero distance the normal of just before is the better one unless both
    // agree, and the points follow from it.
    ContactTime land_at(double t, const PairState& before, long steps) {
        PairState now = state_at(a_, b_, t, memory_);
        constexpr double k_same = 1e-6;
        Separation& s = now.apart;
        if (s.overlap || (s.normal - before.apart.normal).norm() > k_same) {
            s.normal = before.apart.normal;
            s.a = before.apart.a;
            s.b = before.apart.b;
        }
        if (a_.unbounded() || b_.unbounded()) {
            const MovingPart& body = a_.unbounded() ? b_ : a_;
            const shape::Pose pose = body.pose(a_.unbounded() ? now.state_b : now.state_a);
            const Vec3 towards = a_.unbounded() ? s.normal : Vec3(-s.normal);
            s.point_a = s.point_b =
                middle_of_support(body.convex(), pose, towards) + body.radius() * towards;
        } else {
            const Witness w = witness(a_.convex(), a_.pose(now.state_a), b_.convex(),
                                      b_.pose(now.state_b), s.normal, a_.radius() + b_.radius());
            s.point_a = w.a - a_.radius() * s.normal;
            s.point_b = w.b + b_.radius() * s.normal;
        }
        s.distance = std::clamp(s.distance, 0.0, rounding_of(now));
        s.lower = std::min(s.lower, s.distance);
        s.overlap = false;
        return {ContactKind::touch, t, s, steps};
    }

    const MovingPart& a_;
    const MovingPart& b_;
    double until_;
    PairMemory& memory_;
    const ContactSearch& search_;
    double t_ = 0.0;
    double start_ = 0.0;
};

}  // namespace

ContactTime contact_time(const MovingPart& a, const MovingPart& b, double t0, double until,
                         PairMemory& memory, const ContactSearch& search) {
    for (const MovingPart* part : {&a, &b}) {
        if (part->unbounded() && motion::bounds(part->motion(), t0, 0.0).spin_max > 0.0) {
            throw std::invalid_argument("a plane must not turn; give a large box instead");
        }
    }
    if (const auto t = ball_contact(a, b, t0, until, search.leave_first)) {
        const double at = std::min(*t, until);
        const PairState now = state_at(a, b, at, memory);
        if (*t <= until) return {ContactKind::touch, at, now.apart, 0};
        return {ContactKind::none, until, now.apart, 0};
    }
    Search parts(a, b, until, memory, search);
    ContactTime found = parts.run(t0);
    found.start = parts.start();
    return found;
}

}  // namespace carom::detect
