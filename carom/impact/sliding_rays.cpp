// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/sliding_rays.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "carom/math/trig_roots.h"

namespace carom::impact {

SlidingRays sliding_rays(const Mat3& K, double mu) {
    const double D = 0.5 * (K(0, 0) - K(1, 1));
    const math::Trig2 f{0.0, K(1, 2), -K(0, 2), -mu * K(0, 1), mu * D};
    SlidingRays rays;
    const math::TrigRoots roots = math::trig_roots(f);
    const Mat2 M = K.topLeftCorner<2, 2>();
    const Vec2 b = K.block<2, 1>(0, 2);
    for (int i = 0; i < roots.count; ++i) {
        const Vec2& c = roots.direction[static_cast<std::size_t>(i)];
        double angle = std::atan2(c.y(), c.x());
        if (angle < 0.0) angle += 2.0 * std::numbers::pi;
        rays.ray[static_cast<std::size_t>(rays.count++)] = {angle, b.dot(c) - mu * c.dot(M * c),
                                                            f.slope(c.x(), c.y()) < 0.0};
    }
    for (std::size_t i = 1; i < static_cast<std::size_t>(rays.count); ++i) {
        for (std::size_t j = i; j > 0 && rays.ray[j].angle < rays.ray[j - 1].angle; --j) {
            std::swap(rays.ray[j], rays.ray[j - 1]);
        }
    }
    return rays;
}

}  // namespace carom::impact
