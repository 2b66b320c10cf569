// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "carom/cli/impact_problem.h"
#include "carom/impact/law.h"

namespace carom::cli {

// Solved problems as JSON, appended to a buffer; docs/impact.md says field by field what is in it.

// One answer: {"id":…,"impulse":…,"u":…,"u_after":…,…} and a line feed. trace may be null.
void write_answer(fmt::memory_buffer& out, const ImpactProblem& problem,
                  const impact::Solution& solution, const impact::Trace* trace, bool region);

// {"id":…,"error":"…"} and a line feed; line is the line's number in the input.
void write_error(fmt::memory_buffer& out, const ProblemError& error, std::size_t line);

// Every law's answer to one problem, as {"id":…,"answers":[…]} and a line feed.
void write_all_answers(fmt::memory_buffer& out, const ImpactProblem& problem);

// A JSON string, quoted and escaped.
void write_string(fmt::memory_buffer& out, std::string_view text);

}  // namespace carom::cli
