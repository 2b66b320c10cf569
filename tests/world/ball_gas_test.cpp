// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What must hold for gases of many balls, where no single path can be foretold.

#include <gtest/gtest.h>

#include "carom/world/gas/ball_engine.h"
#include "tests/world/ball_scenes.h"

namespace carom::world {
namespace {

using tests::BallRun;
using tests::BallScene;
using tests::frictionless_law;
using tests::gas;
using tests::Random;

double energy_of(const BallScene& scene, const BallRun& run) {
    Sum sum;
    for (BodyId i = 0; i < scene.bodies.size(); ++i)
        sum.add(energy(scene.bodies[i], run.engine.state(i), Vec3::Zero()));
    return sum.value();
}

Vec3 momentum_of(const BallScene& scene, const BallRun& run) {
    Vec3 sum = Vec3::Zero();
    for (BodyId i = 0; i < scene.bodies.size(); ++i)
        sum += scene.bodies[i].mass * run.engine.state(i).velocity;
    return sum;
}

double deepest_overlap(const BallScene& scene, const BallRun& run) {
    double deepest = 0.0;
    std::vector<Vec3> at;
    for (BodyId i = 0; i < scene.bodies.size(); ++i)
        at.push_back(run.engine.state(i).position);
    for (std::size_t i = 0; i < at.size(); ++i) {
        for (std::size_t j = i + 1; j < at.size(); ++j) {
            const Body& a = scene.bodies[i];
            const Body& b = scene.bodies[j];
            if (a.fixed) continue;
            const double gap = b.fixed ? std::get<shape::HalfSpace>(b.shape->parts[0].convex)
                                                 .normal.dot(at[i] - at[j]) -
                                             a.radius
                                       : (at[i] - at[j]).norm() - a.radius - b.radius;
            deepest = std::max(deepest, -gap);
        }
    }
    return deepest;
}

TEST(BallGas, KeepsItsEnergyThroughAMillionImpacts) {
    const auto [scene, width] = gas(1000, 0.3, frictionless_law(1.0), 21);
    BallRun run(scene);
    const double before = energy_of(scene, run);
    const Vec3 start = momentum_of(scene, run);
    while (run.tally.impacts < 1'000'000)
        run.engine.run(run.engine.time() + 1.0, nullptr);
    EXPECT_LT(std::abs(energy_of(scene, run) / before - 1.0), 1e-12);
    EXPECT_EQ(run.tally.energy_lost.value(), 0.0);
    EXPECT_EQ(run.tally.energy_gained.value(), 0.0);
    Vec3 given;
    for (int k = 0; k < 3; ++k)
        given[k] = run.tally.given[k].value();
    EXPECT_LT((momentum_of(scene, run) - start - given).norm(), 1e-12 * run.tally.pushed.value());
    EXPECT_LT(run.tally.overlap.depth, 1e-12);
}

TEST(BallGas, NeverOverlaps) {
    const auto [scene, width] = gas(500, 0.4, frictionless_law(1.0), 22);
    BallRun run(scene);
    for (int k = 1; k <= 100; ++k) {
        run.engine.run(0.13 * k, nullptr);
        ASSERT_LT(deepest_overlap(scene, run), 1e-12) << run.engine.time();
    }
    EXPECT_GT(run.tally.impacts, 30'000U);
}

// A few large balls among many small ones.
TEST(BallGas, NeverOverlapsWithSizesOneToTen) {
    BallScene scene(frictionless_law(0.999));
    Random random(23);
    const double width = 8.0;
    for (const Vec3& at : tests::lattice(13, 1.1, width - 1.1))
        scene.add_ball(1.0, 1000.0, at, 0.03 * random.normal3());
    for (const Vec3& at : tests::lattice(2000, 0.1, width - 0.1)) {
        bool free = true;
        for (const Body& other : scene.bodies)
            free = free && (other.first.position - at).norm() > other.radius + 0.1;
        if (free) scene.add_ball(0.1, 1.0, at, random.normal3());
    }
    scene.add_box(width);
    ASSERT_GT(scene.bodies.size(), 1000U);
    BallRun run(scene);
    for (int k = 1; k <= 20; ++k) {
        run.engine.run(0.5 * k, nullptr);
        ASSERT_LT(deepest_overlap(scene, run), 1e-12) << run.engine.time();
    }
    EXPECT_GT(run.tally.impacts, 10'000U);
}

// Carnahan and Starling: p V / N kT = (1 + h + h^2 - h^3) / (1 - h)^3, within 0.3 % of what is
// known of hard spheres. The density is that far from the walls, which draw balls to them.
TEST(BallGas, PressesAsCarnahanAndStarlingSay) {
    const std::size_t count = 6000;
    const auto [scene, width] = gas(count, 0.187, frictionless_law(1.0), 24);
    BallRun run(scene);
    const double kT = energy_of(scene, run) / (1.5 * static_cast<double>(count));
    run.engine.run(10.0, nullptr);

    // both away from edges: in the middle of the box, and of its walls
    struct WallImpulse : Listener {
        double low = 4.0, high = 0.0, sum = 0.0;
        BodyId first_wall = 0;
        void on_event(const Event& event) override {
            if (event.b < first_wall) return;
            Eigen::Index across = 0;
            event.normal.cwiseAbs().maxCoeff(&across);
            for (int k = 0; k < 3; ++k) {
                if (k != across && (event.point[k] < low || event.point[k] > high)) return;
            }
            sum += event.impulse.norm();
        }
    } walls;
    walls.high = width - walls.low;
    walls.first_wall = static_cast<BodyId>(count);
    double inside = 0.0;
    const int samples = 150;
    const double begin = run.engine.time(), length = 75.0;
    for (int k = 1; k <= samples; ++k) {
        run.engine.run(begin + length * k / samples, &walls);
        for (BodyId i = 0; i < count; ++i) {
            const Vec3 x = run.engine.state(i).position;
            if (x.minCoeff() > walls.low && x.maxCoeff() < walls.high) inside += 1.0 / samples;
        }
    }
    const double span = walls.high - walls.low;
    const double density = inside / std::pow(span, 3);
    const double h = density * std::numbers::pi / 6.0;
    const double pressure = walls.sum / (length * 6.0 * span * span);
    const double Z = (1.0 + h + h * h - h * h * h) / std::pow(1.0 - h, 3);
    EXPECT_NEAR(h, 0.2, 0.01);
    EXPECT_NEAR(pressure / (density * kT) / Z, 1.0, 0.01);
    RecordProperty("ratio", std::to_string(pressure / (density * kT) / Z));
}

// Cools by e < 1, as its own account of the losses says.
TEST(BallGas, CoolsByWhatItLoses) {
    const auto [scene, width] = gas(1000, 0.2, frictionless_law(0.9), 25);
    BallRun run(scene);
    const double before = energy_of(scene, run);
    run.engine.run(20.0, nullptr);
    const double after = energy_of(scene, run);
    EXPECT_LT(after, 0.2 * before);
    EXPECT_NEAR(before - after, run.tally.energy_lost.value(), 1e-11 * before);
    EXPECT_EQ(run.tally.energy_gained.value(), 0.0);
    EXPECT_LT(deepest_overlap(scene, run), 1e-12);
}

// A cloud in open space flies apart; its cells follow, and nothing is missed on the way.
TEST(BallGas, FliesApartInOpenSpace) {
    BallScene scene(frictionless_law(1.0));
    Random random(26);
    for (const Vec3& at : tests::lattice(1000, 0.0, 12.0))
        scene.add_ball(0.5, 1.0, at, random.normal3());
    BallRun run(scene);
    const double before = energy_of(scene, run);
    const Vec3 momentum = momentum_of(scene, run);
    for (double t = 0.5; t < 2000.0; t *= 1.5) {
        run.engine.run(t, nullptr);
        ASSERT_LT(deepest_overlap(scene, run), 1e-12 * (1.0 + t)) << t;
    }
    EXPECT_GT(run.tally.impacts, 2000U);
    EXPECT_NEAR(energy_of(scene, run), before, 1e-12 * before);
    EXPECT_LT((momentum_of(scene, run) - momentum).norm(), 1e-10);
    // far out no two come together again
    const std::uint64_t impacts = run.tally.impacts;
    run.engine.run(1e9, nullptr);
    EXPECT_LT(run.tally.impacts, impacts + 3);
}

// A light ball between a wall and one 1e16 times as heavy that comes on: some 1e8 impacts in no
// time.
TEST(BallGas, GivesUpARowOfImpactsThatDoesNotEnd) {
    BallScene scene(frictionless_law(1.0));
    scene.add_ball(0.5, 1e-16, Vec3(0.6, 0.0, 0.0), Vec3::Zero());
    scene.add_ball(0.5, 1.0, Vec3(2.0, 0.0, 0.0), Vec3(-1.0, 0.0, 0.0));
    scene.add_wall(Vec3::UnitX(), Vec3::Zero());
    BallRun run(scene);
    try {
        run.engine.run(10.0, nullptr);
        FAIL() << "ended at last";
    } catch (const std::runtime_error& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("ball 0"), std::string::npos) << message;
        EXPECT_NE(message.find("t = 0.49999"), std::string::npos) << message;
    }
}

// Three in a row with e = 0.05 come together for good, after ever smaller and sooner impacts.
TEST(BallGas, EndsThePlasticCollapseOfThree) {
    for (const double e : {0.0, 0.05}) {
        BallScene scene(frictionless_law(e));
        scene.add_ball(0.5, 1.0, Vec3(-2.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0));
        scene.add_ball(0.5, 1.0, Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0));
        scene.add_ball(0.5, 1.0, Vec3(1.5, 0.0, 0.0), Vec3(-0.5, 0.0, 0.0));
        BallRun run(scene);
        try {
            run.engine.run(1000.0, nullptr);
        } catch (const std::runtime_error& error) {
            EXPECT_NE(std::string(error.what()).find("collapse"), std::string::npos);
            continue;
        }
        EXPECT_LT(deepest_overlap(scene, run), 1e-9);
        EXPECT_LT((momentum_of(scene, run) - Vec3(0.5, 0.0, 0.0)).norm(), 1e-14);
    }
}

}  // namespace
}  // namespace carom::world
