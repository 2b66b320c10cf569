// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Where the step of a crowd ends: what its impulses, found with straight ways, really lead to.
//
// Turning bends gaps, and brings other features together than those that the step began with. So
// the pairs for which that can matter are looked at where their bodies will be at the end of the
// flight, and where turning bends a gap upwards in its middle too. Where a gap is below what it may
// be after the time s, its point has to part faster by what is missing:
//     u_n >= u_n now + (gap allowed - gap then) / s,
// and features that were not there before are points from then on. Each correction is a Newton step
// for the gaps at the end; the impulses go on from where they are.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

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

const PairEngine::CrowdInstant PairEngine::k_end_of_step{&CrowdBody::end, &CrowdPair::end, 1.0};
const PairEngine::CrowdInstant PairEngine::k_middle_of_step{&CrowdBody::middle, &CrowdPair::middle,
                                                            0.5};

// How far and fast all bodies go with the impulses at hand; where that takes them is found when it
// is asked for.
void PairEngine::find_crowd_ways(double h) {
    ++crowd_round_;
    for (std::size_t k = 0; k < crowd_.size(); ++k) {
        CrowdBody& seen = crowd_movers_[k];
        const impact::ConeBody& body = crowd_bodies_[k];
        const double w = seen.ball ? 0.0 : body.w.norm();
        seen.turn = h * w;
        seen.speed = body.v.norm() + (seen.ball ? 0.0 : seen.radius * w);
        seen.strayed += h * (body.v - seen.v).norm();
        if (!seen.ball) seen.strayed += h * seen.radius * (body.w - seen.w).norm();
        seen.v = body.v;
        seen.w = body.w;
    }
}

// Middle and end of the flight of a body.
void PairEngine::find_crowd_end(std::uint32_t k, BodyId id, double t, double h) {
    CrowdBody& seen = crowd_movers_[k];
    if (seen.round == crowd_round_) return;
    seen.round = crowd_round_;
    if (k >= crowd_.size()) {
        seen.middle = movers_[id]->at(t + 0.5 * h);
        seen.end = movers_[id]->at(t + h);
        return;
    }
    const Body& body = *movers_[id]->body;
    const Vec3& v = crowd_bodies_[k].v;
    const Vec3& w = crowd_bodies_[k].w;
    const Vec3 slower = v - 0.5 * crowd_fall_;  // in the first half of a flight
    seen.middle = seen.ball ? shifted(seen.state, 0.5 * h * slower)
                            : after(body, seen.state, slower, w, 0.5 * h);
    seen.end = seen.ball ? shifted(seen.state, h * v) : after(body, seen.state, v, w, h);
}

// By how much the gap of a pair can be other than with straight ways, at the end of the flight; m.
double PairEngine::crowd_bend(const CrowdPair& seen, double h) const {
    const CrowdBody& a = crowd_movers_[seen.a];
    const CrowdBody& b = crowd_movers_[seen.b];
    const double way = h * (crowd_bodies_[seen.a].v - crowd_bodies_[seen.b].v).norm();
    if (a.ball && b.ball) return 0.5 * way * way / seen.size;
    const auto lift = [](double angle, double radius) {
        return angle > 0.0 ? 0.5 * angle * angle * radius : 0.0;
    };
    return lift(a.turn, a.radius) + lift(b.turn, b.radius) + (a.turn + b.turn) * way;
}

// Whether a pair that touches or will, neither of which is a ball, slides by more than a little.
bool PairEngine::slides_far(const CrowdPair& seen, double h) const {
    constexpr double k_little = 2e-3;  // sizes
    const CrowdBody& a = crowd_movers_[seen.a];
    const CrowdBody& b = crowd_movers_[seen.b];
    if (a.ball || b.ball) return false;
    const double way = h * (crowd_bodies_[seen.a].v - crowd_bodies_[seen.b].v).norm() +
                       (a.turn > 0.0 ? a.turn * a.radius : 0.0) +
                       (b.turn > 0.0 ? b.turn * b.radius : 0.0);
    return way > k_little * seen.size && seen.least < way;
}

// Asks for what is missing where the pairs end, and in the middle of their flights, where a gap
// that bends upwards is smallest; false when nothing is. Less than `least`, in sizes, is let be.
// What slides may come above other features than those that it was above at the start: it is looked
// at too if `slides`.
bool PairEngine::correct_crowd(double t, double h, double least, bool slides) {
    // the part of the bend by which the gap can be smaller in the middle
    constexpr double k_dip = 0.25;
    find_crowd_ways(h);
    bool missing = false;
    for (CrowdPair& seen : crowd_pairs_) {
        check_stop();
        const double enough = least * seen.size;
        if (seen.first == k_no_point) missing |= take_fresh(seen, h);
        if (seen.first == k_no_point) continue;
        const double bend = crowd_bend(seen, h);
        if (!(bend <= enough) || (slides && slides_far(seen, h)))
            missing |= correct_crowd_pair(seen, k_end_of_step, t, h, enough);
        if (!(k_dip * bend <= enough))
            missing |= correct_crowd_pair(seen, k_middle_of_step, t, h, enough);
    }
    return missing;
}

// A pair that was too far apart for the velocities at the start of the step, and is not for those
// that the impulses have led to, gets its points; true when one of them lacks something.
bool PairEngine::take_fresh(CrowdPair& seen, double h) {
    const CrowdBody& a = crowd_movers_[seen.a];
    const CrowdBody& b = crowd_movers_[seen.b];
    const double reach = crowd_reach(a, b, h);
    if (seen.clear > reach) return false;
    Pair& pair = near_[seen.pair];
    find_patch(movers_[pair.a]->moving, a.state, movers_[pair.b]->moving, b.state, reach,
               pair.memory, patch_);
    ++in_.tally.checks;
    seen.clear = reach;
    bool missing = false;
    for (const PatchPoint& p : patch_) {
        const std::uint32_t k = add_crowd_point(seen, p, p.middle());
        crowd_contacts_[k].least = crowd_least(k, h);
        seen.least = std::min(seen.least, p.gap);
        missing |= crowd_missing(k) > 0.0;
    }
    return missing;
}

// Looks at the pair where it is at a time of the step, unless what was seen there before cannot
// have changed enough since.
bool PairEngine::correct_crowd_pair(CrowdPair& seen, const CrowdInstant& at, double t, double h,
                                    double enough) {
    const double ahead = at.part * h;
    const double allowed = crowd_gap_after(std::min(seen.least, 0.0), seen.size, ahead);
    const double below = allowed - enough;
    const double strayed = crowd_movers_[seen.a].strayed + crowd_movers_[seen.b].strayed;
    CrowdLook& look = seen.*at.look;
    if (look.gap - (strayed - look.strayed) >= below) return false;
    Pair& pair = near_[seen.pair];
    find_crowd_end(seen.a, pair.a, t, h);
    find_crowd_end(seen.b, pair.b, t, h);
    const motion::State& state_a = crowd_movers_[seen.a].*at.then;
    const motion::State& state_b = crowd_movers_[seen.b].*at.then;
    look = {(state_a.position - state_b.position).norm() - crowd_movers_[seen.a].radius -
                crowd_movers_[seen.b].radius,
            strayed};
    if (look.gap > below) return false;
    look.gap = k_deepest * seen.size;
    find_patch(movers_[pair.a]->moving, state_a, movers_[pair.b]->moving, state_b, look.gap,
               pair.memory, patch_);
    ++in_.tally.checks;
    bool missing = false;
    for (const PatchPoint& p : patch_) {
        look.gap = std::min(look.gap, p.gap);
        if (p.gap >= below) continue;
        correct_crowd_point(seen, p, at.then, (allowed - p.gap) / ahead);
        missing = true;
    }
    return missing;
}

// A point has to part faster by `missing`.
void PairEngine::correct_crowd_point(CrowdPair& seen, const PatchPoint& p,
                                     motion::State CrowdBody::*then, double missing) {
    std::uint32_t k = seen.first;
    while (k != k_no_point && crowd_points_[k].id != p.id)
        k = crowd_points_[k].next;
    if (k == k_no_point) {
        const CrowdBody& a = crowd_movers_[seen.a];
        const CrowdBody& b = crowd_movers_[seen.b];
        const Vec3 on_a = place_before(p.on_a, a.*then, a.state);
        const Vec3 on_b = place_before(p.on_b, b.*then, b.state);
        k = add_crowd_point(seen, p, 0.5 * (on_a + on_b));
        crowd_points_[k].gap = p.normal.dot(on_a - on_b);
        crowd_contacts_[k].least = -std::numeric_limits<double>::max();
    }
    impact::ConeContact& c = crowd_contacts_[k];
    const double u_n = normal_velocity(c, crowd_bodies_);
    const double most = k_most_missing * seen.size / (2.0 * crowd_fall_.norm() / gravity_);
    c.least = std::max(c.least, u_n + std::min(missing, most));
}

// The deepest overlap, in sizes, that the impulses would leave at the end of the step beyond what
// is allowed.
double PairEngine::crowd_overlap(double h) const {
    double worst = 0.0;
    for (std::size_t k = 0; k < crowd_contacts_.size(); ++k)
        worst = std::max(worst, h * crowd_missing(k) / crowd_points_[k].size);
    return worst;
}

// What a point lacks of the normal velocity it has to part with, m/s.
double PairEngine::crowd_missing(std::size_t k) const {
    const impact::ConeContact& c = crowd_contacts_[k];
    return c.least - normal_velocity(c, crowd_bodies_);
}

}  // namespace carom::world
