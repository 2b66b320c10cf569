// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/multi_contact_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "carom/cli/json_fields.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"
#include "carom/math/rotation.h"

namespace carom::cli {
namespace {

using impact::ContactKind;
using impact::MultiContactBody;
using impact::MultiContactPoint;
using impact::ParameterKind;
using Json = nlohmann::json;

// The Delassus matrix of more would not fit.
constexpr std::size_t k_most_contacts = 1000;

std::string element(const char* list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
}

// A name out of a list, or a message with the nearest one.
std::size_t read_choice(JsonFields& fields, std::string_view key,
                        std::span<const std::string> known) {
    const std::string text = fields.text(key);
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i] == text) return i;
    }
    fail(fields.path_to(key) + " must be one of " + in_words(known) + ", not " + in_quotes(text) +
         did_you_mean(nearest_name(text, known)));
}

// A whole number that is at least 0.
std::uint64_t read_count(JsonFields& fields, std::string_view key) {
    const double number = fields.number(key);
    constexpr double k_largest = 0x1p53;
    if (!(number >= 0.0 && number <= k_largest) || number != std::floor(number)) {
        fail(fields.path_to(key) + " must be a whole number from 0 to 2^53");
    }
    return static_cast<std::uint64_t>(number);
}

// A place or a velocity. Larger ones would overflow when they are squared.
std::optional<Vec3> read_moderate(JsonFields& fields, std::string_view key) {
    constexpr double k_largest = 1e50;
    std::optional<Vec3> v = fields.maybe_vector(key);
    if (v && !(v->cwiseAbs().maxCoeff() <= k_largest)) {
        fail(fields.path_to(key) + " is too large; its components must be at most 1e50");
    }
    return v;
}

MultiContactBody read_joint_body(const Json& value, const std::string& path) {
    MultiContactBody body;
    if (value.is_string() && value.get_ref<const std::string&>() == "fixed") return body;
    if (!value.is_object()) fail(path + " must be a body, { ... }, or \"fixed\"");
    JsonFields fields(value, path);
    const bool fixed = fields.maybe_flag("fixed").value_or(false);
    const std::optional<double> mass = fields.maybe_number("mass");
    const std::optional<Mat3> inertia = fields.maybe_matrix("inertia");
    const std::optional<Vec3> position = read_moderate(fields, "position");
    body.position = position.value_or(Vec3::Zero());
    body.v = read_moderate(fields, "v").value_or(Vec3::Zero());
    body.w = read_moderate(fields, "w").value_or(Vec3::Zero());
    fields.finish();
    if (fixed) return body;

    if (!mass) fail(path + " needs mass");
    if (!inertia) fail(path + " needs inertia");
    if (!position) fail(path + " needs position");
    if (!(*mass > 0.0)) fail(fields.path_to("mass") + " must be greater than zero");
    body.inverse_mass = 1.0 / *mass;
    body.inverse_inertia = inverse_of_inertia(*inertia, fields.path_to("inertia"));
    if (!std::isfinite(body.inverse_mass) || !body.inverse_inertia.allFinite()) {
        fail(path + " is too light to be a body");
    }
    return body;
}

const impact::LawInfo& law_named(const std::string& name, const std::string& path) {
    const impact::LawInfo* law = impact::find_law(name);
    if (law == nullptr) {
        fail(path + ": unknown law " + in_quotes(name) + did_you_mean(impact::nearest_law(name)) +
             " ('carom laws' lists them; joints have 'hinge')");
    }
    return *law;
}

void read_joint_parameter(JsonFields& fields, const impact::ParameterInfo& info,
                          impact::LawParameters& parameters) {
    const std::string path = fields.path_to(info.name);
    switch (info.kind) {
        case ParameterKind::number: {
            const double number = fields.number(info.name);
            const std::string wrong = impact::check_number(info, number);
            // the message begins with the parameter's name
            if (!wrong.empty()) fail(fields.path_to(wrong));
            parameters.number(info.id) = number;
            break;
        }
        case ParameterKind::vector:
            parameters.P = fields.vector(info.name);
            break;
        case ParameterKind::termination: {
            const auto found = impact::find_termination(fields.text(info.name));
            if (!found) fail(path + " must be " + std::string(info.range));
            parameters.termination = *found;
            break;
        }
        case ParameterKind::boolean:
            parameters.reversal = fields.maybe_flag(info.name).value_or(false);
            break;
        case ParameterKind::law:
            parameters.fallback = law_named(fields.text(info.name), path).id;
            break;
    }
}

// Law, parameters and spring, which may stand at the top for all contacts.
void read_model(JsonFields& fields, MultiContactPoint& contact) {
    if (fields.has("law")) {
        const std::string name = fields.text("law");
        const bool hinge = name == "hinge";
        contact.kind = hinge ? ContactKind::ball_joint : ContactKind::contact;
        contact.law = hinge ? nullptr : &law_named(name, fields.path_to("law"));
    }
    for (const impact::ParameterInfo& info : impact::parameters()) {
        if (fields.has(info.name)) read_joint_parameter(fields, info, contact.parameters);
    }
    contact.stiffness = fields.maybe_number("stiffness").value_or(contact.stiffness);
    contact.power = fields.maybe_number("power").value_or(contact.power);
}

Vec3 read_normal(JsonFields& fields) {
    const Vec3 normal = fields.vector("normal");
    const double length = normal.stableNorm();
    if (!(length > 0.0) || !std::isfinite(length)) {
        fail(fields.path_to("normal") + " must not be zero");
    }
    return normal / length;
}

MultiContactPoint read_joint_contact(const Json& value, const std::string& path,
                                     const MultiContactPoint& defaults,
                                     const ReadOptions& options) {
    JsonFields fields(value, path);
    MultiContactPoint contact = defaults;
    read_model(fields, contact);
    // larger indices are refused with the problem
    contact.a =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(read_count(fields, "a"), UINT32_MAX));
    contact.b =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(read_count(fields, "b"), UINT32_MAX));
    const std::optional<Vec3> point = read_moderate(fields, "point");
    if (!point) fail(path + " needs point");
    contact.point = *point;
    const bool hinge = contact.kind == ContactKind::ball_joint;
    if (!hinge || fields.has("normal")) contact.normal = read_normal(fields);
    fields.finish();
    if (hinge) return contact;

    if (options.law != nullptr) contact.law = options.law;
    if (contact.law == nullptr) {
        fail(path + " needs a law; it may also stand at the top, or be given with --law");
    }
    if (auto& P = contact.parameters.P) P = Vec3(math::rotation_to_z(contact.normal) * *P);
    return contact;
}

// What each way to resolve the problem can be told.
void read_settings(JsonFields& fields, MultiContactLine& line) {
    static const std::array<std::string, 2> k_ties{"index", "random"};
    static const std::array<std::string, 2> k_reclosings{"gap", "approach"};
    static const std::array<std::string, 2> k_restitutions{"newton", "poisson"};
    impact::SequentialSettings& sequential = line.settings.sequential;
    if (fields.has("ties")) sequential.random_ties = read_choice(fields, "ties", k_ties) == 1;
    if (fields.has("seed")) sequential.seed = read_count(fields, "seed");
    if (fields.has("most_rounds")) {
        const std::uint64_t most = read_count(fields, "most_rounds");
        if (most < 1) fail("most_rounds must be at least 1");
        sequential.most_rounds = static_cast<long>(most);
    }
    if (const auto tolerance = fields.maybe_number("tolerance")) {
        if (!(*tolerance >= 0.0 && *tolerance < 1.0)) {
            fail("tolerance is out of range; it must satisfy 0 <= tolerance < 1");
        }
        sequential.tolerance = *tolerance;
    }
    if (fields.has("reclose")) {
        using Reclose = impact::CoupledSettings::Reclose;
        const bool gap = read_choice(fields, "reclose", k_reclosings) == 0;
        line.settings.coupled.reclose = gap ? Reclose::gap : Reclose::approach;
    }
    if (fields.has("restitution")) {
        line.settings.simultaneous.restitution =
            read_choice(fields, "restitution", k_restitutions) == 1
                ? impact::SimultaneousRestitution::poisson
                : impact::SimultaneousRestitution::newton;
    }
}

impact::MultipleId read_multiple(JsonFields& fields) {
    if (!fields.has("multiple")) return impact::MultipleId::sequential;
    std::vector<std::string> names;
    for (const impact::MultipleInfo& info : impact::multiples())
        names.emplace_back(info.name);
    return impact::multiples()[read_choice(fields, "multiple", names)].id;
}

// Settings of another way to resolve, and parameters that a contact's law has no use for.
void note_ignored(const Json& json, const ReadOptions& options, MultiContactLine& line) {
    using impact::MultipleId;
    const auto for_one = [&](MultipleId id, std::initializer_list<const char*> keys) {
        if (line.multiple == id || options.every_law) return;
        for (const char* key : keys) {
            if (json.contains(key)) line.ignored.emplace_back(key);
        }
    };
    for_one(MultipleId::sequential, {"ties", "seed", "most_rounds", "tolerance"});
    for_one(MultipleId::coupled, {"reclose"});
    for_one(MultipleId::simultaneous, {"restitution"});
    const Json& contacts = json.at("contacts");
    for (const impact::ParameterInfo& info : impact::parameters()) {
        bool used_anywhere = false;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const MultiContactPoint& contact = line.problem.contacts[i];
            const bool used =
                contact.kind == ContactKind::contact &&
                impact::takes(*contact.law, info.id, contact.parameters.fallback_law());
            used_anywhere = used_anywhere || used;
            if (!used && contacts[i].contains(info.name)) {
                line.ignored.push_back(element("contacts", i) + "." + std::string(info.name));
            }
        }
        if (!used_anywhere && json.contains(info.name)) line.ignored.emplace_back(info.name);
    }
}

MultiContactLine read_fields(const Json& json, const ReadOptions& options) {
    MultiContactLine line;
    JsonFields fields(json, "");
    fields.has("id");
    line.multiple = read_multiple(fields);
    read_settings(fields, line);
    MultiContactPoint defaults;
    read_model(fields, defaults);
    const Json& bodies = fields.list("bodies");
    const Json& contacts = fields.list("contacts");
    fields.finish();
    if (contacts.size() > k_most_contacts) {
        fail("contacts must have at most " + std::to_string(k_most_contacts) + " elements");
    }
    for (std::size_t i = 0; i < bodies.size(); ++i)
        line.problem.bodies.push_back(read_joint_body(bodies[i], element("bodies", i)));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        line.problem.contacts.push_back(
            read_joint_contact(contacts[i], element("contacts", i), defaults, options));
    }
    std::string wrong = impact::check_multi_contact_problem(line.problem);
    if (!wrong.empty()) fail(std::move(wrong));
    note_ignored(json, options, line);
    return line;
}

// The fields that make a line a problem of many contacts, in quotes as they stand there.
constexpr std::array<std::string_view, 3> k_marks{"\"bodies\"", "\"contacts\"", "\"multiple\""};

// Whether the text holds one of the marks. Every line passes here: it looks once at each quotation
// mark, and mostly only at the letter after it.
bool holds_mark(std::string_view text) {
    for (std::size_t at = text.find('"'); at != std::string_view::npos;
         at = text.find('"', at + 1)) {
        const std::string_view rest = text.substr(at);
        for (const std::string_view mark : k_marks) {
            if (rest.size() >= mark.size() && rest[1] == mark[1] && rest.starts_with(mark))
                return true;
        }
    }
    return false;
}

}  // namespace

std::optional<MultiContactLine> read_multi_contact_line(std::string_view text,
                                                        const ReadOptions& options) {
    // the word may be a value too: only lines that hold one of them are worth a second look
    if (!holds_mark(text)) return std::nullopt;
    const Json json = parse_line(text, true);
    const bool joint = std::any_of(k_marks.begin(), k_marks.end(), [&](std::string_view mark) {
        return json.is_object() && json.contains(mark.substr(1, mark.size() - 2));
    });
    if (!joint) return std::nullopt;
    const std::string id = id_of(json);
    try {
        MultiContactLine line = read_fields(json, options);
        line.id = id;
        return line;
    } catch (ProblemError& error) {
        error.id = id;
        throw;
    }
}

}  // namespace carom::cli
