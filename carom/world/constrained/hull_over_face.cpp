// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/hull_over_face.h"

#include <algorithm>

#include "carom/detect/manifold_body.h"

namespace carom::world {
namespace {

// The names of points have no room for more vertices.
constexpr std::size_t k_most_vertices = 32767;

// Area of the parallelogram of three points that carry, in L^2, from which on they keep the body
// level. Smaller: the heights of the others follow from theirs with as many digits less.
constexpr double k_wide = 0.01;

std::uint64_t name(bool of_a, shape::Index vertex) {
    const std::uint64_t code = detect::vertex_code(vertex);
    return of_a ? code << 16U : code;
}

}  // namespace

HullOverFace::HullOverFace(const ContactTrack& on_face, const detect::MovingPart& part,
                           const shape::Polyhedron& hull)
    : on_face_(&on_face), part_(&part), hull_(&hull) {
    const std::uint64_t code = (of_a() ? on_face.id >> 16U : on_face.id) & 0xffffU;
    if (code % 2U == 1U && code / 2U < hull.vertices().size())
        lowest_ = static_cast<shape::Index>(code / 2U);
}

std::optional<HullOverFace> HullOverFace::of(std::span<const ConstrainedPoint> points,
                                             const detect::MovingBody& a,
                                             const detect::MovingBody& b) {
    using Normal = ContactTrack::Normal;
    if (points.empty() || a.parts().size() != 1 || b.parts().size() != 1) return std::nullopt;
    const ContactTrack& first = points[0].track;
    if (first.normal != Normal::plane_a && first.normal != Normal::plane_b) return std::nullopt;
    const bool of_a = first.normal == Normal::plane_b;
    const detect::MovingPart& part = of_a ? a.parts()[0] : b.parts()[0];
    const shape::Polyhedron* hull = shape::polyhedron_of(part.convex());
    if (hull == nullptr || hull->vertices().size() > k_most_vertices) return std::nullopt;
    if (!std::all_of(points.begin(), points.end(), [&](const ConstrainedPoint& p) {
            return p.track.normal == first.normal && p.track.face_part == first.face_part &&
                   p.track.face == first.face;
        }))
        return std::nullopt;
    return HullOverFace(first, part, *hull);
}

bool HullOverFace::is_held_level(std::span<const ConstrainedPoint> points, double L) const {
    const Vec3* first = nullptr;
    const Vec3* second = nullptr;
    for (const ConstrainedPoint& p : points) {
        const ContactLocus& locus = of_a() ? p.track.a : p.track.b;
        // places that are fixed in the body
        if (p.mode == PointMode::open || locus.kind != ContactLocus::Kind::point || locus.cut)
            continue;
        const Vec3& x = locus.at;
        if (first == nullptr) {
            first = &x;
        } else if (second == nullptr || (x - *first).norm() > (*second - *first).norm()) {
            second = &x;
        }
    }
    if (second == nullptr) return false;
    return std::any_of(points.begin(), points.end(), [&](const ConstrainedPoint& p) {
        const ContactLocus& locus = of_a() ? p.track.a : p.track.b;
        if (p.mode == PointMode::open || locus.kind != ContactLocus::Kind::point || locus.cut)
            return false;
        return (*second - *first).cross(locus.at - *first).norm() > k_wide * L * L;
    });
}

HullOverFace::Instant HullOverFace::at(const motion::State& a, const motion::State& b) const {
    const motion::State& mover = of_a() ? a : b;
    const motion::State& carrier = of_a() ? b : a;
    const Vec3 m = carrier.orientation * on_face_->plane_normal;
    const Vec3 foot = carrier.position + carrier.orientation * on_face_->plane_at;
    const Vec3 in_body = mover.orientation.conjugate() * m;
    const shape::Pose& part = part_->in_body();
    return {part.rotate_inverse(in_body),
            m.dot(mover.position - foot) + in_body.dot(part.position)};
}

HullOverFace::Height HullOverFace::height_at(shape::Index vertex, const motion::State& a,
                                             const motion::State& b) const {
    const motion::State& mover = of_a() ? a : b;
    const motion::State& carrier = of_a() ? b : a;
    const Vec3 m = carrier.orientation * on_face_->plane_normal;
    const Vec3 foot = carrier.position + carrier.orientation * on_face_->plane_at;
    const Vec3 arm = mover.orientation * part_->in_body().apply(hull_->vertex(vertex));
    const Vec3 apart = mover.position - foot;
    // the plane turns with its body
    const Vec3 u = mover.velocity + mover.angular_velocity.cross(arm) - carrier.velocity -
                   carrier.angular_velocity.cross(mover.position + arm - carrier.position);
    return {m.dot(apart) + m.dot(arm), m.dot(u)};
}

double HullOverFace::lowest(const Instant& now) {
    lowest_ = hull_->support(-now.up, lowest_);
    return height(now, lowest_);
}

void HullOverFace::find_below(const Instant& now, double height, Found& out) {
    out.list.clear();
    if (!(lowest(now) < height)) return;
    out.place.resize(std::max(out.place.size(), hull_->vertices().size()));
    const auto is_found = [&](shape::Index v) {
        return out.place[v] < out.list.size() && out.list[out.place[v]] == v;
    };
    const auto put = [&](shape::Index v) {
        out.place[v] = static_cast<shape::Index>(out.list.size());
        out.list.push_back(v);
    };
    put(lowest_);
    for (std::size_t i = 0; i < out.list.size(); ++i)
        for (const shape::Index v : hull_->neighbours(out.list[i]))
            if (!is_found(v) && this->height(now, v) < height) put(v);
}

ContactTrack HullOverFace::track_of(shape::Index vertex) const {
    ContactTrack track = *on_face_;
    track.crossing = false;
    track.id = name(of_a(), vertex);
    ContactLocus& locus = of_a() ? track.a : track.b;
    locus = {};
    locus.kind = ContactLocus::Kind::point;
    locus.at = part_->in_body().apply(hull_->vertex(vertex));
    (of_a() ? track.b : track.a) = {};
    return track;
}

bool HullOverFace::is_vertex(std::uint64_t id, shape::Index vertex) const {
    const std::uint64_t mine = of_a() ? 0xffff0000U : 0xffffU;
    return (id & mine) == name(of_a(), vertex);
}

}  // namespace carom::world
