// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carom/detect/moving_part.h"
#include "carom/shape/polyhedron.h"
#include "carom/world/constrained/constrained_system.h"

namespace carom::world {

// The heights of the vertices of a polyhedron above the plane of the flat face that carries it.
//
// A convex body is on one side of the plane of its face. So where no vertex of the polyhedron is
// below that plane, the two bodies do not overlap, whatever their shapes: the heights of the
// vertices alone tell that nothing comes down, and the deepest of them bounds the overlap.
class HullOverFace {
public:
    // Of two bodies of one part each, a polyhedron that touches with vertices, or with edges that
    // cross the border, and one with a flat face; all points of the contact lie on that face.
    // Empty for other contacts.
    static std::optional<HullOverFace> of(std::span<const ConstrainedPoint> points,
                                          const detect::MovingBody& a, const detect::MovingBody& b);

    // Whether three points that carry, and are not on one line, keep all heights as they are.
    // L: the size of the body.
    bool is_held_level(std::span<const ConstrainedPoint> points, double L) const;

    // At one instant: the height of a vertex is up . vertex + offset.
    struct Instant {
        Vec3 up;  // normal of the plane in the frame of the polyhedron
        double offset;
    };
    Instant at(const motion::State& a, const motion::State& b) const;
    double height(const Instant& now, shape::Index vertex) const {
        return now.up.dot(hull_->vertex(vertex)) + now.offset;
    }
    // The height of one vertex, and its rate.
    struct Height {
        double value, rate;
    };
    Height height_at(shape::Index vertex, const motion::State& a, const motion::State& b) const;
    // Of the lowest vertex, rigorous to rounding.
    double lowest(const Instant& now);
    // All vertices below a height. They are connected by edges, since heights are linear on a
    // convex body: a search from the lowest one over its neighbours finds them.
    struct Found {
        std::vector<shape::Index> list;
        std::vector<shape::Index> place;  // of each vertex in the list, if it is there
    };
    void find_below(const Instant& now, double height, Found& out);

    // How a vertex would be followed, and its name.
    ContactTrack track_of(shape::Index vertex) const;
    // Whether the point with this name is the vertex.
    bool is_vertex(std::uint64_t id, shape::Index vertex) const;

private:
    HullOverFace(const ContactTrack& on_face, const detect::MovingPart& part,
                 const shape::Polyhedron& hull);
    bool of_a() const { return on_face_->normal == ContactTrack::Normal::plane_b; }

    const ContactTrack* on_face_;
    const detect::MovingPart* part_;
    const shape::Polyhedron* hull_;
    shape::Index lowest_ = shape::k_no_index;  // where a search begins
};

}  // namespace carom::world
