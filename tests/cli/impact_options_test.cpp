// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The options of `carom impact`: --law, --all, --trace, --region, --table, --json, --examples.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/impact/law.h"
#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

constexpr const char* k_ball =
    R"({"id":1,"law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5})";
constexpr const char* k_tumbling_K = "[[5.3,0.8,0.2],[0.8,2.1,-1.7],[0.2,-1.7,4.6]]";

std::string tumbling() {
    return problem_with_everything(k_tumbling_K, "[0.6,1.3,-1.1]");
}

// All numbers below a value, however deep.
std::vector<double> all_numbers(const Json& value) {
    std::vector<double> out;
    const Json flat = value.flatten();
    for (const auto& [key, item] : flat.items()) {
        if (item.is_number()) out.push_back(item.get<double>());
    }
    return out;
}

TEST(ImpactOptions, LawOverridesTheLineAndServesOneWithout) {
    const std::string without =
        R"({"id":2,"K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5})";
    const ProgramRun run =
        run_impact(std::string(k_ball) + "\n" + without + "\n", {"--law", "frictionless"});
    EXPECT_EQ(run.exit_code, 0) << run.out;
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2U);
    for (const Json& answer : answers) {
        EXPECT_EQ(answer.at("impulse"), Json({0, 0, 7.5}));
        EXPECT_EQ(answer.at("path"), Json::array({"frictionless"}));
        EXPECT_EQ(answer.at("ignored"), Json::array({"mu"}));
    }
}

TEST(ImpactOptions, LawNeedsItsParametersOnTheLine) {
    const ProgramRun run = run_impact(k_ball, {"--law", "chatterjee-ruina"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.answer().value("error", "").find("needs et"), std::string::npos) << run.out;
}

TEST(ImpactOptions, AllHasEveryLawOnceAndRouthForEachTermination) {
    const ProgramRun run = run_impact(tumbling(), {"--all"});
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    EXPECT_EQ(answer.at("id"), "every");
    std::vector<std::string> names;
    for (const Json& one : answer.at("answers")) {
        names.push_back(one.at("law").get<std::string>());
        EXPECT_NE(one.contains("impulse"), one.contains("not_applicable")) << names.back();
        EXPECT_EQ(one.contains("termination"), names.back() == "routh") << names.back();
        if (one.contains("impulse")) {
            EXPECT_TRUE(one.contains("u_after") && one.contains("energy_lost") &&
                        one.contains("path"));
            EXPECT_TRUE(one.contains("restitution") && one.contains("permissible"));
        } else {
            EXPECT_GT(one.at("not_applicable").get<std::string>().size(), 10U);
        }
    }
    EXPECT_EQ(names.size(), impact::laws().size() + 3);
    for (const impact::LawInfo& law : impact::laws()) {
        const auto count = std::count(names.begin(), names.end(), law.name);
        EXPECT_EQ(count, law.id == impact::LawId::routh ? 4 : 1) << law.name;
    }
}

TEST(ImpactOptions, AllAgreesWithEachLawOnItsOwn) {
    const std::string ball = problem_with_everything("[[3.5,0,0],[0,3.5,0],[0,0,1]]", "[-3,0,-5]");
    for (const std::string& line : {ball, tumbling()}) {
        const Json all = run_impact(line, {"--all"}).answer();
        for (const Json& one : all.at("answers")) {
            if (one.value("termination", "stronge") != "stronge") continue;
            const auto name = one.at("law").get<std::string>();
            const ProgramRun run = run_impact(line, {"--law", name});
            EXPECT_EQ(run.exit_code, one.contains("impulse") ? 0 : 1) << name;
            if (!one.contains("impulse")) continue;
            EXPECT_EQ(run.answer().at("impulse"), one.at("impulse")) << name;
            EXPECT_EQ(run.answer().at("permissible"), one.at("permissible")) << name;
            EXPECT_EQ(run.answer().at("restitution"), one.at("restitution")) << name;
        }
    }
}

TEST(ImpactOptions, AllSaysWhichParameterALawMisses) {
    const Json answer = run_impact(k_ball, {"--all"}).answer();
    for (const Json& one : answer.at("answers")) {
        if (one.at("law") == "chatterjee-ruina") {
            EXPECT_NE(one.value("not_applicable", "").find("needs et"), std::string::npos);
        } else if (one.at("law") == "routh") {
            EXPECT_TRUE(one.contains("impulse"));
        }
    }
}

TEST(ImpactOptions, AllInThePlaneHasTwoComponents) {
    const ProgramRun run =
        run_impact(problem_with_everything("[[3.25,-1.3],[-1.3,1.75]]", "[1,-1]"), {"--all"});
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    for (const Json& one : answer.at("answers")) {
        const impact::LawInfo* law = impact::find_law(one.at("law").get<std::string>());
        ASSERT_NE(law, nullptr);
        if (!law->in_plane) {
            EXPECT_TRUE(one.contains("not_applicable")) << law->name;
        } else if (one.contains("impulse")) {
            EXPECT_EQ(one.at("impulse").size(), 2U) << law->name;
        }
    }
}

TEST(ImpactOptions, AllGoesOnAfterABadLine) {
    const ProgramRun run = run_impact(std::string("{}\n") + k_ball + "\n", {"--all"});
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_TRUE(answers[0].contains("error"));
    EXPECT_TRUE(answers[1].contains("answers"));
}

// The lists of a trace belong together sample by sample; it starts at rest and ends at the answer.
void expect_good_trace(const Json& answer, const std::string& name) {
    ASSERT_TRUE(answer.contains("trace")) << name;
    const Json& trace = answer.at("trace");
    const std::size_t count = trace.at("impulse").size();
    ASSERT_GT(count, 10U) << name;
    for (const char* key : {"u", "work", "energy_normal", "energy_tangential", "mode"}) {
        EXPECT_EQ(trace.at(key).size(), count) << name << " " << key;
    }
    EXPECT_EQ(trace.at("impulse").front(), Json({0, 0, 0})) << name;
    for (std::size_t i = 0; i < 3; ++i) {
        const double p = answer.at("impulse")[i].get<double>();
        EXPECT_NEAR(trace.at("impulse").back()[i].get<double>(), p, 1e-9 * (1.0 + std::abs(p)))
            << name;
        EXPECT_NEAR(trace.at("u").back()[i].get<double>(), answer.at("u_after")[i].get<double>(),
                    1e-8);
    }
    const Json& transitions = trace.at("transitions");
    ASSERT_GE(transitions.size(), 2U) << name;
    std::size_t last = 0;
    bool compressed = false;
    for (const Json& one : transitions) {
        const auto sample = one.at("sample").get<std::size_t>();
        ASSERT_LT(sample, count) << name;
        EXPECT_GE(sample, last) << name;
        last = sample;
        EXPECT_EQ(one.at("impulse"), trace.at("impulse")[sample]) << name;
        if (one.at("kind") == "maximum-compression") {
            compressed = true;
            EXPECT_NEAR(trace.at("u")[sample][2].get<double>(), 0.0, 1e-9) << name;
        }
    }
    EXPECT_TRUE(compressed) << name;
    EXPECT_EQ(transitions.back().at("kind"), "end") << name;
    EXPECT_EQ(last, count - 1) << name;
    double before = -1.0;
    for (const Json& p : trace.at("impulse")) {
        EXPECT_GE(p[2].get<double>(), before - 1e-12) << name;
        before = p[2].get<double>();
    }
}

TEST(ImpactOptions, ATraceLeadsFromRestToTheAnswer) {
    for (const impact::LawInfo& law : impact::laws()) {
        const std::string name(law.name);
        const ProgramRun run = run_impact(tumbling(), {"--trace", "--law", name});
        const Json answer = run.answer();
        if (law.incremental) {
            EXPECT_EQ(run.exit_code, 0) << name;
            expect_good_trace(answer, name);
        } else if (law.id != impact::LawId::micro) {
            EXPECT_FALSE(answer.contains("trace")) << name;
        }
    }
}

TEST(ImpactOptions, ATraceDoesNotChangeTheAnswer) {
    for (const char* law : {"routh", "compliant"}) {
        Json with = run_impact(tumbling(), {"--trace", "--law", law}).answer();
        with.erase("trace");
        EXPECT_EQ(with, run_impact(tumbling(), {"--law", law}).answer()) << law;
    }
}

TEST(ImpactOptions, ATraceCanBeAskedForByTheLine) {
    std::string line = k_ball;
    line.insert(line.size() - 1, R"(,"trace":true)");
    const ProgramRun run = run_impact(line + "\n" + k_ball + "\n");
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_TRUE(answers[0].contains("trace"));
    EXPECT_FALSE(answers[1].contains("trace"));
}

TEST(ImpactOptions, RegionHasMarginsLandmarksAndCurves) {
    const ProgramRun run = run_impact(k_ball, {"--region"});
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    for (const char* margin : {"energy", "separation", "cone", "normal"}) {
        EXPECT_GE(answer.at("margins").at(margin).get<double>(), 0.0) << margin;
    }
    const Json& region = answer.at("region");
    EXPECT_EQ(numbers(region.at("P_I")), (std::vector<double>{0, 0, 5}));
    EXPECT_NEAR(region.at("P_II")[0].get<double>(), 3.0 / 3.5, 1e-12);
    EXPECT_GE(region.at("largest_kinematic_e").get<double>(), 1.0);
    for (const char* curve : {"ellipsoid", "cone_lines", "cone_rim", "cone_on_ellipsoid",
                              "maximum_compression", "sticking"}) {
        EXPECT_GT(region.at(curve).size(), 1U) << curve;
    }
    for (const double number : all_numbers(region))
        EXPECT_TRUE(std::isfinite(number));
}

TEST(ImpactOptions, ASeparatingContactHasNoRegion) {
    const ProgramRun run = run_impact(problem_with_everything(k_tumbling_K, "[0,0,1]"),
                                      {"--region", "--law", "routh", "--trace"});
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    EXPECT_TRUE(answer.contains("margins"));
    EXPECT_FALSE(answer.contains("region"));
    EXPECT_FALSE(answer.contains("trace"));
}

TEST(ImpactOptions, TableHasARowForEachProblemAndErrorsBeside) {
    const ProgramRun run = run_impact(std::string(k_ball) + "\n{}\n" + tumbling() + "\n",
                                      {"--table", "--law", "routh"});
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<std::string> lines = run.lines();
    ASSERT_EQ(lines.size(), 4U) << run.out;
    for (const char* head : {"impulse (N s)", "u after (m/s)", "energy lost (J)"})
        EXPECT_NE(lines[0].find(head), std::string::npos) << lines[0];
    EXPECT_EQ(lines[2].substr(0, 1), "1");
    EXPECT_NE(lines[2].find("slide stick"), std::string::npos);
    EXPECT_NE(lines[3].find("every"), std::string::npos);
    EXPECT_NE(run.err.find("-:2: "), std::string::npos) << run.err;
}

TEST(ImpactOptions, TableOfAllNamesEveryLaw) {
    const ProgramRun run = run_impact(tumbling(), {"--table", "--all"});
    EXPECT_EQ(run.exit_code, 0);
    for (const impact::LawInfo& law : impact::laws()) {
        EXPECT_NE(run.out.find(law.name), std::string::npos) << law.name;
    }
    EXPECT_NE(run.out.find("routh/poisson-first"), std::string::npos);
    EXPECT_NE(run.out.find("no answer:"), std::string::npos);
}

TEST(ImpactOptions, JsonIsTheDefaultOnAPipe) {
    EXPECT_EQ(run_impact(k_ball, {"--json"}).out, run_impact(k_ball).out);
    EXPECT_EQ(run_impact(tumbling(), {"--json", "--all"}).out,
              run_impact(tumbling(), {"--all"}).out);
}

TEST(ImpactOptions, ExamplesNeedNoInput) {
    const ProgramRun run = run_carom({"impact", "--examples"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    for (const impact::LawInfo& law : impact::laws()) {
        EXPECT_NE(run.out.find(law.name), std::string::npos) << law.name;
    }
    EXPECT_EQ(run.out.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace carom::tests
