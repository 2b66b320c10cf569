// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "carom/cli/body_states.h"
#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/event_blocks.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/json_out.h"
#include "carom/cli/option_checks.h"
#include "carom/cli/progress_bar.h"
#include "carom/cli/scene_source.h"
#include "carom/cli/summary.h"
#include "carom/cli/table.h"
#include "carom/record/recording.h"

namespace carom::cli {
namespace {

constexpr const char* k_info_help = R"(
What a recording was made of, how far it goes, what is in it, its audit, and a digest of all that is
recorded: equal for equal runs, cut short and resumed or not. --scene prints the scene file it holds.
With --json one object: recording, scene, folder, version, duration and time (s), finished, events,
impacts, micro, lasting (contacts that began to last), forces (intervals of their forces), segments,
lasting_segments, checkpoints, digest, settings, contacts, audit (as 'carom run' prints it; null until
finished), bodies [{name, material, segments, impacts, micro, lasting}]; with --states also states
[{body, position, orientation, velocity, angular_velocity, asleep}] at that time, as 'carom run'.
Exit codes: 0 done; 1 failed; 2 not a recording.)";

struct InfoOptions {
    std::string recording;
    bool json = false;
    bool scene = false;
    bool states = false;
    std::size_t bodies = 30;  // most in the table
};

struct BodyCounts {
    std::uint64_t segments = 0, impacts = 0, micro = 0, lasting = 0;
};

struct Counts {
    std::vector<BodyCounts> bodies;
    std::uint64_t impacts = 0, micro = 0, lasting = 0, sleeps = 0, wakes = 0;
};

Counts count(const record::Recording& recording) {
    Counts counts;
    counts.bodies.resize(recording.header().body_names.size());
    for_each_event(recording, [&](const world::Event& event) {
        const auto both = [&](std::uint64_t BodyCounts::*member) {
            ++(counts.bodies[event.a].*member);
            if (event.b != world::k_no_body) ++(counts.bodies[event.b].*member);
        };
        switch (event.kind) {
            case world::EventKind::impact:
                ++counts.impacts;
                both(&BodyCounts::impacts);
                break;
            case world::EventKind::micro:
                ++counts.micro;
                both(&BodyCounts::micro);
                break;
            case world::EventKind::sleep:
                ++counts.sleeps;
                break;
            case world::EventKind::wake:
                ++counts.wakes;
                break;
            case world::EventKind::lasting_begin:
                ++counts.lasting;
                both(&BodyCounts::lasting);
                break;
            case world::EventKind::lasting_end:
                break;
        }
    });
    for_each_segment(
        recording, [&](const world::Segment& segment) { ++counts.bodies[segment.body].segments; });
    return counts;
}

// Settings and laws are kept as JSON; null when somebody has spoilt them.
nlohmann::ordered_json parsed(const std::string& text) {
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    return json.is_discarded() ? nlohmann::ordered_json() : json;
}

std::string dumped(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// A setting for people: short numbers, and the unit of those that have one.
std::string setting_text(const std::string& name, const nlohmann::ordered_json& value) {
    std::string text;
    if (value.is_string()) {
        text = value.get<std::string>();
    } else if (value.is_number_float()) {
        text = short_number(value.get<double>());
    } else if (value.is_array()) {
        for (const auto& element : value)
            text += (text.empty() ? "" : ", ") + setting_text({}, element);
    } else {
        text = dumped(value);
    }
    if (name == "gravity") text += " m/s^2";
    if (name == "checkpoint") text += " s";
    return text;
}

std::vector<BodyState> recorded_states(const record::Recording& recording) {
    const record::Header& header = recording.header();
    return states_of(recording, world_of(scene_of(header), header));
}

std::string info_json(const InfoOptions& options, const record::Recording& recording) {
    const record::Header& header = recording.header();
    const record::Progress& progress = recording.progress();
    const Counts counts = count(recording);
    fmt::memory_buffer buffer;
    JsonOut out(buffer);
    out.begin();
    out.text("recording", options.recording);
    out.text("scene", header.scene_name);
    out.text("folder", header.scene_folder);
    out.text("version", header.version);
    out.number("duration", header.duration);
    out.number("time", progress.time);
    out.flag("finished", progress.finished);
    out.count("events", progress.events);
    out.count("impacts", counts.impacts);
    out.count("micro", counts.micro);
    out.count("lasting", counts.lasting);
    out.count("forces", progress.forces);
    out.count("segments", progress.segments);
    out.count("lasting_segments", progress.lasting);
    out.count("checkpoints", progress.checkpoints);
    out.text("digest", fmt::format("{:016x}", recording.digest()));
    out.json("settings", dumped(parsed(recording.settings())));
    out.json("contacts", dumped(parsed(recording.contacts())));
    if (recording.audit()) {
        write_audit(out, *recording.audit());
    } else {
        out.null("audit");
    }
    out.begin_list("bodies");
    for (std::size_t i = 0; i < header.body_names.size(); ++i) {
        out.begin();
        out.text("name", header.body_names[i]);
        out.text("material", header.body_materials[i]);
        out.count("segments", counts.bodies[i].segments);
        out.count("impacts", counts.bodies[i].impacts);
        out.count("micro", counts.bodies[i].micro);
        out.count("lasting", counts.bodies[i].lasting);
        out.end();
    }
    out.end_list();
    if (options.states) write_states(out, recorded_states(recording));
    out.end();
    out.end_line();
    return fmt::to_string(buffer);
}

std::string body_table(const InfoOptions& options, const record::Header& header,
                       const Counts& counts) {
    Table table({"body", "material", "segments", "impacts", "micro", "lasting"});
    const std::size_t shown = std::min(options.bodies, header.body_names.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const BodyCounts& body = counts.bodies[i];
        table.add({header.body_names[i], header.body_materials[i], grouped(body.segments),
                   grouped(body.impacts), grouped(body.micro), grouped(body.lasting)});
    }
    std::string text = table.text();
    if (shown < header.body_names.size()) {
        text += fmt::format("and {} more bodies; --bodies N shows more\n",
                            grouped(header.body_names.size() - shown));
    }
    return text;
}

std::string info_text(const InfoOptions& options, const record::Recording& recording) {
    const record::Header& header = recording.header();
    const record::Progress& progress = recording.progress();
    const Counts counts = count(recording);
    NamedLines lines;
    lines.emplace_back("recording", options.recording);
    lines.emplace_back("scene", header.scene_name);
    lines.emplace_back("made by", "carom " + header.version);
    lines.emplace_back("simulated",
                       progress.finished
                           ? fmt::format("{} s, finished", short_number(progress.time))
                           : fmt::format("{} s of {} s; 'carom resume' {}",
                                         short_number(progress.time), short_number(header.duration),
                                         progress.checkpoints > 0 ? "goes on" : "begins again"));
    lines.emplace_back("events",
                       fmt::format("{}: {}, {}, {}, {} sleep, {} wake", grouped(progress.events),
                                   counted(counts.impacts, "impact", "impacts"),
                                   counted(counts.micro, "micro-collision", "micro-collisions"),
                                   counted(counts.lasting, "lasting contact", "lasting contacts"),
                                   grouped(counts.sleeps), grouped(counts.wakes)));
    lines.emplace_back("motion segments",
                       fmt::format("{}, {} of them in lasting contact", grouped(progress.segments),
                                   grouped(progress.lasting)));
    lines.emplace_back("contact forces", counted(progress.forces, "interval", "intervals"));
    lines.emplace_back("checkpoints", grouped(progress.checkpoints));
    lines.emplace_back("digest", fmt::format("{:016x}", recording.digest()));
    const nlohmann::ordered_json settings = parsed(recording.settings());
    if (settings.is_object()) {
        for (const auto& [name, value] : settings.items())
            lines.emplace_back(name, setting_text(name, value));
    }
    if (recording.audit()) {
        for (auto& line : audit_lines(*recording.audit()))
            lines.push_back(std::move(line));
    }
    std::string text = lines_text(lines) + "\n" + body_table(options, header, counts);
    if (options.states) {
        text += fmt::format("\nat {}:\n{}", seconds_text(progress.time),
                            states_text(recorded_states(recording)));
    }
    return text;
}

int info(const InfoOptions& options) {
    const record::Recording recording = open_recording(options.recording);
    if (options.scene) {
        fmt::print("{}", recording.header().scene_text);
    } else {
        fmt::print("{}",
                   options.json ? info_json(options, recording) : info_text(options, recording));
    }
    return k_done;
}

}  // namespace

void add_info(CLI::App& app, int& code) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand("info", "What a recording is and holds");
    command->add_option("REC", options->recording, "The recording")->required();
    CLI::Option* json = command->add_flag("--json", options->json, "As one JSON object");
    CLI::Option* scene =
        command->add_flag("--scene", options->scene, "Only the scene file in it")->excludes(json);
    command
        ->add_flag("--states", options->states,
                   "Also every body's state at the end, or at the last committed time")
        ->excludes(scene);
    command->add_option("--bodies", options->bodies, "Most bodies in the table")
        ->check(whole_number)
        ->type_name("N")
        ->capture_default_str();
    command->footer(k_info_help);
    command->callback(
        [options, &code] { code = guarded("carom info", [&] { return info(*options); }); });
}

}  // namespace carom::cli
