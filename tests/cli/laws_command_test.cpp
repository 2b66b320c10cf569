// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom laws`: the registry for people, for programs and for the README.

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/impact/law.h"
#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

using impact::LawInfo;

TEST(LawsCommand, ListsEveryLaw) {
    const ProgramRun run = run_carom({"laws"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    const std::vector<std::string> lines = run.lines();
    for (const LawInfo& law : impact::laws()) {
        int rows = 0;
        for (const std::string& line : lines) {
            const std::string start = std::string(law.name) + " ";
            if (line.compare(0, start.size(), start) == 0) ++rows;
        }
        EXPECT_EQ(rows, 1) << law.name;
    }
}

TEST(LawsCommand, JsonHasEveryLawWithItsParameters) {
    const ProgramRun run = run_carom({"laws", "--json"});
    EXPECT_EQ(run.exit_code, 0);
    const Json all = Json::parse(run.out, nullptr, false);
    ASSERT_TRUE(all.is_array());
    ASSERT_EQ(all.size(), impact::laws().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const LawInfo& law = impact::laws()[i];
        const Json& one = all[i];
        EXPECT_EQ(one.at("name"), law.name);
        for (const char* key : {"summary", "source"}) {
            EXPECT_FALSE(one.at(key).get<std::string>().empty()) << law.name << " " << key;
        }
        EXPECT_TRUE(one.at("dimension") == "2D" || one.at("dimension") == "3D") << law.name;
        EXPECT_TRUE(one.at("may_gain_energy").is_boolean()) << law.name;
        const Json& parameters = one.at("parameters");
        ASSERT_EQ(parameters.size(), law.parameters.size()) << law.name;
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            const impact::LawParameter& parameter = law.parameters[k];
            EXPECT_EQ(parameters[k].at("name"), impact::parameter_info(parameter.id).name);
            EXPECT_EQ(parameters[k].at("required"), parameter.required);
            EXPECT_EQ(parameters[k].contains("default"), !parameter.required);
            EXPECT_FALSE(parameters[k].at("range").get<std::string>().empty());
            EXPECT_FALSE(parameters[k].at("meaning").get<std::string>().empty());
        }
    }
}

// As docs/theory/index.md says.
TEST(LawsCommand, SaysWithWhichChoiceALawGainsEnergy) {
    const std::string table = run_carom({"laws", "--markdown"}).out;
    for (const auto& [law, gains] : {std::pair("particle", "only with reversal"),
                                     std::pair("routh", "only with termination newton"),
                                     std::pair("composite", "only with termination newton"),
                                     std::pair("micro", "as its fallback"),
                                     std::pair("whittaker", "yes"), std::pair("planar", "no")}) {
        const std::string shown = run_carom({"laws", law}).out;
        EXPECT_NE(shown.find(std::string("may gain energy: ") + gains + "\n"), std::string::npos)
            << shown;
        const std::size_t row = table.find(std::string("| [`") + law + "`]");
        ASSERT_NE(row, std::string::npos) << law;
        const std::string line = table.substr(row, table.find('\n', row) - row);
        EXPECT_NE(line.find(std::string("| ") + gains + " |"), std::string::npos) << line;
    }
}

TEST(LawsCommand, MarkdownIsATableWithARowForEachLaw) {
    const ProgramRun run = run_carom({"laws", "--markdown"});
    EXPECT_EQ(run.exit_code, 0);
    const std::vector<std::string> lines = run.lines();
    ASSERT_EQ(lines.size(), impact::laws().size() + 2);
    const auto columns = std::count(lines[0].begin(), lines[0].end(), '|');
    for (const std::string& line : lines) {
        EXPECT_EQ(line.front(), '|');
        EXPECT_EQ(line.back(), '|');
        EXPECT_EQ(std::count(line.begin(), line.end(), '|'), columns) << line;
    }
    for (std::size_t i = 0; i < impact::laws().size(); ++i) {
        EXPECT_NE(lines[i + 2].find(impact::laws()[i].name), std::string::npos);
    }
}

TEST(LawsCommand, OneLawIsShownInFull) {
    for (const LawInfo& law : impact::laws()) {
        const std::string name(law.name);
        const ProgramRun run = run_carom({"laws", name});
        EXPECT_EQ(run.exit_code, 0) << name;
        EXPECT_EQ(run.out.substr(0, name.size() + 1), name + ":");
        EXPECT_NE(run.out.find(law.source), std::string::npos) << name;
        for (const impact::LawParameter& parameter : law.parameters) {
            const impact::ParameterInfo& info = impact::parameter_info(parameter.id);
            EXPECT_NE(run.out.find(info.range), std::string::npos) << name << " " << info.name;
        }
    }
}

TEST(LawsCommand, OneLawAsJsonIsItsEntryInTheList) {
    const Json all = Json::parse(run_carom({"laws", "--json"}).out, nullptr, false);
    for (const Json& one : all) {
        const auto name = one.at("name").get<std::string>();
        const ProgramRun run = run_carom({"laws", "--json", name});
        EXPECT_EQ(Json::parse(run.out, nullptr, false), one) << name;
    }
}

TEST(LawsCommand, AMisspeltLawGivesTheNearestName) {
    const ProgramRun run = run_carom({"laws", "ruoth"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("'ruoth'"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("'routh'"), std::string::npos) << run.err;
}

TEST(LawsCommand, AStrangeLawPointsToTheList) {
    const ProgramRun run = run_carom({"laws", "no-such-thing-at-all"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("carom laws"), std::string::npos) << run.err;
    EXPECT_EQ(run_carom({"laws", std::string(10000, 'x')}).exit_code, 2);
}

TEST(LawsCommand, AnUnknownOptionIsExitCodeTwo) {
    const ProgramRun run = run_carom({"laws", "--yaml"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("--yaml"), std::string::npos) << run.err;
}

TEST(LawsCommand, AFullDiskIsExitCodeOne) {
    RunOptions options;
    options.output_file = "/dev/full";
    for (const std::vector<std::string>& call : {std::vector<std::string>{"laws"},
                                                 {"laws", "--json"},
                                                 {"laws", "--markdown"},
                                                 {"laws", "routh"}}) {
        const ProgramRun run = run_carom(call, {}, options);
        EXPECT_EQ(run.exit_code, 1) << call.back();
        EXPECT_NE(run.err, "") << call.back();
    }
}

}  // namespace
}  // namespace carom::tests
