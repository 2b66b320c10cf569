// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/segments.h"

#include <algorithm>
#include <cmath>

namespace carom::detect {
namespace {

double clamped(double x) {
    return std::clamp(x, 0.0, 1.0);
}

// Where the second point lies for a given s, and back.
struct Lines {
    Vec3 d1, d2, r;  // directions; p0 - q0
    double a, b, c, d, e;

    Lines(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1)
        : d1(p1 - p0), d2(q1 - q0), r(p0 - q0) {
        a = d1.squaredNorm();
        b = d1.dot(d2);
        c = d2.squaredNorm();
        d = d1.dot(r);
        e = d2.dot(r);
    }
    double t_for(double s) const { return c > 0.0 ? clamped((b * s + e) / c) : 0.0; }
    double s_for(double t) const { return a > 0.0 ? clamped((b * t - d) / a) : 0.0; }
};

// The middle of the stretch where two parallel segments lie side by side, as s.
double middle_of_overlap(const Lines& l) {
    const double s0 = -l.d / l.a;         // beside the start of the second
    const double s1 = (l.b - l.d) / l.a;  // beside its end
    const double low = std::max(0.0, std::min(s0, s1));
    const double high = std::min(1.0, std::max(s0, s1));
    return clamped(0.5 * (low + high));
}

}  // namespace

SegmentPoints closest_on_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    const Lines l(p0, p1, q0, q1);
    double s = 0.0;
    double t = 0.0;
    if (l.a > 0.0 && l.c > 0.0) {
        // |d1 x d2|^2 directly: a c - b b loses it for nearly parallel segments
        const double den = l.d1.cross(l.d2).squaredNorm();
        constexpr double k_parallel = 1e-24;
        s = den > k_parallel * l.a * l.c ? clamped((l.b * l.e - l.c * l.d) / den)
                                         : middle_of_overlap(l);
        t = l.t_for(s);
        s = l.s_for(t);
        t = l.t_for(s);
    } else {
        s = l.s_for(0.0);
        t = l.t_for(s);
    }
    SegmentPoints out{p0 + s * l.d1, q0 + t * l.d2, s, t, 0.0};
    out.squared = (out.on_first - out.on_second).squaredNorm();
    return out;
}

Unit direction_apart(const SegmentPoints& points, const Vec3& across) {
    const Vec3 apart = points.on_first - points.on_second;
    const double distance = apart.norm();
    const bool inner = points.s > 0.0 && points.s < 1.0 && points.t > 0.0 && points.t < 1.0;
    const double sine = across.norm();
    constexpr double k_well = 1e-6;
    if (inner && sine > k_well) {
        const Vec3 n = across / sine;
        const double along = n.dot(apart);
        return along < 0.0 ? Unit{-n, -along} : Unit{n, along};
    }
    if (distance > 0.0) return {apart / distance, distance};
    return {Vec3::UnitZ(), 0.0};
}

}  // namespace carom::detect
