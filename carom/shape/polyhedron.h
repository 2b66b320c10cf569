// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/math/types.h"
#include "carom/shape/polygon_mesh.h"

namespace carom::shape {

// An edge walked from its tail to its head, or back.
class DirectedEdge {
public:
    DirectedEdge() = default;
    DirectedEdge(Index edge, bool reversed) : code_(2 * edge + (reversed ? 1U : 0U)) {}

    Index edge() const { return code_ / 2; }
    bool reversed() const { return code_ % 2 == 1; }
    DirectedEdge reverse() const { return {edge(), !reversed()}; }
    friend bool operator==(DirectedEdge a, DirectedEdge b) { return a.code_ == b.code_; }

private:
    Index code_ = 0;
};

// A closed convex polyhedron, ready for closest-feature tracking.
//
// Features are vertices, edges and faces, named by 32-bit indices. Faces are maximal: no two
// neighbours lie in one plane, and every vertex is on at least three faces. "Left" and
// "counterclockwise" are as seen from outside.
//
// The vertices are what was given, to the bit. A face with more than three corners is planar only
// to rounding: its plane is the best fit by area, through the mean of its corners. Unit vectors are
// correct to rounding even for slivers, since they come from differences in extended precision.
class Polyhedron {
public:
    struct Face {
        Vec3 normal;    // unit, outward
        double offset;  // normal.x = offset on the face
        Index first;    // of its run in the list of boundaries
        Index count;    // of its edges
    };
    struct Edge {
        Index tail, head;   // vertices
        Index left, right;  // faces, going from tail to head
        double length = 0.0;
        // unit vectors: from tail to head, and across the edge into the left and the right face, in
        // the plane of that face
        Vec3 direction = Vec3::Zero();
        Vec3 left_inward = Vec3::Zero();
        Vec3 right_inward = Vec3::Zero();
    };

    // The only way to make one: polygons counterclockwise as seen from outside. Coplanar neighbours
    // are merged and vertices in the middle of an edge or a face are dropped. Throws
    // std::invalid_argument when the surface is not closed, not one piece with V - E + F = 2, or
    // not convex to within k_convexity of its size.
    explicit Polyhedron(const PolygonMesh& mesh);
    static constexpr double k_convexity = 1e-10;

    std::span<const Vec3> vertices() const { return vertices_; }
    std::span<const Edge> edges() const { return edges_; }
    std::span<const Face> faces() const { return faces_; }
    const Vec3& vertex(Index v) const { return vertices_[v]; }
    const Edge& edge(Index e) const { return edges_[e]; }
    const Face& face(Index f) const { return faces_[f]; }

    // The edges of a face, counterclockwise: the face is left of each as it is directed.
    std::span<const DirectedEdge> boundary(Index face) const {
        return {boundaries_.data() + faces_[face].first, faces_[face].count};
    }
    // The edges at a vertex, counterclockwise, each directed away from it. Between one and the next
    // lies the left face of the one, which is the right face of the next.
    std::span<const DirectedEdge> star(Index vertex) const {
        return {stars_.data() + star_first_[vertex], star_first_[vertex + 1] - star_first_[vertex]};
    }
    // The far ends of the edges of the star, in the same order.
    std::span<const Index> neighbours(Index vertex) const {
        return {neighbours_.data() + star_first_[vertex],
                star_first_[vertex + 1] - star_first_[vertex]};
    }

    Index tail(DirectedEdge e) const {
        return e.reversed() ? edges_[e.edge()].head : edges_[e.edge()].tail;
    }
    Index head(DirectedEdge e) const {
        return e.reversed() ? edges_[e.edge()].tail : edges_[e.edge()].head;
    }
    Index left(DirectedEdge e) const {
        return e.reversed() ? edges_[e.edge()].right : edges_[e.edge()].left;
    }
    Index right(DirectedEdge e) const {
        return e.reversed() ? edges_[e.edge()].left : edges_[e.edge()].right;
    }
    Vec3 direction(DirectedEdge e) const {
        return e.reversed() ? Vec3(-edges_[e.edge()].direction) : edges_[e.edge()].direction;
    }
    const Vec3& left_inward(DirectedEdge e) const {
        return e.reversed() ? edges_[e.edge()].right_inward : edges_[e.edge()].left_inward;
    }

    // A point well inside, the mean of the vertices; and the largest distance of a vertex from it.
    const Vec3& interior() const { return interior_; }
    double size() const { return size_; }

    // A vertex with the largest value of direction.x, by climbing from `hint` over the edges. Ends
    // at a vertex that no neighbour exceeds in extended precision, which for a convex body is the
    // maximum, on plateaus too, to the rounding of a double. Few steps when the hint is near;
    // without one it begins from a table of directions. Any direction will do, zero too.
    Index support(const Vec3& direction, Index hint = k_no_index) const;

    // The largest distance of any point of the body from `center`.
    double radius_about(const Vec3& center) const;

private:
    void link(const PolygonMesh& mesh);
    void link_stars(const PolygonMesh& mesh, const std::vector<Index>& twin,
                    const std::vector<Index>& face_of, const std::vector<DirectedEdge>& directed);
    void measure_edges();
    void check_convex(double tolerance) const;
    void tabulate_starts();
    std::size_t start_cell(const Vec3& direction) const;

    std::vector<Vec3> vertices_;
    std::vector<Edge> edges_;
    std::vector<Face> faces_;
    std::vector<DirectedEdge> boundaries_;
    std::vector<Index> star_first_;
    std::vector<DirectedEdge> stars_;
    std::vector<Index> neighbours_;
    // the support vertices in the directions of a cube map with starts_side_ cells along an edge
    std::vector<Index> starts_;
    std::size_t starts_side_ = 0;
    Vec3 interior_;
    double size_;
};

// The box with corners at +-half, its eight corners in binary order of their signs (x fastest).
std::shared_ptr<const Polyhedron> make_box_polyhedron(const Vec3& half);

}  // namespace carom::shape
