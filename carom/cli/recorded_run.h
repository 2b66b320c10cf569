// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

#include "carom/cli/summary.h"
#include "carom/record/recording.h"
#include "carom/scene/scene.h"

namespace carom::cli {

struct RecordedRunOptions {
    std::string unfinished;  // where the recording is until it is finished
    bool json = false;
    bool quiet = false;
    bool states = false;  // the final states in the summary
    bool strict = false;  // a broken promise is a failure
};

// Runs the world to the end of its recording and prints the summary: the part that `carom run` and
// `carom resume` have in common. A run that is stopped by a signal or fails is committed as far as
// it came. Returns the exit code; throws CommandError.
int recorded_run(const scene::Scene& scene, world::World& world, record::Writer& writer,
                 double duration, const RecordedRunOptions& options);

// "stopped at 3 s of 10 s; 'carom resume x.carom' goes on from 2.5 s": until when a recording that
// was left unfinished tells what happened, and what can be done with it.
std::string stopped_text(const std::string& unfinished, const char* how = "");

// Fails when a promise is broken and that is not to be.
void check_promises(const RunSummary& summary, bool strict);

// On standard output; nothing when quiet and not JSON.
void print_summary(const RunSummary& summary, bool json, bool quiet);

}  // namespace carom::cli
