// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/manifold_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/detect/manifold_clip.h"

namespace carom::detect {
namespace {

void line_on_area(const Outline& line, const Outline& area, bool line_is_a, double border,
                  Candidates& out) {
    const Vec3& p = line.corner[0];
    const Vec3& q = line.corner[1];
    const Span span = span_above(area, p, q, border);
    if (span.empty()) return;
    // cuts are on the straight part
    const Vec3 straight = line.axis[1] - line.axis[0];
    const double squared = straight.head<2>().squaredNorm();
    const auto put = [&](double s, std::size_t end, Code cut) {
        if (cut == 0) {
            const Vec3& x = line.corner[end];
            out.put(line_is_a, x, area.lifted(x.x(), x.y()), line.vertex[end], 0);
        } else {
            const Vec3 from = p + s * (q - p) - line.axis[0];
            const double t = from.head<2>().dot(straight.head<2>()) / squared;
            if (!(t >= 0.0 && t <= 1.0)) return;
            const Vec3 x = line.axis[0] + t * straight;
            out.put(line_is_a, x, area.lifted(x.x(), x.y()), line.edge[0], cut);
        }
    };
    put(span.low, 0, span.cut_low);
    if ((span.high - span.low) * (q - p).norm() > border) put(span.high, 1, span.cut_high);
}

// Two lines side by side: the ends of what they share, if they are parallel enough.
void line_on_line(const Outline& A, const Outline& B, double border, Candidates& out) {
    const Vec2 a = A.corner[0].head<2>();
    const Vec2 way = A.corner[1].head<2>() - a;
    const Vec2 b = B.corner[0].head<2>();
    const Vec2 other = B.corner[1].head<2>() - b;
    const double length = way.norm();
    const double from = way.dot(b - a) / (length * length);
    const double to = way.dot(b + other - a) / (length * length);
    const double low = std::max(0.0, std::min(from, to));
    const double high = std::min(1.0, std::max(from, to));
    if (!((high - low) * length > border)) return;
    const auto on_b = [&](double s) { return (s - from) / (to - from); };
    const auto aside = [&](double s) { return (a + s * way - b - on_b(s) * other).norm(); };
    const double most = std::max(aside(low), aside(high));
    // round lines part as the square of it, edges as the slope of their faces
    const double allowed = k_aside * out.within();
    if (!(most * most <= 2.0 * allowed * (A.radius + B.radius) || most <= allowed)) return;
    for (const double s : {low, high}) {
        const double t = std::clamp(on_b(s), 0.0, 1.0);
        const bool end_of_a = s == 0.0 || s == 1.0;
        const auto k = static_cast<std::size_t>(s == 0.0 ? 0 : 1);
        const auto m = static_cast<std::size_t>(t < 0.5 ? 0 : 1);
        out.put(A.corner[0] + s * (A.corner[1] - A.corner[0]),
                B.corner[0] + t * (B.corner[1] - B.corner[0]), end_of_a ? A.vertex[k] : A.edge[0],
                end_of_a ? B.edge[0] : B.vertex[m]);
    }
}

// The fixed places of a rim above the other body's plane, and its lowest place.
void rim_on_area(const Outline& disc, const Outline& area, bool disc_is_a, double border,
                 Candidates& out) {
    const double sign = disc_is_a ? 1.0 : -1.0;
    const auto gap = [&](const Vec3& x) { return sign * (x.z() - area.height(x.x(), x.y())); };
    const double middle = gap(disc.center);
    const double along_0 = gap(disc.center + disc.axis[0]) - middle;
    const double along_1 = gap(disc.center + disc.axis[1]) - middle;
    const double lowest = middle - std::sqrt(along_0 * along_0 + along_1 * along_1);
    if (lowest > out.within()) return;
    const auto place = [&](double c, double s, shape::Index number) {
        const Vec3 x = disc.center + c * disc.axis[0] + s * disc.axis[1];
        if (!area.holds(x.x(), x.y(), border)) return;
        out.put(disc_is_a, x, area.lifted(x.x(), x.y()), vertex_code(disc.first + number), 0);
    };
    struct Place {
        double c, s;
    };
    static const std::array<Place, k_rim_points> places = [] {
        std::array<Place, k_rim_points> p{};
        for (std::size_t k = 0; k < p.size(); ++k) {
            const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / k_rim_points;
            p[k] = {std::cos(angle), std::sin(angle)};
        }
        return p;
    }();
    double least = std::numeric_limits<double>::infinity();
    for (const Place& p : places)
        least = std::min(least, middle + p.c * along_0 + p.s * along_1);
    const bool tilted = lowest < least - k_deeper * out.within();
    const double tilt = middle - lowest;
    // a fixed place this near to the lowest one would only repeat it
    constexpr double k_same = 0.966;  // cosine of 15 degrees
    for (std::size_t k = 0; k < places.size(); ++k) {
        const double down = -(places[k].c * along_0 + places[k].s * along_1);
        if (tilted && down > k_same * tilt) continue;
        place(places[k].c, places[k].s, static_cast<shape::Index>(k));
    }
    if (tilted) place(-along_0 / tilt, -along_1 / tilt, k_rim_points);
}

void corners_on_disc(const Outline& polygon, const Outline& disc, bool disc_is_a, double border,
                     Candidates& out) {
    for (int i = 0; i < polygon.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const Vec3& p = polygon.corner[k];
        const Vec3& q = polygon.corner[i + 1 < polygon.count ? k + 1 : 0];
        if (disc.holds(p.x(), p.y(), border)) {
            out.put(disc_is_a, disc.lifted(p.x(), p.y()), p, 0, polygon.vertex[k]);
        }
        const Span span = span_above(disc, p, q, border);
        if (span.empty()) continue;
        const auto crossing = [&](double s, Code cut) {
            if (cut == 0) return;
            const double x = p.x() + s * (q.x() - p.x());
            const double y = p.y() + s * (q.y() - p.y());
            out.put(disc_is_a, disc.lifted(x, y), polygon.lifted(x, y), cut, polygon.edge[k]);
        };
        crossing(span.low, span.cut_low);
        crossing(span.high, span.cut_high);
    }
}

// Where the rim of A passes above the rim of B.
void rim_on_rim(const Outline& A, const Outline& B, double border, Candidates& out) {
    const Vec2 apart = B.center.head<2>() - A.center.head<2>();
    const double distance = apart.norm();
    if (!(distance > border)) return;
    const double cosine = (distance * distance + A.radius * A.radius - B.radius * B.radius) /
                          (2.0 * distance * A.radius);
    if (!(std::abs(cosine) < 1.0)) return;
    const double sine = std::sqrt(1.0 - cosine * cosine);
    for (const double sign : {-1.0, 1.0}) {
        // as if both were level, then to the true rims by Newton's method
        const Vec2 u = apart / distance;
        const Vec2 to(cosine * u.x() - sign * sine * u.y(), cosine * u.y() + sign * sine * u.x());
        double angle = std::atan2(to.dot(A.axis[1].head<2>()), to.dot(A.axis[0].head<2>()));
        constexpr int k_steps = 6;
        Vec3 x, off;
        for (int i = 0; i <= k_steps; ++i) {
            const double c = std::cos(angle);
            const double s = std::sin(angle);
            x = A.center + c * A.axis[0] + s * A.axis[1];
            const Vec3 way = c * A.axis[1] - s * A.axis[0];
            off = B.lifted(x.x(), x.y()) - B.center;
            const double slope =
                2.0 * off.dot(Vec3(way.x(), way.y(), B.kx * way.x() + B.ky * way.y()));
            if (i == k_steps || slope == 0.0) break;
            angle -= (off.squaredNorm() - B.radius * B.radius) / slope;
        }
        // rims that only graze each other have no area to bound
        if (!(std::abs(off.norm() - B.radius) <= border)) continue;
        const shape::Index which = sign > 0.0 ? 1 : 0;
        out.put(x, B.lifted(x.x(), x.y()), edge_code(A.first + which), edge_code(B.first + which));
    }
}

}  // namespace

void facing_patch(const Outline& A, const Outline& B, double border, Candidates& out) {
    using Kind = Outline::Kind;
    if (A.kind == Kind::none || B.kind == Kind::none) return;
    if (A.kind == Kind::line || B.kind == Kind::line) {
        if (A.kind == B.kind) {
            line_on_line(A, B, border, out);
        } else if (A.kind == Kind::line) {
            line_on_area(A, B, true, border, out);
        } else {
            line_on_area(B, A, false, border, out);
        }
        return;
    }
    if (A.kind == Kind::polygon && B.kind == Kind::polygon) {
        polygon_on_polygon(A, B, border, out);
        return;
    }
    if (A.kind == Kind::disc) rim_on_area(A, B, true, border, out);
    if (B.kind == Kind::disc) rim_on_area(B, A, false, border, out);
    if (A.kind == Kind::polygon) corners_on_disc(A, B, false, border, out);
    if (B.kind == Kind::polygon) corners_on_disc(B, A, true, border, out);
    if (A.kind == Kind::disc && B.kind == Kind::disc) rim_on_rim(A, B, border, out);
}

}  // namespace carom::detect
