// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/program.h"
#include "carom/cli/say.h"

namespace {

using namespace carom::cli;

int run_program(int argc, char** argv) {
    CLI::App app{"Carom: what happens when things hit each other", "carom"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "carom " CAROM_VERSION, "Print the version and end");
    app.set_help_flag("-h,--help", "Print this help and end");
    int code = k_done;
    add_commands(app, code);
    try {
        // a misspelt command would only be told that one is required
        if (argc > 1 && argv[1][0] != '-') find_command(app, argv[1]);
        app.parse(argc, argv);
    } catch (const CommandError& error) {
        say("carom: {}\n", error.message);
        return error.code;
    } catch (const CLI::ParseError& error) {
        // --help and --version come as errors of code 0
        if (error.get_exit_code() == 0) {
            app.exit(error);
            return flush_output() ? k_done : k_failed;
        }
        tell_wrong_call(app, error);
        return k_bad_input;
    }
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    // a write beyond the limit of file sizes is a write that failed, told as a full disk is
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run_program(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "carom: %s\n", error.what());
        return k_failed;
    }
}
