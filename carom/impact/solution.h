// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>

#include "carom/math/types.h"

namespace carom::impact {

// What the contact does during one stretch of an impact.
enum class Mode : std::uint8_t {
    separating,    // u.z > 0, or grazing without effect: no impulse
    slide,         // the contact point slips, friction at its limit
    stick,         // the tangential velocity (compliant: of the contact particle) is held at zero
    ray,           // slip that left an unstable stick along the diverging ray
    frictionless,  // no tangential impulse at all
    reverse        // the whole contact velocity is reversed (micro)
};

const char* mode_name(Mode mode);

// The modes an impact went through, in order. Never more than the capacity in practice; what comes
// after it is counted but not stored.
class Path {
public:
    static constexpr std::size_t k_capacity = 16;

    Path() = default;
    explicit Path(Mode only) { add(only); }

    // Adds a mode unless the path already ends in it.
    void add(Mode mode) {
        if (size_ > 0 && size_ <= k_capacity && modes_[size_ - 1] == mode) return;
        if (size_ < k_capacity) modes_[size_] = mode;
        ++size_;
    }
    std::size_t size() const { return size_ < k_capacity ? size_ : k_capacity; }
    Mode operator[](std::size_t i) const { return modes_[i]; }
    Mode last() const { return modes_[size() - 1]; }

private:
    std::array<Mode, k_capacity> modes_{};
    std::size_t size_ = 0;
};

// Normal impulse and normal work, split into compression (u.z < 0) and restitution (u.z > 0).
// Work of compression is negative. known is false for laws that say nothing about the way there.
struct NormalHistory {
    bool known = false;
    double compression_impulse = 0.0;
    double restitution_impulse = 0.0;
    double compression_work = 0.0;
    double restitution_work = 0.0;
    int compressions = 0;
};

// The answer of a law: the impulse on A in the contact frame and how it came about.
struct Solution {
    Vec3 p = Vec3::Zero();
    Path path;
    NormalHistory history;

    static Solution none() {
        Solution s;
        s.path.add(Mode::separating);
        return s;
    }
};

}  // namespace carom::impact
