// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/near_pairs.h"

#include <algorithm>
#include <cmath>

#include "carom/detect/swept_box.h"
#include "carom/motion/bounds.h"

namespace carom::world {
namespace {

// By how much of its radius a box is larger than it needs to be.
constexpr double k_margin = 0.05;
// The same for a body that takes short steps.
constexpr double k_step_margin = 0.15;

const shape::HalfSpace* only_half_space(const Body& body) {
    if (body.shape->parts.size() != 1) return nullptr;
    return std::get_if<shape::HalfSpace>(&body.shape->parts[0].convex);
}

// How long a body takes to go about as far as its radius.
double box_time(const Mover& mover, double t, double gravity) {
    constexpr double k_longest = 1e6;  // s; no more than a matter of speed
    const motion::State state = mover.at(t);
    const double r = mover.body->radius;
    const double pull = mover.body->fixed ? 0.0 : gravity;
    const double speed = state.velocity.norm() + r * state.angular_velocity.norm();
    const double root = speed + std::sqrt(speed * speed + 2.0 * pull * r);
    return root > 0.0 ? std::min(k_longest, 2.0 * r / root) : k_longest;
}

bool holds(const Aabb& outer, const Aabb& inner) {
    return (outer.low.array() <= inner.low.array()).all() &&
           (outer.high.array() >= inner.high.array()).all();
}

}  // namespace

Mover::Mover(const Body& of, const Segment& first, const Vec3& gravity)
    : body(&of), moving(*of.shape, of.center, motion) {
    go(first, gravity);
}

void Mover::go(const Segment& next, const Vec3& gravity) {
    MotionPiece piece = make_motion_piece(*body, next, gravity);
    if (paced) {
        odometer = travelled(next.t0);
    } else {
        box_margin = 0.0;  // nobody knows how far it has gone in its box
    }
    segment = next;
    motion = std::move(piece.motion);
    motion_until = piece.until;
    pace = gain = 0.0;
    paced = still();
    if (next.kind != SegmentKind::flight && next.kind != SegmentKind::held) return;
    const motion::LocalBounds bounds = motion::bounds(motion, next.t0, 0.0);
    pace = next.state.velocity.norm() + bounds.spin_max * body->radius;
    gain = 0.5 * bounds.a.norm();
    paced = std::isfinite(pace);
}

NearPairs::NearPairs(std::span<Mover* const> movers, const Contacts& contacts, double micro,
                     const Vec3& gravity)
    : movers_(movers), contacts_(contacts), micro_(micro), gravity_(gravity.norm()) {}

bool NearPairs::may_meet(BodyId a, BodyId b) const {
    return a != b && !(movers_[a]->body->fixed && movers_[b]->body->fixed);
}

std::uint32_t NearPairs::find(BodyId a, BodyId b) const {
    const Mover& fewer = *movers_[movers_[a]->pairs.size() < movers_[b]->pairs.size() ? a : b];
    const BodyId low = std::min(a, b);
    const BodyId high = std::max(a, b);
    for (const std::uint32_t i : fewer.pairs)
        if (pairs_[i].a == low && pairs_[i].b == high) return i;
    return static_cast<std::uint32_t>(pairs_.size());
}

std::uint32_t NearPairs::add(BodyId a, BodyId b, bool permanent) {
    std::uint32_t at = 0;
    if (free_.empty()) {
        at = static_cast<std::uint32_t>(pairs_.size());
        pairs_.emplace_back();
    } else {
        at = free_.back();
        free_.pop_back();
    }
    Pair& pair = pairs_[at];
    pair = Pair{};
    pair.a = std::min(a, b);
    pair.b = std::max(a, b);
    pair.used = true;
    pair.permanent = permanent;
    const Body& body_a = *movers_[pair.a]->body;
    const Body& body_b = *movers_[pair.b]->body;
    pair.law = contacts_.find(body_a.material, body_b.material);
    const double length = std::min(body_a.fixed ? k_forever : body_a.radius,
                                   body_b.fixed ? k_forever : body_b.radius);
    pair.lasting = LastingRule(micro_, gravity_, length);
    movers_[a]->pairs.push_back(at);
    movers_[b]->pairs.push_back(at);
    return at;
}

void NearPairs::drop(std::uint32_t pair, EventQueue& queue) {
    for (const BodyId body : {pairs_[pair].a, pairs_[pair].b})
        std::erase(movers_[body]->pairs, pair);
    queue.remove(static_cast<EventQueue::Slot>(movers_.size()) + pair);
    pairs_[pair].used = false;
    free_.push_back(pair);
}

void NearPairs::set_box(BodyId id, double t) {
    Mover& mover = *movers_[id];
    const double until =
        mover.still()
            ? t
            : std::min(t + mover.box_stretch * box_time(mover, t, gravity_), mover.motion_until);
    mover.box_until = mover.still() ? k_forever : until;
    mover.box_margin = 0.0;
    mover.box = detect::swept_box(mover.moving, t, until);
    if (mover.still()) return;
    const bool steps = mover.segment.kind == SegmentKind::held || mover.crowd;
    const double margin = (steps ? k_step_margin : k_margin) * mover.body->radius;
    mover.box.low.array() -= margin;
    mover.box.high.array() += margin;
    mover.box_margin = margin;
    mover.box_read = mover.travelled(t);
}

bool NearPairs::still_boxed(BodyId id, double t) {
    Mover& mover = *movers_[id];
    if (!mover.boxed) return true;
    if (mover.still()) return false;
    if (mover.segment.kind == SegmentKind::held || mover.crowd) {
        mover.box_until = mover.motion_until;
        // the last motion may have ended early
        mover.box_read = std::min(mover.box_read, mover.travelled(t));
        const double read = mover.travelled(mover.motion_until);
        if (mover.paced && read - mover.box_read < mover.box_margin) return true;
        const Aabb swept = detect::swept_box(mover.moving, t, mover.motion_until);
        if (!holds(mover.box, swept)) return false;
        // so far inside it stays until then
        mover.box_margin = std::min((swept.low - mover.box.low).minCoeff(),
                                    (mover.box.high - swept.high).minCoeff());
        mover.box_read = read;
        return true;
    }
    if (!(mover.box_until > t) || !std::isfinite(mover.box_until)) return false;
    if (mover.box_until > mover.motion_until) return false;
    // a ball about the centre of mass that holds the body is quick to check
    Aabb ball = motion::swept_centre_box(mover.motion, t, mover.box_until);
    constexpr double k_larger = 1.0 + 1e-9;
    ball.low.array() -= k_larger * mover.body->radius;
    ball.high.array() += k_larger * mover.body->radius;
    if (holds(mover.box, ball)) return true;
    return holds(mover.box, detect::swept_box(mover.moving, t, mover.box_until));
}

void NearPairs::rebuild(double t) {
    pairs_.clear();
    free_.clear();
    hash_.clear();
    std::vector<detect::SweptHash::Entry> entries;
    for (BodyId i = 0; i < movers_.size(); ++i) {
        Mover& mover = *movers_[i];
        mover.pairs.clear();
        mover.boxed = mover.universal = false;
        mover.box_stretch = 1.0;
        mover.box_until = k_forever;
        if (const shape::HalfSpace* plane = only_half_space(*mover.body);
            plane != nullptr && mover.body->still) {
            const shape::Pose pose = mover.moving.parts()[0].pose(mover.at(t));
            const Vec3 normal = pose.rotate(plane->normal);
            hash_.insert_unbounded(i, normal, normal.dot(pose.position));
        } else if (mover.body->unbounded) {
            mover.universal = true;
        } else {
            mover.boxed = true;
            set_box(i, t);
            entries.push_back({i, mover.box});
        }
    }
    hash_.rebuild(entries);
    std::vector<detect::SweptHash::Pair> all;
    hash_.pairs(all);
    for (const auto& [a, b] : all)
        if (may_meet(a, b)) add(a, b, false);
    for (BodyId i = 0; i < movers_.size(); ++i) {
        if (!movers_[i]->universal) continue;
        for (BodyId other = 0; other < movers_.size(); ++other)
            if (may_meet(i, other)) add(i, other, true);
    }
}

void NearPairs::renew(BodyId id, double t, EventQueue& queue, std::vector<std::uint32_t>& fresh) {
    Mover& mover = *movers_[id];
    if (!mover.boxed) return;
    // who has nobody near can take a larger box
    constexpr double k_most_stretch = 1024.0;
    mover.box_stretch = mover.pairs.empty() ? std::min(2.0 * mover.box_stretch, k_most_stretch)
                                            : std::max(0.25 * mover.box_stretch, 1.0);
    set_box(id, t);
    hash_.update(id, mover.box);
    hash_.overlaps(id, others_);
    for (std::size_t k = mover.pairs.size(); k-- > 0;) {
        const Pair& pair = pairs_[mover.pairs[k]];
        const BodyId other = pair.a == id ? pair.b : pair.a;
        if (pair.permanent || std::binary_search(others_.begin(), others_.end(), other)) continue;
        drop(mover.pairs[k], queue);
    }
    for (const BodyId other : others_) {
        if (!may_meet(id, other) || find(id, other) != pairs_.size()) continue;
        fresh.push_back(add(id, other, false));
    }
}

}  // namespace carom::world
