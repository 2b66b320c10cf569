// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace carom::cli {

// Scripts that complete the program's commands, options and names in a shell, made of the options
// themselves.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace carom::cli
