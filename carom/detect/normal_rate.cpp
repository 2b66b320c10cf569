// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/normal_rate.h"

#include <array>
#include <cmath>
#include <optional>

#include "carom/detect/safe_step.h"

namespace carom::detect {
namespace {

using shape::Pose;

// The straight line at a feature, in the part's frame, for the outward direction there.
std::optional<Vec3> line_at(const shape::Convex& convex, Feature feature, const Vec3& outward) {
    if (feature.kind == FeatureKind::edge) {
        return shape::polyhedron_of(convex)->edge(feature.index).direction;
    }
    if (feature.kind != FeatureKind::side) return std::nullopt;
    if (const auto* cone = std::get_if<shape::Cone>(&convex)) {
        const double across = outward.head<2>().norm();
        if (!(across > 0.0)) return std::nullopt;
        return Vec3(outward.x() / across * cone->radius, outward.y() / across * cone->radius,
                    -cone->height)
            .normalized();
    }
    return Vec3(Vec3::UnitZ());
}

bool is_flat(Feature feature) {
    return feature.kind == FeatureKind::face || feature.kind == FeatureKind::cap;
}

// dn/dt . e = rate
struct Condition {
    Vec3 e;
    double rate;
};

std::optional<Condition> condition(const MovingPart& part, const motion::State& state,
                                   Feature feature, const Vec3& n, const Vec3& outward) {
    const Pose pose = part.pose(state);
    const auto line = line_at(part.convex(), feature, pose.rotate_inverse(outward));
    if (!line) return std::nullopt;
    const Vec3 e = pose.rotate(*line);
    return Condition{e, -n.dot(state.angular_velocity.cross(e))};
}

}  // namespace

Vec3 normal_rate(const PairState& now) {
    const Vec3& n = now.apart.normal;
    // a half-space does not turn, and its normal is the normal whatever the other body shows it
    if (now.a->unbounded() || now.b->unbounded()) return Vec3::Zero();
    if (is_flat(now.apart.b)) return now.state_b.angular_velocity;
    if (is_flat(now.apart.a)) return now.state_a.angular_velocity;
    const auto a = condition(*now.a, now.state_a, now.apart.a, n, -n);
    const auto b = condition(*now.b, now.state_b, now.apart.b, n, n);
    Vec3 turn = Vec3::Zero();  // dn/dt
    if (a && b) {
        // least turn with both; of parallel lines the mean
        const double g = a->e.dot(b->e);
        const double det = 1.0 - g * g;
        constexpr double k_parallel = 1e-4;
        if (det > k_parallel) {
            turn = ((a->rate - g * b->rate) * a->e + (b->rate - g * a->rate) * b->e) / det;
        } else {
            turn = 0.5 * (a->rate + std::copysign(1.0, g) * b->rate) * a->e;
        }
    } else if (a) {
        turn = a->rate * a->e;
    } else if (b) {
        turn = b->rate * b->e;
    }
    return n.cross(turn);
}

}  // namespace carom::detect
