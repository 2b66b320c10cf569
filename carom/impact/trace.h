// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/impact/solution.h"
#include "carom/math/types.h"

namespace carom::impact {

// One point of the path inside an impact, in the contact frame.
struct TraceSample {
    Vec3 p;                          // impulse on A so far
    Vec3 u;                          // contact velocity
    double normal_work = 0.0;        // work of the normal force on the bodies so far
    double normal_energy = 0.0;      // compliant law: energy of the normal spring
    double tangential_energy = 0.0;  // compliant law: energy of the tangential springs
    Mode mode = Mode::slide;
};

enum class TransitionKind : std::uint8_t {
    maximum_compression,  // u.z passes zero upwards
    recompression,        // u.z passes zero downwards
    slip_to_stick,
    stick_to_slip,
    slip_to_slip,  // through zero slip and out along the diverging ray
    end
};

const char* transition_name(TransitionKind kind);

// A located change, and the sample at it.
struct Transition {
    TransitionKind kind;
    std::size_t sample;
};

// The path inside one impact. A law fills it only when it is given one.
struct Trace {
    std::vector<TraceSample> samples;
    std::vector<Transition> transitions;

    void mark(TransitionKind kind) { transitions.push_back({kind, samples.size() - 1}); }
};

// How many samples a law puts into one straight or vibrating stretch between two located changes;
// stretches of series have at least eight.
inline constexpr int k_trace_samples = 32;

}  // namespace carom::impact
