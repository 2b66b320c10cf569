// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/landing.h"

#include <cmath>
#include <limits>

namespace carom::world {

// By the names of the features that make the point, see detect::ManifoldPoint.
Landing::Carrier Landing::carrier_of(const ManifoldPoint& place) {
    const auto of_a = static_cast<std::uint16_t>(place.id >> 16U);
    const auto of_b = static_cast<std::uint16_t>(place.id);
    const auto is_corner = [](std::uint16_t code) { return code % 2U == 1U; };
    if (of_b == 0 && is_corner(of_a)) return Carrier::b;
    if (of_a == 0 && is_corner(of_b)) return Carrier::a;
    return Carrier::none;
}

Landing::Landing(const ManifoldPoint& place, const motion::State& a, const motion::State& b)
    : on_a_(a.orientation.conjugate() * (place.on_a - a.position)),
      on_b_(b.orientation.conjugate() * (place.on_b - b.position)),
      normal_(place.normal),
      normal_of_(carrier_of(place)) {
    if (normal_of_ == Carrier::a) normal_ = a.orientation.conjugate() * normal_;
    if (normal_of_ == Carrier::b) normal_ = b.orientation.conjugate() * normal_;
}

Landing::Now Landing::with(const motion::State& a, const motion::State& b) const {
    const Vec3 arm_a = a.orientation * on_a_;
    const Vec3 arm_b = b.orientation * on_b_;
    const Vec3 apart = a.position + arm_a - b.position - arm_b;
    const Vec3 u =
        a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
    const Vec3 n = normal_of_ == Carrier::a   ? Vec3(a.orientation * normal_)
                   : normal_of_ == Carrier::b ? Vec3(b.orientation * normal_)
                                              : normal_;
    const Vec3 turn = normal_of_ == Carrier::a   ? a.angular_velocity
                      : normal_of_ == Carrier::b ? b.angular_velocity
                                                 : Vec3(Vec3::Zero());
    return {n.dot(apart), -n.dot(u) - turn.cross(n).dot(apart)};
}

double Landing::find(const motion::Motion& a, const motion::Motion& b, double t, double first,
                     double until, double gap) const {
    constexpr int k_most = 20;
    constexpr double k_near = 0.25;
    double low = t;
    double high = until;
    bool closed = false;  // by `high`
    double time = first;
    for (int i = 0; i < k_most; ++i) {
        if (!(time > low)) time = 0.5 * (low + high);
        if (!(time < high)) time = closed ? 0.5 * (low + high) : high;
        const Now now = with(motion::at(a, time), motion::at(b, time));
        const double over = now.gap - gap;
        if (std::abs(over) <= k_near * gap) return time;
        if (over > 0.0) {
            if (time == high) return k_never;
            low = time;
        } else {
            high = time;
            closed = true;
        }
        time += over / now.closing;
        if (!std::isfinite(time)) time = 0.5 * (low + high);
    }
    return closed ? low : k_never;
}

double time_to_close(double gap, double speed, double gain) {
    const double squared = speed * speed + 2.0 * gain * gap;
    return squared > 0.0 ? 2.0 * gap / (speed + std::sqrt(squared)) : gap / speed;
}

}  // namespace carom::world
