// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>

#include "carom/motion/double_double.h"
#include "carom/motion/state.h"

namespace carom::motion {

// The torque-free rotation of a body with L seen from the body: closed form of the polhode and of
// the angle about L.
//
// Notation. m is the unit vector along the angular momentum in principal axes, a_i = |L| / I_i, so
// that the angular velocity has components a_i m_i and m' = m x (a m). The axes are taken in the
// order x, y, z where y is the middle one and z the outer one about which m turns (m_z > 0 for
// ever); sigma = +1 if z is the axis of the largest moment, -1 if of the smallest. With
//     alpha = |a_z - a_y|,  beta = |a_y - a_x|,  D = alpha m_z^2 - beta m_x^2 >= 0,
//     G = alpha - D = alpha m_y^2 + (alpha + beta) m_x^2,
// (all differences, taken in double-double from the data) the polhode is
//     m_x = S cn u,  m_y = sigma M sn u,  m_z = R dn u,   u = lambda (t - t0) + u0,
//     S^2 = G / (alpha + beta),  M^2 = G / alpha,  R^2 = (beta + D) / (alpha + beta),
//     lambda^2 = alpha (beta + D),  k^2 = beta G / lambda^2,  k'^2 = D (alpha + beta) / lambda^2.
// D = 0 is the separatrix, beta = 0 a symmetric body.
//
// The attitude is [turn by zeta about L][the shortest turn that takes m to L], whose angle obeys
//     zeta' = (e + a_z m_z) / (1 + m_z),   e = 2 T / |L| = a_z + sigma G:
// nothing in it is singular. Its poles are those of 1 + R dn u, so that
//     zeta = c t - 2 sigma arg theta_4(pi (u + i w) / 2K, q^2) + const,  dc(w, k') = 1 / R,
// an integral of the third kind without any. c follows from zeta' at u = 0.
//
// Evaluation. k^2 <= 1/2: theta series in cos and sin, nome q <= 0.0433. k^2 > 1/2: the same after
// Jacobi's imaginary transformation, series in exp(-|u|) with the complementary nome, which become
// hyperbolic functions on the separatrix. Two to six terms each. Rates are kept in extended
// precision and phases reduced before they are rounded, so that long times lose nothing.
// Sources: Jacobi 1850; van Zon and Schofield, J. Comput. Phys. 225 (2007) 145; Celledoni, Fasso,
// Saefstroem and Zanna, SIAM J. Sci. Comput. 30 (2008) 2084; DLMF chapters 20 and 22.
class Polhode {
public:
    // Moments ascending and the angular momentum in principal axes, both in units of the caller's;
    // unit multiplies all rates (1/s). Pre: moves(inertia, momentum).
    Polhode(const std::array<DoubleDouble, 3>& inertia, const std::array<DoubleDouble, 3>& momentum,
            double unit);

    // Whether L moves in the body: false for a rotation about a principal axis.
    static bool moves(const std::array<DoubleDouble, 3>& inertia,
                      const std::array<DoubleDouble, 3>& momentum);

    struct Point {
        double x, y, z;  // m in the ordered axes
        double c, s;     // cos and sin of zeta / 2
    };
    // tau = t - t0
    Point at(long double tau) const {
        return small_modulus_ ? trigonometric(tau) : hyperbolic(tau);
    }

    // From the ordered axes to the principal ones: a proper rotation with entries 0 and +-1.
    const Mat3& order() const { return order_; }
    // a_x, a_y, a_z in 1/s
    const Vec3& rates() const { return rates_; }
    // 2 T / |L| in 1/s
    double energy_rate() const { return energy_rate_; }

    // Largest |w| and |dw/dt| on the polhode.
    double spin_max() const { return spin_max_; }
    double spin_rate_max() const { return spin_rate_max_; }

private:
    struct Invariants;
    void set_trigonometric(const Invariants& v);
    void set_hyperbolic(const Invariants& v);
    void set_bounds(const Invariants& v);
    Point trigonometric(long double tau) const;
    Point hyperbolic(long double tau) const;

    // turns per second and at tau = 0: of u (4K, or 2K in the hyperbolic form), of zeta / 2
    long double phase_rate_ = 0.0L;
    long double phase_start_ = 0.0L;
    long double twist_rate_ = 0.0L;
    Mat3 order_;
    Vec3 rates_;
    double energy_rate_ = 0.0;
    double spin_max_ = 0.0;
    double spin_rate_max_ = 0.0;
    bool small_modulus_ = true;
    bool endless_ = false;  // on the separatrix: u has no period
    double sense_ = 1.0;    // -sigma: sign of the periodic part of zeta

    // amplitudes of m_x, m_y, m_z before they are made unit
    double amplitude_x_ = 0.0, amplitude_y_ = 0.0, amplitude_z_ = 0.0;
    // trigonometric: powers of q, and the cosine and sine coefficients of the complex theta_4
    double q1_ = 0.0, q4_ = 0.0, q9_ = 0.0, q2_ = 0.0, q6_ = 0.0;
    double even1_ = 0.0, even2_ = 0.0, odd1_ = 0.0, odd2_ = 0.0;
    // hyperbolic: half the range of z', powers of q', and sines and cosines of odd multiples
    static constexpr std::size_t k_terms = 6;
    double z_most_ = 0.0, tilt_ = 0.0;
    std::array<double, k_terms> even_{}, odd_{};
};

}  // namespace carom::motion
