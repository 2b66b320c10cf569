// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/multiple/simultaneous.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "carom/impact/anitescu_potra.h"
#include "carom/impact/pfeiffer_glocker.h"
#include "carom/impact/whittaker.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

namespace carom::tests {
namespace {

using namespace impact;

constexpr auto k_newton = SimultaneousRestitution::newton;
constexpr auto k_poisson = SimultaneousRestitution::poisson;

SimultaneousSettings with(SimultaneousRestitution restitution) {
    SimultaneousSettings settings;
    settings.restitution = restitution;
    return settings;
}

void expect_speeds(const MultiContactProblem& problem, SimultaneousRestitution restitution,
                   const std::vector<double>& expected) {
    const std::vector<double> got =
        speeds_after(problem, resolve_simultaneous(problem, with(restitution)));
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], 1e-12) << "ball " << i;
}

// Newton: v2 - v1 = e and all others move as one; momentum gives v1 = (1 - 4 e) / 5. Poisson's
// compression ends at 1/5 for all, its expansion repeats e of it: the same.
TEST(Simultaneous, FiveTouchingBalls) {
    for (const double e : {0.0, 0.5, 1.0}) {
        const double first = (1.0 - 4.0 * e) / 5.0;
        const std::vector<double> expected{first, first + e, first + e, first + e, first + e};
        expect_speeds(chain({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, e), k_newton, expected);
        expect_speeds(chain({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, e), k_poisson, expected);
    }
}

// Two balls meet a third from both sides: symmetric, both restitutions mirror them at e = 1.
TEST(Simultaneous, SymmetricSqueeze) {
    for (const auto restitution : {k_newton, k_poisson}) {
        expect_speeds(chain({2, 1, 2}, {1, 0, -1}, 1.0), restitution, {-1, 0, 1});
        expect_speeds(chain({2, 1, 2}, {1, 0, -1}, 0.5), restitution, {-0.5, 0, 0.5});
    }
}

// A problem of one contact and its K in the contact frame.
struct OneContact {
    MultiContactProblem problem;
    FramedContact framed;
};

OneContact one_contact(Random& random, double e, double mu) {
    BodyPair pair = random_pair(random);
    FramedContact framed = make_contact(pair);
    if (framed.contact.u.z() > 0.0) {
        for (BodyState* state : {&pair.A, &pair.B}) {
            state->v = -state->v;
            state->w = -state->w;
        }
        framed = make_contact(pair);
    }
    // half of them nearly grazing, where Newton's restitution can gain energy
    if (random.uniform() < 0.5) {
        pair.A.v -= 0.95 * framed.contact.u.z() * pair.normal;
        framed = make_contact(pair);
    }
    OneContact out{{}, framed};
    for (const BodyState& state : {pair.A, pair.B}) {
        MultiContactBody body;
        body.inverse_mass = state.inverse_mass;
        body.inverse_inertia = state.inverse_inertia;
        body.position = -state.r;
        body.v = state.v;
        body.w = state.w;
        out.problem.bodies.push_back(body);
    }
    out.problem.contacts.push_back(
        contact_of(0, 1, Vec3::Zero(), pair.normal, LawId::routh, e, mu));
    return out;
}

TEST(Simultaneous, OneContactIsWhittakerUnlessThatGainsEnergy) {
    Random random(5301);
    int lowered = 0;
    for (int i = 0; i < 2000; ++i) {
        const double e = random.uniform() < 0.5 ? 1.0 : random.uniform();
        const double mu = random.uniform(0.0, 1.0);
        const OneContact one = one_contact(random, e, mu);
        const Vec3 expected = whittaker(one.framed.contact, {e, mu}).p;
        SimultaneousReport report;
        const MultiContactSolution solution =
            resolve_simultaneous(one.problem, with(k_newton), &report);
        const Vec3 p = one.framed.R_CW * solution.impulses_W[0];
        if (energy_change(one.framed.contact, expected) > 0.0) {
            ++lowered;
            EXPECT_LT(report.restitution, 1.0);
            EXPECT_LT(std::abs(energy_lost(one.problem, solution.impulses_W)), 1e-10);
            continue;
        }
        EXPECT_EQ(report.restitution, 1.0);
        EXPECT_LT((p - expected).norm(), 1e-9 * expected.norm()) << i << " mu " << mu;
    }
    EXPECT_GT(lowered, 0);
}

TEST(Simultaneous, OneContactIsAnitescuPotra) {
    Random random(5302);
    for (int i = 0; i < 400; ++i) {
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.0);
        const OneContact one = one_contact(random, e, mu);
        const Vec3 expected = anitescu_potra(one.framed.contact, {e, mu}).p;
        SimultaneousReport report;
        const MultiContactSolution solution =
            resolve_simultaneous(one.problem, with(k_poisson), &report);
        const Vec3 p = one.framed.R_CW * solution.impulses_W[0];
        EXPECT_EQ(report.restitution, 1.0);
        EXPECT_LT((p - expected).norm(), 1e-9 * expected.norm()) << i << " mu " << mu;
    }
}

// A rod that falls on its end, in the plane: as the plane two-stage law without tangential
// restitution.
TEST(Simultaneous, OnePlaneContactIsPfeifferGlocker) {
    Random random(5303);
    for (int i = 0; i < 200; ++i) {
        const double angle = random.uniform(0.1, 1.5);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.0);
        MultiContactProblem problem;
        problem.bodies.resize(2);
        MultiContactBody& rod = problem.bodies[0];
        rod.inverse_mass = 1.0;
        rod.inverse_inertia = 12.0 * Mat3::Identity();
        rod.position = Vec3(0.5 * std::cos(angle), 0.0, 0.5 * std::sin(angle));
        rod.v = Vec3(random.normal(), 0.0, -1.0 - random.uniform());
        problem.contacts.push_back(
            contact_of(0, 1, Vec3::Zero(), Vec3::UnitZ(), LawId::routh, e, mu));
        const Vec3 r = -rod.position;
        const PlaneContact plane{1.0 + 12.0 * r.z() * r.z(), -12.0 * r.x() * r.z(),
                                 1.0 + 12.0 * r.x() * r.x(), rod.v.x(), rod.v.z()};
        const Vec3 expected = pfeiffer_glocker(plane, {e, mu, 0.0, 0.0}).p;
        const MultiContactSolution solution = resolve_simultaneous(problem, with(k_poisson));
        EXPECT_LT((solution.impulses_W[0] - expected).norm(), 1e-9 * expected.norm()) << i;
    }
}

// A box dropped flat on its four corners rebounds flat, by either restitution.
TEST(Simultaneous, BoxDroppedFlat) {
    for (const auto restitution : {k_newton, k_poisson}) {
        MultiContactProblem problem;
        problem.bodies.resize(2);
        MultiContactBody& box = problem.bodies[0];
        box.inverse_mass = 0.5;
        box.inverse_inertia = Vec3(3.0, 4.0, 5.0).asDiagonal();
        box.position = Vec3(0, 0, 0.1);
        box.v = Vec3(0, 0, -2);
        for (const double x : {-0.3, 0.3}) {
            for (const double y : {-0.2, 0.2}) {
                problem.contacts.push_back(
                    contact_of(0, 1, {x, y, 0}, Vec3::UnitZ(), LawId::routh, 0.6, 0.4));
            }
        }
        const MultiContactSolution solution = resolve_simultaneous(problem, with(restitution));
        const MultiContactBody after = apply_impulses(problem, solution.impulses_W)[0];
        EXPECT_LT((after.v - Vec3(0, 0, 1.2)).norm(), 1e-11);
        EXPECT_LT(after.w.norm(), 1e-11);
    }
}

// Kane's paradox: a double pendulum that hits the ground gains energy by Newton's rule with
// friction; here it may not, and the answer lies in the cone.
TEST(Simultaneous, KanesParadoxIsDrawnBack) {
    MultiContactProblem problem;
    problem.bodies.resize(3);
    const double down[2] = {20.0 * 0.017453292519943295, 30.0 * 0.017453292519943295};
    const double spin[2] = {0.1, 0.2};
    Vec3 top(0, 0, 0);
    Vec3 v = Vec3::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3 along(std::sin(down[i]), 0.0, -std::cos(down[i]));
        const Vec3 w(0.0, spin[i], 0.0);
        MultiContactBody& rod = problem.bodies[i + 1];
        rod.inverse_mass = 1.0;
        rod.inverse_inertia = 12.0 * Mat3::Identity();
        rod.position = top + 0.5 * along;
        rod.w = w;
        rod.v = v + w.cross(0.5 * along);
        problem.contacts.push_back(
            hinge_of(static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(i), top));
        v += w.cross(along);
        top += along;
    }
    ASSERT_LT(v.z(), 0.0);
    double least = 1.0;
    for (const double mu : {0.0, 0.5, 0.7}) {
        for (const double e : {0.5, 0.7, 1.0}) {
            MultiContactProblem hit = problem;
            hit.contacts.push_back(contact_of(2, 0, top, Vec3::UnitZ(), LawId::routh, e, mu));
            SimultaneousReport report;
            const MultiContactSolution solution =
                resolve_simultaneous(hit, with(k_newton), &report);
            EXPECT_GE(energy_lost(hit, solution.impulses_W), -1e-14);
            EXPECT_LT(solution.approach_left, 1e-12);
            const Vec3 p = solution.impulses_W[2];
            EXPECT_LE(std::hypot(p.x(), p.y()), mu * p.z() + 1e-14);
            least = std::min(least, report.restitution);
            const std::vector<MultiContactBody> after = apply_impulses(hit, solution.impulses_W);
            const double u_z = contact_velocity(after, hit.contacts[2]).z();
            EXPECT_NEAR(u_z, -report.restitution * e * v.z(), 1e-12);
        }
    }
    EXPECT_LT(least, 1.0);
}

// Newton's conditions against each other: a ball between two walls that close in.
TEST(Simultaneous, ContradictionIsResolvedPlastically) {
    MultiContactProblem problem = chain({1, 1, 1}, {1, 0, -1}, 1.0);
    for (const std::size_t wall : {0U, 2U}) {
        problem.bodies[wall].inverse_mass = 0.0;
        problem.bodies[wall].inverse_inertia.setZero();
    }
    problem.bodies[0].v.setZero();
    problem.bodies[2].v.setZero();
    problem.bodies[1].v = Vec3(0.5, 0, 0);
    SimultaneousReport report;
    const MultiContactSolution solution = resolve_simultaneous(problem, with(k_newton), &report);
    // approaching the right wall, leaving the left one: it must not fly through that either
    EXPECT_LT(solution.approach_left, 1e-12);
    EXPECT_GE(energy_lost(problem, solution.impulses_W), 0.0);
    EXPECT_NEAR(apply_impulses(problem, solution.impulses_W)[1].v.norm(), 0.0, 1e-12);
}

TEST(Simultaneous, RandomGraphsNeverGainEnergyAndDoNotApproach) {
    Random random(5304);
    int unsolved = 0;
    for (int i = 0; i < 60; ++i) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 30, [&](MultiContactPoint& c, Random& r) {
                const MultiContactPoint drawn =
                    r.uniform() < 0.1 ? hinge_of(c.a, c.b, c.point)
                                      : contact_of(c.a, c.b, c.point, c.normal, LawId::routh,
                                                   r.uniform(), r.uniform(0.0, 0.3));
                c = drawn;
            });
        for (const auto restitution : {k_newton, k_poisson}) {
            SimultaneousSettings settings = with(restitution);
            settings.most_sweeps = 1000;
            SimultaneousReport report;
            const MultiContactSolution solution = resolve_simultaneous(problem, settings, &report);
            const std::vector<MultiContactBody> after =
                apply_impulses(problem, solution.impulses_W);
            EXPECT_GE(energy_lost(problem, solution.impulses_W), -1e-11) << show(problem);
            EXPECT_NEAR(largest_residual(after, problem.contacts), solution.approach_left, 1e-12);
            unsolved += !report.converged;
            if (report.converged) {
                EXPECT_LT(solution.approach_left, 1e-9) << i << show(problem);
            }
            for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
                const MultiContactPoint& c = problem.contacts[k];
                if (c.kind == ContactKind::ball_joint) continue;
                const Vec3& p = solution.impulses_W[k];
                const double p_z = p.dot(c.normal);
                const double rounding = 1e-12 * p.norm();
                EXPECT_GE(p_z, -rounding);
                EXPECT_LE((p - p_z * c.normal).norm(), *c.parameters.mu * p_z + rounding);
            }
        }
    }
    EXPECT_LE(unsolved, 4);
}

TEST(Simultaneous, RefusesLawsWithoutRestitution) {
    MultiContactProblem problem = chain({1, 1}, {1, 0}, 0.5);
    for (const LawId id : {LawId::brach, LawId::region_projected}) {
        problem.contacts[0].law = &law_info(id);
        EXPECT_THROW(resolve_simultaneous(problem), std::invalid_argument);
    }
    SimultaneousSettings settings;
    settings.tolerance = -1.0;
    EXPECT_THROW(resolve_simultaneous(chain({1, 1}, {1, 0}, 0.5), settings), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
