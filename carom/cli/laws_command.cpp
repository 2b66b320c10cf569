// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "carom/cli/commands.h"
#include "carom/cli/say.h"
#include "carom/cli/table.h"
#include "carom/impact/law.h"

namespace carom::cli {
namespace {

using impact::LawInfo;
using impact::LawParameter;

constexpr const char* k_laws_help = R"(
The collision laws: what they are, their parameters with ranges and defaults, whether they answer 2D or
3D problems, whether they may gain energy, and the paper they come from. 'carom laws LAW'
describes one law in full; docs/theory/LAW.md has its derivation.
With --json each law is an object: name, summary, dimension, kind, may_gain_energy, source, parameters
[{name, range, meaning, required, default}].
Exit codes: 0 done; 1 failed; 2 there is no such law.)";

struct LawsOptions {
    bool json = false;
    bool markdown = false;  // the table of the README
    std::string law;        // only this one, in full
};

std::string parameter_list(const LawInfo& law) {
    std::string text;
    for (const LawParameter& p : law.parameters) {
        if (!text.empty()) text += ", ";
        text += impact::parameter_info(p.id).name;
        if (!p.required) text += "?";
    }
    return text;
}

nlohmann::ordered_json as_json(const LawInfo& law) {
    nlohmann::ordered_json out;
    out["name"] = law.name;
    out["summary"] = law.summary;
    out["dimension"] = law.plane_only ? "2D" : "3D";
    out["kind"] = law.incremental ? "incremental" : "algebraic";
    out["may_gain_energy"] = law.may_gain_energy;
    out["source"] = law.source;
    for (const LawParameter& p : law.parameters) {
        const impact::ParameterInfo& info = impact::parameter_info(p.id);
        nlohmann::ordered_json one;
        one["name"] = info.name;
        one["range"] = info.range;
        one["meaning"] = info.meaning;
        one["required"] = p.required;
        if (!p.required) one["default"] = p.fallback;
        out["parameters"].push_back(one);
    }
    return out;
}

// Whether the law may gain energy, and what has to be chosen for it to.
std::string_view energy_text(const LawInfo& law) {
    if (!law.may_gain_energy) return "no";
    const auto takes = [&law](impact::ParameterId id) {
        return std::ranges::any_of(law.parameters, [id](const auto& p) { return p.id == id; });
    };
    if (takes(impact::ParameterId::fallback)) return "as its fallback";
    if (takes(impact::ParameterId::reversal)) return "only with reversal";
    if (takes(impact::ParameterId::termination)) return "only with termination newton";
    return "yes";
}

void print_one(const LawInfo& law) {
    fmt::print("{}: {}\n\n", law.name, law.summary);
    Table table({"parameter", "range", "default", "meaning"});
    for (const LawParameter& p : law.parameters) {
        const impact::ParameterInfo& info = impact::parameter_info(p.id);
        table.add({std::string(info.name), std::string(info.range),
                   p.required ? "must be given" : std::string(p.fallback),
                   std::string(info.meaning)});
    }
    fmt::print("{}\n", table.text());
    fmt::print(
        "problems: {}   kind: {}   may gain energy: {}\nsource: {}\ntheory: docs/theory/{}.md\n",
        law.plane_only ? "2D" : "3D", law.incremental ? "incremental" : "algebraic",
        energy_text(law), law.source, law.name);
}

void print_markdown() {
    fmt::print("| law | what it is | parameters | problems | may gain energy | source |\n");
    fmt::print("|---|---|---|---|---|---|\n");
    for (const LawInfo& law : impact::laws()) {
        std::string list;
        for (const LawParameter& p : law.parameters) {
            if (!list.empty()) list += ", ";
            list += fmt::format("`{}`", impact::parameter_info(p.id).name);
            if (!p.required) list += fmt::format(" ({})", p.fallback);
        }
        fmt::print("| [`{0}`](docs/theory/{0}.md) | {1} | {2} | {3} | {4} | {5} |\n", law.name,
                   law.summary, list, law.plane_only ? "2D" : "3D", energy_text(law), law.source);
    }
}

int print_laws(const LawsOptions& options) {
    if (options.markdown) {
        print_markdown();
        return k_done;
    }
    if (!options.law.empty()) {
        const LawInfo* law = impact::find_law(options.law);
        if (law == nullptr) {
            const std::string_view near = impact::nearest_law(options.law);
            say("carom laws: unknown law '{}'{}\n", options.law,
                near.empty() ? std::string("; 'carom laws' lists them")
                             : fmt::format("; did you mean '{}'?", near));
            return k_bad_input;
        }
        if (options.json) {
            fmt::print("{}\n", as_json(*law).dump());
        } else {
            print_one(*law);
        }
        return k_done;
    }
    if (options.json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const LawInfo& law : impact::laws())
            all.push_back(as_json(law));
        fmt::print("{}\n", all.dump(2));
        return k_done;
    }
    Table table({"law", "what it is", "parameters (? = has a default)", "problems", "source"});
    for (const LawInfo& law : impact::laws()) {
        table.add({std::string(law.name), std::string(law.summary), parameter_list(law),
                   law.plane_only ? "2D" : "3D", std::string(law.source)});
    }
    fmt::print("{}\n'carom laws LAW' says all of one law.\n", table.text());
    return k_done;
}

}  // namespace

void add_laws(CLI::App& app, int& code) {
    const auto options = std::make_shared<LawsOptions>();
    CLI::App* command = app.add_subcommand("laws", "The laws, their parameters and sources");
    command->add_option("LAW", options->law, "Only this law, in full");
    command->add_flag("--json", options->json, "As JSON: a list of laws, or one of them");
    command->add_flag("--markdown", options->markdown, "As the table of the README");
    command->footer(k_laws_help);
    command->callback([options, &code] {
        code = print_laws(*options);
        if (!flush_output()) code = k_failed;
    });
}

}  // namespace carom::cli
