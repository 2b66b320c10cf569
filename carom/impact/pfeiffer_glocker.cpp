// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/pfeiffer_glocker.h"

#include <algorithm>
#include <cmath>

#include "carom/math/bracket.h"

namespace carom::impact {
namespace {

struct PlaneImpulse {
    double x, z;
    bool sticks;
};

// Plane compression to u_z = 0 with friction against the final slip.
PlaneImpulse compress(const PlaneContact& c, double mu) {
    const long double schur =
        static_cast<long double>(c.Kzz) - static_cast<long double>(c.Kxz) * c.Kxz / c.Kxx;
    const double pz = static_cast<double>((c.Kxz / c.Kxx * c.ux - c.uz) / schur);
    const double px = -(c.ux + c.Kxz * pz) / c.Kxx;
    if (pz > 0.0 && std::abs(px) <= mu * pz) return {px, pz, true};
    // slip to either side; the one whose final slip has its sign, the smaller impulse if both
    PlaneImpulse best{0.0, -1.0, false};
    for (const double sign : {1.0, -1.0}) {
        const double kz = c.Kzz - sign * mu * c.Kxz;
        if (!(kz > 0.0)) continue;
        const double slip_z = -c.uz / kz;
        const double ux = c.ux + slip_z * (c.Kxz - sign * mu * c.Kxx);
        if (sign * ux < 0.0) continue;
        if (best.z < 0.0 || slip_z < best.z) best = {-sign * mu * slip_z, slip_z, false};
    }
    return best;
}

// The tangential impulse of an expansion by pz; v is the slip after the normal part alone.
double expand(const PlaneContact& c, const PfeifferGlockerParameters& p, double stored, double pz,
              double ux_C) {
    const double v = ux_C + c.Kxz * pz;
    const double s0 = -v / c.Kxx;
    const double s1 = (p.nu * p.et * std::abs(c.ux) - v) / c.Kxx;
    const double limit = p.mu * pz;
    if (s0 >= stored) return std::min(s0, limit);
    if (stored <= s1) return stored;
    return std::max(s1, -limit);
}

}  // namespace

Solution pfeiffer_glocker(const PlaneContact& contact,
                          const PfeifferGlockerParameters& parameters) {
    if (contact.uz >= 0.0) return Solution::none();
    const auto& [e, mu, nu, et] = parameters;
    Solution solution;
    const PlaneImpulse C = compress(contact, mu);
    solution.path.add(C.sticks ? Mode::stick : (mu > 0.0 ? Mode::slide : Mode::frictionless));

    // mirror so that the tangential impulse of compression is positive
    const double mirror = C.x < 0.0 ? -1.0 : 1.0;
    PlaneContact c = contact;
    c.Kxz *= mirror;
    c.ux *= mirror;
    const double px_C = mirror * C.x;
    const double ux_C = C.sticks ? 0.0 : c.ux + c.Kxx * px_C + c.Kxz * C.z;
    const double stored = e * et * px_C;

    double pz_E = e * C.z;
    const auto end_uz = [&](double pz) {
        return c.Kzz * pz + c.Kxz * expand(c, parameters, stored, pz, ux_C);
    };
    if (pz_E > 0.0 && end_uz(pz_E) < -1e-14 * c.Kzz * pz_E) {
        double high = 1.25 * pz_E;
        for (int i = 0; i < 4000 && end_uz(high) < 0.0; ++i)
            high *= 1.25;
        pz_E = math::bracketed_root(end_uz, pz_E, high, 200);
    }
    const double px_E = pz_E > 0.0 ? expand(c, parameters, stored, pz_E, ux_C) : 0.0;
    solution.p = {mirror * (px_C + px_E), 0.0, C.z + pz_E};
    if (pz_E > 0.0) {
        const bool slides = std::abs(px_E) >= mu * pz_E;
        solution.path.add(mu > 0.0 ? (slides ? Mode::slide : Mode::stick) : Mode::frictionless);
    }
    return solution;
}

}  // namespace carom::impact
