// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <string>

#include "carom/cli/multi_contact_reader.h"

namespace carom::cli {

// {"id":…,"multiple":…,"bodies":[{"v","w"},…],"contacts":[{"impulse","u","u_after"},…],
// "energy_lost","rounds","approach_left","permissible":{…}} with a line feed.
void write_multi_contact_answer(fmt::memory_buffer& out, const MultiContactLine& line,
                                const impact::MultiContactSolution& solution);

// {"id":…,"answers":[…]}: what every way to resolve it gives, simultaneous once for each
// restitution.
void write_all_multi_contact_answers(fmt::memory_buffer& out, const MultiContactLine& line);

// The same for people.
std::string joint_table(const MultiContactLine& line, const impact::MultiContactSolution& solution);
std::string all_joint_tables(const MultiContactLine& line);

}  // namespace carom::cli
