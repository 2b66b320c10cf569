// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/event_blocks.h"
#include "carom/cli/event_filter.h"
#include "carom/cli/event_rows.h"
#include "carom/cli/event_sums.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/option_checks.h"

namespace carom::cli {
namespace {

constexpr const char* k_events_help = R"(
Events in the order of time. Kinds: impact, micro (a micro-collision of a contact that lasts),
lasting-begin, lasting-end, sleep, wake. SI units, world frame: the normal is from b to a, u and
u_after are a's contact velocity minus b's before and after, the impulse is on a, restitution is
-u_after.n / u.n. What an event does not have is null in JSON and empty in CSV. The begin and the end
of a lasting contact are events; what it does in between is a force.
One --body: the events it takes part in. Several: only the events between bodies that are all among
them. The same for --material. Names may be patterns: --body 'pin-*'.
--forces gives the forces of lasting contacts instead of events, one line for each interval of time:
its impulse and its mean force on a, the normal, and the centre of pressure at the start (point) and
at the end (point_end). --from and --to take the intervals that meet this time.
--sum adds impacts, micro-collisions and begins of lasting contact up by pair of bodies, the largest
impulses first: how many, the sum of the impulse vectors (on a) and of their sizes, the largest; the
impulse of lasting contact within the chosen time and how long it lasted; the mean force of all of
them over the chosen time; the energy lost in events; the first and the last time. With --kind,
--min-speed or --min-energy only events count; with --forces only lasting contact.
The output is a table on a terminal and CSV elsewhere. The ending of a file's name chooses its format:
.csv, .json or .jsonl, or .txt (a table).
--json gives JSON Lines: t, kind, a, b, point, normal, u, u_after, impulse, law, energy_lost,
restitution; with --forces: t0, t1, a, b, point, normal, impulse, force, point_end, follows, acts
(docs/formats.md says what the last two mean); with --sum: a, b, impacts, micro, begins, impulse,
impulse_sizes, largest_impulse, lasting_impulse, lasting_time, mean_force, energy_lost, first, last.
Exit codes: 0 done; 1 failed; 2 not a recording, or the call is wrong.)";

struct EventsOptions {
    std::string recording;
    EventChoice choice;
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
    bool sum = false, forces = false;
    bool json = false, csv = false, table = false;
    std::string output;
    bool force = false;
};

const std::vector<std::string> k_endings{".csv", ".json", ".jsonl", ".txt"};

// As asked for, or as the name of the file says.
RowStyle style_of(const EventsOptions& options) {
    if (options.json) return RowStyle::json;
    if (options.csv) return RowStyle::csv;
    if (options.table) return RowStyle::table;
    if (options.output.empty() || options.output == "-")
        return isatty(STDOUT_FILENO) != 0 ? RowStyle::table : RowStyle::csv;
    const std::string ending = known_ending(
        options.output, k_endings, "--csv, --json or --table says the format of any other name");
    if (ending == ".txt") return RowStyle::table;
    return ending.starts_with(".json") ? RowStyle::json : RowStyle::csv;
}

void print_sums(const EventsOptions& options, const record::Recording& recording,
                const EventFilter& filter, OutputFile& out) {
    EventSums sums;
    if (!options.forces) {
        for_each_event(recording, [&](const world::Event& event) {
            if (filter.takes(event)) sums.add(event);
            return !filter.passed(event);
        });
    }
    if (filter.takes_forces()) {
        for_each_force(recording, [&](const world::ContactForce& force) {
            if (filter.takes(force)) sums.add(force, filter.range());
            return true;
        });
    }
    SumRows rows(style_of(options), recording.header(), filter.range().length(), out);
    std::uint64_t left = options.limit;
    for (const PairSum& pair : sums.pairs()) {
        if (left-- == 0) break;
        rows.add(pair);
    }
    rows.finish();
}

void print_forces(const EventsOptions& options, const record::Recording& recording,
                  const EventFilter& filter, OutputFile& out) {
    ForceRows rows(style_of(options), recording.header(), out);
    std::uint64_t left = options.limit;
    // they are in the order of their ends, so that none can be known to be the last
    for_each_force(recording, [&](const world::ContactForce& force) {
        if (left == 0) return false;
        if (filter.takes(force)) {
            rows.add(force);
            --left;
        }
        return true;
    });
    rows.finish();
}

void print_events(const EventsOptions& options, const record::Recording& recording,
                  const EventFilter& filter, OutputFile& out) {
    EventRows rows(style_of(options), recording.header(), out);
    std::uint64_t left = options.limit;
    for_each_event(recording, [&](const world::Event& event) {
        if (left == 0 || filter.passed(event)) return false;
        if (filter.takes(event)) {
            rows.add(event);
            --left;
        }
        return true;
    });
    rows.finish();
}

int events(const EventsOptions& options) {
    style_of(options);  // a file of unknown kind is refused first
    const record::Recording recording = open_recording(options.recording);
    const EventFilter filter(options.choice, recording);
    if (options.forces && !filter.takes_forces()) {
        refuse(
            "--forces have no kind, speed or energy; choose them by --body, --material, --from, "
            "--to and --min-impulse");
    }
    OutputFile out(options.output, options.force, options.recording);
    if (options.sum) {
        print_sums(options, recording, filter, out);
    } else if (options.forces) {
        print_forces(options, recording, filter, out);
    } else {
        print_events(options, recording, filter, out);
    }
    out.finish();
    return k_done;
}

void add_choice(CLI::App& command, EventChoice& choice) {
    command.add_option("--body", choice.bodies, "Only events of this body (may be repeated)")
        ->allow_extra_args(false)
        ->type_name("NAME");
    command
        .add_option("--material", choice.materials,
                    "Only events of bodies of this material (may be repeated)")
        ->allow_extra_args(false)
        ->type_name("NAME");
    command.add_option("--kind", choice.kinds, "Only these kinds, as impact,micro")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("KIND,...");
    command.add_option("--from", choice.from, "Not before this time")->type_name("SECONDS");
    command.add_option("--to", choice.to, "Not after this time")->type_name("SECONDS");
    command.add_option("--min-impulse", choice.least_impulse, "Least size of the impulse")
        ->type_name("NEWTON-SECONDS");
    command
        .add_option("--min-energy", choice.least_energy,
                    "Least energy lost; it is negative where a law makes some")
        ->type_name("JOULES");
    command.add_option("--min-speed", choice.least_speed, "Least speed of approach (m/s)")
        ->type_name("SPEED");
}

}  // namespace

void add_events(CLI::App& app, int& code) {
    const auto options = std::make_shared<EventsOptions>();
    CLI::App* command =
        app.add_subcommand("events", "Impacts of a recording, filtered and summed by pair");
    command->add_option("REC", options->recording, "The recording")->required();
    add_choice(*command, options->choice);
    command->add_option("--limit", options->limit, "Most lines to print")
        ->check(whole_number)
        ->type_name("N");
    command->add_flag("--sum", options->sum, "Contact statistics by pair of bodies");
    command->add_flag("--forces", options->forces,
                      "The forces of lasting contacts over time, instead of events");
    CLI::Option* json = command->add_flag("--json", options->json, "JSON Lines");
    CLI::Option* csv =
        command->add_flag("--csv", options->csv, "CSV (the default unless on a terminal)");
    CLI::Option* table =
        command->add_flag("--table", options->table, "A table (the default on a terminal)");
    csv->excludes(json);
    table->excludes(json)->excludes(csv);
    command->add_option("-o,--output", options->output, "A file instead of standard output")
        ->type_name("FILE");
    command->add_flag("--force", options->force, "Replace a file that exists");
    command->footer(k_events_help);
    command->callback(
        [options, &code] { code = guarded("carom events", [&] { return events(*options); }); });
}

}  // namespace carom::cli
