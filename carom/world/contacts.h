// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/law_choice.h"

namespace carom::world {

// What happens when two materials hit each other: a law and its parameters, as in
// impact::law::routh({.e = 0.8, .mu = 0.3}), and what lasting contact needs besides.
struct ContactLaw : impact::LawChoice {
    ContactLaw() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): most rules are a law and nothing else
    ContactLaw(const impact::LawChoice& choice) : impact::LawChoice(choice) {}

    // Of a sphere that rolls on a plane, as lever arms (m): see motion/sphere_contact.h.
    double rolling_friction = 0.0;
    double spinning_friction = 0.0;
    // The normal spring F = stiffness * compression^power of impacts that are resolved as `coupled`
    // (impact/multiple/multi_contact_problem.h); of stiffness only ratios matter.
    double stiffness = 1.0;
    double power = 1.5;
};

using MaterialId = std::uint32_t;

// The materials of a world, and the law of each pair of them.
//
// A rule names two materials, in any order; "*" stands for any. The most specific rule decides:
// both named, then one, then none; among equals the one that was set last.
class Contacts {
public:
    // Throws std::invalid_argument when the law cannot be used with these parameters.
    void set(std::string_view material_a, std::string_view material_b, const ContactLaw& law);

    // The id of a material; a new name gets the next one.
    MaterialId material(std::string_view name);
    const std::string& name(MaterialId id) const { return names_[id]; }
    std::size_t material_count() const { return names_.size(); }

    // Null when no rule matches. The pointer is good until the next set().
    const ContactLaw* find(MaterialId a, MaterialId b) const;
    std::size_t rule_count() const { return rules_.size(); }

private:
    struct Rule {
        std::string a, b;
        ContactLaw law;
    };
    std::vector<std::string> names_;
    std::vector<Rule> rules_;
};

}  // namespace carom::world
