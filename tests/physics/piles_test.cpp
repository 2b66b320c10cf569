// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What each scene's `expect` line says, asserted: those with many bodies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

double moving_energy(const World& world, BodyId id) {
    const world::Body& body = world.body(id);
    motion::State state = world.state(id);
    state.position.setZero();
    return world::energy(body, state, Vec3::Zero());
}

double moving_energy(const World& world) {
    double sum = 0.0;
    for (BodyId id = 0; id < world.body_count(); ++id)
        sum += moving_energy(world, id);
    return sum;
}

// Free bodies whose names begin so.
std::vector<BodyId> named(const World& world, const std::string& start) {
    std::vector<BodyId> ids;
    for (BodyId id = 0; id < world.body_count(); ++id) {
        if (!world.body(id).fixed && world.body(id).name.starts_with(start)) ids.push_back(id);
    }
    return ids;
}

TEST_P(Scene, Coins) {
    const scene::Scene scene = read("coins");
    World world = scene::make_world(scene);
    const double before = moving_energy(world);
    Log log;
    world.run(scene.duration, &log);
    const auto tossed = named(world, "tossed");
    const auto rolled = named(world, "rolled");
    ASSERT_EQ(tossed.size(), 4U);
    ASSERT_EQ(rolled.size(), 4U);
    EXPECT_EQ(std::count_if(world.bodies().begin(), world.bodies().end(),
                            [](const world::Body& body) { return body.fixed; }),
              5);
    for (const BodyId id : named(world, "")) {
        const Vec3 x = world.state(id).position;
        EXPECT_LT(std::max(std::abs(x.x()), std::abs(x.y())), 0.2) << world.body(id).name;
        EXPECT_GT(x.z(), 0.0) << world.body(id).name;
        EXPECT_LT(x.z(), 0.02) << world.body(id).name;
    }
    expect_below("energy_left", moving_energy(world) / before, 3e-3);
    // a rolled coin has rolled before anything else: at 0.1 s it is where rolling takes it, nearly
    World early = scene::make_world(scene);
    early.run(0.1);
    const BodyId first = early.find("rolled-1");
    const double x = early.state(first).position.x() - scene.bodies[first].pose.position.x();
    EXPECT_NEAR(x, 0.05, 0.01);
    balanced(world, 3e-3);
}

TEST_P(Scene, Bowling) {
    const scene::Scene scene = read("bowling");
    World world = scene::make_world(scene);
    const BodyId ball = world.find("ball");
    const double R = 0.108;
    const auto slip = [&] {
        const motion::State s = world.state(ball);
        return Vec3(s.velocity + s.angular_velocity.cross(Vec3(0, 0, -R))).head<2>().norm();
    };
    // slides over the oil, slowed as friction says
    const double slip_0 = slip();
    world.run(1.4);
    ASSERT_LT(world.state(ball).position.x(), 12.0);
    EXPECT_NEAR(slip(), slip_0 - 3.5 * 0.04 * k_gravity * 1.4, 0.01 * slip_0);
    const double to_the_right = world.state(ball).position.y();
    EXPECT_LT(to_the_right, -0.31);
    // rolls before it hits
    world.run(2.25);
    ASSERT_LT(world.state(ball).position.x(), 17.9);
    EXPECT_LT(slip(), 0.01 * slip_0);
    // hooks to the left
    EXPECT_GT(world.state(ball).position.y(), to_the_right + 0.1);
    EXPECT_GT(world.state(ball).velocity.y(), 0.3);
    // strike
    Log log;
    world.run(scene.duration, &log);
    const auto hits = log.of(EventKind::impact);
    const auto first = std::find_if(hits.begin(), hits.end(),
                                    [&](const Event& e) { return e.a == ball || e.b == ball; });
    ASSERT_NE(first, hits.end());
    const auto pins = named(world, "pin");
    ASSERT_EQ(pins.size(), 10U);
    for (const BodyId pin : pins) {
        const bool down = world.state(pin).position.z() < 0.1 ||
                          angle_between(world, pin, Vec3::UnitZ(), Vec3::UnitZ()) > 1.0;
        EXPECT_TRUE(down) << world.body(pin).name << " stands";
        // 162 facets outside: two inner ones at the neck
        std::size_t facets = 0;
        for (const shape::Part& part : world.body(pin).shape->parts)
            facets += shape::polyhedron_of(part.convex)->faces().size();
        EXPECT_EQ(facets, 164U);
    }
    balanced(world, 3e-3);
}

// Pins that lie, lean and roll on each other, on the lane and against the walls, in ten strikes
// that differ by next to nothing: what touches a pin at the instant at which a step of its island
// begins is in that step.
TEST(Scenes, BowlingLastingOverlaps) {
    scene::Scene scene = scene::read_scene(CAROM_SOURCE_DIR "/scenes/bowling.toml");
    scene.settings.contact = world::ContactMode::lasting;
    scene.settings.micro = world::Settings{}.micro;
    const double fall = scene.settings.gravity.z();
    double most = 0.0, radius = 0.0;
    for (int i = 0; i < 10; ++i) {
        scene.settings.gravity.z() = fall * (1.0 + 1e-7 * i);
        World world = scene::make_world(scene);
        world.run(scene.duration);
        most = std::max(most, world.audit().max_overlap);
        radius = world.body(world.find("pin-01")).radius;
    }
    // a step may do 4e-4 wrong; without that step it is above the limit
    expect_below("overlap in radii", most / radius, 1e-3);
}

// One marble into a line of four.
void marbles(const Simulated& run, double loss_of_speed) {
    const auto ids = named(run.world, "marble");
    ASSERT_EQ(ids.size(), 5U);
    // those left behind are slow, and facets may lead them past each other
    for (std::size_t i = 0; i < 4; ++i) {
        const double ahead = run.world.state(ids[4]).position.x();
        EXPECT_GT(ahead, run.world.state(ids[i]).position.x()) << i;
    }
    // facets may lead it aside
    const double gap = (run.world.state(ids[4]).position - run.world.state(ids[3]).position).norm();
    const double between =
        run.world.state(ids[3]).position.x() - run.world.state(ids[0]).position.x();
    EXPECT_GT(gap, 3.0 * between);
    const double last = run.world.state(ids[4]).velocity.norm();
    EXPECT_GT(last, loss_of_speed * 0.5);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(run.world.state(ids[i]).velocity.norm(), last / 3.0);
}

TEST_P(Scene, Marbles) {
    // for two seconds: then the facets have taken most of the speed, and lead the marbles anywhere
    scene::Scene scene = read("marbles");
    scene.duration = 2.0;
    const Simulated done = simulate(std::move(scene));
    marbles(done, 0.1);
    const auto& part = done.world.body(done.world.find("marble-1")).shape->parts.at(0);
    EXPECT_EQ(shape::polyhedron_of(part.convex)->faces().size(), 5000U);
    balanced(done.world, 1e-3);
}

TEST_P(Scene, MarblesSpheres) {
    const Simulated done = run("marbles-spheres");
    marbles(done, 0.5);
    balanced(done.world, 1e-3);
}

TEST_P(Scene, Dominoes) {
    const Simulated done = run("dominoes", 0.02);
    const auto ids = named(done.world, "domino");
    ASSERT_EQ(ids.size(), 20U);
    for (const BodyId id : ids) {
        EXPECT_GT(angle_between(done.world, id, Vec3::UnitZ(), Vec3::UnitZ()), 0.25 * pi)
            << done.world.body(id).name;
    }
    // one after the other
    double t = 0.0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        const auto hits = done.log.between(ids[i], ids[i + 1], EventKind::impact);
        ASSERT_FALSE(hits.empty()) << i;
        EXPECT_GT(hits[0].t, t) << i;
        t = hits[0].t;
    }
    balanced(done.world, 1e-2);
}

// So many that those which lean on each other are a pile, and those that still stand sleep: a push
// of a tenth of its weight topples a domino.
TEST(Scenes, DominoesOfAnyNumberAllFall) {
    scene::Scene scene = scene::read_scene(CAROM_SOURCE_DIR "/scenes/dominoes.toml");
    ASSERT_EQ(scene.settings.contact, world::ContactMode::lasting);
    for (int i = 21; i <= 60; ++i) {
        auto next = scene.bodies.back();
        next.name = "domino-" + std::to_string(i);
        next.pose.position.x() += 0.02;
        scene.bodies.push_back(next);
    }
    World world = scene::make_world(scene);
    world.run(3.0);
    const auto row = named(world, "domino");
    ASSERT_EQ(row.size(), 60U);
    for (const BodyId id : row)
        EXPECT_GT(angle_between(world, id, Vec3::UnitZ(), Vec3::UnitZ()), 0.5) << id;
}

TEST_P(Scene, Dice) {
    const Simulated done = run("dice");
    const auto ids = named(done.world, "die");
    ASSERT_EQ(ids.size(), 5U);
    for (const BodyId id : ids) {
        EXPECT_TRUE(done.world.asleep(id)) << done.world.body(id).name;
        EXPECT_NEAR(done.world.state(id).position.z(), 0.008, 1e-5) << done.world.body(id).name;
        const Mat3 R = done.world.state(id).orientation.toRotationMatrix();
        EXPECT_NEAR(R.row(2).cwiseAbs().maxCoeff(), 1.0, 1e-5) << "not on a face";
    }
    EXPECT_GT(done.log.of(EventKind::impact).size(), 50U);
    balanced(done.world, 1e-3);
}

TEST_P(Scene, PoolBreak) {
    const Simulated done = run("pool-break");
    const auto ids = named(done.world, "ball");
    ASSERT_EQ(ids.size(), 15U);
    for (const BodyId id : named(done.world, "")) {
        const Vec3 x = done.world.state(id).position;
        EXPECT_GT((x - done.scene.bodies[id].pose.position).norm(), 0.01)
            << done.world.body(id).name;
        EXPECT_LT(std::abs(x.x()), 1.27) << done.world.body(id).name;
        EXPECT_LT(std::abs(x.y()), 0.635) << done.world.body(id).name;
        EXPECT_LT(done.world.state(id).velocity.norm(), 8.0);
    }
    EXPECT_LT(done.world.audit().energy_end, 0.5 * done.world.audit().energy_start);
    balanced(done.world, 1e-4);
}

// Pressure of hard spheres (Carnahan and Starling 1969): Z = (1 + f + f^2 - f^3) / (1 - f)^3, the
// centres having the volume that the walls leave them.
TEST_P(Scene, Gas) {
    const Simulated done = run("gas");
    const auto atoms = named(done.world, "atom");
    ASSERT_EQ(atoms.size(), 1000U);
    const world::Audit audit = done.world.audit();
    expect_close("energy", audit.energy_end, audit.energy_start, 1e-12);
    double pushed = 0.0;
    for (const Event& event : done.log.events) {
        if (done.world.body(event.a).fixed || done.world.body(event.b).fixed)
            pushed += event.impulse.norm();
    }
    const double side = 1.0, r = 0.03, m = 0.001;
    const double f = 1000.0 * 4.0 / 3.0 * pi * r * r * r / std::pow(side, 3);
    const double Z = (1.0 + f + f * f - f * f * f) / std::pow(1.0 - f, 3);
    const double ideal = 1000.0 * m / 3.0 / std::pow(side, 3);  // N m <v^2> / 3 V
    const double pressure = pushed / done.scene.duration / (6.0 * side * side);
    // a box of ten diameters: the layer at the walls counts
    expect_close("pressure", pressure, Z * ideal, 0.15);
    balanced(done.world, 1e-9);
}

// A scene without a test would be a promise without a check.
TEST(Scenes, EachHasATest) {
    const std::set<std::string> tested{
        "bounce",  "bowling",    "coins",           "dice",       "dominoes",       "euler-disk",
        "gas",     "marbles",    "marbles-spheres", "masse",      "particle-floor", "pencil",
        "platter", "pool-break", "ramp-slide",      "ramp-stick", "superball",      "tumble"};
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(CAROM_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() == ".toml") found.insert(entry.path().stem().string());
    }
    EXPECT_EQ(found, tested);
}

}  // namespace
}  // namespace carom::tests
