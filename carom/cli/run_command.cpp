// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/option_checks.h"
#include "carom/cli/output_file.h"
#include "carom/cli/recorded_run.h"
#include "carom/cli/scene_source.h"
#include "carom/cli/simulation.h"
#include "carom/cli/stop_signal.h"
#include "carom/cli/summary.h"
#include "carom/cli/table.h"

namespace carom::cli {
namespace {

constexpr const char* k_run_help = R"(
SCENE is a TOML file (docs/scenes.md) or the name of a built-in scene ('carom scenes' lists them).
The recording holds all that happened: look at it with 'carom view', 'carom info', 'carom events' and
'carom sample'. It is written during the run; 'carom resume' continues one that was interrupted.
Ctrl-C or SIGTERM stops the run within a second and keeps what was recorded. Checkpoints, from which
'carom resume' goes on, are a twentieth of the simulated time apart, unless the scene says otherwise
with 'checkpoint'; before the first one it begins again, to the same bits.
With --json the result is one object: scene, title, expect, duration and time (s: asked for, reached),
finished, wall (s), events, impacts, micro, pile_restitutions (impacts in piles that were not by
law), substituted (impacts resolved in sequence although the scene asks for another method), bodies,
moving, asleep, audit {energy_start, energy_end, energy_lost, energy_gained, energy_driven,
energy_residual (J), momentum_residual, momentum_scale (N s), max_overlap (m), force_work_residual,
force_work_scale (J)}, broken_promises, recording; with --states also states [{body, position (m),
orientation [w,x,y,z], velocity (m/s), angular_velocity (rad/s), asleep}] at that time: position and
orientation of the shape's frame, velocity of the centre of mass, in the world frame.
A run that breaks a promise says so: energy gained without a driver by more than 1e-3 of what was
turned over, an overlap of more than 1e-3 of the smallest body's radius, balances of energy and
momentum off by more than 1e-9; with --strict it then exits with 1.
Exit codes: 0 done; 1 stopped or failed; 2 the scene or the call is wrong.)";

struct RunCommandOptions {
    std::string scene;
    std::string recording;
    bool force = false;
    bool no_recording = false;
    std::optional<double> duration;
    bool json = false;
    bool quiet = false;
    bool states = false;
    bool strict = false;
    int threads = world::Settings{}.threads;
};

std::string default_recording(const std::string& scene) {
    return std::filesystem::path(scene).stem().string() + ".carom";
}

int run_without_recording(const scene::Scene& scene, world::World& world, double duration,
                          const RunCommandOptions& options) {
    const Simulated done = simulate(world, duration, nullptr, !options.quiet);
    if (done.abandoned) {
        give_up(
            fmt::format("stopped at {} of {}, inside an event that took long; there is no "
                        "recording to go on from",
                        seconds_text(world.time()), seconds_text(duration)));
    }
    RunSummary summary = summarize(scene, world, duration, done.wall, {});
    if (options.states) summary.states = states_of(world);
    print_summary(summary, options.json, options.quiet);
    check_promises(summary, options.strict);
    if (done.finished) return k_done;
    give_up(fmt::format("stopped at {} of {}; there is no recording to go on from",
                        seconds_text(world.time()), seconds_text(duration)));
}

int run(const RunCommandOptions& options) {
    const std::string path =
        options.recording.empty() ? default_recording(options.scene) : options.recording;
    if (options.duration && !(*options.duration > 0.0 && std::isfinite(*options.duration))) {
        refuse("--duration must be a number of seconds above 0");
    }
    scene::Scene scene = open_scene(options.scene);
    // nothing is worse than to hear of it after the run
    if (!options.no_recording) check_new_file(path, options.force, options.scene);
    const double duration = options.duration.value_or(scene.duration);
    set_run_time(scene, duration);
    scene.settings.threads = options.threads;
    world::World world = scene::make_world(scene);
    if (options.no_recording) return run_without_recording(scene, world, duration, options);

    record::Writer::Options writing;
    writing.force = options.force;
    // the recording is made under another name first, which a signal must not leave behind
    const StopSignal stop;
    // an old recording stays until the new one is whole
    const std::string unfinished = std::filesystem::exists(path) ? path + ".part" : path;
    record::Writer writer(path, header_of(scene, world, duration), world, writing);
    return recorded_run(scene, world, writer, duration,
                        {unfinished, options.json, options.quiet, options.states, options.strict});
}

}  // namespace

void add_run(CLI::App& app, int& code) {
    const auto options = std::make_shared<RunCommandOptions>();
    CLI::App* command =
        app.add_subcommand("run", "Simulates a scene, writes a recording, prints the audit");
    command->add_option("SCENE", options->scene, "A TOML file, or the name of a built-in scene")
        ->required();
    CLI::Option* recording = command->add_option(
        "-o,--output", options->recording,
        "The recording (default: the scene's name with .carom, in the current folder)");
    recording->type_name("FILE");
    command->add_flag("--no-recording", options->no_recording, "Write none")->excludes(recording);
    command->add_flag("--force", options->force,
                      "Replace a recording that exists, once the new one is whole");
    command
        ->add_option("--duration", options->duration,
                     "Simulated time, instead of the scene's own duration")
        ->type_name("SECONDS");
    command->add_flag("--json", options->json, "The summary as one JSON object");
    command->add_flag("--states", options->states, "The summary with every body's final state");
    command->add_flag(
        "--strict", options->strict,
        "Exit with 1 when the run breaks a promise: energy gained, overlap, balances");
    command
        ->add_option("--threads", options->threads,
                     "Threads that large piles may use; the result has the same bits with any")
        ->type_name("N")
        ->check(thread_count)
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "No progress; without --json no summary either");
    command->footer(k_run_help);
    command->callback(
        [options, &code] { code = guarded("carom run", [&] { return run(*options); }); });
}

}  // namespace carom::cli
