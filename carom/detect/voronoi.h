// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/detect/feature.h"
#include "carom/shape/polyhedron.h"

namespace carom::detect {

// The Voronoi regions of the features of a body, as planes in the body's frame.
//
// A point belongs to the region of a feature when it is on the inner side of all the planes of the
// feature. Each plane separates it from a neighbour, a feature of one dimension more or less:
//     vertex: one plane per edge, through the vertex, across the edge;
//     edge:   two through its ends, across it, and one per face, through it and along its normal;
//     face:   one per edge of its boundary, the same with the other side inner.
// Beside polyhedra there are segments (the cores of capsules) and points (of spheres), which lack
// the features they do not have.

// A segment between two points; its only edge runs from the first to the second.
struct SegmentBody {
    std::array<Vec3, 2> ends;
    Vec3 unit;  // from the first to the second
};

struct PointBody {
    Vec3 point;
};

// visit(normal, anchor, neighbour): the inner side is normal.(x - anchor) >= 0.

template <class Visit>
void vertex_planes(const shape::Polyhedron& body, Index v, Visit&& visit) {
    const Vec3& at = body.vertex(v);
    for (const shape::DirectedEdge e : body.star(v)) {
        visit(Vec3(-body.direction(e)), at, Feature{FeatureKind::edge, e.edge()});
    }
}
template <class Visit>
void vertex_planes(const SegmentBody& body, Index v, Visit&& visit) {
    visit(v == 0 ? Vec3(-body.unit) : body.unit, body.ends[v], Feature{FeatureKind::edge, 0});
}
template <class Visit>
void vertex_planes(const PointBody& /*body*/, Index /*v*/, Visit&& /*visit*/) {}

// The planes of an edge through its two ends.
template <class Visit>
void edge_end_planes(const shape::Polyhedron& body, Index e, Visit&& visit) {
    const auto& edge = body.edge(e);
    visit(edge.direction, body.vertex(edge.tail), Feature{FeatureKind::vertex, edge.tail});
    visit(Vec3(-edge.direction), body.vertex(edge.head), Feature{FeatureKind::vertex, edge.head});
}
template <class Visit>
void edge_end_planes(const SegmentBody& body, Index /*e*/, Visit&& visit) {
    visit(body.unit, body.ends[0], Feature{FeatureKind::vertex, 0});
    visit(Vec3(-body.unit), body.ends[1], Feature{FeatureKind::vertex, 1});
}
template <class Visit>
void edge_end_planes(const PointBody& /*body*/, Index /*e*/, Visit&& /*visit*/) {}

// The planes of an edge towards its two faces.
template <class Visit>
void edge_face_planes(const shape::Polyhedron& body, Index e, Visit&& visit) {
    const auto& edge = body.edge(e);
    const Vec3& at = body.vertex(edge.tail);
    visit(Vec3(-edge.left_inward), at, Feature{FeatureKind::face, edge.left});
    visit(Vec3(-edge.right_inward), at, Feature{FeatureKind::face, edge.right});
}
template <class Body, class Visit>
void edge_face_planes(const Body& /*body*/, Index /*e*/, Visit&& /*visit*/) {}

template <class Visit>
void face_planes(const shape::Polyhedron& body, Index f, Visit&& visit) {
    for (const shape::DirectedEdge e : body.boundary(f)) {
        visit(body.left_inward(e), body.vertex(body.tail(e)), Feature{FeatureKind::edge, e.edge()});
    }
}
template <class Body, class Visit>
void face_planes(const Body& /*body*/, Index /*f*/, Visit&& /*visit*/) {}

// The points and directions the walk needs.
inline const Vec3& vertex_of(const shape::Polyhedron& body, Index v) {
    return body.vertex(v);
}
inline const Vec3& vertex_of(const SegmentBody& body, Index v) {
    return body.ends[v];
}
inline const Vec3& vertex_of(const PointBody& body, Index /*v*/) {
    return body.point;
}

struct EdgeEnds {
    Index tail, head;
};
inline EdgeEnds ends_of(const shape::Polyhedron& body, Index e) {
    return {body.edge(e).tail, body.edge(e).head};
}
inline EdgeEnds ends_of(const SegmentBody& /*body*/, Index /*e*/) {
    return {0, 1};
}
inline EdgeEnds ends_of(const PointBody& /*body*/, Index /*e*/) {
    return {0, 0};
}

}  // namespace carom::detect
