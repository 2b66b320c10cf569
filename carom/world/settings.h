// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/impact/multiple/multiple.h"
#include "carom/math/types.h"

namespace carom::world {

// How contact that lasts is simulated: in closed form and by islands (lasting), or as a sequence
// of micro-collisions (micro). Micro-collisions need gravity to come back; without it both are the
// same.
enum class ContactMode : std::uint8_t { micro, lasting };
const char* name_of(ContactMode mode);

// What a touch inside a pile is that is faster than the restitution threshold (theory/piles.md).
// law: an impact at its own time, by the law of its pair, after which the pile takes its next step.
// step: the step takes up the approach, and with the next one the two part by Newton's restitution;
// counted (Audit::pile_restitutions). automatic: law in piles that are small enough, else step.
enum class PileImpacts : std::uint8_t { automatic, law, step };
const char* name_of(PileImpacts how);  // "auto", "law", "step"

// What holds for a whole simulation. Every number that decides what is simulated stands here, and
// is written into recordings; threads decide nothing.
struct Settings {
    Vec3 gravity{0.0, 0.0, -9.81};  // m/s^2

    ContactMode contact = ContactMode::lasting;

    // How impacts at one instant are resolved together (impact/multiple).
    impact::MultipleId multiple = impact::MultipleId::sequential;

    // Where a contact that lasts is a sequence of micro-collisions (micro/micro_rule.h), they are
    // those slower than micro sqrt(g L), L being the radius of the smaller body. Ten times larger:
    // ten times fewer of them, micro-bounces a hundred times higher, slip that is left when rolling
    // begins ten times larger.
    double micro = 0.003;

    // Bodies at rest fall asleep (sleep/rest.h). Without, they go on as they are.
    bool sleep = true;

    PileImpacts pile_impacts = PileImpacts::automatic;

    // Simulated seconds between checkpoints; 0 for none. At a checkpoint everything that could be
    // computed again is, so that a run that goes on from there has the same bits as one that never
    // stopped. It is a setting, not a matter of recording, so that a run has the same bits with and
    // without one.
    double checkpoint = 0.0;

    // Threads that a run may use (workers.h). They change how long a run takes and nothing else, so
    // that no recording holds their number. Many worlds at once have more of one each.
    int threads = 1;

    // Most impacts at one instant, for each body that takes part, before the run is given up with
    // a message. Larger: impacts that never end take longer to be reported.
    std::uint64_t most_at_once = 20'000;
};

// Throws std::invalid_argument with what would be right: finite gravity, micro in (0, 0.1],
// checkpoint >= 0, 1 to k_most_threads threads.
inline constexpr int k_most_threads = 256;
void check_settings(const Settings& settings);

}  // namespace carom::world
