// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/forced_pieces.h"

#include <algorithm>
#include <cmath>

#include "carom/motion/accelerated.h"

namespace carom::serve {
namespace {

// Of the body's radius. Ten times larger: half as many pieces.
constexpr double k_tolerance = 1e-8;
// A first guess (s), and a floor for pieces that rounding keeps from being good.
constexpr double k_longest = 0.25;
constexpr double k_shortest = 1e-6;

// The rotation vector of q, at most half a turn.
Vec3 rotation_vector(const motion::Quat& q) {
    const double sine = q.vec().norm();
    if (sine == 0.0) return Vec3::Zero();
    const double angle = 2.0 * std::atan2(sine, std::abs(q.w()));
    return (q.w() < 0.0 ? -angle : angle) / sine * q.vec();
}

// Accelerations that lead from the one state to the pose of the other in h seconds. The rotation
// vector of Accelerated is w h + alpha h^2 / 2 + (alpha x w) h^3 / 12: the last term is small.
motion::Accelerated between(const motion::State& from, const motion::State& to, double t0,
                            double t1) {
    const double h = t1 - t0;
    const Vec3 a = 2.0 / (h * h) * (to.position - from.position - h * from.velocity);
    const Vec3 turned = rotation_vector(to.orientation * from.orientation.conjugate());
    const Vec3& w = from.angular_velocity;
    const Vec3 first = 2.0 / (h * h) * (turned - h * w);
    Vec3 alpha = first;
    for (int i = 0; i < 3; ++i)
        alpha = first - h / 6.0 * alpha.cross(w);
    return {from, a, alpha, t0, t1};
}

// How far any point of a body can be from where it should be.
double error_at(const motion::Accelerated& piece, const motion::Motion& truth, double t,
                double radius) {
    const motion::State is = piece.at(t), should = motion::at(truth, t);
    const double angle = rotation_vector(is.orientation * should.orientation.conjugate()).norm();
    return (is.position - should.position).norm() + radius * angle;
}

}  // namespace

ForcedPieces::ForcedPieces(std::span<const world::Body> bodies, const Vec3& gravity, Give give)
    : bodies_(bodies), gravity_(gravity), give_(std::move(give)), open_(bodies.size()) {}

void ForcedPieces::add(const world::Segment& segment) {
    std::optional<Open>& open = open_[segment.body];
    if (open) tell(*open, segment.t0);
    if (segment.kind == world::SegmentKind::forced) {
        resume(segment, segment.t0);
    } else {
        open.reset();
        give_(segment);
    }
}

void ForcedPieces::resume(const world::Segment& segment, double t) {
    if (std::find(forced_.begin(), forced_.end(), segment.body) == forced_.end())
        forced_.push_back(segment.body);
    open_[segment.body] = Open{segment, {}, t};
}

void ForcedPieces::advance(double t) {
    for (const world::BodyId id : forced_) {
        if (open_[id]) tell(*open_[id], t);
    }
}

void ForcedPieces::tell(Open& open, double t) {
    const world::Body& body = bodies_[open.segment.body];
    if (!(t > open.told)) return;
    if (!open.motion) open.motion = world::make_motion_piece(body, open.segment, gravity_);
    // beyond its end the next segment comes at once
    const double end = std::min(t, open.motion->until);
    while (open.told < end) {
        // a piece that would leave next to nothing takes it along
        double next = std::min(end, open.told + k_longest);
        if (end - next < k_shortest) next = end;
        cut(body, open.motion->motion, open.told, next);
        open.told = next;
    }
}

void ForcedPieces::cut(const world::Body& body, const motion::Motion& motion, double t0,
                       double t1) {
    const motion::State from = motion::at(motion, t0);
    const motion::Accelerated piece = between(from, motion::at(motion, t1), t0, t1);
    const double h = t1 - t0;
    const double tolerance = k_tolerance * body.radius;
    const double spin = std::max(piece.spin_max(), from.angular_velocity.norm());
    bool good = spin * h < 1.0;
    for (const double part : {0.25, 0.5, 0.75, 1.0}) {
        const double t = part == 1.0 ? t1 : t0 + part * h;
        good = good && error_at(piece, motion, t, body.radius) <= tolerance;
    }
    const double middle = t0 + 0.5 * h;
    if (!good && h > k_shortest && t0 < middle && middle < t1) {
        cut(body, motion, t0, middle);
        cut(body, motion, middle, t1);
        return;
    }
    world::Segment segment;
    segment.t0 = t0;
    segment.body = static_cast<world::BodyId>(&body - bodies_.data());
    segment.kind = world::SegmentKind::held;
    segment.state = from;
    segment.lasting.t1 = t1;
    segment.lasting.a = piece.acceleration();
    segment.lasting.alpha = piece.angular_acceleration();
    give_(segment);
}

}  // namespace carom::serve
