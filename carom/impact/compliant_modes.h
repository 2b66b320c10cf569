// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/impact/principal.h"

namespace carom::impact {

// The free vibration of a sticking compliant contact: y'' = -A y with y = D^(1/2) (d, delta),
// D = diag(kt, kt, k) and A = D^(1/2) K D^(1/2), in the modes of A: A = V diag(omega^2) V^T.
//
// A is made as G^T G from the triangular factors of K, so that rounding K's entries does not touch
// its small eigenvalues.
struct StickModes {
    Vec3 root;   // diagonal of D^(1/2)
    Mat3 V;      // modes, by rising frequency
    Vec3 omega;  // their frequencies

    StickModes() = default;
    StickModes(const Principal& K, double kt, double k);
};

// The modes of both phases of one impact, each found when it is first asked for.
class PhaseModes {
public:
    const StickModes& of(bool compressing, const Principal& K, double kt, double k) {
        const std::size_t i = compressing ? 0 : 1;
        if (!known_[i]) modes_[i] = StickModes(K, kt, k);
        known_[i] = true;
        return modes_[i];
    }

private:
    std::array<StickModes, 2> modes_;
    std::array<bool, 2> known_{};
};

}  // namespace carom::impact
