// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"
#include "carom/cli/output_file.h"
#include "carom/cli/sample_writer.h"
#include "carom/cli/scene_source.h"
#include "carom/cli/time_range.h"

namespace carom::cli {
namespace {

constexpr const char* k_sample_help = R"(
States of bodies at any times, computed from the recorded motions: exact, not interpolated. Give the
times with one of --at, --fps and --every; the last two go from --from to --to. At the very time of
an impact the state is the one after it.
position (m) and orientation [w,x,y,z] are those of the shape's frame, as in the scene; velocity (m/s)
is that of the centre of mass; angular_velocity is in rad/s; all in the world frame.
json: JSON Lines: t, body, position, orientation, velocity, angular_velocity.
csv: the same with a header line: t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz.
npz: arrays for numpy.load: t[T], bodies[B], position[T,B,3], orientation[T,B,4], velocity[T,B,3],
angular_velocity[T,B,3].
Without --format the ending of the file's name chooses: .json or .jsonl, .csv, .npz.
Exit codes: 0 done; 1 failed; 2 not a recording, or the call is wrong.)";

struct SampleOptions {
    std::string recording;
    WantedTimes times;
    std::optional<double> from, to;
    std::vector<std::string> bodies;
    std::string format;
    std::string output;
    bool json = false;
    bool force = false;
};

const std::vector<std::string> k_formats{"json", "csv", "npz"};
const std::vector<std::string> k_endings{".json", ".jsonl", ".csv", ".npz"};

// As asked for, or as the name of the file says.
SampleFormat format_of(const SampleOptions& options) {
    std::string name = options.json ? "json" : options.format;
    if (name.empty()) {
        const std::string ending = known_ending(
            options.output, k_endings, "--format says the format of a file with another ending");
        name = ending == ".csv" || ending == ".npz" ? ending.substr(1) : "json";
    }
    if (name == "json") return SampleFormat::json;
    if (name == "csv") return SampleFormat::csv;
    if (name != "npz") {
        refuse(fmt::format("unknown format {}{}", in_quotes(name),
                           which_there_are(name, k_formats, "formats")));
    }
    if (options.output.empty() || options.output == "-") {
        refuse("npz needs a file; give one with -o");
    }
    return SampleFormat::npz;
}

std::vector<world::BodyId> chosen_bodies(const SampleOptions& options,
                                         const record::Header& header) {
    std::vector<bool> chosen(header.body_names.size(), true);
    if (!options.bodies.empty()) chosen = chosen_names(options.bodies, header.body_names, "body");
    std::vector<world::BodyId> bodies;
    for (world::BodyId id = 0; id < chosen.size(); ++id) {
        if (chosen[id]) bodies.push_back(id);
    }
    return bodies;
}

int sample(const SampleOptions& options) {
    const SampleFormat format = format_of(options);
    if (!options.times.at.empty() && (options.from || options.to)) {
        refuse("--at says which times; --from and --to go with --fps and --every");
    }
    const record::Recording recording = open_recording(options.recording);
    const record::Header& header = recording.header();
    const record::Progress& progress = recording.progress();
    const TimeRange range = time_range(progress, options.from, options.to);
    const SampleTimes times(options.times, range, progress);
    const std::vector<world::BodyId> bodies = chosen_bodies(options, header);

    const scene::Scene scene = scene_of(header);
    const world::World world = world_of(scene, header);
    const record::Sampler sampler(world, recording.segments());
    OutputFile out(options.output, options.force, options.recording);
    write_samples(format, {world, sampler, times, bodies}, out);
    out.finish();
    return k_done;
}

}  // namespace

void add_sample(CLI::App& app, int& code) {
    const auto options = std::make_shared<SampleOptions>();
    CLI::App* command = app.add_subcommand("sample", "States of a recording at given times");
    command->add_option("REC", options->recording, "The recording")->required();
    CLI::Option* at = command->add_option("--at", options->times.at, "Times, as 0.5,1,2.5 (s)")
                          ->delimiter(',')
                          ->allow_extra_args(false)
                          ->type_name("T,...");
    CLI::Option* fps = command->add_option("--fps", options->times.fps, "So many times a second");
    fps->type_name("N");
    CLI::Option* every =
        command->add_option("--every", options->times.every, "Every so many seconds");
    every->type_name("SECONDS");
    fps->excludes(at)->excludes(every);
    every->excludes(at);
    command->add_option("--from", options->from, "The first time (default: 0)")
        ->type_name("SECONDS");
    command->add_option("--to", options->to, "Not after this time (default: the end)")
        ->type_name("SECONDS");
    command
        ->add_option("--body", options->bodies,
                     "Only this body, or those of a pattern as 'pin-*' (may be repeated)")
        ->allow_extra_args(false)
        ->type_name("NAME");
    CLI::Option* format =
        command->add_option("--format", options->format,
                            "json, csv or npz (default: as the file's name ends, else json)");
    format->type_name("FORMAT");
    command->add_flag("--json", options->json, "The same as --format json")->excludes(format);
    command->add_option("-o,--output", options->output, "A file instead of standard output")
        ->type_name("FILE");
    command->add_flag("--force", options->force, "Replace a file that exists");
    command->footer(k_sample_help);
    command->callback(
        [options, &code] { code = guarded("carom sample", [&] { return sample(*options); }); });
}

}  // namespace carom::cli
