// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/cli/impact_problem.h"
#include "carom/impact/multiple/multiple.h"

namespace carom::cli {

// One line of input for `carom impact` with many contacts at one instant, read and checked.
struct MultiContactLine {
    std::string id = "null";  // as JSON text, to be handed back
    impact::MultiContactProblem problem;
    impact::MultipleId multiple = impact::MultipleId::sequential;
    impact::MultipleSettings settings;
    std::vector<std::string> ignored;  // what was given without use, as contacts[2].et
};

// Reads a line that has bodies, contacts or multiple; nothing for any other line, which then is a
// problem of one contact. The law of the options is that of every contact; hinges stay. Throws
// ProblemError; never anything else for any text.
std::optional<MultiContactLine> read_multi_contact_line(std::string_view line,
                                                        const ReadOptions& options);

}  // namespace carom::cli
