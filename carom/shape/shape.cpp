// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/shape.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "carom/shape/describe.h"
#include "carom/shape/hull.h"

namespace carom::shape {
namespace {

// Outside of these the fifth power of a length is not a normal double any more.
constexpr double k_smallest = 1e-60;
constexpr double k_largest = 1e60;

void check_size(const char* name, double value) {
    if (!std::isfinite(value) || !(value > 0.0)) {
        throw std::invalid_argument(std::string(name) + " is " + describe(value) +
                                    "; it has to be a finite number larger than 0");
    }
    if (value < k_smallest || value > k_largest) {
        throw std::invalid_argument(std::string(name) + " is " + describe(value) +
                                    "; it has to be between 1e-60 and 1e60");
    }
}

Shape single(Convex convex) {
    Shape shape;
    shape.parts.push_back({std::move(convex), Pose{}});
    return shape;
}

Pose checked_pose(const Pose& pose, std::size_t part) {
    const std::string where = "part " + std::to_string(part + 1) + " of the compound: ";
    if (!pose.position.allFinite()) {
        throw std::invalid_argument(where + "position is " + describe(pose.position) +
                                    "; it has to be finite");
    }
    const double length = pose.orientation.coeffs().stableNorm();
    if (!std::isfinite(length) || !(length > 0.0)) {
        throw std::invalid_argument(where + "orientation has length " + describe(length) +
                                    "; it has to be a quaternion that is finite and not zero");
    }
    return {pose.position, Quat(Eigen::Vector4d(pose.orientation.coeffs() / length))};
}

}  // namespace

Shape make_sphere(double radius) {
    check_size("radius", radius);
    return single(Sphere{radius});
}

Shape make_half_space(const Vec3& normal) {
    const double length = normal.stableNorm();
    if (!normal.allFinite() || !std::isfinite(length) || !(length > 0.0)) {
        throw std::invalid_argument("normal is " + describe(normal) +
                                    "; it has to be finite and not zero");
    }
    // twice: the first brings it to a size at which the second is correct to rounding
    return single(HalfSpace{Vec3(normal / normal.lpNorm<Eigen::Infinity>()).normalized()});
}

Shape make_box(const Vec3& size) {
    check_size("size[0]", size.x());
    check_size("size[1]", size.y());
    check_size("size[2]", size.z());
    const double ratio = size.minCoeff() / size.maxCoeff();
    if (ratio < k_thinnest) {
        throw std::invalid_argument("size is " + describe(size) + ": its smallest entry is " +
                                    describe(ratio) +
                                    " of its largest; it has to be at least 1e-12 of it");
    }
    const Vec3 half = 0.5 * size;
    return single(Box{half, make_box_polyhedron(half)});
}

Shape make_capsule(double radius, double length) {
    check_size("radius", radius);
    if (!std::isfinite(length) || length < 0.0 || length > k_largest) {
        throw std::invalid_argument("length is " + describe(length) +
                                    "; it has to be a finite number, 0 or larger (the length of "
                                    "the straight part)");
    }
    return single(Capsule{radius, 0.5 * length});
}

Shape make_cylinder(double radius, double height) {
    check_size("radius", radius);
    check_size("height", height);
    return single(Cylinder{radius, 0.5 * height});
}

Shape make_cone(double radius, double height) {
    check_size("radius", radius);
    check_size("height", height);
    return single(Cone{radius, height});
}

Shape make_hull(std::span<const Vec3> points) {
    return single(Hull{convex_hull(points)});
}

Shape make_compound(std::span<const Placed> placed) {
    if (placed.empty()) {
        throw std::invalid_argument("the compound has no parts; it has to have at least one");
    }
    Shape shape;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (placed[i].shape.parts.empty()) {
            throw std::invalid_argument("part " + std::to_string(i + 1) +
                                        " of the compound is empty; it has to be a shape");
        }
        const Pose outer = checked_pose(placed[i].pose, i);
        for (const Part& part : placed[i].shape.parts)
            shape.parts.push_back({part.convex, compose(outer, part.pose)});
    }
    return shape;
}

const Polyhedron* polyhedron_of(const Convex& convex) {
    if (const auto* box = std::get_if<Box>(&convex)) return box->polyhedron.get();
    if (const auto* hull = std::get_if<Hull>(&convex)) return hull->polyhedron.get();
    return nullptr;
}

const char* name_of(const Convex& convex) {
    static constexpr const char* k_names[] = {"sphere",   "plane", "box", "capsule",
                                              "cylinder", "cone",  "hull"};
    static_assert(std::size(k_names) == std::variant_size_v<Convex>);
    return k_names[convex.index()];
}

}  // namespace carom::shape
