// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/multiple/cone_solver.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/impact/multiple/cone_scenes.h"

namespace carom::tests {
namespace {

using namespace impact;

constexpr double k_g = 9.81;
constexpr double k_dt = 1.0 / 240.0;

// A block of 2 kg on a ramp of the given slope, seen in the ramp's frame, one step after rest.
ConeScene ramp(double slope, double mu) {
    ConeScene scene;
    const Vec3 size(0.4, 0.3, 0.1);
    const double angle = std::atan(slope);
    const Vec3 g(k_g * std::sin(angle), 0.0, -k_g * std::cos(angle));
    scene.bodies.push_back(cone_box(2.0, size, g * k_dt));
    stand_on(scene, 1, 0, size, 0.0, mu);
    return scene;
}

TEST(ConeSolver, BlockSticksOnRamp) {
    ConeScene scene = ramp(0.5, 0.6);
    const Vec3 weight = -2.0 * scene.bodies[1].v;
    const ConeReport report = scene.solve();
    EXPECT_TRUE(report.converged);
    EXPECT_LT(scene.bodies[1].v.norm(), 1e-13);
    EXPECT_LT(scene.bodies[1].w.norm(), 1e-12);
    EXPECT_LT((scene.impulse_sum(1, 0) - weight).norm(), 1e-13);
}

TEST(ConeSolver, BlockSlidesDownRamp) {
    ConeScene scene = ramp(0.5, 0.3);
    const Vec3 before = scene.bodies[1].v;
    const ConeReport report = scene.solve();
    EXPECT_TRUE(report.converged);
    const double angle = std::atan(0.5);
    const double speed = k_g * k_dt * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(scene.bodies[1].v.x(), speed, 1e-15);
    EXPECT_LT(scene.bodies[1].v.tail<2>().norm(), 1e-14);
    EXPECT_LT(scene.bodies[1].w.norm(), 1e-13);
    const Vec3 sum = scene.impulse_sum(1, 0);
    EXPECT_NEAR(sum.z(), -2.0 * before.z(), 1e-14);
    EXPECT_NEAR(sum.x(), -0.3 * sum.z(), 1e-14);
}

// A sphere of radius r and mass m with slip s gets m g dt along the normal; friction stops the slip
// if 2/7 m s is within the cone, else it is mu m g dt against it.
TEST(ConeSolver, SphereSlidesOrRolls) {
    const double radius = 0.1;
    const double mass = 0.5;
    for (const double slip : {0.02, 2.0}) {
        ConeScene scene;
        ConeBody ball;
        ball.inverse_mass = 1.0 / mass;
        ball.inverse_inertia_W = Mat3::Identity() / (0.4 * mass * radius * radius);
        ball.v = Vec3(0.6 * slip, 0.0, -k_g * k_dt);
        ball.w = Vec3(0.0, -0.4 * slip / radius, 3.0);
        scene.bodies.push_back(ball);
        ConeContact c;
        c.a = 1;
        c.r_a = Vec3(0.0, 0.0, -radius);
        c.mu = 0.5;
        scene.contacts.push_back(c);
        ASSERT_TRUE(scene.solve().converged);
        const double normal = mass * k_g * k_dt;
        const double friction = std::min(mass * slip * 2.0 / 7.0, 0.5 * normal);
        EXPECT_LT((scene.contacts[0].impulse - Vec3(-friction, 0.0, normal)).norm(), 1e-15);
        EXPECT_NEAR(scene.bodies[1].v.x(), 0.6 * slip - friction / mass, 1e-14);
        EXPECT_NEAR(scene.bodies[1].w.z(), 3.0, 1e-14);
    }
}

// The body may close its gap and no more.
TEST(ConeSolver, GapMayClose) {
    for (const double gap : {0.0, 1e-4, 1.0}) {
        ConeScene scene = cone_stack(1, 0.5, 1.0, Vec3(0.01, 0, -0.04));
        for (ConeContact& c : scene.contacts)
            c.least = -gap / k_dt;
        ASSERT_TRUE(scene.solve().converged);
        EXPECT_NEAR(scene.bodies[1].v.z(), std::max(-0.04, -gap / k_dt), 3e-14);
        EXPECT_LT(violation(scene), 1e-12);
        EXPECT_EQ(scene.contacts[0].impulse.isZero(0.0), gap == 1.0);
    }
}

TEST(ConeSolver, StackOfTenBoxesCarriesItsWeight) {
    for (const double top : {1.0, 100.0}) {
        ConeScene scene = cone_stack(10, 0.5, top, Vec3(0, 0, -k_g * k_dt));
        const ConeReport report = scene.solve({500, 1e-13});
        EXPECT_TRUE(report.converged) << report.residual;
        for (std::uint32_t i = 1; i <= 10; ++i) {
            const double weight = (10.0 - i + top) * k_g * k_dt;
            EXPECT_LT((scene.impulse_sum(i, i - 1) - Vec3(0, 0, weight)).norm(), 3e-11 * weight);
            EXPECT_LT(scene.bodies[i].v.norm(), 1e-12);
            EXPECT_LT(scene.bodies[i].w.norm(), 1e-11);
        }
        // from there nothing is left to do
        ConeScene next = cone_stack(10, 0.5, top, Vec3(0, 0, -k_g * k_dt));
        for (std::size_t i = 0; i < next.contacts.size(); ++i)
            next.contacts[i].impulse = scene.contacts[i].impulse;
        EXPECT_EQ(next.solve({500, 1e-12}).sweeps, 0);
    }
}

// Every interface of a stack that slides as one is at the edge of its cone without slipping.
TEST(ConeSolver, StackSlidesAsOne) {
    ConeScene scene = cone_stack(3, 0.2, 1.0, Vec3(0.02, 0.0, -0.04));
    const ConeReport report = scene.solve({4000, 1e-12});
    EXPECT_TRUE(report.converged) << report.residual;
    for (std::uint32_t i = 1; i <= 3; ++i)
        EXPECT_LT((scene.bodies[i].v - Vec3(0.012, 0, 0)).norm(), 1e-9);
}

TEST(ConeSolver, RedundantContactsShareTheLoad) {
    ConeScene scene = ramp(0.5, 0.6);
    const std::vector<ConeContact> once = scene.contacts;
    scene.contacts.insert(scene.contacts.end(), once.begin(), once.end());
    ASSERT_TRUE(scene.solve().converged);
    EXPECT_LT(scene.bodies[1].v.norm() + scene.bodies[1].w.norm(), 1e-12);
    EXPECT_LT(violation(scene), 1e-12);
}

// From the answer of one problem to that of another: a contact that has to part, and one more.
TEST(ConeSolver, ResumesWithOtherConditions) {
    ConeSettings sweeps;
    sweeps.most_sweeps = 4000;
    sweeps.tolerance = 1e-12;
    sweeps.newton = false;
    ConeScene first = ramp(0.2, 0.6);
    ConeScene whole = first;
    ConeContact push = first.contacts[0];
    push.normal = Vec3::UnitX();
    push.mu = 0.0;
    push.least = 0.02;
    whole.contacts[1].least = 0.01;
    whole.contacts.push_back(push);
    ConeSolver solver;
    ASSERT_TRUE(solver.solve(whole.bodies, whole.contacts, sweeps).converged);

    solver.solve(first.bodies, first.contacts, sweeps);
    EXPECT_LT(first.bodies[1].v.norm(), 1e-10);
    first.contacts[1].least = 0.01;
    first.contacts.push_back(push);
    const ConeReport report = solver.resume(first.bodies, first.contacts, sweeps);
    EXPECT_EQ(report.newton_steps, 0);
    EXPECT_GT(whole.bodies[1].v.x(), 0.01);
    EXPECT_LT((first.bodies[1].v - whole.bodies[1].v).norm(), 1e-10);
    EXPECT_LT((first.bodies[1].w - whole.bodies[1].w).norm(), 1e-9);

    first.contacts.pop_back();
    EXPECT_THROW(solver.resume(first.bodies, first.contacts, sweeps), std::invalid_argument);
}

// Forty blocks beside each other, one of which has to part faster: the others are not touched.
TEST(ConeSolver, ResumesWhereSomethingIsMissing) {
    constexpr std::uint32_t k_blocks = 40;
    const Vec3 size = Vec3::Constant(0.1);
    ConeScene scene;
    for (std::uint32_t i = 1; i <= k_blocks; ++i) {
        scene.bodies.push_back(cone_box(1.0, size, Vec3(0, 0, -k_g * k_dt)));
        stand_on(scene, i, 0, size, 0.0, 0.5);
    }
    ConeSettings sweeps;
    sweeps.tolerance = 1e-9;
    sweeps.newton = false;
    ConeSolver solver;
    ASSERT_TRUE(solver.solve(scene.bodies, scene.contacts, sweeps).converged);
    const ConeScene before = scene;
    for (ConeContact& c : scene.contacts)
        if (c.a == 7) c.least = 0.02;
    sweeps.local = 1e-7;
    EXPECT_EQ(solver.resume(scene.bodies, scene.contacts, sweeps).sweeps, 0);
    EXPECT_NEAR(scene.bodies[7].v.z(), 0.02, 2.0 * sweeps.local);
    for (std::uint32_t i = 1; i <= k_blocks; ++i) {
        if (i != 7) {
            EXPECT_EQ(scene.bodies[i].v, before.bodies[i].v) << i;
        }
    }
    // where all of them lack something all are swept
    for (ConeContact& c : scene.contacts)
        c.least = 0.03;
    EXPECT_GT(solver.resume(scene.bodies, scene.contacts, sweeps).sweeps, 0);
    for (std::uint32_t i = 1; i <= k_blocks; ++i)
        EXPECT_NEAR(scene.bodies[i].v.z(), 0.03, 1e-8) << i;
}

TEST(ConeSolver, FrictionNoneAndHuge) {
    ConeScene smooth = cone_stack(2, 0.0, 1.0, Vec3(0.3, -0.2, -0.04));
    ASSERT_TRUE(smooth.solve().converged);
    for (std::size_t i = 1; i <= 2; ++i)
        EXPECT_LT((smooth.bodies[i].v - Vec3(0.3, -0.2, 0.0)).norm(), 1e-13);
    for (const ConeContact& c : smooth.contacts)
        EXPECT_EQ(c.impulse.x(), 0.0);

    // the block cannot slip: it tips over its front edge like a hinge
    ConeScene rough = cone_stack(1, 1e8, 1.0, Vec3(1.0, 0.0, -0.01));
    ASSERT_TRUE(rough.solve().converged);
    // angular momentum about the edge: m (v_x + v_z) h/2 = (m h^2/6 + m h^2/2) w
    EXPECT_NEAR(rough.bodies[1].w.y(), 0.05 * 0.99 / (0.01 * 2.0 / 3.0), 1e-10);
    for (const ConeContact& c : rough.contacts)
        EXPECT_TRUE(c.impulse.isZero(0.0) == (c.r_a.x() < 0.0));
}

TEST(ConeSolver, BodiesThatCannotTurn) {
    // not at all, then about one axis only
    for (const double turn : {0.0, 1.0}) {
        ConeScene scene = ramp(1.0, 0.25);
        scene.bodies[1].inverse_inertia_W = Vec3(0.0, 60.0 * turn, 0.0).asDiagonal();
        ASSERT_TRUE(scene.solve().converged);
        const double speed = k_g * k_dt * std::sqrt(0.5) * 0.75;
        EXPECT_LT((scene.bodies[1].v - Vec3(speed, 0, 0)).norm(), 1e-13);
        EXPECT_LT(violation(scene), 1e-12);
    }
    // a wheel on a fixed axle: its contact has two tangents and a normal it cannot move along
    ConeScene wheel;
    wheel.bodies.emplace_back();
    wheel.bodies[1].inverse_inertia_W = Vec3(0.0, 10.0, 0.0).asDiagonal();
    wheel.bodies[1].w = Vec3(0.0, 1.0, 0.0);
    ConeContact c;
    c.a = 1;
    c.r_a = Vec3(0.0, 0.0, -0.1);
    c.mu = 0.5;
    wheel.contacts.push_back(c);
    EXPECT_TRUE(wheel.solve().converged);
    EXPECT_EQ(wheel.bodies[1].w.y(), 1.0);
}

// Two rods in line, hinged at the middle and struck at one end's contact: momentum by hand.
TEST(ConeSolver, HingeHolds) {
    ConeScene scene;
    const Vec3 size(1.0, 0.05, 0.05);
    scene.bodies.push_back(cone_box(1.0, size, Vec3(0, 0, -1)));
    scene.bodies.push_back(cone_box(2.0, size, Vec3(0, 0, -1)));
    ConeContact hinge;
    hinge.a = 2;
    hinge.b = 1;
    hinge.r_a = Vec3(-0.5, 0, 0);
    hinge.r_b = Vec3(0.5, 0, 0);
    hinge.kind = ConeKind::ball_joint;
    ConeContact foot;
    foot.a = 1;
    foot.r_a = Vec3(-0.5, 0, 0);
    scene.contacts = {hinge, foot};
    ASSERT_TRUE(scene.solve().converged);
    // unknown foot f and hinge h (on body 2): v1 = -1 + f - h, v2 = -1 + h/2,
    // w1 = (f + h) / 2 / I1 with I1 = (1 + 0.0025) / 12, w2 = h / 2 / I2 about -y with I2 = 2 I1
    const double I = 1.0025 / 12.0;
    Mat2 A;  // rows: foot velocity = 0, hinge velocity = 0, minus what is there without impulses
    A << 1.0 + 0.25 / I, -1.0 + 0.25 / I, -1.0 + 0.25 / I, 1.0 + 0.25 / I + 0.5 + 0.125 / I;
    const Vec2 p = A.inverse() * Vec2(1.0, 0.0);
    EXPECT_NEAR(scene.contacts[1].impulse.z(), p.x(), 1e-13);
    EXPECT_NEAR(scene.contacts[0].impulse.z(), p.y(), 1e-13);
    EXPECT_LT(velocity_at(scene.bodies, scene.contacts[0]).norm(), 1e-13);
}

// A floor of the normal impulse: more than the weight lifts the block by the difference.
TEST(ConeSolver, FloorActsInAnyCase) {
    ConeScene scene = cone_stack(1, 0.5, 1.0, Vec3(0.0, 0.0, -0.04));
    for (ConeContact& c : scene.contacts)
        c.floor = 0.02;
    ASSERT_TRUE(scene.solve().converged);
    EXPECT_LT((scene.bodies[1].v - Vec3(0, 0, 0.04)).norm(), 1e-14);
    // friction follows the floor: mu 0.5 and 0.08 N s stop up to 0.04 m/s of 0.1
    ConeScene moving = cone_stack(1, 0.5, 1.0, Vec3(0.1, 0.0, -0.04));
    moving.bodies[1].inverse_inertia_W.setZero();
    for (ConeContact& c : moving.contacts)
        c.floor = 0.02;
    ASSERT_TRUE(moving.solve().converged);
    EXPECT_LT((moving.bodies[1].v - Vec3(0.06, 0, 0.04)).norm(), 1e-14);
}

TEST(ConeSolver, BadInputIsRefusedWhole) {
    const auto refused = [](auto spoil) {
        ConeScene scene = cone_stack(2, 0.5, 1.0, Vec3(0, 0, -1));
        spoil(scene);
        EXPECT_THROW(scene.solve(), std::invalid_argument);
        EXPECT_EQ(scene.bodies[1].v, Vec3(0, 0, -1));
        EXPECT_TRUE(scene.contacts[0].impulse.isZero(0.0));
    };
    refused([](ConeScene& s) { s.contacts[3].a = 9; });
    refused([](ConeScene& s) { s.contacts[3].a = s.contacts[3].b; });
    refused([](ConeScene& s) { s.contacts[3].mu = -0.1; });
    refused([](ConeScene& s) { s.contacts[3].mu = std::numeric_limits<double>::infinity(); });
    refused([](ConeScene& s) { s.contacts[3].floor = -1.0; });
    refused([](ConeScene& s) { s.contacts[3].normal *= 1.1; });
    refused([](ConeScene& s) { s.contacts[3].least = std::nan(""); });
    refused([](ConeScene& s) { s.bodies[2].w.x() = std::nan(""); });
}

}  // namespace
}  // namespace carom::tests
