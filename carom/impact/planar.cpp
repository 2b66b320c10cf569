// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/planar.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {
namespace {

// A straight stretch: impulse and velocity per unit of normal impulse.
struct Ray {
    double px;  // tangential impulse
    double kx;  // tangential velocity
    double kz;  // normal velocity
};

Ray sliding_ray(const PlaneContact& c, double mu, double sign) {
    return {-sign * mu, c.Kxz - sign * mu * c.Kxx, c.Kzz - sign * mu * c.Kxz};
}

// The Schur complement cancels for badly conditioned K: extended precision.
Ray sticking_ray(const PlaneContact& c) {
    const long double px = -static_cast<long double>(c.Kxz) / c.Kxx;
    return {static_cast<double>(px), 0.0, static_cast<double>(c.Kzz + px * c.Kxz)};
}

// The state in the middle of the impact.
struct State {
    double px = 0.0;
    double pz = 0.0;
    double uz;
    NormalHistory history;

    void move(const Ray& ray, double dpz) {
        const double mean_uz = uz + 0.5 * ray.kz * dpz;
        const double work = dpz * mean_uz;
        if (mean_uz < 0.0) {
            history.compression_impulse += dpz;
            history.compression_work += work;
        } else {
            history.restitution_impulse += dpz;
            history.restitution_work += work;
        }
        px += ray.px * dpz;
        pz += dpz;
        uz += ray.kz * dpz;
    }
};

// Follows a ray on which u_z rises to the end of the impact.
void finish(State& state, const Ray& ray, double e) {
    if (state.uz < 0.0) {
        state.move(ray, -state.uz / ray.kz);
        state.uz = 0.0;
    }
    const double wanted = -e * e * state.history.compression_work - state.history.restitution_work;
    if (wanted <= 0.0) return;
    const double root = std::sqrt(state.uz * state.uz + 2.0 * ray.kz * wanted);
    state.move(ray, 2.0 * wanted / (state.uz + root));
}

// Follows a converging ray until slip or the impact ends; true when the impact has ended.
bool slide_in(State& state, const Ray& ray, double e, double dpz_to_stop) {
    const double uz_at_stop = state.uz + ray.kz * dpz_to_stop;
    if (uz_at_stop > 0.0) {
        // on one ray from u_z < 0 the work of restitution is enough exactly at -e u_z
        const double uz_at_end = -e * state.uz;
        const double kz = ray.kz;
        state.move(ray, -state.uz / kz);
        state.uz = 0.0;
        if (uz_at_stop >= uz_at_end) {
            state.move(ray, uz_at_end / kz);
            return true;
        }
        state.move(ray, uz_at_stop / kz);
        return false;
    }
    state.move(ray, dpz_to_stop);
    return false;
}

}  // namespace

Solution planar(const PlaneContact& c, const PlanarParameters& parameters) {
    const auto& [e, mu] = parameters;
    const double sign = c.ux > 0.0 ? 1.0 : -1.0;
    const Ray first = sliding_ray(c, mu, sign);
    // at exactly zero approach only a slip that drives the bodies together makes an impact
    if (c.uz > 0.0 || (c.uz == 0.0 && (c.ux == 0.0 || first.kz >= 0.0))) return Solution::none();

    Solution solution;
    State state;
    state.uz = c.uz;
    bool ended = false;
    bool at_rest = c.ux == 0.0;
    if (!at_rest) {
        solution.path.add(mu > 0.0 ? Mode::slide : Mode::frictionless);
        if (mu == 0.0 || sign * first.kx >= 0.0) {
            finish(state, first, e);
            ended = true;
        } else {
            ended = slide_in(state, first, e, -c.ux / first.kx);
            at_rest = !ended;
        }
    }
    if (at_rest) {
        if (std::abs(c.Kxz) <= mu * c.Kxx) {
            solution.path.add(Mode::stick);
            finish(state, sticking_ray(c), e);
        } else {
            solution.path.add(mu > 0.0 ? Mode::ray : Mode::frictionless);
            finish(state, sliding_ray(c, mu, c.Kxz > 0.0 ? 1.0 : -1.0), e);
        }
    }
    solution.p = {state.px, 0.0, state.pz};
    solution.history = state.history;
    solution.history.known = true;
    solution.history.compressions = 1;
    return solution;
}

}  // namespace carom::impact
