// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/graph/broad_phase.h"

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

// How long the box of a body lasts: while it goes about as far as its radius; and of one that flies
// on undisturbed as long as it has flown already, within limits: so many radii, or a part of the
// whole flight, so that one that flies for ever needs few. It depends on the body's own motion
// alone: when its box ends decides from where on its next touch is searched, and with that
// the last bits of it, which must not depend on who else is near.
double box_time(const BodyTrack& track, double t, double gravity) {
    constexpr double k_longest = 1e6;  // s; no more than a matter of speed
    // ten times larger: fewer boxes of what flies alone, more pairs of what flies among others
    constexpr double k_most_stretch = 16.0;
    constexpr double k_part_of_flight = 1.0 / 64.0;
    const motion::State state = track.at(t);
    const double r = track.body->radius;
    const double pull = track.body->fixed ? 0.0 : gravity;
    const double speed = state.velocity.norm() + r * state.angular_velocity.norm();
    const double root = speed + std::sqrt(speed * speed + 2.0 * pull * r);
    if (!(root > 0.0)) return k_longest;
    const double radius_time = 2.0 * r / root;
    const bool flies = track.segment.kind == track.free_kind() && !track.body->fixed;
    const double flown = flies && !track.in_pile() ? t - track.segment.t0 : 0.0;
    const double most = std::max(k_most_stretch * radius_time, k_part_of_flight * flown);
    return std::min({k_longest, std::max(radius_time, flown), most});
}

bool holds(const Aabb& outer, const Aabb& inner) {
    return (outer.low.array() <= inner.low.array()).all() &&
           (outer.high.array() >= inner.high.array()).all();
}

}  // namespace

BroadPhase::BroadPhase(std::span<BodyTrack* const> tracks, const Contacts& contacts, double micro,
                       const Vec3& gravity)
    : tracks_(tracks), contacts_(contacts), micro_(micro), gravity_(gravity.norm()) {}

bool BroadPhase::may_meet(BodyId a, BodyId b) const {
    return a != b && !(tracks_[a]->body->fixed && tracks_[b]->body->fixed);
}

std::uint32_t BroadPhase::find(BodyId a, BodyId b) const {
    const BodyTrack& fewer = *tracks_[tracks_[a]->pairs.size() < tracks_[b]->pairs.size() ? a : b];
    const BodyId low = std::min(a, b);
    const BodyId high = std::max(a, b);
    for (const std::uint32_t i : fewer.pairs)
        if (pairs_[i].a == low && pairs_[i].b == high) return i;
    return static_cast<std::uint32_t>(pairs_.size());
}

std::uint32_t BroadPhase::add(BodyId a, BodyId b, bool permanent) {
    std::uint32_t at = 0;
    if (free_.empty()) {
        at = static_cast<std::uint32_t>(pairs_.size());
        pairs_.emplace_back();
    } else {
        at = free_.back();
        free_.pop_back();
    }
    ContactPair& pair = pairs_[at];
    pair = ContactPair{};
    pair.a = std::min(a, b);
    pair.b = std::max(a, b);
    pair.used = true;
    pair.permanent = permanent;
    const Body& body_a = *tracks_[pair.a]->body;
    const Body& body_b = *tracks_[pair.b]->body;
    pair.law = contacts_.find(body_a.material, body_b.material);
    const double length = std::min(body_a.fixed ? k_forever : body_a.radius,
                                   body_b.fixed ? k_forever : body_b.radius);
    pair.micro = MicroRule(micro_, gravity_, length);
    pair.size = length;
    pair.slow_part = gravity_ > 0.0 ? 0.0 : micro_;
    tracks_[a]->pairs.push_back(at);
    tracks_[b]->pairs.push_back(at);
    return at;
}

void BroadPhase::drop(std::uint32_t pair) {
    for (const BodyId body : {pairs_[pair].a, pairs_[pair].b})
        std::erase(tracks_[body]->pairs, pair);
    pairs_[pair].used = false;
    free_.push_back(pair);
}

void BroadPhase::set_box(BodyId id, double t) {
    BodyTrack& track = *tracks_[id];
    const double until =
        track.at_rest() ? t : std::min(t + box_time(track, t, gravity_), track.motion_until);
    track.box_until = track.at_rest() ? k_forever : until;
    track.box_margin = 0.0;
    track.box = detect::swept_box(track.moving, t, until);
    if (track.at_rest()) return;
    const bool steps = track.takes_steps();
    const double margin = (steps ? k_step_margin : k_margin) * track.body->radius;
    track.box.low.array() -= margin;
    track.box.high.array() += margin;
    track.box_margin = margin;
    track.box_read = track.travelled(t);
}

bool BroadPhase::is_still_boxed(BodyId id, double t) {
    BodyTrack& track = *tracks_[id];
    if (!track.boxed) return true;
    if (track.at_rest()) return false;
    if (track.takes_steps()) {
        track.box_until = track.motion_until;
        // the last motion may have ended early
        track.box_read = std::min(track.box_read, track.travelled(t));
        const double read = track.travelled(track.motion_until);
        if (track.bounded && read - track.box_read < track.box_margin) return true;
        const Aabb swept = detect::swept_box(track.moving, t, track.motion_until);
        if (!holds(track.box, swept)) return false;
        // so far inside it stays until then
        track.box_margin = std::min((swept.low - track.box.low).minCoeff(),
                                    (track.box.high - swept.high).minCoeff());
        track.box_read = read;
        return true;
    }
    if (!(track.box_until > t) || !std::isfinite(track.box_until)) return false;
    if (track.box_until > track.motion_until) return false;
    // a ball about the centre of mass that holds the body is quick to check
    Aabb ball = motion::swept_centre_box(track.motion, t, track.box_until);
    constexpr double k_larger = 1.0 + 1e-9;
    ball.low.array() -= k_larger * track.body->radius;
    ball.high.array() += k_larger * track.body->radius;
    if (holds(track.box, ball)) return true;
    return holds(track.box, detect::swept_box(track.moving, t, track.box_until));
}

void BroadPhase::rebuild(double t) {
    pairs_.clear();
    free_.clear();
    hash_.clear();
    std::vector<detect::SweptHash::Entry> entries;
    for (BodyId i = 0; i < tracks_.size(); ++i) {
        BodyTrack& track = *tracks_[i];
        track.pairs.clear();
        track.boxed = track.universal = false;
        track.box_until = k_forever;
        if (const shape::HalfSpace* plane = only_half_space(*track.body);
            plane != nullptr && track.body->still) {
            const shape::Pose pose = track.moving.parts()[0].pose(track.at(t));
            const Vec3 normal = pose.rotate(plane->normal);
            hash_.insert_unbounded(i, normal, normal.dot(pose.position));
        } else if (track.body->unbounded) {
            track.universal = true;
        } else {
            track.boxed = true;
            set_box(i, t);
            entries.push_back({i, track.box});
        }
    }
    hash_.rebuild(entries);
    std::vector<detect::SweptHash::Pair> all;
    hash_.pairs(all);
    for (const auto& [a, b] : all)
        if (may_meet(a, b)) add(a, b, false);
    for (BodyId i = 0; i < tracks_.size(); ++i) {
        if (!tracks_[i]->universal) continue;
        for (BodyId other = 0; other < tracks_.size(); ++other)
            if (may_meet(i, other)) add(i, other, true);
    }
}

void BroadPhase::renew(BodyId id, double t, std::vector<std::uint32_t>& fresh,
                       std::vector<std::uint32_t>& gone) {
    BodyTrack& track = *tracks_[id];
    if (!track.boxed) return;
    set_box(id, t);
    hash_.update(id, track.box);
    hash_.overlaps(id, others_);
    for (std::size_t k = track.pairs.size(); k-- > 0;) {
        const ContactPair& pair = pairs_[track.pairs[k]];
        const BodyId other = pair.a == id ? pair.b : pair.a;
        if (pair.permanent || std::binary_search(others_.begin(), others_.end(), other)) continue;
        gone.push_back(track.pairs[k]);
        drop(track.pairs[k]);
    }
    for (const BodyId other : others_) {
        if (!may_meet(id, other) || find(id, other) != pairs_.size()) continue;
        fresh.push_back(add(id, other, false));
    }
}

}  // namespace carom::world
