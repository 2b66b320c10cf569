// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "carom/detect/core.h"
#include "carom/detect/gjk.h"
#include "carom/detect/penetration.h"
#include "carom/detect/point_solids.h"
#include "carom/detect/segments.h"
#include "carom/detect/suggested_normals.h"
#include "carom/detect/surface_feature.h"
#include "carom/detect/tolerances.h"
#include "carom/detect/witness.h"

namespace carom::detect {
namespace {

using namespace shape;

// The closest points of two cores, in the frame of A.
struct Cores {
    bool overlap = false;
    double distance = 0.0;
    double lower = 0.0;
    Vec3 normal = Vec3::UnitZ();
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();
    bool features_known = false;
};

Cores between(const Vec3& a, const Vec3& b) {
    Cores c;
    c.a = a;
    c.b = b;
    const Vec3 apart = a - b;
    c.distance = c.lower = apart.norm();
    c.overlap = !(c.distance > 0.0);
    if (!c.overlap) c.normal = apart / c.distance;
    return c;
}

// The segment of a capsule as its pose places it.
SegmentBody segment_of(const Capsule& capsule, const Pose& pose) {
    const Vec3 unit = pose.rotate(Vec3::UnitZ());
    const Vec3 half = capsule.half_length * unit;
    return {{pose.position - half, pose.position + half}, unit};
}

Cores from_vclip(const VclipResult& r) {
    Cores c;
    c.overlap = r.overlap;
    c.distance = r.distance;
    c.normal = r.normal;
    c.a = r.point_a;
    c.b = r.point_b;
    c.features_known = true;
    return c;
}

// A flat piece of one body that the other is in front of, near the last normal: exact, and much
// cheaper than a search.
std::optional<Cores> by_flat_pieces(const Convex& A, const Convex& B, const Pose& B_in_A,
                                    const Vec3& last_normal) {
    const Vec3 of_b = B_in_A.rotate(flat_normal(B, B_in_A.rotate_inverse(last_normal)));
    for (const Vec3& n : {of_b, Vec3(-flat_normal(A, -last_normal))}) {
        if (!(n.dot(last_normal) > 0.0)) continue;
        const auto points = facing_points(A, Pose{}, B, B_in_A, n);
        if (!points) continue;
        const double size = points->a.norm() + (points->b - B_in_A.position).norm();
        if (!(points->gap >= -k_tolerances.certificate * size)) continue;
        Cores c;
        c.distance = c.lower = points->gap;
        c.normal = n;
        c.a = points->a;
        c.b = points->b;
        return c;
    }
    return std::nullopt;
}

Cores by_gjk(const Convex& A, const Convex& B, const Pose& B_in_A, const PairMemory& memory) {
    if (auto flat = by_flat_pieces(A, B, B_in_A, memory.normal_A)) return *flat;
    const GjkResult r = gjk(A, B, B_in_A, memory.normal_A);
    Cores c;
    c.overlap = r.overlap || !(r.upper > 0.0);
    // the certified bound is the better number where the points have lost digits
    constexpr double k_touching = 16.0;
    c.distance = r.lower >= -k_touching * r.rounding ? std::max(0.0, r.lower) : r.upper;
    c.lower = r.lower;
    c.normal = r.normal;
    c.a = r.point_a;
    c.b = r.point_b;
    if (r.polished && !c.overlap) {
        const Witness w = witness(A, Pose{}, B, B_in_A, c.normal, c.distance);
        c.a = w.a;
        c.b = w.b;
    }
    return c;
}

// Bodies that touch to rounding: the best of the normals that their faces and edges suggest near
// the last one. Empty when no plane parts them so nearly.
std::optional<Cores> touching(const Convex& A, const Convex& B, const Pose& B_in_A,
                              const Vec3& last_normal) {
    const CorePair pair(A, B, B_in_A);
    Cores c;
    double size = 0.0;
    c.lower = -std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3& n) {
        const CorePair::Support s = pair.lowest(n);
        if (!(n.dot(s.w) > c.lower)) return;
        c.lower = n.dot(s.w);
        c.normal = n;
        size = s.a.norm() + s.b.norm();
    };
    // most touches are with a face, and then no other normal can be better than rounding
    constexpr double k_touch = 1e-15;
    offer(last_normal);
    const Vec3 of_b = flat_normal(B, B_in_A.rotate_inverse(last_normal));
    const Vec3 of_a = flat_normal(A, -last_normal);
    if (!of_b.isZero(0.0)) offer(B_in_A.rotate(of_b));
    if (!of_a.isZero(0.0)) offer(-of_a);
    if (!(std::abs(c.lower) <= k_touch * size)) {
        for_suggested_normals(A, B, B_in_A, last_normal, offer);
    }
    if (!(c.lower >= -k_tolerances.certificate * size)) return std::nullopt;
    c.distance = c.lower;
    const Witness w = witness(A, Pose{}, B, B_in_A, c.normal, c.distance);
    c.a = w.a;
    c.b = w.b;
    return c;
}

// The walk over features, believed only with its certificate.
template <class Walk>
Cores by_walk(const Convex& A, const Convex& B, const Pose& B_in_A, PairMemory& memory,
              Walk&& walk) {
    const VclipResult r = walk(memory.features);
    if (r.settled && r.overlap) {
        return touching(A, B, B_in_A, memory.normal_A).value_or(from_vclip(r));
    }
    if (r.settled) {
        Cores c = from_vclip(r);
        CorePair pair(A, B, B_in_A);
        pair.start_from(vertex_at(A, memory.features.a), vertex_at(B, memory.features.b));
        const CorePair::Support s = pair.lowest(c.normal);
        c.lower = c.normal.dot(s.w);
        const double size = s.a.norm() + s.b.norm();
        if (c.distance - c.lower <= k_tolerances.certificate * size) return c;
    }
    memory.features = {};
    return by_gjk(A, B, B_in_A, memory);
}

Cores with_point(const Convex& A, const Convex& B, const Pose& B_in_A, PairMemory& memory) {
    const Vec3& x = B_in_A.position;
    const auto nearest = [&](const NearestPoint& p) {
        Cores c = between(p.nearest, x);
        c.overlap = p.inside;
        return c;
    };
    if (const auto* box = std::get_if<Box>(&A)) return nearest(nearest_in(*box, x));
    if (const auto* cylinder = std::get_if<Cylinder>(&A)) return nearest(nearest_in(*cylinder, x));
    if (const auto* cone = std::get_if<Cone>(&A)) return nearest(nearest_in(*cone, x));
    if (const auto* hull = std::get_if<Hull>(&A)) {
        return by_walk(A, B, B_in_A, memory, [&](FeaturePair& features) {
            return vclip(*hull->polyhedron, PointBody{x}, features);
        });
    }
    if (const auto* capsule = std::get_if<Capsule>(&A)) {
        const SegmentBody s = segment_of(*capsule, Pose{});
        const SegmentPoints p = closest_on_segments(s.ends[0], s.ends[1], x, x);
        return between(p.on_first, x);
    }
    return between(Vec3::Zero(), x);
}

Cores with_segment(const Convex& A, const Convex& B, const Pose& B_in_A, PairMemory& memory) {
    const SegmentBody segment = segment_of(std::get<Capsule>(B), B_in_A);
    if (const Polyhedron* body = polyhedron_of(A)) {
        return by_walk(A, B, B_in_A, memory,
                       [&](FeaturePair& features) { return vclip(*body, segment, features); });
    }
    if (const auto* capsule = std::get_if<Capsule>(&A)) {
        const SegmentBody s = segment_of(*capsule, Pose{});
        const SegmentPoints p =
            closest_on_segments(s.ends[0], s.ends[1], segment.ends[0], segment.ends[1]);
        return between(p.on_first, p.on_second);
    }
    return by_gjk(A, B, B_in_A, memory);
}

Cores cores(const Convex& A, const Convex& B, const Pose& B_in_A, PairMemory& memory) {
    if (std::holds_alternative<Sphere>(B)) return with_point(A, B, B_in_A, memory);
    if (std::holds_alternative<Capsule>(B)) return with_segment(A, B, B_in_A, memory);
    const Polyhedron* a = polyhedron_of(A);
    const Polyhedron* b = polyhedron_of(B);
    if (a != nullptr && b != nullptr) {
        return by_walk(A, B, B_in_A, memory,
                       [&](FeaturePair& features) { return vclip(*a, *b, B_in_A, features); });
    }
    return by_gjk(A, B, B_in_A, memory);
}

// The body that the way to a distance expects second: the simpler one.
int rank(const Convex& convex) {
    if (polyhedron_of(convex) != nullptr) return 0;
    if (std::holds_alternative<Cylinder>(convex)) return 1;
    if (std::holds_alternative<Cone>(convex)) return 2;
    if (std::holds_alternative<Capsule>(convex)) return 3;
    return std::holds_alternative<Sphere>(convex) ? 4 : 5;
}

Separation from_half_space(const Convex& A, const Pose& pose_A, const HalfSpace& B,
                           const Pose& pose_B, PairMemory& memory) {
    if (std::holds_alternative<HalfSpace>(A)) {
        throw std::invalid_argument(
            "two half-spaces have no distance; at most one body of a pair may be a plane");
    }
    Separation s;
    s.normal = pose_B.rotate(B.normal);
    Index hint = polyhedron_of(A) != nullptr ? vertex_at(A, memory.features.a) : 0;
    const double radius = core_radius(A);
    const Vec3 deepest = core_support(A, pose_A.rotate_inverse(-s.normal), hint);
    memory.features.a = {FeatureKind::vertex, hint};
    s.point_a = pose_A.apply(deepest) - radius * s.normal;
    s.distance = s.lower = s.normal.dot(s.point_a - pose_B.position);
    s.point_b = s.point_a - s.distance * s.normal;
    s.overlap = s.distance < 0.0;
    s.a = surface_feature(A, pose_A.apply_inverse(s.point_a), pose_A.rotate_inverse(-s.normal));
    s.b = {FeatureKind::surface, 0};
    return s;
}

Separation ordered(const Convex& A, const Pose& pose_A, const Convex& B, const Pose& pose_B,
                   PairMemory& memory) {
    if (const auto* plane = std::get_if<HalfSpace>(&B)) {
        return from_half_space(A, pose_A, *plane, pose_B, memory);
    }
    const Pose B_in_A{pose_A.rotate_inverse(pose_B.position - pose_A.position),
                      pose_A.orientation.conjugate() * pose_B.orientation};
    Cores c = cores(A, B, B_in_A, memory);
    const double radius_a = core_radius(A);
    const double radius_b = core_radius(B);
    if (c.overlap) {
        const Penetration p = penetration(A, B, B_in_A, c.normal);
        c.normal = p.normal;
        c.distance = c.lower = -p.depth;
        c.a = p.point_a;
        c.b = p.point_b;
        c.features_known = false;
    }
    memory.normal_A = c.normal;
    const Vec3 a = c.a - radius_a * c.normal;
    const Vec3 b = c.b + radius_b * c.normal;
    Separation s;
    s.distance = c.distance - radius_a - radius_b;
    s.lower = c.lower - radius_a - radius_b;
    s.normal = pose_A.rotate(c.normal);
    s.point_a = pose_A.apply(a);
    s.point_b = pose_A.apply(b);
    s.overlap = s.distance < 0.0;
    const bool poly_a = polyhedron_of(A) != nullptr && c.features_known;
    const bool poly_b = polyhedron_of(B) != nullptr && c.features_known;
    s.a = poly_a ? memory.features.a : surface_feature(A, a, -c.normal);
    s.b = poly_b ? memory.features.b
                 : surface_feature(B, B_in_A.apply_inverse(b), B_in_A.rotate_inverse(c.normal));
    return s;
}

}  // namespace

Separation separation(const Convex& A, const Pose& pose_A, const Convex& B, const Pose& pose_B,
                      PairMemory& memory) {
    if (rank(A) <= rank(B)) return ordered(A, pose_A, B, pose_B, memory);
    Separation s = ordered(B, pose_B, A, pose_A, memory);
    s.normal = -s.normal;
    std::swap(s.point_a, s.point_b);
    std::swap(s.a, s.b);
    return s;
}

}  // namespace carom::detect
