// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/json_out.h"
#include "carom/cli/progress_bar.h"
#include "carom/cli/summary.h"
#include "carom/cli/table.h"
#include "carom/scene/scene.h"

namespace carom::cli {
namespace {

constexpr const char* k_check_help = R"(
SCENE is a TOML file (docs/scenes.md says what may stand in it) or the name of a built-in scene
('carom scenes' lists them). All problems are reported at once, on standard error, as
file:line:column: message. For a scene without problems it prints a summary, and the law and the
parameters of each pair of materials that can meet.
With --json one object: scene, right, problems [{line, column, message}]; without problems also
title, expect, duration (s), contact, multiple, gravity (m/s^2), bodies, moving, fixed, mass (kg),
materials (bodies of each), contacts [{materials, law, parameters}].
Exit codes: 0 the scene is right; 1 it could not be checked; 2 it is wrong.)";

struct CheckOptions {
    std::string scene;
    bool json = false;
};

// Two materials of bodies that could meet, and what happens then.
struct MeetingPair {
    std::string a, b;
    const world::ContactLaw* law;
};

std::vector<MeetingPair> meeting_pairs(const world::World& world) {
    const world::Contacts& contacts = world.contacts();
    std::vector<std::size_t> all(contacts.material_count(), 0), moving = all;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        ++all[body.material];
        if (!body.fixed) ++moving[body.material];
    }
    std::vector<MeetingPair> pairs;
    for (world::MaterialId a = 0; a < all.size(); ++a) {
        for (world::MaterialId b = a; b < all.size(); ++b) {
            const bool meet = a == b ? moving[a] > 0 && all[a] > 1
                                     : all[a] > 0 && all[b] > 0 && moving[a] + moving[b] > 0;
            if (meet) pairs.push_back({contacts.name(a), contacts.name(b), contacts.find(a, b)});
        }
    }
    return pairs;
}

std::string parameter_text(const impact::LawParameters& given, const impact::ParameterInfo& info) {
    switch (info.kind) {
        case impact::ParameterKind::number:
            return fmt::format("{}", *given.number(info.id));
        case impact::ParameterKind::vector:
            return fmt::format("[{}, {}, {}]", given.P->x(), given.P->y(), given.P->z());
        case impact::ParameterKind::termination:
            return impact::termination_name(*given.termination);
        case impact::ParameterKind::boolean:
            return *given.reversal ? "true" : "false";
        case impact::ParameterKind::law:
            return std::string(impact::law_info(*given.fallback).name);
    }
    return {};
}

std::string parameters_text(const impact::LawParameters& given) {
    std::string text;
    for (const impact::ParameterInfo& info : impact::parameters()) {
        if (!given.has(info.id)) continue;
        if (!text.empty()) text += ", ";
        text += fmt::format("{} = {}", info.name, parameter_text(given, info));
    }
    return text;
}

// The spring that a contact has where many are resolved as `coupled`.
std::string spring_text(const world::ContactLaw& law) {
    return fmt::format("stiffness = {}, power = {}", law.stiffness, law.power);
}

void write_parameters(JsonOut& out, const impact::LawParameters& given) {
    out.begin("parameters");
    for (const impact::ParameterInfo& info : impact::parameters()) {
        if (!given.has(info.id)) continue;
        if (info.kind == impact::ParameterKind::number) {
            out.number(info.name, *given.number(info.id));
        } else if (info.kind == impact::ParameterKind::vector) {
            out.vector(info.name, *given.P);
        } else if (info.kind == impact::ParameterKind::boolean) {
            out.flag(info.name, *given.reversal);
        } else {
            out.text(info.name, parameter_text(given, info));
        }
    }
    out.end();
}

struct Counts {
    std::size_t moving = 0, fixed = 0;
    double mass = 0.0;                             // of all that moves, kg
    std::map<std::string, std::size_t> materials;  // bodies of each
};

Counts count(const world::World& world) {
    Counts counts;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        ++(body.fixed ? counts.fixed : counts.moving);
        counts.mass += body.mass;
        ++counts.materials[world.contacts().name(body.material)];
    }
    return counts;
}

std::string good_text(const scene::Scene& scene, const world::World& world) {
    const Counts counts = count(world);
    const Vec3& g = scene.settings.gravity;
    std::string materials;
    for (const auto& [name, number] : counts.materials) {
        if (!materials.empty()) materials += ", ";
        materials += fmt::format("{} ({})", name, grouped(number));
    }
    std::string text = fmt::format("{}: the scene is right\n", scene.name);
    if (!scene.title.empty()) text += scene.title + "\n";
    if (!scene.expect.empty()) text += "expect: " + scene.expect + "\n";
    text +=
        "\n" + lines_text({
                   {"duration", short_number(scene.duration) + " s"},
                   {"contact", std::string(world::name_of(scene.settings.contact))},
                   {"multiple", std::string(impact::multiple_info(scene.settings.multiple).name)},
                   {"gravity", fmt::format("{}, {}, {} m/s^2", short_number(g.x()),
                                           short_number(g.y()), short_number(g.z()))},
                   {"bodies", fmt::format("{} that move ({} kg), {} fixed", grouped(counts.moving),
                                          short_number(counts.mass), grouped(counts.fixed))},
                   {"materials", materials},
               });
    const std::vector<MeetingPair> pairs = meeting_pairs(world);
    if (pairs.empty()) return text + "\nNo two bodies of this scene can meet.\n";
    Table table({"materials", "law", "parameters"});
    const bool springs = scene.settings.multiple == impact::MultipleId::coupled;
    for (const MeetingPair& pair : pairs) {
        std::string parameters = pair.law ? parameters_text(pair.law->parameters) : "-";
        if (pair.law && springs) parameters += ", " + spring_text(*pair.law);
        table.add({pair.a + " on " + pair.b,
                   pair.law ? std::string(impact::law_info(pair.law->law).name) : "-", parameters});
    }
    return text + "\n" + table.text();
}

std::string good_json(const scene::Scene& scene, const world::World& world) {
    const Counts counts = count(world);
    fmt::memory_buffer buffer;
    JsonOut out(buffer);
    out.begin();
    out.text("scene", scene.name);
    out.flag("right", true);
    out.text("title", scene.title);
    out.text("expect", scene.expect);
    out.number("duration", scene.duration);
    out.text("contact", world::name_of(scene.settings.contact));
    out.text("multiple", impact::multiple_info(scene.settings.multiple).name);
    out.vector("gravity", scene.settings.gravity);
    out.count("bodies", world.body_count());
    out.count("moving", counts.moving);
    out.count("fixed", counts.fixed);
    out.number("mass", counts.mass);
    out.begin("materials");
    for (const auto& [name, number] : counts.materials)
        out.count(name, number);
    out.end();
    out.begin_list("contacts");
    for (const MeetingPair& pair : meeting_pairs(world)) {
        out.begin();
        out.begin_list("materials");
        out.element(pair.a);
        out.element(pair.b);
        out.end_list();
        if (pair.law) {
            out.text("law", impact::law_info(pair.law->law).name);
            write_parameters(out, pair.law->parameters);
            if (scene.settings.multiple == impact::MultipleId::coupled) {
                out.number("stiffness", pair.law->stiffness);
                out.number("power", pair.law->power);
            }
        }
        out.end();
    }
    out.end_list();
    out.begin_list("problems");
    out.end_list();
    out.end();
    out.end_line();
    return fmt::to_string(buffer);
}

std::string bad_json(const std::string& name, const scene::SceneError& error) {
    fmt::memory_buffer buffer;
    JsonOut out(buffer);
    out.begin();
    out.text("scene", name);
    out.flag("right", false);
    out.begin_list("problems");
    for (const scene::Problem& problem : error.problems()) {
        out.begin();
        out.count("line", static_cast<std::uint64_t>(problem.line));
        out.count("column", static_cast<std::uint64_t>(problem.column));
        out.text("message", problem.message);
        out.end();
    }
    out.end_list();
    out.end();
    out.end_line();
    return fmt::to_string(buffer);
}

int check(const CheckOptions& options) {
    try {
        const scene::Scene scene = open_scene(options.scene);
        const world::World world = scene::make_world(scene);
        fmt::print("{}", options.json ? good_json(scene, world) : good_text(scene, world));
        return k_done;
    } catch (const scene::SceneError& error) {
        if (options.json) fmt::print("{}", bad_json(options.scene, error));
        throw;
    }
}

}  // namespace

void add_check(CLI::App& app, int& code) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* command =
        app.add_subcommand("check", "Reports everything that is wrong with a scene");
    command->add_option("SCENE", options->scene, "A TOML file, or the name of a built-in scene")
        ->required();
    command->add_flag("--json", options->json, "As one JSON object");
    command->footer(k_check_help);
    command->callback(
        [options, &code] { code = guarded("carom check", [&] { return check(*options); }); });
}

}  // namespace carom::cli
