// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/json_out.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"
#include "carom/cli/progress_bar.h"
#include "carom/cli/table.h"
#include "carom/scene/built_in.h"

namespace carom::cli {
namespace {

constexpr const char* k_scenes_help = R"(
The built-in scenes: their names, titles, and what should be seen when they run. 'carom run NAME',
'carom view NAME' and 'carom check NAME' take these names from any folder; a file of the same name
comes first. 'carom scenes NAME' prints the TOML text of one, to begin a scene of your own with:
  carom scenes bounce > my.toml
A scene that names meshes finds them only under its built-in name.
With --json a list of objects: name, title, expect, duration (s), bodies (how many); for one scene
the object alone, with its text.
Exit codes: 0 done; 1 failed; 2 there is no such scene.)";

struct ScenesOptions {
    std::string name;
    bool json = false;
};

// What is said of a scene.
struct Listed {
    std::string_view name, text;
    std::string title, expect;
    double duration;
    std::size_t bodies;
};

Listed listed(const scene::BuiltIn& built_in) {
    const scene::Scene scene = scene::read_built_in(built_in.name);
    return {built_in.name, built_in.text,  scene.title,
            scene.expect,  scene.duration, scene.bodies.size()};
}

void write(JsonOut& out, const Listed& scene, bool with_text) {
    out.begin();
    out.text("name", scene.name);
    out.text("title", scene.title);
    out.text("expect", scene.expect);
    out.number("duration", scene.duration);
    out.count("bodies", scene.bodies);
    if (with_text) out.text("text", scene.text);
    out.end();
}

const scene::BuiltIn& find(const std::string& name) {
    if (const scene::BuiltIn* found = scene::find_built_in(name)) return *found;
    std::vector<std::string> names;
    for (const scene::BuiltIn& one : scene::built_in_scenes())
        names.emplace_back(one.name);
    refuse(fmt::format("there is no built-in scene {}{}", in_quotes(name),
                       which_there_are(name, names, "scenes")));
}

int print_one(const ScenesOptions& options) {
    const scene::BuiltIn& found = find(options.name);
    if (!options.json) {
        fmt::print("{}", found.text);
        return k_done;
    }
    fmt::memory_buffer buffer;
    JsonOut out(buffer);
    write(out, listed(found), true);
    out.end_line();
    fmt::print("{}", fmt::to_string(buffer));
    return k_done;
}

int print_all(const ScenesOptions& options) {
    fmt::memory_buffer buffer;
    JsonOut out(buffer);
    std::string text;
    out.begin_list();
    for (const scene::BuiltIn& one : scene::built_in_scenes()) {
        const Listed scene = listed(one);
        if (options.json) {
            write(out, scene, false);
            continue;
        }
        text += fmt::format("{}: {} ({}, {})\n", scene.name, scene.title,
                            seconds_text(scene.duration), counted(scene.bodies, "body", "bodies"));
        if (!scene.expect.empty()) text += fmt::format("  expect: {}\n", scene.expect);
    }
    out.end_list();
    out.end_line();
    fmt::print("{}", options.json ? fmt::to_string(buffer)
                                  : text +
                                        "\n'carom scenes NAME' prints one as TOML; 'carom view "
                                        "NAME' shows it.\n");
    return k_done;
}

}  // namespace

void add_scenes(CLI::App& app, int& code) {
    const auto options = std::make_shared<ScenesOptions>();
    CLI::App* command =
        app.add_subcommand("scenes", "Lists the built-in scenes, or prints one as TOML");
    command->add_option("NAME", options->name, "Print this scene as TOML");
    command->add_flag("--json", options->json, "As JSON");
    command->footer(k_scenes_help);
    command->callback([options, &code] {
        code = guarded("carom scenes", [&] {
            return options->name.empty() ? print_all(*options) : print_one(*options);
        });
    });
}

}  // namespace carom::cli
