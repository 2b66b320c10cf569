// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace carom::cli {

// The manual page carom(1) in roff: every command with its options, made of the options themselves.
std::string manual_page(const CLI::App& app);

}  // namespace carom::cli
