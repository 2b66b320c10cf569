// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace carom::cli {

// The program as a whole: all commands in the order in which they are listed.
void add_commands(CLI::App& app, int& code);

// "run", "resume", ...
std::vector<std::string> command_names(const CLI::App& app);

// The command of this name. Throws CommandError with the nearest name and the list when there is
// none.
const CLI::App& find_command(const CLI::App& app, const std::string& name);

// Says on standard error what is wrong with a call, as "carom run: unknown option '--duraton'; did
// you mean '--duration'?".
void tell_wrong_call(const CLI::App& app, const CLI::ParseError& error);

}  // namespace carom::cli
