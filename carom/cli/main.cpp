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

constexpr const char* k_touch_help = R"(
A problem is one JSON object a line: two bodies and the time to look ahead, in SI units, z up.
  {"id":1,"a":{"shape":{"type":"box","size":[0.1,0.2,0.05]},
               "motion":{"position":[0,0,1],"angular_velocity":[3,1,0],"gravity":[0,0,-9.81]}},
          "b":{"shape":{"type":"plane"}},"until":1.0}   (on one line)
Shapes: sphere (radius), plane (normal; solid below it, fixed), box (size), capsule (radius, length
of the straight part), cylinder, cone (radius, height), hull (points or file), mesh (file or pieces),
compound (parts, each a shape with position and orientation). Axes along z.
Motion, all optional: position of the shape's origin (a primitive's is its centre of mass),
orientation [w,x,y,z] or axis and angle in degrees, velocity of the centre of mass, angular_velocity,
gravity, mass or density, inertia. With "fixed":true the body moves as given: velocity is that of its
position, or of the pivot it turns about.
The answer has the time t, the point and the normal (from b to a) of the first contact, or t = null
and the distance at the end. Exit codes: 0 all answered; 1 a search took too many steps; 2 a line is
no valid problem.)";

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

    carom::cli::TouchOptions touch;
    CLI::App* touch_command =
        app.add_subcommand("touch", "When, where and how two moving bodies first touch");
    touch_command->add_option("files", touch.files, "Files of problems (default: standard input)");
    touch_command->add_option("--steps", touch.steps, "Most steps of one search")
        ->check(CLI::Range(1L, 1'000'000'000'000L))
        ->capture_default_str();
    CLI::Option* touch_json = touch_command->add_flag(
        "--json", touch.json, "JSON Lines (the default unless on a terminal)");
    touch_command->add_flag("--table", touch.table, "A table (the default on a terminal)")
        ->excludes(touch_json);
    touch_command->footer(k_touch_help);
    touch_command->callback([&] { code = carom::cli::run_touch(touch); });

    // a misspelt command would only be told that one is required
    const std::string command = argc > 1 ? argv[1] : "-";
    if (command[0] != '-' && command != "laws" && command != "impact" && command != "touch") {
        fmt::print(stderr, "carom: unknown command '{}'; the commands are laws, impact and touch\n",
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
