// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/permissible.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numbers>

#include "carom/impact/tolerances.h"
#include "carom/math/spd3.h"

namespace carom::impact {
namespace {

constexpr double k_slack = -k_tolerances.permissible;

double divided(double value, double scale) {
    return scale > 0.0 ? value / scale : value;
}

double contact_energy(const Contact& contact) {
    return 0.5 * contact.u.dot(math::solve_spd3(contact.K, contact.u));
}

// The impulse on the cone at the angle phi that conserves energy.
Vec3 conserving_on_cone(const Contact& contact, double mu, double phi) {
    const Vec3 a(mu * std::cos(phi), mu * std::sin(phi), 1.0);
    const double s = -2.0 * contact.u.dot(a) / a.dot(contact.K * a);
    return std::max(s, 0.0) * a;
}

}  // namespace

bool Permissible::energy() const {
    return energy_margin >= k_slack;
}
bool Permissible::separation() const {
    return separation_margin >= k_slack;
}
bool Permissible::normal() const {
    return normal_margin >= k_slack;
}
bool Permissible::cone() const {
    return cone_margin >= k_slack;
}

Permissible check_permissible(const Contact& contact, double mu, const Vec3& p) {
    // the margins have no unit: with u, K and p brought to size one nothing overflows
    const double u_size = contact.u.cwiseAbs().maxCoeff();
    const double K_size = contact.K.cwiseAbs().maxCoeff();
    const double p_size = p.cwiseAbs().maxCoeff();
    const Vec3 p1 = p_size > 0.0 ? Vec3(p / p_size) : p;
    const double size = p1.norm();
    Permissible out{};
    out.normal_margin = divided(p1.z(), size);
    out.cone_margin = divided((mu * p1.z() - p1.head<2>().norm()) / (1.0 + mu), size);
    if (!(u_size > 0.0)) return out;
    const Contact scaled{contact.K / K_size, contact.u / u_size};
    const Vec3 scaled_p = p1 * (p_size / u_size * K_size);
    out.energy_margin = divided(-energy_change(scaled, scaled_p), contact_energy(scaled));
    out.separation_margin = divided(scaled.u.z() + scaled.K.row(2).dot(scaled_p), scaled.u.norm());
    return out;
}

Restitution shown_restitution(const Contact& contact, const Solution& solution) {
    Restitution shown;
    const double before = contact.u.z();
    if (before < 0.0) {
        const double e = -(before + contact.K.row(2).dot(solution.p)) / before;
        if (std::isfinite(e)) shown.kinematic = e;
    }
    const NormalHistory& h = solution.history;
    if (h.known && h.compression_impulse > 0.0) {
        shown.kinetic = h.restitution_impulse / h.compression_impulse;
        if (h.compression_work < 0.0) {
            shown.energetic = std::sqrt(std::max(0.0, -h.restitution_work / h.compression_work));
        }
    } else {
        shown.kinetic = shown.energetic = shown.kinematic;
    }
    return shown;
}

RegionLandmarks region_landmarks(const Contact& contact, double mu) {
    RegionLandmarks r;
    const double uz = contact.u.z();
    r.P_I = {0.0, 0.0, -uz / contact.K(2, 2)};
    r.P_II = -math::solve_spd3(contact.K, contact.u);
    r.contact_energy = contact_energy(contact);

    // the fastest separation of all that conserve energy: the top of the ellipsoid
    const Vec3 u_top = contact.K.col(2) * std::sqrt(2.0 * r.contact_energy / contact.K(2, 2));
    const Vec3 p_top = math::solve_spd3(contact.K, u_top - contact.u);
    if (p_top.z() > 0.0 && p_top.head<2>().norm() <= mu * p_top.z()) {
        r.P_largest_e = p_top;
    } else {
        // else it lies where the ellipsoid meets the cone: scan, then refine the best
        constexpr int k_scan = 180;
        constexpr double k_step = 2.0 * std::numbers::pi / k_scan;
        const auto minus_uz = [&](double phi) {
            return -contact.K.row(2).dot(conserving_on_cone(contact, mu, phi));
        };
        double best = 0.0;
        for (int i = 1; i < k_scan; ++i) {
            if (minus_uz(i * k_step) < minus_uz(best)) best = i * k_step;
        }
        const auto refined =
            boost::math::tools::brent_find_minima(minus_uz, best - k_step, best + k_step, 50);
        r.P_largest_e = conserving_on_cone(contact, mu, refined.first);
    }
    r.largest_kinematic_e = -(uz + contact.K.row(2).dot(r.P_largest_e)) / uz;
    return r;
}

}  // namespace carom::impact
