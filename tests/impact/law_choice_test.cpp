// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/law_choice.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include "carom/impact/compliant.h"
#include "carom/impact/micro.h"
#include "carom/impact/multiple/multi_contact_problem.h"
#include "tests/impact/any_law.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::LawChoice;
using impact::LawId;
using impact::LawParameters;
using impact::ParameterId;
using impact::Termination;
namespace law = impact::law;

// What a law needs cannot be left out: such a list does not compile.
template <class Parameters>
concept MadeOfE = requires {
    Parameters{.e = 0.5};
};
template <class Parameters>
concept MadeOfMu = requires {
    Parameters{.mu = 0.5};
};
template <class Parameters>
concept MadeOfEAndMu = requires {
    Parameters{.e = 0.5, .mu = 0.5};
};
static_assert(MadeOfE<impact::FrictionlessParameters>);
static_assert(!MadeOfE<impact::RouthParameters> && !MadeOfMu<impact::RouthParameters>);
static_assert(!std::is_default_constructible_v<impact::RouthParameters>);
static_assert(MadeOfEAndMu<impact::RouthParameters> && MadeOfEAndMu<impact::ParticleParameters>);
static_assert(MadeOfEAndMu<law::Compliant>);  // nu or eta2: told when the program runs
static_assert(!MadeOfEAndMu<impact::BilinearParameters>);
static_assert(!MadeOfEAndMu<impact::ChatterjeeRuinaParameters>);
static_assert(!MadeOfMu<impact::RegionProjectedParameters> && !MadeOfMu<law::Micro>);

std::string complaint(auto make) {
    try {
        make();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

Vec3 impulse(const LawChoice& choice, const Contact& contact) {
    const auto outcome = impact::resolve(choice, contact);
    EXPECT_EQ(outcome.refusal, nullptr) << impact::law_info(choice.law).name;
    return outcome.solution.p;
}

// Every law by its own function, with the same parameters as from the table.
std::vector<LawChoice> every_choice(const LawParameters& p) {
    const double e = *p.e, mu = *p.mu, et = *p.et;
    const LawChoice routh = law::routh({.e = e, .mu = mu, .termination = Termination::newton});
    return {
        law::frictionless({.e = e}),
        law::particle({.e = e, .mu = mu, .reversal = true}),
        routh,
        law::planar({.e = e, .mu = mu}),
        law::whittaker({.e = e, .mu = mu}),
        law::smith({.e = e, .mu = mu}),
        law::pfeiffer_glocker({.e = e, .mu = mu, .nu = *p.nu, .et = et}),
        law::anitescu_potra({.e = e, .mu = mu}),
        law::bilinear({.e = e, .et = et, .mu = mu}),
        law::brach({.e = e, .mu2 = *p.mu2, .mu3 = *p.mu3}),
        law::region_spherical({.mu = mu, .psi1 = *p.psi1, .psi2 = *p.psi2, .rho = *p.rho}),
        law::region_projected({.mu = mu, .P = *p.P}),
        law::chatterjee_ruina({.e = e, .et = et, .mu = mu}),
        law::composite(
            {.sigma = *p.sigma, .e = e, .et = et, .mu = mu, .termination = Termination::newton}),
        law::compliant({.e = e, .mu = mu, .nu = *p.nu}),
        law::micro({.mu = mu, .fallback = routh, .threshold = 0.7}),
    };
}

TEST(LawChoice, IsTheLawOfTheTable) {
    Random random(2601);
    int answered = 0;
    for (int i = 0; i < 200; ++i) {
        LawParameters given = random_parameters(random);
        given.et = std::abs(*given.et);
        given.termination = Termination::newton;
        given.reversal = true;
        given.threshold = 0.7;
        const std::vector<LawChoice> choices = every_choice(given);
        ASSERT_EQ(choices.size(), impact::laws().size());
        for (std::size_t k = 0; k < choices.size(); ++k) {
            const impact::LawInfo& info = impact::laws()[k];
            ASSERT_EQ(choices[k].law, info.id);
            const Contact contact = random_problem(info, random).contact;
            const auto by_choice = impact::resolve(choices[k], contact);
            const auto by_table = impact::resolve(info, contact, given);
            ASSERT_EQ(by_choice.refusal, by_table.refusal) << info.name << show(contact);
            ASSERT_EQ(by_choice.solution.p, by_table.solution.p) << info.name << show(contact);
            if (by_choice.refusal == nullptr) ++answered;
            // nothing that the law needs is missing, and nothing is there that it does not take
            ASSERT_EQ(impact::check_parameters(info, choices[k].parameters), "") << info.name;
            for (const auto& parameter : impact::parameters()) {
                const bool takes = impact::takes(info, parameter.id);
                ASSERT_TRUE(takes || !choices[k].parameters.has(parameter.id))
                    << info.name << " " << parameter.name;
            }
        }
    }
    EXPECT_GT(answered, 2500);
}

TEST(LawChoice, WhatIsLeftOutHasTheDefaultOfTheLaw) {
    Random random(2602);
    for (int i = 0; i < 200; ++i) {
        const Contact contact = any_contact(random);
        ASSERT_EQ(impulse(law::routh({.e = 0.7, .mu = 0.4}), contact),
                  impact::routh(contact, {0.7, 0.4, Termination::stronge}).p);
        ASSERT_EQ(impulse(law::composite({.sigma = 0.5, .e = 0.7, .et = 0.1, .mu = 0.4}), contact),
                  impact::composite(contact, {0.5, 0.7, 0.1, 0.4, Termination::poisson}).p);
        ASSERT_EQ(impulse(law::compliant({.e = 0.7, .mu = 0.4, .eta2 = 1.25}), contact),
                  impact::compliant(contact, {0.7, 0.4, 1.25}).p);
        const auto reversal = impact::micro_reversal(contact, {0.4, 1e300});
        const Vec3 otherwise = impact::frictionless(contact, {0.7}).p;
        ASSERT_EQ(
            impulse(law::micro({.mu = 0.4, .fallback = law::frictionless({.e = 0.7})}), contact),
            reversal.applies ? reversal.p : otherwise);
    }
}

TEST(LawChoice, SaysWhatIsOutOfRange) {
    EXPECT_EQ(complaint([] { law::routh({.e = 1.5, .mu = 0.3}); }),
              "law 'routh': e is out of range; it must satisfy 0 <= e <= 1");
    EXPECT_EQ(complaint([] { law::frictionless({.e = std::nan("")}); }),
              "law 'frictionless': e is out of range; it must satisfy 0 <= e <= 1");
    EXPECT_EQ(complaint([] { law::compliant({.e = 0.5, .mu = 0.3}); }),
              "law 'compliant' needs nu or eta2");
    EXPECT_NE(complaint([] {
                  law::compliant({.e = 0.5, .mu = 0.3, .nu = 0.3, .eta2 = 1.2});
              }).find("either nu or eta2"),
              std::string::npos);
    EXPECT_EQ(complaint([] { law::region_projected({.mu = 0.3, .P = Vec3(0, HUGE_VAL, 1)}); }),
              "law 'region-projected': P must be three finite numbers");
    EXPECT_NE(complaint([] {
                  law::micro({.mu = 0.3, .fallback = law::routh({.e = 0.5, .mu = 0.4})});
              }).find("mu"),
              std::string::npos);
}

TEST(LawChoice, FoundWhileTheProgramRuns) {
    const LawParameters given{.e = 0.5, .mu = 0.9};
    const LawChoice routh = impact::choose_law(*impact::find_law("routh"), given);
    EXPECT_EQ(routh.law, LawId::routh);
    EXPECT_EQ(routh.parameters.mu, 0.9);
    const LawChoice smooth = impact::choose_law(*impact::find_law("frictionless"), given);
    EXPECT_FALSE(smooth.parameters.has(ParameterId::mu));
    EXPECT_NE(complaint([&] {
                  impact::choose_law(*impact::find_law("bilinear"), given);
              }).find("needs et"),
              std::string::npos);
}

TEST(LawChoice, JointContactsTakeIt) {
    impact::MultiContactPoint contact;
    contact.set_law(law::compliant({.e = 0.5, .mu = 0.2, .nu = 0.3}));
    EXPECT_EQ(contact.law, impact::find_law("compliant"));
    EXPECT_EQ(contact.parameters.nu, 0.3);
}

}  // namespace
}  // namespace carom::tests
