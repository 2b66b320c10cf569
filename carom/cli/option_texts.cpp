// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/option_texts.h"

#include <CLI/CLI.hpp>

#include "carom/cli/program.h"
#include "carom/impact/law.h"
#include "carom/scene/built_in.h"
#include "carom/world/event.h"

namespace carom::cli {
namespace {

std::vector<std::string> law_names() {
    std::vector<std::string> names;
    for (const impact::LawInfo& law : impact::laws())
        names.emplace_back(law.name);
    return names;
}

std::vector<std::string> scene_names() {
    std::vector<std::string> names;
    for (const scene::BuiltIn& scene : scene::built_in_scenes())
        names.emplace_back(scene.name);
    return names;
}

std::vector<std::string> kind_names() {
    using world::EventKind;
    std::vector<std::string> names;
    for (const EventKind kind : {EventKind::impact, EventKind::micro, EventKind::lasting_begin,
                                 EventKind::lasting_end, EventKind::sleep, EventKind::wake})
        names.emplace_back(world::name_of(kind));
    return names;
}

}  // namespace

std::vector<OptionText> option_texts(const CLI::App& command) {
    std::vector<OptionText> texts;
    for (const CLI::Option* option : command.get_options()) {
        OptionText text;
        for (const std::string& name : option->get_snames())
            text.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames())
            text.names.push_back("--" + name);
        text.positional = text.names.empty();
        if (text.positional) text.names.push_back(option->get_single_name());
        text.required = option->get_required();
        text.takes_value = option->get_items_expected_max() > 0;
        // what a check of the value says comes after a colon
        if (text.takes_value)
            text.value = option->get_type_name().substr(0, option->get_type_name().find(':'));
        text.description = option->get_description();
        text.fallback = option->get_default_str();
        texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<std::string> value_words(const CLI::App& app, const std::string& option) {
    if (option == "--law" || option == "LAW") return law_names();
    if (option == "SCENE" || option == "REC|SCENE" || option == "NAME") return scene_names();
    if (option == "--kind") return kind_names();
    if (option == "--to") return {"html", "gltf", "csv"};
    if (option == "--format") return {"json", "csv", "npz"};
    if (option == "COMMAND") return command_names(app);
    if (option == "SHELL") return {"bash", "zsh"};
    return {};
}

std::vector<std::string> value_files(const std::string& option) {
    if (option == "REC") return {".carom", ".part"};
    if (option == "SCENE") return {".toml"};
    if (option == "REC|SCENE") return {".carom", ".part", ".toml"};
    if (option == "FILES" || option == "-o" || option == "--output") return {"*"};
    return {};
}

}  // namespace carom::cli
