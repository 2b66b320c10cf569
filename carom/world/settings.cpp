// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/settings.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace carom::world {

const char* name_of(ContactMode mode) {
    return mode == ContactMode::micro ? "micro" : "lasting";
}

const char* name_of(PileImpacts how) {
    switch (how) {
        case PileImpacts::law:
            return "law";
        case PileImpacts::step:
            return "step";
        case PileImpacts::automatic:
            break;
    }
    return "auto";
}

void check_settings(const Settings& settings) {
    constexpr double k_largest = 1e50;
    if (!(settings.gravity.cwiseAbs().maxCoeff() <= k_largest)) {
        throw std::invalid_argument("gravity must be finite, at most 1e50 m/s^2");
    }
    if (!(settings.micro > 0.0 && settings.micro <= 0.1)) {
        throw std::invalid_argument("micro must be more than 0 and at most 0.1");
    }
    if (!(settings.checkpoint >= 0.0 && std::isfinite(settings.checkpoint))) {
        throw std::invalid_argument("checkpoint must be a time of 0 s or more");
    }
    if (settings.threads < 1 || settings.threads > k_most_threads) {
        throw std::invalid_argument("threads must be 1 to " + std::to_string(k_most_threads));
    }
    if (settings.most_at_once == 0) {
        throw std::invalid_argument("most_at_once must be at least 1");
    }
}

}  // namespace carom::world
