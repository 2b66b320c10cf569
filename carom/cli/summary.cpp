// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/summary.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "carom/cli/progress_bar.h"
#include "carom/cli/table.h"
#include "carom/world/promises.h"

namespace carom::cli {
namespace {

std::string joules(double energy) {
    return short_number(energy) + " J";
}

// "12 (3e-16 of 1.5)": a residual and the scale it is to be judged by.
std::string relative(double residual, double scale, const char* unit) {
    if (!(scale > 0.0)) return fmt::format("{} {}", short_number(residual), unit);
    return fmt::format("{} {} ({} of {})", short_number(residual), unit,
                       short_number(std::abs(residual) / scale), short_number(scale));
}

// " in 0.0011 s of wall time, 2,564 times faster"; nothing when it took no time.
std::string pace(double time, double wall) {
    if (!(wall > 0.0)) return {};
    const auto times = [](double ratio) {
        constexpr double k_many = 100.0, k_most = 1e15;
        return ratio < k_many ? fmt::format("{:.3g}", ratio)
                              : grouped(static_cast<std::uint64_t>(std::min(ratio, k_most)));
    };
    std::string text =
        " in " + (wall < 1.0 ? fmt::format("{:.3g} s", wall) : clock_text(wall)) + " of wall time";
    if (time >= wall) return text + fmt::format(", {} times faster", times(time / wall));
    return time > 0.0 ? text + fmt::format(", {} times slower", times(wall / time)) : text;
}

}  // namespace

RunSummary summarize(const scene::Scene& scene, const world::World& world, double duration,
                     double wall, std::optional<std::string> recording) {
    RunSummary s;
    s.scene = scene.name;
    s.title = scene.title;
    s.expect = scene.expect;
    s.duration = duration;
    s.time = world.time();
    s.wall = wall;
    s.events = world.tally().events;
    s.impacts = world.tally().impacts;
    s.micro = world.tally().micro;
    s.bodies = world.body_count();
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        if (world.body(id).fixed) continue;
        ++s.moving;
        if (world.asleep(id)) ++s.asleep;
    }
    s.audit = world.audit();
    s.substituted = s.audit.substituted;
    s.broken_promises = world::broken_promises(world);
    s.recording = std::move(recording);
    return s;
}

RunSummary summarize(const scene::Scene& scene, const record::Recording& recording,
                     const std::string& path) {
    RunSummary s;
    s.scene = recording.header().scene_name;
    s.title = scene.title;
    s.expect = scene.expect;
    s.duration = recording.header().duration;
    s.time = recording.progress().time;
    s.events = recording.progress().events;
    const record::Totals totals = recording.totals().value_or(record::Totals{});
    s.impacts = totals.impacts;
    s.micro = totals.micro;
    s.bodies = scene.bodies.size();
    s.moving = static_cast<std::size_t>(std::count_if(
        scene.bodies.begin(), scene.bodies.end(), [](const auto& body) { return !body.fixed; }));
    std::vector<bool> asleep(s.bodies, false);
    for (const world::Segment& segment : recording.segments())
        asleep[segment.body] = segment.kind == world::SegmentKind::asleep;
    s.asleep = static_cast<std::size_t>(std::count(asleep.begin(), asleep.end(), true));
    s.audit = recording.audit().value_or(world::Audit{});
    s.recording = path;
    return s;
}

std::string lines_text(const NamedLines& lines) {
    std::size_t width = 0;
    for (const auto& line : lines)
        width = std::max(width, line.first.size());
    std::string text;
    for (const auto& [name, value] : lines)
        text += fmt::format("{:<{}}  {}\n", name, width, value);
    return text;
}

NamedLines audit_lines(const world::Audit& audit) {
    const double energy_scale = std::max({std::abs(audit.energy_start), std::abs(audit.energy_end),
                                          audit.energy_lost, std::abs(audit.driven)});
    return {
        {"energy at the start", joules(audit.energy_start)},
        {"energy at the end", joules(audit.energy_end)},
        {"energy lost", joules(audit.energy_lost)},
        {"  of which gained", joules(audit.energy_gained)},
        {"energy driven in", joules(audit.driven)},
        {"energy residual", relative(audit.energy_residual, energy_scale, "J")},
        {"momentum residual", relative(audit.momentum_residual, audit.momentum_scale, "kg m/s")},
        {"force work residual", relative(audit.force_work_residual, energy_scale, "J")},
        {"largest overlap", short_number(audit.max_overlap) + " m"},
    };
}

void write_audit(JsonOut& out, const world::Audit& audit) {
    out.begin("audit");
    out.number("energy_start", audit.energy_start);
    out.number("energy_end", audit.energy_end);
    out.number("energy_lost", audit.energy_lost);
    out.number("energy_gained", audit.energy_gained);
    out.number("energy_driven", audit.driven);
    out.number("energy_residual", audit.energy_residual);
    out.number("momentum_residual", audit.momentum_residual);
    out.number("momentum_scale", audit.momentum_scale);
    out.number("max_overlap", audit.max_overlap);
    out.number("force_work_residual", audit.force_work_residual);
    out.number("force_work_scale", audit.force_work_scale);
    out.end();
}

std::string summary_text(const RunSummary& s) {
    std::string text = (s.title.empty() ? s.scene : s.title) + "\n";
    if (!s.expect.empty()) text += "expect: " + s.expect + "\n";
    NamedLines lines;
    lines.emplace_back("simulated", short_number(s.time) + " s" + pace(s.time, s.wall));
    lines.emplace_back(
        "events",
        fmt::format("{}: {}, {}", grouped(s.events), counted(s.impacts, "impact", "impacts"),
                    counted(s.micro, "micro-collision", "micro-collisions")));
    lines.emplace_back(
        "bodies", fmt::format("{}, of which {} can move; {} asleep at the end", grouped(s.bodies),
                              grouped(s.moving), grouped(s.asleep)));
    if (s.audit.pile_restitutions > 0)
        lines.emplace_back("not by law", fmt::format("{} impacts in piles, by Newton's restitution "
                                                     "one step late",
                                                     grouped(s.audit.pile_restitutions)));
    if (s.substituted > 0) {
        lines.emplace_back("substituted",
                           fmt::format("{} impacts took too much work for the scene's 'multiple' "
                                       "and were resolved in sequence",
                                       grouped(s.substituted)));
    }
    for (auto& line : audit_lines(s.audit))
        lines.push_back(std::move(line));
    if (s.recording) lines.emplace_back("recording", *s.recording);
    text += "\n" + lines_text(lines);
    const bool colour = isatty(STDOUT_FILENO) != 0;
    for (const std::string& broken : s.broken_promises)
        text += fmt::format("{}promise broken: {}{}\n", colour ? "\033[1;31m" : "", broken,
                            colour ? "\033[0m" : "");
    if (s.states) text += fmt::format("\nat {}:\n{}", seconds_text(s.time), states_text(*s.states));
    return text;
}

std::string summary_json(const RunSummary& s) {
    fmt::memory_buffer buffer;
    JsonOut out(buffer);
    out.begin();
    out.text("scene", s.scene);
    out.text("title", s.title);
    out.text("expect", s.expect);
    out.number("duration", s.duration);
    out.number("time", s.time);
    out.flag("finished", s.time >= s.duration);
    out.number("wall", s.wall);
    out.count("events", s.events);
    out.count("impacts", s.impacts);
    out.count("micro", s.micro);
    out.count("pile_restitutions", s.audit.pile_restitutions);
    out.count("substituted", s.substituted);
    out.count("bodies", s.bodies);
    out.count("moving", s.moving);
    out.count("asleep", s.asleep);
    write_audit(out, s.audit);
    out.begin_list("broken_promises");
    for (const std::string& broken : s.broken_promises)
        out.element(broken);
    out.end_list();
    if (s.recording) {
        out.text("recording", *s.recording);
    } else {
        out.null("recording");
    }
    if (s.states) write_states(out, *s.states);
    out.end();
    out.end_line();
    return fmt::to_string(buffer);
}

}  // namespace carom::cli
