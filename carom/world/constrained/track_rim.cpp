// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The place of a rim that comes down first.

#include "carom/detect/manifold_body.h"
#include "carom/world/constrained/contact_track.h"

namespace carom::world {

std::optional<ContactTrack> track_fastest_of_rim(const ManifoldPoint& p,
                                                 const detect::MovingBody& a,
                                                 const motion::State& state_a,
                                                 const detect::MovingBody& b,
                                                 const motion::State& state_b) {
    const auto parts = static_cast<std::size_t>(p.id >> 32U);
    const std::size_t count_b = b.parts().size();
    const detect::MovingPart& part_a = a.parts()[parts / count_b];
    const detect::MovingPart& part_b = b.parts()[parts % count_b];
    const auto code_a = static_cast<std::uint16_t>(p.id >> 16U);
    const auto code_b = static_cast<std::uint16_t>(p.id);
    const auto is_place = [](const detect::MovingPart& part, std::uint16_t code) {
        const bool round = std::holds_alternative<shape::Cylinder>(part.convex()) ||
                           std::holds_alternative<shape::Cone>(part.convex());
        return round && code % 2U == 1U && code / 2U < detect::k_line_ends &&
               code / 2U % 16U < detect::k_rim_points;
    };
    const bool of_a = is_place(part_a, code_a) && code_b == 0;
    const bool of_b = is_place(part_b, code_b) && code_a == 0;
    if (!of_a && !of_b) return std::nullopt;
    std::optional<ContactTrack> out = track_contact(p, a, state_a, b, state_b);
    if (!out || out->crossing) return std::nullopt;
    ContactLocus& place = of_a ? out->a : out->b;
    if (place.kind != ContactLocus::Kind::point) return std::nullopt;
    // the approach is linear over the cap: n . (u + w x r), largest along n x w
    const motion::State& mine = of_a ? state_a : state_b;
    const Vec3 w = of_a ? Vec3(state_a.angular_velocity - state_b.angular_velocity)
                        : Vec3(state_b.angular_velocity - state_a.angular_velocity);
    const Vec3 n = of_a ? p.normal : Vec3(-p.normal);
    const detect::MovingPart& part = of_a ? part_a : part_b;
    const shape::Pose& in_body = part.in_body();
    const Vec3 local = in_body.apply_inverse(place.at);
    const Vec3 down = in_body.rotate_inverse(mine.orientation.conjugate() * w.cross(n));
    const Vec2 across = down.head<2>();
    if (!(across.norm() > 0.0)) return std::nullopt;
    const Vec2 rim = local.head<2>().norm() * across.normalized();
    place.at = in_body.apply(Vec3(rim.x(), rim.y(), local.z()));
    return out;
}

}  // namespace carom::world
