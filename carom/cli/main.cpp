// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "carom/cli/commands.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"

namespace {

// A misspelt command would only be told that one is required. False, and a message, for one that is
// not known.
bool known_command(const CLI::App& app, const std::string& command) {
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(one->get_name());
    if (std::find(names.begin(), names.end(), command) != names.end()) return true;
    fmt::print(stderr, "carom: unknown command {}{}\n", carom::cli::in_quotes(command),
               carom::cli::which_there_are(command, names, "commands"));
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Carom: what happens when things hit each other"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "carom " CAROM_VERSION);
    app.footer("'carom COMMAND --help' says all of a command.");
    int code = carom::cli::k_done;
    carom::cli::add_laws(app, code);
    carom::cli::add_impact(app, code);
    carom::cli::add_touch(app, code);
    carom::cli::add_check(app, code);
    carom::cli::add_run(app, code);
    carom::cli::add_resume(app, code);
    carom::cli::add_info(app, code);
    carom::cli::add_events(app, code);
    carom::cli::add_sample(app, code);
    carom::cli::add_view(app, code);
    carom::cli::add_lab(app, code);
    carom::cli::add_export(app, code);

    const std::string command = argc > 1 ? argv[1] : "";
    if (!command.empty() && command[0] != '-' && !known_command(app, command)) {
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
