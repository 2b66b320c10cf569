// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom impact` as a filter: one answer a line, in order, with its id and exact numbers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "carom/cli/impact_problem.h"
#include "carom/impact/law.h"
#include "carom/impact/permissible.h"
#include "tests/cli/run_carom.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

constexpr const char* k_ball_fields =
    R"("law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5)";

std::string ball(std::string_view id) {
    return fmt::format(R"({{"id":{},{}}})", id, k_ball_fields);
}

std::string list_of(const Vec3& v) {
    return fmt::format("[{},{},{}]", v.x(), v.y(), v.z());
}

// A random problem for one law, with every parameter. fmt prints doubles so that they come back.
std::string random_line(Random& random, std::size_t id, const impact::LawInfo& law) {
    const impact::Contact c = random_contact(random);
    const impact::LawParameters p = random_parameters(random);
    return fmt::format(
        R"({{"id":{},"law":"{}","K":[{},{},{}],"u":{},"e":{},"mu":{},"et":{},"nu":{},"sigma":{},)"
        R"("mu2":{},"mu3":{},"psi1":{},"psi2":{},"rho":{},"P":{}}})",
        id, law.name, list_of(c.K.row(0).transpose()), list_of(c.K.row(1).transpose()),
        list_of(c.K.row(2).transpose()), list_of(c.u), *p.e, *p.mu, *p.et, *p.nu, *p.sigma, *p.mu2,
        *p.mu3, *p.psi1, *p.psi2, *p.rho, list_of(*p.P));
}

// Many random problems, the laws taking turns.
std::string random_lines(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += random_line(random, i, impact::laws()[i % impact::laws().size()]) + "\n";
    }
    return text;
}

TEST(ImpactLines, OneProblemHasEveryFieldOfTheAnswer) {
    const ProgramRun run = run_impact(ball("1") + "\n");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    const Json answer = run.answer();
    EXPECT_EQ(answer.at("id"), 1);
    EXPECT_EQ(answer.at("impulse").size(), 3U);
    EXPECT_EQ(answer.at("u"), Json({-3, 0, -5}));
    EXPECT_EQ(answer.at("u_after").size(), 3U);
    EXPECT_TRUE(answer.at("energy_lost").is_number());
    for (const char* kind : {"kinematic", "kinetic", "energetic"}) {
        EXPECT_NEAR(answer.at("restitution").at(kind).get<double>(), 0.5, 1e-12) << kind;
    }
    for (const char* test : {"energy", "separation", "cone", "normal"}) {
        EXPECT_EQ(answer.at("permissible").at(test), true) << test;
    }
    EXPECT_EQ(answer.at("path"), Json({"slide", "stick"}));
    EXPECT_FALSE(answer.contains("trace"));
    EXPECT_FALSE(answer.contains("A"));
    EXPECT_FALSE(answer.contains("ignored"));
}

TEST(ImpactLines, AnswersKeepTheOrder) {
    const ProgramRun run = run_impact(random_lines(2000, 7));
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2000U);
    for (std::size_t i = 0; i < answers.size(); ++i)
        EXPECT_EQ(answers[i].at("id"), i);
}

TEST(ImpactLines, IdsComeBackAsTheyWere) {
    const std::vector<std::string> ids{"0",
                                       "-7",
                                       "18446744073709551615",
                                       "1.5",
                                       "null",
                                       "true",
                                       R"("")",
                                       R"("a name")",
                                       R"("quote \" and \\ and tab \t")",
                                       R"("\u00e4 \u0001 \ud83c\udfb1")",
                                       "\"K\xc3\xb6ln\""};
    std::string input;
    for (const std::string& id : ids)
        input += ball(id) + "\n";
    const std::vector<Json> answers = run_impact(input).answers();
    ASSERT_EQ(answers.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(answers[i].at("id"), Json::parse(ids[i])) << ids[i];
    }
}

TEST(ImpactLines, AMissingIdIsNull) {
    const ProgramRun run = run_impact(fmt::format("{{{}}}\n", k_ball_fields));
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(run.answer().at("id").is_null());
}

TEST(ImpactLines, AnIdInTheMiddleOrAtTheEndIsFound) {
    const Json answer = run_impact(fmt::format(R"({{{},"id":"last"}})", k_ball_fields)).answer();
    EXPECT_EQ(answer.at("id"), "last");
}

TEST(ImpactLines, AnErrorHasTheIdAndTheNumberOfItsLine) {
    const ProgramRun run =
        run_impact(fmt::format("\n{}\n{}\n", ball("1"), R"({"id":"bad","law":"routh"})"));
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[1].at("id"), "bad");
    EXPECT_EQ(answers[1].at("line"), 3);
    EXPECT_FALSE(answers[1].at("error").get<std::string>().empty());
    EXPECT_NE(run.err.find("1 of 2"), std::string::npos) << run.err;
}

TEST(ImpactLines, BlankLinesAreNoProblems) {
    const ProgramRun run =
        run_impact(fmt::format("\n   \n{}\n\t\n\r\n{}\n\n", ball("1"), ball("2")));
    EXPECT_EQ(run.exit_code, 0);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[1].at("id"), 2);
}

TEST(ImpactLines, NoInputGivesNoOutput) {
    const ProgramRun run = run_impact("");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "");
}

TEST(ImpactLines, LineEndsOfWindowsAndAMissingLastOneChangeNothing) {
    const std::string unix_out = run_impact(ball("1") + "\n" + ball("2") + "\n").out;
    EXPECT_EQ(run_impact(ball("1") + "\r\n" + ball("2") + "\r\n").out, unix_out);
    EXPECT_EQ(run_impact(ball("1") + "\n" + ball("2")).out, unix_out);
    EXPECT_EQ(run_impact(fmt::format("  {} \t\n{}", ball("1"), ball("2"))).out, unix_out);
}

TEST(ImpactLines, TheSameInputGivesTheSameBytes) {
    const std::string input = random_lines(500, 11);
    const ProgramRun first = run_impact(input, {"--trace"});
    const ProgramRun second = run_impact(input, {"--trace"});
    EXPECT_EQ(first.exit_code, second.exit_code);
    EXPECT_TRUE(first.out == second.out);
    EXPECT_GT(first.out.size(), 100000U);
}

TEST(ImpactLines, NumbersComeBackToTheLastBit) {
    const std::string input = random_lines(800, 13);
    const std::vector<Json> answers = run_impact(input).answers();
    ASSERT_EQ(answers.size(), 800U);
    std::size_t solved = 0;
    std::istringstream lines(input);
    std::string line;
    for (const Json& answer : answers) {
        ASSERT_TRUE(std::getline(lines, line));
        const cli::ImpactProblem problem = cli::read_problem(line, {});
        const impact::Outcome outcome =
            impact::resolve(*problem.law, problem.contact, problem.parameters);
        EXPECT_EQ(answer.contains("error"), outcome.refusal != nullptr) << line;
        if (outcome.refusal != nullptr || answer.contains("error")) continue;
        ++solved;
        const Vec3& p = outcome.solution.p;
        const Vec3& u = problem.contact.u;
        const Vec3 after = u + problem.contact.K * p;
        EXPECT_EQ(numbers(answer.at("impulse")), (std::vector<double>{p.x(), p.y(), p.z()}))
            << line;
        EXPECT_EQ(numbers(answer.at("u")), (std::vector<double>{u.x(), u.y(), u.z()})) << line;
        EXPECT_EQ(numbers(answer.at("u_after")),
                  (std::vector<double>{after.x(), after.y(), after.z()}))
            << line;
        EXPECT_EQ(answer.at("energy_lost").get<double>(),
                  -impact::energy_change(problem.contact, p))
            << line;
    }
    // four of the sixteen laws refuse random bodies: planar, pfeiffer-glocker, bilinear, particle
    EXPECT_EQ(solved, 600U);
}

TEST(ImpactLines, EveryLawLeavesASeparatingContactAlone) {
    for (const impact::LawInfo& law : impact::laws()) {
        const std::string line = problem_with_everything("[[5,1,0],[1,2,-1],[0,-1,4]]", "[1,2,3]");
        const ProgramRun run = run_impact(line, {"--law", std::string(law.name)});
        EXPECT_EQ(run.exit_code, 0) << law.name << run.out;
        const Json answer = run.answer();
        EXPECT_EQ(answer.value("impulse", Json()), Json({0, 0, 0})) << law.name;
        EXPECT_EQ(answer.value("u_after", Json()), Json({1, 2, 3})) << law.name;
        EXPECT_EQ(answer.value("path", Json()), Json::array({"separating"})) << law.name;
        EXPECT_EQ(answer.value("energy_lost", 1.0), 0.0) << law.name;
    }
}

TEST(ImpactLines, ParametersWithoutUseAreNamed) {
    const std::string line = fmt::format(R"({{"id":1,{},"et":0.5,"rho":0.1}})", k_ball_fields);
    const ProgramRun run = run_impact(line);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.answer().at("ignored"), Json({"et", "rho"}));
}

TEST(ImpactLines, ALawThatDoesNotApplyIsExitCodeOne) {
    const std::string line =
        R"({"id":3,"law":"planar","K":[[5,1,0],[1,2,-1],[0,-1,4]],"u":[1,2,-3],"e":0.5,"mu":0.5})";
    const ProgramRun run = run_impact(ball("1") + "\n" + line + "\n" + ball("2") + "\n");
    EXPECT_EQ(run.exit_code, 1);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_TRUE(answers[0].contains("impulse"));
    EXPECT_EQ(answers[1].at("id"), 3);
    EXPECT_NE(answers[1].at("error").get<std::string>().find("planar"), std::string::npos);
    EXPECT_EQ(answers[2].at("id"), 2);
    EXPECT_TRUE(answers[2].contains("impulse"));
}

TEST(ImpactLines, AWrongLineBesideALawThatDoesNotApplyIsExitCodeTwo) {
    const std::string line =
        R"({"law":"planar","K":[[5,1,0],[1,2,-1],[0,-1,4]],"u":[1,2,-3],"e":0.5,"mu":0.5})";
    EXPECT_EQ(run_impact(line + "\n[]\n").exit_code, 2);
    EXPECT_EQ(run_impact("[]\n" + line + "\n").exit_code, 2);
}

}  // namespace
}  // namespace carom::tests
