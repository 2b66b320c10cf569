// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/gjk.h"

#include <algorithm>
#include <cmath>

#include "carom/detect/simplex.h"
#include "carom/detect/smooth_normal.h"
#include "carom/detect/suggested_normals.h"
#include "carom/detect/tolerances.h"

namespace carom::detect {
namespace {

// The best lower bound so far and its normal.
struct Lower {
    double value = -std::numeric_limits<double>::infinity();
    Vec3 normal = Vec3::UnitZ();

    void offer(const CorePair& pair, const Vec3& n) {
        const double value_n = n.dot(pair.lowest(n).w);
        if (value_n > value) {
            value = value_n;
            normal = n;
        }
    }
};

// The normal of the triangle that three support points span, turned towards the origin's far side.
void offer_triangle(Lower& lower, const CorePair& pair, const Simplex& simplex) {
    if (simplex.size() < 3) return;
    const Vec3 n = (simplex.point(1).w - simplex.point(0).w)
                       .cross(Vec3(simplex.point(2).w - simplex.point(0).w));
    const double size = n.norm();
    if (!(size > 0.0)) return;
    const Vec3 unit = n / size;
    lower.offer(pair, unit.dot(simplex.point(0).w) >= 0.0 ? unit : Vec3(-unit));
}

}  // namespace

GjkResult gjk(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
              const Vec3& first_normal) {
    const CorePair pair(A, B, B_in_A);
    Simplex simplex;
    Lower lower;
    GjkResult r{};
    CorePair::Support s = pair.lowest(first_normal);
    lower.value = first_normal.dot(s.w);
    lower.normal = first_normal;
    const double size = s.a.norm() + s.b.norm();
    double rounding = k_tolerances.rounding * size;
    // what counts is the distance of the bodies, not of their cores
    const double radii = core_radius(A) + core_radius(B);
    const auto tolerance = [&](double length) {
        return k_tolerances.gjk * std::max(0.0, length - radii);
    };
    double before = std::numeric_limits<double>::infinity();
    for (r.iterations = 1; r.iterations <= k_tolerances.gjk_most; ++r.iterations) {
        if (simplex.contains(s.w)) break;
        simplex.add(s);
        if (!simplex.reduce()) {
            r.overlap = true;
            break;
        }
        const Vec3 v = simplex.nearest();
        const double length = v.norm();
        if (length <= rounding || length >= before) break;
        before = length;
        const Vec3 n = v / length;
        s = pair.lowest(n);
        rounding = k_tolerances.rounding * std::max(size, s.a.norm() + s.b.norm());
        const double value = n.dot(s.w);
        if (value > lower.value) {
            lower.value = value;
            lower.normal = n;
        }
        if (length - lower.value <= tolerance(length)) break;
    }
    r.point_a = simplex.point_a();
    r.point_b = simplex.point_b();
    r.upper = r.overlap ? 0.0 : (r.point_a - r.point_b).norm();
    // where the difference of the points has lost digits the surfaces still know the normal
    constexpr double k_settled = 4.0;
    constexpr int k_passes = 3;
    const double enough = std::max(k_settled * rounding, tolerance(r.upper));
    for (int i = 0; i < k_passes && !r.overlap && r.upper - lower.value > enough; ++i) {
        const Vec3 near = lower.normal;
        const double reached = lower.value;
        const auto offer = [&](const Vec3& n) { lower.offer(pair, n); };
        const bool first = !r.polished;
        r.polished = true;
        if (first) offer_triangle(lower, pair, simplex);
        for_suggested_normals(A, B, B_in_A, near, offer);
        if (r.upper - lower.value <= enough) break;
        if (first && r.upper > 0.0) {
            for_smooth_normals(A, B, B_in_A, (r.point_a - r.point_b) / r.upper, offer);
        }
        for_smooth_normals(A, B, B_in_A, near, offer);
        if (!(lower.value > reached + rounding)) break;
    }
    // a point in common and no plane between: not touching but inside each other
    constexpr double k_between = -16.0;
    if (r.upper <= k_settled * rounding && lower.value < k_between * rounding) r.overlap = true;
    r.rounding = rounding;
    r.lower = lower.value;
    r.normal = lower.normal;
    return r;
}

}  // namespace carom::detect
