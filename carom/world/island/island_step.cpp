// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/island/island_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/island/island_tolerances.h"
#include "carom/world/touch/touch_tolerances.h"
#include "carom/world/touch/touching.h"

namespace carom::world {
namespace {

// Islands of up to so many bodies are always solved to rounding, end their steps where friction
// changes over, and wait for points that land.
constexpr std::size_t k_few_bodies = 2;

}  // namespace

bool IslandStepper::is_slow(const Graph& graph, const std::vector<BodyId>& bodies) {
    const double scale = graph.acceleration_scale(bodies);
    return std::all_of(bodies.begin(), bodies.end(), [&](BodyId id) {
        const BodyTrack& track = graph.track(id);
        return speed_bound_of(*track.body, track.segment.state) <=
               k_island_tolerances.slow * std::sqrt(scale * track.body->radius);
    });
}

void IslandStepper::start_points(const ContactPair& pair, double t, std::vector<PointForce>& out) {
    const PairStates states =
        find_manifold(graph_, pair, t, k_touch_tolerances.manifold_reach * pair.size, manifold_);
    out.clear();
    for (const ManifoldPoint& p : manifold_) {
        PointForce& point = out.emplace_back(PointForce{p.id, Vec3::Zero(), p.gap, false,
                                                        p.middle() - states.a.position,
                                                        p.middle() - states.b.position});
        // one that has come off carries nothing, whatever it did before
        if (p.gap > k_touch_tolerances.closed_gap * pair.size) continue;
        for (const PointForce& last : pair.contact.forces)
            if (last.id == p.id) point.force = last.force;
    }
}

void IslandStepper::take(const Component& component, double t) {
    component_ = &component;
    slow_ = is_slow(graph_, component.bodies);
    scale_ = graph_.acceleration_scale(component.bodies);
    island_.clear();
    index_.clear();
    for (const BodyId id : component.bodies) {
        const BodyTrack& track = graph_.track(id);
        const motion::State state = track.at(t);
        const bool held = track.segment.kind == SegmentKind::held;
        index_.set(id, island_.add_body(*track.body, track.moving, state,
                                        held ? track.segment.lasting.alpha
                                             : free_spin_rate(*track.body, state)));
    }
    for (const std::uint32_t i : component.pairs) {
        const ContactPair& pair = graph_.pair(i);
        bool bounded = true;
        for (const BodyId id : {pair.a, pair.b}) {
            const BodyTrack& track = graph_.track(id);
            bounded = bounded && !track.body->unbounded;
            if (index_.has(id)) continue;
            index_.set(id, island_.add_body(*track.body, track.moving, track.at(t), Vec3::Zero()));
        }
        island_.add_contact({index_[pair.a], index_[pair.b], i, pair.mu(),
                             pair.restitution_threshold(), pair.size, bounded,
                             k_touch_tolerances.manifold_reach * pair.size, &pair.memory,
                             &pair.contact.forces, pair.contact.t1 == t, 0, 0, 0, 0});
    }
}

const IslandOutcome& IslandStepper::step(const Component& component, double t, bool may_rest) {
    take(component, t);
    out_.t = t;
    out_.h = solve_with_control(t, first_length());
    out_.in_balance = may_rest && in_balance(out_.h);
    out_.overlap = {};
    give_contacts(out_.h);
    give_bodies(t, out_.h);
    return out_;
}

// How long a step to try: as the last one, and no longer than what turns allows.
double IslandStepper::first_length() const {
    constexpr double k_of_turn = 0.95;  // it may turn faster at the end
    double h = k_forever;
    for (std::size_t k = 0; k < component_->bodies.size(); ++k) {
        const IslandBody& body = island_.bodies()[k];
        const BodyTrack& track = graph_.track(component_->bodies[k]);
        const double unit = std::sqrt(track.body->radius / scale_);
        h = std::min(
            h, track.last_step > 0.0 ? track.last_step : k_island_tolerances.first_step * unit);
        h = std::min(h, k_island_tolerances.longest_step * unit);
        const double spin = is_ball(*body.body) ? 0.0 : body.start.angular_velocity.norm();
        if (spin * h > k_of_turn * k_island_tolerances.longest_turn)
            h = k_of_turn * k_island_tolerances.longest_turn / spin;
    }
    return h;
}

impact::ConeSettings IslandStepper::cone_settings(double h) const {
    double fastest = 0.0;
    for (const BodyId id : component_->bodies)
        fastest = std::max(fastest, graph_.track(id).segment.state.velocity.norm());
    const std::size_t bodies = component_->bodies.size();
    const bool exact = bodies <= k_few_bodies || (bodies <= k_exact_bodies && slow_);
    const double g_h = scale_ * h;
    impact::ConeSettings settings;
    settings.stop = stop_;
    settings.most_sweeps = exact ? 200 : 50;
    const double residual =
        exact ? k_island_tolerances.exact_residual : k_island_tolerances.large_residual;
    settings.tolerance = std::max(residual * g_h, k_island_tolerances.moving_residual * fastest);
    settings.enough = std::max(settings.tolerance, k_island_tolerances.stuck_residual * g_h);
    return settings;
}

// The velocities after a step of the length h; what the solver leaves of their conditions, in sizes
// of the smallest body a second. Where it gets stuck with what hardly moves, so far off that it
// counts, it is given more time: what it leaves there would set things in motion.
double IslandStepper::solve_velocities(double h) {
    constexpr int k_more_sweeps = 2000;
    constexpr double k_counts = 0.1;  // of the error that is allowed
    double smallest = k_forever;
    for (const BodyId id : component_->bodies)
        smallest = std::min(smallest, graph_.track(id).body->radius);
    impact::ConeSettings settings = cone_settings(h);
    const Vec3& gravity = graph_.settings().gravity;
    double left = island_.solve(h, h, gravity, settings).residual;
    if (h * left > k_counts * k_island_tolerances.gap * smallest && slow_) {
        settings.most_sweeps = k_more_sweeps;
        settings.enough = std::max(settings.tolerance,
                                   0.1 * k_island_tolerances.balance_acceleration * scale_ * h);
        left = island_.solve(h, h, gravity, settings).residual;
    }
    out_.left = left;
    return left > settings.tolerance ? left / smallest : 0.0;
}

// Solves a step of the length h or, where that goes wrong, a shorter one; returns its length.
double IslandStepper::solve_with_control(double t, double h) {
    constexpr double k_too_much = 4.0;
    constexpr double k_shortest = 1.0 / 64.0;
    // a step that is cut short has the forces of a longer one: it is not to be much longer than
    // till the next corner lands
    constexpr double k_well_before = 0.9, k_behind = 1.01;
    const double shortest = k_shortest * h;
    const bool few = component_->bodies.size() <= k_few_bodies;
    double error = 0.0;
    island_.wait_for_landings(few);
    for (;;) {
        check_stop(stop_);
        island_.look(t, h);
        const double landing = island_.first_landing();
        if (landing < k_well_before * h && h > shortest) {
            h = std::max(k_behind * landing, shortest);
            continue;
        }
        const double left = solve_velocities(h);
        const double way = island_.way(h);
        if (way > 1.0 && h > shortest) {
            h *= std::clamp(0.9 / way, 0.25, 0.8);
            continue;
        }
        error = std::max(island_.look_end(t, h), h * left) / k_island_tolerances.gap;
        if (!(error > k_too_much && h > shortest)) break;
        h *= std::clamp(0.9 / std::sqrt(error), 0.1, 0.5);
    }
    out_.next_step = h * std::clamp(0.9 / std::sqrt(std::max(error, 1e-300)), 0.5, 1.5);
    if (!few) return h;
    const double located = locate_stop(t, h, cone_settings(h));
    if (located == h || !(island_.look_end(t, located) > k_too_much * k_island_tolerances.gap))
        return located;
    // with the slip that stops something else goes wrong
    island_.look(t, h);
    solve_velocities(h);
    island_.look_end(t, h);
    return h;
}

// Where a slip ends within the step the step ends there.
double IslandStepper::locate_stop(double t, double h, const impact::ConeSettings& settings) {
    // what stops earlier than that counts as stopped at the start
    constexpr double k_least = 1e-4;
    const double whole = h;
    const auto again = [&](double length) {
        island_.look(t, length);
        island_.solve(length, whole, graph_.settings().gravity, settings);
    };
    while (h > k_least * whole) {
        check_stop(stop_);
        const std::optional<Island::Stop> stop = island_.stop(h);
        if (!stop) return h;
        const double half = 0.5 * h;
        again(half);
        const double left = island_.slip_after(*stop);
        const double when = left < stop->slip ? half * stop->slip / (stop->slip - left) : h;
        if (island_.stop(half)) {
            h = half;
            continue;
        }
        if (!(when < h)) {
            again(h);
            return h;
        }
        again(when);
        return when;
    }
    again(whole);
    return whole;
}

// Whether nothing moves and, as the step shows, nothing will.
bool IslandStepper::in_balance(double h) const {
    const double g = scale_;
    for (std::size_t k = 0; k < component_->bodies.size(); ++k) {
        const IslandBody& body = island_.bodies()[k];
        const double r = body.body->radius;
        const double still = k_island_tolerances.balance_speed * std::sqrt(g * r);
        const Vec3 dv = body.v1 - body.start.velocity;
        const Vec3 dw = body.w1 - body.start.angular_velocity;
        if (body.start.velocity.norm() + r * body.start.angular_velocity.norm() > still)
            return false;
        if (dv.norm() + r * dw.norm() > k_island_tolerances.balance_acceleration * g * h)
            return false;
    }
    return true;
}

}  // namespace carom::world
