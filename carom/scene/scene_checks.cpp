// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/scene_checks.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "carom/scene/words.h"
#include "carom/world/world.h"

namespace carom::scene {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Every pair of materials is looked at.
constexpr std::size_t k_most_materials = 1000;

Pair pair_of(std::string_view a, std::string_view b) {
    return a < b ? Pair{a, b} : Pair{b, a};
}

// A material as the bodies have it.
struct Used {
    std::string_view name;
    const ReadBody* body;  // a free one where there is one
    std::size_t free = 0, all = 0;
};

// In the order of the bodies.
std::vector<Used> used_materials(const std::vector<ReadBody>& bodies) {
    std::vector<Used> materials;
    std::map<std::string_view, std::size_t> index;
    for (const ReadBody& body : bodies) {
        const std::string_view name = body.spec.material;
        if (name.empty()) continue;
        const auto [found, fresh] = index.try_emplace(name, materials.size());
        if (fresh) materials.push_back({name, &body});
        Used& used = materials[found->second];
        if (!body.spec.fixed && used.free++ == 0) used.body = &body;
        ++used.all;
    }
    return materials;
}

// The pairs that have a rule, with "*" for any.
class Rules {
public:
    void add(std::string_view a, std::string_view b) { pairs_.insert(pair_of(a, b)); }
    bool cover(std::string_view a, std::string_view b) const {
        return has("*", "*") || has(a, b) || has(a, "*") || has("*", b);
    }

private:
    bool has(std::string_view a, std::string_view b) const {
        return pairs_.contains(pair_of(a, b));
    }
    std::set<Pair> pairs_;
};

std::string there_are(const std::vector<std::string_view>& names) {
    constexpr std::size_t k_most_listed = 20;
    return names.size() > k_most_listed ? "" : "; the materials are " + listed(names);
}

// The material that is meant, where a rule names one that no body has.
std::string_view meant(const ReadRule& rule, std::size_t which,
                       const std::vector<std::string_view>& names, Report& report) {
    const std::string& name = rule.materials[which];
    if (name == "*" || std::find(names.begin(), names.end(), name) != names.end()) return name;
    const std::string_view near = nearest(name, names);
    report.add(rule.material_places[which],
               "material " + in_quotes(name) + " of the contact rule is that of no body" +
                   (near.empty() ? there_are(names) : did_you_mean(near)));
    return near.empty() ? std::string_view(name) : near;
}

void check_coverage(const std::vector<Used>& materials, const Rules& rules, Report& report) {
    if (rules.cover("*", "*")) return;
    for (std::size_t i = 0; i < materials.size(); ++i) {
        for (std::size_t j = i; j < materials.size(); ++j) {
            const Used& a = materials[i];
            const Used& b = materials[j];
            const bool meet = a.free + b.free > 0 && (i != j || a.all > 1);
            if (!meet || rules.cover(a.name, b.name)) continue;
            const ReadBody& body = a.free > 0 ? *a.body : *b.body;
            report.add(body.material_place,
                       "body " + in_quotes(body.spec.name) +
                           ": no contact rule for the materials " + in_quotes(a.name) + " and " +
                           in_quotes(b.name) + "; add [[contact]] with materials = [\"" +
                           std::string(a.name) + "\", \"" + std::string(b.name) + "\"]");
        }
    }
}

}  // namespace

void check_names(const std::vector<ReadBody>& bodies, Report& report) {
    std::map<std::string_view, const ReadBody*> first;
    Place last;  // so that a swarm is told of once
    for (const ReadBody& body : bodies) {
        if (body.spec.name.empty()) continue;
        const auto [found, fresh] = first.try_emplace(body.spec.name, &body);
        const Place& here = body.name_place;
        if (fresh || (here.line == last.line && here.column == last.column)) continue;
        last = here;
        report.add(here, "the name " + in_quotes(body.spec.name) +
                             " is already that of the body in line " +
                             std::to_string(found->second->name_place.line) +
                             "; every body must have a name of its own");
    }
}

void check_materials(const std::vector<ReadBody>& bodies, const std::vector<ReadRule>& rules,
                     Report& report) {
    const std::vector<Used> materials = used_materials(bodies);
    const bool all_bodies_known = std::none_of(
        bodies.begin(), bodies.end(), [](const ReadBody& b) { return b.spec.material.empty(); });
    if (bodies.empty()) return;
    if (materials.size() > k_most_materials) {
        report.add(materials[k_most_materials].body->material_place,
                   "the scene has " + std::to_string(materials.size()) +
                       " materials; there must be " + std::to_string(k_most_materials) +
                       " at most");
        return;
    }
    std::vector<std::string_view> names;
    names.reserve(materials.size());
    for (const Used& used : materials)
        names.push_back(used.name);

    Rules known;
    std::map<Pair, int> lines;
    bool all_rules_known = true;
    for (const ReadRule& rule : rules) {
        all_rules_known = all_rules_known && rule.materials_known;
        if (!rule.materials_known) continue;
        const auto [found, fresh] =
            lines.try_emplace(pair_of(rule.materials[0], rule.materials[1]), rule.place.line);
        if (!fresh) {
            report.add(rule.material_places[0], "the materials " + in_quotes(rule.materials[0]) +
                                                    " and " + in_quotes(rule.materials[1]) +
                                                    " already have the contact rule in line " +
                                                    std::to_string(found->second) +
                                                    "; leave one of the two out");
        } else if (all_bodies_known) {
            const std::string_view a = meant(rule, 0, names, report);
            const bool twice = rule.materials[0] == rule.materials[1];
            known.add(a, twice ? a : meant(rule, 1, names, report));
        }
    }
    if (all_bodies_known && all_rules_known) check_coverage(materials, known, report);
}

void check_overlaps(const std::vector<ReadBody>& bodies, Report& report) {
    std::vector<world::Body> made;
    made.reserve(bodies.size());
    for (const ReadBody& body : bodies)
        made.push_back(world::make_body(body.spec, 0));
    for (const world::Overlap& overlap : world::find_overlaps(made)) {
        const ReadBody& first = bodies[std::min(overlap.a, overlap.b)];
        const ReadBody& second = bodies[std::max(overlap.a, overlap.b)];
        report.add(second.position_place, "body " + in_quotes(second.spec.name) +
                                              " overlaps body " + in_quotes(first.spec.name) +
                                              " by " + readable_length(overlap.depth) +
                                              " at the start; move them apart");
    }
}

}  // namespace carom::scene
