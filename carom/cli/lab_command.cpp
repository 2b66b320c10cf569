// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <CLI/CLI.hpp>
#include <memory>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/served_page.h"

namespace carom::cli {
namespace {

constexpr const char* k_lab_help = R"(
Opens the collision-law laboratory in the browser: one impact, every law's answer to it, impulse
space. Prints the address and serves it until Ctrl-C, to your own machine only unless --host says
otherwise. The page computes everything itself.
Exit codes: 0 ended; 1 failed; 2 the call is wrong, or the port is taken.)";

int lab(const ServeOptions& options) {
    serve_until_stopped(built_in_pages(), {}, "lab", options, [] {});
    return k_done;
}

}  // namespace

void add_lab(CLI::App& app, int& code) {
    const auto options = std::make_shared<ServeOptions>();
    CLI::App* command =
        app.add_subcommand("lab", "The laboratory of collision laws in the browser");
    add_serve_options(*command, *options);
    command->footer(k_lab_help);
    command->callback(
        [options, &code] { code = guarded("carom lab", [&] { return lab(*options); }); });
}

}  // namespace carom::cli
