// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/sleep/pile_rest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "carom/world/pile/pile_tolerances.h"

namespace carom::world {

// Whether a body bears no more than a few weights at any contact.
bool PileRest::is_loose(BodyId id) const {
    constexpr double k_weights = 3.0;
    const BodyTrack& track = graph_.track(id);
    const double heavy = k_weights * graph_.gravity() * track.body->mass;
    return std::none_of(track.pairs.begin(), track.pairs.end(), [&](std::uint32_t i) {
        const PersistentContact& contact = graph_.pair(i).contact;
        return contact.active && contact.force.norm() > heavy;
    });
}

std::vector<BodyId> PileRest::find_sleepers(const std::vector<BodyId>& pile, double t) {
    constexpr double k_few = 0.02;
    enum Mark : std::uint32_t { waiting, quiet, loose, restless };
    marks_.clear();
    for (const BodyId id : pile)
        marks_.set(id, waiting);
    std::vector<BodyId> found, part;
    const auto take = [&](BodyId id) {
        if (!marks_.has(id) || marks_[id] != waiting) return;
        const BodyTrack& track = graph_.track(id);
        const bool rests =
            track.quiet.t < t && track.quiet.long_enough(t, track.body->radius, graph_.gravity(),
                                                         k_pile_tolerances.quiet);
        marks_.set(id, rests ? quiet : is_loose(id) ? loose : restless);
        part.push_back(id);
    };
    const auto may_sleep = [&](BodyId id) {
        if (marks_[id] != quiet) return false;
        bool touches = false;
        for (const std::uint32_t i : graph_.track(id).pairs) {
            if (!graph_.pair(i).contact.active) continue;
            touches = true;
            const BodyId other = graph_.pair(i).other(id);
            const Body& body = *graph_.track(other).body;
            if (marks_.has(other) && marks_[other] == restless) return false;
            if (body.fixed && !body.still) return false;
        }
        return touches;
    };
    for (const BodyId first : pile) {
        part.clear();
        take(first);
        std::size_t count = 0;
        for (std::size_t k = 0; k < part.size(); ++k) {
            count += marks_[part[k]] == restless ? 1 : 0;
            for (const std::uint32_t i : graph_.track(part[k]).pairs)
                if (graph_.pair(i).contact.active) take(graph_.pair(i).other(part[k]));
        }
        if (static_cast<double>(count) > k_few * static_cast<double>(part.size())) continue;
        std::copy_if(part.begin(), part.end(), std::back_inserter(found), may_sleep);
    }
    std::sort(found.begin(), found.end());
    return found;
}

// The most that a sleeper bore at one contact when it fell asleep.
double PileRest::most_at_rest(BodyId id) const {
    double most = 0.0;
    for (const std::uint32_t i : graph_.track(id).pairs) {
        const PersistentContact& contact = graph_.pair(i).contact;
        if (contact.active) most = std::max(most, contact.at_rest.norm());
    }
    return most;
}

bool PileRest::held_up(const ContactPair& pair) const {
    constexpr double k_part = 0.3;
    const auto of = [&](BodyId id) {
        return graph_.track(id).asleep() && pair.contact.at_rest.norm() > k_part * most_at_rest(id);
    };
    return of(pair.a) || of(pair.b);
}

// Whether it presses a sleeper otherwise than when that fell asleep: by more than it bore then, and
// by what could topple something slender. Whether it does is_held tells.
bool PileRest::presses_otherwise(const ContactPair& pair) const {
    constexpr double k_weights = 0.05;
    const double more = (pair.contact.force - pair.contact.at_rest).norm();
    const auto on = [&](BodyId id) {
        const BodyTrack& track = graph_.track(id);
        return track.asleep() && more > k_weights * graph_.gravity() * track.body->mass &&
               more > most_at_rest(id);
    };
    return on(pair.a) || on(pair.b);
}

bool PileRest::disturbs(ContactPair& pair, bool carries, double t) {
    double& since = pair.contact.unlike_since;
    if (!presses_otherwise(pair) && (carries || !held_up(pair))) {
        since = k_never;
        return false;
    }
    if (since == k_never) {
        since = t;
        return false;
    }
    const double patience = k_pile_tolerances.patience * std::sqrt(pair.size / graph_.gravity());
    if (!(t - since > patience)) return false;
    if (!is_held(pair.a) || !is_held(pair.b)) return true;
    pair.contact.at_rest = pair.contact.force;
    since = k_never;
    return false;
}

// Whether a body does not sleep, or can stay where it is: whether what does not move beside it has
// an answer, within the friction cones, to its weight and to what presses it now.
bool PileRest::is_held(BodyId id) {
    const BodyTrack& track = graph_.track(id);
    if (!track.asleep()) return true;
    if (!track.slept_in_pile) return false;
    const Body& body = *track.body;
    const double g = graph_.gravity();
    const double h = k_pile_tolerances.longest * std::sqrt(body.radius / g);
    const Vec3& x = track.segment.state.position;
    const Mat3 R = track.segment.state.orientation.toRotationMatrix();
    Vec3 force = body.mass * graph_.settings().gravity;
    Vec3 torque = Vec3::Zero();
    contacts_.clear();
    for (const std::uint32_t i : track.pairs) {
        const ContactPair& pair = graph_.pair(i);
        if (!pair.contact.active) continue;
        const double sign = pair.a == id ? 1.0 : -1.0;
        if (graph_.track(pair.other(id)).in_pile()) {
            force += sign * pair.contact.force;
            torque += sign * (pair.contact.point - x).cross(pair.contact.force);
            continue;
        }
        for (const PointForce& point : pair.contact.forces) {
            impact::ConeContact& contact = contacts_.emplace_back();
            contact.b = 1;
            contact.r_a = pair.a == id ? point.arm_a : point.arm_b;
            contact.normal = sign * pair.contact.normal;
            contact.mu = pair.mu();
            contact.impulse = sign * h * point.force;
        }
    }
    std::array<impact::ConeBody, 2> bodies;
    bodies[0].inverse_mass = body.inverse_mass;
    bodies[0].inverse_inertia_W = R * body.inverse_inertia * R.transpose();
    bodies[0].v = h * body.inverse_mass * force;
    bodies[0].w = h * bodies[0].inverse_inertia_W * torque;
    impact::ConeSettings settings;
    settings.stop = stop_;
    settings.tolerance = 0.1 * k_pile_tolerances.held * g * h;
    cones_.solve(bodies, contacts_, settings);
    return bodies[0].v.norm() + body.radius * bodies[0].w.norm() < k_pile_tolerances.held * g * h;
}

}  // namespace carom::world
