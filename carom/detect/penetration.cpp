// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/penetration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/detect/smooth_normal.h"
#include "carom/detect/suggested_normals.h"
#include "carom/detect/witness.h"

namespace carom::detect {
namespace {

struct Facet {
    std::array<int, 3> corner;
    Vec3 normal;      // outward
    double distance;  // of its plane from the origin
};

// The growing polytope.
class Polytope {
public:
    explicit Polytope(const CorePair& pair) : pair_(pair) {}

    // The support point of A - B along an outward direction.
    CorePair::Support farthest(const Vec3& outward) const { return pair_.lowest(-outward); }

    // Points in general position around the origin; false if the difference is flat or the origin
    // is not inside.
    bool start(const Vec3& guess) {
        const std::array<Vec3, 7> ways{-guess,        guess,          Vec3::UnitX(), -Vec3::UnitX(),
                                       Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ()};
        points_.push_back(farthest(ways[0]));
        for (const Vec3& way : ways) {
            const CorePair::Support s = farthest(way);
            if ((s.w - points_[0].w).norm() > k_flat * scale(s)) {
                points_.push_back(s);
                break;
            }
        }
        if (points_.size() < 2) return false;
        const Vec3 line = points_[1].w - points_[0].w;
        if (!add_off([&](const Vec3& d) { return d.cross(line).norm() / line.norm(); }, line)) {
            return false;
        }
        const Vec3 plane = line.cross(Vec3(points_[2].w - points_[0].w)).normalized();
        CorePair::Support s = farthest(plane);
        if (std::abs(plane.dot(s.w - points_[0].w)) <= k_flat * scale(s)) s = farthest(-plane);
        if (std::abs(plane.dot(s.w - points_[0].w)) <= k_flat * scale(s)) return false;
        points_.push_back(s);
        if (plane.dot(s.w - points_[0].w) > 0.0) std::swap(points_[0], points_[1]);
        // facets outward: 0 1 2 seen from the side away from 3
        for (const std::array<int, 3>& c :
             {std::array{0, 1, 2}, std::array{0, 3, 1}, std::array{1, 3, 2}, std::array{2, 3, 0}}) {
            add_facet(c);
        }
        return true;
    }

    std::size_t nearest_facet() const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < facets_.size(); ++i) {
            if (facets_[i].distance < facets_[best].distance) best = i;
        }
        return best;
    }
    const Facet& facet(std::size_t i) const { return facets_[i]; }
    const CorePair::Support& point(int i) const { return points_[static_cast<std::size_t>(i)]; }

    // Takes a new point in: the facets that see it are replaced by those from their rim to it.
    bool grow(const CorePair::Support& s) {
        std::vector<std::array<int, 2>> rim;
        std::vector<Facet> kept;
        for (const Facet& f : facets_) {
            if (f.normal.dot(s.w) - f.distance <= k_flat * 1e-2 * scale(s)) {
                kept.push_back(f);
                continue;
            }
            for (std::size_t i = 0; i < 3; ++i) {
                const std::array<int, 2> edge{f.corner[i], f.corner[(i + 1) % 3]};
                const auto twin = std::find(rim.begin(), rim.end(), std::array{edge[1], edge[0]});
                if (twin != rim.end()) {
                    rim.erase(twin);
                } else {
                    rim.push_back(edge);
                }
            }
        }
        if (rim.empty() || kept.size() + rim.size() > k_most_facets) return false;
        facets_ = kept;
        points_.push_back(s);
        const int apex = static_cast<int>(points_.size()) - 1;
        for (const auto& edge : rim)
            add_facet({edge[0], edge[1], apex});
        return true;
    }

    static double scale(const CorePair::Support& s) { return s.a.norm() + s.b.norm(); }

private:
    static constexpr double k_flat = 1e-12;
    static constexpr std::size_t k_most_facets = 4000;

    template <class Off>
    bool add_off(Off&& off, const Vec3& line) {
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 across = line.cross(Vec3(Vec3::Unit(axis)));
            for (const Vec3& way : {across, Vec3(-across)}) {
                const CorePair::Support s = farthest(way);
                if (off(s.w - points_[0].w) > k_flat * scale(s)) {
                    points_.push_back(s);
                    return true;
                }
            }
        }
        return false;
    }

    void add_facet(const std::array<int, 3>& c) {
        const Vec3& a = point(c[0]).w;
        const Vec3 n = (point(c[1]).w - a).cross(Vec3(point(c[2]).w - a));
        const double size = n.norm();
        if (!(size > 0.0)) {
            facets_.push_back({c, Vec3::Zero(), std::numeric_limits<double>::infinity()});
            return;
        }
        facets_.push_back({c, n / size, n.dot(a) / size});
    }

    const CorePair& pair_;
    std::vector<CorePair::Support> points_;
    std::vector<Facet> facets_;
};

// Two boxes: the least of the ways along their axes and across two of their edges, which are all
// that the faces of A - B can have for normals. An axis across edges is taken where it is better
// than the axes of the boxes by more than rounding.
Vec3 best_of_boxes(const Vec3& half_a, const Vec3& half_b, const shape::Pose& B_in_A) {
    constexpr double k_rounding = 1e-14;
    constexpr double k_parallel = 1e-8;
    const Mat3 R = B_in_A.orientation.toRotationMatrix();
    const Vec3& t = B_in_A.position;
    Vec3 best = Vec3::UnitZ();
    double least = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3& n, double rounding) {
        const double along = n.dot(t);
        const double depth =
            half_a.dot(n.cwiseAbs()) + half_b.dot((R.transpose() * n).cwiseAbs()) - std::abs(along);
        if (!(depth < least - rounding)) return;
        least = depth;
        best = along > 0.0 ? Vec3(-n) : n;
    };
    for (int i = 0; i < 3; ++i)
        offer(Vec3::Unit(i), 0.0);
    const double rounding = k_rounding * (half_a.norm() + half_b.norm());
    for (int i = 0; i < 3; ++i)
        offer(R.col(i), rounding);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 across = Vec3::Unit(i).cross(Vec3(R.col(k)));
            const double sine = across.norm();
            if (sine > k_parallel) offer(across / sine, rounding);
        }
    }
    return best;
}

}  // namespace

Penetration penetration(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
                        const Vec3& guess) {
    constexpr int k_most = 300;
    constexpr double k_enough = 1e-12;
    const CorePair pair(A, B, B_in_A);
    const auto* box_a = std::get_if<shape::Box>(&A);
    const auto* box_b = std::get_if<shape::Box>(&B);
    if (box_a != nullptr && box_b != nullptr) {
        const Vec3 n = best_of_boxes(box_a->half, box_b->half, B_in_A);
        const double depth = std::max(0.0, -n.dot(pair.lowest(n).w));
        const Witness points = witness(A, shape::Pose{}, B, B_in_A, n, -depth);
        return {depth, n, points.a, points.b};
    }
    Polytope polytope(pair);
    const CorePair::Support first = pair.lowest(guess);
    Penetration out{0.0, guess, first.a, first.b};
    if (!polytope.start(guess)) return out;
    double gap = -std::numeric_limits<double>::infinity();  // along the best normal: -depth
    const auto offer = [&](const Vec3& n) {
        const double value = n.dot(pair.lowest(n).w);
        if (value <= gap) return;
        gap = value;
        out.normal = n;
    };
    for (int i = 0; i < k_most; ++i) {
        const Facet facet = polytope.facet(polytope.nearest_facet());
        const CorePair::Support s = polytope.farthest(facet.normal);
        const double beyond = facet.normal.dot(s.w);
        // A - B leaves the origin when A goes against its outward normal
        offer(-facet.normal);
        if (beyond - facet.distance <= k_enough * Polytope::scale(s) || !polytope.grow(s)) break;
    }
    // the polytope has corners where the bodies are round: ask the surfaces
    const bool round = shape::polyhedron_of(A) == nullptr || shape::polyhedron_of(B) == nullptr;
    for (int pass = 0; pass < 3 && round; ++pass) {
        const Vec3 near = out.normal;
        for_suggested_normals(A, B, B_in_A, near, offer);
        for_smooth_normals(A, B, B_in_A, near, offer);
    }
    out.depth = std::max(0.0, -gap);
    const Witness points = witness(A, shape::Pose{}, B, B_in_A, out.normal, -out.depth);
    out.point_a = points.a;
    out.point_b = points.b;
    return out;
}

bool is_least_depth(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
                    const Vec3& normal, double depth) {
    constexpr int k_most = 100;
    const CorePair pair(A, B, B_in_A);
    Polytope polytope(pair);
    if (!polytope.start(normal)) return false;
    const double enough = (1.0 - k_least_depth) * depth;
    for (int i = 0; i < k_most; ++i) {
        const Facet facet = polytope.facet(polytope.nearest_facet());
        if (facet.distance >= enough) return true;
        const CorePair::Support s = polytope.farthest(facet.normal);
        if (facet.normal.dot(s.w) < enough || !polytope.grow(s)) return false;
    }
    return false;
}

}  // namespace carom::detect
