// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/output_file.h"
#include "carom/cli/progress_bar.h"
#include "carom/cli/recorded_run.h"
#include "carom/cli/say.h"
#include "carom/cli/scene_source.h"
#include "carom/cli/served_page.h"
#include "carom/cli/table.h"
#include "carom/scene/built_in.h"
#include "carom/serve/gallery.h"
#include "carom/serve/session.h"

namespace carom::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_view_help = R"(
Opens the viewer in the browser. A recording is played as it is; one that another program is still
writing is followed. A scene (a TOML file or the name of a built-in one) is simulated and shown
while it runs; with -o it is recorded too, as by 'carom run'. Two of them are shown side by side,
linked in time and view. Without any, the page is a gallery of the built-in scenes, which run
at a click. Prints the address and serves it until Ctrl-C, which also stops the run, to your own
machine only unless --host says otherwise.
Exit codes: 0 ended; 1 failed, or the run was stopped before its end; 2 the recording, the scene or
the call is wrong, or the port is taken.)";

struct ViewOptions {
    std::vector<std::string> inputs;
    std::string output;
    bool force = false;
    std::optional<double> duration;
    ServeOptions serve;
};

std::shared_ptr<serve::Session> session_of_recording(const std::string& input) {
    const record::Header header = open_recording(input).header();
    scene::Scene scene = scene_of(header);
    world::World world = world_of(scene, header);
    return serve::Session::of_recording(input, std::move(scene), std::move(world));
}

int view_recording(const ViewOptions& options) {
    if (!options.output.empty() || options.force || options.duration)
        refuse("-o, --force and --duration are for scenes; this is a recording");
    serve::Shown shown;
    shown.session = session_of_recording(options.inputs.front());
    serve_until_stopped(built_in_pages(), shown, "", options.serve, [] {});
    return k_done;
}

std::optional<record::Writer> writer_for(const ViewOptions& options, const scene::Scene& scene,
                                         const record::Header& header) {
    if (options.output.empty()) return {};
    check_new_file(options.output, options.force, options.inputs.front());
    record::Writer::Options writing;
    writing.force = options.force;
    return record::Writer(options.output, header, scene::make_world(scene), writing);
}

// How it ended, after everything was stopped.
int tell_end(const serve::RunStatus& status, const ViewOptions& options, double duration) {
    if (!status.error.empty())
        give_up(fmt::format("the run failed after {}: {}", seconds_text(status.end), status.error));
    if (status.finished) return k_done;
    if (options.output.empty())
        give_up(
            fmt::format("stopped at {} of {}", seconds_text(status.end), seconds_text(duration)));
    const std::string part = options.output + ".part";
    give_up(stopped_text(fs::exists(part) ? part : options.output));
}

// Begins to run a scene, into a recording where a writer is wanted.
std::shared_ptr<serve::Session> run_scene(scene::Scene scene, const ViewOptions& options) {
    const double duration = options.duration.value_or(scene.duration);
    set_run_time(scene, duration);
    const record::Header header = header_of(scene, scene::make_world(scene), duration);
    std::optional<record::Writer> writer = writer_for(options, scene, header);
    try {
        return serve::Session::of_scene(std::move(scene), header, std::move(writer));
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
    }
}

void check_scene_options(const ViewOptions& options) {
    if (options.duration && !(*options.duration > 0.0 && std::isfinite(*options.duration)))
        refuse("--duration must be a number of seconds above 0");
    if (options.force && options.output.empty())
        refuse("--force goes with -o: without it nothing is written");
}

int view_scene(const ViewOptions& options) {
    check_scene_options(options);
    scene::Scene scene = scene::read_scene(options.inputs.front());
    const double duration = options.duration.value_or(scene.duration);
    const serve::Pages pages = built_in_pages();
    serve::Shown shown;
    shown.session = run_scene(std::move(scene), options);
    serve::Session& session = *shown.session;
    std::optional<ProgressBar> bar(std::in_place, 0.0, duration, 0, !options.serve.json);
    serve_until_stopped(pages, shown, "", options.serve, [&] {
        if (!bar) return;
        const serve::RunStatus status = session.data()->status();
        if (status.running) {
            bar->update(status.end, status.rows[0]);
        } else {
            bar.reset();
            if (!status.error.empty())
                say("the run failed after {}: {}\n", seconds_text(status.end), status.error);
        }
    });
    bar.reset();
    session.stop();
    return tell_end(session.data()->status(), options, duration);
}

// Two runs beside each other.
int view_two(const ViewOptions& options) {
    if (!options.output.empty() || options.force)
        refuse("-o and --force are for one scene; record each with 'carom run' first");
    check_scene_options(options);
    bool any_scene = false;
    for (const std::string& input : options.inputs)
        any_scene = any_scene || !is_taken_as_recording(input);
    if (options.duration && !any_scene) refuse("--duration is for scenes; these are recordings");
    const serve::Pages pages = built_in_pages();
    serve::Shown shown;
    for (const std::string& input : options.inputs) {
        shown.compared.push_back({input, is_taken_as_recording(input)
                                             ? session_of_recording(input)
                                             : run_scene(scene::read_scene(input), options)});
    }
    serve_until_stopped(pages, shown, "", options.serve, [] {});
    for (const serve::Shown::Compared& one : shown.compared)
        one.session->stop();
    return k_done;
}

int view_gallery(const ViewOptions& options) {
    if (!options.output.empty() || options.force || options.duration)
        refuse("-o, --force and --duration are for a scene; name one");
    serve::Shown shown;
    shown.gallery = std::make_shared<serve::Gallery>([&options](const std::string& name) {
        return run_scene(scene::read_built_in(name), options);
    });
    serve_until_stopped(built_in_pages(), shown, "", options.serve, [] {});
    shown.gallery->stop();
    return k_done;
}

int view(const ViewOptions& options) {
    if (options.inputs.empty()) return view_gallery(options);
    if (options.inputs.size() == 2) return view_two(options);
    return is_taken_as_recording(options.inputs.front()) ? view_recording(options)
                                                         : view_scene(options);
}

}  // namespace

void add_view(CLI::App& app, int& code) {
    const auto options = std::make_shared<ViewOptions>();
    CLI::App* command = app.add_subcommand(
        "view", "A scene, a recording, two side by side, or the gallery, in the browser");
    command
        ->add_option("REC|SCENE", options->inputs,
                     "A recording, a TOML file, or the name of a built-in scene; two are shown "
                     "side by side; without any, a gallery of the built-in scenes")
        ->expected(0, 2);
    command->add_option("-o,--output", options->output, "Record the scene here too")
        ->type_name("FILE");
    command->add_flag("--force", options->force,
                      "Replace a recording that exists, once the new one is whole");
    command
        ->add_option("--duration", options->duration,
                     "Simulated time, instead of the scene's own duration")
        ->type_name("SECONDS");
    add_serve_options(*command, options->serve);
    command->footer(k_view_help);
    command->callback(
        [options, &code] { code = guarded("carom view", [&] { return view(*options); }); });
}

}  // namespace carom::cli
