// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/body_contact.h"

#include <algorithm>
#include <limits>

namespace carom::detect {
namespace {

// Whether one answer comes before another: earlier events first, then deeper or closer ones.
bool before(const ContactTime& x, const ContactTime& y) {
    const auto rank = [](const ContactTime& c) {
        switch (c.kind) {
            case ContactKind::overlap:
                return 0;
            case ContactKind::none:
                return 2;
            default:
                return 1;
        }
    };
    if (rank(x) != rank(y)) return rank(x) < rank(y);
    if (x.t != y.t) return x.t < y.t;
    return x.apart.distance < y.apart.distance;
}

}  // namespace

MovingBody::MovingBody(const shape::Shape& shape, const Vec3& center,
                       const motion::Motion& motion) {
    parts_.reserve(shape.parts.size());
    for (const shape::Part& part : shape.parts) {
        parts_.emplace_back(
            part.convex, shape::Pose{part.pose.position - center, part.pose.orientation}, motion);
    }
}

BodyContact body_contact(const MovingBody& a, const MovingBody& b, double t0, double until,
                         BodyMemory& memory, const ContactSearch& search) {
    const std::size_t count_b = b.parts().size();
    memory.resize(a.parts().size() * count_b);
    BodyContact best{};
    bool first = true;
    double latest = until;
    double start = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < a.parts().size(); ++i) {
        for (std::size_t j = 0; j < count_b; ++j) {
            const ContactTime c = contact_time(a.parts()[i], b.parts()[j], t0, latest,
                                               memory[i * count_b + j], search);
            start = std::min(start, c.start);
            const bool none_yet = best.contact.kind == ContactKind::none;
            if (first || before(c, best.contact) || (none_yet && c.kind != ContactKind::none)) {
                best = {c, i, j};
            }
            first = false;
            // nothing after the first event matters
            if (best.contact.kind != ContactKind::none) latest = std::min(latest, best.contact.t);
        }
    }
    best.contact.start = start;
    return best;
}

}  // namespace carom::detect
