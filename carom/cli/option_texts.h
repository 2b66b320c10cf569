// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::cli {

// The options of a command as data, for what is made of them: the manual page and the completion of
// shells. So neither can fall behind the program.
struct OptionText {
    std::vector<std::string> names;  // "-o", "--output"; of an argument without a dash its name
    bool positional = false;         // an argument without a dash, as SCENE
    bool required = false;
    bool takes_value = false;
    std::string value;  // its placeholder, as SECONDS
    std::string description;
    std::string fallback;  // its default, where the help shows one
};
std::vector<OptionText> option_texts(const CLI::App& command);

// The words that a value can be: names of laws, formats, commands; empty when anything goes.
// option: one of its names.
std::vector<std::string> value_words(const CLI::App& app, const std::string& option);

// Endings of the files that a value can be, as ".toml"; "*" for any file, empty for none.
std::vector<std::string> value_files(const std::string& option);

}  // namespace carom::cli
