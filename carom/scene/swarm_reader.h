// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <vector>

#include "carom/scene/body_reader.h"

namespace carom::scene {

// One [[swarm]], `number` counted from 1: its bodies, named prefix-0001 and so on, added to
// `bodies`; none when something is wrong with it. `most` is how many the scene may have.
void read_swarm(const toml::table& table, std::size_t number, std::size_t most, MeshFiles& files,
                Report& report, std::vector<ReadBody>& bodies);

}  // namespace carom::scene
