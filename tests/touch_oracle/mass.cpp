// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <numbers>
#include <stdexcept>

#include "core.h"

namespace touch_oracle {

namespace {

MassProperties diagonal(Real mass, Real x, Real y, Real z) {
    MassProperties out{static_cast<double>(mass), {}, {}};
    out.inertia[0][0] = static_cast<double>(mass * x);
    out.inertia[1][1] = static_cast<double>(mass * y);
    out.inertia[2][2] = static_cast<double>(mass * z);
    return out;
}

Real entry(const Vec& v, std::size_t i) {
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

// Tetrahedra from a point inside to the surface's triangles. With corners 0, p, q, r the integral
// of x x^T is V / 20 (s s^T + p p^T + q q^T + r r^T), s = p + q + r.
MassProperties of_hull(const std::vector<Vec>& points) {
    Vec middle;
    for (const Vec& p : points)
        middle += p * (1.0L / static_cast<Real>(points.size()));
    Real volume = 0.0L;
    Vec moment;
    std::array<std::array<Real, 3>, 3> second{};
    for (const Triangle& t : hull_triangles(points)) {
        const std::array<Vec, 3> c{points[t[0]] - middle, points[t[1]] - middle,
                                   points[t[2]] - middle};
        const Real v = c[0].dot(c[1].cross(c[2])) / 6;
        const Vec s = c[0] + c[1] + c[2];
        volume += v;
        moment += s * (v / 4);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                Real sum = entry(s, i) * entry(s, j);
                for (const Vec& p : c)
                    sum += entry(p, i) * entry(p, j);
                second[i][j] += v / 20 * sum;
            }
        }
    }
    const Vec centre = moment * (1.0L / volume);
    MassProperties out{static_cast<double>(volume), Vec3(middle + centre), {}};
    Real trace = 0.0L;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            second[i][j] -= volume * entry(centre, i) * entry(centre, j);
        }
        trace += second[i][i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            // the matrix must be symmetric to the last bit
            const Real off = i < j ? second[i][j] : second[j][i];
            out.inertia[i][j] = static_cast<double>((i == j ? trace : 0.0L) - off);
        }
    }
    return out;
}

}  // namespace

MassProperties mass_properties(const Shape& shape) {
    const Core core(shape);
    const Real pi = std::numbers::pi_v<Real>;
    const Real r = Real(shape.radius), h = Real(shape.height), rr = r * r;
    const Vec size(shape.size);
    const Real x = size.x * size.x / 12, y = size.y * size.y / 12, z = size.z * size.z / 12;
    switch (shape.kind) {
        case Kind::sphere: {
            const Real i = 2 * rr / 5;
            return diagonal(4 * pi * rr * r / 3, i, i, i);
        }
        case Kind::box:
            return diagonal(size.x * size.y * size.z, y + z, z + x, x + y);
        case Kind::cylinder: {
            const Real across = rr / 4 + h * h / 12;
            return diagonal(pi * rr * h, across, across, rr / 2);
        }
        case Kind::cone: {
            const Real across = 3 * rr / 20 + 3 * h * h / 80;
            return diagonal(pi * rr * h / 3, across, across, 3 * rr / 10);
        }
        case Kind::capsule: {
            const Real tube = pi * rr * h, ball = 4 * pi * rr * r / 3, mass = tube + ball;
            // each half ball: its centre of mass lies 3 r / 8 beyond the end of the tube
            const Real end = 2 * rr / 5 + h * h / 4 + 3 * h * r / 8;
            const Real across = (tube * (rr / 4 + h * h / 12) + ball * end) / mass;
            return diagonal(mass, across, across, (tube * rr / 2 + ball * 2 * rr / 5) / mass);
        }
        case Kind::hull:
            return of_hull(core.points());
        case Kind::plane:
            break;
    }
    throw std::invalid_argument("a plane has no mass");
}

}  // namespace touch_oracle
