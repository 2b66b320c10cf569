// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "carom/motion/motion.h"
#include "carom/motion/principal_inertia.h"
#include "carom/record/rows.h"

namespace carom::page {

using record::LastingRow;
using record::SegmentRow;

// What a body's motions follow from besides its rows.
struct BodyConstants {
    double fixed;       // 0 or 1
    double mass;        // kg; of a free body
    double inertia[9];  // kg m^2, row by row, body axes about the centre of mass; of a free body
    double radius;      // m; of a sphere, else 0
    double has_pivot;   // 0 or 1: a fixed body that turns about another point than its own
    double pivot[3];    // where that point is at time 0 (m)
};

// The state of a body as the page gets it.
struct StateRow {
    double position[3];  // of the centre of mass
    double orientation[4];
    double velocity[3], angular_velocity[3];
};

// The bodies of one run, each with the motion of one of its segments: the same closed forms, made
// from the same rows, as the program's own (world::make_motion). Segments of kind `forced` are not
// taken: a server gives `held` ones in their place.
class MotionSet {
public:
    MotionSet(std::size_t bodies, const Vec3& gravity) : bodies_(bodies), gravity_(gravity) {}

    void set_body(std::size_t body, const BodyConstants& constants);
    // lasting is null unless the segment is `held` or `on-plane`.
    void place(const SegmentRow& segment, const LastingRow* lasting);
    // t may lie outside of a motion's times by rounding only.
    StateRow state(std::size_t body, double t) const;
    std::size_t size() const { return bodies_.size(); }
    bool is_placed(std::size_t body) const { return bodies_[body].motion.has_value(); }

private:
    struct Body {
        BodyConstants constants{};
        std::shared_ptr<const motion::PrincipalInertia> inertia;  // none: fixed
        bool isotropic = false;
        std::optional<motion::Motion> motion;
    };
    motion::Motion make_motion(const Body& body, const SegmentRow& segment,
                               const LastingRow* lasting) const;

    std::vector<Body> bodies_;
    Vec3 gravity_;
};

}  // namespace carom::page
