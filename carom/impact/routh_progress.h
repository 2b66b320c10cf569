// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/principal.h"
#include "carom/impact/routh.h"

namespace carom::impact {

// How far an incremental impact has come, in principal axes, and when it will be over.
struct RouthProgress {
    const Principal& K;
    const RouthParameters& parameters;
    double uz_start;
    double x, y, uz;  // contact velocity now
    double px = 0.0, py = 0.0, pz = 0.0;
    double pz_first = -1.0;  // p_z at the first end of compression, once there
    NormalHistory history;
    Path path;
    Trace* trace = nullptr;

    RouthProgress(const Principal& principal, const RouthParameters& law, const Vec2& slip,
                  double normal_velocity)
        : K(principal),
          parameters(law),
          uz_start(normal_velocity),
          x(slip.x()),
          y(slip.y()),
          uz(normal_velocity) {}

    // The quantity whose remainder ends the impact: normal work, normal impulse or u_z.
    bool ends_by_work() const { return parameters.termination == Termination::stronge; }
    bool ends_by_velocity() const { return parameters.termination == Termination::newton; }
    bool ends_in_any_phase() const {
        return parameters.termination == Termination::poisson_first && pz_first >= 0.0;
    }
    // What is left of it (for newton: the value of u_z to reach).
    double work_left() const;
    double impulse_left() const;
    double uz_goal() const { return -parameters.e * uz_start; }

    // Adds a stretch of one phase to the books.
    void account(double dpz, double work, bool compression);
    // u_z has come up to zero; true when the impact is over there (e = 0).
    bool reach_maximum_compression();

    // Appends the state to the trace; work is the normal work since the last account().
    void sample(Mode mode, double dpx, double dpy, double dpz, double work) const;
    void mark(TransitionKind kind) const;
};

// A stretch on which everything but the work is linear in the normal impulse.
struct StraightStretch {
    double px, py;  // friction impulse per normal impulse
    double dx, dy;  // slip velocity per normal impulse
    double kz;      // u_z per normal impulse
    double length;  // normal impulse until the stretch ends by itself (may be infinite)
    Mode mode;
};

// Follows the stretch; true when the impact ended on it.
bool follow_straight(RouthProgress& progress, const StraightStretch& stretch);

}  // namespace carom::impact
