// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What the impulses of a step of a pile, found with straight ways, really lead to: see pile_step.h.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pile/pile_step.h"

namespace carom::world {
namespace {

// The most, in sizes, that one correction asks for, and how deep an overlap is seen as it is.
constexpr double k_most_missing = 0.05;
constexpr double k_deepest = 0.02;

// The state after a flight of length h from `from` on, whose velocity in its middle is v. The
// angular velocity w at its start is taken to be that of its middle: exact where it is constant, as
// of balls and cubes, else to the third order in h.
motion::State after(const Body& body, const motion::State& from, const Vec3& v, Vec3 w, double h) {
    motion::State end = from;
    end.position += h * v;
    if (!body.isotropic) {
        const Vec3 w_body = from.orientation.conjugate() * w;
        const Vec3 turned = (body.inertia->tensor() * w_body).cross(w_body);
        w += 0.5 * h * (from.orientation * (body.inverse_inertia * turned));
    }
    const double angle = h * w.norm();
    if (angle > 0.0) {
        const motion::Quat turn(Eigen::AngleAxisd(angle, w.normalized()));
        end.orientation = (turn * from.orientation).normalized();
    }
    return end;
}

double normal_velocity(const impact::ConeContact& c, const std::vector<impact::ConeBody>& bodies) {
    const impact::ConeBody& a = bodies[c.a];
    const impact::ConeBody& b = bodies[c.b];
    return c.normal.dot(a.v + a.w.cross(c.r_a) - b.v - b.w.cross(c.r_b));
}

// A ball looks the same however it is turned.
motion::State shifted(const motion::State& from, const Vec3& way) {
    motion::State to = from;
    to.position += way;
    return to;
}

Vec3 place_before(const Vec3& place, const motion::State& end, const motion::State& start) {
    return start.position +
           start.orientation * (end.orientation.conjugate() * (place - end.position));
}

}  // namespace

const PileStepper::PileInstant PileStepper::k_end_of_step{&PileBody::end, &PilePair::end, 1.0};
const PileStepper::PileInstant PileStepper::k_middle_of_step{&PileBody::middle, &PilePair::middle,
                                                             0.5};

// How far and fast all bodies go with the impulses at hand; where that takes them is found when it
// is asked for.
void PileStepper::find_travel() {
    ++round_;
    for (std::size_t k = 0; k < ids_.size(); ++k) {
        PileBody& seen = bodies_[k];
        const impact::ConeBody& body = cone_bodies_[k];
        const double w = seen.ball ? 0.0 : body.w.norm();
        seen.turn = h_ * w;
        seen.speed = body.v.norm() + (seen.ball ? 0.0 : seen.radius * w);
        seen.displacement += h_ * (body.v - seen.v).norm();
        if (!seen.ball) seen.displacement += h_ * seen.radius * (body.w - seen.w).norm();
        seen.v = body.v;
        seen.w = body.w;
    }
}

// Middle and end of the flight of a body.
void PileStepper::find_end(std::uint32_t k, BodyId id) {
    PileBody& seen = bodies_[k];
    if (seen.round == round_) return;
    seen.round = round_;
    if (k >= ids_.size()) {
        seen.middle = graph_.track(id).at(t_ + 0.5 * h_);
        seen.end = graph_.track(id).at(t_ + h_);
        return;
    }
    const Body& body = *graph_.track(id).body;
    const Vec3& v = cone_bodies_[k].v;
    const Vec3& w = cone_bodies_[k].w;
    const Vec3 slower = v - 0.5 * half_fall_;  // in the first half of a flight
    seen.middle = seen.ball ? shifted(seen.state, 0.5 * h_ * slower)
                            : after(body, seen.state, slower, w, 0.5 * h_);
    seen.end = seen.ball ? shifted(seen.state, h_ * v) : after(body, seen.state, v, w, h_);
}

// By how much the gap of a pair can be other than with straight ways, at the end of the flight; m.
double PileStepper::bend_of(const PilePair& seen) const {
    const PileBody& a = bodies_[seen.a];
    const PileBody& b = bodies_[seen.b];
    const double way = h_ * (cone_bodies_[seen.a].v - cone_bodies_[seen.b].v).norm();
    if (a.ball && b.ball) return 0.5 * way * way / seen.size;
    const auto lift = [](double angle, double radius) {
        return angle > 0.0 ? 0.5 * angle * angle * radius : 0.0;
    };
    return lift(a.turn, a.radius) + lift(b.turn, b.radius) + (a.turn + b.turn) * way;
}

// Whether a pair that touches or will, neither of which is a ball, slides by more than a little.
bool PileStepper::slides_far(const PilePair& seen) const {
    constexpr double k_little = 2e-3;  // sizes
    const PileBody& a = bodies_[seen.a];
    const PileBody& b = bodies_[seen.b];
    if (a.ball || b.ball) return false;
    const double way = h_ * (cone_bodies_[seen.a].v - cone_bodies_[seen.b].v).norm() +
                       (a.turn > 0.0 ? a.turn * a.radius : 0.0) +
                       (b.turn > 0.0 ? b.turn * b.radius : 0.0);
    return way > k_little * seen.size && seen.least < way;
}

// Asks for what is missing where the pairs end, and in the middle of their flights, where a gap
// that bends upwards is smallest; false when nothing is. Less than `least`, in sizes, is let be.
// What slides may come above other features than those that it was above at the start: it is looked
// at too if `slides`.
bool PileStepper::correct(double least, bool slides) {
    find_travel();
    searches_.clear();
    for (PilePair& seen : pairs_)
        if (!seen.by_law && seen.first != k_no_point) plan_looks(seen, least * seen.size, slides);
    searches_.find(stop_);
    bool missing = false;
    for (PilePair& seen : pairs_) {
        const double enough = least * seen.size;
        if (seen.by_law) continue;
        if (seen.first == k_no_point) {
            missing |= take_fresh(seen);
            if (seen.first == k_no_point) continue;
            plan_looks(seen, enough, slides);
            searches_.find(stop_);
        }
        missing |= take_look(seen, k_end_of_step, enough);
        missing |= take_look(seen, k_middle_of_step, enough);
    }
    return missing;
}

// A pair that was too far apart for the velocities at the start of the step, and is not for those
// that the impulses have led to, gets its points; true when one of them lacks something.
bool PileStepper::take_fresh(PilePair& seen) {
    const PileBody& a = bodies_[seen.a];
    const PileBody& b = bodies_[seen.b];
    const double reach = reach_of(a, b);
    if (seen.separation > reach) return false;
    const ContactPair& pair = graph_.pair(seen.pair);
    const std::uint32_t search =
        searches_.add({&graph_.track(pair.a).moving, &a.state, &graph_.track(pair.b).moving,
                       &b.state, reach, &pair.memory});
    searches_.find(stop_);
    const std::span<const ManifoldPoint> manifold = searches_.points(search);
    ++queries_;
    seen.separation = reach;
    if (span_.by_law && hard_approach(seen, manifold).speed > 0.0) {
        seen.by_law = true;
        return false;
    }
    bool missing = false;
    for (const ManifoldPoint& p : manifold) {
        const std::uint32_t k = add_point(seen, p, p.middle());
        cone_contacts_[k].least = target_velocity(k);
        seen.least = std::min(seen.least, p.gap);
        missing |= missing_velocity(k) > 0.0;
    }
    return missing;
}

// The pair is to be looked at where it is at the end of the step and in its middle, unless the bend
// of its gap does not matter there, or what was seen there before cannot have changed enough since.
void PileStepper::plan_looks(PilePair& seen, double enough, bool slides) {
    // the part of the bend by which the gap can be smaller in the middle
    constexpr double k_dip = 0.25;
    const double bend = bend_of(seen);
    const double displacement = bodies_[seen.a].displacement + bodies_[seen.b].displacement;
    const ContactPair& pair = graph_.pair(seen.pair);
    const auto plan = [&](const PileInstant& at) {
        PileLook& look = seen.*at.look;
        look.allowed = gap_after(std::min(seen.least, 0.0), seen.size, at.part * h_);
        const double below = look.allowed - enough;
        if (look.gap - (displacement - look.displacement) >= below) return;
        find_end(seen.a, pair.a);
        find_end(seen.b, pair.b);
        const motion::State& state_a = bodies_[seen.a].*at.then;
        const motion::State& state_b = bodies_[seen.b].*at.then;
        look.gap = (state_a.position - state_b.position).norm() - bodies_[seen.a].radius -
                   bodies_[seen.b].radius;
        look.displacement = displacement;
        if (look.gap > below) return;
        look.gap = k_deepest * seen.size;
        look.search =
            searches_.add({&graph_.track(pair.a).moving, &state_a, &graph_.track(pair.b).moving,
                           &state_b, look.gap, &pair.memory});
    };
    if (!(bend <= enough) || (slides && slides_far(seen))) plan(k_end_of_step);
    if (!(k_dip * bend <= enough)) plan(k_middle_of_step);
}

// Asks for what is missing where the pair has been looked at; false when nothing is.
bool PileStepper::take_look(PilePair& seen, const PileInstant& at, double enough) {
    PileLook& look = seen.*at.look;
    if (look.search == k_no_search) return false;
    const double ahead = at.part * h_;
    const double below = look.allowed - enough;
    ++queries_;
    bool missing = false;
    for (const ManifoldPoint& p : searches_.points(look.search)) {
        look.gap = std::min(look.gap, p.gap);
        if (p.gap >= below) continue;
        correct_point(seen, p, at.then, (look.allowed - p.gap) / ahead);
        missing = true;
    }
    look.search = k_no_search;
    return missing;
}

// A point has to part faster by `missing`.
void PileStepper::correct_point(PilePair& seen, const ManifoldPoint& p,
                                motion::State PileBody::*then, double missing) {
    std::uint32_t k = seen.first;
    while (k != k_no_point && points_[k].id != p.id)
        k = points_[k].next;
    if (k == k_no_point) {
        const PileBody& a = bodies_[seen.a];
        const PileBody& b = bodies_[seen.b];
        const Vec3 on_a = place_before(p.on_a, a.*then, a.state);
        const Vec3 on_b = place_before(p.on_b, b.*then, b.state);
        k = add_point(seen, p, 0.5 * (on_a + on_b));
        points_[k].gap = p.normal.dot(on_a - on_b);
        cone_contacts_[k].least = -std::numeric_limits<double>::max();
    }
    impact::ConeContact& c = cone_contacts_[k];
    const double u_n = normal_velocity(c, cone_bodies_);
    const double most = k_most_missing * seen.size / h_;
    c.least = std::max(c.least, u_n + std::min(missing, most));
}

// The deepest overlap, in sizes, that the impulses would leave at the end of the step beyond what
// is allowed.
double PileStepper::overlap_left() const {
    double worst = 0.0;
    for (std::size_t k = 0; k < cone_contacts_.size(); ++k)
        worst = std::max(worst, h_ * missing_velocity(k) / points_[k].size);
    return worst;
}

PileStepper::Left PileStepper::approach_left() const {
    Left left;
    const auto is_driven = [](const PileBody& body) { return body.driven; };
    if (std::none_of(bodies_.begin(), bodies_.end(), is_driven)) return left;
    for (const PilePair& seen : pairs_) {
        const bool driven = bodies_[seen.a].driven || bodies_[seen.b].driven;
        for (std::uint32_t k = seen.first; k != k_no_point; k = points_[k].next) {
            left.driven = left.driven || (driven && !cone_contacts_[k].impulse.isZero(0.0));
            const double missing = missing_velocity(k);
            if (!(missing > left.speed)) continue;
            left.speed = missing;
            left.pair = seen.pair;
        }
    }
    return left;
}

// What a point lacks of the normal velocity it has to part with, m/s.
double PileStepper::missing_velocity(std::size_t k) const {
    const impact::ConeContact& c = cone_contacts_[k];
    return c.least - normal_velocity(c, cone_bodies_);
}

}  // namespace carom::world
