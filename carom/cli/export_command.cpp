// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"
#include "carom/cli/output_file.h"
#include "carom/cli/progress_bar.h"
#include "carom/cli/sample_writer.h"
#include "carom/cli/scene_source.h"
#include "carom/cli/served_page.h"
#include "carom/cli/time_range.h"
#include "carom/record/export_gltf.h"
#include "carom/serve/description.h"
#include "carom/serve/html_page.h"
#include "carom/serve/recording_feed.h"

namespace carom::cli {
namespace {

constexpr const char* k_export_help = R"(
html: one self-contained page (.html) with the viewer and the whole recording in it, which works from
      disk, without a server or network.
gltf: an animated glTF 2.0 file for Blender and other 3D programs: .glb (binary), or .gltf when the
      file is called so. Keys are chosen so that, between them too, every point of a body stays
      within --tolerance of its true place.
csv:  states at --fps times a second (.csv), as 'carom sample' writes them.
Without -o the file has the recording's name with the format's ending; '-' is standard output.
It appears whole or not at all.
With --json the result is one object: output, format, and for gltf bodies, moving, keys, tolerance (m).
Exit codes: 0 done; 1 failed; 2 not a recording, or the call is wrong.)";

struct ExportOptions {
    std::string recording;
    std::string format;
    std::string output;
    std::optional<double> fps, from, until, tolerance;
    bool force = false;
    bool json = false;
};

constexpr const char* k_until = "--until";
const std::vector<std::string> k_formats{"html", "gltf", "csv"};

// That a file of this format may have; other programs go by it.
std::vector<std::string> endings_of(const std::string& format) {
    if (format == "html") return {".html", ".htm"};
    if (format == "gltf") return {".glb", ".gltf"};
    return {".csv"};
}

void check_options(const ExportOptions& options) {
    if (std::find(k_formats.begin(), k_formats.end(), options.format) == k_formats.end()) {
        refuse(fmt::format("unknown format {}{}", in_quotes(options.format),
                           which_there_are(options.format, k_formats, "formats")));
    }
    if (options.fps && options.format != "csv") refuse("--fps goes with csv");
    if (options.tolerance && options.format != "gltf") refuse("--tolerance goes with gltf");
    if (options.tolerance && !(*options.tolerance > 0.0 && *options.tolerance < 1e50))
        refuse("--tolerance must be a length above 0, in metres");
    if ((options.from || options.until) && options.format == "html")
        refuse("--from and --until go with csv and gltf; a page has the whole recording");
    known_ending(options.output, endings_of(options.format), "");
    if (options.json && options.output == "-")
        refuse("--json and '-o -' would both write to standard output");
}

std::string output_of(const ExportOptions& options) {
    if (!options.output.empty()) return options.output;
    const std::string ending = options.format == "gltf" ? "glb" : options.format;
    return std::filesystem::path(options.recording).filename().stem().string() + "." + ending;
}

// What was written, for people or programs.
void tell(const ExportOptions& options, const std::string& output, nlohmann::ordered_json more) {
    if (output == "-") return;
    if (options.json) {
        nlohmann::ordered_json json{{"output", output}, {"format", options.format}};
        json.update(more);
        fmt::print("{}\n",
                   json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else if (more.contains("keys")) {
        fmt::print("{}: {}, of which {} can move; {}, within {:.3g} m\n", output,
                   counted(more["bodies"].get<std::size_t>(), "body", "bodies"),
                   grouped(more["moving"].get<std::size_t>()),
                   counted(more["keys"].get<std::size_t>(), "key", "keys"),
                   more["tolerance"].get<double>());
    } else {
        fmt::print("{}\n", output);
    }
}

void export_html(const ExportOptions& options, const record::Recording& recording,
                 const scene::Scene& scene, const world::World& world, OutputFile& out) {
    const serve::Pages pages = built_in_pages();
    const auto run = std::make_shared<serve::RunData>(serve::describe_run(
        scene, world, recording.header(), recording.settings(), recording.contacts()));
    serve::RecordingFeed(options.recording, world, run).update();
    // the page is not to wait for more
    serve::RunStatus status = run->status();
    status.running = false;
    run->publish(status);
    try {
        serve::write_html_page(pages.viewer, *run,
                               [&out](std::string_view text) { out.write(text); });
    } catch (const serve::PageError& error) {
        give_up(fmt::format("{}: {}", options.recording, error.what()));
    }
}

nlohmann::ordered_json export_gltf(const ExportOptions& options, const std::string& output,
                                   const record::Recording& recording, const scene::Scene& scene,
                                   const world::World& world, OutputFile& out) {
    const TimeRange range = time_range(recording.progress(), options.from, options.until, k_until);
    record::GltfOptions wanted;
    wanted.from = range.from;
    wanted.to = range.to;
    wanted.tolerance = options.tolerance;
    wanted.binary = std::filesystem::path(output).extension() != ".gltf";
    wanted.title = scene.title.empty() ? scene.name : scene.title;
    std::ostringstream text;
    const record::GltfSummary made = record::write_gltf(world, recording.segments(), wanted, text);
    out.write(text.view());
    return {{"bodies", made.nodes},
            {"moving", made.moving},
            {"keys", made.keys},
            {"tolerance", made.tolerance}};
}

void export_csv(const ExportOptions& options, const record::Recording& recording,
                const world::World& world, OutputFile& out) {
    constexpr double k_fps = 60.0;
    const record::Progress& progress = recording.progress();
    WantedTimes wanted;
    wanted.fps = options.fps.value_or(k_fps);
    const SampleTimes times(wanted, time_range(progress, options.from, options.until, k_until),
                            progress);
    std::vector<world::BodyId> bodies(world.body_count());
    std::iota(bodies.begin(), bodies.end(), 0U);
    const record::Sampler sampler(world, recording.segments());
    write_samples(SampleFormat::csv, {world, sampler, times, bodies}, out);
}

int export_recording(const ExportOptions& options) {
    check_options(options);
    const record::Recording recording = open_recording(options.recording);
    if (recording.progress().segments == 0)
        refuse(fmt::format("{}: nothing has been recorded in it yet", options.recording));
    const scene::Scene scene = scene_of(recording.header());
    const world::World world = world_of(scene, recording.header());
    const std::string output = output_of(options);
    OutputFile out(output, options.force, options.recording);
    nlohmann::ordered_json more = nlohmann::ordered_json::object();
    if (options.format == "html") {
        export_html(options, recording, scene, world, out);
    } else if (options.format == "gltf") {
        more = export_gltf(options, output, recording, scene, world, out);
    } else {
        export_csv(options, recording, world, out);
    }
    out.finish();
    tell(options, output, std::move(more));
    return k_done;
}

}  // namespace

void add_export(CLI::App& app, int& code) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command =
        app.add_subcommand("export", "A recording as one page, as animated glTF or as CSV");
    command->add_option("REC", options->recording, "The recording")->required();
    command->add_option("--to", options->format, "html, gltf or csv")
        ->required()
        ->type_name("FORMAT");
    command
        ->add_option("-o,--output", options->output,
                     "The file (default: the recording's name with the format's ending)")
        ->type_name("FILE");
    command->add_option("--fps", options->fps, "csv: times a second (default: 60)")->type_name("N");
    command
        ->add_option("--tolerance", options->tolerance,
                     "gltf: how far a point of a body may be from its true place, in metres "
                     "(default: 1e-4 of the space in which bodies move, and at most a hundredth "
                     "of the smallest one's radius)")
        ->type_name("METRES");
    command->add_option("--from", options->from, "csv, gltf: the first time (default: 0)")
        ->type_name("SECONDS");
    command
        ->add_option("--until", options->until, "csv, gltf: not after this time (default: the end)")
        ->type_name("SECONDS");
    command->add_flag("--force", options->force, "Replace a file that exists");
    command->add_flag("--json", options->json, "What was written, as one JSON object");
    command->footer(k_export_help);
    command->callback([options, &code] {
        code = guarded("carom export", [&] { return export_recording(*options); });
    });
}

}  // namespace carom::cli
