// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

#include "carom/cli/impact_problem.h"

namespace carom::cli {

// One law's answer to a problem, or why it has none.
struct LawAnswer {
    const impact::LawInfo* law;
    std::string label;  // the law's name, with the termination where several are tried
    impact::Termination termination = impact::Termination::stronge;
    bool solved = false;
    impact::Solution solution;
    std::string reason;  // where not solved
};

// Every law of the registry on the problem, routh once for each termination.
std::vector<LawAnswer> answer_with_every_law(const ImpactProblem& problem);

}  // namespace carom::cli
