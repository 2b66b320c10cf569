// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "carom/world/body.h"

namespace carom::serve {

// Segments of kind `forced` (integrated under the forces of their bodies) as rows of segments of
// kind `held` (constant accelerations), which a page can evaluate without integrating.
//
// Each piece begins with the true state and has the accelerations that lead to the true pose at its
// end; it is cut until no point of the body is further than 1e-8 of its radius from where it should
// be, at the quarters of the piece. A body's pieces come in the order of time, up to the time that
// is known to be over: a segment ends where the next one of its body begins.
class ForcedPieces {
public:
    using Give = std::function<void(const world::Segment&)>;

    // `bodies` must outlive this. Pieces go to `give`.
    ForcedPieces(std::span<const world::Body> bodies, const Vec3& gravity, Give give);

    // A segment of any kind: what its body did before is told until then, and the segment itself
    // unless it is forced.
    void add(const world::Segment& segment);
    // All is known until t: what forced segments do until then is told.
    void advance(double t);
    // Goes on with a forced segment of which pieces until t were told already.
    void resume(const world::Segment& segment, double t);

private:
    struct Open {
        world::Segment segment;
        std::optional<world::MotionPiece> motion;
        double told = 0.0;  // pieces were given until then
    };
    void tell(Open& open, double t);
    void cut(const world::Body& body, const motion::Motion& motion, double t0, double t1);

    std::span<const world::Body> bodies_;
    Vec3 gravity_;
    Give give_;
    std::vector<std::optional<Open>> open_;  // by body
    std::vector<world::BodyId> forced_;      // bodies that have been under forces
};

}  // namespace carom::serve
