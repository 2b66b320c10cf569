// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/constrained_step.h"

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/constrained/level_joint.h"
#include "carom/world/touch/contact_point.h"
#include "carom/world/touch/touching.h"

namespace carom::world {
namespace {

// The acceleration of a body that moves as it is told: w x (v - V), with V the velocity of its
// axis.
Vec3 prescribed_acceleration(const Body& body, const motion::State& state) {
    return state.angular_velocity.cross(state.velocity - body.prescribed->axis_velocity());
}

// Gap up to which points of a pair touch: of a loose contact as far as those that carried in its
// last step were apart. They are held at their gaps.
double touching_gap(const ContactPair& pair) {
    constexpr double k_more = 1.001;  // other features of the same faces
    double gap = k_constrained_tolerances.touching * pair.size;
    if (!pair.contact.loose) return gap;
    for (const PointForce& point : pair.contact.forces)
        if (!point.force.isZero(0.0)) gap = std::max(gap, k_more * point.gap);
    return std::min(gap, closed_gap(pair));
}

// Speed (m/s) below which a point that touches does not move along its normal.
double slow_speed(const ContactPair& pair, double acceleration) {
    return k_constrained_tolerances.approach * std::sqrt(acceleration * pair.size);
}

}  // namespace

void ConstrainedStepper::take_body(BodyId id, double t) {
    if (index_.has(id)) return;
    const BodyTrack& track = graph_.track(id);
    index_.set(id, static_cast<std::uint32_t>(ids_.size()));
    ids_.push_back(id);
    ConstrainedBody body{track.body, track.at(t)};
    if (track.body->fixed) body.a = prescribed_acceleration(*track.body, body.state);
    system_.bodies.push_back(body);
}

void ConstrainedStepper::place_kinematic(double t) {
    for (std::size_t i = free_count_; i < ids_.size(); ++i) {
        ConstrainedBody& body = system_.bodies[i];
        if (body.body->still) continue;
        body.state = body.body->prescribed->at(t);
        body.a = prescribed_acceleration(*body.body, body.state);
    }
}

bool ConstrainedStepper::take(const Component& component, double t) {
    component_ = &component;
    index_.clear();
    ids_.clear();
    contacts_.clear();
    doubtful_.clear();
    system_.bodies.clear();
    system_.points.clear();
    system_.gravity = graph_.settings().gravity;
    system_.scale = graph_.acceleration_scale(component.bodies);
    system_.length = k_forever;
    for (const BodyId id : component.bodies) {
        take_body(id, t);
        system_.length = std::min(system_.length, graph_.track(id).body->radius);
    }
    free_count_ = ids_.size();
    const double speed = std::sqrt(system_.scale * system_.length);
    const ConstrainedTolerances& tolerance = k_constrained_tolerances;
    system_.no_slip = tolerance.slip * speed;
    system_.small_slip = tolerance.small_slip * speed;
    for (const std::uint32_t i : component.pairs) {
        take_body(graph_.pair(i).a, t);
        take_body(graph_.pair(i).b, t);
    }
    before_.clear();
    for (std::size_t i = 0; i < free_count_; ++i)
        before_.push_back(system_.bodies[i].state);
    return std::all_of(component.pairs.begin(), component.pairs.end(),
                       [&](std::uint32_t i) { return take_points(i, t); }) &&
           take_doubtful();
}

// The points in which a pair touches. False where one cannot be followed.
bool ConstrainedStepper::take_points(std::uint32_t i, double t) {
    // manifolds reach farther than what touches, so that faces that are level to rounding are seen
    // as such
    constexpr double k_reach = 1e3;
    // the tracked point is the manifold's, which may have the normal of a nearly parallel face
    constexpr double k_same_normal = 0.1;
    const ContactPair& pair = graph_.pair(i);
    const BodyTrack& a = graph_.track(pair.a);
    const BodyTrack& b = graph_.track(pair.b);
    // one body alone comes down where islands have left it
    const double exact = k_constrained_tolerances.touching * pair.size;
    const double touching = free_count_ > 1 ? touching_gap(pair) : exact;
    const double reach = k_reach * exact;
    const PairStates states = find_manifold(graph_, pair, t, std::max(reach, touching), manifold_);
    Contact contact{};
    contact.pair = i;
    contact.a = index_[pair.a];
    contact.b = index_[pair.b];
    contact.first = system_.points.size();
    contact.normal = pair.contact.normal;
    const auto add = [&](const ContactTrack& track) {
        ConstrainedPoint point{};
        point.a = contact.a;
        point.b = contact.b;
        point.contact = static_cast<std::uint32_t>(contacts_.size());
        point.track = track;
        point.mu = pair.mu();
        point.size = pair.size;
        point.at = contact_state(track, states.a, states.b);
        if (point.at.gap > touching) return;
        if (point.at.gap > exact) {
            // what is held apart does not come down
            const Vec3 u = velocity_at(states.a, point.at.x) - velocity_at(states.b, point.at.x);
            if (-u.dot(point.at.n) > pair.restitution_threshold()) return;
        }
        // what leaves its face or edge is followed by another point
        const double beyond = k_constrained_tolerances.beyond * pair.size;
        if (point.at.inside < -beyond) return;
        if (point.at.inside < -0.5 * beyond && point.at.inside_rate < 0.0) return;
        for (std::size_t k = contact.first; k < system_.points.size(); ++k)
            if (is_same(system_.points[k].track, track, pair.size) ||
                is_same_place(system_.points[k].at, point.at, pair.size))
                return;
        point.gap = point.at.gap;
        system_.points.push_back(point);
    };
    bool rim = false;
    for (const ManifoldPoint& p : manifold_) {
        const std::optional<ContactTrack> track =
            track_contact(p, a.moving, states.a, b.moving, states.b);
        if (!track) {
            doubtful_.push_back({i, p});
            continue;
        }
        const ContactState at = contact_state(*track, states.a, states.b);
        // edges that are all but parallel cross anywhere
        if (!at.x_rate.allFinite() || !at.n_rate.allFinite()) return false;
        if (!((at.n - p.normal).norm() <= k_same_normal)) return false;
        const double deepest = pair.contact.loose ? k_constrained_tolerances.loose_overlap
                                                  : k_constrained_tolerances.overlap;
        if (at.gap < -deepest * pair.size) return false;
        add(*track);
        if (rim) continue;
        const std::optional<ContactTrack> fastest =
            track_fastest_of_rim(p, a.moving, states.a, b.moving, states.b);
        if (fastest) add(*fastest);
        rim = rim || fastest;
    }
    contact.count = system_.points.size() - contact.first;
    contacts_.push_back(contact);
    return true;
}

// Whether the points that cannot be followed need not be.
bool ConstrainedStepper::take_doubtful() {
    return std::all_of(doubtful_.begin(), doubtful_.end(), [&](const Doubtful& doubtful) {
        const ContactPair& pair = graph_.pair(doubtful.pair);
        const JointPoint point{doubtful.point.id, doubtful.point.normal,
                               system_.bodies[index_[pair.a]].state,
                               system_.bodies[index_[pair.b]].state};
        return is_at_level_joint(graph_, system_, pair, point, slow_speed(pair, system_.scale));
    });
}

// Points that come down are due for an impact: false. Points that part carry nothing and are left
// out.
bool ConstrainedStepper::sort_out_moving(bool wedged) {
    landing_speed_ = 0.0;
    for (Contact& contact : contacts_) {
        const ContactPair& pair = graph_.pair(contact.pair);
        const auto speed = [&](std::uint32_t k) {
            const ConstrainedBody& body = system_.bodies[k];
            return body.body->fixed ? body.state.velocity.norm()
                                    : speed_bound_of(*body.body, body.state);
        };
        const double rounding = 16.0 * k_ulp * (speed(contact.a) + speed(contact.b));
        const double slow = wedged ? k_constrained_tolerances.wedged * pair.restitution_threshold()
                                   : slow_speed(pair, system_.scale);
        const double none = std::max(slow, rounding);
        for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
            ConstrainedPoint& p = system_.points[k];
            const double apart = p.u.dot(p.at.n);
            const JointPoint point{p.track.id, p.at.n, system_.bodies[contact.a].state,
                                   system_.bodies[contact.b].state};
            if (apart < -none &&
                is_at_level_joint(graph_, system_, pair, point, slow_speed(pair, system_.scale))) {
                p.contact = k_no_contact_;
                continue;
            }
            if (apart < -none && -apart > landing_speed_) {
                landing_speed_ = -apart;
                landing_pair_ = contact.pair;
                landing_point_ = p.at.x;
                landing_normal_ = p.at.n;
            }
            if (apart > none) p.contact = k_no_contact_;
        }
    }
    if (landing_speed_ > 0.0) {
        find_landing_point();
        return false;
    }
    std::vector<ConstrainedPoint>& points = system_.points;
    std::erase_if(points, [](const ConstrainedPoint& p) { return p.contact == k_no_contact_; });
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        const auto mine = [&](const ConstrainedPoint& p) { return p.contact == c; };
        contacts_[c].first = static_cast<std::size_t>(
            std::find_if(points.begin(), points.end(), mine) - points.begin());
        contacts_[c].count =
            static_cast<std::size_t>(std::count_if(points.begin(), points.end(), mine));
    }
    return true;
}

// Where the pair that lands is hit: of the points that come down equally fast the middle, as where
// bodies first touch (touch/contact_point.h).
void ConstrainedStepper::find_landing_point() {
    constexpr double k_equal = 1e-6;
    Vec3 sum = Vec3::Zero();
    double count = 0.0;
    for (const ConstrainedPoint& p : system_.points) {
        if (p.contact >= contacts_.size() || contacts_[p.contact].pair != landing_pair_) continue;
        if (-p.u.dot(p.at.n) < (1.0 - k_equal) * landing_speed_) continue;
        if (p.at.n.dot(landing_normal_) < 1.0 - k_equal) continue;
        sum += p.at.x;
        count += 1.0;
    }
    if (count > 1.0) landing_point_ = sum / count;
}

// The modes that the step which has just ended left, where it ended by its length alone.
bool ConstrainedStepper::recall_modes(double t) {
    const double none = system_.no_slip;
    for (const Contact& contact : contacts_) {
        const PersistentContact& last = graph_.pair(contact.pair).contact;
        if (!last.exact || !last.goes_on || last.t1 != t) return false;
        for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
            ConstrainedPoint& p = system_.points[k];
            const auto same = std::find_if(last.forces.begin(), last.forces.end(),
                                           [&](const PointForce& f) { return f.id == p.track.id; });
            if (same == last.forces.end()) return false;
            const Vec3 slip = tangential(p.u, p.at.n);
            const double speed = slip.norm();
            p.mode = PointMode::open;
            if (same->force.isZero(0.0)) continue;
            p.mode = same->slips ? PointMode::slides : PointMode::sticks;
            if (same->slips != (speed > none) && p.mu > 0.0) return false;
            if (speed > 0.0) p.slip = slip / speed;
        }
    }
    return true;
}

// Whether nothing moves and, with the forces there are, nothing will.
bool ConstrainedStepper::rests() const {
    const double g = system_.scale;
    for (std::size_t i = 0; i < free_count_; ++i) {
        const ConstrainedBody& body = system_.bodies[i];
        const double r = body.body->radius;
        if (speed_bound_of(*body.body, body.state) >
            k_constrained_tolerances.rest_speed * std::sqrt(g * r))
            return false;
        if (body.a.norm() + r * body.alpha.norm() > k_constrained_tolerances.rest_acceleration * g)
            return false;
    }
    return true;
}

ConstrainedResult ConstrainedStepper::step(const Component& component, double t, bool may_rest,
                                           bool wedged) {
    if (!take(component, t)) return ConstrainedResult::refused;
    system_.begin();
    system_.look();
    if (!sort_out_moving(wedged)) return ConstrainedResult::lands;
    const bool goes_on = recall_modes(t) && system_.solve() && system_.open_points_stay_open() &&
                         system_.is_valid(stop_);
    if (!goes_on && !system_.find_modes(stop_)) return ConstrainedResult::refused;
    system_.project_velocities(true, !goes_on);
    for (const ConstrainedPoint& p : system_.points)
        contacts_[p.contact].correction += p.correction;
    system_.look();
    system_.find_small_slips();
    if (!system_.solve() || !system_.accept_forces(stop_)) return ConstrainedResult::refused;
    if (may_rest && rests()) {
        give_rest(t);
        return ConstrainedResult::rests;
    }
    start_.clear();
    a_start_.clear();
    alpha_start_.clear();
    for (std::size_t i = 0; i < free_count_; ++i) {
        start_.push_back(system_.bodies[i].state);
        a_start_.push_back(system_.bodies[i].a);
        alpha_start_.push_back(system_.bodies[i].alpha);
    }
    note_start();
    if (std::all_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.open; })) {
        give_flight(t);
        return ConstrainedResult::moves;
    }
    double h = integrate(t, first_length(t));
    if (!(h > 0.0)) return ConstrainedResult::refused;
    double change = std::min(first_change(t, h), landing_.first(contacts_, t, h));
    change = std::min(change, landing_.first_overlap(contacts_, t, std::min(h, change)));
    constexpr double k_much = 100.0;
    const double shortest =
        k_constrained_tolerances.shortest_step * std::sqrt(system_.length / system_.scale);
    if (!(change > shortest)) return ConstrainedResult::refused;
    if (change < h) {
        h = change;
        const bool found = try_step(t, h) < k_forever && finish_step(t, h);
        if (!found || displacement_ > k_much) return ConstrainedResult::refused;
    }
    if (energy_added(h) > 1.0) return ConstrainedResult::refused;
    changes_ = change < k_forever;
    give(t, h);
    return ConstrainedResult::moves;
}

}  // namespace carom::world
