// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"
#include "carom/shape/shape.h"

namespace carom::shape {

// What the inertia of a body of uniform density is.
//
//     volume = int dV, center = int x dV / volume,
//     inertia = density int (|y|^2 1 - y y^T) dV with y = x - center.
//
// Primitives by their closed forms. Polyhedra as a sum over tetrahedra from a point inside to the
// triangles of the faces, all of one sign, in extended precision: relative errors are some 1e-15,
// for flat bodies and needles too, and moments that differ by no more are equal. Compounds are the
// sum of their parts: where parts overlap, the overlap counts twice. A half-space has no mass and
// is refused, in a compound as well.
struct MassProperties {
    double volume;
    double mass;
    Vec3 center;   // of mass, in the shape's frame
    Mat3 inertia;  // about the centre of mass, in the shape's axes
};

struct Density {
    double value;  // more than 0
};
struct Mass {
    double value;  // more than 0
};

// Both throw std::invalid_argument when the density or mass is not a finite number larger than 0,
// when the shape has no mass, when the result is not within the range of a double, or when the body
// is so thin that its smallest moment of inertia is lost in the rounding of the matrix.
MassProperties mass_properties(const Shape& shape, Density density);
MassProperties mass_properties(const Shape& shape, Mass mass);

// Throws std::invalid_argument unless the matrix can be the inertia of a body about its centre of
// mass: finite, symmetric, positive definite, and no principal moment larger than the sum of the
// other two (with a relative slack of 1e-12, which a flat body needs).
void check_inertia(const Mat3& inertia);

}  // namespace carom::shape
