// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/cli/body_states.h"
#include "carom/cli/json_out.h"
#include "carom/record/recording.h"
#include "carom/scene/scene.h"
#include "carom/world/world.h"

namespace carom::cli {

// What a run has come to.
struct RunSummary {
    std::string scene, title, expect;
    double duration = 0.0;  // as it was asked for
    double time = 0.0;      // that was reached
    double wall = 0.0;      // seconds it took
    std::uint64_t events = 0, impacts = 0, micro = 0;
    std::uint64_t substituted =
        0;  // impacts of a run that `multiple` gave up; resolved in sequence
    std::size_t bodies = 0, moving = 0;  // those that are not fixed
    std::size_t asleep = 0;              // at the end
    world::Audit audit;
    std::vector<std::string> broken_promises;  // of a run; none are known of a recording
    std::optional<std::string> recording;
    std::optional<std::vector<BodyState>> states;  // at `time`, where they are asked for
};

RunSummary summarize(const scene::Scene& scene, const world::World& world, double duration,
                     double wall, std::optional<std::string> recording);

// The same from a finished recording.
RunSummary summarize(const scene::Scene& scene, const record::Recording& recording,
                     const std::string& path);

// Lines "name  value" with the values under each other.
using NamedLines = std::vector<std::pair<std::string, std::string>>;
std::string lines_text(const NamedLines& lines);

// The audit for people and for programs.
NamedLines audit_lines(const world::Audit& audit);
void write_audit(JsonOut& out, const world::Audit& audit);

// The summary as a readable table, and as one JSON object on a line.
std::string summary_text(const RunSummary& summary);
std::string summary_json(const RunSummary& summary);

}  // namespace carom::cli
