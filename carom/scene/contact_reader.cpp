// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/contact_reader.h"

#include <vector>

#include "carom/scene/words.h"
#include "carom/shape/describe.h"

namespace carom::scene {
namespace {

using impact::LawInfo;
using impact::ParameterInfo;
using impact::ParameterKind;

void read_materials(Fields& fields, ReadRule& rule) {
    constexpr const char* k_must =
        "a list of two materials, as [\"steel\", \"*\"], \"*\" for any material";
    rule.material_places.fill(fields.place());
    const toml::node* node = fields.find("materials");
    rule.materials_known = node == nullptr;
    if (node == nullptr) return;
    rule.material_places.fill(place_of(*node));
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() != 2) {
        fields.wrong("materials", "is " + describe(*node) + "; it must be " + k_must);
        return;
    }
    const auto names = fields.texts("materials", k_must);
    if (!names) return;
    rule.materials_known = true;
    for (std::size_t i = 0; i < 2; ++i) {
        rule.materials[i] = (*names)[i];
        rule.material_places[i] = place_of((*list)[i]);
    }
}

// Null when there is no such law.
const LawInfo* read_law(Fields& fields, std::string_view key) {
    const auto name = fields.text(key);
    if (!name) return nullptr;
    const LawInfo* law = impact::find_law(*name);
    if (law == nullptr) {
        std::vector<std::string_view> names;
        for (const LawInfo& known : impact::laws())
            names.push_back(known.name);
        const std::string_view near = nearest(*name, names);
        fields.wrong(key,
                     "is the unknown law " + in_quotes(*name) +
                         (near.empty() ? "; the laws are " + listed(names) : did_you_mean(near)));
    }
    return law;
}

void read_number(Fields& fields, const ParameterInfo& info, impact::LawParameters& parameters) {
    const auto number = fields.number(info.name, k_unchecked);
    if (!number) return;
    if (!impact::check_number(info, *number).empty()) {
        fields.wrong(info.name, "is " + shape::describe(*number) + "; it must satisfy " +
                                    std::string(info.range));
        return;
    }
    parameters.number(info.id) = *number;
}

void read_termination(Fields& fields, const ParameterInfo& info,
                      impact::LawParameters& parameters) {
    const auto text = fields.text(info.name);
    if (!text) return;
    const auto found = impact::find_termination(*text);
    if (!found) {
        fields.wrong(info.name, "is the unknown termination " + in_quotes(*text) + "; it must be " +
                                    std::string(info.range));
        return;
    }
    parameters.termination = *found;
}

void read_parameter(Fields& fields, const ParameterInfo& info, impact::LawParameters& parameters) {
    switch (info.kind) {
        case ParameterKind::number:
            return read_number(fields, info, parameters);
        case ParameterKind::termination:
            return read_termination(fields, info, parameters);
        case ParameterKind::vector:
            if (const auto vector = fields.vector(info.name, k_any)) parameters.P = *vector;
            return;
        case ParameterKind::boolean:
            if (const auto flag = fields.flag(info.name)) parameters.reversal = *flag;
            return;
        case ParameterKind::law:
            if (const LawInfo* law = read_law(fields, info.name)) parameters.fallback = law->id;
            return;
    }
}

// A parameter that would be ignored.
void tell_useless(Fields& fields, const ParameterInfo& info, const LawInfo& law) {
    std::vector<std::string_view> takers;
    for (const LawInfo& other : impact::laws()) {
        if (impact::takes(other, info.id, impact::LawId::frictionless)) {
            takers.push_back(other.name);
        }
    }
    fields.wrong(info.name, "has no use with law '" + std::string(law.name) + "'; " +
                                (takers.size() == 1 ? "the law that takes it is "
                                                    : "the laws that take it are ") +
                                listed(takers));
}

// The parameters that the law cannot do without.
void require(Fields& fields, const LawInfo& law) {
    for (const impact::LawParameter& parameter : law.parameters) {
        if (!parameter.required) continue;
        const ParameterInfo& info = impact::parameter_info(parameter.id);
        fields.require(info.name, fields.what() + ": law '" + std::string(law.name) + "' needs " +
                                      std::string(info.name) + ", " + std::string(info.meaning));
    }
}

}  // namespace

ReadRule read_rule(const toml::table& table, std::size_t number, Report& report) {
    const std::size_t before = report.count();
    Fields fields(table, "contact rule " + std::to_string(number), report);
    ReadRule rule;
    rule.place = fields.place();
    read_materials(fields, rule);
    const LawInfo* law =
        fields.has("law") ? read_law(fields, "law") : &impact::law_info(impact::LawId::routh);
    impact::LawParameters& parameters = rule.law.parameters;
    for (const ParameterInfo& info : impact::parameters())
        read_parameter(fields, info, parameters);
    constexpr Range k_arm{0.0, 1e50, false, "a length in metres, 0 or more"};
    rule.law.rolling_friction = fields.number("rolling_friction", k_arm).value_or(0.0);
    rule.law.spinning_friction = fields.number("spinning_friction", k_arm).value_or(0.0);

    constexpr Range k_power{1.0, 10.0, false, "a number between 1 and 10"};
    rule.law.stiffness = fields.number("stiffness", k_positive).value_or(rule.law.stiffness);
    rule.law.power = fields.number("power", k_power).value_or(rule.law.power);
    if (law != nullptr) require(fields, *law);
    fields.finish();
    if (law == nullptr) return rule;
    rule.law.law = law->id;
    for (const ParameterInfo& info : impact::parameters()) {
        if (fields.contains(info.name) &&
            !impact::takes(*law, info.id, parameters.fallback_law())) {
            tell_useless(fields, info, *law);
        }
    }
    if (report.count() != before) return rule;
    const std::string wrong = impact::check_parameters(*law, parameters);
    if (!wrong.empty()) report.add(rule.place, fields.what() + ": " + wrong);
    rule.whole = wrong.empty();
    return rule;
}

}  // namespace carom::scene
