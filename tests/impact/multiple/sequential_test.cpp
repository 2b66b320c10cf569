// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "carom/impact/multiple/sequential.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

namespace carom::tests {
namespace {

using namespace impact;

void expect_speeds(const std::vector<double>& speeds, const std::vector<double>& expected,
                   double tolerance = 1e-15) {
    ASSERT_EQ(speeds.size(), expected.size());
    for (std::size_t i = 0; i < speeds.size(); ++i)
        EXPECT_NEAR(speeds[i], expected[i], tolerance) << "ball " << i;
}

struct ChainCase {
    const char* name;
    std::vector<double> masses, before, after;
    long rounds;
};

class Chain : public testing::TestWithParam<ChainCase> {};

// Elastic pair collisions worked out by hand.
TEST_P(Chain, GivesTheSequenceOfPairs) {
    const ChainCase& c = GetParam();
    const MultiContactProblem problem = chain(c.masses, c.before, 1.0);
    const MultiContactSolution solution = resolve_sequential(problem);
    expect_speeds(speeds_after(problem, solution), c.after);
    EXPECT_EQ(solution.rounds, c.rounds);
    EXPECT_LE(solution.approach_left, 1e-14);
    EXPECT_NEAR(energy_lost(problem, solution.impulses_W), 0.0, 1e-14);
}

const ChainCase k_chains[] = {
    {"OneIn", {1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, 4},
    {"TwoIn", {1, 1, 1, 1, 1}, {1, 1, 0, 0, 0}, {0, 0, 0, 1, 1}, 6},
    {"ThreeIn", {1, 1, 1, 1, 1}, {1, 1, 1, 0, 0}, {0, 0, 1, 1, 1}, 6},
    {"FromBothEnds", {1, 1, 1, 1, 1}, {1, 0, 0, 0, -1}, {-1, 0, 0, 0, 1}, 7},
    // 1 on 2: -1/3, 2/3; 2 on 3: -1/5 and 4/5 of 2/3
    {"Heavier", {1, 2, 3}, {1, 0, 0}, {-1.0 / 3, -2.0 / 15, 8.0 / 15}, 2},
    // 3 on 1: 1/2, 3/2; 1 on 1: 0, 3/2; 3 on 1: 1/4, 3/4
    {"HeavyFirst", {3, 1, 1}, {1, 0, 0}, {1.0 / 4, 3.0 / 4, 3.0 / 2}, 3},
    // 2 on 1: 1/3, 4/3; 1 on 2: -4/9 and 8/9; 2 on 1 again: -5/27, 16/27
    {"LightBetween", {2, 1, 2}, {1, 0, 0}, {-5.0 / 27, 16.0 / 27, 8.0 / 9}, 3},
};

INSTANTIATE_TEST_SUITE_P(Each, Chain, testing::ValuesIn(k_chains),
                         [](const auto& tested) { return std::string(tested.param.name); });

// The same in one dimension: pair collisions of point masses, the fastest approach first.
std::vector<double> pair_collisions(const std::vector<double>& masses, std::vector<double> v,
                                    double e) {
    for (int round = 0; round < 100'000; ++round) {
        std::size_t best = 0;
        double most = 1e-12;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
            if (v[i] - v[i + 1] > most) {
                most = v[i] - v[i + 1];
                best = i + 1;
            }
        }
        if (best == 0) break;
        const double m = masses[best - 1] * masses[best] / (masses[best - 1] + masses[best]);
        const double p = (1.0 + e) * m * most;
        v[best - 1] -= p / masses[best - 1];
        v[best] += p / masses[best];
    }
    return v;
}

TEST(Sequential, RandomChainsAreSequencesOfPairs) {
    Random random(521);
    for (int round = 0; round < 60; ++round) {
        std::vector<double> masses, speeds;
        const std::size_t count = 2 + random.bits() % 9;
        for (std::size_t i = 0; i < count; ++i) {
            masses.push_back(random.log_uniform(0.1, 10.0));
            speeds.push_back(random.normal());
        }
        const double e = round % 2 == 0 ? 1.0 : random.uniform(0.5, 1.0);
        const MultiContactProblem problem = chain(masses, speeds, e);
        SequentialSettings settings;
        settings.tolerance = 1e-13;
        const MultiContactSolution solution = resolve_sequential(problem, settings);
        expect_speeds(speeds_after(problem, solution), pair_collisions(masses, speeds, e), 1e-11);
    }
}

// A particle in a wedge of pi / k, moving against both walls. Elastic walls reflect it as often as
// k; for even k the product of the reflections is -1, whatever their order.
TEST(Sequential, ElasticWedgesReverse) {
    for (const int k : {2, 4, 6, 12, 30}) {
        const double angle = std::numbers::pi / k;
        MultiContactProblem problem;
        MultiContactBody particle;
        particle.inverse_mass = 0.7;
        // from inside the wedge to its edge
        particle.v = {-std::cos(0.47 * angle), -std::sin(0.47 * angle), 0.3};
        problem.bodies = {particle, MultiContactBody{}};
        // walls along x and along the angle, seen from inside
        problem.contacts = {
            contact_of(0, 1, Vec3::Zero(), {0, 1, 0}, LawId::frictionless, 1.0, 0.0),
            contact_of(0, 1, Vec3::Zero(), {std::sin(angle), -std::cos(angle), 0},
                       LawId::frictionless, 1.0, 0.0)};
        const MultiContactSolution solution = resolve_sequential(problem);
        const auto after = apply_impulses(problem, solution.impulses_W);
        const Vec3 v = problem.bodies[0].v;
        EXPECT_LT((after[0].v - Vec3(-v.x(), -v.y(), v.z())).norm(), 1e-13) << k;
        EXPECT_EQ(solution.rounds, k);
        EXPECT_LE(solution.approach_left, 1e-14);
    }
}

// Plastic walls: every impact after the first leaves cos(angle) of the speed, for ever.
TEST(Sequential, PlasticWedgesAreCutOffAtTheTolerance) {
    const double angle = std::numbers::pi / 5;
    for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
        MultiContactProblem problem;
        MultiContactBody particle;
        particle.inverse_mass = 2.0;
        particle.v = {-1.0, 0.0, 0.0};  // along the first wall
        problem.bodies = {particle, MultiContactBody{}};
        problem.contacts = {
            contact_of(0, 1, Vec3::Zero(), {0, 1, 0}, LawId::frictionless, 0.0, 0.0),
            contact_of(0, 1, Vec3::Zero(), {std::sin(angle), -std::cos(angle), 0},
                       LawId::frictionless, 0.0, 0.0)};
        SequentialSettings settings;
        settings.tolerance = tolerance;
        const MultiContactSolution solution = resolve_sequential(problem, settings);
        // after n impacts the speed is cos^n and the next wall is approached at sin of it
        const double left = std::pow(std::cos(angle), static_cast<double>(solution.rounds));
        EXPECT_NEAR(solution.approach_left, std::sin(angle) * left, 1e-14);
        EXPECT_LE(left, tolerance);
        EXPECT_GT(left / std::cos(angle), tolerance);
    }
}

// No motion opens both contacts of a ball between two walls: elastic impacts go on for ever, and
// the answer says that nothing has been gained.
TEST(Sequential, ABallBetweenTwoWallsIsCutOff) {
    MultiContactProblem problem;
    problem.bodies = {ball(1.0, 1.0, Vec3::Zero(), {2, 1, 0}), MultiContactBody{},
                      MultiContactBody{}};
    problem.contacts = {contact_of(0, 1, {1, 0, 0}, {-1, 0, 0}, LawId::frictionless, 1.0, 0.0),
                        contact_of(0, 2, {-1, 0, 0}, {1, 0, 0}, LawId::frictionless, 1.0, 0.0)};
    SequentialSettings settings;
    settings.most_rounds = 1001;
    const MultiContactSolution solution = resolve_sequential(problem, settings);
    EXPECT_EQ(solution.rounds, 1001);
    EXPECT_NEAR(solution.approach_left, 2.0, 1e-12);
    EXPECT_NEAR(energy_lost(problem, solution.impulses_W), 0.0, 1e-9);
}

// One contact is the law itself, to the last bit.
TEST(Sequential, OneContactIsTheLaw) {
    Random random(522);
    for (const LawInfo& law : laws()) {
        if (law.plane_only || law.id == LawId::bilinear || law.id == LawId::particle) continue;
        int solved = 0;
        for (int round = 0; round < 30; ++round) {
            MultiContactProblem problem =
                random_graph(random, 1, [&](MultiContactPoint& c, Random& r) {
                    c.law = &law;
                    c.parameters = random_parameters(r);
                });
            const MultiContactPoint& c = problem.contacts[0];
            const FramedContact framed =
                make_contact({c.normal, at_contact(problem.bodies[c.a], c.point),
                              at_contact(problem.bodies[c.b], c.point)});
            const Outcome outcome = resolve(law, framed.contact, c.parameters);
            if (framed.contact.u.z() >= 0.0) {
                EXPECT_EQ(resolve_sequential(problem).rounds, 0);
                continue;
            }
            if (outcome.refusal != nullptr) continue;
            SequentialSettings once;
            once.most_rounds = 1;
            const MultiContactSolution solution = resolve_sequential(problem, once);
            EXPECT_EQ(solution.rounds, 1);
            const Vec3 p_W = framed.R_CW.transpose() * outcome.solution.p;
            EXPECT_LT((solution.impulses_W[0] - p_W).norm(), 1e-12 * p_W.norm()) << law.name;
            ++solved;
        }
        EXPECT_GT(solved, 3) << law.name;
    }
}

// A ball between two others that it hits at the same speed: whoever comes first gets more.
MultiContactProblem symmetric_break() {
    const double s = std::sqrt(0.75);
    MultiContactProblem problem;
    problem.bodies = {ball(1, 1, {0, 0, 0}, {1, 0, 0}), ball(1, 1, {2 * s, 1, 0}, Vec3::Zero()),
                      ball(1, 1, {2 * s, -1, 0}, Vec3::Zero())};
    problem.contacts = {
        contact_of(1, 0, {s, 0.5, 0}, {s, 0.5, 0}, LawId::frictionless, 1.0, 0.0),
        contact_of(2, 0, {s, -0.5, 0}, {s, -0.5, 0}, LawId::frictionless, 1.0, 0.0)};
    return problem;
}

TEST(Sequential, TiesGoToTheLowestIndex) {
    const double s = std::sqrt(0.75);
    MultiContactProblem problem = symmetric_break();
    // rounding must not decide: the second is faster by the last bits
    problem.contacts[1].normal.x() *= 1.0 + 4e-16;
    const auto after = apply_impulses(problem, resolve_sequential(problem).impulses_W);
    // the first ball takes s of the speed along its normal, the second what is left along its own
    const Vec3 left = Vec3(1, 0, 0) - s * Vec3(s, 0.5, 0);
    const double second = left.dot(Vec3(s, -0.5, 0));
    EXPECT_LT((after[1].v - s * Vec3(s, 0.5, 0)).norm(), 1e-15);
    EXPECT_LT((after[2].v - second * Vec3(s, -0.5, 0)).norm(), 1e-15);
    EXPECT_GT(after[1].v.norm(), 1.5 * after[2].v.norm());
}

TEST(Sequential, TiesAtRandomTakeBothWaysAndOneForEachSeed) {
    const MultiContactProblem problem = symmetric_break();
    std::set<bool> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SequentialSettings settings;
        settings.random_ties = true;
        settings.seed = seed;
        const MultiContactSolution solution = resolve_sequential(problem, settings);
        const MultiContactSolution again = resolve_sequential(problem, settings);
        EXPECT_EQ(solution.impulses_W, again.impulses_W);
        const double upper = solution.impulses_W[0].norm();
        const double lower = solution.impulses_W[1].norm();
        EXPECT_GT(std::abs(upper - lower), 0.1);
        seen.insert(upper > lower);
    }
    EXPECT_EQ(seen.size(), 2U);
}

TEST(Sequential, NothingToDoIsNoRound) {
    const MultiContactProblem apart = chain({1, 1, 1}, {0, 0, 1}, 0.5);
    const MultiContactSolution solution = resolve_sequential(apart);
    EXPECT_EQ(solution.rounds, 0);
    EXPECT_EQ(solution.approach_left, 0.0);
    EXPECT_EQ(solution.impulses_W, std::vector<Vec3>(2, Vec3::Zero()));
    EXPECT_EQ(resolve_sequential({}).impulses_W.size(), 0U);
}

// Bodies that move together fast: what their speeds round to is no approach.
TEST(Sequential, RoundingOfFastBodiesIsNoApproach) {
    MultiContactProblem problem = chain({1, 1}, {1e6, 1e6 * (1.0 - 2e-16)}, 0.0);
    EXPECT_EQ(resolve_sequential(problem).rounds, 0);
    problem.bodies[0].v.x() += 1e-6;
    const MultiContactSolution solution = resolve_sequential(problem);
    EXPECT_GE(solution.rounds, 1);
    EXPECT_LE(solution.approach_left, 1e-8);
}

template <class Call>
std::string refusal(Call&& call) {
    try {
        call();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Sequential, RefusesWhatItCannotDo) {
    MultiContactProblem problem = chain({1, 1, 1}, {1, 0, 0}, 0.5);
    SequentialSettings settings;
    settings.tolerance = -1.0;
    EXPECT_NE(refusal([&] { resolve_sequential(problem, settings); }).find("0 <= tolerance < 1"),
              std::string::npos);
    settings = {};
    settings.most_rounds = 0;
    EXPECT_NE(refusal([&] { resolve_sequential(problem, settings); }).find("at least 1 round"),
              std::string::npos);

    // a plane law where the problem leaves the plane
    problem.contacts[1].law = &law_info(LawId::planar);
    problem.contacts[1].point += Vec3(0.0, 0.3, 0.4);
    problem.bodies[1].inverse_inertia = Vec3(1, 2, 3).asDiagonal();
    problem.bodies[1].w = {0, 0.1, 0.5};
    const std::string wrong = refusal([&] { resolve_sequential(problem); });
    EXPECT_EQ(wrong.find("contacts[1]: law 'planar' needs a plane problem"), 0U) << wrong;
}

}  // namespace
}  // namespace carom::tests
