// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/mesh_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "carom/shape/describe.h"
#include "carom/shape/hull.h"

namespace carom::shape {
namespace {

constexpr std::size_t k_most_pieces = 1000;
constexpr const char* k_compound =
    "; give a concave body as a compound of convex pieces, pieces = [\"a.obj\", \"b.obj\"]";

using Triangle = std::array<Index, 3>;

std::string object_name(const TriangleList& object) {
    return object.name.empty() ? "the mesh" : "object '" + object.name + "'";
}

// Joins vertices closer than a distance: each is compared with those kept in its cell of a grid and
// the cells around it. The first one in the file is kept.
class Welder {
public:
    explicit Welder(double distance) : distance_(distance) {}

    Index add(const Vec3& point) {
        const std::array<double, 3> cell = cell_of(point);
        for (int n = 0; n < 27; ++n) {
            const auto found =
                cells_.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
            if (found == cells_.end()) continue;
            for (const Index kept : found->second) {
                if ((vertices[kept] - point).norm() <= distance_) return kept;
            }
        }
        const auto index = static_cast<Index>(vertices.size());
        vertices.push_back(point);
        cells_[cell].push_back(index);
        return index;
    }

    std::vector<Vec3> vertices;

private:
    // doubles: the cells of a body far from the origin are more than an integer can count
    std::array<double, 3> cell_of(const Vec3& point) const {
        const double width = 2.0 * distance_;
        return {std::floor(point.x() / width), std::floor(point.y() / width),
                std::floor(point.z() / width)};
    }

    double distance_;
    std::map<std::array<double, 3>, std::vector<Index>> cells_;
};

// The same object with vertices joined and without triangles that then have no area.
TriangleList weld(const TriangleList& object) {
    TriangleList welded;
    welded.name = object.name;
    if (object.vertices.empty()) return welded;
    const Extent extent = find_extent(object.vertices);
    constexpr auto k_float = static_cast<double>(std::numeric_limits<float>::epsilon());
    Welder welder(std::max({k_weld * extent.radius, k_float * extent.largest_coordinate,
                            std::numeric_limits<double>::min()}));
    std::vector<Index> joined;
    joined.reserve(object.vertices.size());
    for (const Vec3& v : object.vertices)
        joined.push_back(welder.add(v));
    for (const Triangle& t : object.triangles) {
        const Triangle triangle{joined[t[0]], joined[t[1]], joined[t[2]]};
        const bool flat =
            triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
        if (!flat) welded.triangles.push_back(triangle);
    }
    welded.vertices = std::move(welder.vertices);
    return welded;
}

// Connected surfaces, in the order of their first triangles, each with the vertices it uses.
std::vector<TriangleList> connected(const TriangleList& object) {
    std::vector<Index> parent(object.vertices.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto find = [&](Index v) {
        while (parent[v] != v) {
            parent[v] = parent[parent[v]];
            v = parent[v];
        }
        return v;
    };
    for (const Triangle& t : object.triangles) {
        parent[find(t[1])] = find(t[0]);
        parent[find(t[2])] = find(t[0]);
    }
    std::vector<Index> surface_of(object.vertices.size(), k_no_index);
    std::vector<Index> renamed(object.vertices.size(), k_no_index);
    std::vector<TriangleList> surfaces;
    for (const Triangle& t : object.triangles) {
        Index& surface = surface_of[find(t[0])];
        if (surface == k_no_index) {
            surface = static_cast<Index>(surfaces.size());
            surfaces.emplace_back().name = object.name;
        }
        TriangleList& list = surfaces[surface];
        Triangle triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (renamed[t[k]] == k_no_index) {
                renamed[t[k]] = static_cast<Index>(list.vertices.size());
                list.vertices.push_back(object.vertices[t[k]]);
            }
            triangle[k] = renamed[t[k]];
        }
        list.triangles.push_back(triangle);
    }
    return surfaces;
}

// How many triangles meet at the edges of a surface.
struct EdgeUse {
    std::size_t open = 0;    // edges of one triangle
    std::size_t shared = 0;  // edges of more than two
};

EdgeUse edge_use(const TriangleList& surface) {
    std::vector<std::pair<Index, Index>> edges;
    edges.reserve(3 * surface.triangles.size());
    for (const Triangle& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k)
            edges.push_back(std::minmax(t[k], t[(k + 1) % 3]));
    }
    std::sort(edges.begin(), edges.end());
    EdgeUse use;
    for (auto edge = edges.begin(); edge != edges.end();) {
        const auto end = std::upper_bound(edge, edges.end(), *edge);
        const auto count = end - edge;
        if (count == 1) ++use.open;
        if (count > 2) ++use.shared;
        edge = end;
    }
    return use;
}

// Looks for points that are too deep inside a hull.
class DentFinder {
public:
    DentFinder(const Polyhedron& hull, const TriangleList& surface)
        : hull_(hull), depth_(k_dent * hull.size()), hull_vertex_(surface.vertices.size()) {
        // the hull keeps the order of the points it was made of
        Index next = 0;
        for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
            const bool kept =
                next < hull.vertices().size() && surface.vertices[v] == hull.vertex(next);
            hull_vertex_[v] = kept ? next++ : k_no_index;
        }
    }

    // near a triangle: its vertices' own faces are the likely ones
    bool is_deep(const Vec3& point, const Triangle& near) {
        if (is_on(last_, point)) return false;
        for (const Index v : near) {
            if (hull_vertex_[v] == k_no_index) continue;
            for (const DirectedEdge e : hull_.star(hull_vertex_[v])) {
                if (is_on(hull_.left(e), point)) return false;
            }
        }
        for (Index f = 0; f < hull_.faces().size(); ++f) {
            if (is_on(f, point)) return false;
        }
        return true;
    }

private:
    bool is_on(Index face, const Vec3& point) {
        const Polyhedron::Face& f = hull_.face(face);
        if (f.offset - f.normal.dot(point) > depth_) return false;
        last_ = face;
        return true;
    }

    const Polyhedron& hull_;
    double depth_;
    std::vector<Index> hull_vertex_;
    Index last_ = 0;
};

void check_convex(const Polyhedron& hull, const TriangleList& surface) {
    DentFinder finder(hull, surface);
    for (const Triangle& t : surface.triangles) {
        const Vec3& a = surface.vertices[t[0]];
        const Vec3& b = surface.vertices[t[1]];
        const Vec3& c = surface.vertices[t[2]];
        const Vec3 points[] = {
            a, b, c, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0};
        for (const Vec3& point : points) {
            if (!finder.is_deep(point, t)) continue;
            throw std::invalid_argument(object_name(surface) +
                                        " is not convex: its surface is inside its hull near " +
                                        describe(point) + k_compound);
        }
    }
}

Part to_piece(const TriangleList& surface) {
    std::shared_ptr<const Polyhedron> hull;
    try {
        hull = convex_hull(surface.vertices);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(object_name(surface) + " has no volume: " + error.what());
    }
    check_convex(*hull, surface);
    return {Hull{hull}, Pose{}};
}

void check_closed(const TriangleList& surface) {
    const EdgeUse use = edge_use(surface);
    if (use.shared > 0) {
        throw std::invalid_argument(object_name(surface) +
                                    " is not a simple surface: " + std::to_string(use.shared) +
                                    " edges join more than two triangles; pieces that touch have "
                                    "to be objects or files of their own");
    }
    if (use.open > 0) {
        throw std::invalid_argument(object_name(surface) + " is open: " + std::to_string(use.open) +
                                    " edges bound only one triangle; the surface of a body has to "
                                    "be closed");
    }
}

bool contains(const Polyhedron& outer, const Polyhedron& inner) {
    for (const Polyhedron::Face& face : outer.faces()) {
        for (const Vec3& v : inner.vertices()) {
            if (face.normal.dot(v) > face.offset) return false;
        }
    }
    return true;
}

void check_hollow(const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j < parts.size(); ++j) {
            if (i == j ||
                !contains(*polyhedron_of(parts[i].convex), *polyhedron_of(parts[j].convex)))
                continue;
            throw std::invalid_argument("piece " + std::to_string(j + 1) +
                                        " of the mesh lies inside piece " + std::to_string(i + 1) +
                                        ": a hollow body is not convex" + k_compound);
        }
    }
}

}  // namespace

std::vector<Part> convex_pieces(const std::vector<TriangleList>& objects) {
    std::vector<TriangleList> surfaces;
    TriangleList open;
    for (const TriangleList& object : objects) {
        for (TriangleList& surface : connected(weld(object))) {
            const EdgeUse use = edge_use(surface);
            if (use.open == 0 || objects.size() == 1) {
                surfaces.push_back(std::move(surface));
                continue;
            }
            const auto shift = static_cast<Index>(open.vertices.size());
            open.name = open.triangles.empty() ? surface.name : open.name + "+" + surface.name;
            open.vertices.insert(open.vertices.end(), surface.vertices.begin(),
                                 surface.vertices.end());
            for (const Triangle& t : surface.triangles)
                open.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
        }
    }
    for (TriangleList& surface : connected(weld(open)))
        surfaces.push_back(std::move(surface));
    if (surfaces.empty()) {
        throw std::invalid_argument("the mesh has no triangles; it has to bound a body");
    }
    if (surfaces.size() > k_most_pieces) {
        throw std::invalid_argument("the mesh falls into " + std::to_string(surfaces.size()) +
                                    " surfaces; at most 1000 are taken");
    }
    std::vector<Part> parts;
    for (const TriangleList& surface : surfaces) {
        check_closed(surface);
        parts.push_back(to_piece(surface));
    }
    check_hollow(parts);
    return parts;
}

}  // namespace carom::shape
