// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/record/header.h"

namespace carom::record {
namespace {

using Json = nlohmann::ordered_json;

Json list_of(const Vec3& v) {
    return Json::array({v.x(), v.y(), v.z()});
}

// JSON has no infinity.
Json number_of(double x) {
    if (std::isfinite(x)) return x;
    return x > 0.0 ? "inf" : "-inf";
}

Json value_of(const impact::LawParameters& parameters, const impact::ParameterInfo& info) {
    switch (info.kind) {
        case impact::ParameterKind::number:
            return number_of(*parameters.number(info.id));
        case impact::ParameterKind::vector:
            return list_of(*parameters.P);
        case impact::ParameterKind::termination:
            return impact::termination_name(*parameters.termination);
        case impact::ParameterKind::boolean:
            return parameters.reversal.value_or(false);
        case impact::ParameterKind::law:
            return impact::law_info(parameters.fallback_law()).name;
    }
    return nullptr;
}

// The law's parameters that were given, and the names that stand for those that were not.
void add_parameters(Json& json, const impact::LawInfo& law, const impact::LawParameters& given) {
    for (const impact::LawParameter& parameter : law.parameters) {
        const impact::ParameterInfo& info = impact::parameter_info(parameter.id);
        const std::string name(info.name);
        if (json.contains(name)) continue;
        if (given.has(parameter.id) || info.kind == impact::ParameterKind::boolean) {
            json[name] = value_of(given, info);
        } else if (info.kind != impact::ParameterKind::number) {
            json[name] = parameter.fallback;
        }
    }
}

Json contact_of(const std::string& a, const std::string& b, const world::ContactLaw& contact) {
    const impact::LawInfo& law = impact::law_info(contact.law);
    Json json;
    json["materials"] = {a, b};
    json["law"] = law.name;
    add_parameters(json, law, contact.parameters);
    if (law.id == impact::LawId::micro)
        add_parameters(json, impact::law_info(contact.parameters.fallback_law()),
                       contact.parameters);
    if (contact.rolling_friction != 0.0) json["rolling_friction"] = contact.rolling_friction;
    if (contact.spinning_friction != 0.0) json["spinning_friction"] = contact.spinning_friction;
    if (contact.stiffness != 1.0) json["stiffness"] = contact.stiffness;
    if (contact.power != 1.5) json["power"] = contact.power;
    return json;
}

// Names may hold any bytes; what is no UTF-8 is replaced.
std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string settings_text(const world::Settings& settings) {
    Json json;
    json["gravity"] = list_of(settings.gravity);
    json["contact"] = world::name_of(settings.contact);
    json["multiple"] = impact::multiple_info(settings.multiple).name;
    json["pile_impacts"] = world::name_of(settings.pile_impacts);
    json["micro"] = settings.micro;
    json["sleep"] = settings.sleep;
    json["checkpoint"] = settings.checkpoint;
    json["most_at_once"] = settings.most_at_once;
    return text_of(json);
}

std::string contacts_text(const world::Contacts& contacts) {
    std::string text = "[";
    const auto count = static_cast<world::MaterialId>(contacts.material_count());
    for (world::MaterialId a = 0; a < count; ++a) {
        for (world::MaterialId b = a; b < count; ++b) {
            const world::ContactLaw* law = contacts.find(a, b);
            if (law == nullptr) continue;
            text += text.size() > 1 ? ",\n " : "";
            text += text_of(contact_of(contacts.name(a), contacts.name(b), *law));
        }
    }
    return text + "]";
}

}  // namespace carom::record
