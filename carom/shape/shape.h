// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "carom/math/types.h"
#include "carom/shape/polyhedron.h"
#include "carom/shape/pose.h"

namespace carom::shape {

// The convex bodies. A primitive's frame has its origin at the centre of mass; a hull keeps the
// frame its points are given in. Lengths are in metres, though nothing here depends on it.
//
// Threads: a shape does not change once it is made; any number of threads may use the same one, and
// make others at the same time (Qhull is the reentrant one, Assimp has an importer for each call).

struct Sphere {
    double radius;
};

// Solid where normal.x <= 0. Unbounded and without mass: for fixed bodies only.
struct HalfSpace {
    Vec3 normal;  // unit
};

struct Box {
    Vec3 half;  // half of the size along each axis
    std::shared_ptr<const Polyhedron> polyhedron;
};

// All points within `radius` of the segment from z = -half_length to z = half_length.
struct Capsule {
    double radius;
    double half_length;
};

// Axis z.
struct Cylinder {
    double radius;
    double half_height;
};

// Axis z; the base at z = -height/4, the apex at z = 3 height/4.
struct Cone {
    double radius;
    double height;
};

struct Hull {
    std::shared_ptr<const Polyhedron> polyhedron;
};

using Convex = std::variant<Sphere, HalfSpace, Box, Capsule, Cylinder, Cone, Hull>;

// One convex piece; pose places its frame in the shape's.
struct Part {
    Convex convex;
    Pose pose;
};

// The union of its parts: one for a simple shape, more for a compound. Parts may overlap.
struct Shape {
    std::vector<Part> parts;
};

// A shape placed in a compound.
struct Placed {
    Shape shape;
    Pose pose;
};

// Makers. Each throws std::invalid_argument with a message that names the parameter, what was given
// and what would be right. Sizes have to be finite and more than zero, and such that neither their
// fifth power (which the inertia needs) nor its inverse leaves the range of a double.
Shape make_sphere(double radius);
Shape make_half_space(const Vec3& normal);         // any nonzero normal; it is normalised
Shape make_box(const Vec3& size);                  // full sizes
Shape make_capsule(double radius, double length);  // length of the straight part; 0 is a sphere
Shape make_cylinder(double radius, double height);
Shape make_cone(double radius, double height);
Shape make_hull(std::span<const Vec3> points);  // see hull.h
// Nested compounds are flattened. Orientations are normalised. A half-space may be a part, but the
// compound then has no mass.
Shape make_compound(std::span<const Placed> parts);

// The polyhedron of a box or a hull; null for the others.
const Polyhedron* polyhedron_of(const Convex& convex);

// "sphere", "plane", "box", "capsule", "cylinder", "cone" or "hull", as scenes call them.
const char* name_of(const Convex& convex);

}  // namespace carom::shape
