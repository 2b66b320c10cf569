// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "path.h"

namespace touch_oracle {

namespace {

constexpr Real k_infinity = std::numeric_limits<Real>::infinity();

struct Sample {
    Real t;
    Distance d;
    Path::State a, b;
    Real rate;  // of the distance
};

// positive root of s + v h + q h^2 / 2, or infinity; s > 0
Real first_root(Real s, Real v, Real q) {
    const Real disc = v * v - 2 * q * s;
    if (disc < 0.0L) return k_infinity;
    const Real root = std::sqrt(disc);
    if (v < 0.0L) return 2 * s / (root - v);
    return q < 0.0L ? (v + root) / -q : k_infinity;
}

// a before b; b may be a plane
class Chase {
public:
    Chase(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
          Real until, const Options& options)
        : core_a_(a),
          core_b_(b),
          path_a_(motion_a, core_a_),
          path_b_(motion_b, core_b_),
          until_(until),
          most_(options.most_distances) {
        size_ = path_a_.reach() + core_a_.radius() + path_b_.reach() + core_b_.radius();
        pull_ = path_a_.gravity() - path_b_.gravity();
        acceleration_ = path_a_.most_acceleration() + path_b_.most_acceleration();
        touching_ = Real(options.touching) * size_;
    }

    Real size() const { return size_; }
    Real until() const { return until_; }
    Real acceleration() const { return acceleration_ + pull_.norm(); }
    long distances() const { return distances_; }
    bool certified() const { return certified_; }

    // Bound and point pair are closer than `relative` of what the distance exceeds the level by; 0:
    // as close as can be.
    Sample sample(Real t, Real relative = 1e-10L, Real level = 0.0L) {
        if (++distances_ > most_) {
            throw std::runtime_error("the contact search needs too many distances");
        }
        Sample s{t, {}, path_a_.at(t), path_b_.at(t), 0.0L};
        search_.relative_gap = relative;
        search_.absolute_gap = relative > 0.0L ? 1e-17L : 1e-25L;
        search_.level = level;
        s.d = distance_of(core_a_, s.a.place, core_b_, s.b.place, search_);
        search_.start = s.d.normal;
        const Vec at_a = s.a.velocity + s.a.angular_velocity.cross(s.d.point_a - s.a.centre);
        const Vec at_b = s.b.velocity + s.b.angular_velocity.cross(s.d.point_b - s.b.centre);
        s.rate = s.d.normal.dot(at_a - at_b);
        return s;
    }

    // A time in which the distance cannot change by much more than `change`.
    Real time_for(Real change, const Sample& s) const {
        const Real speed = path_a_.most_speed() + path_b_.most_speed() +
                           (s.a.velocity - s.b.velocity).norm() + std::sqrt(pull_.norm() * change);
        return speed > 0.0L ? change / speed : until_;
    }

    // The first time from `from` at which the distance has come down to the level, to rounding.
    // Calls seen(sample) on the way.
    template <typename Seen>
    std::optional<Sample> first_below(Real level, Real from, const Seen& seen) {
        Real t = from;
        for (;;) {
            Sample s = sample(t, 1e-7L, level);
            const Real gap = s.d.distance - level;
            if (!(gap > touching_)) return s;
            seen(s);
            if (t >= until_) return std::nullopt;
            Real h = std::max(clear_step(s, level), clear_of_spheres(s, level));
            if (!(h > 0.0L)) {  // only where the distance is at the end of its digits
                certified_ = certified_ && gap < 1e-12L * size_;
                if (s.rate < 0.0L && gap < 1e-12L * size_) return reached(s, gap / -s.rate);
                h = time_for(gap / 2, s);
            }
            h = std::max(h, time_for(touching_, s));
            if (s.rate < 0.0L && gap <= 1e-11L * size_) {
                const Real left = gap / -s.rate;
                const bool straight = acceleration() * left * left <= 1e-18L * size_;
                const bool agreed = std::abs(h - left) <= 1e-3L * left || gap <= 1e-14L * size_;
                if (straight && agreed && t + h <= until_) return reached(s, h);
            }
            if (t + h <= t) return reached(s, 0.0L);
            t = std::min(t + h, until_);
        }
    }

private:
    static Sample reached(Sample s, Real h) {
        s.t += h;
        return s;
    }

    // The lower bound of the header at t + h: its value, and slope and curvature of the parabola
    // through it that belongs to the same support points (never below the bound). The direction may
    // turn, n + h turn with |h turn| <= 1: this costs second-order terms only, and keeps up with
    // edges and faces that turn.
    struct Bound {
        Real value, slope, curvature;
    };
    Bound bound(const Sample& s, const Vec& turn, Real h, Real level) const {
        const Vec& n = s.d.normal;
        const Vec centres = s.a.centre - s.b.centre, velocities = s.a.velocity - s.b.velocity;
        const Vec swing_a = turn + n.cross(s.a.angular_velocity);
        const Vec to_a = n + swing_a * h;
        const Vec a = s.a.place(core_a_.support(s.a.place.R.back(-to_a))) - s.a.centre;
        const Real grown = core_a_.radius() + core_b_.radius() + level;
        Real fixed = n.dot(centres) + a.dot(n) - grown;
        Real slope = n.dot(velocities) + turn.dot(centres) + a.dot(swing_a);
        if (!core_b_.is_plane()) {
            const Vec swing_b = turn + n.cross(s.b.angular_velocity);
            const Vec to_b = n + swing_b * h;
            const Vec b = s.b.place(core_b_.support(s.b.place.R.back(to_b))) - s.b.centre;
            fixed -= b.dot(n);
            slope -= b.dot(swing_b);
        }
        // never convex: a bound that is positive at both ends of a step is so in between
        Real curvature = std::min(0.0L, n.dot(pull_) - acceleration_);
        const Real rate = turn.norm();
        if (rate > 0.0L) {
            const Real speed = velocities.norm() + path_a_.most_speed() + path_b_.most_speed();
            curvature -= 0.5L * acceleration_ + pull_.norm() + rate * (2 * speed + rate * grown);
        }
        return {fixed + h * (slope + h * curvature / 2), slope + h * curvature, curvature};
    }

    // How long the bound stays positive, rounded down.
    Real clear_step(const Sample& s, const Vec& turn, Real level) const {
        const Bound now = bound(s, turn, 0.0L, level);
        if (!(now.value > 0.0L)) return 0.0L;
        Real h = std::min(first_root(now.value, now.slope, now.curvature), until_ - s.t);
        if (turn.norm() > 0.0L) h = std::min(h, 1.0L / turn.norm());
        for (int i = 0; i < 12; ++i) {
            const Bound then = bound(s, turn, h, level);
            if (then.value >= 0.0L) return h;
            const Real chord = h * now.value / (now.value - then.value);
            if (then.value >= -1e-6L * now.value) return chord;
            // the parabola of these support points, back to its root
            const Real slope = then.slope - then.curvature * h;
            const Real start = then.value - h * (slope + h * then.curvature / 2);
            const Real next = start > 0.0L ? first_root(start, slope, then.curvature) : chord;
            if (i == 11 || !(next < h)) return chord;
            h = std::max(next, chord);
        }
        return 0.0L;
    }

    // With the direction still, and where that gives much less than the bodies' speeds would let
    // one hope for, with the direction turning as it is seen to turn.
    Real clear_step(const Sample& s, Real level) {
        const Real still = clear_step(s, Vec(), level);
        if (core_b_.is_plane() || !(still > 0.0L)) return still;
        const Real gap = s.d.distance - level;
        const Real hope = first_root(gap, s.rate, -acceleration());
        if (still > 0.3L * std::min(hope, until_ - s.t)) return still;
        const Sample later = sample(s.t + still / 2, 1e-7L, level);
        if (later.d.overlap) return still;
        Vec turn = (later.d.normal - s.d.normal) * (2 / still);
        turn = turn - s.d.normal * turn.dot(s.d.normal);
        return std::max(still, clear_step(s, turn, level));
    }

    // The same for the spheres about the centres, which do not care how the bodies turn.
    Real clear_of_spheres(const Sample& s, Real level) const {
        Vec apart = s.a.centre - s.b.centre;
        Vec m = s.d.normal;
        Real gap = -path_a_.reach() - core_a_.radius() - level;
        if (core_b_.is_plane()) {
            gap += m.dot(apart);
        } else {
            m = apart.unit();
            gap += apart.norm() - path_b_.reach() - core_b_.radius();
        }
        if (!(gap > 0.0L)) return 0.0L;
        return first_root(gap, m.dot(s.a.velocity - s.b.velocity), m.dot(pull_));
    }

    Core core_a_, core_b_;
    Path path_a_, path_b_;
    Real until_, size_, acceleration_, touching_;
    Vec pull_;
    Search search_;
    long most_, distances_ = 0;
    bool certified_ = true;
};

// The bottom of a dip between two samples, the distance falling at the first and rising at the
// second: where its rate changes sign.
Sample bottom(Chase& chase, Sample low, Sample high) {
    int side = 0;
    Real weight_low = low.rate, weight_high = high.rate;
    for (int i = 0; i < 80 && high.t - low.t > 1e-16L * high.t; ++i) {
        Real t = (low.t * weight_high - high.t * weight_low) / (weight_high - weight_low);
        if (i % 4 == 3 || !(t > low.t && t < high.t)) t = (low.t + high.t) / 2;
        const Sample s = chase.sample(t);
        if (s.d.overlap) return s;
        if (s.rate < 0.0L) {
            low = s;
            weight_low = s.rate;
            if (side == -1) weight_high /= 2;
            side = -1;
        } else {
            high = s;
            weight_high = s.rate;
            if (side == 1) weight_low /= 2;
            side = 1;
        }
        if (std::abs(s.rate) * (high.t - low.t) < 1e-18L * chase.size()) break;
    }
    return low.d.distance < high.d.distance ? low : high;
}

// Collects the smallest distance seen, with the bottoms of the dips between samples.
struct Smallest {
    Chase& chase;
    std::optional<Sample> last, best;
    Real dip = k_infinity;

    void take(const Sample& s) {
        if (!best || s.d.distance < best->d.distance) best = s;
    }
    void operator()(const Sample& s) {
        if (last && last->rate < 0.0L && s.rate >= 0.0L) {
            // no deeper than where the tangents at the two ends meet, if it is convex
            const Real h = s.t - last->t;
            const Real x = (s.d.distance - last->d.distance - s.rate * h) / (last->rate - s.rate);
            const Real floor = last->d.distance + last->rate * std::clamp(x, 0.0L, h);
            if (!best || floor < 2 * best->d.distance) {
                const Sample low = bottom(chase, *last, s);
                dip = std::min(dip, low.d.distance);
                take(low);
            }
        }
        take(s);
        last = s;
    }
};

// The smallest distance over the whole time, given some candidate: nothing comes below the best by
// more than 1e-5 of it and 1e-10 of the size, else that is the new one.
Sample smallest(Chase& chase, const Sample& start) {
    Smallest smallest{chase, std::nullopt, start};
    for (int i = 0; i < 1000; ++i) {
        const Real level = smallest.best->d.distance * (1.0L - 1e-5L) - 1e-10L * chase.size();
        if (!(level > 0.0L)) break;
        smallest.last.reset();
        const auto below = chase.first_below(level, 0.0L, [](const Sample&) {});
        if (!below) break;
        smallest.take(chase.sample(below->t));
        // follow it down
        Real h = 0.05L * std::sqrt(2 * std::max(level, 1e-12L * chase.size()) /
                                   std::max(chase.acceleration(), 1e-30L));
        Sample here = chase.sample(below->t);
        for (int k = 0; k < 200 && here.rate < 0.0L && here.t < chase.until(); ++k) {
            const Sample next = chase.sample(std::min(here.t + h, chase.until()));
            smallest(here);
            smallest(next);
            here = next;
            h *= 1.5L;
        }
        if (!(smallest.best->d.distance < level)) break;
    }
    return chase.sample(smallest.best->t, 0.0L);
}

// Point, normal and approach speed of a contact: extrapolated from two moments a little before it,
// while the gap still has digits; from the contact itself where there is no before.
void tell(Chase& chase, const Sample& hit, Touch& touch) {
    const Real gap = 1e-7L * chase.size();
    Real h = std::min(chase.time_for(gap, hit), hit.t / 2);
    const Real exact = 0.0L;
    Sample near = h > 0.0L ? chase.sample(hit.t - h, exact) : hit;
    if (h > 0.0L && near.rate < 0.0L) {
        h = std::min(gap / -near.rate, hit.t / 4);
        near = chase.sample(hit.t - h, exact);
    }
    Vec normal = near.d.normal;
    Vec point = (near.d.point_a + near.d.point_b) * 0.5L;
    Real rate = near.rate;
    if (h > 0.0L && !near.d.overlap) {
        const Sample far = chase.sample(hit.t - 2 * h, exact);
        const Vec far_point = (far.d.point_a + far.d.point_b) * 0.5L;
        const bool same =
            (far_point - point).norm() + (far.d.normal - normal).norm() * chase.size() <
            1e-3L * chase.size();
        if (same) {
            point = point * 2.0L - far_point;
            normal = (normal * 2.0L - far.d.normal).unit();
            rate = 2 * near.rate - far.rate;
        }
    }
    touch.point = Vec3(point);
    touch.normal = Vec3(normal);
    touch.approach_speed = static_cast<double>(-rate);
}

Touch swapped(Touch touch) {
    touch.normal = -touch.normal;
    return touch;
}

}  // namespace

Touch first_touch(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                  double until, const Options& options) {
    if (!(until >= 0.0) || !std::isfinite(until)) {
        throw std::invalid_argument("the end time must be finite and not negative");
    }
    if (a.kind == Kind::plane) {
        if (b.kind == Kind::plane) throw std::invalid_argument("two planes never touch anew");
        return swapped(first_touch(b, motion_b, a, motion_a, until, options));
    }
    Chase chase(a, motion_a, b, motion_b, Real(until), options);
    Smallest seen{chase, std::nullopt, std::nullopt};
    const auto hit = chase.first_below(0.0L, 0.0L, [&](const Sample& s) {
        if (options.find_smallest) seen(s);
    });
    Touch touch;
    touch.size = static_cast<double>(chase.size());
    touch.acceleration = static_cast<double>(chase.acceleration());
    touch.nearest_miss = static_cast<double>(seen.dip);
    if (hit) {
        touch.touches = true;
        touch.t_exact = hit->t;
        touch.t = touch.t_of_smallest = static_cast<double>(hit->t);
        tell(chase, *hit, touch);
    } else {
        touch.distance_at_until = static_cast<double>(chase.sample(Real(until), 0.0L).d.distance);
        if (options.find_smallest) {
            const Sample least = smallest(chase, *seen.best);
            touch.smallest_distance = static_cast<double>(least.d.distance);
            touch.t_of_smallest = static_cast<double>(least.t);
        }
    }
    touch.distances = chase.distances();
    touch.certified = chase.certified();
    return touch;
}

}  // namespace touch_oracle
