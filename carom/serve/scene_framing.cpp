// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/scene_framing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/shape/bounds.h"

namespace carom::serve {
namespace {

using Points = std::vector<Vec3>;

constexpr double k_far = 14.0;  // a body so many times as far as the others is left out
// Beside one or two free bodies, fixed ones and floors are framed too within so many of their
// sizes.
constexpr double k_near = 60.0;
constexpr int k_rim_points = 36;  // points on a rim

Vec3 middle_of(const Balls& balls) {
    Vec3 sum = Vec3::Zero();
    for (const auto& ball : balls)
        sum += ball.first;
    return balls.empty() ? sum : Vec3(sum / static_cast<double>(balls.size()));
}

Balls all_free_bodies(const scene::Scene& scene) {
    Balls balls;
    for (const world::BodySpec& body : scene.bodies) {
        const double radius = shape::radius_about(*body.shape, Vec3::Zero());
        if (!body.fixed) balls.emplace_back(body.pose.position, radius);
    }
    return balls;
}

Vec3 median_of(const Balls& balls) {
    Vec3 median;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> along;
        for (const auto& ball : balls)
            along.push_back(ball.first[axis]);
        const auto middle = along.begin() + static_cast<long>(along.size() / 2);
        std::nth_element(along.begin(), middle, along.end());
        median[axis] = *middle;
    }
    return median;
}

// Leaves out those that are far from the rest: at most a quarter of them.
void leave_out_far(Balls& balls) {
    if (balls.size() < 3) return;
    const Vec3 median = median_of(balls);
    const auto reach = [&](const auto& ball) { return (ball.first - median).norm() + ball.second; };
    std::sort(balls.begin(), balls.end(),
              [&](const auto& a, const auto& b) { return reach(a) < reach(b); });
    for (std::size_t i = balls.size() - balls.size() / 4; i < balls.size(); ++i) {
        if (reach(balls[i]) <= k_far * reach(balls[i - 1])) continue;
        balls.resize(i);
        return;
    }
}

// Points of a bounded body that reach as far as it does, or a little further.
Points corners_of(const world::BodySpec& body) {
    Points corners;
    for (const shape::Part& part : body.shape->parts) {
        const shape::Pose pose = shape::compose(body.pose, part.pose);
        if (const shape::Polyhedron* polyhedron = shape::polyhedron_of(part.convex)) {
            for (const Vec3& vertex : polyhedron->vertices())
                corners.push_back(pose.apply(vertex));
        } else if (const auto* cylinder = std::get_if<shape::Cylinder>(&part.convex)) {
            for (int i = 0; i < 2 * k_rim_points; ++i) {
                const double angle = 2.0 * std::numbers::pi * i / k_rim_points;
                const double z = i < k_rim_points ? cylinder->half_height : -cylinder->half_height;
                corners.push_back(pose.apply(
                    {cylinder->radius * std::cos(angle), cylinder->radius * std::sin(angle), z}));
            }
        } else {
            const double radius = shape::radius_about(shape::Shape{{part}}, Vec3::Zero());
            for (const double side : {-radius, radius}) {
                for (int axis = 0; axis < 3; ++axis)
                    corners.push_back(pose.position + side * Vec3::Unit(axis));
            }
        }
    }
    return corners;
}

}  // namespace

const shape::HalfSpace* half_space_of(const world::BodySpec& body) {
    return body.shape->parts.empty()
               ? nullptr
               : std::get_if<shape::HalfSpace>(&body.shape->parts.front().convex);
}

Balls free_bodies(const scene::Scene& scene) {
    Balls free = all_free_bodies(scene);
    leave_out_far(free);
    return free;
}

Balls framed(const scene::Scene& scene, const Balls& free) {
    Balls balls = free;
    const Vec3 middle = middle_of(free);
    double size = 0.0;
    for (const auto& [centre, radius] : free)
        size = std::max(size, (centre - middle).norm() + radius);
    for (const world::BodySpec& body : scene.bodies) {
        const shape::HalfSpace* plane = half_space_of(body);
        if (plane == nullptr) continue;
        const Vec3 normal = body.pose.rotate(plane->normal);
        for (const auto& [centre, radius] : free) {
            const double height = normal.dot(centre - body.pose.position);
            if (normal.z() >= 0.5 && height < k_near * size)
                balls.emplace_back(centre - height * normal, 0.0);
        }
    }
    if (free.size() > 2) return balls;
    for (const world::BodySpec& body : scene.bodies) {
        const double radius = shape::radius_about(*body.shape, Vec3::Zero());
        if (!body.fixed || !(radius <= k_near * size)) continue;
        for (const Vec3& corner : corners_of(body))
            balls.emplace_back(corner, 0.0);
    }
    return balls;
}

Vec3 box_middle(const Balls& balls) {
    if (balls.empty()) return Vec3::Zero();
    Vec3 low = balls.front().first, high = low;
    for (const auto& ball : balls) {
        low = low.cwiseMin(ball.first);
        high = high.cwiseMax(ball.first);
    }
    return 0.5 * (low + high);
}

}  // namespace carom::serve
