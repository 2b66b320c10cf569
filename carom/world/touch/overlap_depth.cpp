// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/overlap_depth.h"

#include <algorithm>
#include <limits>

#include "carom/detect/separation.h"

namespace carom::world {

double overlap_depth(const detect::MovingBody& a, const motion::State& state_a,
                     const detect::MovingBody& b, const motion::State& state_b,
                     const detect::BodyMemory& near) {
    const std::size_t count_b = b.parts().size();
    double deepest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < a.parts().size(); ++i) {
        for (std::size_t j = 0; j < count_b; ++j) {
            const detect::MovingPart& x = a.parts()[i];
            const detect::MovingPart& y = b.parts()[j];
            const std::size_t k = i * count_b + j;
            detect::PairMemory memory = k < near.size() ? near[k] : detect::PairMemory{};
            const detect::Separation apart = detect::separation(
                x.convex(), x.pose(state_a), y.convex(), y.pose(state_b), memory);
            deepest = std::max(deepest, -apart.distance);
        }
    }
    return deepest;
}

}  // namespace carom::world
