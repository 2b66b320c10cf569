// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/promises.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace carom::world {
namespace {

Promise make_promise(const char* what, double value, const char* unit, double scale, const char* of,
                     double allowed) {
    return {what, value, unit, scale > 0.0 ? value / scale : 0.0, of, allowed};
}

}  // namespace

std::string Promise::sentence() const {
    std::ostringstream text;
    text.precision(3);
    text << what << ": " << value << ' ' << unit << ", " << relative << ' ' << of << "; at most "
         << allowed << " is promised";
    return text.str();
}

std::vector<Promise> promises_of(const World& world) {
    const Audit audit = world.audit();
    const double turned_over = std::abs(audit.energy_lost) + std::abs(audit.driven) +
                               std::abs(audit.energy_end - audit.energy_start);
    // rounding of the energy that there is, event by event, and what exact motions in contact leave
    // after thousands of steps of 1e-12 each, is no gain
    constexpr double k_rounding = 1e-10;
    const double all = std::max(std::abs(audit.energy_start), std::abs(audit.energy_end));
    const double gained = audit.energy_gained > k_rounding * all ? audit.energy_gained : 0.0;
    return {
        make_promise("energy gained without a driver", gained, "J", std::max(turned_over, gained),
                     "of what was turned over", k_promises.gained),
        {"overlap", audit.max_overlap, "m", audit.relative_overlap,
         "of the radius of the smaller of two bodies", k_promises.overlap},
        make_promise("energy residual", std::abs(audit.energy_residual), "J",
                     turned_over + std::abs(audit.energy_start), "of the energy",
                     k_promises.residual),
        make_promise("momentum residual", audit.momentum_residual, "kg m/s", audit.momentum_scale,
                     "of the impulses", k_promises.residual)};
}

std::vector<std::string> broken_promises(const World& world) {
    std::vector<std::string> broken;
    for (const Promise& promise : promises_of(world))
        if (!promise.kept()) broken.push_back(promise.sentence());
    return broken;
}

}  // namespace carom::world
