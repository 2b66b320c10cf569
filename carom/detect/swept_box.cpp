// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/swept_box.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "carom/detect/aabb.h"
#include "carom/motion/bounds.h"
#include "carom/shape/bounds.h"

namespace carom::detect {
namespace {

// A few ulp outwards.
Aabb widened(const Aabb& box) {
    constexpr double k_part = 8.0 * std::numeric_limits<double>::epsilon();
    const double slack = k_part * (box.low.cwiseAbs().maxCoeff() + box.high.cwiseAbs().maxCoeff());
    return {box.low.array() - slack, box.high.array() + slack};
}

}  // namespace

Aabb swept_box(const MovingPart& part, double t0, double t1) {
    if (part.unbounded()) throw std::invalid_argument("a half-space has no box");
    const Aabb centre = motion::swept_centre_box(part.motion(), t0, t1);
    const double radius = part.outer_radius();
    const motion::State state = motion::at(part.motion(), t0);
    const Aabb first = shape::bounding_box({part.convex(), shape::Pose{}}, part.pose(state));
    Aabb box;
    for (int i = 0; i < 3; ++i) {
        const motion::Interval way =
            motion::displacement_along(part.motion(), t0, t1 - t0, Vec3::Unit(i), radius);
        box.low[i] = std::max(centre.low[i] - radius, first.low[i] + way.low);
        box.high[i] = std::min(centre.high[i] + radius, first.high[i] + way.high);
    }
    return widened(box);
}

Aabb swept_box(const MovingBody& body, double t0, double t1) {
    Aabb box = swept_box(body.parts()[0], t0, t1);
    for (std::size_t i = 1; i < body.parts().size(); ++i)
        box = hull(box, swept_box(body.parts()[i], t0, t1));
    return box;
}

}  // namespace carom::detect
