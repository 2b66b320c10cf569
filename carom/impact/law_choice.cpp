// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/law_choice.h"

#include <stdexcept>
#include <string>

namespace carom::impact {

LawChoice choose_law(const LawInfo& law, const LawParameters& parameters) {
    const std::string wrong = check_parameters(law, parameters);
    const std::string name = "law '" + std::string(law.name) + "'";
    if (!wrong.empty())
        throw std::invalid_argument(wrong.starts_with(name) ? wrong : name + ": " + wrong);
    LawChoice choice{law.id, parameters};
    for (const ParameterInfo& info : impact::parameters()) {
        if (!takes(law, info.id, parameters.fallback_law())) choice.parameters.reset(info.id);
    }
    return choice;
}

namespace law {
namespace {

LawChoice choose(LawId id, const LawParameters& parameters) {
    return choose_law(law_info(id), parameters);
}

}  // namespace

LawChoice frictionless(const FrictionlessParameters& p) {
    return choose(LawId::frictionless, {.e = p.e});
}

LawChoice particle(const ParticleParameters& p) {
    return choose(LawId::particle, {.e = p.e, .mu = p.mu, .reversal = p.reversal});
}

LawChoice routh(const RouthParameters& p) {
    return choose(LawId::routh, {.e = p.e, .mu = p.mu, .termination = p.termination});
}

LawChoice planar(const PlanarParameters& p) {
    return choose(LawId::planar, {.e = p.e, .mu = p.mu});
}

LawChoice whittaker(const WhittakerParameters& p) {
    return choose(LawId::whittaker, {.e = p.e, .mu = p.mu});
}

LawChoice smith(const SmithParameters& p) {
    return choose(LawId::smith, {.e = p.e, .mu = p.mu});
}

LawChoice pfeiffer_glocker(const PfeifferGlockerParameters& p) {
    return choose(LawId::pfeiffer_glocker, {.e = p.e, .mu = p.mu, .et = p.et, .nu = p.nu});
}

LawChoice anitescu_potra(const AnitescuPotraParameters& p) {
    return choose(LawId::anitescu_potra, {.e = p.e, .mu = p.mu});
}

LawChoice bilinear(const BilinearParameters& p) {
    return choose(LawId::bilinear, {.e = p.e, .mu = p.mu, .et = p.et});
}

LawChoice brach(const BrachParameters& p) {
    return choose(LawId::brach, {.e = p.e, .mu2 = p.mu2, .mu3 = p.mu3});
}

LawChoice region_spherical(const RegionSphericalParameters& p) {
    return choose(LawId::region_spherical,
                  {.mu = p.mu, .psi1 = p.psi1, .psi2 = p.psi2, .rho = p.rho});
}

LawChoice region_projected(const RegionProjectedParameters& p) {
    return choose(LawId::region_projected, {.mu = p.mu, .P = p.P});
}

LawChoice chatterjee_ruina(const ChatterjeeRuinaParameters& p) {
    return choose(LawId::chatterjee_ruina, {.e = p.e, .mu = p.mu, .et = p.et});
}

LawChoice composite(const CompositeParameters& p) {
    return choose(
        LawId::composite,
        {.e = p.e, .mu = p.mu, .et = p.et, .sigma = p.sigma, .termination = p.termination});
}

LawChoice compliant(const Compliant& p) {
    return choose(LawId::compliant, {.e = p.e, .mu = p.mu, .nu = p.nu, .eta2 = p.eta2});
}

LawChoice micro(const Micro& p) {
    const LawChoice& fallback = p.fallback;
    LawParameters parameters = fallback.parameters;
    if (parameters.mu && *parameters.mu != p.mu)
        throw std::invalid_argument("law 'micro': mu is not that of its fallback");
    parameters.mu = p.mu;
    parameters.threshold = p.threshold;
    parameters.fallback = fallback.law;
    return choose(LawId::micro, parameters);
}

}  // namespace law
}  // namespace carom::impact
