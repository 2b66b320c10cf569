// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One vocabulary in everything that programs read: impulse, u before and u_after, energy_lost,
// energy_driven, restitution; and units in the heads of all tables for people.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

// The names of all members, however deep.
void collect(const Json& json, std::set<std::string>& names) {
    for (const auto& [name, value] : json.items()) {
        if (json.is_object()) names.insert(name);
        if (value.is_structured()) collect(value, names);
    }
}

std::set<std::string> names_of(const Json& json) {
    std::set<std::string> names;
    collect(json, names);
    return names;
}

std::set<std::string> keys(const Json& json) {
    std::set<std::string> names;
    for (const auto& [name, value] : json.items())
        names.insert(name);
    return names;
}

using Names = std::set<std::string>;

constexpr const char* k_ball_problem =
    R"({"id":1,"law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5})";

constexpr const char* k_two_contacts =
    R"({"id":2,"law":"routh","mu":0.4,"e":0.5,"bodies":[{"mass":1,)"
    R"("inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"position":[0,0,1],"v":[1,0,-2]},"fixed"],)"
    R"("contacts":[{"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1]},)"
    R"({"a":0,"b":1,"point":[1,0,1],"normal":[-1,0,0],"mu":0.1}]})";

const Names k_answer{"id",          "impulse",     "u",           "u_after",
                     "energy_lost", "restitution", "permissible", "path"};
const Names k_restitution{"kinematic", "kinetic", "energetic"};

void expect_no_old_names(const Json& json) {
    const Names names = names_of(json);
    for (const char* old : {"p", "dissipated", "driven", "work_lost", "e"})
        EXPECT_EQ(names.count(old), 0U) << old << " in " << json.dump().substr(0, 500);
}

TEST(Vocabulary, OfOneImpact) {
    const Json answer = run_impact(k_ball_problem).answer();
    EXPECT_EQ(keys(answer), k_answer);
    EXPECT_EQ(keys(answer.at("restitution")), k_restitution);
    EXPECT_EQ(answer.at("u"), Json({-3, 0, -5}));
    // u_after = u + K p
    const std::vector<double> p = numbers(answer.at("impulse"));
    const std::vector<double> after = numbers(answer.at("u_after"));
    EXPECT_NEAR(after[0], -3.0 + 3.5 * p[0], 1e-12);
    EXPECT_NEAR(after[2], -5.0 + p[2], 1e-12);
    EXPECT_NEAR(after[2], 2.5, 1e-12);
    expect_no_old_names(answer);
}

TEST(Vocabulary, OfEveryLawsAnswer) {
    const Json all =
        run_impact(problem_with_everything("[[5,1,0],[1,2,-1],[0,-1,4]]", "[1,2,-3]"), {"--all"})
            .answer();
    expect_no_old_names(all);
    for (const Json& one : all.at("answers")) {
        if (one.contains("not_applicable")) continue;
        Names expected = k_answer;
        expected.erase("id");
        expected.insert("law");
        if (one.at("law") == "routh") expected.insert("termination");
        EXPECT_EQ(keys(one), expected) << one.at("law");
    }
}

TEST(Vocabulary, OfTheTraceAndTheRegion) {
    const Json answer = run_impact(k_ball_problem, {"--trace", "--region"}).answer();
    Names expected = k_answer;
    expected.insert({"trace", "margins", "region"});
    EXPECT_EQ(keys(answer), expected);
    EXPECT_EQ(keys(answer.at("trace")), (Names{"impulse", "u", "work", "energy_normal",
                                               "energy_tangential", "mode", "transitions"}));
    ASSERT_FALSE(answer.at("trace").at("transitions").empty());
    EXPECT_EQ(keys(answer.at("trace").at("transitions")[0]), (Names{"kind", "sample", "impulse"}));
    expect_no_old_names(answer);
    // the path begins with u and ends with u_after
    EXPECT_EQ(answer.at("trace").at("u").front(), answer.at("u"));
}

TEST(Vocabulary, OfBodiesAndOfPlaneProblems) {
    const Json bodies =
        run_impact(R"({"law":"routh","mu":0.4,"e":0.5,"normal":[0,1,0],"A":{"mass":1,)"
                   R"("inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"r":[0,-1,0],"v":[-1,-5,0],)"
                   R"("w":[0,0,-2]},"B":"fixed"})")
            .answer();
    // in the world frame: v + w x r
    EXPECT_EQ(bodies.at("u"), Json({-3, -5, 0}));
    EXPECT_NEAR(bodies.at("u_after")[1].get<double>(), 2.5, 1e-12);
    EXPECT_EQ(keys(bodies.at("A")), (Names{"v", "w"}));
    const Json plane =
        run_impact(R"({"law":"routh","mu":0.4,"e":0.5,"K":[[3.5,0],[0,1]],"u":[-3,-5]})").answer();
    EXPECT_EQ(plane.at("u"), Json({-3, -5}));
    EXPECT_EQ(plane.at("u_after").size(), 2U);
}

TEST(Vocabulary, OfManyContacts) {
    const Json answer = run_impact(k_two_contacts).answer();
    EXPECT_EQ(keys(answer), (Names{"id", "multiple", "bodies", "contacts", "energy_lost", "rounds",
                                   "approach_left", "permissible"}));
    EXPECT_EQ(keys(answer.at("contacts")[0]), (Names{"impulse", "u", "u_after"}));
    const Json all = run_impact(k_two_contacts, {"--all"}).answer();
    for (const Json& way : all.at("answers"))
        EXPECT_FALSE(way.contains("restitution")) << "it is a setting here: " << way;
    expect_no_old_names(all);
}

TEST(Vocabulary, OfRecordings) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const std::string path = scratch.path("ball.carom");
    const Json run = run_carom({"run", scene, "-o", path, "--json"}).answer();
    EXPECT_TRUE(run.at("audit").contains("energy_lost"));
    EXPECT_TRUE(run.at("audit").contains("energy_driven"));
    EXPECT_EQ(info_of(path).at("audit"), run.at("audit"));
    const Json event = run_carom({"events", path, "--json", "--limit", "1"}).answer();
    for (const char* name : {"impulse", "u", "u_after", "energy_lost", "restitution"})
        EXPECT_TRUE(event.contains(name)) << name;
    const Json sum = run_carom({"events", path, "--json", "--sum"}).answer();
    EXPECT_TRUE(sum.contains("impulse") && sum.contains("lasting_impulse") &&
                sum.contains("energy_lost"));
    EXPECT_FALSE(sum.contains("lasting")) << "info counts lasting contacts by that name";
    const std::string head = run_carom({"events", path, "--csv", "--sum"}).lines().at(0);
    EXPECT_NE(head.find(",lasting_impulse_x,lasting_impulse_y,lasting_impulse_z,"),
              std::string::npos)
        << head;
}

// A page of the documents names every field: as `name`, `parent.name` or "name".
void expect_documented(const Names& fields, const char* page) {
    std::ifstream file(std::filesystem::path(CAROM_SOURCE_DIR) / "docs" / page);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(text.empty()) << page;
    for (const std::string& field : fields) {
        const std::regex named("[`.\"]" + field + "[`\"]");
        EXPECT_TRUE(std::regex_search(text, named)) << field << " is not in docs/" << page;
    }
}

TEST(Vocabulary, EveryFieldIsInTheDocuments) {
    for (const Json& answer :
         {run_impact(k_ball_problem, {"--trace", "--region"}).answer(),
          run_impact(k_ball_problem, {"--all"}).answer(), run_impact(k_two_contacts).answer(),
          run_impact(k_two_contacts, {"--all"}).answer(), run_impact("{}").answer()})
        expect_documented(names_of(answer), "impact.md");
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{"--limit", "1"}, {"--sum"}}) {
        std::vector<std::string> call{"events", path, "--json"};
        call.insert(call.end(), options.begin(), options.end());
        expect_documented(names_of(run_carom(call).answer()), "formats.md");
    }
    const std::string rests = record(scratch, "rests", resting_ball());
    for (const char* command : {"--forces", "--sum"}) {
        const ProgramRun run = run_carom({"events", rests, "--json", command});
        if (!run.lines().empty())
            expect_documented(names_of(Json::parse(run.lines().front())), "formats.md");
    }
    const Json sample =
        Json::parse(run_carom({"sample", path, "--json", "--at", "0.5"}).lines().front());
    expect_documented(names_of(sample), "formats.md");
    for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
             {"run", scratch.path("ball.toml"), "--no-recording", "--json", "--states"},
             {"info", path, "--json", "--states"}}) {
        Json answer = run_carom(call).answer();
        answer["contacts"] = nullptr;  // parameters of laws are those of 'carom laws'
        answer["settings"] = nullptr;
        expect_documented(names_of(answer), "formats.md");
        const Json settings = info_of(path).at("settings");
        expect_documented(keys(settings), "formats.md");
    }
}

TEST(Vocabulary, TablesForPeopleHaveUnits) {
    const auto expect_heads = [](const std::string& text, const std::vector<std::string>& heads) {
        for (const std::string& head : heads)
            EXPECT_NE(text.find(head), std::string::npos) << head << " not in\n" << text;
    };
    expect_heads(run_impact(k_ball_problem, {"--table"}).out,
                 {"impulse (N s)", "u after (m/s)", "energy lost (J)"});
    expect_heads(run_impact(k_two_contacts, {"--table"}).out,
                 {"impulse (N s)", "u (m/s)", "u after (m/s)", "v after (m/s)", "w after (rad/s)",
                  " J,", " m/s\n"});
    expect_heads(run_carom({"impact", "--examples"}).out, {"impulse (N s)", " m/s "});
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    expect_heads(run_carom({"events", path, "--table"}).out,
                 {"t (s)", "approach (m/s)", "impulse (N s)", "energy lost (J)", "point (m)"});
    expect_heads(run_carom({"events", path, "--table", "--sum"}).out,
                 {"impulse on a (N s)", "lasting impulse (N s)", "lasting time (s)",
                  "mean force (N)", "energy lost (J)", "first (s)", "last (s)"});
}

}  // namespace
}  // namespace carom::tests
