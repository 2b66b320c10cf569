// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/hull.h"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/shape/describe.h"
#include "carom/shape/exact_cross.h"

namespace carom::shape {
namespace {

constexpr double k_largest = 1e60;
constexpr double k_smallest = 1e-60;

// Indices of the points without duplicates, lowest index first.
std::vector<Index> distinct(std::span<const Vec3> points) {
    std::vector<Index> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto compare = [&](Index a, Index b) {
        for (int k = 0; k < 3; ++k) {
            if (points[a][k] != points[b][k]) return points[a][k] < points[b][k] ? -1 : 1;
        }
        return 0;
    };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        const int order_of_points = compare(a, b);
        return order_of_points != 0 ? order_of_points < 0 : a < b;
    });
    order.erase(std::unique(order.begin(), order.end(),
                            [&](Index a, Index b) { return compare(a, b) == 0; }),
                order.end());
    std::sort(order.begin(), order.end());
    return order;
}

void check_coordinates(std::span<const Vec3> points) {
    if (points.size() < 4) {
        throw std::invalid_argument("a hull of " + std::to_string(points.size()) +
                                    " points was asked for; it needs at least 4");
    }
    if (points.size() > std::numeric_limits<int>::max() / 8) {
        throw std::invalid_argument("a hull of " + std::to_string(points.size()) +
                                    " points was asked for; at most 268435455 can be taken");
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].allFinite() || points[i].lpNorm<Eigen::Infinity>() > k_largest) {
            throw std::invalid_argument("point " + std::to_string(i + 1) + " is " +
                                        describe(points[i]) +
                                        "; coordinates have to be finite and at most 1e60");
        }
    }
}

// The point farthest by `distance`, and that distance.
template <class Distance>
std::pair<Index, long double> farthest(std::span<const Vec3> points, Distance&& distance) {
    std::pair<Index, long double> best{0, -1.0L};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const long double d = distance(points[i].cast<long double>().eval());
        if (d > best.second) best = {static_cast<Index>(i), d};
    }
    return best;
}

// Refuses points without a volume. Each greedy extent is at least half of the true one.
void check_volume(std::span<const Vec3> points, double largest_coordinate) {
    const Long3 first = points[0].cast<long double>();
    const auto [a, from_first] =
        farthest(points, [&](const Long3& p) { return (p - first).norm(); });
    if (!(from_first > 0.0L)) {
        throw std::invalid_argument(
            "all points of the hull are equal; a hull has to enclose a volume");
    }
    const Long3 origin = points[a].cast<long double>();
    const auto [b, length] = farthest(points, [&](const Long3& p) { return (p - origin).norm(); });
    if (length < static_cast<long double>(k_smallest)) {
        throw std::invalid_argument("the hull is only " + describe(static_cast<double>(length)) +
                                    " long; it has to be at least 1e-60");
    }
    const long double tolerance = std::max(
        static_cast<long double>(k_thinnest) * length,
        8.0L * static_cast<long double>(k_ulp) * static_cast<long double>(largest_coordinate));
    const Long3 along = (points[b].cast<long double>() - origin) / length;
    const auto [c, width] =
        farthest(points, [&](const Long3& p) { return (p - origin).cross(along).norm(); });
    const std::string within = " to within " + describe(static_cast<double>(tolerance)) +
                               "; a hull has to enclose a volume";
    if (width <= tolerance) {
        throw std::invalid_argument("all points of the hull are on one line" + within);
    }
    const Long3 normal = along.cross(points[c].cast<long double>() - origin).normalized();
    const auto [d, thickness] =
        farthest(points, [&](const Long3& p) { return std::abs((p - origin).dot(normal)); });
    if (thickness <= tolerance) {
        throw std::invalid_argument("all points of the hull are in one plane" + within);
    }
}

// Qhull's state and its error output, freed on every way out.
class QhullRun {
public:
    // true when Qhull found a hull
    bool run(std::vector<double>& coordinates, double merge_distance) {
        errors_ = open_memstream(&text_, &length_);
        if (errors_ == nullptr) throw std::runtime_error("no memory for the hull");
        qh_zero(&qh_, errors_);
        // premerge until every facet is convex by more than this distance
        char options[64];
        std::snprintf(options, sizeof options, "qhull C-%.3e", merge_distance);
        started_ = true;
        const int count = static_cast<int>(coordinates.size() / 3);
        return qh_new_qhull(&qh_, 3, count, coordinates.data(), False, options, nullptr, errors_) ==
               0;
    }
    QhullRun() = default;
    QhullRun(const QhullRun&) = delete;
    QhullRun& operator=(const QhullRun&) = delete;
    ~QhullRun() {
        if (started_) {
            int short_left = 0;
            int long_left = 0;
            qh_freeqhull(&qh_, !qh_ALL);
            qh_memfreeshort(&qh_, &short_left, &long_left);
        }
        if (errors_ != nullptr) std::fclose(errors_);
        std::free(text_);
    }
    const qhT& state() const { return qh_; }

private:
    qhT qh_{};
    std::FILE* errors_ = nullptr;
    char* text_ = nullptr;
    std::size_t length_ = 0;
    bool started_ = false;
};

template <class Element>
Element* element(const setT* set, int i) {
    return static_cast<Element*>(set->e[i].p);
}

int set_size(const setT* set) {
    int size = 0;
    while (set != nullptr && set->e[size].p != nullptr)
        ++size;
    return size;
}

// The corners of a facet in cyclic order, in either sense; empty when they are not one cycle.
std::vector<Index> facet_cycle(const facetT& facet, const double* base) {
    const auto name = [&](const vertexT* v) { return static_cast<Index>((v->point - base) / 3); };
    std::vector<Index> cycle;
    if (facet.simplicial) {
        for (int i = 0; i < set_size(facet.vertices); ++i)
            cycle.push_back(name(element<vertexT>(facet.vertices, i)));
        return cycle;
    }
    std::vector<std::pair<Index, Index>> ends;
    for (int i = 0; i < set_size(facet.ridges); ++i) {
        const setT* pair = element<ridgeT>(facet.ridges, i)->vertices;
        const Index a = name(element<vertexT>(pair, 0));
        const Index b = name(element<vertexT>(pair, 1));
        ends.emplace_back(a, b);
        ends.emplace_back(b, a);
    }
    std::sort(ends.begin(), ends.end());
    if (ends.size() < 6) return {};
    for (std::size_t i = 0; i < ends.size(); i += 2) {
        const bool two = ends[i].first == ends[i + 1].first &&
                         (i + 2 == ends.size() || ends[i + 2].first != ends[i].first);
        if (!two) return {};
    }
    Index before = ends[0].second;
    Index now = ends[0].first;
    do {
        cycle.push_back(now);
        const auto at = std::lower_bound(ends.begin(), ends.end(), std::pair{now, Index{0}});
        const Index next = at->second == before ? std::next(at)->second : at->second;
        before = now;
        now = next;
    } while (now != ends[0].first && cycle.size() <= ends.size());
    return 2 * cycle.size() == ends.size() ? cycle : std::vector<Index>{};
}

// Counterclockwise from outside, the lowest index first.
void orient(std::vector<Index>& cycle, std::span<const Vec3> points, const Vec3& inside) {
    const Long3 origin = points[cycle[0]].cast<long double>();
    Long3 area = Long3::Zero();
    for (std::size_t i = 1; i + 1 < cycle.size(); ++i) {
        area += exact_cross(points[cycle[i]].cast<long double>() - origin,
                            points[cycle[i + 1]].cast<long double>() - origin);
    }
    if (area.dot(origin - inside.cast<long double>()) < 0.0L) {
        std::reverse(cycle.begin(), cycle.end());
    }
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
}

// The hull with facets merged that are not convex by more than `merge_distance` of its size;
// nothing when Qhull's answer is not a convex polyhedron.
std::shared_ptr<const Polyhedron> try_hull(const std::vector<Vec3>& points, const Extent& extent,
                                           double merge_distance, std::string& reason) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3& point : points) {
        for (int k = 0; k < 3; ++k)
            coordinates.push_back((point[k] - extent.center[k]) / extent.radius);
    }
    QhullRun qhull;
    if (!qhull.run(coordinates, merge_distance)) {
        reason = "the hull is too thin for the rounding of its points";
        return nullptr;
    }
    // deepest inside is the mean of the hull's own vertices, which the points may not be
    std::vector<Vec3> extreme;
    for (const vertexT* v = qhull.state().vertex_list; v != nullptr && v->next != nullptr;
         v = v->next)
        extreme.push_back(points[static_cast<std::size_t>((v->point - coordinates.data()) / 3)]);
    const Vec3 inside = find_extent(extreme).center;
    std::vector<std::vector<Index>> polygons;
    for (const facetT* facet = qhull.state().facet_list; facet != nullptr && facet->next != nullptr;
         facet = facet->next) {
        polygons.push_back(facet_cycle(*facet, coordinates.data()));
        if (polygons.back().size() < 3) {
            reason = "a face of the hull is not a polygon";
            return nullptr;
        }
        orient(polygons.back(), points, inside);
    }
    std::sort(polygons.begin(), polygons.end());
    PolygonMesh mesh;
    mesh.vertices = points;
    for (const auto& polygon : polygons)
        mesh.add_face(polygon);
    try {
        return std::make_shared<const Polyhedron>(mesh);
    } catch (const std::invalid_argument& error) {
        reason = error.what();
        return nullptr;
    }
}

// Corners at which a face does not turn to the left. Such a vertex is inside the hull of the others
// to within rounding, but the short edges at it point anywhere.
std::vector<Index> reflex_corners(const Polyhedron& hull) {
    std::vector<Index> corners;
    for (Index f = 0; f < hull.faces().size(); ++f) {
        const auto boundary = hull.boundary(f);
        for (std::size_t i = 0; i < boundary.size(); ++i) {
            const DirectedEdge e = boundary[i];
            const DirectedEdge next = boundary[(i + 1) % boundary.size()];
            if (!(hull.left_inward(e).dot(hull.direction(next)) > 0.0)) {
                corners.push_back(hull.head(e));
            }
        }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    return corners;
}

// The hull's vertices without some of them.
std::vector<Vec3> without(const Polyhedron& hull, const std::vector<Index>& dropped) {
    std::vector<Vec3> points;
    for (Index v = 0; v < hull.vertices().size(); ++v) {
        if (!std::binary_search(dropped.begin(), dropped.end(), v))
            points.push_back(hull.vertex(v));
    }
    return points;
}

// The hull by rounds: each drops the reflex corners of the one before, which are few and only in
// points that are nearly equal.
std::shared_ptr<const Polyhedron> strict_hull(std::vector<Vec3> points, double merge_distance,
                                              std::string& reason) {
    constexpr int k_most_rounds = 100;
    for (int round = 0; round < k_most_rounds && points.size() >= 4; ++round) {
        auto hull = try_hull(points, find_extent(points), merge_distance, reason);
        if (hull == nullptr) return nullptr;
        const std::vector<Index> corners = reflex_corners(*hull);
        if (corners.empty()) return hull;
        points = without(*hull, corners);
    }
    reason = "its faces are not convex";
    return nullptr;
}

}  // namespace

std::shared_ptr<const Polyhedron> convex_hull(std::span<const Vec3> given) {
    check_coordinates(given);
    std::vector<Vec3> points;
    for (const Index i : distinct(given))
        points.push_back(given[i]);
    const Extent extent = find_extent(points);
    check_volume(points, extent.largest_coordinate);
    // rounding of the coordinates, in units of the size; more where that is not enough
    const double rounding = 8.0 * k_ulp * (1.0 + extent.largest_coordinate / extent.radius);
    std::string reason;
    for (const double factor : {1.0, 10.0, 1e2, 1e3, 1e4}) {
        auto hull = strict_hull(points, factor * rounding, reason);
        if (hull != nullptr) return hull;
    }
    throw std::invalid_argument(
        "the points have no hull that can be told from rounding: " + reason +
        "; points nearer together than 1e-12 of the size should be one");
}

}  // namespace carom::shape
