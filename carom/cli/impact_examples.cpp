// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/impact_examples.h"

#include <array>

namespace carom::cli {
namespace {

// Every line gives all parameters, so that every law that applies can answer.
constexpr std::array<ImpactExample, 5> k_examples{{
    {"A spinning ball on a table",
     "Backspin slides first and grips later. With springs along the surface (compliant) the slip "
     "turns round, as superballs do; without them it can only stop.",
     R"({"id":"ball","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5,"et":0.5,)"
     R"("nu":0.3,"sigma":0.5,"mu2":0.2,"mu3":0,"psi1":0.8,"psi2":0,"rho":0.5,"P":[1,0,7]})"},
    {"A rod that hits the floor with its end",
     "A slanted rod, sliding: restitution by velocity (whittaker, newton) and by impulse (poisson) "
     "and by work (stronge) part company, and whittaker makes energy from nothing.",
     R"({"id":"rod","K":[[3.25,0,-1.3],[0,4,0],[-1.3,0,1.75]],"u":[1.0,0,-1.0],"mu":0.8,)"
     R"("e":0.9,"et":0,"nu":0.3,"sigma":0.5,"mu2":0.2,"mu3":0,"psi1":0.8,"psi2":0,"rho":0.5,)"
     R"("P":[1,0,1]})"},
    {"A grazing blow that jams",
     "Almost no approach, but the slip drives the body into the floor: routh predicts a strong "
     "rebound, laws with kinematic restitution almost none.",
     R"({"id":"jam","K":[[4,0.3,2.8],[0.3,3,-0.4],[2.8,-0.4,2.2]],"u":[2,0.2,-0.01],"mu":0.9,)"
     R"("e":0.8,"et":0,"nu":0.3,"sigma":0.5,"mu2":0.2,"mu3":0,"psi1":0.8,"psi2":0,"rho":0.5,)"
     R"("P":[0,0,1]})"},
    {"Two compressions in one impact",
     "Compression, restitution, compression again, restitution again: where the impact ends "
     "depends "
     "on how restitution is counted.",
     R"({"id":"twice","K":[[20,-23,4],[-23,31,-7],[4,-7,4]],"u":[630,-780,-0.22],"mu":0.5,)"
     R"("e":0.9,"et":0,"nu":0.3,"sigma":0.5,"mu2":0.2,"mu3":0,"psi1":0.8,"psi2":0,"rho":0.5,)"
     R"("P":[0,0,30]})"},
    {"Two bodies tumbling in space",
     "A generic oblique impact: nothing is aligned, the slip direction turns, and no two laws "
     "agree.",
     R"({"id":"tumbling","K":[[5.3,0.8,0.2],[0.8,2.1,-1.7],[0.2,-1.7,4.6]],"u":[0.6,1.3,-1.1],)"
     R"("mu":0.45,"e":0.7,"et":0.3,"nu":0.3,"sigma":0.5,"mu2":0.2,"mu3":0.1,"psi1":0.8,"psi2":1,)"
     R"("rho":0.5,"P":[-0.1,-0.2,0.5]})"},
}};

}  // namespace

std::span<const ImpactExample> impact_examples() {
    return k_examples;
}

}  // namespace carom::cli
