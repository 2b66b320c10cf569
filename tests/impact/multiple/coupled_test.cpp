// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/multiple/coupled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/impact/multiple/multi_contact_graphs.h"

namespace carom::tests {
namespace {

using impact::CoupledSettings;
using impact::CoupledTrace;
using impact::LawId;
using impact::LawParameters;
using impact::Mode;
using impact::MultiContactPoint;
using impact::MultiContactProblem;
using impact::MultiContactSolution;
using impact::resolve_coupled;

// One contact of two bodies as a problem of many contacts.
MultiContactProblem joint(const impact::BodyPair& pair, LawId law, const LawParameters& parameters,
                          double power) {
    MultiContactProblem problem;
    for (const impact::BodyState* state : {&pair.A, &pair.B}) {
        impact::MultiContactBody body;
        body.inverse_mass = state->inverse_mass;
        body.inverse_inertia = 0.5 * (state->inverse_inertia + state->inverse_inertia.transpose());
        body.position = -state->r;
        body.v = state->v;
        body.w = state->w;
        problem.bodies.push_back(body);
    }
    MultiContactPoint contact = contact_of(0, 1, Vec3::Zero(), pair.normal, law, 0.0, 0.0);
    contact.parameters = parameters;
    contact.power = power;
    problem.contacts.push_back(contact);
    return problem;
}

impact::BodyPair approaching_pair(Random& random) {
    impact::BodyPair pair = random_pair(random);
    if (impact::make_contact(pair).contact.u.z() > 0.0) {
        for (impact::BodyState* body : {&pair.A, &pair.B}) {
            body->v = -body->v;
            body->w = -body->w;
        }
    }
    return pair;
}

// How far one contact is from what its own law says, relative.
double distance_from_law(Random& random, LawId law, double power, int i) {
    const impact::BodyPair pair = approaching_pair(random);
    LawParameters parameters;
    parameters.e = i % 7 == 0 ? 1.0 : random.uniform(0.1, 1.0);
    if (i % 11 == 0) parameters.e = 0.0;
    parameters.mu = random.log_uniform(0.02, 1.5);
    parameters.eta2 = random.uniform(1.0, 1.5);
    const MultiContactProblem problem = joint(pair, law, parameters, power);
    const impact::FramedContact framed = impact::make_contact(pair);
    const Vec3 expected =
        framed.R_CW.transpose() *
        impact::resolve(impact::law_info(law), framed.contact, parameters).solution.p;
    const MultiContactSolution solution = resolve_coupled(problem);
    return (solution.impulses_W[0] - expected).norm() / expected.norm();
}

// Two different ways to the same answer: normal impulse and closed forms there, springs and time
// here.
TEST(Coupled, OneContactIsItsOwnLaw) {
    struct Case {
        LawId law;
        double power, most;
    };
    for (const Case& c :
         {Case{LawId::frictionless, 1.0, 1e-11}, Case{LawId::frictionless, 1.5, 1e-9},
          Case{LawId::frictionless, 2.2, 1e-9}, Case{LawId::routh, 1.0, 1e-9},
          Case{LawId::routh, 1.5, 1e-9}, Case{LawId::compliant, 1.0, 5e-9}}) {
        Random random(77);
        for (int i = 0; i < 120; ++i) {
            ASSERT_LT(distance_from_law(random, c.law, c.power, i), c.most)
                << impact::law_info(c.law).name << " power " << c.power << " case " << i;
        }
    }
}

// Two balls in one line on a wall, equal linear springs, e = 1: v' = W F, F' = -v is x'' = -W x
// with two modes, followed by hand until the first spring lets go, then as one mass on one spring.
TEST(Coupled, TwoSpringsFollowTheirModes) {
    MultiContactProblem problem = chain({1.0, 1.0}, {-1.0, -1.0}, 1.0);
    problem.bodies.push_back({});
    problem.contacts.push_back(
        contact_of(0, 2, {-1, 0, 0}, Vec3::UnitX(), LawId::frictionless, 1.0, 0.0));
    for (MultiContactPoint& contact : problem.contacts)
        contact.power = 1.0;
    // fine Runge-Kutta of the same springs with the contacts' own positions
    struct Balls {
        double a, b, va, vb;
    };
    const auto rate = [](const Balls& y) {
        const double wall = std::max(0.0, -y.a);
        const double between = std::max(0.0, y.a - y.b);
        return Balls{y.va, y.vb, wall - between, between};
    };
    const auto moved = [](const Balls& y, const Balls& d, double h) {
        return Balls{y.a + h * d.a, y.b + h * d.b, y.va + h * d.va, y.vb + h * d.vb};
    };
    Balls y{0.0, 0.0, -1.0, -1.0};
    const double h = 1e-4;
    for (int n = 0; n < 200000; ++n) {
        const Balls k1 = rate(y);
        const Balls k2 = rate(moved(y, k1, 0.5 * h));
        const Balls k3 = rate(moved(y, k2, 0.5 * h));
        const Balls k4 = rate(moved(y, k3, h));
        y = moved(y, k1, h / 6.0);
        y = moved(y, k2, h / 3.0);
        y = moved(y, k3, h / 3.0);
        y = moved(y, k4, h / 6.0);
    }
    const std::vector<double> speeds = speeds_after(problem, resolve_coupled(problem));
    EXPECT_NEAR(speeds[0], y.va, 1e-7);
    EXPECT_NEAR(speeds[1], y.vb, 1e-7);
}

// A pendulum's bob on a hinge: the hinge takes part, so that the bob weighs as much as the rod's
// moment of inertia says, and a ball that hits it at distance a from the hinge leaves as if it had
// hit a mass I/a^2.
TEST(Coupled, HingeHoldsThroughTheImpact) {
    MultiContactProblem problem;
    const double mass = 2.0, half = 0.7, a = 1.1;
    impact::MultiContactBody rod;  // along -z from the hinge at the origin
    rod.inverse_mass = 1.0 / mass;
    const double inertia = mass * half * half / 3.0;
    rod.inverse_inertia = Vec3(1.0 / inertia, 1.0 / inertia, 1.0 / inertia).asDiagonal();
    rod.position = {0, 0, -half};
    problem.bodies.push_back(rod);
    problem.bodies.push_back({});
    problem.bodies.push_back(ball(0.5, 0.1, {-0.1, 0, -a}, {3, 0, 0}));
    problem.contacts.push_back(hinge_of(0, 1, Vec3::Zero()));
    problem.contacts.push_back(
        contact_of(0, 2, {0, 0, -a}, Vec3::UnitX(), LawId::frictionless, 0.6, 0.0));
    const MultiContactSolution solution = resolve_coupled(problem);
    const double seen = (inertia + mass * half * half) / (a * a);
    const double p = 1.6 * 3.0 / (1.0 / seen + 1.0 / 0.5);
    EXPECT_NEAR(solution.impulses_W[1].x(), p, 1e-9);
    EXPECT_NEAR(solution.impulses_W[1].tail<2>().norm(), 0.0, 1e-12);
    // the hinge's own push: momentum of the rod less what the ball gave it
    EXPECT_NEAR(solution.impulses_W[0].x(), p * (mass * half * a / (seen * a * a) - 1.0), 1e-9);
    EXPECT_LT(solution.approach_left, 1e-12);
}

TEST(Coupled, HingesThatHoldTwiceAreNoTrouble) {
    MultiContactProblem problem = chain({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, 1.0);
    // balls 1 and 2 welded by three hinges, one of them too many in most directions
    for (const Vec3& point : {Vec3(3, 0.5, 0), Vec3(3, -0.5, 0.3), Vec3(3, 0, -0.5)})
        problem.contacts.push_back(hinge_of(1, 2, point));
    const std::vector<double> speeds = speeds_after(problem, resolve_coupled(problem));
    EXPECT_NEAR(speeds[0], -1.0 / 3.0, 1e-9);
    EXPECT_NEAR(speeds[1], 2.0 / 3.0, 1e-9);
    EXPECT_NEAR(speeds[2], 2.0 / 3.0, 1e-9);
}

// e = 0 between a ball and a wall while a second ball hits it from behind: nothing comes back.
TEST(Coupled, PlasticContactGivesNothingBack) {
    for (const double power : {1.0, 1.5}) {
        MultiContactProblem problem = chain({1.0, 3.0}, {-1.0, -1.0}, 0.0);
        problem.bodies.push_back({});
        problem.contacts.push_back(
            contact_of(0, 2, {-1, 0, 0}, Vec3::UnitX(), LawId::frictionless, 0.0, 0.0));
        for (MultiContactPoint& contact : problem.contacts)
            contact.power = power;
        const MultiContactSolution solution = resolve_coupled(problem);
        const std::vector<double> speeds = speeds_after(problem, solution);
        EXPECT_NEAR(speeds[0], 0.0, 1e-8);
        EXPECT_NEAR(speeds[1], 0.0, 1e-8);
    }
}

// As e falls to 0 the answer goes to that of e = 0: a plastic contact under load, where the force
// does not fall to nothing.
TEST(Coupled, PlasticIsTheLimitOfSmallRestitution) {
    const auto with = [](double e) {
        MultiContactProblem problem = chain({1.0, 3.0}, {-1.0, -1.0}, 0.8);
        problem.bodies.push_back({});
        problem.contacts.push_back(
            contact_of(0, 2, {-1, 0, 0}, Vec3::UnitX(), LawId::frictionless, e, 0.0));
        for (MultiContactPoint& contact : problem.contacts)
            contact.power = 1.0;
        problem.contacts[1].stiffness = 5.0;
        return speeds_after(problem, resolve_coupled(problem));
    };
    const std::vector<double> plastic = with(0.0);
    double before = 1.0;
    for (const double e : {1e-2, 1e-3, 1e-4}) {
        const std::vector<double> speeds = with(e);
        const double away = std::abs(speeds[0] - plastic[0]) + std::abs(speeds[1] - plastic[1]);
        EXPECT_LT(away, 0.5 * before) << e;
        before = away;
    }
    EXPECT_LT(before, 1e-2);
}

TEST(Coupled, RefusesLawsWithoutForces) {
    MultiContactProblem problem = chain({1.0, 1.0}, {1.0, 0.0}, 1.0);
    problem.contacts[0].law = &impact::law_info(LawId::whittaker);
    try {
        resolve_coupled(problem);
        FAIL() << "no refusal";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("frictionless, routh and compliant"),
                  std::string::npos);
    }
    problem.contacts[0].law = &impact::law_info(LawId::routh);
    problem.contacts[0].parameters.termination = impact::Termination::poisson;
    EXPECT_THROW(resolve_coupled(problem), std::invalid_argument);
    problem.contacts[0].parameters.termination = impact::Termination::stronge;
    EXPECT_NO_THROW(resolve_coupled(problem));
}

TEST(Coupled, NothingHappensWithoutApproach) {
    const MultiContactProblem problem = chain({1.0, 1.0, 1.0}, {-1.0, 0.0, 0.0}, 1.0);
    const MultiContactSolution solution = resolve_coupled(problem);
    for (const Vec3& p : solution.impulses_W)
        EXPECT_EQ(p.norm(), 0.0);
    EXPECT_EQ(solution.rounds, 0);
}

// Bodies that fly together approach by the rounding of their velocities: that is no impact.
TEST(Coupled, RoundingOfFastBodiesIsNoImpact) {
    MultiContactProblem problem = chain({1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}, 0.0);
    problem.bodies[0].v.x() = std::nextafter(1.0, 2.0);
    EXPECT_EQ(resolve_coupled(problem).rounds, 0);
    problem.bodies[0].v.x() = 1.0 + 1e-9;
    EXPECT_GT(resolve_coupled(problem).rounds, 0);
}

// The path: the same bits, time that goes on, impulses that grow at the rate of the force, and
// energies that add up to what the bodies have lost.
TEST(Coupled, TraceTellsThePath) {
    MultiContactProblem problem = chain({1.0, 2.0, 1.0}, {1.0, 0.0, 0.0}, 1.0);
    const double before = kinetic_energy(problem.bodies);
    CoupledTrace trace;
    const MultiContactSolution plain = resolve_coupled(problem);
    const MultiContactSolution traced = resolve_coupled(problem, CoupledSettings{}, trace);
    ASSERT_EQ(trace.contact.size(), 2U);
    ASSERT_GT(trace.samples.size(), 50U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(plain.impulses_W[i], traced.impulses_W[i]);
        EXPECT_EQ(trace.samples.back().contacts[i].impulse_W, plain.impulses_W[i]);
        EXPECT_EQ(trace.samples.back().contacts[i].mode, Mode::separating);
    }
    double last = -1.0;
    for (const CoupledTrace::Sample& sample : trace.samples) {
        EXPECT_GE(sample.time, last);
        last = sample.time;
        std::vector<Vec3> impulses;
        double stored = 0.0;
        for (const auto& contact : sample.contacts) {
            impulses.push_back(contact.impulse_W);
            stored += contact.energy;
            EXPECT_GE(contact.force, 0.0);
        }
        const double kinetic = kinetic_energy(impact::apply_impulses(problem, impulses));
        EXPECT_NEAR(kinetic + stored, before, 1e-9);
    }
}

}  // namespace
}  // namespace carom::tests
