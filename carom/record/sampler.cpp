// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "carom/record/recording.h"

namespace carom::record {

Sampler::Sampler(const world::World& world, const std::vector<world::Segment>& segments)
    : world_(&world), gravity_(world.settings().gravity), segments_(segments) {
    begin(world.body_count());
}

Sampler::Sampler(std::span<const world::Body> bodies, const Vec3& gravity,
                 std::span<const world::Segment> segments)
    : bodies_(bodies), gravity_(gravity), segments_(segments) {
    begin(bodies.size());
}

void Sampler::begin(std::size_t bodies) {
    tracks_.resize(bodies);
    if (segments_.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("more than 4294967295 segments cannot be sampled");
    // count first, so that each list is made once
    std::vector<std::size_t> counts(bodies);
    for (const world::Segment& segment : segments_) {
        if (segment.body >= bodies) {
            throw std::invalid_argument("a segment is of body " + std::to_string(segment.body) +
                                        ", but there are only " + std::to_string(bodies));
        }
        ++counts[segment.body];
    }
    for (std::size_t i = 0; i < bodies; ++i)
        tracks_[i].segments.reserve(counts[i]);
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        std::vector<std::uint32_t>& list = tracks_[segments_[i].body].segments;
        // said so that a time which is not a number is refused too
        if (!(list.empty() || segments_[i].t0 >= segments_[list.back()].t0))
            throw std::invalid_argument("the segments of body " +
                                        std::to_string(segments_[i].body) +
                                        " are not in the order of time");
        list.push_back(static_cast<std::uint32_t>(i));
    }
}

// The last segment of the track with t0 <= t: most often that of the last question, or the next.
std::size_t Sampler::place(const Track& track, world::BodyId body, double t) const {
    const std::vector<std::uint32_t>& list = track.segments;
    const auto begins_by = [&](std::size_t i) { return segments_[list[i]].t0 <= t; };
    if (list.empty() || !begins_by(0)) {
        throw std::invalid_argument("body " + std::to_string(body) +
                                    " has no segment at t = " + std::to_string(t) +
                                    "; it must be finite and not before the start");
    }
    for (std::size_t i = track.now; i < std::min(track.now + 2, list.size()); ++i) {
        if (begins_by(i) && (i + 1 == list.size() || !begins_by(i + 1))) return i;
    }
    const auto after =
        std::upper_bound(list.begin(), list.end(), t,
                         [&](double time, std::uint32_t i) { return time < segments_[i].t0; });
    return static_cast<std::size_t>(after - list.begin()) - 1;
}

motion::State Sampler::at(world::BodyId body, double t) const {
    if (body >= tracks_.size() || !std::isfinite(t))
        throw std::invalid_argument("a state was asked for of no body or at no finite time");
    Track& track = tracks_[body];
    const std::size_t now = place(track, body, t);
    if (now != track.now || !track.motion) {
        const world::Body& who = world_ != nullptr ? world_->body(body) : bodies_[body];
        track.motion.reset();
        track.motion.emplace(world::make_motion(who, segments_[track.segments[now]], gravity_));
        track.now = now;
    }
    return motion::at(*track.motion, t);
}

world::SegmentKind Sampler::kind_at(world::BodyId body, double t) const {
    if (body >= tracks_.size() || !std::isfinite(t))
        throw std::invalid_argument("a state was asked for of no body or at no finite time");
    const Track& track = tracks_[body];
    return segments_[track.segments[place(track, body, t)]].kind;
}

}  // namespace carom::record
