// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <initializer_list>
#include <utility>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"
#include "carom/cli/option_checks.h"
#include "carom/cli/say.h"

namespace carom::cli {
namespace {

constexpr const char* k_footer = R"(
A law and one impact:     laws, impact, lab
When two bodies touch:    touch
Scenes:                   scenes, check, run, view
Recordings:               resume, info, events, sample, view, export
'carom help COMMAND' and 'carom COMMAND --help' describe a command in full. SI units throughout;
most commands also print their results as JSON (--json).
Exit codes: 0 done; 1 the work failed or was stopped; 2 the input or the call is wrong.)";

// The command that was called: "carom run"; or "carom" when none was.
struct Called {
    const CLI::App* app;
    std::string name;
};

Called called_command(const CLI::App& app) {
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    if (parsed.empty()) return {&app, "carom"};
    return {parsed.back(), "carom " + parsed.back()->get_name()};
}

// "--duration" and "-o" of "--duration=5" and "-ofile".
std::string option_name(const std::string& word) {
    if (word.starts_with("--")) return word.substr(0, word.find('='));
    return word.substr(0, 2);
}

bool is_option(const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word != "--" &&
           std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

std::string unknown_option(const Called& called, const std::string& word) {
    const std::string name = option_name(word);
    std::vector<std::string> known;
    for (const CLI::Option* option : called.app->get_options()) {
        for (const std::string& one : option->get_lnames())
            known.push_back("--" + one);
    }
    const std::string hint = did_you_mean(nearest_name(name, known));
    return fmt::format(
        "unknown option {}{}", in_quotes(name),
        hint.empty() ? fmt::format("; '{} --help' lists the options", called.name) : hint);
}

// The library's message in the words of this program.
std::string in_our_words(const CLI::ParseError& error, const Called& called) {
    std::string text = error.what();
    if (error.get_name() == "ConversionError") {
        // "Could not convert: --duration = soon"
        constexpr std::string_view k_start = "Could not convert: ";
        const std::size_t equals = text.find(" = ");
        if (text.starts_with(k_start) && equals != std::string::npos) {
            return fmt::format("{} must be a number, not {}",
                               text.substr(k_start.size(), equals - k_start.size()),
                               in_quotes(text.substr(equals + 3)));
        }
    }
    if (error.get_name() == "ArgumentMismatch") {
        // "--law: 1 required NAME missing"
        if (text.ends_with("missing")) return text.substr(0, text.find(':')) + " needs a value";
    }
    if (error.get_name() == "ExcludesError") {
        // "--csv excludes --json"
        const std::size_t at = text.find(" excludes ");
        if (at != std::string::npos) {
            return fmt::format("{} and {} exclude each other", text.substr(0, at),
                               text.substr(at + std::string_view(" excludes ").size()));
        }
    }
    if (error.get_name() == "RequiredError" && called.name == "carom")
        return "a command is needed; 'carom --help' lists them";
    if (error.get_name() == "RequiredError")
        return fmt::format("{}; '{} --help' says more", text, called.name);
    return text;
}

// As CLI11's, but arguments of which there may be a few are written out: [A [A]].
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_usage(const CLI::Option* option) const override {
        const int most = option->get_expected_max();
        if (option->get_required() || most < 2 || most >= CLI::detail::expected_max_vector_size)
            return CLI::Formatter::make_option_usage(option);
        const std::string name = make_option_name(option, true);
        std::string usage = fmt::format("[{}]", name);
        for (int i = 1; i < most; ++i)
            usage = fmt::format("[{} {}]", name, usage);
        return usage;
    }
};

}  // namespace

void add_commands(CLI::App& app, int& code) {
    app.footer(k_footer);
    // the words of the help; commands take them over from the program
    const auto words = std::make_shared<HelpFormatter>();
    app.formatter(words);
    for (const auto& [theirs, ours] :
         std::initializer_list<std::pair<const char*, const char*>>{{"SUBCOMMAND", "COMMAND"},
                                                                    {"Positionals", "Arguments"},
                                                                    {"TEXT", ""},
                                                                    {"REQUIRED", ""},
                                                                    {"Excludes", "not with"}}) {
        words->label(theirs, ours);
    }
    add_laws(app, code);
    add_impact(app, code);
    add_lab(app, code);
    add_touch(app, code);
    add_scenes(app, code);
    add_check(app, code);
    add_run(app, code);
    add_resume(app, code);
    add_info(app, code);
    add_events(app, code);
    add_sample(app, code);
    add_view(app, code);
    add_export(app, code);
    add_help(app, code);
    add_completion(app, code);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        command->group("Commands");
        for (CLI::Option* option : command->get_options())
            if (option->nonpositional() && option->get_type_size() > 0) option->check(not_empty);
    }
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(one->get_name());
    return names;
}

const CLI::App& find_command(const CLI::App& app, const std::string& name) {
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (one->get_name() == name) return *one;
    }
    refuse(fmt::format("unknown command {}{}", in_quotes(name),
                       which_there_are(name, command_names(app), "commands")));
}

void tell_wrong_call(const CLI::App& app, const CLI::ParseError& error) {
    const Called called = called_command(app);
    std::string message;
    // what a misspelt option leaves undone is not what is wrong
    for (const std::string& word : called.app->remaining()) {
        if (message.empty() && is_option(word)) message = unknown_option(called, word);
    }
    if (message.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        const std::vector<std::string> left = called.app->remaining();
        message = fmt::format("unexpected argument {}; '{} --help' says what there is",
                              in_quotes(left.empty() ? "" : left.front()), called.name);
    }
    if (message.empty()) message = in_our_words(error, called);
    say("{}: {}\n", called.name, message);
}

}  // namespace carom::cli
