// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What pages ask for, read with the reader of scenes: the same words, checks and messages.

#include <limits>
#include <nlohmann/json.hpp>

#include "carom/scene/contact_reader.h"
#include "carom/scene/words.h"
#include "carom/serve/what_if.h"

namespace carom::serve {
namespace {

using Json = nlohmann::json;

constexpr const char* k_form =
    R"({"event":ROW,"contact":{"materials":["a","b"],"law":"routh","e":0.5,"mu":0.3}})";

toml::array list_from(const Json& json, const std::string& name) {
    toml::array list;
    for (const Json& item : json) {
        if (item.is_string()) {
            list.push_back(item.get<std::string>());
        } else if (item.is_number()) {
            list.push_back(item.get<double>());
        } else {
            throw RequestError("contact: " + scene::in_quotes(name) +
                               " must be a list of numbers or of texts");
        }
    }
    return list;
}

// A rule of a scene; JSON has no infinity, so that it comes as a text.
toml::table table_from(const Json& contact) {
    toml::table table;
    for (const auto& [name, value] : contact.items()) {
        if (value.is_boolean()) {
            table.insert(name, value.get<bool>());
        } else if (value.is_number()) {
            table.insert(name, value.get<double>());
        } else if (value == "inf") {
            table.insert(name, std::numeric_limits<double>::infinity());
        } else if (value.is_string()) {
            table.insert(name, value.get<std::string>());
        } else if (value.is_array()) {
            table.insert(name, list_from(value, name));
        } else {
            throw RequestError("contact: " + scene::in_quotes(name) +
                               " must be a number, a text, a list or a flag");
        }
    }
    return table;
}

std::uint64_t row_from(const Json& json) {
    if (!json.is_number_unsigned()) {
        throw RequestError(
            "event must be the number of a row of the table of events, counted from 0");
    }
    return json.get<std::uint64_t>();
}

}  // namespace

WhatIf read_what_if(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        throw RequestError(std::string("the request is no JSON object; it must be ") + k_form);
    }
    for (const auto& [name, value] : json.items()) {
        if (name != "event" && name != "contact")
            throw RequestError("unknown name " + scene::in_quotes(name) + "; the request must be " +
                               k_form);
    }
    if (!json.contains("event") || !json.contains("contact") || !json["contact"].is_object()) {
        throw RequestError(std::string("event or contact is missing; the request must be ") +
                           k_form);
    }
    WhatIf wanted;
    wanted.event = row_from(json["event"]);
    scene::Report report;
    const toml::table table = table_from(json["contact"]);
    if (!table.contains("materials") || !table.contains("law"))
        throw RequestError("contact: materials or law is missing; say which law of which pair");
    const scene::ReadRule rule = scene::read_rule(table, 1, report);
    if (!rule.whole) {
        const std::vector<scene::Problem> problems = report.take();
        throw RequestError(problems.empty() ? "the contact cannot be read"
                                            : problems.front().message);
    }
    wanted.materials = rule.materials;
    wanted.law = rule.law;
    return wanted;
}

}  // namespace carom::serve
