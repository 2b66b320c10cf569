// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Impacts at one instant: the contact that is hit, and all others that feel it at once.
//
// A contact is in the group when its bodies touch, within rounding or in lasting contact, and one
// of them is changed by the group. In sequence contacts are taken in ring by ring, as far as the
// impacts reach; the other ways to resolve them take all that hangs together. What is left of the
// approach of lasting contacts, slower than a micro-collision, is taken up without restitution.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/impact/multiple/multiple.h"
#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

// Groups of more contacts are a crowd: what is left of an impact after its first few rings goes to
// all of them together, without restitution.
constexpr std::size_t k_crowd = 64;
// How many times the tolerance is enough where the solver gets stuck.
constexpr double k_stuck = 10.0;

impact::JointBody joint_body(const Body& body, const motion::State& state) {
    impact::JointBody out;
    out.position = state.position;
    out.v = state.velocity;
    out.w = state.angular_velocity;
    if (body.fixed) return out;
    out.inverse_mass = body.inverse_mass;
    out.inverse_inertia = inverse_inertia_in_world(body, state.orientation);
    return out;
}

}  // namespace

void PairEngine::begin_group() {
    group_.clear();
    group_bodies_.clear();
    group_start_.clear();
    joint_.bodies.clear();
    joint_.contacts.clear();
    ++mark_;
}

std::uint32_t PairEngine::in_group(BodyId id, double t) {
    Mover& mover = *movers_[id];
    if (mover.mark == mark_) return mover.index;
    mover.mark = mark_;
    mover.index = static_cast<std::uint32_t>(group_bodies_.size());
    group_bodies_.push_back({id, mover.body->fixed});
    joint_.bodies.push_back(joint_body(*mover.body, mover.at(t)));
    group_start_.push_back(joint_.bodies.back());
    return mover.index;
}

void PairEngine::add_to_group(std::uint32_t i, const Vec3& point, const Vec3& normal, double t) {
    const Pair& pair = near_[i];
    impact::JointContact contact;
    contact.a = in_group(pair.a, t);
    contact.b = in_group(pair.b, t);
    contact.point = point;
    contact.normal = normal;
    contact.law = &impact::law_info(pair.law->law);
    contact.parameters = pair.law->parameters;
    contact.stiffness = pair.law->stiffness;
    contact.power = pair.law->power;
    joint_.contacts.push_back(contact);
    group_.push_back({i, point, normal, impact::contact_velocity(group_start_, contact),
                      Vec3::Zero(), pair.closed.on});
}

void PairEngine::add_patch_to_group(std::uint32_t i, double within, double t) {
    Pair& pair = near_[i];
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    find_patch(a.moving, a.at(t), b.moving, b.at(t), within, pair.memory, patch_);
    for (const PatchPoint& p : patch_)
        add_to_group(i, p.middle(), p.normal, t);
}

// Takes in the contacts of the bodies that were reached since the last time.
void PairEngine::widen_group(double t) {
    const std::size_t count = group_bodies_.size();
    for (std::size_t k = 0; k < count; ++k) {
        if (group_bodies_[k].widened) continue;
        check_stop();
        group_bodies_[k].widened = true;
        const BodyId id = group_bodies_[k].id;
        std::vector<std::uint32_t> pairs = movers_[id]->pairs;
        std::sort(pairs.begin(), pairs.end(), [&](std::uint32_t x, std::uint32_t y) {
            return std::pair(near_[x].a, near_[x].b) < std::pair(near_[y].a, near_[y].b);
        });
        for (const std::uint32_t i : pairs) {
            const bool known = std::any_of(group_.begin(), group_.end(),
                                           [&](const GroupContact& c) { return c.pair == i; });
            if (known) continue;
            const Pair& pair = near_[i];
            const Mover& other = *movers_[pair.a == id ? pair.b : pair.a];
            // sleepers are woken by touches only
            if (other.asleep()) continue;
            double within = k_tolerances.closed_gap * size_of(pair);
            if (!pair.closed.on) {
                const double far = movers_[id]->segment.state.position.cwiseAbs().maxCoeff();
                within = k_tolerances.parted * (far + size_of(pair));
            }
            add_patch_to_group(i, within, t);
        }
    }
}

// The largest approach speed of all.
double PairEngine::group_speed() const {
    double most = 0.0;
    for (const impact::JointContact& contact : joint_.contacts) {
        most =
            std::max(most, -impact::contact_velocity(joint_.bodies, contact).dot(contact.normal));
    }
    return most;
}

void PairEngine::apply_group(const std::vector<Vec3>& impulses) {
    joint_.bodies = impact::apply_impulses(joint_, impulses);
    for (std::size_t k = 0; k < group_.size(); ++k)
        group_[k].impulse += impulses[k];
}

void PairEngine::resolve_group(double t) {
    const bool sequential = in_.settings.multiple == impact::MultipleId::sequential;
    constexpr int k_most_rings = 1000;
    if (!sequential) {
        for (std::size_t before = 0; before != group_bodies_.size();) {
            before = group_bodies_.size();
            widen_group(t);
        }
        impact::MultipleSettings settings;
        settings.coupled.stop = settings.simultaneous.stop = stop_;
        apply_group(impact::resolve_multiple(in_.settings.multiple, joint_, settings).impulses_W);
        return;
    }
    double slow = 0.0;
    for (const GroupContact& c : group_)
        slow = std::max(slow, near_[c.pair].lasting.hop_speed());
    double first = 0.0;  // approach speed
    for (int ring = 0; ring < k_most_rings; ++ring) {
        widen_group(t);
        const double speed = group_speed();
        if (ring == 0) first = speed;
        if (ring > 0 && speed <= slow) return;
        impact::SequentialSettings settings;
        settings.stop = stop_;
        if (slow > 0.0 && may_last(near_[group_[0].pair])) {
            double enough = 0.25 * slow;
            if (group_.size() > k_crowd)
                enough = std::max(enough, k_tolerances.crowd_speed * first);
            if (ring > 0 && speed <= enough) return;
            settings.tolerance = std::clamp(enough / speed, settings.tolerance, 0.5);
        }
        apply_group(sequential_.solve(joint_, settings).impulses_W);
        const bool wider = std::any_of(group_bodies_.begin(), group_bodies_.end(),
                                       [](const GroupBody& body) { return !body.widened; });
        if (!wider) return;
    }
}

// Takes up what is left of the approach, without restitution.
void PairEngine::rest_group() {
    std::vector<impact::ConeBody> bodies;
    for (const impact::JointBody& body : joint_.bodies)
        bodies.push_back({body.v, body.w, body.inverse_mass, body.inverse_inertia});
    std::vector<impact::ConeContact> contacts;
    double fastest = 0.0;
    for (const impact::JointContact& c : joint_.contacts) {
        const Vec3 u = impact::contact_velocity(joint_.bodies, c);
        fastest = std::max(fastest, u.norm());
        impact::ConeContact& cone = contacts.emplace_back();
        cone.a = c.a;
        cone.b = c.b;
        cone.r_a = c.point - joint_.bodies[c.a].position;
        cone.r_b = c.point - joint_.bodies[c.b].position;
        cone.normal = c.normal;
        cone.mu = c.parameters.mu.value_or(0.0);
    }
    impact::ConeSettings settings;
    settings.stop = stop_;
    const bool crowd = contacts.size() > k_crowd;
    settings.tolerance =
        (crowd ? k_tolerances.large_residual : k_tolerances.group_residual) * fastest;
    settings.enough = k_stuck * settings.tolerance;
    cones_.solve(bodies, contacts, settings);
    std::vector<Vec3> impulses;
    for (const impact::ConeContact& c : contacts)
        impulses.push_back(c.impulse);
    apply_group(impulses);
}

// One event for each pair: its points together are one impact in their middle.
void PairEngine::tell_group(double t, EventKind kind, Listener* listener) {
    std::vector<bool> told(group_.size(), false);
    double lost = 0.0;
    for (std::size_t k = 0; k < group_.size(); ++k) {
        if (told[k]) continue;
        Pair& pair = near_[group_[k].pair];
        Event event;
        double weight = 0.0;
        Vec3 point = Vec3::Zero(), u = Vec3::Zero(), u_after = Vec3::Zero();
        for (std::size_t j = k; j < group_.size(); ++j) {
            const GroupContact& c = group_[j];
            if (c.pair != group_[k].pair) continue;
            told[j] = true;
            const Vec3 after = impact::contact_velocity(joint_.bodies, joint_.contacts[j]);
            const double w = c.impulse.norm();
            weight += w;
            point += w * c.point;
            u += w * c.u;
            u_after += w * after;
            event.impulse += c.impulse;
            event.energy_lost -= 0.5 * c.impulse.dot(c.u + after);
        }
        if (k > 0 && weight == 0.0) continue;
        event.t = t;
        event.kind = k == 0 || kind == EventKind::impact ? kind : EventKind::micro;
        event.law = pair.law->law;
        event.a = pair.a;
        event.b = pair.b;
        event.normal = group_[k].normal;
        event.point = weight > 0.0 ? Vec3(point / weight) : group_[k].point;
        event.u = weight > 0.0 ? Vec3(u / weight) : group_[k].u;
        event.u_after = weight > 0.0 ? Vec3(u_after / weight) : group_[k].u;
        const double u_n = event.u.dot(event.normal);
        event.restitution = u_n != 0.0 ? -event.u_after.dot(event.normal) / u_n : 0.0;
        pair.last_impact = t;
        const Touch touch{{movers_[pair.a]->body, nullptr, movers_[pair.a]->at(t)},
                          {movers_[pair.b]->body, nullptr, movers_[pair.b]->at(t)},
                          event.normal};
        account(event, touch, event.impulse);
        lost += event.energy_lost;
        tell_event(event, listener);
    }
    note_gain(lost);
}

// The bodies go on with their new velocities. Those in lasting contact take a new step at once.
void PairEngine::move_group(double t, Listener* listener) {
    std::vector<BodyId> restart;
    std::vector<BodyId> others;
    for (std::size_t k = 0; k < group_bodies_.size(); ++k) {
        const BodyId id = group_bodies_[k].id;
        Mover& mover = *movers_[id];
        if (mover.body->fixed) continue;
        motion::State state = mover.at(t);
        const impact::JointBody& body = joint_.bodies[k];
        if (body.v == state.velocity && body.w == state.angular_velocity) continue;
        state.velocity = body.v;
        state.angular_velocity = body.w;
        if (!mover.lasting()) {
            begin_segment(id, mover.free_kind(), t, state, listener);
            others.push_back(id);
            continue;
        }
        pause(id, t, state, listener);
        restart.push_back(id);
    }
    for (const BodyId id : restart)
        if (movers_[id]->paused) step_island(id, t, listener);
    for (const BodyId id : others)
        moved(id, t);
}

// An impact by the law of the pair, and what follows from it at the same instant.
void PairEngine::hit(std::uint32_t i, const ContactPoint& at, double t, Listener* listener) {
    const Pair& pair = near_[i];
    count_burst(pair, t);
    begin_group();
    if (pair.closed.on) {
        add_patch_to_group(i, k_tolerances.closed_gap * size_of(pair), t);
    } else {
        add_to_group(i, at.point, pair.normal, t);
    }
    const std::string names =
        "'" + movers_[pair.a]->body->name + "' and '" + movers_[pair.b]->body->name + "'";
    try {
        resolve_group(t);
        if (may_last(near_[group_[0].pair]) && group_speed() > 0.0) rest_group();
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error("at " + std::to_string(t) + " s, " + names + ": " + error.what());
    }
    tell_group(t, EventKind::impact, listener);
    for (const GroupBody& body : group_bodies_)
        if (!movers_[body.id]->body->fixed) movers_[body.id]->quiet.end();
    move_group(t, listener);
}

}  // namespace carom::world
