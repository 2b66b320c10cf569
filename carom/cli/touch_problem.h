// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <string_view>

#include "carom/cli/body_reader.h"

namespace carom::cli {

// One line of input for `carom touch`, read and checked.
struct TouchProblem {
    std::string id = "null";  // as JSON text, to be handed back
    ReadBody a, b;
    double until = 0.0;
};

// Reads a line. Throws ProblemError; never anything else for any text.
TouchProblem read_touch_problem(std::string_view line);

}  // namespace carom::cli
