// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/recorded_run.h"

#include <fmt/format.h>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/simulation.h"
#include "carom/cli/table.h"

namespace carom::cli {
namespace {

Simulated simulate_into(world::World& world, record::Writer& writer, double duration,
                        const RecordedRunOptions& options) {
    try {
        return simulate(world, duration, &writer, !options.quiet);
    } catch (const record::RecordError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        // refused before it began
        writer.discard();
        refuse(error.what());
    } catch (const std::runtime_error& error) {
        // a jam: what came before it is worth keeping
        const double t = world.time();
        writer.commit(t);
        give_up(fmt::format("the run failed after {}: {}; {} has what came before", seconds_text(t),
                            error.what(), options.unfinished));
    }
}

}  // namespace

int recorded_run(const scene::Scene& scene, world::World& world, record::Writer& writer,
                 double duration, const RecordedRunOptions& options) {
    const std::string finished_path = writer.path().string();
    try {
        const Simulated done = simulate_into(world, writer, duration, options);
        if (done.abandoned) {
            writer.leave();
            give_up(stopped_text(options.unfinished, ", inside an event that took long"));
        }
        RunSummary summary = summarize(scene, world, duration, done.wall,
                                       done.finished ? finished_path : options.unfinished);
        if (options.states) summary.states = states_of(world);
        if (done.finished) {
            writer.finish(duration, summary.audit, world.tally());
        } else {
            writer.leave();
        }
        print_summary(summary, options.json, options.quiet);
        check_promises(summary, options.strict);
        if (done.finished) return k_done;
        give_up(stopped_text(options.unfinished));
    } catch (const record::RecordError& error) {
        // it could be written to when the run began: the disk is full, or worse
        give_up(
            fmt::format("{}; what was written before is kept; when the file can be written again, "
                        "'carom resume {}' goes on",
                        error.what(), options.unfinished));
    }
}

std::string stopped_text(const std::string& unfinished, const char* how) {
    const record::Recording recording(unfinished);
    const record::Recording::Checkpoint last = recording.last_checkpoint();
    std::string text =
        fmt::format("stopped at {} of {}{}; ", seconds_text(recording.progress().time),
                    seconds_text(recording.header().duration), how);
    if (last.bytes.empty()) {
        return text + fmt::format(
                          "there is no checkpoint yet, so that 'carom resume {}' begins again; "
                          "'checkpoint' in a scene says how far apart they are",
                          unfinished);
    }
    return text +
           fmt::format("'carom resume {}' goes on from {}", unfinished, seconds_text(last.t));
}

void check_promises(const RunSummary& summary, bool strict) {
    if (!strict || summary.broken_promises.empty()) return;
    std::string text = "a promise is broken: ";
    for (const std::string& broken : summary.broken_promises)
        text += (&broken == &summary.broken_promises.front() ? "" : "; ") + broken;
    give_up(text);
}

void print_summary(const RunSummary& summary, bool json, bool quiet) {
    if (json) {
        fmt::print("{}", summary_json(summary));
    } else if (!quiet) {
        fmt::print("{}", summary_text(summary));
    }
}

}  // namespace carom::cli
