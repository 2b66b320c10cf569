// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "carom/impact/multiple/coupled.h"
#include "carom/impact/multiple/multi_contact_problem.h"
#include "carom/impact/multiple/sequential.h"
#include "carom/impact/multiple/simultaneous.h"

namespace carom::impact {

// The ways to resolve many contacts at one instant: one table drives the command line, scene files
// and bindings.
enum class MultipleId : std::uint8_t { sequential, coupled, simultaneous };

struct MultipleInfo {
    MultipleId id;
    std::string_view name;
    std::string_view summary;
    std::string_view source;
};

std::span<const MultipleInfo> multiples();
const MultipleInfo& multiple_info(MultipleId id);
const MultipleInfo* find_multiple(std::string_view name);

// Empty when contacts with this law can be resolved in this way, else what is wrong.
std::string check_multiple_law(MultipleId id, const LawInfo& law, const LawParameters& parameters);

// Each has its own; those of the others have no effect.
struct MultipleSettings {
    SequentialSettings sequential;
    CoupledSettings coupled;
    SimultaneousSettings simultaneous;
};

// Checks the problem and resolves it. Throws std::invalid_argument with what is wrong with it, or
// why it cannot be resolved in this way.
MultiContactSolution resolve_multiple(MultipleId id, const MultiContactProblem& problem,
                                      const MultipleSettings& settings = {});

}  // namespace carom::impact
