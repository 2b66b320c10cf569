// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/manual_page.h"
#include "carom/cli/program.h"

namespace carom::cli {
namespace {

struct HelpOptions {
    std::string command;
    bool man = false;
};

int print_help(const CLI::App& app, const HelpOptions& options) {
    if (options.man) {
        fmt::print("{}", manual_page(app));
    } else if (options.command.empty()) {
        // app.help() would give that of the command that was called, which is this one
        fmt::print(
            "{}", app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    } else {
        fmt::print("{}", find_command(app, options.command).help(app.get_name()));
    }
    return k_done;
}

}  // namespace

void add_help(CLI::App& app, int& code) {
    const auto options = std::make_shared<HelpOptions>();
    CLI::App* command =
        app.add_subcommand("help", "Shows the help of the program or of one command");
    command->add_option("COMMAND", options->command, "The command (default: the program)");
    command->add_flag("--man", options->man, "The manual page carom(1), in roff");
    command->footer("\nExit codes: 0 done; 2 there is no such command.");
    command->callback([options, &app, &code] {
        code = guarded("carom help", [&] { return print_help(app, *options); });
    });
}

}  // namespace carom::cli
