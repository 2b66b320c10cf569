// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a step of a pile leaves: velocities, forces, balances, and the sleepers in its way.

#include <algorithm>
#include <cmath>

#include "carom/world/pile/pile_step.h"
#include "carom/world/pile/pile_tolerances.h"

namespace carom::world {

const std::vector<WakeRequest>& PileStepper::sleepers_in_the_way() {
    std::vector<BodyId> layer, next;
    BodyIndex reached(graph_.body_count());
    wakes_.clear();
    const auto reach = [&](BodyId id, BodyId by) {
        if (graph_.track(id).asleep()) wakes_.push_back({id, by});
        const bool of_pile = index_.has(id) && index_[id] < ids_.size();
        if (!of_pile || reached.has(id)) return;
        reached.set(id, 0);
        next.push_back(id);
    };
    for (const PilePair& seen : pairs_) {
        double missing = 0.0;
        for (std::uint32_t k = seen.first; k != k_no_point; k = points_[k].next)
            missing = std::max(missing, missing_velocity(k));
        if (h_ * missing < k_most_left * k_pile_tolerances.gap * seen.size) continue;
        const ContactPair& pair = graph_.pair(seen.pair);
        reach(pair.a, pair.b);
        reach(pair.b, pair.a);
    }
    while (wakes_.empty() && !next.empty()) {
        layer.swap(next);
        next.clear();
        for (const BodyId id : layer) {
            for (const std::uint32_t i : graph_.track(id).pairs)
                if (graph_.pair(i).contact.active) reach(graph_.pair(i).other(id), id);
        }
    }
    return wakes_;
}

// How fast the place of a contact goes along: with the centre of a ball, with the place of another
// body; in the middle of the two where both fly.
Vec3 PileStepper::drift_of(const PilePair& seen, const Vec3& place) const {
    Vec3 sum = Vec3::Zero();
    int flying = 0;
    for (const std::uint32_t k : {seen.a, seen.b}) {
        if (!(cone_bodies_[k].inverse_mass > 0.0)) continue;
        const PileBody& body = bodies_[k];
        const Vec3 arm = body.ball ? Vec3(Vec3::Zero()) : Vec3(place - body.state.position);
        sum += cone_bodies_[k].velocity_at(arm);
        ++flying;
    }
    return flying > 1 ? Vec3(0.5 * sum) : sum;
}

// Energy and momentum of the impulses; the velocities before them are those of the states.
void PileStepper::add_accounts() {
    out_.lost = out_.driven = 0.0;
    out_.given.setZero();
    const auto before = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
        const motion::State& s = bodies_[k].state;
        return s.velocity + s.angular_velocity.cross(arm);
    };
    for (const impact::ConeContact& c : cone_contacts_) {
        if (c.impulse.isZero(0.0)) continue;
        const bool free_a = cone_bodies_[c.a].inverse_mass > 0.0;
        const bool free_b = cone_bodies_[c.b].inverse_mass > 0.0;
        const Vec3 u0 = before(c.a, c.r_a) - before(c.b, c.r_b);
        Vec3 u1 = cone_bodies_[c.a].velocity_at(c.r_a) - cone_bodies_[c.b].velocity_at(c.r_b);
        if (free_a) u1 -= half_fall_;
        if (free_b) u1 += half_fall_;
        out_.lost -= 0.5 * c.impulse.dot(u0 + u1);
        const auto from_fixed = [&](const Vec3& on_other, const Vec3& velocity) {
            out_.given += on_other;
            out_.driven += on_other.dot(velocity);
        };
        if (!free_b) from_fixed(c.impulse, before(c.b, c.r_b));
        if (!free_a) from_fixed(-c.impulse, before(c.a, c.r_a));
    }
}

// What flies and what does not overlap deepest in the middle of a flight.
void PileStepper::note_hops() {
    for (std::size_t k = 0; k < cone_contacts_.size(); ++k) {
        const impact::ConeContact& c = cone_contacts_[k];
        const impact::ConeBody& a = cone_bodies_[c.a];
        const impact::ConeBody& b = cone_bodies_[c.b];
        if ((a.inverse_mass > 0.0) == (b.inverse_mass > 0.0)) continue;
        const Vec3 slower = (a.inverse_mass > 0.0 ? -0.5 : 0.5) * half_fall_;
        const Vec3 u = a.velocity_at(c.r_a) - b.velocity_at(c.r_b) + slower;
        const double gap = points_[k].gap + 0.5 * h_ * c.normal.dot(u);
        overlap_.note(-gap, points_[k].size);
    }
}

void PileStepper::give_pair(const PilePair& seen) {
    PilePairOutcome& out = out_.pairs.emplace_back();
    out.pair = seen.pair;
    out_.restitutions += seen.hard ? 1 : 0;
    out.touches = seen.first != k_no_point;
    out.gap = out.touches ? seen.least : seen.separation;
    out.rebound = seen.rebound;
    out.impulse = out.normal = out.point = out.drift = Vec3::Zero();
    out.pressure = 0.0;
    out.first_point = out_.points.size();
    for (std::uint32_t k = seen.first; k != k_no_point; k = points_[k].next) {
        const impact::ConeContact& c = cone_contacts_[k];
        const double pressed = c.impulse.dot(c.normal);
        out.pressure += pressed;
        out.impulse += c.impulse;
        out.point += pressed * (bodies_[c.a].state.position + c.r_a);
        if (pressed > 0.0) out.normal = c.normal;
        const double u_n = c.normal.dot(cone_bodies_[c.a].velocity_at(c.r_a) -
                                        cone_bodies_[c.b].velocity_at(c.r_b));
        out_.points.push_back(
            {points_[k].id, c.impulse / h_, points_[k].gap + h_ * u_n, false, c.r_a, c.r_b});
    }
    out.point_count = out_.points.size() - out.first_point;
    const Vec3 place =
        out.pressure > 0.0 ? Vec3(out.point / out.pressure) : graph_.pair(seen.pair).contact.point;
    out.point = place;
    out.couple.setZero();
    for (std::uint32_t k = seen.first; k != k_no_point; k = points_[k].next) {
        const impact::ConeContact& c = cone_contacts_[k];
        out.couple += (bodies_[c.a].state.position + c.r_a - place).cross(c.impulse);
    }
    out.drift = drift_of(seen, place);
    // pairs that were far enough apart for what the velocities were may be so no more
    out.covered = !seen.by_law &&
                  (out.touches || seen.separation > reach_of(bodies_[seen.a], bodies_[seen.b]));
}

const PileOutcome& PileStepper::outcome() {
    out_.t = t_;
    out_.h = h_;
    add_accounts();
    note_hops();
    out_.bodies.clear();
    for (std::size_t k = 0; k < ids_.size(); ++k) {
        motion::State state = bodies_[k].state;
        state.velocity = cone_bodies_[k].v - half_fall_;
        state.angular_velocity = cone_bodies_[k].w;
        bodies_[k].speed = speed_bound_of(*graph_.track(ids_[k]).body, state);
        out_.bodies.emplace_back(ids_[k], state);
    }
    out_.whole = span_.whole;
    out_.is_rest = span_.is_rest;
    out_.restitutions = 0;
    out_.pairs.clear();
    out_.points.clear();
    for (const PilePair& seen : pairs_)
        give_pair(seen);
    out_.owed = out_.restitutions > 0 ? std::max(out_.lost, 0.0) : 0.0;
    const bool rolls = std::any_of(ids_.begin(), ids_.end(), [&](BodyId id) {
        return can_roll_on_rim(*graph_.track(id).body);
    });
    out_.credit = rolls ? k_pile_tolerances.credit * energies().kinetic : 0.0;
    // what is in each other has lost the energy that lifts it out
    const bool few = ids_.size() <= k_pile_tolerances.few;
    const double kept = few ? 0.0 : k_pile_tolerances.deepest;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const impact::ConeContact& c = cone_contacts_[k];
        const double load = std::max(0.0, c.impulse.dot(c.normal)) / h_;
        out_.credit += load * std::max(0.0, -points_[k].gap - kept * points_[k].size);
    }
    out_.by_law = by_law_;
    out_.overlap = overlap_;
    out_.queries = queries_;
    overlap_ = {};
    queries_ = 0;
    const double change = std::sqrt(k_most_left * k_pile_tolerances.gap / std::max(error_, 1e-300));
    out_.next_length = h_ * std::clamp(0.9 * change, 0.5, 1.2);
    return out_;
}

}  // namespace carom::world
