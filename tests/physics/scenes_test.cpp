// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What each scene's `expect` line says, asserted: those with a closed form.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

TEST_P(Scene, Bounce) {
    const Simulated done = run("bounce");
    const auto hits = done.log.of(EventKind::impact);
    ASSERT_EQ(hits.size(), 5U);
    for (std::size_t i = 0; i + 1 < 5; ++i) {
        // heights go with the squares of the times in the air
        const double before = i == 0 ? 2.0 * hits[0].t : hits[i].t - hits[i - 1].t;
        const double after = hits[i + 1].t - hits[i].t;
        EXPECT_NEAR(after * after / (before * before), 0.64, 1e-10) << i;
    }
    balanced(done.world, 1e-9);
}

TEST_P(Scene, RampStick) {
    const Simulated done = run("ramp-stick");
    const BodyId block = done.world.find("block");
    expect_below("creep",
                 (done.world.state(block).position - done.scene.bodies[block].pose.position).norm(),
                 1e-6);
    balanced(done.world, 1e-6);
}

TEST_P(Scene, RampSlide) {
    const Simulated done = run("ramp-slide");
    const BodyId block = done.world.find("block");
    const double angle = 20.0 * pi / 180.0;
    const double exact = 2.0 * k_gravity * (std::sin(angle) - 0.2 * std::cos(angle));
    EXPECT_NEAR(exact, 3.023, 1e-3);
    expect_close("distance",
                 (done.world.state(block).position - done.scene.bodies[block].pose.position).norm(),
                 exact, 1e-3);
    balanced(done.world, 1e-6);
}

TEST_P(Scene, Tumble) {
    const Simulated done = run("tumble");
    const BodyId box = done.world.find("box");
    const motion::State state = done.world.state(box);
    const Vec3 moments = 2.0 / 12.0 * Vec3(0.09 + 0.01, 0.04 + 0.01, 0.04 + 0.09);
    const Vec3 w0(3.0, 0.01, 0.02);
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    const Vec3 L0 = moments.cwiseProduct(w0);
    const Vec3 L = state.orientation * Vec3(moments.cwiseProduct(w));
    expect_below("momentum", (L - L0).norm() / L0.norm(), 1e-12);
    expect_close("energy", w.dot(moments.cwiseProduct(w)), w0.dot(L0), 1e-12);
    balanced(done.world, 1e-9);
}

TEST_P(Scene, Platter) {
    const Simulated done = run("platter");
    const BodyId ball = done.world.find("ball");
    const double radius = 0.525;
    const Vec3 start = done.scene.bodies[ball].pose.position;
    expect_below("after_a_turn",
                 (done.world.state(ball).position - start).head<2>().norm() / radius, 0.01);
    balanced(done.world, 1e-9);
    // half way it is on the other side
    World world = scene::make_world(done.scene);
    world.run(0.5 * done.scene.duration);
    const Vec3 across = world.state(ball).position - start;
    expect_close("diameter", -across.x(), 2.0 * radius, 0.01);
}

// Cue, ball and cloth in one impact; then a parabola, since friction keeps its direction, until the
// ball rolls, on a line.
TEST(Scenes, Masse) {
    const Simulated run = simulate(read_scene("masse", world::ContactMode::lasting));
    const BodyId ball = run.world.find("ball");
    const double radius = 0.028575, mu = 0.2;
    std::vector<Event> hits;
    for (const Event& event : run.log.of(EventKind::impact))
        if (event.a == ball || event.b == ball) hits.push_back(event);
    ASSERT_EQ(hits.size(), 2U);
    EXPECT_EQ(hits[0].t, hits[1].t);
    const double t0 = hits[0].t;
    EXPECT_NEAR(t0, 1e-3, 1e-5);  // a millimetre for each m/s, from where the cue starts
    World world = scene::make_world(run.scene);
    world.run(t0 + 1e-9);
    const motion::State left = world.state(ball);
    expect_below("rise", std::abs(left.velocity.z()), 1e-12);
    const Vec2 start = left.position.head<2>(), v = left.velocity.head<2>();
    const Vec3 w = left.angular_velocity;
    const Vec2 slip = v + radius * Vec2(-w.y(), w.x());
    const Vec2 pull = -mu * k_gravity * slip.normalized();
    const double rolls = slip.norm() / (3.5 * mu * k_gravity);
    EXPECT_LT(rolls, 0.9);
    for (const double part : {0.25, 0.5, 1.0, 1.2}) {
        world.run(t0 + 1e-9 + part * rolls);
        const double sliding = std::min(part, 1.0) * rolls;
        const Vec2 place = start + sliding * v + 0.5 * sliding * sliding * pull +
                           (part * rolls - sliding) * (v + sliding * pull);
        expect_below("way", (world.state(ball).position.head<2>() - place).norm(), 1e-9);
    }
    const Vec2 last = run.world.state(ball).velocity.head<2>();
    const double turned = std::atan2(v.x() * last.y() - v.y() * last.x(), v.dot(last));
    EXPECT_NEAR(turned * 180.0 / pi, 125.0, 1.0);
    // the cue, let go, ends on the cloth in steps of an island: its overlap is not that of flights
    const world::Audit audit = run.world.audit();
    expect_below("energy residual", std::abs(audit.energy_residual) / audit.energy_start, 1e-12);
    expect_below("overlap", audit.max_overlap, 2e-4 * 0.7065);  // of its radius, as steps promise
}

TEST_P(Scene, Superball) {
    const Simulated done = run("superball");
    const BodyId ball = done.world.find("ball");
    const auto hits = done.log.of(EventKind::impact);
    ASSERT_EQ(hits.size(), 3U);
    const BodyId floor = done.world.find("floor");
    const BodyId table = done.world.find("table");
    const BodyId order[] = {floor, table, floor};
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(hits[i].a == order[i] || hits[i].b == order[i]) << i;
    expect_close("speed", done.world.state(ball).velocity.x(), -333.0 / 343.0 * 5.0, 1e-12);
    EXPECT_LT(done.world.state(ball).position.x(), 0.0);
    expect_close("energy", done.world.audit().energy_end, done.world.audit().energy_start, 1e-12);
    balanced(done.world, 1e-9);
}

// W^2 sin a (I_t R cos a - I_a h/2 sin a) / R = m g (R cos a - h/2 sin a); see the scene.
TEST_P(Scene, EulerDisk) {
    const scene::Scene scene = read("euler-disk");
    World world = scene::make_world(scene);
    const BodyId disk = world.find("disk");
    const double R = 0.0375, h = 0.0125, a = pi / 6.0;
    const double It = R * R / 4.0 + h * h / 12.0;
    const double Ia = R * R / 2.0;
    const double W = std::sqrt(k_gravity * (R * std::cos(a) - 0.5 * h * std::sin(a)) * R /
                               (std::sin(a) * (It * R * std::cos(a) - Ia * 0.5 * h * std::sin(a))));
    double turned = 0.0;
    double before = 0.0;
    double farthest = 0.0;
    const int steps = 400;
    for (int i = 1; i <= steps; ++i) {
        world.run(scene.duration * i / steps);
        const Vec3 axis = world.state(disk).orientation * Vec3::UnitZ();
        const double heading = std::atan2(axis.y(), axis.x());
        turned += std::remainder(heading - before, 2.0 * pi);
        before = heading;
        farthest = std::max(farthest, world.state(disk).position.head<2>().norm());
    }
    expect_close("rate", turned / scene.duration, W, 0.02);
    expect_close("tilt", angle_between(world, disk, Vec3::UnitZ(), Vec3::UnitZ()), a, 0.05);
    expect_below("centre", farthest / R, 0.02);
    balanced(world, 1e-3);
}

// The impact that the scene is about, by its law; then the fall.
TEST_P(Scene, Pencil) {
    const Simulated done = run("pencil");
    const BodyId pencil = done.world.find("pencil");
    const auto hits = done.log.of(EventKind::impact);
    ASSERT_GE(hits.size(), 2U);
    const Event& hit = hits[0];
    EXPECT_EQ(hit.law, impact::LawId::compliant);
    const bool is_a = hit.a == pencil;
    const Vec3 u = is_a ? hit.u : Vec3(-hit.u);
    const Vec3 after = is_a ? hit.u_after : Vec3(-hit.u_after);
    EXPECT_LT(u.x(), -3.0);
    EXPECT_GT(after.x(), 2.0);  // turned round
    // energetic restitution: not the kinematic one, since friction and normal are coupled
    EXPECT_GT(after.z(), 0.3 * -u.z());
    // it ends lying down, on its side
    EXPECT_NEAR(angle_between(done.world, pencil, Vec3::UnitZ(), Vec3::UnitZ()), 0.5 * pi, 0.2);
    EXPECT_NEAR(done.world.state(pencil).position.z(), 0.5, 0.02);
    balanced(done.world, 1e-3);
}

// Both rise to e^2 of the height they fell from, the spring's a little less: gravity pulls while it
// is pressed. The contact takes the time, and the spring the way, that the closed form gives.
TEST_P(Scene, ParticleFloor) {
    const Simulated done = run("particle-floor");
    const BodyId impulse = done.world.find("impulse");
    const BodyId spring = done.world.find("spring");
    expect_below("restitution", std::abs(done.log.events[0].restitution - 0.6), 1e-12);
    const auto apex_after = [&](BodyId body, double t) {
        for (const world::Segment& s : done.log.segments) {
            if (s.body != body || !(s.t0 > t) || !(s.state.velocity.z() > 0.0)) continue;
            return s.state.position.z() +
                   s.state.velocity.z() * s.state.velocity.z() / (2.0 * k_gravity);
        }
        return 0.0;
    };
    const double fall = std::sqrt(2.0 / k_gravity);
    EXPECT_NEAR(apex_after(impulse, 0.9 * fall), 0.01 + 0.36, 1e-12);
    EXPECT_NEAR(apex_after(spring, fall * (1.0 + 1e-9)), 0.01 + 0.36, 2e-3);

    // the segments of the spring's first contact: taking hold, letting go
    std::vector<world::Segment> of_spring;
    for (const world::Segment& s : done.log.segments)
        if (s.body == spring) of_spring.push_back(s);
    const double m = 0.01, k = 1e5, c = 11.43848;
    const double b = c / (2.0 * m), w = std::sqrt(k / m - b * b);
    const double contact = (std::numbers::pi - std::atan2(2.0 * b * w, w * w - b * b)) / w;
    ASSERT_GT(of_spring.size(), 2U);
    EXPECT_NEAR(of_spring[1].t0, fall, 1e-12);
    expect_close("time of contact", of_spring[2].t0 - of_spring[1].t0, contact, 5e-3);
    const double v = k_gravity * fall;
    const double deepest = std::atan2(w, b) / w;  // after which it turns round
    const double way = v / w * std::exp(-b * deepest) * std::sin(w * deepest);
    const motion::Motion pressed =
        world::make_motion(done.world.body(spring), of_spring[1], done.world.settings().gravity);
    expect_close("depth", 0.01 - motion::at(pressed, fall + deepest).position.z(), way, 5e-3);
    EXPECT_NEAR(contact, 0.0009, 5e-5);
    EXPECT_NEAR(way, 0.0011, 5e-5);
    balanced(done.world, 1e-9);
}

}  // namespace
}  // namespace carom::tests
