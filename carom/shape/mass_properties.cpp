// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "carom/math/spd3.h"
#include "carom/shape/describe.h"
#include "carom/shape/exact_cross.h"

namespace carom::shape {
namespace {

using LongMat3 = Eigen::Matrix<long double, 3, 3>;

constexpr long double k_pi = std::numbers::pi_v<long double>;

// For density 1; the inertia is about the centre.
struct Moments {
    long double volume;
    Long3 center;
    LongMat3 inertia;
};

Moments centered(long double volume, long double xx, long double yy, long double zz) {
    return {volume, Long3::Zero(), Long3(xx, yy, zz).asDiagonal()};
}

// The inertia of a unit mass at x about the origin.
LongMat3 point_inertia(const Long3& x) {
    return x.squaredNorm() * LongMat3::Identity() - x * x.transpose();
}

// The corners of a turned body are rounded, and with them the moments: those that differ by no more
// than that are equal, and deviations of that size are none, so that a prism of many sides has the
// symmetry of its cylinder. Ten times larger: bodies that differ by 4e-14 from a symmetric one
// rotate as if they were. Ten times smaller: prisms rotate as bodies of three moments, ten times as
// slowly.
LongMat3 as_symmetric_as_meant(LongMat3 inertia) {
    constexpr long double k_same = 4e-15L;
    const long double rounding = k_same * inertia.diagonal().maxCoeff();
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (std::abs(inertia(i, j)) <= rounding) inertia(i, j) = inertia(j, i) = 0.0L;
    }
    const auto make_equal = [&](int i, int j) {
        if (std::abs(inertia(i, i) - inertia(j, j)) <= rounding)
            inertia(i, i) = inertia(j, j) = 0.5L * (inertia(i, i) + inertia(j, j));
    };
    make_equal(0, 1);
    make_equal(1, 2);
    make_equal(2, 0);
    make_equal(0, 1);
    return inertia;
}

// Sums over tetrahedra (0, a, b, c) of six times the volume d = a.(b x c): the moments are d / 6,
// d s / 24 and d (s s^T + a a^T + b b^T + c c^T) / 120 with s = a + b + c.
Moments moments_of(const Polyhedron& body) {
    const Long3 origin = body.interior().cast<long double>();
    long double volume = 0.0L;
    Long3 first = Long3::Zero();
    LongMat3 second = LongMat3::Zero();
    for (Index f = 0; f < body.faces().size(); ++f) {
        const auto boundary = body.boundary(f);
        const auto corner = [&](std::size_t i) -> Long3 {
            return body.vertex(body.tail(boundary[i])).cast<long double>() - origin;
        };
        const Long3 a = corner(0);
        for (std::size_t i = 1; i + 1 < boundary.size(); ++i) {
            const Long3 b = corner(i);
            const Long3 c = corner(i + 1);
            const long double d = a.dot(exact_cross(b - a, c - a));
            const Long3 s = a + b + c;
            volume += d;
            first += d * s;
            second +=
                d * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
        }
    }
    volume /= 6.0L;
    const Long3 center = first / (24.0L * volume);
    const LongMat3 spread = second / 120.0L - volume * center * center.transpose();
    return {volume, center + origin,
            as_symmetric_as_meant(spread.trace() * LongMat3::Identity() - spread)};
}

struct MomentsOf {
    Moments operator()(const Sphere& sphere) const {
        const auto r = static_cast<long double>(sphere.radius);
        const long double volume = 4.0L / 3.0L * k_pi * r * r * r;
        const long double moment = 0.4L * volume * r * r;
        return centered(volume, moment, moment, moment);
    }
    Moments operator()(const HalfSpace& /*unused*/) const {
        throw std::invalid_argument(
            "a plane has no mass; only fixed bodies can have one as their shape or a part of it");
    }
    Moments operator()(const Box& box) const {
        const Long3 half = box.half.cast<long double>();
        const long double volume = 8.0L * half.prod();
        const Long3 squares = half.cwiseProduct(half) * (volume / 3.0L);
        return centered(volume, squares.y() + squares.z(), squares.z() + squares.x(),
                        squares.x() + squares.y());
    }
    Moments operator()(const Capsule& capsule) const {
        const auto r = static_cast<long double>(capsule.radius);
        const long double length = 2.0L * static_cast<long double>(capsule.half_length);
        const long double tube = k_pi * r * r * length;
        const long double balls = 4.0L / 3.0L * k_pi * r * r * r;
        const long double along = r * r * (0.5L * tube + 0.4L * balls);
        const long double across =
            tube * (r * r / 4.0L + length * length / 12.0L) +
            balls * (0.4L * r * r + 0.25L * length * length + 0.375L * length * r);
        return centered(tube + balls, across, across, along);
    }
    Moments operator()(const Cylinder& cylinder) const {
        const auto r = static_cast<long double>(cylinder.radius);
        const long double height = 2.0L * static_cast<long double>(cylinder.half_height);
        const long double volume = k_pi * r * r * height;
        const long double across = volume * (r * r / 4.0L + height * height / 12.0L);
        return centered(volume, across, across, 0.5L * volume * r * r);
    }
    Moments operator()(const Cone& cone) const {
        const auto r = static_cast<long double>(cone.radius);
        const auto height = static_cast<long double>(cone.height);
        const long double volume = k_pi * r * r * height / 3.0L;
        const long double across = volume * (0.15L * r * r + 0.0375L * height * height);
        return centered(volume, across, across, 0.3L * volume * r * r);
    }
    Moments operator()(const Hull& hull) const { return moments_of(*hull.polyhedron); }
};

// In the frame of the shape.
Moments moments_of(const Part& part) {
    const Moments own = std::visit(MomentsOf{}, part.convex);
    const Eigen::Quaternion<long double> turn =
        part.pose.orientation.cast<long double>().normalized();
    const LongMat3 R = turn.toRotationMatrix();
    return {own.volume, R * own.center + part.pose.position.cast<long double>(),
            R * own.inertia * R.transpose()};
}

Moments moments_of(const Shape& shape) {
    if (shape.parts.empty()) throw std::invalid_argument("the shape is empty; it has no mass");
    if (shape.parts.size() == 1) return moments_of(shape.parts[0]);
    std::vector<Moments> parts;
    Moments sum{0.0L, Long3::Zero(), LongMat3::Zero()};
    for (const Part& part : shape.parts) {
        parts.push_back(moments_of(part));
        sum.volume += parts.back().volume;
    }
    // about the first part's centre, so that a body far from its origin loses nothing
    const Long3 near = parts[0].center;
    for (const Moments& part : parts)
        sum.center += part.volume * (part.center - near);
    sum.center = near + sum.center / sum.volume;
    for (const Moments& part : parts)
        sum.inertia += part.inertia + part.volume * point_inertia(part.center - sum.center);
    return sum;
}

void check_positive(const char* name, double value) {
    if (!std::isfinite(value) || !(value > 0.0)) {
        throw std::invalid_argument(std::string(name) + " is " + describe(value) +
                                    "; it has to be a finite number larger than 0");
    }
}

MassProperties scaled(const Moments& moments, long double density) {
    MassProperties result{};
    result.volume = static_cast<double>(moments.volume);
    result.mass = static_cast<double>(density * moments.volume);
    result.center = moments.center.cast<double>();
    const LongMat3 inertia = density * moments.inertia;
    // bit for bit symmetric
    result.inertia = (0.5L * (inertia + inertia.transpose())).cast<double>();
    const bool normal = std::isnormal(result.volume) && std::isnormal(result.mass) &&
                        result.inertia.allFinite() && std::isnormal(result.inertia.trace());
    if (!normal) {
        throw std::invalid_argument(
            "volume " + describe(result.volume) + ", mass " + describe(result.mass) +
            " and inertia (trace " + describe(result.inertia.trace()) +
            ") have to be within the range of a double; choose other units");
    }
    try {
        check_inertia(result.inertia);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(std::string("the body is too thin to have a mass: ") +
                                    error.what());
    }
    return result;
}

}  // namespace

MassProperties mass_properties(const Shape& shape, Density density) {
    check_positive("density", density.value);
    return scaled(moments_of(shape), static_cast<long double>(density.value));
}

MassProperties mass_properties(const Shape& shape, Mass mass) {
    check_positive("mass", mass.value);
    const Moments moments = moments_of(shape);
    MassProperties result = scaled(moments, static_cast<long double>(mass.value) / moments.volume);
    result.mass = mass.value;
    return result;
}

void check_inertia(const Mat3& inertia) {
    constexpr double k_slack = 1e-12;
    // below this a pivot is the rounding of what it was subtracted from
    constexpr double k_pivot = 8.0 * std::numeric_limits<double>::epsilon();
    if (!inertia.allFinite())
        throw std::invalid_argument("inertia has entries that are not finite");
    const double largest = inertia.cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) {
        throw std::invalid_argument("inertia is zero; it has to be positive definite");
    }
    const Mat3 scaled_inertia = inertia / largest;
    if ((scaled_inertia - scaled_inertia.transpose()).cwiseAbs().maxCoeff() > k_slack) {
        throw std::invalid_argument("inertia is not symmetric; entry [i][j] has to equal [j][i]");
    }
    const Mat3 symmetric = 0.5 * (scaled_inertia + scaled_inertia.transpose());
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric, Eigen::EigenvaluesOnly);
    const Vec3 moments = solver.eigenvalues();
    const std::string given = "its principal moments are " + describe(Vec3(largest * moments));
    if (!math::is_positive_definite(symmetric, k_pivot)) {
        throw std::invalid_argument("inertia is not positive definite: " + given +
                                    "; all have to be larger than 0");
    }
    if (moments[0] + moments[1] < (1.0 - k_slack) * moments[2]) {
        throw std::invalid_argument("inertia breaks the triangle inequality: " + given +
                                    "; none can be larger than the sum of the other two");
    }
}

}  // namespace carom::shape
