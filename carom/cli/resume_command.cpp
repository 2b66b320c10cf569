// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/option_checks.h"
#include "carom/cli/recorded_run.h"
#include "carom/cli/say.h"
#include "carom/cli/scene_source.h"
#include "carom/cli/summary.h"
#include "carom/cli/table.h"
#include "carom/record/header.h"

namespace carom::cli {
namespace {

constexpr const char* k_resume_help = R"(
Continues from the recording's last checkpoint to the end of its scene: bit for bit what a run that
never stopped would have recorded. Without a checkpoint it starts again. A finished recording is left
as it is, and its summary is printed.
Prints what 'carom run' prints; --json and --states as there.
Exit codes: 0 done, or nothing to do; 1 stopped or failed; 2 the recording cannot go on.)";

struct ResumeOptions {
    std::string recording;
    bool json = false;
    bool quiet = false;
    bool states = false;
    int threads = world::Settings{}.threads;
};

int resume(const ResumeOptions& options) {
    record::Header header;
    std::string settings;
    record::Recording::Checkpoint checkpoint;
    {
        // closed before it is written to
        const record::Recording recording = open_recording(options.recording);
        if (recording.progress().finished) {
            const scene::Scene scene = scene_of(recording.header());
            RunSummary summary = summarize(scene, recording, options.recording);
            if (options.states)
                summary.states = states_of(recording, world_of(scene, recording.header()));
            print_summary(summary, options.json, options.quiet);
            if (!options.quiet) {
                say("{}: is finished; there is nothing to do\n", options.recording);
            }
            return k_done;
        }
        header = recording.header();
        settings = recording.settings();
        checkpoint = recording.last_checkpoint();
    }
    scene::Scene scene = scene_of(header);
    // the interval between checkpoints depends on the duration that was asked for
    if (const auto interval = recorded_checkpoint(settings)) scene.settings.checkpoint = *interval;
    scene.settings.threads = options.threads;
    world::World world = world_of(scene, header);
    // what a scene leaves out may mean something else to another version
    const std::string now = record::settings_text(world.settings());
    if (now != settings) {
        refuse(
            fmt::format("{}: was recorded with the settings {}; here its scene has {}. Say those "
                        "of the recording in the scene, and run it anew",
                        options.recording, settings, now));
    }
    if (!checkpoint.bytes.empty()) {
        try {
            world.restore(checkpoint.bytes);
        } catch (const std::invalid_argument& error) {
            refuse(fmt::format("{}: its checkpoint at {} does not fit the scene in it: {}",
                               options.recording, seconds_text(checkpoint.t), error.what()));
        }
    }
    record::Writer writer = record::Writer::resume(options.recording);
    if (!options.quiet && !options.json) {
        if (checkpoint.bytes.empty()) {
            fmt::print("there is no checkpoint: beginning again\n");
        } else {
            fmt::print("going on from {} of {}\n", seconds_text(world.time()),
                       seconds_text(header.duration));
        }
        flush_output();
    }
    return recorded_run(scene, world, writer, header.duration,
                        {options.recording, options.json, options.quiet, options.states});
}

}  // namespace

void add_resume(CLI::App& app, int& code) {
    const auto options = std::make_shared<ResumeOptions>();
    CLI::App* command =
        app.add_subcommand("resume", "Continues a recording from its last checkpoint");
    command->add_option("REC", options->recording, "The recording")->required();
    command->add_flag("--json", options->json, "The summary as one JSON object");
    command->add_flag("--states", options->states, "The summary with every body's final state");
    command
        ->add_option("--threads", options->threads,
                     "Threads that large piles may use; the result has the same bits with any")
        ->type_name("N")
        ->check(thread_count)
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "No progress; without --json no summary either");
    command->footer(k_resume_help);
    command->callback(
        [options, &code] { code = guarded("carom resume", [&] { return resume(*options); }); });
}

}  // namespace carom::cli
