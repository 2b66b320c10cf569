// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/impact/anitescu_potra.h"
#include "carom/impact/bilinear.h"
#include "carom/impact/brach.h"
#include "carom/impact/chatterjee_ruina.h"
#include "carom/impact/composite.h"
#include "carom/impact/frictionless.h"
#include "carom/impact/law.h"
#include "carom/impact/particle.h"
#include "carom/impact/pfeiffer_glocker.h"
#include "carom/impact/planar.h"
#include "carom/impact/region_projected.h"
#include "carom/impact/region_spherical.h"
#include "carom/impact/required.h"
#include "carom/impact/routh.h"
#include "carom/impact/smith.h"
#include "carom/impact/whittaker.h"

namespace carom::impact {

// A law and its parameters, found while the program runs. Throws std::invalid_argument that says
// what is missing or out of range; leaves out what the law does not take.
LawChoice choose_law(const LawInfo& law, const LawParameters& parameters);

// A law and its parameters, known when the program is written:
//
//     contacts.set("steel", "*", impact::law::routh({.e = 0.8, .mu = 0.3}));
//     impact::resolve(impact::law::compliant({.e = 0.5, .mu = 0.2, .nu = 0.3}), contact);
//
// What a law needs has to be in the list, or the call does not compile; what is left out besides
// has the law's own default. Every function throws std::invalid_argument when a number is out of
// range. They are named like the laws of the table; what each parameter means is in the law's
// header.
namespace law {

LawChoice frictionless(const FrictionlessParameters& parameters);
LawChoice particle(const ParticleParameters& parameters);
LawChoice routh(const RouthParameters& parameters);
LawChoice planar(const PlanarParameters& parameters);
LawChoice whittaker(const WhittakerParameters& parameters);
LawChoice smith(const SmithParameters& parameters);
LawChoice pfeiffer_glocker(const PfeifferGlockerParameters& parameters);
LawChoice anitescu_potra(const AnitescuPotraParameters& parameters);
LawChoice bilinear(const BilinearParameters& parameters);
LawChoice brach(const BrachParameters& parameters);
LawChoice region_spherical(const RegionSphericalParameters& parameters);
// P in the contact frame of each impact.
LawChoice region_projected(const RegionProjectedParameters& parameters);
LawChoice chatterjee_ruina(const ChatterjeeRuinaParameters& parameters);
LawChoice composite(const CompositeParameters& parameters);

// One of nu, Poisson's ratio, and eta2, the ratio of normal to tangential stiffness.
struct Compliant {
    Required<double> e;
    Required<double> mu;
    std::optional<double> nu = std::nullopt;
    std::optional<double> eta2 = std::nullopt;
};
LawChoice compliant(const Compliant& parameters);

// Exact reversal where it fits into the cone of mu and the approach is slower than the threshold
// (m/s; not given: always try), else the fallback. Where the fallback has a coefficient of friction
// too, it must be the same.
struct Micro {
    Required<double> mu;
    Required<LawChoice> fallback;
    std::optional<double> threshold = std::nullopt;
};
LawChoice micro(const Micro& parameters);

}  // namespace law
}  // namespace carom::impact
