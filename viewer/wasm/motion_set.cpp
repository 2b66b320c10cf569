// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "motion_set.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/record/row_vectors.h"
#include "exports.h"

namespace carom::page {
namespace {

using record::orientation;
using record::put;
using record::vector;

// Numbers of segment kinds in a recording.
enum Kind : std::uint32_t {
    given = 0,
    flight = 1,
    asleep = 2,
    held = 4,
    on_plane = 5,
    constrained = 6
};

// How far outside of a motion's times a state may be asked for, of 1 s or of the time itself: the
// ends of motions are computed anew, with this machine's rounding. Ten times more would only hide
// more of a wrong table.
constexpr double k_time_slack = 1e-9;

motion::State state_of(const SegmentRow& row) {
    return {vector(row.position), orientation(row.orientation), vector(row.velocity),
            vector(row.angular_velocity)};
}

// The quintics between two knots, as the world makes them of the same row.
motion::Integrated constrained_motion(const SegmentRow& row, const LastingRow& lasting) {
    const motion::State before = state_of(row);
    const motion::State after{vector(lasting.end_position), orientation(lasting.end_orientation),
                              vector(lasting.end_velocity), vector(lasting.end_angular_velocity)};
    const motion::DensePiece piece(
        row.t0, lasting.t1 - row.t0,
        motion::knot_of(before, vector(lasting.a), vector(lasting.alpha)),
        motion::knot_of(after, vector(lasting.end_a), vector(lasting.end_alpha)),
        after.position - before.position);
    return motion::Integrated::of_pieces({piece}, lasting.t1);
}

// v = V + w x (c - P) at the segment's start gives the velocity V of the pivot P.
motion::Prescribed given_motion(const BodyConstants& constants, const SegmentRow& row) {
    const motion::State state = state_of(row);
    const Vec3 pivot = constants.has_pivot != 0.0 ? vector(constants.pivot) : state.position;
    const Vec3 arm = state.position - pivot;
    return motion::Prescribed::turning(state.position, state.orientation, pivot,
                                       state.velocity - state.angular_velocity.cross(arm),
                                       state.angular_velocity, row.t0);
}

motion::SupportPlane plane_of(const LastingRow& row) {
    return {vector(row.plane_point), vector(row.plane_normal), vector(row.plane_velocity),
            row.plane_turn_rate, row.plane_time};
}

}  // namespace

void MotionSet::set_body(std::size_t body, const BodyConstants& constants) {
    Body& to = bodies_.at(body);
    to.constants = constants;
    to.motion.reset();
    to.inertia.reset();
    if (constants.fixed != 0.0) return;
    const Mat3 I = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        static_cast<const double*>(constants.inertia));
    to.inertia = std::make_shared<const motion::PrincipalInertia>(I);
    const Mat3& tensor = to.inertia->tensor();
    to.isotropic = tensor(0, 0) == tensor(1, 1) && tensor(1, 1) == tensor(2, 2) &&
                   tensor(0, 1) == 0.0 && tensor(0, 2) == 0.0 && tensor(1, 2) == 0.0;
}

motion::Motion MotionSet::make_motion(const Body& body, const SegmentRow& row,
                                      const LastingRow* lasting) const {
    if (row.kind == given) return given_motion(body.constants, row);
    const motion::State state = state_of(row);
    if (row.kind == asleep) return motion::Prescribed::still(state.position, state.orientation);
    if (!body.inertia) fail("a fixed body has a segment of a free one: the recording is damaged");
    if (row.kind == flight) {
        return body.isotropic ? motion::Ballistic::sphere(state, gravity_, row.t0)
                              : motion::Ballistic(state, *body.inertia, gravity_, row.t0);
    }
    if (row.kind != held && row.kind != on_plane && row.kind != constrained)
        fail("a segment of kind " + std::to_string(row.kind) + " cannot be played");
    if (lasting == nullptr)
        fail("a segment of lasting contact lacks its row in lasting: the recording is damaged");
    if (row.kind == held) {
        return motion::Accelerated(state, vector(lasting->a), vector(lasting->alpha), row.t0,
                                   lasting->t1);
    }
    if (row.kind == constrained) return constrained_motion(row, *lasting);
    motion::SphereContact contact;
    contact.radius = body.constants.radius;
    contact.mass = body.constants.mass;
    contact.moment = body.inertia->tensor()(0, 0);
    contact.mu = lasting->mu;
    contact.mu_roll = lasting->mu_roll;
    contact.mu_spin = lasting->mu_spin;
    contact.gravity = gravity_;
    contact.plane = plane_of(*lasting);
    return motion::SphereOnPlane(contact, state, row.t0);
}

void MotionSet::place(const SegmentRow& segment, const LastingRow* lasting) {
    if (segment.body >= bodies_.size())
        fail("a segment is of a body that is not there: the recording is damaged");
    Body& body = bodies_[segment.body];
    body.motion.reset();
    body.motion.emplace(make_motion(body, segment, lasting));
}

StateRow MotionSet::state(std::size_t number, double t) const {
    const Body& body = bodies_.at(number);
    if (!body.motion) fail("a body without a segment was asked for its state");
    const double slack = k_time_slack * std::max(1.0, std::abs(t));
    const double from = motion::valid_from(*body.motion);
    const double until = motion::valid_until(*body.motion);
    const bool near = t >= from - slack && t <= until + slack;
    const motion::State now = motion::at(*body.motion, near ? std::clamp(t, from, until) : t);
    StateRow row;
    put(row.position, now.position);
    row.orientation[0] = now.orientation.w();
    row.orientation[1] = now.orientation.x();
    row.orientation[2] = now.orientation.y();
    row.orientation[3] = now.orientation.z();
    put(row.velocity, now.velocity);
    put(row.angular_velocity, now.angular_velocity);
    return row;
}

}  // namespace carom::page

using carom::page::MotionSet;

CAROM_EXPORT(motions_make)(std::size_t bodies, const double* gravity)->MotionSet* {
    return new MotionSet(bodies, carom::Vec3(gravity[0], gravity[1], gravity[2]));
}

CAROM_EXPORT(motions_drop)(MotionSet* set)->void {
    delete set;
}

CAROM_EXPORT(motions_body)
(MotionSet* set, std::size_t body, const carom::page::BodyConstants* constants)->void {
    set->set_body(body, *constants);
}

CAROM_EXPORT(motions_place)
(MotionSet* set, const carom::page::SegmentRow* segment, const carom::page::LastingRow* lasting)
    ->void {
    set->place(*segment, lasting);
}

CAROM_EXPORT(motions_state)
(const MotionSet* set, std::size_t body, double t, carom::page::StateRow* out)->void {
    *out = set->state(body, t);
}

// Of all bodies; not numbers for those that have no segment yet.
CAROM_EXPORT(motions_states)(const MotionSet* set, double t, carom::page::StateRow* out)->void {
    constexpr double k_none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t body = 0; body < set->size(); ++body) {
        if (set->is_placed(body)) {
            out[body] = set->state(body, t);
        } else {
            std::fill_n(reinterpret_cast<double*>(out + body), sizeof(*out) / sizeof(double),
                        k_none);
        }
    }
}
