// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <random>

#include "touch_oracle.h"

namespace touch_oracle {

// Random numbers that are the same with every standard library.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed * 0x9E3779B97F4A7C15u + 1u) {}

    double uniform(double low = 0.0, double high = 1.0) {
        return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    double log_uniform(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }
    bool chance(double probability) { return uniform() < probability; }
    int whole(int low, int high) {
        return low + static_cast<int>(uniform() * static_cast<double>(high - low + 1));
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
            if (v.norm() <= 1.0 && v.norm() > 0.1) return v.unit();
        }
    }
    Quat orientation() {
        for (;;) {
            const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            if (q.norm() <= 1.0 && q.norm() > 0.1) return q.unit();
        }
    }

private:
    std::mt19937_64 engine_;
};

// How a shape is drawn: whole size, and how much shorter its other measures are.
struct Proportions {
    double scale = 1.0;
    Vec3 relative{1.0, 1.0, 1.0};  // of the box around it
    bool off_centre = true;        // hulls: the frame's origin is not the centre of mass
    bool boxy = false;             // hulls: the corners of a box
};
Shape shape_of(Random& random, Kind kind, const Proportions& proportions);

inline Vec3 rotated(const Quat& q, const Vec3& v) {
    return Vec3(Matrix::of(to_real(q).unit()) * Vec(v));
}

// the turn by an angle about an axis
inline Quat turn(const Vec3& axis, double angle) {
    const Vec3 v = axis.unit() * std::sin(angle / 2);
    return {std::cos(angle / 2), v.x, v.y, v.z};
}

// the turn that takes one direction to another
inline Quat turn_between(const Vec3& from, const Vec3& to) {
    const Vec3 axis = from.cross(to);
    if (!(axis.norm() > 1e-12 * from.norm() * to.norm())) {
        return from.dot(to) > 0.0 ? Quat{} : Quat{0.0, 1.0, 0.0, 0.0};
    }
    return turn(axis, std::atan2(axis.norm(), from.dot(to)));
}

}  // namespace touch_oracle
