// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/cluster/cluster.h"

#include <algorithm>
#include <cmath>

#include "carom/world/cluster/cluster_tolerances.h"
#include "carom/world/touch/touch_tolerances.h"
#include "carom/world/touch/touching.h"

namespace carom::world {
namespace {

// Clusters of more contacts are large: what is left of an impact after its first few layers goes to
// all of them together, without restitution.
constexpr std::size_t k_large = 64;
// Impacts in sequence, all layers together, after which what is left is taken up by the plastic
// impulse: so many for each contact, but no more than k_most_rounds (some forty milliseconds) where
// k_least_rounds for each contact are fewer. Larger: clusters of very unequal masses, and tall
// stacks with much restitution, come nearer to the end of their sequence.
constexpr long k_rounds = 500;
constexpr long k_most_rounds = 4000;
constexpr long k_least_rounds = 20;

long most_rounds(std::size_t contacts) {
    const long count = static_cast<long>(contacts);
    return std::max(k_least_rounds * count, std::min(k_rounds * count, k_most_rounds));
}
// Work on the path of a coupled impact before it is resolved in steps: a hundredth of a second.
// Larger: runs of rows and stacks with friction take as much longer, with impulses of eleven digits
// instead of three.
constexpr double k_path_work = 3e7;
// The same without friction: nothing holds up the path there.
constexpr double k_smooth_path_work = 1e9;
// Residual of a plastic impulse, in the fastest contact's speed, beyond which the solver is given
// so many sweeps: what it leaves then has no answer. Larger: clusters that are hard to solve
// approach on by as much.
constexpr double k_give_up = 1e-2;
constexpr int k_most_sweeps = 20'000;
// How many times the tolerance is enough where the solver gets stuck.
constexpr double k_stuck = 10.0;

impact::MultiContactBody multi_contact_body(const Body& body, const motion::State& state) {
    impact::MultiContactBody out;
    out.position = state.position;
    out.v = state.velocity;
    out.w = state.angular_velocity;
    if (body.fixed) return out;
    out.inverse_mass = body.inverse_mass;
    out.inverse_inertia = inverse_inertia_in_world(body, state.orientation);
    return out;
}

}  // namespace

void Cluster::begin(double t) {
    t_ = t;
    index_.clear();
    expanded_.clear();
    contacts_.clear();
    problem_.bodies.clear();
    problem_.contacts.clear();
    start_.clear();
    states_.clear();
    ids_.clear();
    substituted_ = false;
}

std::uint32_t Cluster::place_of(BodyId id) {
    if (index_.has(id)) return index_[id];
    const BodyTrack& track = graph_.track(id);
    index_.set(id, ids_.size());
    ids_.push_back(id);
    expanded_.push_back(track.body->fixed);
    states_.push_back(track.at(t_));
    problem_.bodies.push_back(multi_contact_body(*track.body, states_.back()));
    start_.push_back(problem_.bodies.back());
    return index_[id];
}

void Cluster::add(std::uint32_t i, const Vec3& point, const Vec3& normal) {
    const ContactPair& pair = graph_.pair(i);
    impact::MultiContactPoint contact;
    contact.a = place_of(pair.a);
    contact.b = place_of(pair.b);
    contact.point = point;
    contact.normal = normal;
    contact.law = &impact::law_info(pair.law->law);
    contact.parameters = pair.law->parameters;
    contact.stiffness = pair.law->stiffness;
    contact.power = pair.law->power;
    problem_.contacts.push_back(contact);
    contacts_.push_back({i, impact::contact_velocity(start_, contact), Vec3::Zero()});
}

void Cluster::add_manifold(std::uint32_t i, double within) {
    find_manifold(graph_, graph_.pair(i), t_, within, manifold_);
    for (const ManifoldPoint& p : manifold_)
        add(i, p.middle(), p.normal);
}

void Cluster::expand() {
    const std::size_t count = ids_.size();
    for (std::size_t k = 0; k < count; ++k) {
        if (expanded_[k]) continue;
        check_stop(stop_);
        expanded_[k] = true;
        const BodyId id = ids_[k];
        const BodyTrack& track = graph_.track(id);
        pairs_ = track.pairs;
        std::sort(pairs_.begin(), pairs_.end(),
                  [&](std::uint32_t x, std::uint32_t y) { return graph_.before(x, y); });
        for (const std::uint32_t i : pairs_) {
            const bool known = std::any_of(contacts_.begin(), contacts_.end(),
                                           [&](const Contact& c) { return c.pair == i; });
            if (known) continue;
            const ContactPair& pair = graph_.pair(i);
            // sleepers of a pile are woken by its steps
            const BodyTrack& other = graph_.track(pair.other(id));
            if (other.asleep() && other.slept_in_pile) continue;
            double within = closed_gap(pair);
            if (!pair.contact.active) {
                const double far = track.segment.state.position.cwiseAbs().maxCoeff();
                within = k_touch_tolerances.parted * (far + pair.size);
            }
            add_manifold(i, within);
        }
    }
}

double Cluster::approach_speed() const {
    double most = 0.0;
    for (const impact::MultiContactPoint& contact : problem_.contacts) {
        const Vec3 u = impact::contact_velocity(problem_.bodies, contact);
        most = std::max(most, -u.dot(contact.normal));
    }
    return most;
}

Cluster::Left Cluster::approach_left() const {
    Left left{0.0, 0.0, 0.0, 0, false};
    for (const BodyId id : ids_) {
        const Body& body = *graph_.track(id).body;
        left.driven = left.driven || (body.fixed && !body.still);
    }
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const impact::MultiContactPoint& contact = problem_.contacts[k];
        const Vec3 u = impact::contact_velocity(problem_.bodies, contact);
        const double approach = -u.dot(contact.normal);
        left.before = std::max(left.before, -contacts_[k].u.dot(contact.normal));
        left.fastest = std::max(left.fastest, contacts_[k].u.norm());
        if (!(approach > left.speed)) continue;
        left.speed = approach;
        left.pair = contacts_[k].pair;
    }
    return left;
}

void Cluster::apply(const std::vector<Vec3>& impulses) {
    problem_.bodies = impact::apply_impulses(problem_, impulses);
    for (std::size_t k = 0; k < contacts_.size(); ++k)
        contacts_[k].impulse += impulses[k];
}

void Cluster::resolve_by_law() {
    const impact::MultipleId how = graph_.settings().multiple;
    if (how == impact::MultipleId::sequential) {
        resolve_in_layers();
        return;
    }
    expand_all();
    const impact::MultiContactSolution solution =
        impact::resolve_multiple(how, problem_, settings_of(how));
    substituted_ = !solution.ended;
    if (substituted_) {
        resolve_in_layers();
    } else {
        apply(solution.impulses_W);
    }
}

// Springs of contacts that press on each other rattle on with ever smaller speeds, unless they keep
// all energy: what is slower than micro-bounces is left to the plastic impulse, as in sequence.
impact::MultipleSettings Cluster::settings_of(impact::MultipleId how) const {
    impact::MultipleSettings settings;
    settings.coupled.stop = settings.simultaneous.stop = stop_;
    double slow = 0.0, least_e = 1.0, mu = 0.0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        slow = std::max(slow, graph_.pair(contacts_[k].pair).micro_bounce());
        least_e = std::min(least_e, problem_.contacts[k].parameters.e.value_or(0.0));
        mu = std::max(mu, problem_.contacts[k].parameters.mu.value_or(0.0));
    }
    settings.coupled.path_work = mu > 0.0 ? k_path_work : k_smooth_path_work;
    const double speed = approach_speed();
    const bool keeps_energy = least_e == 1.0 && mu == 0.0;
    if (how != impact::MultipleId::coupled || keeps_energy || !(speed > 0.0) ||
        !graph_.can_last(graph_.pair(contacts_[0].pair)))
        return settings;
    double enough = std::max(0.25 * slow / speed, k_cluster_tolerances.coupled_rest);
    if (contacts_.size() > k_large) enough = std::max(enough, k_cluster_tolerances.large_speed);
    settings.coupled.rest = std::min(enough, 0.5);
    return settings;
}

void Cluster::resolve_in_layers() {
    constexpr int k_most_layers = 1000;
    double slow = 0.0;
    for (const Contact& c : contacts_)
        slow = std::max(slow, graph_.pair(c.pair).micro_bounce());
    double first = 0.0;  // approach speed
    long rounds = 0;
    for (int layer = 0; layer < k_most_layers; ++layer) {
        expand();
        const double speed = approach_speed();
        if (layer == 0) first = speed;
        if (layer > 0 && speed <= slow) return;
        impact::SequentialSettings settings;
        settings.stop = stop_;
        settings.most_rounds = most_rounds(problem_.contacts.size()) - rounds;
        if (settings.most_rounds < 1) return;
        if (slow > 0.0 && graph_.can_last(graph_.pair(contacts_[0].pair))) {
            double enough = 0.25 * slow;
            if (contacts_.size() > k_large)
                enough = std::max(enough, k_cluster_tolerances.large_speed * first);
            if (layer > 0 && speed <= enough) return;
            settings.tolerance = std::clamp(enough / speed, settings.tolerance, 0.5);
        }
        const impact::MultiContactSolution& solution = sequential_.solve(problem_, settings);
        rounds += solution.rounds;
        apply(solution.impulses_W);
        if (std::find(expanded_.begin(), expanded_.end(), false) == expanded_.end()) return;
    }
}

void Cluster::resolve_alone() {
    apply(sequential_.solve(problem_, {}).impulses_W);
}

void Cluster::resolve_plastic() {
    std::vector<impact::ConeBody> bodies;
    for (const impact::MultiContactBody& body : problem_.bodies)
        bodies.push_back({body.v, body.w, body.inverse_mass, body.inverse_inertia});
    std::vector<impact::ConeContact> contacts;
    double fastest = 0.0;
    for (const impact::MultiContactPoint& c : problem_.contacts) {
        const Vec3 u = impact::contact_velocity(problem_.bodies, c);
        fastest = std::max(fastest, u.norm());
        impact::ConeContact& cone = contacts.emplace_back();
        cone.a = c.a;
        cone.b = c.b;
        cone.r_a = c.point - problem_.bodies[c.a].position;
        cone.r_b = c.point - problem_.bodies[c.b].position;
        cone.normal = c.normal;
        cone.mu = c.parameters.mu.value_or(0.0);
    }
    impact::ConeSettings settings;
    settings.stop = stop_;
    const bool large = contacts.size() > k_large;
    settings.tolerance =
        (large ? k_cluster_tolerances.large_residual : k_cluster_tolerances.residual) * fastest;
    settings.enough = k_stuck * settings.tolerance;
    const std::vector<impact::ConeBody> start = bodies;
    if (!(cones_.solve(bodies, contacts, settings).residual <= k_give_up * fastest)) {
        // impulses that go on from here, with the velocities of the start
        bodies = start;
        settings.most_sweeps = k_most_sweeps;
        cones_.solve(bodies, contacts, settings);
    }
    std::vector<Vec3> impulses;
    for (const impact::ConeContact& c : contacts)
        impulses.push_back(c.impulse);
    apply(impulses);
}

const ClusterOutcome& Cluster::outcome() {
    outcome_.bodies.clear();
    outcome_.contacts.clear();
    outcome_.substituted = substituted_;
    for (std::size_t k = 0; k < ids_.size(); ++k)
        outcome_.bodies.push_back(
            {ids_[k], states_[k], problem_.bodies[k].v, problem_.bodies[k].w});
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const impact::MultiContactPoint& c = problem_.contacts[k];
        outcome_.contacts.push_back({contacts_[k].pair, c.point, c.normal, contacts_[k].u,
                                     impact::contact_velocity(problem_.bodies, c),
                                     contacts_[k].impulse});
    }
    return outcome_;
}

}  // namespace carom::world
