// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::impact {

// Every tolerance of the impact room: all are relative, none has a unit. Each line says what a
// value ten times larger would do.
struct Tolerances {
    // |K - K^T| / |K| that still counts as symmetric. Larger: typing errors in K pass unnoticed.
    double symmetry = 1e-12;
    // Smallest pivot of K relative to its diagonal. Larger: refuses K of condition above 1e14.
    double definiteness = 1e-15;
    // Coupling out of the plane, relative to K and u, that still counts as a plane problem, and
    // misalignment that still counts as eigenvector. Larger: plane laws accept 3D problems and are
    // wrong by that much.
    double plane = 1e-12;
    // Truncation error of one Taylor step of the sliding integration, relative to the slip speed.
    // Larger: about 10 % longer steps, p ten times less accurate.
    double series = 1e-11;
    // Angle from a ray of constant sliding within which the slip counts as on the ray. Larger: p
    // wrong by as much, relative.
    double on_ray = 2e-15;
    // Truncation error of the power series about a converging ray, relative to the normal impulse.
    // Larger: the series is used earlier, p ten times less accurate.
    double ray_series = 1e-13;
    // Slip speed relative to the first one below which sliding has ended. Larger: p wrong by as
    // much, relative.
    double slip_end = 1e-13;
    // Residual of the implicit collocation of the compliant law. Larger: p ten times less accurate.
    double collocation = 1e-13;
    // Truncation error of one Taylor step of compliant slip, relative. Larger: p ten times less
    // accurate, steps about 14 % longer.
    double compliant_series = 1e-11;
    // Last Legendre coefficient (rad) of the slip angle in one implicit step, weighted by its part
    // of the impulse. Larger: stiff impacts up to ten times less accurate.
    double compliant_unresolved = 1e-8;
    // Friction impulse neglected when the end of a compliant impact is closed with the velocity
    // held, relative to p_z. Larger: p wrong by up to ten times as much, one step saved.
    double compliant_tail = 1e-11;
    // Restitution below which the compliant law ends at maximum compression: its stiff restitution
    // would give back this part of the impulse. Larger: p wrong by as much, relative.
    double compliant_plastic = 1e-10;
    // Relative margin by which a permissible-region condition may be violated and still hold.
    // Larger: small violations are not reported.
    double permissible = 1e-10;
};

inline constexpr Tolerances k_tolerances{};

}  // namespace carom::impact
