// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vector.h"

// A slow and simple second opinion on distances and first contacts, for tests. It shares no code
// and no method with the library.
//
// Distance: every shape is a core (point, segment, polytope, cylinder, cone) grown by a radius.
// The cores' distance comes from a minimum-norm search on support points that keeps a point pair
// (upper bound) and a separating direction (lower bound) and stops when they meet: in long double,
// and where that runs out of digits once more with 113 bits. distance_by_features is the other
// method, for polytopes: all pairs of vertices and triangles, of edges and edges.
//
// Contact: from time t, with n the separating direction (from B to A) and s(t) > 0 the gap along
// it,
//
//     gap(t + h) >= min over a, b of n.(a + h v_a - b - h v_b) + h^2 (n.(g_a - g_b) - A) / 2,
//
// where v_a is the velocity of A's point a at t and A bounds how much the points accelerate as the
// bodies turn. The right side is concave in h and needs two support points; up to its root nothing
// can touch. These steps never pass a contact however short, and close in on it quadratically. The
// direction may also turn with h, at the cost of second-order terms. Gaps below 1e-15 of the size
// count as contact.
//
// Sizes: lengths, times and speeds may have any scale; 1e-17 of the size is what long double gives.
// Accuracy of t: about 1e-17 size / approach speed, but no better than 1e-19 t.
namespace touch_oracle {

enum class Kind { sphere, plane, box, capsule, cylinder, cone, hull };
inline constexpr std::array k_kinds{Kind::sphere,   Kind::plane, Kind::box, Kind::capsule,
                                    Kind::cylinder, Kind::cone,  Kind::hull};
std::string name(Kind kind);

// The frame: a primitive's origin is its centre of mass, its axis z. capsule: `height` is the
// straight part. cone: base at z = -height/4, apex at 3 height/4. plane: solid where normal.x <= 0;
// it must be fixed and must not move. hull: the convex hull of `points`, in the frame given.
struct Shape {
    Kind kind = Kind::sphere;
    double radius = 0.0;  // sphere, capsule, cylinder, cone
    double height = 0.0;  // capsule, cylinder, cone
    Vec3 size;            // box: whole edges
    Vec3 normal;          // plane
    std::vector<Vec3> points;
};

struct Pose {
    Vec3 position;
    Quat orientation;  // normalised where it is used
};

using Inertia = std::array<std::array<double, 3>, 3>;

// A free body flies a parabola and turns without torque about its centre of mass; `position` places
// the shape's frame, `velocity` is the centre of mass's, angular velocity in the world frame.
// A fixed body moves with constant velocity and constant angular velocity about its position.
// The inertia is about the centre of mass, in body axes; its scale does not matter.
struct Motion {
    Vec3 position;
    Quat orientation;
    Vec3 velocity;
    Vec3 angular_velocity;
    Vec3 gravity;
    bool fixed = false;
    Vec3 centre_of_mass;  // in the shape's frame
    Inertia inertia{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

// Of uniform density 1.
struct MassProperties {
    double mass;
    Vec3 centre;
    Inertia inertia;  // about the centre, axes of the frame
};
MassProperties mass_properties(const Shape& shape);

struct Distance {
    Real distance;  // from the point pair; <= 0 when the shapes overlap
    Real lower;     // no pair of points is closer; distance - lower is the error bound
    Vec normal;     // unit, from B to A, of the lower bound
    Vec point_a, point_b;
    bool overlap;
};
// The gap aimed at is 1e-17 of the sizes; `lower` says what was reached.
Distance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);
// Boxes, hulls, spheres and capsules only (no planes), apart from each other.
Distance distance_by_features(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b);

struct Touch {
    bool touches = false;
    double t = 0.0;  // of first contact; overlapping at the start: 0
    Real t_exact = 0.0L;
    double distance_at_until = 0.0;  // where nothing touches
    // A minimum over [0, until], exact; none is lower by 1e-5 of it and 1e-10 of the size. 0 where
    // they touch.
    double smallest_distance = 0.0;
    double t_of_smallest = 0.0;
    double nearest_miss = 0.0;    // smallest local minimum before the contact; infinity if none
    double approach_speed = 0.0;  // along the normal at the contact
    double acceleration = 0.0;    // bound on how fast the approach speed changes
    double size = 0.0;            // of the moving parts, what tolerances should be relative to
    Vec3 point, normal;           // normal from b to a
    long distances = 0;           // how many were computed
    bool certified = true;        // false: some step could not be proved and was taken blindly
};

struct Options {
    double touching = 1e-15;  // a gap below this part of the size is contact
    bool find_smallest = true;
    long most_distances = 2000000;  // more: std::runtime_error
};
Touch first_touch(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                  double until, const Options& options = {});

// Where a motion has brought a body.
struct Moved {
    QuatR orientation;
    Vec position, velocity, angular_velocity;  // velocity is the centre of mass's
};
Moved moved(const Motion& motion, double t);

// Random problems. Deterministic in the seed on every machine with IEEE doubles (exp, log, sin, cos
// of the C library in doubles are the only doubt).
enum class Family {
    generic,
    both_tumble,
    fast_spin,
    fast_thin,
    slow_far,
    graze,
    platter,
    boomerang,
    degenerate,
    long_flight
};
inline constexpr std::array k_families{Family::generic,    Family::both_tumble, Family::fast_spin,
                                       Family::fast_thin,  Family::slow_far,    Family::graze,
                                       Family::platter,    Family::boomerang,   Family::degenerate,
                                       Family::long_flight};
std::string name(Family family);

struct Body {
    Shape shape;
    Motion motion;
    double mass = 1.0;
};
struct Problem {
    std::uint64_t seed;
    Family family;
    Body a, b;
    double until;
};
// Not plane against plane.
Problem random_problem(std::uint64_t seed, Family family, Kind a, Kind b);
// Goes through the families and the ordered pairs of kinds as the seed counts up.
Problem random_problem(std::uint64_t seed);
Touch first_touch(const Problem& problem, const Options& options = {});

Shape random_shape(std::uint64_t seed, Kind kind);

enum class Setting {
    random,
    parallel_faces,
    crossing_edges,
    vertex_on_edge,
    vertex_on_face,
    needles,
    flat,
    near_touching,
    far_apart
};
inline constexpr std::array k_settings{
    Setting::random,         Setting::parallel_faces, Setting::crossing_edges,
    Setting::vertex_on_edge, Setting::vertex_on_face, Setting::needles,
    Setting::flat,           Setting::near_touching,  Setting::far_apart};
std::string name(Setting setting);

struct Configuration {
    std::uint64_t seed;
    Setting setting;
    Shape a, b;
    Pose pose_a, pose_b;
};
// Two shapes apart, by a gap of 1e-9 to 1e-1 of their size (far_apart: 10 to 1e4). The settings of
// features are meant for boxes and hulls; other kinds take the nearest thing they have.
Configuration random_configuration(std::uint64_t seed, Setting setting, Kind a, Kind b);

}  // namespace touch_oracle
