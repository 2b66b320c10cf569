// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <limits>

#include "tests/impact/multiple/multi_contact_graphs.h"

namespace carom::tests {
namespace {

using namespace impact;

constexpr double k_inf = std::numeric_limits<double>::infinity();

void without_friction(MultiContactPoint& contact, Random& random) {
    contact.law = &law_info(LawId::frictionless);
    contact.parameters.e = random.uniform();
}

std::vector<Vec3> random_impulses(Random& random, std::size_t count) {
    std::vector<Vec3> impulses(count);
    for (Vec3& p : impulses)
        p = random.normal3();
    return impulses;
}

// Column by column: a unit impulse at one contact, and what it does to the velocities of all.
TEST(MultiContactProblem, TheSystemIsWhatUnitImpulsesDo) {
    Random random(501);
    for (int round = 0; round < 20; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 8, without_friction);
        const MultiContactSystem system = make_multi_contact_system(problem);
        ASSERT_EQ(system.W, system.W.transpose());
        const std::size_t count = problem.contacts.size();
        for (std::size_t j = 0; j < count; ++j) {
            for (int k = 0; k < 3; ++k) {
                std::vector<Vec3> impulses(count, Vec3::Zero());
                impulses[j] = system.R_CW[j].transpose() * Vec3::Unit(k);
                const auto after = apply_impulses(problem, impulses);
                for (std::size_t i = 0; i < count; ++i) {
                    const Vec3 u = system.R_CW[i] * contact_velocity(after, problem.contacts[i]);
                    const Vec3 expected = system.u(i) + system.block(i, j).col(k);
                    EXPECT_LT((u - expected).norm(), 1e-12 * (1.0 + expected.norm()))
                        << i << " " << j << show(problem);
                }
            }
        }
    }
}

TEST(MultiContactProblem, ABlockOnTheDiagonalIsTheSingleContact) {
    Random random(502);
    const MultiContactProblem problem = random_graph(random, 6, without_friction);
    const MultiContactSystem system = make_multi_contact_system(problem);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& c = problem.contacts[i];
        const FramedContact framed =
            make_contact({c.normal, at_contact(problem.bodies[c.a], c.point),
                          at_contact(problem.bodies[c.b], c.point)});
        EXPECT_LT((framed.contact.K - system.block(i, i)).norm(), 1e-14 * framed.contact.K.norm());
        EXPECT_LT((framed.contact.u - system.u(i)).norm(), 1e-14 * framed.contact.u.norm());
        EXPECT_EQ(framed.R_CW, system.R_CW[i]);
    }
}

TEST(MultiContactProblem, EnergyLostIsWhatTheBodiesLose) {
    Random random(503);
    for (int round = 0; round < 50; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 12, without_friction);
        const auto impulses = random_impulses(random, problem.contacts.size());
        const double before = kinetic_energy(problem.bodies);
        const double after = kinetic_energy(apply_impulses(problem, impulses));
        EXPECT_NEAR(energy_lost(problem, impulses), before - after, 1e-11 * (before + after));
        const MultiContactSystem system = make_multi_contact_system(problem);
        Eigen::VectorXd p(system.U.size());
        for (std::size_t i = 0; i < impulses.size(); ++i)
            p.segment<3>(static_cast<Eigen::Index>(3 * i)) = system.R_CW[i] * impulses[i];
        EXPECT_NEAR(energy_lost(problem, impulses), -(system.U.dot(p) + 0.5 * p.dot(system.W * p)),
                    1e-11 * (before + after));
    }
}

// No impulse between bodies changes their sum of momentum or of moments of momentum.
TEST(MultiContactProblem, MomentumBalances) {
    Random random(504);
    MultiContactProblem problem = random_graph(random, 9, without_friction);
    const auto impulses = random_impulses(random, problem.contacts.size());
    const auto after = apply_impulses(problem, impulses);
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();
    double size = 0.0;
    for (std::size_t b = 0; b < after.size(); ++b) {
        const MultiContactBody& body = problem.bodies[b];
        if (body.fixed()) {
            // what a fixed body takes up comes from its contacts
            EXPECT_EQ(after[b].v, body.v);
            EXPECT_EQ(after[b].w, body.w);
            for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
                const MultiContactPoint& c = problem.contacts[i];
                const double sign = c.a == b ? 1.0 : (c.b == b ? -1.0 : 0.0);
                linear += sign * impulses[i];
                angular += sign * c.point.cross(impulses[i]);
            }
            continue;
        }
        const Vec3 gain = (after[b].v - body.v) / body.inverse_mass;
        linear += gain;
        angular +=
            body.position.cross(gain) + body.inverse_inertia.inverse() * (after[b].w - body.w);
        size += gain.norm();
    }
    ASSERT_GT(size, 1.0);
    EXPECT_LT(linear.norm(), 1e-13 * size);
    EXPECT_LT(angular.norm(), 1e-12 * size);
}

struct Wrong {
    const char* what;
    void (*spoil)(MultiContactProblem&);
    const char* message;
};

class WrongJointProblem : public testing::TestWithParam<Wrong> {};

TEST_P(WrongJointProblem, IsRefusedWithTheReason) {
    MultiContactProblem problem = chain({1, 2, 3}, {1, 0, 0}, 0.5);
    ASSERT_EQ(check_multi_contact_problem(problem), "");
    GetParam().spoil(problem);
    const std::string wrong = check_multi_contact_problem(problem);
    EXPECT_NE(wrong.find(GetParam().message), std::string::npos) << wrong;
}

const Wrong k_wrong[] = {
    {"velocity", [](MultiContactProblem& p) { p.bodies[1].v.x() = k_inf; },
     "bodies[1] has an entry that is not a finite number"},
    {"mass", [](MultiContactProblem& p) { p.bodies[2].inverse_mass = -1.0; },
     "bodies[2].inverse_mass must not be negative"},
    {"skew", [](MultiContactProblem& p) { p.bodies[0].inverse_inertia(0, 1) = 1.0; },
     "bodies[0].inverse_inertia must be symmetric"},
    {"indefinite", [](MultiContactProblem& p) { p.bodies[0].inverse_inertia(0, 0) = -1.0; },
     "without negative principal values"},
    {"unknown", [](MultiContactProblem& p) { p.contacts[1].b = 3; },
     "contacts[1]: a and b must be indices of bodies, below 3"},
    {"same", [](MultiContactProblem& p) { p.contacts[0].b = p.contacts[0].a; },
     "two different bodies"},
    {"fixed",
     [](MultiContactProblem& p) {
         p.bodies[0] = {};
         p.bodies[1] = {};
     },
     "contacts[0]: its bodies are both fixed"},
    {"point", [](MultiContactProblem& p) { p.contacts[0].point.x() = k_inf; },
     ".point must be finite"},
    {"normal", [](MultiContactProblem& p) { p.contacts[1].normal *= 2.0; },
     "contacts[1].normal must have length 1"},
    {"singular",
     [](MultiContactProblem& p) {
         p.bodies[0].inverse_mass = 0.0;
         p.bodies[1] = {};
     },
     "contacts[0]: K is not positive definite"},
    {"stiffness", [](MultiContactProblem& p) { p.contacts[0].stiffness = 0.0; }, "greater than 0"},
    {"power", [](MultiContactProblem& p) { p.contacts[0].power = 0.5; },
     ".power must be at least 1"},
    {"lawless", [](MultiContactProblem& p) { p.contacts[0].law = nullptr; },
     "contacts[0] needs a law"},
    {"hinge", [](MultiContactProblem& p) { p.contacts[0].kind = ContactKind::ball_joint; },
     "takes no law"},
    {"parameter", [](MultiContactProblem& p) { p.contacts[1].parameters.e = 1.5; },
     "contacts[1]: e is out of range"},
};

INSTANTIATE_TEST_SUITE_P(Each, WrongJointProblem, testing::ValuesIn(k_wrong),
                         [](const auto& tested) { return std::string(tested.param.what); });

// A body that cannot turn is a body: particles have no inertia.
TEST(MultiContactProblem, ParticlesAreAllowed) {
    MultiContactProblem problem = chain({1, 1}, {1, 0}, 1.0);
    for (MultiContactBody& body : problem.bodies)
        body.inverse_inertia.setZero();
    EXPECT_EQ(check_multi_contact_problem(problem), "");
    EXPECT_EQ(make_multi_contact_system(problem).W, Eigen::MatrixXd(2.0 * Mat3::Identity()));
}

}  // namespace
}  // namespace carom::tests
