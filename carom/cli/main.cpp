// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "carom/cli/commands.h"

namespace {

constexpr const char* k_impact_help = R"(
A problem is one JSON object a line, in the contact frame (z is the normal from B to A):
  {"id":1,"law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5}
or as two bodies in the world frame:
  {"id":2,"law":"routh","mu":0.4,"e":0.5,"normal":[0,0,1],
   "A":{"mass":1,"inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"r":[0,0,-1],"v":[-1,0,-5],"w":[0,2,0]},
   "B":"fixed"}   (on one line)
Plane problems have a 2x2 K and u = [ux, uz]. 'carom laws' lists the laws and their parameters.
A line that cannot be solved gives {"id":…,"line":…,"error":…}, and the others still are.
Exit codes: 0 all solved; 1 a law does not apply to a line's problem; 2 a line is no valid problem.)";

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Carom: what happens when things hit each other"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "carom " CAROM_VERSION);
    int code = carom::cli::k_done;

    carom::cli::LawsOptions laws;
    CLI::App* laws_command = app.add_subcommand("laws", "The laws, their parameters and sources");
    laws_command->add_option("law", laws.law, "Only this law, in full");
    laws_command->add_flag("--json", laws.json, "As JSON");
    laws_command->add_flag("--markdown", laws.markdown, "As the table of the README");
    laws_command->callback([&] { code = carom::cli::run_laws(laws); });

    carom::cli::ImpactOptions impact;
    CLI::App* impact_command =
        app.add_subcommand("impact", "Solves impacts: JSON Lines in, JSON Lines out");
    impact_command->add_option("files", impact.files,
                               "Files of problems (default: standard input)");
    CLI::Option* law =
        impact_command->add_option("--law", impact.law, "Use this law instead of each line's own");
    CLI::Option* all = impact_command->add_flag("--all", impact.all, "Every law's answer");
    law->excludes(all);
    impact_command->add_flag("--trace", impact.trace, "The path inside each impact")->excludes(all);
    impact_command
        ->add_flag("--region", impact.region,
                   "Margins, landmarks and curves of the permissible region")
        ->excludes(all);
    CLI::Option* json = impact_command->add_flag("--json", impact.json,
                                                 "JSON Lines (the default unless on a terminal)");
    impact_command->add_flag("--table", impact.table, "A table (the default on a terminal)")
        ->excludes(json);
    impact_command->add_flag("--examples", impact.examples,
                             "A few telling impacts, solved with every law");
    impact_command->footer(k_impact_help);
    impact_command->callback([&] { code = carom::cli::run_impact(impact); });

    // a misspelt command would only be told that one is required
    const std::string command = argc > 1 ? argv[1] : "-";
    if (command[0] != '-' && command != "laws" && command != "impact") {
        fmt::print(stderr, "carom: unknown command '{}'; the commands are laws and impact\n",
                   command);
        return carom::cli::k_bad_input;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? carom::cli::k_done : carom::cli::k_bad_input;
    } catch (const std::exception& error) {
        fmt::print(stderr, "carom: {}\n", error.what());
        return carom::cli::k_failed;
    }
    return code;
}
