// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/routh_progress.h"

#include <cmath>
#include <limits>

namespace carom::impact {
namespace {

// Normal impulse until the termination is reached with u_z = uz + kz t; infinite if never.
double impulse_to_end(const RouthProgress& progress, double kz) {
    if (progress.ends_by_work()) {
        const double left = progress.work_left();
        if (left <= 0.0) return 0.0;
        const double square = progress.uz * progress.uz + 2.0 * kz * left;
        if (square < 0.0) return k_never;
        return 2.0 * left / (progress.uz + std::sqrt(square));
    }
    if (progress.ends_by_velocity()) {
        const double gap = progress.uz_goal() - progress.uz;
        if (gap <= 0.0) return 0.0;
        return kz > 0.0 ? gap / kz : k_never;
    }
    return std::fmax(0.0, progress.impulse_left());
}

// Moves along the stretch by dpz, which stays within one phase.
void advance(RouthProgress& progress, const StraightStretch& s, double dpz, bool compression) {
    if (progress.trace != nullptr) {
        const double x0 = progress.x, y0 = progress.y, uz0 = progress.uz;
        for (int i = 1; i < k_trace_samples; ++i) {
            const double t = dpz * i / k_trace_samples;
            progress.x = x0 + s.dx * t;
            progress.y = y0 + s.dy * t;
            progress.uz = uz0 + s.kz * t;
            progress.sample(s.mode, s.px * t, s.py * t, t, t * (uz0 + 0.5 * s.kz * t));
        }
        progress.x = x0;
        progress.y = y0;
        progress.uz = uz0;
    }
    const double work = dpz * (progress.uz + 0.5 * s.kz * dpz);
    progress.account(dpz, work, compression);
    progress.px += s.px * dpz;
    progress.py += s.py * dpz;
    progress.x += s.dx * dpz;
    progress.y += s.dy * dpz;
    progress.uz += s.kz * dpz;
}

}  // namespace

double RouthProgress::work_left() const {
    const double e = parameters.e;
    return -e * e * history.compression_work - history.restitution_work;
}

double RouthProgress::impulse_left() const {
    if (parameters.termination == Termination::poisson_first) {
        return (1.0 + parameters.e) * pz_first - pz;
    }
    return parameters.e * history.compression_impulse - history.restitution_impulse;
}

void RouthProgress::account(double dpz, double work, bool compression) {
    pz += dpz;
    if (compression) {
        history.compression_impulse += dpz;
        history.compression_work += work;
    } else {
        history.restitution_impulse += dpz;
        history.restitution_work += work;
    }
}

bool RouthProgress::reach_maximum_compression() {
    uz = 0.0;
    if (pz_first < 0.0) pz_first = pz;
    ++history.compressions;
    return parameters.e == 0.0;
}

void RouthProgress::sample(Mode mode, double dpx, double dpy, double dpz, double work) const {
    if (trace == nullptr) return;
    TraceSample s;
    const Vec2 p = K.turn_back(px + dpx, py + dpy);
    const Vec2 u = K.turn_back(x, y);
    s.p = {p.x(), p.y(), pz + dpz};
    s.u = {u.x(), u.y(), uz};
    s.normal_work = history.compression_work + history.restitution_work + work;
    s.mode = mode;
    trace->samples.push_back(s);
}

void RouthProgress::mark(TransitionKind kind) const {
    if (trace != nullptr) trace->mark(kind);
}

bool follow_straight(RouthProgress& progress, const StraightStretch& s) {
    double left = s.length;
    for (;;) {
        const bool compression = progress.uz < 0.0 || (progress.uz == 0.0 && s.kz < 0.0);
        const double to_end =
            compression && !progress.ends_in_any_phase() ? k_never : impulse_to_end(progress, s.kz);
        const double to_zero =
            progress.uz != 0.0 && progress.uz * s.kz < 0.0 ? -progress.uz / s.kz : k_never;
        if (to_end <= left && to_end <= to_zero) {
            advance(progress, s, to_end, compression);
            progress.sample(s.mode, 0.0, 0.0, 0.0, 0.0);
            return true;
        }
        if (left < to_zero) {
            advance(progress, s, left, compression);
            progress.sample(s.mode, 0.0, 0.0, 0.0, 0.0);
            return false;
        }
        // only numbers that are not finite come here; they would never end
        if (!std::isfinite(to_zero)) return true;
        advance(progress, s, to_zero, compression);
        left -= to_zero;
        progress.uz = 0.0;
        progress.sample(s.mode, 0.0, 0.0, 0.0, 0.0);
        progress.mark(compression ? TransitionKind::maximum_compression
                                  : TransitionKind::recompression);
        if (compression && progress.reach_maximum_compression()) return true;
    }
}

}  // namespace carom::impact
