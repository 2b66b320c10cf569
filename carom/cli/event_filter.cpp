// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/event_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/cli/command_error.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"

namespace carom::cli {
namespace {

using world::EventKind;

constexpr EventKind k_kinds[] = {EventKind::impact,      EventKind::micro, EventKind::lasting_begin,
                                 EventKind::lasting_end, EventKind::sleep, EventKind::wake};

std::vector<bool> chosen_kinds(const std::vector<std::string>& wanted) {
    std::vector<std::string> names;
    for (const EventKind kind : k_kinds)
        names.emplace_back(world::name_of(kind));
    std::vector<bool> chosen(names.size(), wanted.empty());
    for (const std::string& name : wanted) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) {
            refuse(fmt::format("unknown kind {}{}", in_quotes(name),
                               which_there_are(name, names, "kinds")));
        }
        chosen[static_cast<std::size_t>(at - names.begin())] = true;
    }
    return chosen;
}

constexpr double k_none = -std::numeric_limits<double>::infinity();

double least(const char* option, const std::optional<double>& value) {
    if (value && !std::isfinite(*value)) refuse(fmt::format("{} must be a finite number", option));
    return value.value_or(k_none);
}

// Of what is never negative.
double least_size(const char* option, const std::optional<double>& value) {
    if (value && !(*value >= 0.0 && std::isfinite(*value)))
        refuse(fmt::format("{} must be a finite number, 0 or more", option));
    return value.value_or(k_none);
}

}  // namespace

EventFilter::EventFilter(const EventChoice& choice, const record::Recording& recording)
    : range_(time_range(recording.progress(), choice.from, choice.to)),
      bodies_(members(choice.bodies, recording.header().body_names, "body")),
      materials_(members(choice.materials, recording.header().body_materials, "material")),
      kinds_(chosen_kinds(choice.kinds)),
      least_impulse_(least_size("--min-impulse", choice.least_impulse)),
      least_energy_(least("--min-energy", choice.least_energy)),
      least_speed_(least_size("--min-speed", choice.least_speed)),
      takes_forces_(choice.kinds.empty() && !choice.least_energy && !choice.least_speed) {
    const bool sized = choice.least_impulse || choice.least_energy || choice.least_speed;
    for (const EventKind kind : k_kinds) {
        if (sized && !is_hit(kind)) kinds_[static_cast<std::size_t>(kind)] = false;
    }
}

EventFilter::Members EventFilter::members(std::vector<std::string> wanted,
                                          const std::vector<std::string>& of_body,
                                          const char* what) {
    if (wanted.empty()) return {};
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    return {chosen_names(wanted, of_body, what), wanted.size() > 1};
}

bool EventFilter::Members::takes(world::BodyId a, world::BodyId b) const {
    if (among.empty()) return true;
    if (b == world::k_no_body) return among[a];
    return all ? among[a] && among[b] : among[a] || among[b];
}

bool EventFilter::takes(const world::Event& event) const {
    return event.t >= range_.from && event.t <= range_.to &&
           kinds_[static_cast<std::size_t>(event.kind)] && bodies_.takes(event.a, event.b) &&
           materials_.takes(event.a, event.b) && event.impulse.norm() >= least_impulse_ &&
           event.energy_lost >= least_energy_ && approach_speed(event) >= least_speed_;
}

bool EventFilter::takes(const world::ContactForce& force) const {
    return takes_forces_ && force.t1 >= range_.from && force.t0 <= range_.to &&
           bodies_.takes(force.a, force.b) && materials_.takes(force.a, force.b) &&
           force.impulse.norm() >= least_impulse_;
}

double approach_speed(const world::Event& event) {
    return -event.u.dot(event.normal);
}

bool is_hit(EventKind kind) {
    return kind == EventKind::impact || kind == EventKind::micro ||
           kind == EventKind::lasting_begin;
}

}  // namespace carom::cli
