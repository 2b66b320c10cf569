// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// From a point of a contact manifold to what it is followed by: the features of both bodies.

#include <cmath>
#include <numbers>

#include "carom/detect/manifold_body.h"
#include "carom/detect/surface_feature.h"
#include "carom/world/constrained/contact_track.h"

namespace carom::world {
namespace {

using detect::Feature;
using detect::FeatureKind;
using Locus = ContactLocus;

// Lines that are closer to parallel than this (rad) meet along what they share: one of them is then
// a point. Larger: lines that cross at a small angle roll as if they were parallel.
constexpr double k_parallel = 1e-6;
using detect::k_line_ends;

// A face is level with a contact, whose normal is good to rounding, or nearly so, where the
// manifold took the normal of another face that is nearly parallel. Larger: edges that cross at
// small angles are taken for faces; faces at larger angles are.
constexpr double k_level = 1e-8;
constexpr double k_nearly_level = 0.05;

// A rim that is tilted by more (rad) touches in its lowest point alone. Larger: a disk that is
// nearly flat turns about a fixed place of its rim for that long.
constexpr double k_flat_rim = 1e-6;

// One side of a manifold point.
struct SurfaceSide {
    const detect::MovingPart* part;
    Vec3 local, outward;  // in the part's frame
    std::uint16_t code;
    Feature feature;
    // the flat piece that faces the contact most, and how far its normal is from the contact's
    Feature flat_piece{};
    Vec3 flat_normal = Vec3::Zero();
    double tilt = 2.0;

    bool is_vertex() const { return code % 2U == 1U; }
    bool is_edge() const { return code != 0 && code % 2U == 0U; }
    detect::Index number() const { return is_vertex() ? code / 2U : code / 2U - 1U; }
    template <class Shape>
    const Shape* as() const {
        return std::get_if<Shape>(&part->convex());
    }
    bool level() const { return tilt <= k_level; }
    bool nearly_level() const { return tilt <= k_nearly_level; }
    Vec3 in_body(const Vec3& x) const { return part->in_body().apply(x); }
    Vec3 turned(const Vec3& d) const { return part->in_body().rotate(d); }
};

void find_flat_piece(SurfaceSide& side) {
    if (const auto* half = side.as<shape::HalfSpace>()) {
        side.flat_normal = half->normal;
        side.tilt = 0.0;
        return;
    }
    if (const shape::Polyhedron* body = shape::polyhedron_of(side.part->convex())) {
        double most = -2.0;
        for (const shape::DirectedEdge e : body->star(body->support(side.outward))) {
            const detect::Index face = body->left(e);
            const double facing = body->face(face).normal.dot(side.outward);
            if (facing <= most) continue;
            most = facing;
            side.flat_piece = {FeatureKind::face, face};
        }
        side.flat_normal = body->face(side.flat_piece.index).normal;
    } else if (side.as<shape::Cylinder>() != nullptr || side.as<shape::Cone>() != nullptr) {
        const bool top = side.outward.z() > 0.0;
        if (top && side.as<shape::Cone>() != nullptr) return;
        side.flat_piece = {FeatureKind::cap, top ? 1U : 0U};
        side.flat_normal = top ? Vec3(Vec3::UnitZ()) : Vec3(-Vec3::UnitZ());
    } else {
        return;
    }
    side.tilt = (side.flat_normal - side.outward).norm();
}

SurfaceSide make_side(const detect::MovingPart& part, const motion::State& state, const Vec3& x,
                      const Vec3& outward, std::uint16_t code) {
    const shape::Pose pose = part.pose(state);
    SurfaceSide side{&part, pose.apply_inverse(x), pose.rotate_inverse(outward), code, {}};
    side.feature = detect::surface_feature(part.convex(), side.local, side.outward);
    find_flat_piece(side);
    return side;
}

Locus point(const SurfaceSide& side, const Vec3& local, double radius) {
    Locus out;
    out.kind = Locus::Kind::point;
    out.at = side.in_body(local);
    out.radius = radius;
    return out;
}

Locus line(const SurfaceSide& side, const Vec3& local, const Vec3& direction, double low,
           double high, double radius) {
    Locus out;
    out.kind = Locus::Kind::line;
    out.at = side.in_body(local);
    out.axis = side.turned(direction);
    out.low = low;
    out.high = high;
    out.radius = radius;
    return out;
}

Locus circle(const SurfaceSide& side, double z, double size) {
    Locus out;
    out.kind = Locus::Kind::circle;
    out.at = side.in_body(Vec3(0.0, 0.0, z));
    out.axis = side.turned(Vec3::UnitZ());
    out.zero = side.turned(Vec3::UnitX());
    out.size = size;
    return out;
}

Locus on_polyhedron(const SurfaceSide& side, const shape::Polyhedron& body) {
    const auto of_edge = [&](detect::Index e) {
        const auto& edge = body.edge(e);
        return line(side, body.vertex(edge.tail), edge.direction, 0.0, edge.length, 0.0);
    };
    if (side.is_vertex()) return point(side, body.vertex(side.number()), 0.0);
    if (side.is_edge()) return of_edge(side.number());
    if (side.feature.kind == FeatureKind::vertex)
        return point(side, body.vertex(side.feature.index), 0.0);
    if (side.feature.kind == FeatureKind::edge) return of_edge(side.feature.index);
    return {};
}

// A straight side of the given radius from z = low to high. Against a plane its ends are the rims
// of a cylinder or the round ends of a capsule.
Locus on_straight_side(const SurfaceSide& side, double low, double high, double radius,
                       bool round_ends, bool on_plane) {
    if (side.is_vertex() && side.number() >= k_line_ends) {
        const double z = side.number() == k_line_ends ? low : high;
        if (on_plane && !round_ends) return circle(side, z, radius);
        return point(side, Vec3(0.0, 0.0, z), radius);
    }
    if (on_plane) {
        Locus out = point(side, Vec3(0.0, 0.0, side.local.z()), radius);
        out.cut = true;
        return out;
    }
    return line(side, Vec3::Zero(), Vec3::UnitZ(), low, high, radius);
}

// A rim, or one of the places of a cap that are fixed in its body.
Locus on_rim(const SurfaceSide& side, double z, double size) {
    const bool flat = side.tilt <= k_flat_rim;
    if (flat && side.is_vertex() && side.number() % 16U < detect::k_rim_points) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(side.number() % 16U) /
                             detect::k_rim_points;
        return point(side, Vec3(size * std::cos(angle), size * std::sin(angle), z), 0.0);
    }
    return circle(side, z, size);
}

Locus locus_of(const SurfaceSide& side, bool on_plane) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(side.part->convex()))
        return on_polyhedron(side, *body);
    if (const auto* ball = side.as<shape::Sphere>()) return point(side, Vec3::Zero(), ball->radius);
    if (const auto* c = side.as<shape::Capsule>()) {
        if (side.feature.kind == FeatureKind::end && !side.is_vertex()) {
            const double z = side.feature.index == 1 ? c->half_length : -c->half_length;
            return point(side, Vec3(0.0, 0.0, z), c->radius);
        }
        return on_straight_side(side, -c->half_length, c->half_length, c->radius, true, on_plane);
    }
    const bool line_end = side.is_vertex() && side.number() >= k_line_ends;
    if (const auto* c = side.as<shape::Cylinder>()) {
        const double half = c->half_height;
        if (line_end || side.feature.kind == FeatureKind::side)
            return on_straight_side(side, -half, half, c->radius, false, on_plane);
        const bool top = side.is_vertex() ? side.number() >= 16U : side.feature.index == 1;
        return on_rim(side, top ? half : -half, c->radius);
    }
    if (const auto* c = side.as<shape::Cone>()) {
        const double base = -0.25 * c->height, top = 0.75 * c->height;
        if (line_end && side.number() == k_line_ends && on_plane)
            return circle(side, base, c->radius);
        if (line_end || side.feature.kind == FeatureKind::apex)
            return point(side, Vec3(0.0, 0.0, top), 0.0);
        if (side.feature.kind != FeatureKind::side) return on_rim(side, base, c->radius);
    }
    return {};
}

void set_plane(const SurfaceSide& side, ContactTrack& out) {
    Vec3 at = Vec3::Zero();
    if (const shape::Polyhedron* body = shape::polyhedron_of(side.part->convex())) {
        at = body->face(side.flat_piece.index).offset * side.flat_normal;
    } else if (const auto* cylinder = side.as<shape::Cylinder>()) {
        at = cylinder->half_height * side.flat_normal;
    } else if (const auto* cone = side.as<shape::Cone>()) {
        at = 0.25 * cone->height * side.flat_normal;
    }
    out.plane_normal = side.turned(side.flat_normal);
    out.plane_at = side.in_body(at);
    out.face_part = side.part;
    out.face = side.flat_piece;
}

// Where on a line or a circle a place is.
double parameter_at(const Locus& locus, const motion::State& state, const Vec3& x) {
    const Vec3 y = state.orientation.conjugate() * (x - state.position) - locus.at;
    if (locus.kind == Locus::Kind::line) return y.dot(locus.axis);
    if (locus.kind == Locus::Kind::circle)
        return std::atan2(y.dot(locus.axis.cross(locus.zero)), y.dot(locus.zero));
    return 0.0;
}

bool has_place(const Locus& locus) {
    return locus.kind != Locus::Kind::none;
}
bool is_curve(const Locus& locus) {
    return locus.kind == Locus::Kind::line || locus.kind == Locus::Kind::circle;
}

// Edges at a smaller angle (rad) have no normal across both that is good to rounding, and no place
// where they cross. Larger: places that run along an edge stay where they are for a step.
constexpr double k_least_crossing = 1e-3;
bool can_cross(const SurfaceSide& a, const motion::State& state_a, const SurfaceSide& b,
               const motion::State& state_b) {
    const shape::Polyhedron* hull_a = shape::polyhedron_of(a.part->convex());
    const shape::Polyhedron* hull_b = shape::polyhedron_of(b.part->convex());
    if (hull_a == nullptr || hull_b == nullptr) return false;
    const Vec3 d_a = state_a.orientation * a.turned(hull_a->edge(a.number()).direction);
    const Vec3 d_b = state_b.orientation * b.turned(hull_b->edge(b.number()).direction);
    return d_a.cross(d_b).norm() > k_least_crossing;
}

// Whether two lines run along each other.
bool are_parallel(const Locus& a, const motion::State& state_a, const Locus& b,
                  const motion::State& state_b) {
    if (a.kind != Locus::Kind::line || b.kind != Locus::Kind::line) return false;
    const Vec3 d_a = state_a.orientation * a.axis;
    const Vec3 d_b = state_b.orientation * b.axis;
    return d_a.cross(d_b).norm() <= k_least_crossing;
}

// A face of `face` under the place of `other`; false where that is no single place.
bool track_on_face(const SurfaceSide& face, const SurfaceSide& other, bool face_is_b,
                   ContactTrack& out) {
    Locus& mover = face_is_b ? out.a : out.b;
    Locus& carrier = face_is_b ? out.b : out.a;
    mover = locus_of(other, true);
    out.normal = face_is_b ? ContactTrack::Normal::plane_b : ContactTrack::Normal::plane_a;
    set_plane(face, out);
    const bool level_rim = mover.kind == Locus::Kind::circle && other.level();
    if (mover.kind == Locus::Kind::line || level_rim) {
        carrier = locus_of(face, false);
        if (!is_curve(carrier)) return false;
        out.crossing = true;
    }
    return has_place(mover);
}

}  // namespace

std::optional<ContactTrack> track_contact(const ManifoldPoint& p, const detect::MovingBody& a,
                                          const motion::State& state_a, const detect::MovingBody& b,
                                          const motion::State& state_b) {
    const auto parts = static_cast<std::size_t>(p.id >> 32U);
    const std::size_t count_b = b.parts().size();
    const SurfaceSide side_a = make_side(a.parts()[parts / count_b], state_a, p.on_a, -p.normal,
                                         static_cast<std::uint16_t>(p.id >> 16U));
    const SurfaceSide side_b = make_side(b.parts()[parts % count_b], state_b, p.on_b, p.normal,
                                         static_cast<std::uint16_t>(p.id));
    ContactTrack out;
    out.id = p.id;
    // the names of the features tell whose face it is; where they do not, the normal
    enum class Face : std::uint8_t { none, of_a, of_b } face = Face::none;
    const bool edges = side_a.is_edge() && side_b.is_edge();
    if (side_b.code == 0 && side_a.code != 0 && side_b.nearly_level()) {
        face = Face::of_b;
    } else if (side_a.code == 0 && side_b.code != 0 && side_a.nearly_level()) {
        face = Face::of_a;
    } else if (edges && can_cross(side_a, state_a, side_b, state_b)) {
        face = Face::none;
    } else if (side_b.level()) {
        face = Face::of_b;
    } else if (side_a.level()) {
        face = Face::of_a;
    } else if (edges && std::min(side_a.tilt, side_b.tilt) <= k_nearly_level) {
        face = side_b.tilt <= side_a.tilt ? Face::of_b : Face::of_a;
    }
    if (face != Face::none) {
        const bool found = face == Face::of_b ? track_on_face(side_b, side_a, true, out)
                                              : track_on_face(side_a, side_b, false, out);
        if (!found) return std::nullopt;
        if (out.crossing && are_parallel(out.a, state_a, out.b, state_b)) {
            Locus& mover = face == Face::of_b ? out.a : out.b;
            const double at = face == Face::of_b ? parameter_at(mover, state_a, p.on_a)
                                                 : parameter_at(mover, state_b, p.on_b);
            mover.at += at * mover.axis;
            mover.kind = Locus::Kind::point;
            mover.cut = true;
            out.crossing = false;
        }
    } else {
        out.a = locus_of(side_a, false);
        out.b = locus_of(side_b, false);
        if (!has_place(out.a) || !has_place(out.b)) return std::nullopt;
        if (out.a.kind == Locus::Kind::line && out.b.kind == Locus::Kind::line) {
            const Vec3 d_a = state_a.orientation * out.a.axis;
            const Vec3 d_b = state_b.orientation * out.b.axis;
            if (d_a.cross(d_b).norm() < k_parallel) {
                out.a.at += parameter_at(out.a, state_a, p.on_a) * out.a.axis;
                out.a.kind = Locus::Kind::point;
            }
        }
        const bool grown = out.a.radius + out.b.radius > 0.0;
        if (!grown && (!is_curve(out.a) || !is_curve(out.b))) return std::nullopt;
        out.normal = grown ? ContactTrack::Normal::apart : ContactTrack::Normal::across;
    }
    out.s_a = parameter_at(out.a, state_a, p.on_a);
    out.s_b = parameter_at(out.b, state_b, p.on_b);
    if (out.normal == ContactTrack::Normal::across &&
        contact_state(out, state_a, state_b).n.dot(p.normal) < 0.0)
        out.sign = -1.0;
    return out;
}

}  // namespace carom::world
