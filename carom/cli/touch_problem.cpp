// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/touch_problem.h"

#include <algorithm>

#include "carom/cli/json_text.h"

namespace carom::cli {
namespace {

bool is_plane(const ReadBody& body) {
    return std::any_of(body.shape.parts.begin(), body.shape.parts.end(),
                       [](const shape::Part& part) {
                           return std::holds_alternative<shape::HalfSpace>(part.convex);
                       });
}

TouchProblem read_fields(const nlohmann::json& json) {
    JsonFields fields(json, "");
    fields.has("id");
    TouchProblem problem;
    problem.until = fields.number("until");
    constexpr double k_longest = 1e30;
    if (!(problem.until >= 0.0 && problem.until <= k_longest)) {
        fail("until must be between 0 and 1e30 seconds");
    }
    problem.a = read_body(fields.object("a"));
    problem.b = read_body(fields.object("b"));
    fields.finish();
    if (is_plane(problem.a) && is_plane(problem.b)) {
        fail("a and b are both planes; at most one body may be unbounded");
    }
    return problem;
}

}  // namespace

TouchProblem read_touch_problem(std::string_view line) {
    const nlohmann::json json = parse_line(line, true);
    std::string id = id_of(json);
    try {
        TouchProblem problem = read_fields(json);
        problem.id = std::move(id);
        return problem;
    } catch (ProblemError& error) {
        error.id = std::move(id);
        throw;
    }
}

}  // namespace carom::cli
