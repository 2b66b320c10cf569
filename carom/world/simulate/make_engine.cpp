// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/make_engine.h"

#include <vector>

#include "carom/world/gas/ball_engine.h"
#include "carom/world/micro/micro_rule.h"
#include "carom/world/simulate/simulator.h"

namespace carom::world {
namespace {

// A row of n balls comes together for good, by impacts without end, when their e is below
//     tan^2(pi/4 (1 - 2/n)):
// 0.53 for ten (Bernu and Mazighi, J. Phys. A 23 (1990) 5745, for n/2 balls and a wall). Contact
// that lasts is known to the simulator alone. Smaller: shorter rows end the run of a gas with a
// message; larger: gases that would never have come together are slower.
constexpr double k_least_restitution = 0.5;

bool bounces(const EngineInput& input) {
    std::vector<bool> used(input.contacts.material_count(), false);
    for (const Body& body : input.bodies)
        used[body.material] = true;
    for (MaterialId a = 0; a < used.size(); ++a) {
        for (MaterialId b = a; b < used.size(); ++b) {
            const ContactLaw* law = used[a] && used[b] ? input.contacts.find(a, b) : nullptr;
            if (law != nullptr && !(restitution_of(*law) >= k_least_restitution)) return false;
        }
    }
    return true;
}

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineInput& input) {
    if (BallEngine::fits(input.settings, input.bodies) && bounces(input))
        return std::make_unique<BallEngine>(input);
    return std::make_unique<Simulator>(input);
}

}  // namespace carom::world
