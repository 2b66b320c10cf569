// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/manifold_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/detect/core.h"

namespace carom::detect {
namespace {

// Pieces steeper than this against the normal have no patch: heights on them would lose digits.
// Ten times larger: contacts of edges whose faces are steep give one point instead of two.
constexpr double k_steep = 0.05;

// The plane through a point with a normal; false where it is steep.
bool set_plane(const Vec3& normal, double level, Outline& out) {
    if (!(std::abs(normal.z()) > k_steep)) return false;
    const double inverse = 1.0 / normal.z();
    out.k0 = level * inverse;
    out.kx = -normal.x() * inverse;
    out.ky = -normal.y() * inverse;
    return true;
}

// The unit direction from the axis; x when there is none.
Vec2 across(const Vec3& d) {
    const double size = std::sqrt(d.x() * d.x() + d.y() * d.y());
    return size > 0.0 ? Vec2(d.x() / size, d.y() / size) : Vec2(1.0, 0.0);
}

Piece round_piece(bool disc, shape::Index which) {
    Piece out;
    out.kind = disc ? Piece::Kind::disc : Piece::Kind::side;
    out.index = which;
    out.normal = Vec3(0.0, 0.0, which == 1 ? 1.0 : -1.0);
    return out;
}

Piece facing_piece(const shape::Cylinder& /*cylinder*/, const Vec3& d) {
    const bool disc = d.z() * d.z() >= d.x() * d.x() + d.y() * d.y();
    return round_piece(disc, d.z() > 0.0 ? 1 : 0);
}

Piece facing_piece(const shape::Cone& c, const Vec3& d) {
    const double out = std::sqrt(d.x() * d.x() + d.y() * d.y());
    const double slant = std::sqrt(c.radius * c.radius + c.height * c.height);
    return round_piece(-d.z() * slant >= out * c.height + d.z() * c.radius, 0);
}

// How far inside the side from corner i on a place is, times the side's length; and the square of
// that.
struct Beside {
    double area, squared;
};
Beside beside(const Outline& polygon, int i, double x, double y) {
    const Vec3& p = polygon.corner[static_cast<std::size_t>(i)];
    const Vec3& q = polygon.corner[static_cast<std::size_t>(i + 1 < polygon.count ? i + 1 : 0)];
    const double dx = q.x() - p.x();
    const double dy = q.y() - p.y();
    return {dx * (y - p.y()) - dy * (x - p.x()), dx * dx + dy * dy};
}

// A normal is that of a surface when the cosine between them is so near to one. Larger: a ball may
// stick out of the surface by so much of its radius.
constexpr double k_same_facing = 1e-12;

// The largest ball that touches a place from inside and stays inside of a plane: the place is
// `inside` of the plane by so much, and its normal has the cosine `facing` to that of the plane.
double radius_at_plane(double inside, double facing) {
    if (1.0 - facing <= k_same_facing) return std::numeric_limits<double>::infinity();
    return std::max(0.0, inside) / (1.0 - facing);
}

// The same for the side of a cylinder or cone: the least radius with
// |x - radius n| = room - radius lost,  x and n being across the axis.
double radius_at_side(const Vec2& x, const Vec2& n, double room, double lost) {
    // c - 2 b radius + a radius^2, none of them negative but for rounding
    const double a = lost * lost - n.squaredNorm();
    const double b = room * lost - x.dot(n);
    const double c = std::max(0.0, room * room - x.squaredNorm());
    if (b <= k_same_facing * room * lost) return room / lost;
    return std::min(room / lost, c / (b + std::sqrt(std::max(0.0, b * b - a * c))));
}

}  // namespace

double Outline::inside(double x, double y) const {
    if (kind == Kind::disc) {
        const Vec3 from = Vec3(x, y, height(x, y)) - center;
        return radius - from.norm();
    }
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) {
        const Beside side = beside(*this, i, x, y);
        least = std::min(least, side.area / std::sqrt(side.squared));
    }
    return least;
}

bool Outline::holds(double x, double y, double border) const {
    if (kind == Kind::disc) return inside(x, y) >= -border;
    for (int i = 0; i < count; ++i) {
        const Beside side = beside(*this, i, x, y);
        if (side.area < 0.0 && side.area * side.area > border * border * side.squared) return false;
    }
    return true;
}

PlacedBody::PlacedBody(const shape::Convex& convex, const Mat3& R, const Vec3& t, shape::Index hint)
    : convex_(convex),
      polyhedron_(shape::polyhedron_of(convex)),
      box_(std::get_if<shape::Box>(&convex)),
      R_(R),
      t_(t),
      radius_(core_radius(convex)),
      vertex_(hint) {}

Vec3 PlacedBody::farthest(const Vec3& direction) {
    const Vec3 d = R_.transpose() * direction;
    if (box_ != nullptr) {
        // its corners are numbered by their signs
        vertex_ = (std::signbit(d.x()) ? 0U : 1U) + (std::signbit(d.y()) ? 0U : 2U) +
                  (std::signbit(d.z()) ? 0U : 4U);
        return R_ * polyhedron_->vertex(vertex_) + t_;
    }
    return R_ * core_support(convex_, d, vertex_) + t_ + radius_ * direction;
}

Piece PlacedBody::piece(const Vec3& direction) const {
    const Vec3 d = R_.transpose() * direction;
    if (polyhedron_ != nullptr) {
        double most = -2.0;
        Piece out;
        out.kind = Piece::Kind::face;
        for (const shape::DirectedEdge e : polyhedron_->star(vertex_)) {
            const shape::Index face = polyhedron_->left(e);
            const double facing = polyhedron_->face(face).normal.dot(d);
            if (facing <= most) continue;
            most = facing;
            out.index = face;
        }
        out.normal = polyhedron_->face(out.index).normal;
        return out;
    }
    if (const auto* c = std::get_if<shape::Cylinder>(&convex_)) return facing_piece(*c, d);
    if (const auto* c = std::get_if<shape::Cone>(&convex_)) return facing_piece(*c, d);
    Piece out;
    const auto* capsule = std::get_if<shape::Capsule>(&convex_);
    if (capsule != nullptr && capsule->half_length > 0.0) out.kind = Piece::Kind::side;
    return out;
}

double PlacedBody::level(const Piece& piece, const Vec3& n) const {
    double own = 0.0;
    if (piece.kind == Piece::Kind::face) {
        own = polyhedron_->face(piece.index).offset;
    } else if (const auto* c = std::get_if<shape::Cylinder>(&convex_)) {
        own = c->half_height;
    } else if (const auto* cone = std::get_if<shape::Cone>(&convex_)) {
        own = 0.25 * cone->height;
    }
    return own + n.dot(t_);
}

double PlacedBody::inner_radius(const Vec3& x, const Vec3& n) const {
    const Vec3 y = R_.transpose() * (x - t_);
    const Vec3 m = R_.transpose() * n;
    double least = std::numeric_limits<double>::infinity();
    const auto plane = [&](double inside, double facing) {
        least = std::min(least, radius_at_plane(inside, facing));
    };
    if (polyhedron_ != nullptr) {
        for (const auto& face : polyhedron_->faces())
            plane(face.offset - face.normal.dot(y), face.normal.dot(m));
        return least;
    }
    const Vec2 across_y = y.head<2>();
    const Vec2 across_m = m.head<2>();
    if (const auto* c = std::get_if<shape::Cylinder>(&convex_)) {
        plane(c->half_height - y.z(), m.z());
        plane(c->half_height + y.z(), -m.z());
        return std::min(least, radius_at_side(across_y, across_m, c->radius, 1.0));
    }
    if (const auto* c = std::get_if<shape::Cone>(&convex_)) {
        const double slope = c->radius / c->height;
        plane(0.25 * c->height + y.z(), -m.z());
        return std::min(least,
                        radius_at_side(across_y, across_m, slope * (0.75 * c->height - y.z()),
                                       std::hypot(1.0, slope) - slope * m.z()));
    }
    return radius_;
}

double PlacedBody::size() const {
    if (polyhedron_ != nullptr) return polyhedron_->size();
    if (const auto* c = std::get_if<shape::Cylinder>(&convex_)) {
        return std::max(c->radius, c->half_height);
    }
    if (const auto* c = std::get_if<shape::Cone>(&convex_)) {
        return std::max(c->radius, 0.75 * c->height);
    }
    if (const auto* c = std::get_if<shape::Capsule>(&convex_)) return c->half_length + c->radius;
    return radius_;
}

void PlacedBody::outline(const Piece& piece, const Mat3& T, double sign, Outline& out) const {
    const Mat3 R = T * R_;
    const Vec3 t = T * t_;
    out.kind = Outline::Kind::none;
    out.count = 0;
    switch (piece.kind) {
        case Piece::Kind::face:
            polygon(piece.index, R, t, sign, out);
            break;
        case Piece::Kind::disc:
            disc(piece.index, R, t, out);
            break;
        case Piece::Kind::side:
            side(R, t, sign, out);
            break;
        case Piece::Kind::none:
            break;
    }
}

void PlacedBody::edge_outline(shape::Index edge, const Mat3& T, Outline& out) const {
    const auto& e = polyhedron_->edge(edge);
    const std::array<shape::Index, 2> ends{e.tail, e.head};
    for (std::size_t i = 0; i < 2; ++i) {
        out.corner[i] = T * placed(polyhedron_->vertex(ends[i]));
        out.vertex[i] = vertex_code(ends[i]);
        out.edge[i] = edge_code(edge);
    }
    out.axis = {out.corner[0], out.corner[1]};
    out.radius = 0.0;
    out.count = 2;
    out.kind = Outline::Kind::line;
}

void PlacedBody::polygon(shape::Index face, const Mat3& R, const Vec3& t, double sign,
                         Outline& out) const {
    const auto& f = polyhedron_->face(face);
    const Vec3 normal = R * f.normal;
    if (!set_plane(normal, f.offset + normal.dot(t), out)) return;
    const auto boundary = polyhedron_->boundary(face);
    const std::size_t all = boundary.size();
    const std::size_t count = std::min<std::size_t>(all, k_outline_corners);
    for (std::size_t i = 0; i < count; ++i) {
        // counterclockwise from outside is clockwise from above for a piece that faces down
        const std::size_t k = sign > 0.0 ? i : count - 1 - i;
        const std::size_t before = k > 0 ? k - 1 : count - 1;
        const shape::DirectedEdge e = boundary[k * all / count];
        const shape::DirectedEdge onward = sign > 0.0 ? e : boundary[before * all / count];
        const shape::Index v = polyhedron_->tail(e);
        out.corner[i] = R * polyhedron_->vertex(v) + t;
        out.vertex[i] = vertex_code(v);
        out.edge[i] = edge_code(onward.edge());
    }
    out.count = static_cast<int>(count);
    out.kind = Outline::Kind::polygon;
}

void PlacedBody::disc(shape::Index which, const Mat3& R, const Vec3& t, Outline& out) const {
    double z = 0.0;
    if (const auto* c = std::get_if<shape::Cylinder>(&convex_)) {
        out.radius = c->radius;
        z = which == 1 ? c->half_height : -c->half_height;
    } else {
        const auto& cone = std::get<shape::Cone>(convex_);
        out.radius = cone.radius;
        z = -0.25 * cone.height;
    }
    const Vec3 normal = which == 1 ? Vec3(R.col(2)) : Vec3(-R.col(2));
    out.center = z * R.col(2) + t;
    if (!set_plane(normal, normal.dot(out.center), out)) return;
    out.axis = {out.radius * R.col(0), out.radius * R.col(1)};
    out.first = 16 * which;
    out.kind = Outline::Kind::disc;
}

void PlacedBody::side(const Mat3& R, const Vec3& t, double sign, Outline& out) const {
    const Vec3 d = sign * R.row(2).transpose();
    const Vec2 u = across(d);
    double bottom = 0.0;
    double top = 0.0;
    double top_radius = 0.0;
    if (const auto* c = std::get_if<shape::Cylinder>(&convex_)) {
        out.radius = top_radius = c->radius;
        top = c->half_height;
        bottom = -top;
    } else if (const auto* cone = std::get_if<shape::Cone>(&convex_)) {
        out.radius = cone->radius;
        top = 0.75 * cone->height;
        bottom = -0.25 * cone->height;
    } else {
        const auto& capsule = std::get<shape::Capsule>(convex_);
        out.radius = top_radius = capsule.radius;
        top = capsule.half_length;
        bottom = -top;
    }
    const Vec3 low(out.radius * u.x(), out.radius * u.y(), bottom);
    const Vec3 high(top_radius * u.x(), top_radius * u.y(), top);
    out.axis = {R * low + t, R * high + t};
    std::array<Vec3, 2> ends{low, high};
    if (std::holds_alternative<shape::Capsule>(convex_)) {
        // the round end that reaches farther
        const std::size_t end = d.z() > 0.0 ? 1 : 0;
        ends[end] = Vec3(0.0, 0.0, end == 1 ? top : bottom) + out.radius * d;
    }
    for (std::size_t i = 0; i < 2; ++i) {
        out.corner[i] = R * ends[i] + t;
        out.vertex[i] = vertex_code(k_line_ends + static_cast<shape::Index>(i));
        out.edge[i] = edge_code(k_line_ends);
    }
    out.count = 2;
    out.kind = Outline::Kind::line;
}

}  // namespace carom::detect
