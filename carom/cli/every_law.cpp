// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/every_law.h"

namespace carom::cli {
namespace {

LawAnswer answer(const ImpactProblem& problem, const impact::LawInfo& law,
                 const impact::LawParameters& parameters) {
    LawAnswer out{&law,
                  std::string(law.name),
                  parameters.termination.value_or(impact::Termination::stronge),
                  false,
                  {},
                  {}};
    if (problem.plane && !impact::answers_in_plane(law, parameters)) {
        out.reason = "needs a 3D problem";
        return out;
    }
    out.reason = impact::check_parameters(law, parameters);
    if (!out.reason.empty()) return out;
    const impact::Outcome outcome = impact::resolve(law, problem.contact, parameters);
    if (outcome.refusal != nullptr) {
        out.reason = outcome.refusal;
        return out;
    }
    out.solved = true;
    out.solution = outcome.solution;
    return out;
}

}  // namespace

std::vector<LawAnswer> answer_with_every_law(const ImpactProblem& problem) {
    using impact::Termination;
    std::vector<LawAnswer> answers;
    for (const impact::LawInfo& law : impact::laws()) {
        if (law.id != impact::LawId::routh) {
            answers.push_back(answer(problem, law, problem.parameters));
            continue;
        }
        for (const Termination termination : {Termination::stronge, Termination::poisson,
                                              Termination::poisson_first, Termination::newton}) {
            impact::LawParameters parameters = problem.parameters;
            parameters.termination = termination;
            answers.push_back(answer(problem, law, parameters));
            answers.back().label += std::string("/") + impact::termination_name(termination);
        }
    }
    return answers;
}

}  // namespace carom::cli
