// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/support/euler_loops.h"

#include <Eigen/LU>
#include <cmath>

#include "carom/impact/principal.h"

namespace carom::tests {

Vec3 routh_euler(const impact::Contact& contact, const impact::RouthParameters& parameters,
                 double step) {
    const double mu = parameters.mu;
    const double e2 = parameters.e * parameters.e;
    const Mat3& K = contact.K;
    Vec3 u = contact.u;
    double Wc = 0.0;
    double Wd = 0.0;
    bool stuck = u.head<2>().norm() == 0.0;
    while (!stuck) {
        const double r = std::sqrt(u.x() * u.x() + u.y() * u.y());
        (u.z() < 0.0 ? Wc : Wd) += u.z() * step;
        const Vec3 before = u;
        u += step * (K * Vec3(-mu * u.x() / r, -mu * u.y() / r, 1.0));
        if (u.z() >= 0.0 && Wd >= -e2 * Wc) {
            const Vec3 p = K.inverse() * (u - contact.u);
            return p;
        }
        // the slip has turned round within a step: it passed zero
        stuck = u.x() * before.x() + u.y() * before.y() <= 0.0;
    }
    const impact::Principal P = impact::make_principal(K);
    Vec3 slope;
    if (P.stick_is_stable(mu)) {
        slope = {0.0, 0.0, P.kappa};
        u.x() = u.y() = 0.0;
    } else {
        const impact::UnitSlip ray = impact::diverging_ray(P, mu);
        const Vec2 c = P.turn_back(ray.c1, ray.c2);
        slope = K * Vec3(-mu * c.x(), -mu * c.y(), 1.0);
    }
    const double uz_old = u.z();
    double uz = u.z();
    if (uz < 0.0) {
        Wc -= uz * uz / (2.0 * slope.z());
        uz = 0.0;
    }
    uz = std::sqrt(std::max(0.0, 2.0 * slope.z() * (-e2 * Wc - Wd) + uz * uz));
    u += slope / slope.z() * (uz - uz_old);
    return K.inverse() * (u - contact.u);
}

Vec3 compliant_euler(const impact::Contact& contact, const impact::CompliantParameters& parameters,
                     double h, bool held) {
    const double mu = parameters.mu;
    const double eta0 = std::sqrt(parameters.eta2);
    const Mat3& K = contact.K;
    const Vec2 t0 = contact.u.head<2>();
    Vec3 v = contact.u;
    double En = -v.z() * h;
    double eta = eta0;
    double factor = 1.0;  // e in restitution
    bool compression = true;
    bool stick = t0.norm() < mu * parameters.eta2 * -v.z();
    // D while sticking, G while slipping: sqrt(2 k0) times the lengths of the tangential springs
    Vec2 D = 2.0 * std::sqrt(-h / v.z()) * t0;
    if (!stick) D = 2.0 * eta0 * mu * eta * std::sqrt(En) * t0.normalized();
    const auto slope = [&] { return Vec2(-D / (2.0 * eta0 * eta * std::sqrt(En))); };
    Vec3 I(slope().x() * h, slope().y() * h, h);
    v = contact.u + K * I;
    while (compression || En > 0.0) {
        if (compression && v.z() >= 0.0) {
            compression = false;
            if (parameters.e == 0.0) break;
            En *= parameters.e * parameters.e;
            eta = eta0 / parameters.e;
            factor = parameters.e;
        }
        const double root = std::sqrt(En);
        const Vec2 E = D.cwiseProduct(D) / (4.0 * parameters.eta2);  // of the two springs
        const double cone = mu * mu * eta * eta * En;
        if (stick) {
            D += factor * h / root * v.head<2>();
            if (E.sum() >= cone) stick = false;
        } else {
            // eqs. 26 and 27
            const double su = std::copysign(std::sqrt(E.x()), D.x());
            const double sw = std::copysign(std::sqrt(E.y()), D.y());
            const double cross = v.x() * sw - v.y() * su;
            const Vec2 rate = Vec2(-mu * mu * eta * eta * eta * v.z() * root * su + cross * sw,
                                   -mu * mu * eta * eta * eta * v.z() * root * sw - cross * su) /
                              cone;
            D += factor * h / root * rate;
            if (held) D *= 2.0 * eta0 * std::sqrt(cone) / D.norm();
            if ((v.head<2>() - rate).dot(D) <= 0.0) stick = true;
        }
        const Vec2 dI = slope();
        I += h * Vec3(dI.x(), dI.y(), 1.0);
        v = contact.u + K * I;
        En -= v.z() * h;
    }
    return I;
}

}  // namespace carom::tests
