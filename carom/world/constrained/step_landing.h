// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/motion/dense_piece.h"
#include "carom/world/constrained/constrained_contact.h"
#include "carom/world/constrained/constrained_system.h"
#include "carom/world/graph/graph.h"

namespace carom::world {

// When, in a step of exact motion, a point comes down that is not followed: a corner that rocks
// onto its face, an edge over which another body turns.
//
// All points of a contact are looked for at the ends of the step, and between them as often as a
// bound on their way asks for. Between two times a gap is less than at both by no more than
// A d^2 / 8, with d between them and A = 2 L (|alpha| + |w|^2) the acceleration of gaps, which is
// that of turning: where a contact is kept the bodies do not approach as a whole. The landing
// itself is located on the motions to rounding.
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
    // Infinity for none. A second look, for what the first does not know of.
    double first_overlap(const std::vector<ConstrainedContact>& contacts, double t, double h);

private:
    // The least gap of points that are not followed s after the start, and when one came down.
    struct Look {
        double s, gap, landed;
    };
    double acceleration_of(const ConstrainedContact& contact) const;
    double between(const ConstrainedContact& contact, const Look& from, const Look& to, int depth);
    Look look_at(const ConstrainedContact& contact, double from, double s, double deep);
    bool is_followed(const ConstrainedContact& contact, const ManifoldPoint& point,
                     const ContactTrack* track, const motion::State& a, const motion::State& b,
                     bool open) const;
    double depth_at(const ConstrainedContact& contact, double s) const;
    motion::State state_at(std::uint32_t body, double s) const;
    double time_of(const ContactTrack& track, const ConstrainedContact& contact, double from,
                   double to) const;
    template <class Gap>
    double first_down(Gap&& gap, double low, double high) const;

    const Graph& graph_;
    const ConstrainedSystem& system_;
    const std::vector<motion::DensePiece>& pieces_;
    double t_ = 0.0;             // start of the step
    double acceleration_ = 0.0;  // bound on that of gaps of the contact, m/s^2
    std::vector<ManifoldPoint> manifold_;
};

}  // namespace carom::world
