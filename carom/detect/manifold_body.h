// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>

#include "carom/math/types.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// For manifold.cpp: a convex body as it stands in some frame, and the piece of its surface that
// faces a direction.

// The piece of a body that faces a direction most.
struct Piece {
    enum class Kind : std::uint8_t { none, face, disc, side };
    Kind kind = Kind::none;
    shape::Index index = 0;       // of a face; of a disc: 0 at -z, 1 at +z
    Vec3 normal = Vec3::UnitZ();  // of a face or disc, outward, in the body's frame
    bool flat() const { return kind == Kind::face || kind == Kind::disc; }
};

inline constexpr int k_outline_corners = 32;
inline constexpr int k_rim_points = 6;
// Numbers of the places of a round body that are not fixed ones of a rim.
inline constexpr shape::Index k_line_ends = 32;

// Codes of features for the names of points, see ManifoldPoint.
using Code = std::uint16_t;
inline Code vertex_code(shape::Index v) {
    return static_cast<Code>(1U + 2U * v);
}
inline Code edge_code(shape::Index e) {
    return static_cast<Code>(2U + 2U * e);
}

// A piece seen along the z axis of a frame: the corners of a polygon counterclockwise as seen from
// +z, a disc, or the two ends of a line; and for the first two the plane z = k0 + kx x + ky y.
struct Outline {
    enum class Kind : std::uint8_t { none, line, polygon, disc };
    Kind kind = Kind::none;
    int count = 0;
    std::array<Vec3, k_outline_corners> corner;
    std::array<Code, k_outline_corners> vertex;  // at corner i
    std::array<Code, k_outline_corners> edge;    // from corner i to the next
    double k0, kx, ky;
    Vec3 center;  // of a disc
    // Of a disc: from the centre to the rim, fixed in the body. Of a line: the ends of its straight
    // part, of which a capsule's lower end is beyond.
    std::array<Vec3, 2> axis;
    double radius;       // of a disc; of a line: across it
    shape::Index first;  // number of the first place of a rim

    bool area() const { return kind == Kind::polygon || kind == Kind::disc; }
    double height(double x, double y) const { return k0 + kx * x + ky * y; }
    Vec3 lifted(double x, double y) const { return {x, y, height(x, y)}; }
    // How far inside the border a place is, seen along z; negative outside.
    double inside(double x, double y) const;
    // Whether it is inside(), or outside by no more than `border`.
    bool holds(double x, double y, double border) const;
};

class PlacedBody {
public:
    // x = R (x of the body) + t. `hint` is a vertex of a polyhedron to climb from.
    PlacedBody(const shape::Convex& convex, const Mat3& R, const Vec3& t, shape::Index hint);

    // The point that lies farthest along a unit vector.
    Vec3 farthest(const Vec3& direction);
    // The piece that faces it; for a polyhedron a face at the vertex that farthest() found last,
    // which has to be for the same direction.
    Piece piece(const Vec3& direction) const;
    Vec3 rotated(const Vec3& direction) const { return R_ * direction; }
    Vec3 placed(const Vec3& x) const { return R_ * x + t_; }
    // The largest value of n.x on a piece whose normal is n, as turned into the frame.
    double level(const Piece& piece, const Vec3& n) const;
    // The piece as it is seen along the last row of T, in the frame that T turns to. `sign` is the
    // z direction the piece faces: 1 or -1.
    void outline(const Piece& piece, const Mat3& T, double sign, Outline& out) const;

    // The same of an edge of a polyhedron.
    void edge_outline(shape::Index edge, const Mat3& T, Outline& out) const;

    const shape::Convex& convex() const { return convex_; }
    const shape::Polyhedron* polyhedron() const { return polyhedron_; }
    bool box() const { return box_ != nullptr; }
    shape::Index vertex() const { return vertex_; }
    const Mat3& R() const { return R_; }
    const Vec3& t() const { return t_; }
    // A place inside.
    Vec3 middle() const { return polyhedron_ != nullptr ? placed(polyhedron_->interior()) : t_; }
    // The radius of the largest ball in the body that touches its surface at x from inside, the
    // unit outward normal there being n; zero at corners and edges.
    double inner_radius(const Vec3& x, const Vec3& n) const;
    // About its largest extent from the middle.
    double size() const;

private:
    void polygon(shape::Index face, const Mat3& R, const Vec3& t, double sign, Outline& out) const;
    void disc(shape::Index which, const Mat3& R, const Vec3& t, Outline& out) const;
    void side(const Mat3& R, const Vec3& t, double sign, Outline& out) const;

    const shape::Convex& convex_;
    const shape::Polyhedron* polyhedron_;
    const shape::Box* box_;
    Mat3 R_;
    Vec3 t_;
    double radius_;  // of the core
    shape::Index vertex_;
};

}  // namespace carom::detect
