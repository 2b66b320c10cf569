// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/feature.h"
#include "carom/math/types.h"
#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// A convex body as a core grown by a radius: a sphere is a point, a capsule a segment, the others
// are their own cores with radius zero. Distances between bodies are distances between cores less
// both radii, and what rotates is the core only.

double core_radius(const shape::Convex& convex);

// A point of the core with the largest value of direction.x, in the body's frame. hint is a vertex
// of a polyhedron to climb from, and is brought up to date. Not for half-spaces.
Vec3 core_support(const shape::Convex& convex, const Vec3& direction, shape::Index& hint);

// A vertex of the feature of a polyhedron, to climb from; none where it has no such feature.
shape::Index vertex_at(const shape::Convex& convex, Feature feature);

// The largest distance of a point of the core from `center`; infinity for a half-space.
double core_radius_about(const shape::Convex& convex, const Vec3& center);

// Two cores seen from the frame of the first: the support points of their difference A - B.
class CorePair {
public:
    CorePair(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A)
        : A_(A), B_(B), R_(B_in_A.orientation.toRotationMatrix()), t_(B_in_A.position) {}

    // Vertices of polyhedra to climb from.
    void start_from(shape::Index a, shape::Index b) {
        hint_a_ = a;
        hint_b_ = b;
    }

    struct Support {
        Vec3 a, b;  // points of A and B
        Vec3 w;     // a - b
    };
    // The point of A - B with the smallest value of n.w.
    Support lowest(const Vec3& n) const {
        Support s;
        s.a = core_support(A_, -n, hint_a_);
        s.b = R_ * core_support(B_, R_.transpose() * n, hint_b_) + t_;
        s.w = s.a - s.b;
        return s;
    }

private:
    const shape::Convex& A_;
    const shape::Convex& B_;
    Mat3 R_;
    Vec3 t_;
    mutable shape::Index hint_a_ = shape::k_no_index, hint_b_ = shape::k_no_index;
};

}  // namespace carom::detect
