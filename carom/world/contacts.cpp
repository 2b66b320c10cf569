// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/contacts.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace carom::world {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
    return pattern == "*" || pattern == name;
}

}  // namespace

void Contacts::set(std::string_view material_a, std::string_view material_b,
                   const ContactLaw& law) {
    const std::string wrong = impact::check_parameters(impact::law_info(law.law), law.parameters);
    if (!wrong.empty()) throw std::invalid_argument(wrong);
    if (!(law.stiffness > 0.0 && std::isfinite(law.stiffness)))
        throw std::invalid_argument("the stiffness must be a finite number larger than 0");
    if (!(law.power >= 1.0 && std::isfinite(law.power)))
        throw std::invalid_argument("the power of the spring must be a finite number, at least 1");
    rules_.push_back({std::string(material_a), std::string(material_b), law});
}

MaterialId Contacts::material(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<MaterialId>(found - names_.begin());
    names_.emplace_back(name);
    return static_cast<MaterialId>(names_.size() - 1);
}

const ContactLaw* Contacts::find(MaterialId a, MaterialId b) const {
    const ContactLaw* best = nullptr;
    int best_named = -1;
    for (const Rule& rule : rules_) {
        const bool forth = matches(rule.a, names_[a]) && matches(rule.b, names_[b]);
        const bool back = matches(rule.a, names_[b]) && matches(rule.b, names_[a]);
        if (!forth && !back) continue;
        const int named = static_cast<int>(rule.a != "*") + static_cast<int>(rule.b != "*");
        if (named >= best_named) {
            best = &rule.law;
            best_named = named;
        }
    }
    return best;
}

}  // namespace carom::world
