// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What is kept of a step of a crowd: its accounts of energy, momentum and overlap, and the forces
// of its contacts. See pair_crowd.cpp.

#include <algorithm>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

// The overlap that wakes the sleepers beside it, in the allowed errors of a gap.
constexpr double k_squeezed = 3.0;

}  // namespace

// Energy and momentum of the impulses; the velocities before them are those of the states.
void PairEngine::account_crowd() {
    Tally& tally = in_.tally;
    double lost = 0.0;
    const auto before = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
        const motion::State& s = crowd_movers_[k].state;
        return s.velocity + s.angular_velocity.cross(arm);
    };
    const auto after = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
        return crowd_bodies_[k].v + crowd_bodies_[k].w.cross(arm);
    };
    for (const impact::ConeContact& c : crowd_contacts_) {
        if (c.impulse.isZero(0.0)) continue;
        const bool free_a = crowd_bodies_[c.a].inverse_mass > 0.0;
        const bool free_b = crowd_bodies_[c.b].inverse_mass > 0.0;
        const Vec3 u0 = before(c.a, c.r_a) - before(c.b, c.r_b);
        Vec3 u1 = after(c.a, c.r_a) - after(c.b, c.r_b);
        if (free_a) u1 -= crowd_fall_;
        if (free_b) u1 += crowd_fall_;
        lost -= 0.5 * c.impulse.dot(u0 + u1);
        const auto from_fixed = [&](const Vec3& on_other, const Vec3& velocity) {
            for (int k = 0; k < 3; ++k)
                tally.given[k].add(on_other[k]);
            tally.driven.add(on_other.dot(velocity));
        };
        if (!free_b) from_fixed(c.impulse, before(c.b, c.r_b));
        if (!free_a) from_fixed(-c.impulse, before(c.a, c.r_a));
    }
    tally.energy_lost.add(lost);
    if (lost < 0.0) tally.energy_gained.add(-lost);
}

// What flies and what does not overlap deepest in the middle of a flight.
void PairEngine::note_hops(double h) {
    for (std::size_t k = 0; k < crowd_contacts_.size(); ++k) {
        const impact::ConeContact& c = crowd_contacts_[k];
        const impact::ConeBody& a = crowd_bodies_[c.a];
        const impact::ConeBody& b = crowd_bodies_[c.b];
        if ((a.inverse_mass > 0.0) == (b.inverse_mass > 0.0)) continue;
        const Vec3 slower = (a.inverse_mass > 0.0 ? -0.5 : 0.5) * crowd_fall_;
        const Vec3 u = a.v + a.w.cross(c.r_a) - b.v - b.w.cross(c.r_b) + slower;
        const double gap = crowd_points_[k].gap + 0.5 * h * c.normal.dot(u);
        in_.tally.max_overlap = std::max(in_.tally.max_overlap, -gap);
    }
}

// The contacts remember their forces; those that carry nothing and are apart are open.
void PairEngine::keep_crowd(double t, double h, Listener* listener) {
    for (const CrowdPair& seen : crowd_pairs_) {
        Pair& pair = near_[seen.pair];
        pair.bounce = seen.bounce;
        if (seen.first == k_no_point && !pair.closed.on) continue;
        double pressure = 0.0;
        for (std::uint32_t k = seen.first; k != k_no_point; k = crowd_points_[k].next)
            pressure += crowd_contacts_[k].impulse.dot(crowd_contacts_[k].normal);
        const bool carries = pressure > 0.0;
        if (!carries && !pair.closed.on) continue;
        if (!carries) {
            pair.bounce = 0.0;
            const double least = seen.first == k_no_point ? seen.clear : seen.least;
            // a sleeper that it held up is given time to come back to it
            if (least > k_tolerances.closed_gap * seen.size && !held_up(pair)) {
                end_lasting(seen.pair, t, listener);
                continue;
            }
        }
        const bool begins = !pair.closed.on;
        if (begins) pair.closed = Closed{};
        keep_crowd_forces(seen, pressure, t, h);
        if (begins) tell_lasting(pair, EventKind::lasting_begin, t, listener);
        watch_sleeper(pair, carries, t);
        if (-seen.least > k_squeezed * k_tolerances.crowd_gap * seen.size) {
            // whoever sleeps beside it may have to give way
            for (const BodyId id : {pair.a, pair.b})
                for (const std::uint32_t i : movers_[id]->pairs)
                    if (movers_[id]->crowd && near_[i].closed.on) disturb(near_[i]);
        }
    }
}

void PairEngine::keep_crowd_forces(const CrowdPair& seen, double pressure, double t, double h) {
    Closed& closed = near_[seen.pair].closed;
    closed.on = true;
    closed.t0 = t;
    closed.t1 = t + h;
    closed.forget_points();
    Vec3 impulse = Vec3::Zero(), middle = Vec3::Zero();
    for (std::uint32_t k = seen.first; k != k_no_point; k = crowd_points_[k].next) {
        const impact::ConeContact& c = crowd_contacts_[k];
        const double pressed = c.impulse.dot(c.normal);
        impulse += c.impulse;
        middle += pressed * (crowd_movers_[c.a].state.position + c.r_a);
        if (pressed > 0.0) closed.normal = c.normal;
        const double u_n = c.normal.dot(crowd_bodies_[c.a].velocity_at(c.r_a) -
                                        crowd_bodies_[c.b].velocity_at(c.r_b));
        closed.forces.push_back({crowd_points_[k].id, c.impulse / h, crowd_points_[k].gap + h * u_n,
                                 false, c.r_a, c.r_b});
    }
    closed.force = impulse / h;
    closed.given += impulse;
    closed.flies = true;
    if (pressure > 0.0) closed.point = middle / pressure;
    closed.point_end = closed.point + h * crowd_drift(seen, closed.point);
}

// How fast the place of a contact goes along: with the centre of a ball, with the place of another
// body; in the middle of the two where both fly.
Vec3 PairEngine::crowd_drift(const CrowdPair& seen, const Vec3& place) const {
    Vec3 sum = Vec3::Zero();
    int flying = 0;
    for (const std::uint32_t k : {seen.a, seen.b}) {
        if (!(crowd_bodies_[k].inverse_mass > 0.0)) continue;
        const CrowdBody& body = crowd_movers_[k];
        const Vec3 arm = body.ball ? Vec3(Vec3::Zero()) : Vec3(place - body.state.position);
        sum += crowd_bodies_[k].velocity_at(arm);
        ++flying;
    }
    return flying > 1 ? Vec3(0.5 * sum) : sum;
}

}  // namespace carom::world
