// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "carom/cli/option_texts.h"
#include "carom/cli/program.h"

namespace carom::cli {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += between;
        text += word;
    }
    return text;
}

std::vector<const CLI::App*> commands(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

// --- bash

constexpr std::string_view k_bash_begin =
    R"bash(# bash completion of carom, made by 'carom completion bash'
_carom() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    # bash takes --law=routh as three words
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local command= i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
    done
    # what may come: these words, and files with these endings ("*" for any)
    local words= files=
    case "$command $previous" in
)bash";

constexpr std::string_view k_bash_end = R"bash(    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    local file ending
    if [[ $files && $current != -* ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
            if [[ -d $file || $files == "*" ]]; then
                COMPREPLY+=("$file")
                continue
            fi
            for ending in $files; do
                [[ $file == *"$ending" ]] && COMPREPLY+=("$file")
            done
        done < <(compgen -f -- "$current")
    fi
}
complete -F _carom carom
)bash";

// "words='a b' files='.toml'": what a value can be.
std::string bash_value(const CLI::App& app, const std::string& option) {
    return fmt::format("words='{}' files='{}'", joined(value_words(app, option), " "),
                       joined(value_files(option), " "));
}

// The cases of a command: first those of its options that take a value, then what comes elsewhere.
std::string bash_cases(const CLI::App& app, const CLI::App& command) {
    const std::string& name = command.get_name();
    std::string text;
    std::vector<std::string> words, files;
    for (const OptionText& option : option_texts(command)) {
        if (option.positional) {
            for (const std::string& word : value_words(app, option.names.front()))
                words.push_back(word);
            for (const std::string& ending : value_files(option.names.front()))
                files.push_back(ending);
            continue;
        }
        words.insert(words.end(), option.names.begin(), option.names.end());
        if (!option.takes_value) continue;
        std::vector<std::string> patterns;
        for (const std::string& one : option.names)
            patterns.push_back(fmt::format("'{} {}'", name, one));
        text += fmt::format("    {}) {} ;;\n", joined(patterns, " | "),
                            bash_value(app, option.names.back()));
    }
    return text + fmt::format("    '{} '*) words='{}' files='{}' ;;\n", name, joined(words, " "),
                              joined(files, " "));
}

// --- zsh

// Text inside single quotes of a specification of _arguments.
std::string zsh_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
            out += '\\';
            out += c;
        } else {
            out += c;
        }
    }
    return out;
}

// ":SECONDS:action" for what a value can be.
std::string zsh_value(const CLI::App& app, const std::string& option, const std::string& label) {
    const std::vector<std::string> words = value_words(app, option);
    const std::vector<std::string> files = value_files(option);
    std::string pattern = "*";
    if (!files.empty() && files.front() != "*") {
        std::vector<std::string> endings;
        endings.reserve(files.size());
        for (const std::string& ending : files)
            endings.push_back(ending.substr(1));
        pattern = "*.(" + joined(endings, "|") + ")";
    }
    std::string action;
    if (!words.empty() && !files.empty()) {
        action = fmt::format("_alternative \"names:name:({})\" \"files:file:_files -g \\\"{}\\\"\"",
                             joined(words, " "), pattern);
        return fmt::format(":{}:{{ {} }}", zsh_escaped(label), action);
    }
    if (!words.empty()) {
        action = "(" + joined(words, " ") + ")";
    } else if (!files.empty()) {
        action = pattern == "*" ? "_files" : fmt::format("_files -g \"{}\"", pattern);
    }
    return fmt::format(":{}:{}", zsh_escaped(label), action);
}

std::string zsh_arguments(const CLI::App& app, const CLI::App& command) {
    std::string text;
    for (const OptionText& option : option_texts(command)) {
        const std::string value =
            option.takes_value ? zsh_value(app, option.names.back(),
                                           option.positional ? option.names.back() : option.value)
                               : std::string();
        if (option.positional) {
            const bool many = option.names.front() == "FILES";
            text += fmt::format(" \\\n                '{}{}'", many ? "*" : "1", value);
            continue;
        }
        for (const std::string& name : option.names) {
            text += fmt::format(" \\\n                '{}[{}]{}'", name,
                                zsh_escaped(option.description), value);
        }
    }
    return text;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    std::string text(k_bash_begin);
    std::vector<std::string> first = command_names(app);
    for (const OptionText& option : option_texts(app))
        first.insert(first.end(), option.names.begin(), option.names.end());
    text += fmt::format("    ' '*) words='{}' ;;\n", joined(first, " "));
    for (const CLI::App* command : commands(app))
        text += bash_cases(app, *command);
    return text + std::string(k_bash_end);
}

std::string zsh_completion(const CLI::App& app) {
    std::string text =
        "#compdef carom\n# zsh completion of carom, made by 'carom completion zsh'\n_carom() {\n"
        "    local -a commands=(\n";
    for (const CLI::App* command : commands(app)) {
        text += fmt::format("        '{}:{}'\n", command->get_name(),
                            zsh_escaped(command->get_description()));
    }
    text +=
        "    )\n    if ((CURRENT == 2)); then\n        _describe -t commands command commands\n"
        "        return\n    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
        "    case $command in\n";
    for (const CLI::App* command : commands(app)) {
        text += fmt::format("        {})\n            _arguments{} ;;\n", command->get_name(),
                            zsh_arguments(app, *command));
    }
    return text + "    esac\n}\n_carom \"$@\"\n";
}

}  // namespace carom::cli
