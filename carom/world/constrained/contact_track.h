// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <optional>

#include "carom/detect/feature.h"
#include "carom/detect/moving_part.h"
#include "carom/motion/state.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

// The place of a surface on which a contact point lies, in the frame of its body's motion (origin
// at the centre of mass, body axes): a point, a line or a circle, grown by `radius`. A vertex is a
// point, an edge a line, a rim a circle, a sphere a point with a radius, the side of a cylinder or
// a capsule a line with one.
struct ContactLocus {
    enum class Kind : std::uint8_t { none, point, line, circle };
    Kind kind = Kind::none;
    Vec3 at = Vec3::Zero();     // the point, a point of the line, the centre
    Vec3 axis = Vec3::UnitZ();  // unit; along the line, or of the circle
    Vec3 zero = Vec3::UnitX();  // unit; where the angle of a circle is 0
    double size = 0.0;          // radius of the circle
    double radius = 0.0;        // that it is grown by
    bool cut = false;  // a point where the border of a face cuts a side: it follows the border
    double low = 0.0, high = 0.0;  // ends of a line, along axis from `at`
};

// One point of a lasting contact between bodies a and b, followed as the bodies move.
//
// The normal n (unit, from b to a) is
//     plane_a, plane_b   that of a flat face of a or b, which turns with its body;
//     apart              along the line between the two loci, for loci that are grown by a radius;
//     across             perpendicular to the tangents of the two loci, for edges and rims.
// The place x is the point of a locus; on a circle above a plane the lowest one; with `crossing`
// where the two loci cross; else the closest points of both.
struct ContactTrack {
    enum class Normal : std::uint8_t { plane_a, plane_b, apart, across };
    Normal normal = Normal::plane_b;
    bool crossing = false;
    ContactLocus a, b;
    Vec3 plane_at = Vec3::Zero(), plane_normal = Vec3::UnitZ();  // of the face, outward
    const detect::MovingPart* face_part = nullptr;               // and whose it is
    detect::Feature face{};
    double sign = 1.0;            // of across: n = sign t_a x t_b / |...|
    double s_a = 0.0, s_b = 0.0;  // parameters of the loci, where a search begins
    std::uint64_t id = 0;
};

// The point with the bodies in given states: where it is, its gap (m), and the rates of both. A
// material point of a there has the velocity v_a + w_a x (x - c_a); x itself moves with x_rate.
struct ContactState {
    Vec3 x, n;
    double gap;
    Vec3 x_rate, n_rate;
    double s_a, s_b;
    // The distance (m) by which x is inside the face and the loci, and its rate; infinite: no end.
    double inside, inside_rate;
};
ContactState contact_state(const ContactTrack& track, const motion::State& a,
                           const motion::State& b);

// Whether two tracks follow the same place: by other names, as the lowest point of a rim may have.
bool is_same(const ContactTrack& a, const ContactTrack& b, double size);

// Whether two points are at one place, with nearly the same normal: corners that meet corners are
// points of both.
bool is_same_place(const ContactState& a, const ContactState& b, double size);

// How to follow a point of a contact manifold. Empty where it cannot be followed so: on the side of
// a cone (but for a plane under it), vertex on vertex, vertex on edge.
std::optional<ContactTrack> track_contact(const ManifoldPoint& point, const detect::MovingBody& a,
                                          const motion::State& state_a, const detect::MovingBody& b,
                                          const motion::State& state_b);

// Of a cap that lies level on a face: the place of its rim that approaches fastest, where the point
// is one of the fixed places of the rim; empty for other points. It is fixed in its body too.
std::optional<ContactTrack> track_fastest_of_rim(const ManifoldPoint& point,
                                                 const detect::MovingBody& a,
                                                 const motion::State& state_a,
                                                 const detect::MovingBody& b,
                                                 const motion::State& state_b);

}  // namespace carom::world
