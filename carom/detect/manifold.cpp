// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/manifold.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "carom/detect/manifold_pair.h"

namespace carom::detect {
namespace {

using shape::Convex;
using shape::HalfSpace;
using shape::Pose;
using shape::Sphere;

// The order of bodies in a pair, which is that of separation(): the memory belongs to it.
constexpr std::array<int, std::variant_size_v<Convex>> k_rank{4, 5, 0, 3, 1, 2, 0};

void check(const Pose& pose_A, const Pose& pose_B, double within) {
    if (!(within >= 0.0) || !std::isfinite(within)) {
        throw std::invalid_argument("a manifold reaches " + std::to_string(within) +
                                    " m far; it has to be finite and not negative");
    }
    const double all = pose_A.position.sum() + pose_A.orientation.coeffs().sum() +
                       pose_B.position.sum() + pose_B.orientation.coeffs().sum();
    if (!std::isfinite(all)) {
        throw std::invalid_argument(
            "a pose in a contact is not finite; positions and orientations have to be numbers");
    }
}

void one_point(const Vec3& a, const Vec3& b, double gap, std::uint32_t id, Manifold& out) {
    out.count = 1;
    out.points[0] = {a, b, gap, id};
}

void ball_on_ball(const Sphere& A, const Pose& pose_A, const Sphere& B, const Pose& pose_B,
                  double within, Manifold& out) {
    const Vec3 apart = pose_A.position - pose_B.position;
    const double distance = apart.norm();
    out.normal = distance > 0.0 ? Vec3(apart / distance) : Vec3(Vec3::UnitZ());
    const double gap = distance - A.radius - B.radius;
    if (gap > within) return;
    one_point(pose_A.position - A.radius * out.normal, pose_B.position + B.radius * out.normal, gap,
              0, out);
}

void ball_on_plane(const Sphere& A, const Pose& pose_A, const HalfSpace& B, const Pose& pose_B,
                   double within, Manifold& out) {
    out.normal = pose_B.rotate(B.normal);
    const double gap = out.normal.dot(pose_A.position - pose_B.position) - A.radius;
    if (gap > within) return;
    const Vec3 a = pose_A.position - A.radius * out.normal;
    one_point(a, a - gap * out.normal, gap, 0, out);
}

void ball_on_any(const Convex& A, const Pose& pose_A, const Convex& B, const Pose& pose_B,
                 double within, PairMemory& memory, Manifold& out) {
    const Separation s = separation(A, pose_A, B, pose_B, memory);
    out.normal = s.normal;
    if (s.distance > within) return;
    one_point(s.point_a, s.point_b, s.distance, 0, out);
}

void ordered(const Convex& A, const Pose& pose_A, const Convex& B, const Pose& pose_B,
             double within, PairMemory& memory, Manifold& out) {
    if (const auto* ball = std::get_if<Sphere>(&A)) {
        if (const auto* other = std::get_if<Sphere>(&B)) {
            ball_on_ball(*ball, pose_A, *other, pose_B, within, out);
            return;
        }
        if (const auto* plane = std::get_if<HalfSpace>(&B)) {
            ball_on_plane(*ball, pose_A, *plane, pose_B, within, out);
            return;
        }
    }
    if (std::holds_alternative<Sphere>(B) || std::holds_alternative<HalfSpace>(A)) {
        ball_on_any(A, pose_A, B, pose_B, within, memory, out);
        return;
    }
    ManifoldPair pair(A, pose_A, B, pose_B, within, memory, out);
    if (const auto* plane = std::get_if<HalfSpace>(&B)) {
        pair.on_plane(*plane);
    } else {
        pair.find();
    }
}

}  // namespace

void find_manifold(const Convex& A, const Pose& pose_A, const Convex& B, const Pose& pose_B,
                   double within, PairMemory& memory, Manifold& out) {
    check(pose_A, pose_B, within);
    out.count = 0;
    if (k_rank[A.index()] <= k_rank[B.index()]) {
        ordered(A, pose_A, B, pose_B, within, memory, out);
        return;
    }
    ordered(B, pose_B, A, pose_A, within, memory, out);
    out.normal = -out.normal;
    for (int i = 0; i < out.count; ++i) {
        ManifoldPoint& p = out.points[static_cast<std::size_t>(i)];
        std::swap(p.a, p.b);
        p.id = (p.id << 16U) | (p.id >> 16U);
    }
}

}  // namespace carom::detect
