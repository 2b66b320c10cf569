// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/forced.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/math/polynomial.h"

namespace carom::motion {
namespace {

// Whether a cushion pushes from here on.
bool pushes(const Cushion& cushion, const State& state, double mass, double t) {
    constexpr double k_on_plane = 1e-14;
    const Vec3 n = cushion.normal.normalized();
    const double x = n.dot(state.position) - cushion.offset;
    const double rate = n.dot(state.velocity);
    // of coordinates, and of the time at which the plane is reached
    const double times = std::abs(t) + std::sqrt(mass / cushion.stiffness);
    const double rounding =
        k_on_plane *
        (std::abs(cushion.offset) + state.position.cwiseAbs().maxCoeff() + std::abs(rate) * times);
    if (x > rounding || (x >= -rounding && rate >= 0.0)) return false;
    if (x >= -rounding) return true;
    const double spring = -cushion.stiffness * x;
    const double damper = -cushion.damping * rate;
    // it has just let go, or is about to take hold
    constexpr double k_no_force = 1e-11;
    if (std::abs(spring + damper) <= k_no_force * (spring + std::abs(damper))) return rate < 0.0;
    return spring + damper > 0.0;
}

using Quintic = std::array<double, 6>;

// Height above the plane and force of a cushion over one piece.
struct Along {
    Quintic height, force;
};
Along along(const DensePiece& piece, const Cushion& cushion) {
    Along out{piece.coefficients_along(cushion.normal.normalized()), {}};
    out.height[0] -= cushion.offset;
    for (std::size_t k = 0; k < 6; ++k) {
        const double rate =
            k < 5 ? static_cast<double>(k + 1) * out.height[k + 1] / piece.length() : 0.0;
        out.force[k] = -(cushion.stiffness * out.height[k] + cushion.damping * rate);
    }
    return out;
}

// The first zero at which the polynomial falls, or rises, and which `counts`; 2 for none. At the
// very start rounding may have left it on the wrong side of zero, so that the other kind comes
// first.
template <class Counts>
double first_zero(const Quintic& a, bool falling, Counts&& counts) {
    const auto roots = math::polynomial_crossings(a, 0.0, 1.0);
    for (std::size_t i = 0; i < roots.count; ++i) {
        const double slope = math::evaluate_polynomial(a, roots.x[i]).slope;
        if ((falling ? slope < 0.0 : slope > 0.0) && counts(roots.x[i])) return roots.x[i];
    }
    return 2.0;
}

// When its state changes: the force of a pushing cushion comes down to zero; of another one the
// plane is reached from above, or below it the force becomes one that pushes. At most `until`.
double first_switch(const Integrated& motion, const Cushion& cushion, bool pushing, double until) {
    const auto always = [](double) { return true; };
    for (const DensePiece& piece : motion.pieces()) {
        if (piece.start() >= until) break;
        const Along a = along(piece, cushion);
        double s = 2.0;
        if (pushing) {
            s = first_zero(a.force, true, always);
        } else {
            const auto below = [&](double x) {
                return math::evaluate_polynomial(a.height, x).value < 0.0;
            };
            s = std::min(first_zero(a.height, true, always), first_zero(a.force, false, below));
        }
        if (s <= 1.0) return std::min(until, piece.start() + s * piece.length());
    }
    return until;
}

}  // namespace

ForcedMotion forced_motion(const State& state, double mass, const PrincipalInertia& inertia,
                           const std::vector<ForceField>& fields, double t0, double t1) {
    std::vector<ForceField> acting;
    std::vector<std::pair<const Cushion*, bool>> cushions;
    double end = t1;
    for (const ForceField& field : fields) {
        if (const auto* cushion = std::get_if<Cushion>(&field)) {
            cushions.emplace_back(cushion, pushes(*cushion, state, mass, t0));
            if (!cushions.back().second) continue;
            // a whole period: half of one is the longest contact without other forces; one that is
            // damped so much that it does not swing may last
            const double critical = 2.0 * std::sqrt(mass * cushion->stiffness);
            if (cushion->damping < critical)
                end = std::min(end, t0 + 4.0 * std::numbers::pi * mass / critical);
        }
        acting.push_back(field);
    }
    ForcedMotion out{Integrated::body(state, mass, inertia, acting, t0, end), end};
    for (const auto& [cushion, pushing] : cushions)
        out.until = std::min(out.until, first_switch(out.motion, *cushion, pushing, end));
    return out;
}

}  // namespace carom::motion
