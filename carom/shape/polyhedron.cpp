// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/polyhedron.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/shape/exact_cross.h"

namespace carom::shape {
namespace {

// Below this many vertices looking at all of them is faster than climbing.
constexpr std::size_t k_small = 16;

Long3 wide(const Vec3& v) {
    return v.cast<long double>();
}

// Neighbours are in one plane when their corners are, to the rounding of the coordinates and of
// what made them (a rotation, say). Ten times larger would flatten dihedral angles ten times
// larger; ten times smaller would leave the sides of a turned box in two triangles.
double merge_tolerance(const Extent& extent) {
    return 16.0 * k_ulp * (extent.radius + extent.largest_coordinate);
}

template <class Scalar>
Index climb(const std::vector<Vec3>& vertices, const std::vector<Index>& first,
            const std::vector<Index>& neighbours, const Vec3& direction, Index start) {
    const Eigen::Matrix<Scalar, 3, 1> d = direction.cast<Scalar>();
    Index best = start;
    Scalar best_value = d.dot(vertices[start].cast<Scalar>());
    // the value grows strictly with each move, so this ends
    while (true) {
        const Index now = best;
        for (Index i = first[now]; i < first[now + 1]; ++i) {
            const Scalar value = d.dot(vertices[neighbours[i]].cast<Scalar>());
            if (value > best_value) {
                best_value = value;
                best = neighbours[i];
            }
        }
        if (best == now) return best;
    }
}

template <class Scalar>
Index scan(const std::vector<Vec3>& vertices, const Vec3& direction) {
    const Eigen::Matrix<Scalar, 3, 1> d = direction.cast<Scalar>();
    std::size_t best = 0;
    Scalar best_value = d.dot(vertices[0].cast<Scalar>());
    for (std::size_t v = 1; v < vertices.size(); ++v) {
        const Scalar value = d.dot(vertices[v].cast<Scalar>());
        if (value > best_value) {
            best_value = value;
            best = v;
        }
    }
    return static_cast<Index>(best);
}

void check_finite(const PolygonMesh& mesh) {
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (!mesh.vertices[v].allFinite()) {
            throw std::invalid_argument("vertex " + std::to_string(v) +
                                        " is not finite; coordinates have to be finite numbers");
        }
    }
}

}  // namespace

Polyhedron::Polyhedron(const PolygonMesh& given) {
    check_finite(given);
    if (given.vertices.size() < 4 || given.faces() < 4) {
        throw std::invalid_argument("a polyhedron has at least four vertices and four faces");
    }
    const Extent extent = find_extent(given.vertices);
    const PolygonMesh mesh = merge_coplanar(given, merge_tolerance(extent));
    if (mesh.vertices.size() < 4 || mesh.faces() < 4) {
        throw std::invalid_argument("the polyhedron is flat; it has to enclose a volume");
    }
    vertices_ = mesh.vertices;
    const Extent kept = find_extent(vertices_);
    interior_ = kept.center;
    size_ = kept.radius;
    link(mesh);
    measure_edges();
    check_convex(k_convexity * size_ + 16.0 * k_ulp * kept.largest_coordinate);
    tabulate_starts();
}

// Faces, edges and boundaries; edges in the order in which the faces meet them first.
void Polyhedron::link(const PolygonMesh& mesh) {
    const Twins twins = find_twins(mesh);
    boundaries_.resize(mesh.corner.size());
    edges_.reserve(mesh.corner.size() / 2);
    faces_.reserve(mesh.faces());
    for (Index f = 0; f < mesh.faces(); ++f) {
        const Plane plane = face_plane(mesh, f);
        if (plane.normal.isZero(0.0)) {
            throw std::invalid_argument("face " + std::to_string(f) + " has no area");
        }
        faces_.push_back(
            {plane.normal, plane.offset, mesh.first[f], mesh.first[f + 1] - mesh.first[f]});
        for (Index c = mesh.first[f]; c < mesh.first[f + 1]; ++c) {
            if (twins.twin[c] < c) {
                boundaries_[c] = boundaries_[twins.twin[c]].reverse();
                continue;
            }
            boundaries_[c] = DirectedEdge(static_cast<Index>(edges_.size()), false);
            edges_.push_back(
                {mesh.corner[c], mesh.corner[mesh.next(f, c)], f, twins.face[twins.twin[c]]});
        }
    }
    link_stars(mesh, twins.twin, twins.face, boundaries_);
}

// Around each vertex, counterclockwise: the next edge is the one that comes into the vertex in the
// left face of this one, walked the other way.
void Polyhedron::link_stars(const PolygonMesh& mesh, const std::vector<Index>& twin,
                            const std::vector<Index>& face_of,
                            const std::vector<DirectedEdge>& directed) {
    std::vector<Index> leaving(vertices_.size(), k_no_index);
    std::vector<Index> degree(vertices_.size(), 0);
    for (Index c = 0; c < mesh.corner.size(); ++c) {
        const Index v = mesh.corner[c];
        if (leaving[v] == k_no_index) leaving[v] = c;
        ++degree[v];
    }
    star_first_.assign(1, 0);
    for (Index v = 0; v < vertices_.size(); ++v) {
        Index c = leaving[v];
        do {
            stars_.push_back(directed[c]);
            neighbours_.push_back(mesh.corner[mesh.next(face_of[c], c)]);
            const Index begin = mesh.first[face_of[c]];
            const Index end = mesh.first[face_of[c] + 1];
            const Index before = c == begin ? end - 1 : c - 1;
            c = twin[before];
        } while (c != leaving[v]);
        star_first_.push_back(static_cast<Index>(stars_.size()));
        if (star_first_[v + 1] - star_first_[v] != degree[v]) {
            throw std::invalid_argument("two parts of the surface touch in vertex " +
                                        std::to_string(v) + "; a body is bounded by one surface");
        }
    }
    const auto euler = static_cast<long>(vertices_.size()) - static_cast<long>(edges_.size()) +
                       static_cast<long>(faces_.size());
    if (euler != 2) {
        throw std::invalid_argument("the surface has V - E + F = " + std::to_string(euler) +
                                    "; a convex body has 2 (one piece, no holes through it)");
    }
}

void Polyhedron::measure_edges() {
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        Edge& edge = edges_[e];
        const Long3 along = wide(vertices_[edge.head]) - wide(vertices_[edge.tail]);
        const long double length = along.norm();
        if (!(length > 0.0L)) {
            throw std::invalid_argument("the ends of edge " + std::to_string(edge.tail) + "-" +
                                        std::to_string(edge.head) + " are the same point");
        }
        const Long3 direction = along / length;
        edge.length = static_cast<double>(length);
        edge.direction = direction.cast<double>();
        edge.left_inward =
            wide(faces_[edge.left].normal).cross(direction).normalized().cast<double>();
        edge.right_inward =
            direction.cross(wide(faces_[edge.right].normal)).normalized().cast<double>();
    }
}

// Convex at every edge and around a point inside, hence convex: the faces at a vertex bound a
// convex cone, and a closed surface that is convex everywhere and winds once around a point is the
// boundary of a convex body.
void Polyhedron::check_convex(double tolerance) const {
    for (Index f = 0; f < faces_.size(); ++f) {
        const Face& face = faces_[f];
        if (!(face.normal.dot(interior_) < face.offset)) {
            throw std::invalid_argument("the surface is not convex or is inside out at face " +
                                        std::to_string(f) +
                                        ": the mean of the vertices is not inside");
        }
        for (const DirectedEdge e : boundary(f)) {
            const Index corner = tail(e);
            for (const Index v : neighbours(corner)) {
                const double above = face.normal.dot(vertices_[v] - vertices_[corner]);
                if (above > tolerance) {
                    throw std::invalid_argument("the surface is not convex: vertex " +
                                                std::to_string(v) + " is outside face " +
                                                std::to_string(f));
                }
            }
        }
    }
}

std::size_t Polyhedron::start_cell(const Vec3& direction) const {
    Eigen::Index axis = 0;
    const double largest = direction.cwiseAbs().maxCoeff(&axis);
    if (!(largest > 0.0) || !std::isfinite(largest)) return 0;
    const auto cell = [&](Eigen::Index k) {
        const double place = 0.5 * (direction[k % 3] / largest + 1.0);
        const auto at = static_cast<std::size_t>(place * static_cast<double>(starts_side_));
        return std::min(at, starts_side_ - 1);
    };
    const std::size_t face = 2 * static_cast<std::size_t>(axis) + (direction[axis] < 0.0 ? 1U : 0U);
    return (face * starts_side_ + cell(axis + 1)) * starts_side_ + cell(axis + 2);
}

// About as many cells as there are vertices.
void Polyhedron::tabulate_starts() {
    if (vertices_.size() <= k_small) return;
    constexpr double k_most = 32.0;
    starts_side_ = static_cast<std::size_t>(
        std::clamp(std::sqrt(static_cast<double>(vertices_.size()) / 6.0), 2.0, k_most));
    starts_.assign(6 * starts_side_ * starts_side_, 0);
    const auto middle = [&](std::size_t i) {
        return (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(starts_side_) - 1.0;
    };
    Index last = 0;
    for (Eigen::Index face = 0; face < 6; ++face) {
        for (std::size_t i = 0; i < starts_side_; ++i) {
            for (std::size_t k = 0; k < starts_side_; ++k) {
                Vec3 direction;
                direction[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
                direction[(face / 2 + 1) % 3] = middle(i);
                direction[(face / 2 + 2) % 3] = middle(k);
                last = climb<double>(vertices_, star_first_, neighbours_, direction, last);
                starts_[start_cell(direction)] = last;
            }
        }
    }
}

Index Polyhedron::support(const Vec3& direction, Index hint) const {
    if (vertices_.size() <= k_small) return scan<long double>(vertices_, direction);
    const Index start = hint < vertices_.size() ? hint : starts_[start_cell(direction)];
    const Index near = climb<double>(vertices_, star_first_, neighbours_, direction, start);
    return climb<long double>(vertices_, star_first_, neighbours_, direction, near);
}

double Polyhedron::radius_about(const Vec3& center) const {
    double radius = 0.0;
    for (const Vec3& v : vertices_)
        radius = std::max(radius, (v - center).stableNorm());
    return radius;
}

std::shared_ptr<const Polyhedron> make_box_polyhedron(const Vec3& half) {
    PolygonMesh mesh;
    for (unsigned corner = 0; corner < 8; ++corner) {
        mesh.vertices.emplace_back((corner & 1U) != 0 ? half.x() : -half.x(),
                                   (corner & 2U) != 0 ? half.y() : -half.y(),
                                   (corner & 4U) != 0 ? half.z() : -half.z());
    }
    mesh.add_face({0, 4, 6, 2});  // -x
    mesh.add_face({1, 3, 7, 5});  // +x
    mesh.add_face({0, 1, 5, 4});  // -y
    mesh.add_face({2, 6, 7, 3});  // +y
    mesh.add_face({0, 2, 3, 1});  // -z
    mesh.add_face({4, 5, 7, 6});  // +z
    return std::make_shared<const Polyhedron>(mesh);
}

}  // namespace carom::shape
