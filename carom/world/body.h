// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/motion/force_field.h"
#include "carom/motion/motion.h"
#include "carom/motion/principal_inertia.h"
#include "carom/shape/pose.h"
#include "carom/shape/shape.h"
#include "carom/world/event.h"

namespace carom::world {

// A body as a user describes it. SI units, world frame.
struct BodySpec {
    std::string name{};
    std::shared_ptr<const shape::Shape> shape{};
    std::string material = "default";
    shape::Pose pose{};            // of the shape's frame at time 0
    Vec3 velocity = Vec3::Zero();  // of the centre of mass; fixed: of pose.position or pivot
    Vec3 angular_velocity = Vec3::Zero();  // world axes
    std::optional<double> mass{};          // or density; neither: 1000 kg/m^3
    std::optional<double> density{};
    std::optional<Mat3> inertia{};  // about the centre of mass, shape's axes; else computed
    bool fixed = false;             // moves as it is told; impulses do not change it
    std::vector<motion::ForceField> forces{};  // besides gravity; free bodies only
    std::optional<Vec3> pivot{};               // of a fixed body that turns; else pose.position
};

// A body with all that follows from its description and never changes.
struct Body {
    std::string name;
    std::shared_ptr<const shape::Shape> shape;
    std::uint32_t material = 0;
    bool fixed = false;
    bool still = false;      // fixed and not moving at all
    bool unbounded = false;  // a part is a half-space
    double mass = 0.0;       // 0 when fixed
    double inverse_mass = 0.0;
    Vec3 center = Vec3::Zero();  // of mass, in the shape's frame; fixed: its origin
    double radius = 0.0;         // largest distance of a point from there; infinite for half-spaces
    std::shared_ptr<const motion::PrincipalInertia> inertia;  // shape's axes; none when fixed
    Mat3 inverse_inertia = Mat3::Zero();                      // shape's axes
    bool isotropic = false;                                // all principal moments equal (exactly)
    std::vector<motion::ForceField> forces;                // besides gravity
    motion::State first;                                   // at time 0, of the centre of mass
    std::shared_ptr<const motion::Prescribed> prescribed;  // of a fixed body
};

// Throws std::invalid_argument with what is wrong and what would be right (the body's name is left
// to the caller).
Body make_body(const BodySpec& spec, std::uint32_t material);

// The motion that a segment stands for: what a recording holds is enough to make it again, to the
// bit.
motion::Motion make_motion(const Body& body, const Segment& segment, const Vec3& gravity);

// A body that is a sphere, on the plane of a segment.
motion::SphereContact sphere_contact(const Body& body, const LastingForm& form,
                                     const Vec3& gravity);

// The same, and until when it is good: always, unless forces make it end.
struct MotionPiece {
    motion::Motion motion;
    double until;
};
MotionPiece make_motion_piece(const Body& body, const Segment& segment, const Vec3& gravity);

// The inverse inertia of a body that stands so, in the world's axes.
Mat3 inverse_inertia_in_world(const Body& body, const motion::Quat& orientation);

// Whether it is a sphere and nothing else.
bool is_ball(const Body& body);

// Whether it can roll on a rim or a round side: a part is a cylinder, a cone or a capsule, or a
// hull with as many corners as look round.
bool can_roll_on_rim(const Body& body);

// Where the shape's frame is when the centre of mass is at `state`.
shape::Pose frame_pose(const Body& body, const motion::State& state);

// What gravity and the body's forces have done to it between the start of a segment and t: the
// momentum they gave it, and the work of the forces (that of gravity is potential energy). Lasting
// contact counts as such a force; what it took from the body's energy beyond the work of moving
// bodies is lost. On a moving plane all of it counts as work.
struct Pushed {
    Vec3 momentum;
    double energy;
    double lost = 0.0;  // in lasting contact, J
};
Pushed pushed_by_forces(const Body& body, const Segment& segment, const motion::Motion& motion,
                        const Vec3& gravity, double t);

// m v.v/2 + w.I w/2 - m g.c (J); 0 for a fixed body.
double energy(const Body& body, const motion::State& state, const Vec3& gravity);

}  // namespace carom::world
