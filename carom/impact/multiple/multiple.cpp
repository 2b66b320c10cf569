// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/multiple.h"

#include <array>
#include <stdexcept>
#include <string>

#include "carom/impact/multiple/coupled_system.h"

namespace carom::impact {
namespace {

constexpr std::array<MultipleInfo, 3> k_multiples{{
    {MultipleId::sequential, "sequential",
     "one contact after another, the fastest approach first, each by its own law",
     "Chatterjee and Ruina 1998, 6.4"},
    {MultipleId::coupled, "coupled",
     "all at once, driven by the energies of the springs at the contacts",
     "Jia, Mason and Erdmann 2008; Liu, Zhao and Brogliato 2008"},
    {MultipleId::simultaneous, "simultaneous",
     "all at once, one complementarity problem with friction cones",
     "Moreau 1988; Anitescu and Potra 1997"},
}};

}  // namespace

std::span<const MultipleInfo> multiples() {
    return k_multiples;
}

const MultipleInfo& multiple_info(MultipleId id) {
    return k_multiples[static_cast<std::size_t>(id)];
}

const MultipleInfo* find_multiple(std::string_view name) {
    for (const MultipleInfo& info : k_multiples) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

std::string check_multiple_law(MultipleId id, const LawInfo& law, const LawParameters& parameters) {
    if (id == MultipleId::coupled) return check_coupled_law(law, parameters);
    if (id == MultipleId::simultaneous) return check_simultaneous_law(law, parameters);
    return {};
}

MultiContactSolution resolve_multiple(MultipleId id, const MultiContactProblem& problem,
                                      const MultipleSettings& settings) {
    const std::string wrong = check_multi_contact_problem(problem);
    if (!wrong.empty()) throw std::invalid_argument(wrong);
    switch (id) {
        case MultipleId::coupled:
            return resolve_coupled(problem, settings.coupled);
        case MultipleId::simultaneous:
            return resolve_simultaneous(problem, settings.simultaneous);
        case MultipleId::sequential:
            break;
    }
    return resolve_sequential(problem, settings.sequential);
}

}  // namespace carom::impact
