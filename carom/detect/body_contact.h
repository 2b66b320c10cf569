// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/detect/contact_time.h"
#include "carom/detect/moving_part.h"

namespace carom::detect {

// A body of one or more convex parts with its motion. center is the centre of mass in the shape's
// frame; a body without mass (fixed) may take any point, to which the motion then belongs. The
// shape and the motion must outlive it.
class MovingBody {
public:
    MovingBody(const shape::Shape& shape, const Vec3& center, const motion::Motion& motion);
    const std::vector<MovingPart>& parts() const { return parts_; }

private:
    std::vector<MovingPart> parts_;
};

// What a pair of bodies remembers: one memory for each pair of parts.
using BodyMemory = std::vector<PairMemory>;

struct BodyContact {
    ContactTime contact;
    std::size_t part_a, part_b;
};

// When two bodies first touch: the earliest contact of any two of their parts. With none, the
// separation is that of the closest parts at `until`; with overlap, that of the deepest. Its start
// is the least of all parts.
BodyContact body_contact(const MovingBody& a, const MovingBody& b, double t0, double until,
                         BodyMemory& memory, const ContactSearch& search = {});

}  // namespace carom::detect
