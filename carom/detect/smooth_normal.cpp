// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/smooth_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "carom/detect/core.h"

namespace carom::detect {
namespace {

// What a surface is like near a point, in the frame of A.
struct Piece {
    enum class Kind { point, rim, straight } kind;
    Vec3 center;    // the point; the centre of a rim; a point of the axis or edge (a cone's apex)
    Vec3 axis;      // unit: of a rim or a side, or along an edge
    double radius;  // of a rim or a cylinder's side
    double slope;   // c: 0 for edges and cylinders
    double generator;  // of a side: how much its straight lines lean from the axis, radius/height

    // The point that belongs to the outward direction s; for a straight piece any one of them.
    Vec3 at(const Vec3& s) const {
        if (kind == Kind::point || radius == 0.0) return center;
        const Vec3 across = s - s.dot(axis) * axis;
        const double size = across.norm();
        return size > 0.0 ? Vec3(center + radius / size * across) : center;
    }
    // The direction of a straight piece there.
    Vec3 line(const Vec3& s) const {
        if (generator == 0.0) return axis;
        const Vec3 across = s - s.dot(axis) * axis;
        return (generator * across.normalized() - axis).normalized();
    }
};

// The edges of a polyhedron that a contact with about this outward normal may be on: of the
// vertices there those most nearly across it, and all around a face that is.
std::vector<shape::DirectedEdge> edges_near(const shape::Polyhedron& body, const Vec3& outward) {
    constexpr std::size_t k_most = 4;
    constexpr double k_facing = 1e-3;
    const shape::Index v = body.support(outward);
    std::vector<shape::DirectedEdge> edges(body.star(v).begin(), body.star(v).end());
    std::sort(edges.begin(), edges.end(), [&](auto e, auto f) {
        return std::abs(body.direction(e).dot(outward)) < std::abs(body.direction(f).dot(outward));
    });
    if (edges.size() > k_most) edges.resize(k_most);
    for (const shape::DirectedEdge e : body.star(v)) {
        const auto& face = body.face(body.left(e));
        if ((face.normal - outward).norm() > k_facing) continue;
        const auto around = body.boundary(body.left(e));
        edges.insert(edges.end(), around.begin(), around.end());
    }
    return edges;
}

// The pieces of a body towards an outward direction, in its own frame.
std::vector<Piece> pieces(const shape::Convex& convex, const Vec3& outward) {
    using Kind = Piece::Kind;
    std::vector<Piece> out;
    const Vec3 z = Vec3::UnitZ();
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        for (const shape::DirectedEdge e : edges_near(*body, outward)) {
            out.push_back({Kind::point, body->vertex(body->tail(e)), z, 0.0, 0.0, 0.0});
            out.push_back(
                {Kind::straight, body->vertex(body->tail(e)), body->direction(e), 0.0, 0.0, 0.0});
            out.push_back({Kind::point, body->vertex(body->head(e)), z, 0.0, 0.0, 0.0});
        }
    } else if (const auto* c = std::get_if<shape::Cylinder>(&convex)) {
        const double end = std::copysign(c->half_height, outward.z());
        out.push_back({Kind::rim, end * z, z, c->radius, 0.0, 0.0});
        out.push_back({Kind::straight, Vec3::Zero(), z, c->radius, 0.0, 0.0});
    } else if (const auto* cone = std::get_if<shape::Cone>(&convex)) {
        const double slant = std::hypot(cone->radius, cone->height);
        const Vec3 apex = 0.75 * cone->height * z;
        out.push_back({Kind::rim, -0.25 * cone->height * z, z, cone->radius, 0.0, 0.0});
        out.push_back(
            {Kind::straight, apex, z, 0.0, cone->radius / slant, cone->radius / cone->height});
        out.push_back({Kind::point, apex, z, 0.0, 0.0, 0.0});
    } else if (const auto* capsule = std::get_if<shape::Capsule>(&convex)) {
        const double end = std::copysign(capsule->half_length, outward.z());
        out.push_back({Kind::point, end * z, z, 0.0, 0.0, 0.0});
        out.push_back({Kind::straight, Vec3::Zero(), z, 0.0, 0.0, 0.0});
    }
    return out;
}

// Two pieces and the equations for their normal.
class Equations {
public:
    Equations(const Piece& a, const Piece& b, const Vec3& near) : a_(a), b_(b), n0_(near) {
        t1_ = near.unitOrthogonal();
        t2_ = near.cross(t1_);
        size_ = (a.at(-near) - b.at(near)).norm() + a.radius + b.radius;
        if (!(size_ > 0.0)) size_ = 1.0;
    }

    Vec3 normal(const Vec2& x) const { return (n0_ + x.x() * t1_ + x.y() * t2_).normalized(); }

    Vec2 residual(const Vec2& x) const {
        const Vec3 n = normal(x);
        const bool straight_a = a_.kind == Piece::Kind::straight;
        const bool straight_b = b_.kind == Piece::Kind::straight;
        const Vec3 w = (a_.at(-n) - b_.at(n)) / size_;
        if (straight_a && straight_b) {
            return {-n.dot(a_.axis) - a_.slope, n.dot(b_.axis) - b_.slope};
        }
        if (straight_a) return {-n.dot(a_.axis) - a_.slope, w.dot(n.cross(a_.line(-n)))};
        if (straight_b) return {n.dot(b_.axis) - b_.slope, w.dot(n.cross(b_.line(n)))};
        return {w.dot(t1_) - w.dot(n) * n.dot(t1_), w.dot(t2_) - w.dot(n) * n.dot(t2_)};
    }

private:
    const Piece& a_;
    const Piece& b_;
    Vec3 n0_, t1_, t2_;
    double size_ = 1.0;
};

// Newton from x = 0; false when it wanders off.
bool solve(const Equations& equations, Vec3& normal) {
    constexpr double k_difference = 1e-7;
    constexpr double k_farthest = 1.2;
    Vec2 x = Vec2::Zero();
    double before = 1.0;
    for (int i = 0; i < 20; ++i) {
        const Vec2 f = equations.residual(x);
        Mat2 J;
        for (int k = 0; k < 2; ++k) {
            const Vec2 h = k_difference * Vec2::Unit(k);
            J.col(k) =
                (equations.residual(x + h) - equations.residual(x - h)) / (2.0 * k_difference);
        }
        const double det = J.determinant();
        if (!(std::abs(det) > 1e-10 * J.squaredNorm())) return false;
        const Vec2 step((f.x() * J(1, 1) - f.y() * J(0, 1)) / det,
                        (f.y() * J(0, 0) - f.x() * J(1, 0)) / det);
        x -= step;
        const double moved = step.norm();
        if (!(x.norm() < k_farthest)) return false;
        if (moved < 1e-15 || (i > 6 && moved >= before)) break;
        before = moved;
    }
    normal = equations.normal(x);
    return true;
}

// The difference of two pieces where it says all there is to say: a point and a point, an edge or a
// rim. Their normal is free to turn when they touch, so that the equations do not settle it. False
// for other pieces.
bool apart(const Piece& a, const Piece& b, Vec3& normal) {
    using Kind = Piece::Kind;
    const bool edge_a = a.kind == Kind::straight && a.radius == 0.0 && a.generator == 0.0;
    const bool edge_b = b.kind == Kind::straight && b.radius == 0.0 && b.generator == 0.0;
    if (a.kind != Kind::point && b.kind != Kind::point) return false;
    Vec3 w = a.center - b.center;
    if (a.kind == Kind::rim) {
        w = a.at(b.center - a.center) - b.center;
    } else if (b.kind == Kind::rim) {
        w = a.center - b.at(a.center - b.center);
    } else if (edge_a) {
        w -= w.dot(a.axis) * a.axis;
    } else if (edge_b) {
        w -= w.dot(b.axis) * b.axis;
    } else if (a.kind != b.kind) {
        return false;
    }
    const double size = w.norm();
    if (size > 0.0) normal = w / size;
    return size > 0.0;
}

Piece moved(Piece piece, const shape::Pose& pose) {
    piece.center = pose.apply(piece.center);
    piece.axis = pose.rotate(piece.axis);
    return piece;
}

}  // namespace

void for_smooth_normals(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
                        const Vec3& near, const std::function<void(const Vec3&)>& visit) {
    const std::vector<Piece> a = pieces(A, -near);
    std::vector<Piece> b = pieces(B, B_in_A.rotate_inverse(near));
    for (Piece& piece : b)
        piece = moved(piece, B_in_A);
    for (const Piece& pa : a) {
        for (const Piece& pb : b) {
            Vec3 n;
            if (apart(pa, pb, n)) visit(n);
            if (pa.kind == Piece::Kind::point && pb.kind == Piece::Kind::point) continue;
            if (solve(Equations(pa, pb, near), n)) visit(n);
        }
    }
}

}  // namespace carom::detect
