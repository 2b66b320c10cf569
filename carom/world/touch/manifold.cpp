// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/manifold.h"

#include "carom/detect/manifold.h"

namespace carom::world {
namespace {

// Two parts that are surely farther apart than this are not looked at: balls about the parts.
bool far_apart(const detect::MovingPart& a, const motion::State& state_a,
               const detect::MovingPart& b, const motion::State& state_b, double within) {
    if (a.unbounded() || b.unbounded()) return false;
    const double reach = a.outer_radius() + b.outer_radius() + within;
    return (state_a.position - state_b.position).squaredNorm() > reach * reach;
}

}  // namespace

void find_manifold(const detect::MovingBody& a, const motion::State& state_a,
                   const detect::MovingBody& b, const motion::State& state_b, double within,
                   detect::BodyMemory& memory, std::vector<ManifoldPoint>& out) {
    out.clear();
    append_manifold(a, state_a, b, state_b, within, memory, out);
}

void append_manifold(const detect::MovingBody& a, const motion::State& state_a,
                     const detect::MovingBody& b, const motion::State& state_b, double within,
                     detect::BodyMemory& memory, std::vector<ManifoldPoint>& out) {
    const std::size_t count_b = b.parts().size();
    memory.resize(a.parts().size() * count_b);
    detect::Manifold manifold;
    for (std::size_t i = 0; i < a.parts().size(); ++i) {
        const detect::MovingPart& part_a = a.parts()[i];
        for (std::size_t j = 0; j < count_b; ++j) {
            const detect::MovingPart& part_b = b.parts()[j];
            if (far_apart(part_a, state_a, part_b, state_b, within)) continue;
            detect::find_manifold(part_a.convex(), part_a.pose(state_a), part_b.convex(),
                                  part_b.pose(state_b), within, memory[i * count_b + j], manifold);
            const std::uint64_t parts = static_cast<std::uint64_t>(i * count_b + j) << 32U;
            for (int k = 0; k < manifold.count; ++k) {
                const detect::ManifoldPoint& p = manifold.points[static_cast<std::size_t>(k)];
                out.push_back({p.a, p.b, manifold.normal, p.gap, parts | p.id});
            }
        }
    }
}

}  // namespace carom::world
