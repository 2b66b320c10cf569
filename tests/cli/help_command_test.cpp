// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom help`, the manual page, and what is said of calls that are wrong.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

// The commands as `carom help` lists them.
std::vector<std::string> commands() {
    std::vector<std::string> names;
    const std::string help = run_carom({"help"}).out;
    const std::size_t begin = help.find("Commands:\n");
    EXPECT_NE(begin, std::string::npos) << help;
    const std::regex line("^  ([a-z]+) +[A-Z]", std::regex::multiline);
    for (std::sregex_iterator at(help.begin() + static_cast<std::ptrdiff_t>(begin), help.end(),
                                 line);
         at != std::sregex_iterator(); ++at)
        names.push_back((*at)[1]);
    return names;
}

// "--output", "--json", ... as the help of a command lists them.
std::set<std::string> options(const std::string& command) {
    std::set<std::string> names;
    const std::string help = run_carom({"help", command}).out;
    const std::string list = help.substr(0, help.find("\n\n", help.find("Options:")));
    const std::regex option("--[a-z][a-z-]*");
    for (std::sregex_iterator at(list.begin(), list.end(), option); at != std::sregex_iterator();
         ++at)
        names.insert(at->str());
    return names;
}

TEST(HelpCommand, IsTheHelpOfTheProgramAndOfEachCommand) {
    const ProgramRun whole = run_carom({"help"});
    EXPECT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_EQ(whole.out, run_carom({"--help"}).out);
    const std::vector<std::string> names = commands();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
              (std::set<std::string>{"laws", "impact", "lab", "touch", "scenes", "check", "run",
                                     "resume", "info", "events", "sample", "view", "export", "help",
                                     "completion"}));
    for (const std::string& name : names) {
        const ProgramRun help = run_carom({"help", name});
        EXPECT_EQ(help.exit_code, 0) << name << help.err;
        EXPECT_EQ(help.out, run_carom({name, "--help"}).out) << name;
        EXPECT_NE(help.out.find("Usage: carom " + name), std::string::npos) << help.out;
        EXPECT_NE(help.out.find("Exit codes: 0"), std::string::npos) << help.out;
    }
    expect_refused({"help", "runn"}, {"unknown command 'runn'; did you mean 'run'?"});
}

TEST(HelpCommand, TheLineOfTheViewerNamesEverythingThatItShows) {
    const std::string help = run_carom({"help"}).out;
    const std::size_t begin = help.find("\n  view ");
    ASSERT_NE(begin, std::string::npos) << help;
    const std::string line = help.substr(begin + 1, help.find('\n', begin + 1) - begin - 1);
    for (const char* shown : {"scene", "recording", "side by side", "gallery"})
        EXPECT_NE(line.find(shown), std::string::npos) << line;
}

// A table is laid out when all of it is known.
TEST(HelpCommand, OnlyLinesOfJsonAreAnsweredAtOnce) {
    for (const char* command : {"impact", "touch"}) {
        std::string help = run_carom({command, "--help"}).out;
        std::replace(help.begin(), help.end(), '\n', ' ');
        EXPECT_NE(help.find("As JSON Lines each line is answered as soon as"), std::string::npos);
        EXPECT_NE(help.find("table comes at the end"), std::string::npos) << help;
    }
}

TEST(HelpCommand, TheManualPageHasEveryCommandAndOption) {
    const ProgramRun run = run_carom({"help", "--man"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("\n.TH CAROM 1 "), std::string::npos);
    for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS"})
        EXPECT_NE(run.out.find(fmt::format("\n.SH {}\n", section)), std::string::npos) << section;
    for (const std::string& name : commands()) {
        const std::size_t begin = run.out.find(fmt::format("\n.SS \"carom {}\"\n", name));
        ASSERT_NE(begin, std::string::npos) << name;
        const std::string section = run.out.substr(begin, run.out.find("\n.S", begin + 1) - begin);
        EXPECT_GE(options(name).size(), 1U) << name;
        for (const std::string& option : options(name)) {
            const std::string escaped = std::regex_replace(option, std::regex("-"), "\\-");
            EXPECT_NE(section.find("\\fB" + escaped + "\\fR"), std::string::npos)
                << name << " " << option;
        }
    }
    // no line of text is taken for a request
    const std::regex request("^\\.(?!TH |SH |SS |TP$|PP$|nf$|fi$|\\\\\")", std::regex::multiline);
    EXPECT_FALSE(std::regex_search(run.out, request));
}

TEST(WrongCalls, AMisspeltOptionNamesTheCommandAndTheNearestOption) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
        {{"run", "bounce", "--duraton", "5"},
         "carom run: unknown option '--duraton'; did you mean '--duration'?\n"},
        {{"run", "bounce", "--duraton=5"},
         "carom run: unknown option '--duraton'; did you mean '--duration'?\n"},
        {{"run", "--duraton"},
         "carom run: unknown option '--duraton'; did you mean '--duration'?\n"},
        {{"impact", "--tabel"},
         "carom impact: unknown option '--tabel'; did you mean '--table'?\n"},
        {{"info", "x.carom", "--Json"},
         "carom info: unknown option '--Json'; did you mean '--json'?\n"},
        {{"--verson"}, "carom: unknown option '--verson'; did you mean '--version'?\n"},
        {{"run", "bounce", "-x"},
         "carom run: unknown option '-x'; 'carom run --help' lists the options\n"},
        {{"check", "bounce", "bowling"},
         "carom check: unexpected argument 'bowling'; 'carom check --help' says what there is\n"}};
    for (const auto& [call, message] : calls) {
        const ProgramRun run = run_carom(call);
        EXPECT_EQ(run.exit_code, 2) << message;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(run.err, message);
    }
}

TEST(WrongCalls, EveryOtherOneNamesTheCommandToo) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
        {{}, "carom: a command is needed; 'carom --help' lists them\n"},
        {{"run"}, "carom run: SCENE is required; 'carom run --help' says more\n"},
        {{"run", "bounce", "--duration", "soon"},
         "carom run: --duration must be a number, not 'soon'\n"},
        {{"run", "bounce", "--duration"}, "carom run: --duration needs a value\n"},
        {{"impact", "--json", "--table"}, "carom impact: --json and --table exclude each other\n"},
        {{"runn"}, "carom: unknown command 'runn'; did you mean 'run'? The commands are laws, "}};
    for (const auto& [call, message] : calls) {
        const ProgramRun run = run_carom(call);
        EXPECT_EQ(run.exit_code, 2) << message;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(run.err.substr(0, message.size()), message);
    }
}

}  // namespace
}  // namespace carom::tests
