// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/graph/graph.h"

#include <algorithm>

namespace carom::world {
namespace {

std::vector<std::unique_ptr<BodyTrack>> make_tracks(const EngineInput& in) {
    std::vector<std::unique_ptr<BodyTrack>> tracks;
    tracks.reserve(in.bodies.size());
    for (BodyId i = 0; i < in.bodies.size(); ++i) {
        const Body& body = in.bodies[i];
        const SegmentKind kind = body.fixed            ? SegmentKind::given
                                 : body.forces.empty() ? SegmentKind::flight
                                                       : SegmentKind::forced;
        tracks.push_back(std::make_unique<BodyTrack>(body, Segment{0.0, i, kind, body.first},
                                                     in.settings.gravity));
    }
    return tracks;
}

std::vector<BodyTrack*> pointers_to(const std::vector<std::unique_ptr<BodyTrack>>& owned) {
    std::vector<BodyTrack*> out;
    out.reserve(owned.size());
    for (const auto& track : owned)
        out.push_back(track.get());
    return out;
}

}  // namespace

Graph::Graph(const EngineInput& input)
    : settings_(input.settings),
      gravity_(input.settings.gravity.norm()),
      owned_(make_tracks(input)),
      tracks_(pointers_to(owned_)),
      near_(tracks_, input.contacts, input.settings.micro, input.settings.gravity),
      seen_(tracks_.size()) {}

PileId Graph::free_pile_name() const {
    PileId name = 0;
    for (const auto& [used, pile] : piles_) {
        if (used != name) break;
        ++name;
    }
    return name;
}

double Graph::acceleration_scale(std::span<const BodyId> bodies) const {
    if (gravity_ > 0.0) return gravity_;
    constexpr double k_longest = 1e3;  // s
    Vec3 mean = Vec3::Zero();
    double count = 0.0;
    for (const BodyId id : bodies) {
        if (tracks_[id]->body->fixed) continue;
        mean += tracks_[id]->segment.state.velocity;
        count += 1.0;
    }
    mean /= std::max(count, 1.0);
    double most = 0.0;
    for (const BodyId id : bodies) {
        const Body& body = *tracks_[id]->body;
        if (body.fixed) continue;
        const motion::State& state = tracks_[id]->segment.state;
        const double turning = state.angular_velocity.squaredNorm() * body.radius;
        const double moving = (state.velocity - mean).squaredNorm() / body.radius;
        most = std::max({most, turning + moving, body.radius / (k_longest * k_longest)});
    }
    return most;
}

bool Graph::can_last(const ContactPair& pair) const {
    if (settings_.contact != ContactMode::lasting && gravity_ > 0.0) return false;
    return tracks_[pair.a]->body->forces.empty() && tracks_[pair.b]->body->forces.empty();
}

bool Graph::before(std::uint32_t x, std::uint32_t y) const {
    return std::pair(near_[x].a, near_[x].b) < std::pair(near_[y].a, near_[y].b);
}

std::vector<std::uint32_t> Graph::active_pairs() const {
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < near_.size(); ++i)
        if (near_[i].used && near_[i].contact.active) pairs.push_back(i);
    std::sort(pairs.begin(), pairs.end(),
              [&](std::uint32_t x, std::uint32_t y) { return before(x, y); });
    return pairs;
}

bool Graph::has_active_contact(BodyId id) const {
    const std::vector<std::uint32_t>& pairs = tracks_[id]->pairs;
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](std::uint32_t i) { return near_[i].contact.active; });
}

bool Graph::touches_sleeper(BodyId id) const {
    const std::vector<std::uint32_t>& pairs = tracks_[id]->pairs;
    return std::any_of(pairs.begin(), pairs.end(), [&](std::uint32_t i) {
        return near_[i].contact.active && tracks_[near_[i].other(id)]->asleep();
    });
}

bool Graph::touched_lately(const ContactPair& pair, double t) const {
    constexpr double k_lately = 4.0;  // in times of a few micro-bounces
    return t - pair.last_impact <= k_lately * pair.micro.memory();
}

void Graph::find_component(BodyId first, Component& out) {
    seen_.clear();
    out.bodies.assign(1, first);
    out.pairs.clear();
    out.sleeper = k_no_body;
    out.touches_pile = false;
    seen_.set(first, 0);
    for (std::size_t k = 0; k < out.bodies.size(); ++k) {
        const BodyId id = out.bodies[k];
        out.touches_pile = out.touches_pile || tracks_[id]->in_pile();
        for (const std::uint32_t i : tracks_[id]->pairs) {
            const ContactPair& pair = near_[i];
            if (!pair.contact.active) continue;
            const BodyId other = pair.other(id);
            const BodyTrack& track = *tracks_[other];
            if (track.asleep() && track.slept_in_pile) {
                out.touches_pile = true;
                continue;
            }
            if (track.asleep()) out.sleeper = other;
            // a pair of two free bodies is met twice
            if (track.body->fixed || id < other) out.pairs.push_back(i);
            if (track.body->fixed || seen_.has(other)) continue;
            seen_.set(other, 0);
            out.bodies.push_back(other);
        }
    }
    std::sort(out.bodies.begin(), out.bodies.end());
    std::sort(out.pairs.begin(), out.pairs.end(),
              [&](std::uint32_t x, std::uint32_t y) { return before(x, y); });
}

void Graph::find_near_component(BodyId first, std::vector<BodyId>& out, const IsFar& is_far) {
    seen_.clear();
    out.assign(1, first);
    seen_.set(first, 0);
    for (std::size_t k = 0; k < out.size(); ++k) {
        for (const std::uint32_t i : tracks_[out[k]]->pairs) {
            const ContactPair& pair = near_[i];
            const BodyId other = pair.other(out[k]);
            const BodyTrack& track = *tracks_[other];
            if (track.body->fixed || track.asleep() || seen_.has(other)) continue;
            if (!can_last(pair) || (is_far && is_far(pair))) continue;
            seen_.set(other, 0);
            out.push_back(other);
        }
    }
    std::sort(out.begin(), out.end());
}

std::vector<BodyId> Graph::sleepers_with(BodyId first) {
    seen_.clear();
    std::vector<BodyId> found{first};
    seen_.set(first, 0);
    for (std::size_t k = 0; k < found.size(); ++k) {
        for (const BodyId other : tracks_[found[k]]->slept_with) {
            if (seen_.has(other) || !tracks_[other]->asleep()) continue;
            seen_.set(other, 0);
            found.push_back(other);
        }
    }
    return found;
}

bool Graph::find_quiet(BodyId first, double t, std::vector<BodyId>& out) const {
    out.assign(1, first);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const BodyTrack& track = *tracks_[out[k]];
        if (track.asleep() || !track.body->forces.empty()) return false;
        if (!track.quiet.long_enough(t, track.body->radius, gravity_)) return false;
        for (const std::uint32_t i : track.pairs) {
            const ContactPair& pair = near_[i];
            if (!touched_lately(pair, t)) continue;
            const BodyId other = pair.other(out[k]);
            const Body& body = *tracks_[other]->body;
            if (body.fixed && !body.still) return false;
            if (body.fixed || std::find(out.begin(), out.end(), other) != out.end()) continue;
            out.push_back(other);
        }
    }
    return true;
}

}  // namespace carom::world
