// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/anitescu_potra.h"

#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "carom/impact/principal.h"
#include "carom/impact/whittaker.h"

namespace carom::impact {
namespace {

// The normal velocity that an expansion by pz from rest along the normal leads to.
double expanded_uz(const Principal& K, double x, double y, double pz, double mu) {
    const TangentialImpulse p = friction_for_normal(K, x, y, pz, mu);
    return K.kappa * pz + K.q1 * (p.x_after - x) + K.q2 * (p.y_after - y);
}

// The first pz >= from at which the bodies no longer approach.
double raised_normal(const Principal& K, double x, double y, double from, double mu) {
    double low = from;
    double high = 1.25 * from;
    for (int i = 0; i < 4000 && expanded_uz(K, x, y, high, mu) < 0.0; ++i) {
        low = high;
        high *= 1.25;
    }
    std::uintmax_t most = 200;
    const auto bracket = boost::math::tools::toms748_solve(
        [&](double pz) { return expanded_uz(K, x, y, pz, mu); }, low, high,
        boost::math::tools::eps_tolerance<double>(52), most);
    return 0.5 * (bracket.first + bracket.second);
}

}  // namespace

Solution anitescu_potra(const Contact& contact, const AnitescuPotraParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, mu] = parameters;
    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());

    // compression to u_z = 0
    const PrincipalImpulse C = whittaker_principal(K, slip.x(), slip.y(), -contact.u.z(), mu);
    Solution solution;
    const Mode moving = mu > 0.0 ? Mode::slide : Mode::frictionless;
    solution.path.add(C.sticks ? Mode::stick : moving);
    double px = C.x;
    double py = C.y;
    double pz = C.z;

    // expansion from there
    if (e > 0.0) {
        const double x = C.x_after;
        const double y = C.y_after;
        double pz_E = e * C.z;
        TangentialImpulse p_t = friction_for_normal(K, x, y, pz_E, mu);
        const double uz = K.kappa * pz_E + K.q1 * (p_t.x_after - x) + K.q2 * (p_t.y_after - y);
        if (uz < -1e-14 * K.k33 * pz_E) {
            pz_E = raised_normal(K, x, y, pz_E, mu);
            p_t = friction_for_normal(K, x, y, pz_E, mu);
        }
        solution.path.add(p_t.sticks ? Mode::stick : moving);
        px += p_t.x;
        py += p_t.y;
        pz += pz_E;
    }
    const Vec2 p_t = K.turn_back(px, py);
    solution.p = {p_t.x(), p_t.y(), pz};
    return solution;
}

}  // namespace carom::impact
