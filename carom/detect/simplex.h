// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/detect/core.h"

namespace carom::detect {

// Up to four support points of A - B, and the point of their hull nearest to the origin.
class Simplex {
public:
    int size() const { return size_; }
    const CorePair::Support& point(int i) const { return points_[static_cast<std::size_t>(i)]; }
    bool contains(const Vec3& w) const;
    void add(const CorePair::Support& s) { points_[static_cast<std::size_t>(size_++)] = s; }

    // Finds the nearest point and drops the points it does not need. False when the origin is
    // inside (four points kept).
    bool reduce();

    Vec3 nearest() const { return combine(&CorePair::Support::w); }
    Vec3 point_a() const { return combine(&CorePair::Support::a); }
    Vec3 point_b() const { return combine(&CorePair::Support::b); }

private:
    Vec3 combine(Vec3 CorePair::Support::*which) const {
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < size_; ++i) {
            sum += weight_[static_cast<std::size_t>(i)] *
                   (points_[static_cast<std::size_t>(i)].*which);
        }
        return sum;
    }

    std::array<CorePair::Support, 4> points_;
    std::array<double, 4> weight_{};
    int size_ = 0;
};

}  // namespace carom::detect
