// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Impacts in a world do what their laws say.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "carom/scene/scene.h"
#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

// Five marbles in a line, 1e-6 m apart: all the speed goes to the last.
void marbles_in_line(const world::Settings& s, bool with_floor) {
    const double R = 0.01, gap = 1e-6, v = 1.0;
    World world(s, contacts(1.0, 0.0));
    std::array<BodyId, 5> ids{};
    for (std::size_t i = 0; i < 5; ++i) {
        const double x = i == 0 ? -0.05 : (2.0 * R + gap) * (static_cast<double>(i) - 1.0);
        ids[i] = add_ball(world, ("marble-" + std::to_string(i)).c_str(), R, {x, 0, R},
                          {i == 0 ? v : 0.0, 0, 0}, 0.02);
    }
    if (with_floor) add_floor(world);
    Log log;
    world.run(0.1, &log);
    for (std::size_t i = 0; i < 5; ++i) {
        const double exact = i == 4 ? v : 0.0;
        expect_below(("speed_" + std::to_string(i + 1)).c_str(),
                     world.state(ids[i]).velocity.x() - exact, 1e-9 * v);
    }
    for (std::size_t i = 0; i + 1 < 5; ++i)
        EXPECT_EQ(log.between(ids[i], ids[i + 1], EventKind::impact).size(), 1U) << i;
    expect_balanced(world);
}

TEST(Impact, MarblesInLine) {
    marbles_in_line(weightless(), false);
}

TEST(Impact, MarblesInLineOnAFloor) {
    marbles_in_line(settings(), true);
}

// A superball: with the bilinear law a bounce that sticks turns the slip round by et,
//     u_t' = -et u_t,  p_t = -(1 + et) u_t / K_t,  K_t = 7 / 2 m for a sphere.
TEST(Impact, SuperballTurnsTheSlipRound) {
    const double m = 0.05, R = 0.025, e = 0.9, et = 0.7;
    world::Contacts rules;
    rules.set("*", "*", impact::law::bilinear({.e = e, .et = et, .mu = 2.0}));
    World world(settings(), rules);
    const BodyId ball = world.add({.name = "ball",
                                   .shape = shared(shape::make_sphere(R)),
                                   .pose = at({0, 0, 0.5}),
                                   .velocity = {3, -1, -4},
                                   .angular_velocity = {10, 20, 5},
                                   .mass = m});
    add_floor(world);
    Log log;
    world.run(0.2, &log);
    ASSERT_EQ(log.events.size(), 1U);
    const Event& hit = log.events[0];
    EXPECT_EQ(hit.law, impact::LawId::bilinear);
    // the slip before: v + w x r, r = (0, 0, -R)
    const Vec3 before(3.0 - R * 20.0, -1.0 + R * 10.0, 0.0);
    expect_close("slip_before", hit.u.head<2>().norm(), before.norm(), 1e-12);
    expect_below("slip_x", hit.u_after.x() + et * before.x(), 1e-12 * before.norm());
    expect_below("slip_y", hit.u_after.y() + et * before.y(), 1e-12 * before.norm());
    expect_close("rebound", hit.u_after.z(), -e * hit.u.z(), 1e-12);
    const Vec3 p_t = -(1.0 + et) * before * m / 3.5;
    const Vec3 v = world.state(ball).velocity;
    expect_close("v_x", v.x(), 3.0 + p_t.x() / m, 1e-12);
    expect_close("v_y", v.y(), -1.0 + p_t.y() / m, 1e-12);
    // spin: I dw = r x p, I = 2 m R^2 / 5
    const Vec3 w = Vec3(10, 20, 5) + Vec3(0, 0, -R).cross(p_t) / (0.4 * m * R * R);
    expect_below("spin", (world.state(ball).angular_velocity - w).norm() / w.norm(), 1e-12);
    expect_balanced(world);
}

// Every law that fits, on the same throw: what the world does is what the law says.
TEST(Impact, EveryLawIsUsedAsItIs) {
    for (const char* name :
         {"frictionless", "routh", "planar", "whittaker", "smith", "anitescu-potra"}) {
        SCOPED_TRACE(name);
        World world(settings(), contacts(0.6, 0.2, name));
        const BodyId box = world.add({.name = "box",
                                      .shape = shared(shape::make_box({0.2, 0.2, 0.1})),
                                      .pose = at({0, 0, 0.3}, Vec3::UnitY(), 0.5),
                                      .velocity = {1.5, 0, -2},
                                      .angular_velocity = {0, 3, 0},
                                      .mass = 1.3});
        add_floor(world);
        Log log;
        world.run(0.15, &log);
        ASSERT_GE(log.events.size(), 1U);
        const Event& hit = log.events[0];
        EXPECT_EQ(impact::law_info(hit.law).name, name);
        // the same impact, by hand
        const world::Body& body = world.body(box);
        impact::BodyPair pair;
        pair.normal = Vec3::UnitZ();
        const double t = hit.t;
        const motion::Motion flight = world::make_motion(
            body, {0.0, box, world::SegmentKind::flight, body.first}, world.settings().gravity);
        const motion::State state = motion::at(flight, t);
        const Mat3 R = state.orientation.toRotationMatrix();
        pair.A.r = hit.point - state.position;
        pair.A.v = state.velocity;
        pair.A.w = state.angular_velocity;
        pair.A.inverse_mass = 1.0 / 1.3;
        pair.A.inverse_inertia = R * body.inverse_inertia * R.transpose();
        const impact::FramedContact framed = impact::make_contact(pair);
        const impact::Outcome outcome = impact::resolve(impact::law_info(hit.law), framed.contact,
                                                        world.contacts().find(0, 0)->parameters);
        ASSERT_EQ(outcome.refusal, nullptr);
        const Vec3 p = framed.R_CW.transpose() * outcome.solution.p;
        EXPECT_LE((p - hit.impulse).norm(), 1e-11 * p.norm());
        expect_balanced(world);
    }
}

// Laws for balls on a box: the world says who, when and why, and does nothing wrong before.
TEST(Impact, LawsForBallsRefuseABox) {
    const auto run_with = [](const impact::LawChoice& law) -> std::string {
        world::Contacts rules;
        rules.set("*", "*", law);
        World world(settings(), rules);
        world.add({.name = "box",
                   .shape = shared(shape::make_box({0.2, 0.2, 0.1})),
                   .pose = at({0, 0, 0.3}, Vec3::UnitY(), 0.5),
                   .velocity = {1.5, 0, -2},
                   .angular_velocity = {0, 3, 0},
                   .mass = 1.3});
        add_floor(world);
        try {
            world.run(0.5);
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(world.tally().impacts, 0U);
            return error.what();
        }
        return "no refusal";
    };
    const std::string particle = run_with(impact::law::particle({.e = 0.6, .mu = 0.2}));
    const std::string bilinear = run_with(impact::law::bilinear({.e = 0.6, .et = 0.1, .mu = 0.2}));
    for (const std::string& message : {particle, bilinear}) {
        for (const char* part : {"at 0.08", "needs K with the normal", "'box'", "'floor'"})
            EXPECT_NE(message.find(part), std::string::npos) << message;
    }
    EXPECT_NE(particle.find("law 'particle'"), std::string::npos) << particle;
}

// The same from a scene file, which cannot know before it runs how the box will land.
TEST(Impact, ASceneWithALawForBallsEndsAtTheBox) {
    const scene::Scene scene = scene::read_scene_text(
        "[simulation]\nduration = 1\n[[contact]]\nlaw = 'particle'\ne = 0.6\nmu = 0.3\n"
        "[[body]]\nname = 'floor'\nshape = { type = 'plane' }\nfixed = true\n"
        "[[body]]\nname = 'brick'\nshape = { type = 'box', size = [0.2, 0.1, 0.06] }\nmass = 2\n"
        "position = [0, 0, 1]\nangular_velocity = [1, 2, 3]\nvelocity = [1, 0, 0]\n",
        "brick");
    World world = scene::make_world(scene);
    try {
        world.run(scene.duration);
        FAIL() << "no refusal";
    } catch (const std::runtime_error& error) {
        const std::string message = error.what();
        for (const char* part : {"law 'particle'", "eigenvectors", "'brick'", "'floor'"})
            EXPECT_NE(message.find(part), std::string::npos) << message;
    }
}

// Two balls, off centre and without friction, against the textbook.
TEST(Impact, ObliqueBalls) {
    const double R = 0.03, m1 = 0.1, m2 = 0.25, e = 0.8, b = 0.02;
    World world(weightless(), contacts(e, 0.0));
    const BodyId one = add_ball(world, "one", R, {-0.2, b, 0}, {2, 0, 0}, m1);
    const BodyId two = add_ball(world, "two", R, {0, 0, 0}, {0, 0, 0}, m2);
    Log log;
    world.run(0.3, &log);
    ASSERT_EQ(log.events.size(), 1U);
    const double along = std::sqrt(4.0 * R * R - b * b);
    expect_close("impact_time", log.events[0].t, (0.2 - along) / 2.0, 1e-12);
    const Vec3 n = Vec3(-along, b, 0) / (2.0 * R);
    const double p = -(1.0 + e) * Vec3(2, 0, 0).dot(n) / (1.0 / m1 + 1.0 / m2);
    expect_below("first", (world.state(one).velocity - (Vec3(2, 0, 0) + p / m1 * n)).norm(), 2e-12);
    expect_below("second", (world.state(two).velocity + p / m2 * n).norm(), 2e-12);
    expect_balanced(world);
}

}  // namespace
}  // namespace carom::tests
