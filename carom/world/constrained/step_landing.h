// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "carom/motion/dense_piece.h"
#include "carom/world/constrained/constrained_contact.h"
#include "carom/world/constrained/constrained_system.h"
#include "carom/world/constrained/hull_over_face.h"
#include "carom/world/graph/graph.h"

namespace carom::world {

// When, in a step of exact motion, a point comes down that is not followed: a corner that rocks
// onto its face, an edge over which another body turns.
//
// All points of a contact are looked for at the ends of the step, and between them as often as a
// bound on their way asks for. Between two times, d apart, a gap stays above the line through its
// values g0 and g1 at both less A s (d - s) / 2, with A = 2 L (|alpha| + |w|^2) the acceleration of
// gaps, which is that of turning: where a contact is kept the bodies do not approach as a whole. So
// it stays open where sqrt(g0) + sqrt(g1) >= d sqrt(A / 2). The landing itself is located on the
// motions to rounding.
//
// A polyhedron on a flat face (hull_over_face.h) is looked at by the heights of its vertices, each
// with its own g0 and g1: no contact search is needed, and none is where three points hold it
// level. Where a vertex comes below the plane of the face beyond its border the search decides.
class StepLanding {
public:
    // The step: the motions of the free bodies, which come first in the system.
    StepLanding(const Graph& graph, const ConstrainedSystem& system,
                const std::vector<motion::DensePiece>& pieces)
        : graph_(graph), system_(system), pieces_(pieces) {}

    // The time after t, up to h, at which a point of one of the contacts comes down; infinity for
    // none. Changes caches of the contact search.
    double first(const std::vector<ConstrainedContact>& contacts, double t, double h);
    // The time after t, up to h, at which bodies of one of the contacts are deeper in each other
    // than at t, whatever touches there: by their distance, without points that are followed.
    // Infinity for none. A second look, for what the first does not know of. Where the bodies are
    // apart along the normal of a point, which bounds their overlap, no distance is searched for.
    double first_overlap(const std::vector<ConstrainedContact>& contacts, double t, double h);

private:
    // Halvings of a step in which landings are looked for. One more: a dip of a corner of a quarter
    // of that depth is seen.
    static constexpr int k_depth = 5;
    // How often something that came down sooner is looked for. One more: as many points may come
    // down one after the other within a step.
    static constexpr int k_sooner = 8;
    // Halvings of a time. Fewer: what comes down just after it parted is located less exactly.
    static constexpr int k_bisections = 60;

    // The least gap of points that are not followed s after the start, and when one came down.
    struct Look {
        double s, gap, landed;
    };
    // A gap s after the start; made of a reference, so that nothing is asked of the heap.
    using Gap = std::function<double(double)>;
    std::span<const ConstrainedPoint> points_of(const ConstrainedContact& contact) const {
        return {system_.points.data() + contact.first, contact.count};
    }
    double first_of_contact(const ConstrainedContact& contact, double until);
    static constexpr double k_not_known = -1.0;  // a time: the heights of vertices do not tell
    double first_of_hull(const ConstrainedContact& contact, HullOverFace& hull, double until);
    // A vertex of a hull at both ends of a part of the step.
    struct Way {
        shape::Index vertex;
        double s0, g0, s1, g1;
    };
    enum class Vertex : std::uint8_t { carries, open, other };
    Vertex kind_of(const ConstrainedContact& contact, const HullOverFace& hull,
                   shape::Index vertex) const;
    double dip(const ConstrainedContact& contact, const HullOverFace& hull, const Way& way,
               int depth) const;
    bool stays_open(double g0, double g1, double d) const;
    double acceleration_of(const ConstrainedContact& contact) const;
    double between(const ConstrainedContact& contact, const Look& from, const Look& to, int depth);
    Look look_at(const ConstrainedContact& contact, double from, double s, double deep);
    bool is_followed(const ConstrainedContact& contact, const ManifoldPoint& point,
                     const ContactTrack* track, const motion::State& a, const motion::State& b,
                     bool open) const;
    double depth_at(const ConstrainedContact& contact, double s) const;
    bool may_be_deeper(const ConstrainedContact& contact, double s, double depth) const;
    motion::State state_at(std::uint32_t body, double s) const;
    double time_of(const ContactTrack& track, const ConstrainedContact& contact, double from,
                   double to) const;
    double time_of_gap(const Gap& gap, const ConstrainedContact& contact, double from,
                       double to) const;
    double time_of_vertex(const ConstrainedContact& contact, const HullOverFace& hull,
                          shape::Index vertex, double from, double to) const;
    double time_up(const Gap& gap, double from, double to) const;
    double first_down(const Gap& gap, double rounding, double low, double high) const;
    double rounding_of(const ConstrainedContact& contact) const;

    const Graph& graph_;
    const ConstrainedSystem& system_;
    const std::vector<motion::DensePiece>& pieces_;
    double t_ = 0.0;             // start of the step
    double acceleration_ = 0.0;  // bound on that of gaps of the contact, m/s^2
    std::vector<ManifoldPoint> manifold_;
    HullOverFace::Found found_;
};

}  // namespace carom::world
