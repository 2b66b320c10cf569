// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <system_error>
#include <utility>

#include "carom/scene/body_reader.h"
#include "carom/scene/contact_reader.h"
#include "carom/scene/fields.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_checks.h"
#include "carom/scene/swarm_reader.h"
#include "carom/scene/toml_depth.h"
#include "carom/scene/words.h"
#include "carom/shape/describe.h"

namespace carom::scene {
namespace {

// Most checkpoints of a run.
constexpr double k_most_checkpoints = 1e6;

toml::table parse(const std::string& text, Report& report) {
    if (text.size() > k_most_scene_bytes) {
        report.add({}, "the scene has " + std::to_string(text.size()) + " bytes; at most " +
                           std::to_string(k_most_scene_bytes) + " are read");
        return {};
    }
    if (const auto place = find_deep_key(text)) {
        report.add(*place, "a key with more than " + std::to_string(k_most_dots) +
                               " dots; no key of a scene needs more than 1");
        return {};
    }
    try {
        return toml::parse(std::string_view(text));
    } catch (const toml::parse_error& error) {
        const toml::source_position& at = error.source().begin;
        std::string why(error.description());
        // the name of a macro is of no use to anybody here
        const std::size_t macro = why.find(" (TOML_");
        if (macro != std::string::npos) why.erase(macro);
        report.add({static_cast<int>(at.line), static_cast<int>(at.column)},
                   "not valid TOML: " + why);
    }
    return {};
}

void read_checkpoint(Fields& fields, Scene& scene) {
    scene.settings.checkpoint = scene.duration / k_default_checkpoints;
    const auto given = fields.number("checkpoint", k_not_negative);
    if (!given) return;
    scene.own_checkpoint = true;
    scene.settings.checkpoint = *given;
    if (*given > 0.0 && *given < scene.duration / k_most_checkpoints) {
        fields.wrong("checkpoint", "is " + shape::describe(*given) +
                                       "; it must be 0 for none, or at least a millionth of the "
                                       "duration");
    }
}

void read_contact_mode(Fields& fields, world::Settings& settings) {
    const auto text = fields.text("contact");
    if (!text) return;
    for (const world::ContactMode mode : {world::ContactMode::micro, world::ContactMode::lasting}) {
        if (*text != world::name_of(mode)) continue;
        settings.contact = mode;
        return;
    }
    fields.wrong("contact", "is " + in_quotes(*text) + "; it must be \"lasting\" or \"micro\"");
}

void read_pile_impacts(Fields& fields, world::Settings& settings) {
    const auto text = fields.text("pile_impacts");
    if (!text) return;
    using world::PileImpacts;
    for (const PileImpacts how : {PileImpacts::automatic, PileImpacts::law, PileImpacts::step}) {
        if (*text != world::name_of(how)) continue;
        settings.pile_impacts = how;
        return;
    }
    fields.wrong("pile_impacts",
                 "is " + in_quotes(*text) + "; it must be \"auto\", \"law\" or \"step\"");
}

void read_multiple(Fields& fields, world::Settings& settings) {
    const auto text = fields.text("multiple");
    if (!text) return;
    const impact::MultipleInfo* found = impact::find_multiple(*text);
    if (found == nullptr) {
        fields.wrong("multiple", "is " + in_quotes(*text) +
                                     "; it must be \"sequential\", \"coupled\" or "
                                     "\"simultaneous\"");
        return;
    }
    settings.multiple = found->id;
}

void read_simulation(Fields& root, Scene& scene, Report& report) {
    const toml::table* table =
        root.table("simulation", Need::must, "a table [simulation] with at least duration");
    if (table == nullptr) return;
    constexpr Range k_micro{0.0, 0.1, true, "a number larger than 0, at most 0.1"};
    Fields fields(*table, "the simulation", report);
    world::Settings& settings = scene.settings;
    scene.duration = fields.number("duration", k_positive, Need::must).value_or(0.0);
    settings.gravity = fields.vector("gravity", k_any).value_or(settings.gravity);
    settings.micro = fields.number("micro", k_micro).value_or(settings.micro);
    settings.sleep = fields.flag("sleep").value_or(settings.sleep);
    read_contact_mode(fields, settings);
    read_multiple(fields, settings);
    read_pile_impacts(fields, settings);
    read_checkpoint(fields, scene);
    fields.finish();
}

// The laws of the rules have to go with how many contacts at one instant are resolved.
void check_multiple(const std::vector<ReadRule>& rules, impact::MultipleId multiple,
                    Report& report) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (!rules[i].whole) continue;
        const world::ContactLaw& law = rules[i].law;
        const std::string wrong =
            impact::check_multiple_law(multiple, impact::law_info(law.law), law.parameters);
        if (wrong.empty()) continue;
        report.add(rules[i].place, "contact rule " + std::to_string(i + 1) + ": " + wrong);
    }
}

std::vector<ReadRule> read_rules(Fields& root, Report& report) {
    const auto tables =
        root.tables("contact", Need::may, "a list of tables, each begun with [[contact]]");
    std::vector<ReadRule> rules;
    rules.reserve(tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i)
        rules.push_back(read_rule(*tables[i], i + 1, report));
    return rules;
}

std::vector<ReadBody> read_bodies(Fields& root, const ReadOptions& options, Report& report) {
    std::vector<ReadBody> bodies;
    const auto tables =
        root.tables("body", Need::may, "a list of tables, each begun with [[body]]");
    const auto swarms =
        root.tables("swarm", Need::may, "a list of tables, each begun with [[swarm]]");
    if (tables.size() > options.most_bodies) {
        report.add(place_of(*tables[options.most_bodies]),
                   "the scene has " + std::to_string(tables.size()) + " bodies; there must be " +
                       std::to_string(options.most_bodies) + " at most");
        return bodies;
    }
    MeshFiles files(options);
    bodies.reserve(tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i)
        bodies.push_back(read_body(*tables[i], i + 1, files, report));
    for (std::size_t i = 0; i < swarms.size(); ++i)
        read_swarm(*swarms[i], i + 1, options.most_bodies, files, report, bodies);
    constexpr const char* k_none =
        "the scene has no bodies; it must have at least one [[body]] or [[swarm]]";
    if (!root.contains("swarm")) root.require("body", k_none);
    if (tables.empty() && swarms.empty() && report.empty() && root.contains("body")) {
        report.add(root.place_of_value("body"), k_none);
    }
    return bodies;
}

void check_whole(const std::vector<ReadBody>& bodies, const std::vector<ReadRule>& rules,
                 Report& report) {
    check_names(bodies, report);
    check_materials(bodies, rules, report);
    if (report.empty()) check_overlaps(bodies, report);
}

Scene read_table(const toml::table& table, const ReadOptions& options, Report& report) {
    Scene scene;
    Fields root(table, "", report);
    scene.title = root.text("title").value_or("");
    scene.expect = root.text("expect").value_or("");
    read_simulation(root, scene, report);
    const std::vector<ReadRule> rules = read_rules(root, report);
    check_multiple(rules, scene.settings.multiple, report);
    std::vector<ReadBody> bodies = read_bodies(root, options, report);
    root.finish();
    check_whole(bodies, rules, report);
    if (!report.empty()) return scene;
    for (const ReadRule& rule : rules)
        scene.contacts.set(rule.materials[0], rule.materials[1], rule.law);
    scene.bodies.reserve(bodies.size());
    for (ReadBody& body : bodies)
        scene.bodies.push_back(std::move(body.spec));
    return scene;
}

std::string absolute_folder(const std::filesystem::path& folder) {
    if (folder == std::filesystem::path(k_built_in_folder)) return std::string(k_built_in_folder);
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(folder, error).lexically_normal();
    if (error) return folder.string();
    if (!whole.has_filename()) whole = whole.parent_path();  // no slash at its end
    return whole.string();
}

}  // namespace

Scene read_scene_text(std::string text, std::string_view name, const ReadOptions& options) {
    Report report;
    const toml::table table = parse(text, report);
    Scene scene;
    if (report.empty()) scene = read_table(table, options, report);
    if (!report.empty()) throw SceneError(name, report.take());
    scene.name = name;
    scene.text = std::move(text);
    scene.folder = absolute_folder(options.folder);
    return scene;
}

Scene read_scene_text(std::string text, std::string_view name,
                      const std::filesystem::path& folder) {
    ReadOptions options;
    options.folder = folder;
    return read_scene_text(std::move(text), name, options);
}

}  // namespace carom::scene
