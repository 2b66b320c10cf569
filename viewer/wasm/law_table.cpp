// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The registry of laws as JSON, for the page: the laws, what parameters they take, what those are,
// and the names of terminations, modes and transitions in the order of their numbers.

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "carom/impact/law.h"
#include "exports.h"

namespace carom::page {
namespace {

using impact::ParameterKind;

class Json {
public:
    Json& raw(std::string_view text) {
        text_ += text;
        return *this;
    }
    Json& text(std::string_view text) {
        text_ += '"';
        for (const char c : text) {
            if (c == '"' || c == '\\') text_ += '\\';
            text_ += c;
        }
        text_ += '"';
        return *this;
    }
    // Infinite ones are null.
    Json& number(double value) {
        if (!std::isfinite(value)) return raw("null");
        char digits[32];
        std::snprintf(static_cast<char*>(digits), sizeof digits, "%.17g", value);
        return raw(static_cast<const char*>(digits));
    }
    Json& flag(bool value) { return raw(value ? "true" : "false"); }
    template <class List, class Put>
    Json& list(const List& list, Put&& put) {
        raw("[");
        bool first = true;
        for (const auto& entry : list) {
            if (!first) raw(",");
            first = false;
            put(entry);
        }
        return raw("]");
    }
    const std::string& done() const { return text_; }

private:
    std::string text_;
};

std::string_view kind_name(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::number:
            return "number";
        case ParameterKind::vector:
            return "vector";
        case ParameterKind::termination:
            return "termination";
        case ParameterKind::boolean:
            return "boolean";
        case ParameterKind::law:
            return "law";
    }
    return "number";
}

void put(Json& json, const impact::ParameterInfo& info) {
    json.raw("{\"name\":").text(info.name).raw(",\"kind\":").text(kind_name(info.kind));
    json.raw(",\"least\":").number(info.least).raw(",\"most\":").number(info.most);
    json.raw(",\"leastOpen\":").flag(info.least_open).raw(",\"mostOpen\":").flag(info.most_open);
    json.raw(",\"range\":").text(info.range).raw(",\"meaning\":").text(info.meaning).raw("}");
}

void put(Json& json, const impact::LawInfo& law) {
    json.raw("{\"name\":").text(law.name).raw(",\"summary\":").text(law.summary);
    json.raw(",\"source\":").text(law.source).raw(",\"planeOnly\":").flag(law.plane_only);
    json.raw(",\"incremental\":").flag(law.incremental);
    json.raw(",\"mayGainEnergy\":").flag(law.may_gain_energy).raw(",\"parameters\":");
    json.list(law.parameters, [&](const impact::LawParameter& parameter) {
        json.raw("{\"name\":").text(impact::parameter_info(parameter.id).name);
        json.raw(",\"required\":").flag(parameter.required);
        json.raw(",\"fallback\":").text(parameter.fallback).raw("}");
    });
    json.raw("}");
}

std::string make_table() {
    using impact::Mode;
    using impact::Termination;
    using impact::TransitionKind;
    constexpr Termination k_terminations[] = {Termination::stronge, Termination::poisson,
                                              Termination::poisson_first, Termination::newton};
    constexpr Mode k_modes[] = {Mode::separating, Mode::slide,        Mode::stick,
                                Mode::ray,        Mode::frictionless, Mode::reverse};
    constexpr TransitionKind k_transitions[] = {
        TransitionKind::maximum_compression, TransitionKind::recompression,
        TransitionKind::slip_to_stick,       TransitionKind::stick_to_slip,
        TransitionKind::slip_to_slip,        TransitionKind::end};
    Json json;
    json.raw("{\"laws\":").list(impact::laws(), [&](const auto& law) { put(json, law); });
    json.raw(",\"parameters\":").list(impact::parameters(), [&](const auto& p) { put(json, p); });
    json.raw(",\"terminations\":").list(k_terminations, [&](Termination t) {
        json.text(impact::termination_name(t));
    });
    json.raw(",\"modes\":").list(k_modes, [&](Mode mode) { json.text(impact::mode_name(mode)); });
    json.raw(",\"transitions\":").list(k_transitions, [&](TransitionKind kind) {
        json.text(impact::transition_name(kind));
    });
    json.raw("}");
    return json.done();
}

}  // namespace
}  // namespace carom::page

CAROM_EXPORT(laws_table)()->const char* {
    static const std::string table = carom::page::make_table();
    return table.c_str();
}
