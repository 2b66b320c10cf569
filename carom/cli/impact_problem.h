// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/cli/json_text.h"
#include "carom/impact/law.h"
#include "carom/impact/problem.h"

namespace carom::cli {

// One line of input for `carom impact`, read and checked.
struct ImpactProblem {
    std::string id = "null";  // as JSON text, to be handed back
    const impact::LawInfo* law = nullptr;
    impact::LawParameters parameters;
    bool plane = false;  // given as a plane problem: p and u have two components
    impact::Contact contact;
    std::optional<impact::BodyPair> bodies;  // then contact is in the frame R_CW takes the world to
    Mat3 R_CW = Mat3::Identity();
    bool trace = false;
    std::vector<std::string_view> ignored;  // parameters given that the law has no use for
};

struct ReadOptions {
    const impact::LawInfo* law = nullptr;  // instead of the line's own
    bool every_law = false;                // no law needed
    bool trace = false;
};

// Throws ProblemError unless the inertia, called name in the message, is symmetric positive
// definite.
Mat3 inverse_of_inertia(const Mat3& inertia, const std::string& name);

// Reads a line. Throws ProblemError; never anything else for any text.
ImpactProblem read_problem(std::string_view line, const ReadOptions& options);

}  // namespace carom::cli
