// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <set>

#include "carom/impact/law.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::check_parameters;
using impact::LawId;
using impact::LawParameters;
using impact::ParameterId;
using impact::ParameterKind;

TEST(LawRegistry, TableOrderIsTheOrderOfIds) {
    const auto laws = impact::laws();
    ASSERT_EQ(laws.size(), 16U);
    for (std::size_t i = 0; i < laws.size(); ++i) {
        EXPECT_EQ(laws[i].id, static_cast<LawId>(i)) << laws[i].name;
        EXPECT_EQ(&impact::law_info(static_cast<LawId>(i)), &laws[i]);
        EXPECT_EQ(impact::find_law(laws[i].name), &laws[i]);
        EXPECT_NE(laws[i].resolve, nullptr);
        EXPECT_FALSE(laws[i].summary.empty());
        EXPECT_FALSE(laws[i].source.empty());
        EXPECT_FALSE(laws[i].parameters.empty());
    }
    const auto parameters = impact::parameters();
    ASSERT_EQ(parameters.size(), impact::k_parameter_count);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        EXPECT_EQ(parameters[i].id, static_cast<ParameterId>(i)) << parameters[i].name;
        EXPECT_EQ(&impact::parameter_info(static_cast<ParameterId>(i)), &parameters[i]);
        EXPECT_EQ(impact::find_parameter(parameters[i].name), &parameters[i]);
        EXPECT_FALSE(parameters[i].meaning.empty()) << parameters[i].name;
    }
}

TEST(LawRegistry, NamesAreThoseOfTheSpecification) {
    const std::array<std::string_view, 16> names{"frictionless",
                                                 "particle",
                                                 "routh",
                                                 "planar",
                                                 "whittaker",
                                                 "smith",
                                                 "pfeiffer-glocker",
                                                 "anitescu-potra",
                                                 "bilinear",
                                                 "brach",
                                                 "region-spherical",
                                                 "region-projected",
                                                 "chatterjee-ruina",
                                                 "composite",
                                                 "compliant",
                                                 "micro"};
    std::set<std::string_view> seen;
    for (const std::string_view name : names) {
        const auto* law = impact::find_law(name);
        ASSERT_NE(law, nullptr) << name;
        EXPECT_TRUE(seen.insert(law->name).second);
    }
    EXPECT_EQ(impact::find_law("Routh"), nullptr);
    EXPECT_EQ(impact::find_law(""), nullptr);
    EXPECT_EQ(impact::find_parameter("coulomb"), nullptr);
}

TEST(LawRegistry, ParametersAreThoseOfTheSpecification) {
    const auto required = [](std::string_view name) {
        std::set<std::string_view> result;
        for (const auto& parameter : impact::find_law(name)->parameters) {
            if (parameter.required) result.insert(impact::parameter_info(parameter.id).name);
        }
        return result;
    };
    using Names = std::set<std::string_view>;
    EXPECT_EQ(required("frictionless"), Names({"e"}));
    EXPECT_EQ(required("routh"), Names({"e", "mu"}));
    EXPECT_EQ(required("whittaker"), Names({"e", "mu"}));
    EXPECT_EQ(required("pfeiffer-glocker"), Names({"e", "mu", "nu", "et"}));
    EXPECT_EQ(required("bilinear"), Names({"e", "et", "mu"}));
    EXPECT_EQ(required("brach"), Names({"e", "mu2", "mu3"}));
    EXPECT_EQ(required("region-spherical"), Names({"mu", "psi1", "psi2", "rho"}));
    EXPECT_EQ(required("region-projected"), Names({"mu", "P"}));
    EXPECT_EQ(required("composite"), Names({"sigma", "e", "et", "mu"}));
    EXPECT_TRUE(impact::law_info(LawId::planar).plane_only);
    EXPECT_TRUE(impact::law_info(LawId::pfeiffer_glocker).plane_only);
    EXPECT_TRUE(impact::law_info(LawId::routh).incremental);
    EXPECT_TRUE(impact::law_info(LawId::compliant).incremental);
    EXPECT_TRUE(impact::law_info(LawId::whittaker).may_gain_energy);
    EXPECT_FALSE(impact::law_info(LawId::chatterjee_ruina).may_gain_energy);
    EXPECT_FALSE(impact::law_info(LawId::frictionless).may_gain_energy);
}

TEST(LawRegistry, MisspeltNamesFindTheirNeighbour) {
    EXPECT_EQ(impact::nearest_law("ruoth"), "routh");
    EXPECT_EQ(impact::nearest_law("whitaker"), "whittaker");
    EXPECT_EQ(impact::nearest_law("chatterje-ruina"), "chatterjee-ruina");
    EXPECT_EQ(impact::nearest_law("region_spherical"), "region-spherical");
    EXPECT_EQ(impact::nearest_law("Smith"), "smith");
    EXPECT_EQ(impact::nearest_law("completely-different-thing"), "");
    EXPECT_EQ(impact::nearest_parameter("sigm"), "sigma");
    EXPECT_EQ(impact::nearest_parameter("treshold"), "threshold");
    EXPECT_EQ(impact::nearest_parameter("terminaton"), "termination");
}

TEST(LawRegistry, Terminations) {
    for (const auto termination :
         {impact::Termination::stronge, impact::Termination::poisson,
          impact::Termination::poisson_first, impact::Termination::newton}) {
        EXPECT_EQ(impact::find_termination(impact::termination_name(termination)), termination);
    }
    EXPECT_EQ(impact::find_termination("poisson-first"), impact::Termination::poisson_first);
    EXPECT_FALSE(impact::find_termination("kelvin"));
}

TEST(LawRegistry, MissingParametersAreNamed) {
    Random random(2501);
    for (const auto& law : impact::laws()) {
        const LawParameters all = random_parameters(random);
        EXPECT_EQ(check_parameters(law, all), "") << law.name << show(all);
        for (const auto& parameter : law.parameters) {
            if (!parameter.required) {
                EXPECT_FALSE(parameter.fallback.empty()) << law.name;
                continue;
            }
            LawParameters some = all;
            some.reset(parameter.id);
            EXPECT_FALSE(some.has(parameter.id));
            const std::string message = check_parameters(law, some);
            const std::string name(impact::parameter_info(parameter.id).name);
            EXPECT_NE(message.find(name), std::string::npos) << law.name << ": " << message;
            // and whoever does not ask gets no answer instead of one with a number nobody gave
            const auto outcome = impact::resolve(law, diagonal_contact(2, 2, 3, {1, 0, -1}), some);
            EXPECT_NE(outcome.refusal, nullptr) << law.name << " without " << name;
        }
    }
}

TEST(LawRegistry, NumbersOutOfRangeAreRefused) {
    Random random(2502);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& law : impact::laws()) {
        const LawParameters good = random_parameters(random);
        for (const auto& parameter : law.parameters) {
            const auto& info = impact::parameter_info(parameter.id);
            if (info.kind != ParameterKind::number) continue;
            LawParameters bad = good;
            bad.number(parameter.id) = nan;
            EXPECT_NE(check_parameters(law, bad), "") << law.name << " " << info.name;
            EXPECT_NE(impact::check_number(info, nan), "") << info.name;
        }
    }
    struct Range {
        const char* name;
        double inside, low, high;
    };
    const double inf = std::numeric_limits<double>::infinity();
    for (const Range& range :
         {Range{"e", 0.5, -0.1, 1.1}, Range{"mu", 0.5, -0.1, inf}, Range{"et", -0.5, -1.1, 1.1},
          Range{"nu", 0.3, -0.1, 1.0}, Range{"eta2", 1.2, 0.0, inf}, Range{"sigma", 0.5, -0.1, 1.1},
          Range{"rho", 0.5, -0.1, 1.1}}) {
        const auto* info = impact::find_parameter(range.name);
        ASSERT_NE(info, nullptr) << range.name;
        EXPECT_EQ(impact::check_number(*info, range.inside), "") << range.name;
        EXPECT_NE(impact::check_number(*info, range.low), "") << range.name;
        EXPECT_NE(impact::check_number(*info, range.high), "") << range.name;
    }
    for (const auto& [name, edge] : {std::pair{"e", 0.0},
                                     {"e", 1.0},
                                     {"mu", 0.0},
                                     {"et", -1.0},
                                     {"et", 1.0},
                                     {"sigma", 0.0},
                                     {"sigma", 1.0},
                                     {"nu", 0.0}}) {
        EXPECT_EQ(impact::check_number(*impact::find_parameter(name), edge), "") << name;
    }
}

// Roots without a bracket were an exception, which ended the program with all lines still to come.
TEST(LawRegistry, ExtremeNumbersThrowNothing) {
    Random random(2503);
    const auto any = [&] { return random.log_uniform(1e-200, 1e200); };
    for (const auto& law : impact::laws()) {
        for (int i = 0; i < 200; ++i) {
            impact::Contact contact{Mat3::Zero(), {any(), i % 2 ? any() : 0.0, -any()}};
            contact.K.diagonal() << any(), any(), any();
            if (i == 0) contact.K.diagonal() << 2e200, 1e-200, 1e-200;
            if (i == 0) contact.u = {1e100, 0.0, -1e100};
            EXPECT_NO_THROW(impact::resolve(law, contact, random_parameters(random), nullptr))
                << law.name << " " << i;
        }
    }
}

TEST(LawRegistry, CompliantTakesPoissonsRatioOrTheStiffnessRatio) {
    const auto& law = impact::law_info(LawId::compliant);
    const LawParameters parameters{.e = 0.5, .mu = 0.3};
    EXPECT_NE(check_parameters(law, parameters), "");
    const impact::Contact contact = diagonal_contact(3.5, 3.5, 1, {1, 0, -2});
    LawParameters by_nu = parameters;
    by_nu.nu = 0.25;
    LawParameters by_eta = parameters;
    by_eta.eta2 = 1.75 / 1.5;
    EXPECT_EQ(check_parameters(law, by_nu), "");
    EXPECT_EQ(check_parameters(law, by_eta), "");
    EXPECT_EQ(impact::resolve(law, contact, by_nu).solution.p,
              impact::resolve(law, contact, by_eta).solution.p);
}

TEST(LawRegistry, PlaneLawsRefuseProblemsInSpace) {
    Random random(2503);
    const impact::Contact contact = random_contact(random);
    const LawParameters parameters = random_parameters(random);
    for (const LawId id : {LawId::planar, LawId::pfeiffer_glocker}) {
        const auto outcome = impact::resolve(impact::law_info(id), contact, parameters);
        EXPECT_NE(outcome.refusal, nullptr);
        EXPECT_EQ(outcome.solution.p, Vec3::Zero());
    }
}

TEST(LawRegistry, MicroTakesWhatItsFallbackTakes) {
    const auto& micro = impact::law_info(LawId::micro);
    EXPECT_TRUE(impact::takes(micro, ParameterId::mu));
    EXPECT_TRUE(impact::takes(micro, ParameterId::termination, LawId::routh));
    EXPECT_TRUE(impact::takes(micro, ParameterId::et, LawId::chatterjee_ruina));
    EXPECT_FALSE(impact::takes(micro, ParameterId::et, LawId::routh));
    EXPECT_FALSE(impact::takes(impact::law_info(LawId::routh), ParameterId::et));
}

}  // namespace
}  // namespace carom::tests
