// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <array>
#include <limits>

#include "carom/impact/anitescu_potra.h"
#include "carom/impact/bilinear.h"
#include "carom/impact/brach.h"
#include "carom/impact/chatterjee_ruina.h"
#include "carom/impact/compliant.h"
#include "carom/impact/composite.h"
#include "carom/impact/frictionless.h"
#include "carom/impact/law.h"
#include "carom/impact/micro.h"
#include "carom/impact/particle.h"
#include "carom/impact/pfeiffer_glocker.h"
#include "carom/impact/planar.h"
#include "carom/impact/region_projected.h"
#include "carom/impact/region_spherical.h"
#include "carom/impact/smith.h"
#include "carom/impact/whittaker.h"

namespace carom::impact {
namespace {

constexpr double k_inf = std::numeric_limits<double>::infinity();
using Id = ParameterId;
using Kind = ParameterKind;

constexpr std::array<ParameterInfo, k_parameter_count> k_parameters{{
    {Id::e, "e", Kind::number, 0, 1, false, false, "0 <= e <= 1", "restitution"},
    {Id::mu, "mu", Kind::number, 0, k_inf, false, true, "0 <= mu < infinity",
     "coefficient of friction"},
    {Id::et, "et", Kind::number, -1, 1, false, false, "-1 <= et <= 1", "tangential restitution"},
    {Id::nu, "nu", Kind::number, 0, 1, false, true, "0 <= nu < 1",
     "Poisson's ratio (compliant), share of tangential rebound (pfeiffer-glocker)"},
    {Id::eta2, "eta2", Kind::number, 0, k_inf, true, true, "0 < eta2 < infinity",
     "ratio of normal to tangential stiffness"},
    {Id::sigma, "sigma", Kind::number, 0, 1, false, false, "0 <= sigma <= 1",
     "weight of chatterjee-ruina against routh"},
    {Id::mu2, "mu2", Kind::number, -k_inf, k_inf, true, true, "mu2 finite",
     "impulse ratio against the slip"},
    {Id::mu3, "mu3", Kind::number, -k_inf, k_inf, true, true, "mu3 finite",
     "impulse ratio across the slip"},
    {Id::psi1, "psi1", Kind::number, -k_inf, k_inf, true, true, "psi1 finite",
     "angle from the normal (rad)"},
    {Id::psi2, "psi2", Kind::number, -k_inf, k_inf, true, true, "psi2 finite",
     "angle about the normal (rad)"},
    {Id::rho, "rho", Kind::number, 0, 1, false, false, "0 <= rho <= 1",
     "part of the way to the boundary"},
    {Id::P, "P", Kind::vector, 0, 0, false, false, "three finite numbers",
     "wished impulse [Px, Py, Pz] (N s)"},
    {Id::threshold, "threshold", Kind::number, 0, k_inf, true, true, "0 < threshold < infinity",
     "approach speed below which contact is reversed (m/s)"},
    {Id::termination, "termination", Kind::termination, 0, 0, false, false,
     "stronge, poisson, poisson-first or newton", "when the impact ends"},
    {Id::reversal, "reversal", Kind::boolean, 0, 0, false, false, "true or false",
     "whether friction may reverse the slip"},
    {Id::fallback, "fallback", Kind::law, 0, 0, false, false, "the name of a law",
     "law used where reversal is not possible"},
}};

constexpr LawParameter need(Id id) {
    return {id, true, {}};
}
constexpr LawParameter may(Id id, std::string_view fallback) {
    return {id, false, fallback};
}

constexpr std::array k_e{need(Id::e)};
constexpr std::array k_e_mu{need(Id::e), need(Id::mu)};
constexpr std::array k_particle{need(Id::e), need(Id::mu), may(Id::reversal, "false")};
constexpr std::array k_routh{need(Id::e), need(Id::mu), may(Id::termination, "stronge")};
constexpr std::array k_pfeiffer{need(Id::e), need(Id::mu), need(Id::nu), need(Id::et)};
constexpr std::array k_e_et_mu{need(Id::e), need(Id::et), need(Id::mu)};
constexpr std::array k_brach{need(Id::e), need(Id::mu2), need(Id::mu3)};
constexpr std::array k_spherical{need(Id::mu), need(Id::psi1), need(Id::psi2), need(Id::rho)};
constexpr std::array k_projected{need(Id::mu), need(Id::P)};
constexpr std::array k_composite{need(Id::sigma), need(Id::e), need(Id::et), need(Id::mu),
                                 may(Id::termination, "poisson")};
constexpr std::array k_compliant{need(Id::e), need(Id::mu), may(Id::nu, "this or eta2"),
                                 may(Id::eta2, "this or nu")};
constexpr std::array k_micro{need(Id::mu), may(Id::e, "as the fallback needs"),
                             may(Id::threshold, "none: always try"), may(Id::fallback, "routh"),
                             may(Id::termination, "poisson")};

constexpr const char* k_not_plane =
    "needs a plane problem: slip and coupling along one eigendirection of the tangential block of "
    "K";

constexpr const char* k_coupled = "needs K with the normal and the slip direction as eigenvectors";

// Answers a plane law on a 3D contact that happens in one plane.
template <class Law>
Outcome in_plane(const Contact& contact, Law&& law) {
    if (contact.u.z() > 0.0) return {Solution::none()};
    const PlaneView view = view_as_plane(contact);
    if (!view.is_plane) return {{}, k_not_plane};
    Solution solution = law(view.contact);
    solution.p = {solution.p.x() * view.tangent.x(), solution.p.x() * view.tangent.y(),
                  solution.p.z()};
    return {solution};
}

template <class... Optionals>
bool all_given(const Optionals&... parameters) {
    return (parameters.has_value() && ...);
}

// Better no answer than one with a number that nobody gave.
Outcome incomplete() {
    return {{}, "is not given all that it needs; check_parameters says what is missing"};
}

Outcome resolve_micro(const Contact& c, const LawParameters& p, Trace* trace) {
    if (!all_given(p.mu)) return incomplete();
    const MicroReversal reversal = micro_reversal(c, {*p.mu, p.threshold.value_or(k_inf)});
    if (!reversal.applies) {
        const LawInfo& fallback = law_info(p.fallback_law());
        if (p.termination) return fallback.resolve(c, p, trace);
        LawParameters inner = p;
        inner.termination = Termination::poisson;
        return fallback.resolve(c, inner, trace);
    }
    Solution solution;
    solution.p = reversal.p;
    solution.path.add(Mode::reverse);
    return {solution};
}

constexpr const char* k_cr = "Chatterjee and Ruina 1998";

constexpr std::array<LawInfo, 16> k_laws{{
    {LawId::frictionless, "frictionless", "Newton's restitution, no friction", k_e, false, true,
     false, false, "classical",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e)) return incomplete();
         return Outcome{frictionless(c, {*p.e})};
     }},
    {LawId::particle, "particle", "particles and balls: friction against the first slip",
     k_particle, false, true, false, true, "particle notes, 3.1",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu)) return incomplete();
         if (c.u.z() < 0.0 && !particle_applies(c)) return Outcome{{}, k_coupled};
         return Outcome{particle(c, {*p.e, *p.mu, p.reversal.value_or(false)})};
     }},
    {LawId::routh, "routh", "incremental Coulomb friction (Routh, Keller, Mirtich)", k_routh, false,
     true, true, true, "Mirtich and Canny 1995; its correction",
     [](const Contact& c, const LawParameters& p, Trace* t) {
         if (!all_given(p.e, p.mu)) return incomplete();
         const Termination end = p.termination.value_or(Termination::stronge);
         return Outcome{routh(c, {*p.e, *p.mu, end}, t)};
     }},
    {LawId::planar, "planar", "routh with stronge in a plane, closed form", k_e_mu, true, true,
     false, false, "correction of Mirtich's algorithm, 5",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu)) return incomplete();
         return in_plane(c, [&](const PlaneContact& v) { return planar(v, {*p.e, *p.mu}); });
     }},
    {LawId::whittaker, "whittaker", "kinematic restitution, friction against the final slip",
     k_e_mu, false, true, false, true, "Whittaker 1944; Kane and Levinson 1985",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu)) return incomplete();
         return Outcome{whittaker(c, {*p.e, *p.mu})};
     }},
    {LawId::smith, "smith", "kinematic restitution, friction along a mean slip", k_e_mu, false,
     true, false, false, "Smith 1991",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu)) return incomplete();
         return Outcome{smith(c, {*p.e, *p.mu})};
     }},
    {LawId::pfeiffer_glocker, "pfeiffer-glocker", "plane, two stages, tangential restitution",
     k_pfeiffer, true, true, false, false, "Pfeiffer and Glocker 1996, reconstructed",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu, p.nu, p.et)) return incomplete();
         return in_plane(c, [&](const PlaneContact& v) {
             return pfeiffer_glocker(v, {*p.e, *p.mu, *p.nu, *p.et});
         });
     }},
    {LawId::anitescu_potra, "anitescu-potra", "two stages, Poisson's restitution", k_e_mu, false,
     true, false, false, "Anitescu and Potra 1997",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu)) return incomplete();
         return Outcome{anitescu_potra(c, {*p.e, *p.mu})};
     }},
    {LawId::bilinear, "bilinear", "spheres and disks: stick with restitution, or slide", k_e_et_mu,
     false, true, false, false, "Walton 1992; Chatterjee and Ruina 1998",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.et, p.mu)) return incomplete();
         if (c.u.z() < 0.0 && !bilinear_applies(c)) return Outcome{{}, k_coupled};
         return Outcome{bilinear(c, {*p.e, *p.et, *p.mu})};
     }},
    {LawId::brach, "brach", "kinematic restitution and two impulse ratios", k_brach, false, false,
     false, true, "Brach 1991",
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.mu2, p.mu3)) return incomplete();
         const BrachParameters brach_parameters{*p.e, *p.mu2, *p.mu3};
         if (!brach_applies(c, brach_parameters)) {
             return Outcome{{}, "has no answer: with these ratios no pushing impulse reverses u.z"};
         }
         return Outcome{brach(c, brach_parameters)};
     }},
    {LawId::region_spherical, "region-spherical", "the permissible region in spherical coordinates",
     k_spherical, false, false, false, false, k_cr,
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.mu, p.psi1, p.psi2, p.rho)) return incomplete();
         return Outcome{region_spherical(c, {*p.mu, *p.psi1, *p.psi2, *p.rho})};
     }},
    {LawId::region_projected, "region-projected", "a wished impulse, moved into the region",
     k_projected, false, false, false, false, k_cr,
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.mu, p.P)) return incomplete();
         return Outcome{region_projected(c, {*p.mu, *p.P})};
     }},
    {LawId::chatterjee_ruina, "chatterjee-ruina", "normal and tangential restitution, algebraic",
     k_e_et_mu, false, true, false, false, k_cr,
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.e, p.et, p.mu)) return incomplete();
         return Outcome{chatterjee_ruina(c, {*p.e, *p.et, *p.mu})};
     }},
    {LawId::composite, "composite", "mixture of chatterjee-ruina and routh", k_composite, false,
     true, false, true, k_cr,
     [](const Contact& c, const LawParameters& p, Trace*) {
         if (!all_given(p.sigma, p.e, p.et, p.mu)) return incomplete();
         const Termination end = p.termination.value_or(Termination::poisson);
         return Outcome{composite(c, {*p.sigma, *p.e, *p.et, *p.mu, end})};
     }},
    {LawId::compliant, "compliant", "normal and tangential springs, Coulomb friction", k_compliant,
     false, true, true, false, "Jia 2010; Stronge 2000",
     [](const Contact& c, const LawParameters& p, Trace* t) {
         if (!all_given(p.e, p.mu) || !(p.eta2 || p.nu)) return incomplete();
         const double eta2 = p.eta2 ? *p.eta2 : eta2_of_poisson_ratio(*p.nu);
         return Outcome{compliant(c, {*p.e, *p.mu, eta2}, t)};
     }},
    {LawId::micro, "micro", "exact reversal inside the cone, else another law", k_micro, false,
     true, false, true, "Mirtich and Canny 1995, 4.5", resolve_micro},
}};

}  // namespace

std::span<const LawInfo> laws() {
    return k_laws;
}
std::span<const ParameterInfo> parameters() {
    return k_parameters;
}

}  // namespace carom::impact
