// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "core.h"

namespace touch_oracle {

namespace {

struct Pair {
    Vec a, b;
    Real square = std::numeric_limits<Real>::infinity();

    void offer(const Vec& p, const Vec& q) {
        const Real s = (p - q).dot(p - q);
        if (s < square) *this = {p, q, s};
    }
    void offer(const Pair& other, bool swapped) {
        swapped ? offer(other.b, other.a) : offer(other.a, other.b);
    }
};

Real clamped(Real x) {
    return std::clamp(x, 0.0L, 1.0L);
}

void segments(const Vec& p, const Vec& q, const Vec& r, const Vec& s, Pair& best) {
    const Vec d = q - p, e = s - r, o = p - r;
    const Real dd = d.dot(d), ee = e.dot(e), de = d.dot(e), od = o.dot(d), oe = o.dot(e);
    // the ends against the other segment
    best.offer(p, r + e * clamped(oe / ee));
    best.offer(q, r + e * clamped((q - r).dot(e) / ee));
    best.offer(p + d * clamped(-od / dd), r);
    best.offer(p + d * clamped((s - p).dot(d) / dd), s);
    // the insides
    const Real area = d.cross(e).dot(d.cross(e));
    if (!(area > 0.0L)) return;
    const Real t = (de * oe - ee * od) / area;
    const Real u = (dd * oe - de * od) / area;
    if (t > 0.0L && t < 1.0L && u > 0.0L && u < 1.0L) best.offer(p + d * t, r + e * u);
}

// the inside of a triangle only: its edges are tried elsewhere
void vertex_triangle(const Vec& v, const Vec& p, const Vec& q, const Vec& r, Pair& best) {
    const Vec n = (q - p).cross(r - p);
    const Real nn = n.dot(n);
    if ((q - p).cross(v - p).dot(n) < 0.0L || (r - q).cross(v - q).dot(n) < 0.0L ||
        (p - r).cross(v - r).dot(n) < 0.0L) {
        return;
    }
    best.offer(v, v - n * ((v - p).dot(n) / nn));
}

struct Polytope {
    std::vector<Vec> points;
    std::vector<Triangle> triangles;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
};

Polytope polytope(const Core& core, const Placement& place, const Vec& origin) {
    Polytope out;
    for (const Vec& p : core.points())
        out.points.push_back(place.R * p + (place.p - origin));
    if (core.points().size() == 2) out.edges.emplace_back(0, 1);
    if (core.points().size() < 4) return out;
    out.triangles = hull_triangles(core.points());
    for (const Triangle& t : out.triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t a = t[i], b = t[(i + 1) % 3];
            if (a < b) out.edges.emplace_back(a, b);
        }
    }
    return out;
}

// One way round: a's vertices against b's vertices and triangles.
Pair vertices_against(const Polytope& a, const Polytope& b) {
    Pair best;
    for (const Vec& v : a.points) {
        for (const Vec& w : b.points)
            best.offer(v, w);
        for (const Triangle& t : b.triangles) {
            vertex_triangle(v, b.points[t[0]], b.points[t[1]], b.points[t[2]], best);
        }
        for (const auto& [i, j] : b.edges) {
            const Vec e = b.points[j] - b.points[i];
            best.offer(v, b.points[i] + e * clamped((v - b.points[i]).dot(e) / e.dot(e)));
        }
    }
    return best;
}

// The corners of a face's polygon in order, from the points that lie in its plane.
std::vector<std::size_t> polygon(const std::vector<Vec>& points, std::vector<std::size_t> in_plane,
                                 const Vec& n, Real tolerance) {
    const Vec e = (points[in_plane[1]] - points[in_plane[0]]).unit();
    const Vec f = n.cross(e);
    const auto x = [&](std::size_t i) { return points[i].dot(e); };
    const auto y = [&](std::size_t i) { return points[i].dot(f); };
    std::sort(in_plane.begin(), in_plane.end(), [&](std::size_t i, std::size_t j) {
        return x(i) != x(j) ? x(i) < x(j) : y(i) < y(j);
    });
    std::vector<std::size_t> ring;
    for (int half = 0; half < 2; ++half) {
        const std::size_t base = ring.size();
        for (std::size_t p : in_plane) {
            while (ring.size() >= base + 2) {
                const std::size_t b = ring.back(), a = ring[ring.size() - 2];
                const Real turn = (x(b) - x(a)) * (y(p) - y(a)) - (y(b) - y(a)) * (x(p) - x(a));
                if (turn > tolerance * std::hypot(x(p) - x(a), y(p) - y(a))) break;
                ring.pop_back();
            }
            ring.push_back(p);
        }
        ring.pop_back();
        std::reverse(in_plane.begin(), in_plane.end());
    }
    return ring;
}

}  // namespace

std::vector<Triangle> hull_triangles(const std::vector<Vec>& points) {
    Real size = 0.0L;
    for (const Vec& p : points)
        size = std::max(size, (p - points[0]).norm());
    const Real tolerance = 1e-12L * size;
    std::set<std::vector<std::size_t>> seen;
    std::vector<Triangle> out;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = i + 1; j < points.size(); ++j) {
            for (std::size_t k = j + 1; k < points.size(); ++k) {
                Vec n = (points[j] - points[i]).cross(points[k] - points[i]);
                if (!(n.norm() > tolerance * (points[j] - points[i]).norm())) continue;
                n = n.unit();
                Real low = 0.0L, high = 0.0L;
                std::vector<std::size_t> in_plane;
                for (std::size_t m = 0; m < points.size(); ++m) {
                    const Real out_of = n.dot(points[m] - points[i]);
                    low = std::min(low, out_of);
                    high = std::max(high, out_of);
                    if (std::abs(out_of) <= tolerance) in_plane.push_back(m);
                    if (low < -tolerance && high > tolerance) break;
                }
                if (low < -tolerance && high > tolerance) continue;
                if (low >= -tolerance && high <= tolerance) {
                    throw std::invalid_argument("the points of a hull must span a volume");
                }
                if (!seen.insert(in_plane).second) continue;
                const auto ring = polygon(points, in_plane, high > tolerance ? -n : n, tolerance);
                for (std::size_t m = 1; m + 1 < ring.size(); ++m) {
                    out.push_back({ring[0], ring[m], ring[m + 1]});
                }
            }
        }
    }
    if (out.size() < 4) throw std::invalid_argument("the points of a hull must span a volume");
    return out;
}

Distance distance_by_features(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b) {
    const Core core_a(a), core_b(b);
    if (!core_a.is_polytope() || !core_b.is_polytope()) {
        throw std::invalid_argument("features are listed for boxes, hulls, spheres and capsules");
    }
    const Placement place_a{Matrix::of(to_real(pose_a.orientation).unit()), Vec(pose_a.position)};
    const Placement place_b{Matrix::of(to_real(pose_b.orientation).unit()), Vec(pose_b.position)};
    const Polytope p = polytope(core_a, place_a, place_a.p);
    const Polytope q = polytope(core_b, place_b, place_a.p);
    Pair best;
    best.offer(vertices_against(p, q), false);
    best.offer(vertices_against(q, p), true);
    for (const auto& [i, j] : p.edges) {
        for (const auto& [k, l] : q.edges) {
            segments(p.points[i], p.points[j], q.points[k], q.points[l], best);
        }
    }
    const Real core = std::sqrt(best.square);
    const Real gap = core - core_a.radius() - core_b.radius();
    const Vec n = (best.a - best.b) * (1.0L / core);
    return {gap,
            gap,
            n,
            best.a + place_a.p - n * core_a.radius(),
            best.b + place_a.p + n * core_b.radius(),
            !(gap > 0.0L)};
}

}  // namespace touch_oracle
