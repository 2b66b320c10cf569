// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/completion.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"

namespace carom::cli {
namespace {

constexpr const char* k_completion_help = R"(
Prints what a shell needs to complete carom's commands, options, built-in scenes and names of laws.
An installed carom has it in the usual places already. Otherwise:
  bash: put this line into ~/.bashrc:  source <(carom completion bash)
  zsh:  carom completion zsh > FOLDER/_carom  with a FOLDER that is in $fpath before compinit runs
Exit codes: 0 done; 2 an unknown shell.)";

int print_completion(const CLI::App& app, const std::string& shell) {
    if (shell == "bash") {
        fmt::print("{}", bash_completion(app));
    } else if (shell == "zsh") {
        fmt::print("{}", zsh_completion(app));
    } else {
        const std::string known[] = {"bash", "zsh"};
        refuse(fmt::format("unknown shell {}{}", in_quotes(shell),
                           which_there_are(shell, known, "shells")));
    }
    return k_done;
}

}  // namespace

void add_completion(CLI::App& app, int& code) {
    const auto shell = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("completion", "Prints the completion of commands for bash or zsh");
    command->add_option("SHELL", *shell, "bash or zsh")->required();
    command->footer(k_completion_help);
    command->callback([shell, &app, &code] {
        code = guarded("carom completion", [&] { return print_completion(app, *shell); });
    });
}

}  // namespace carom::cli
