// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Crowds: balls and cubes dropped into a bin, so many that they take their steps together.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

constexpr double k_size = 0.1;   // diameter and edge, m
constexpr double k_width = 0.5;  // of the bin, m

world::Settings lasting(double checkpoint = 0.0) {
    world::Settings s = settings();
    s.contact = world::ContactMode::lasting;
    s.checkpoint = checkpoint;
    return s;
}

// Layers of nine, every other body a cube, each a little turned and out of place.
World make_pile(int bodies, const world::Settings& s) {
    World world(s, contacts(0.2, 0.5));
    const auto wall = [&](const char* name, const Vec3& size, const Vec3& position) {
        world.add({.name = name,
                   .shape = shared(shape::make_box(size)),
                   .pose = at(position),
                   .fixed = true});
    };
    const double w = k_width, d = 0.1, high = 3.0;
    wall("floor", {w + 2 * d, w + 2 * d, d}, {0, 0, -0.5 * d});
    wall("east", {d, w + 2 * d, high}, {0.5 * (w + d), 0, 0.5 * high});
    wall("west", {d, w + 2 * d, high}, {-0.5 * (w + d), 0, 0.5 * high});
    wall("north", {w, d, high}, {0, 0.5 * (w + d), 0.5 * high});
    wall("south", {w, d, high}, {0, -0.5 * (w + d), 0.5 * high});
    for (int i = 0; i < bodies; ++i) {
        const int row = i % 3, column = (i / 3) % 3, layer = i / 9;
        const double off = 0.004 * std::sin(7.0 * i);
        const Vec3 position(-0.16 + 0.16 * row + off, -0.16 + 0.16 * column - off,
                            0.1 + 0.18 * layer);
        const bool ball = (i + layer) % 2 == 0;
        world.add({.name = "body-" + std::to_string(i),
                   .shape = shared(ball ? shape::make_sphere(0.5 * k_size)
                                        : shape::make_box(Vec3::Constant(k_size))),
                   .pose = at(position, Vec3(1, 2, i % 5).normalized(), 0.3 * i),
                   .mass = 1.0});
    }
    return world;
}

double kinetic(const World& world) {
    double sum = 0.0;
    for (BodyId id = 0; id < world.body_count(); ++id)
        sum += world.body(id).fixed
                   ? 0.0
                   : 0.5 * world.body(id).mass * world.state(id).velocity.squaredNorm();
    return sum;
}

// Adds up what the bin gives to the bodies from a time on.
class Push : public world::Listener {
public:
    Push(const World& world, double from) : world_(world), from_(from) {}
    void on_force(const world::ContactForce& force) override {
        if (force.t0 < from_) return;
        if (world_.body(force.b).fixed) sum += force.impulse;
        if (world_.body(force.a).fixed) sum -= force.impulse;
    }
    Vec3 sum = Vec3::Zero();

private:
    const World& world_;
    double from_;
};

TEST(Pile, SettlesInItsBin) {
    constexpr int k_bodies = 96;
    World world = make_pile(k_bodies, lasting());
    world.run(0.5);
    const double falling = kinetic(world);
    world.run(3.0);
    for (BodyId id = 0; id < world.body_count(); ++id) {
        if (world.body(id).fixed) continue;
        const Vec3 x = world.state(id).position;
        EXPECT_LT(std::max(std::abs(x.x()), std::abs(x.y())), 0.5 * (k_width - k_size) + 1e-3);
        EXPECT_GT(x.z(), 0.5 * k_size - 1e-3);
        EXPECT_LT(x.z(), 1.0);
    }
    EXPECT_GT(falling, 1.0);
    expect_below("kinetic energy left", kinetic(world) / falling, 0.02);
    expect_below("overlap in sizes", world.audit().max_overlap / k_size, 0.01);
    // flights and impulses: the balance is no identity
    const world::Audit audit = world.audit();
    EXPECT_GT(audit.energy_lost, 0.5 * audit.energy_start);
    expect_below("energy residual", std::abs(audit.energy_residual) / audit.energy_start, 1e-12);
    expect_below("momentum residual", audit.momentum_residual / audit.momentum_scale, 1e-12);
}

// What the bin carries in a time is the weight of that time.
TEST(Pile, ForcesCarryTheWeight) {
    constexpr int k_bodies = 64;
    world::Settings s = lasting();
    s.sleep = false;
    World world = make_pile(k_bodies, s);
    world.run(2.5);
    Push push(world, 2.5);
    world.run(4.5, &push);
    world.tell_forces(push);
    const double weight = k_bodies * k_gravity * 2.0;
    EXPECT_NEAR(push.sum.z() / weight, 1.0, 0.02);
    EXPECT_LT(push.sum.head<2>().norm() / weight, 0.02);
}

TEST(Pile, SameBitsTwiceAndFromACheckpoint) {
    struct Keep : world::Listener {
        void on_checkpoint(double t, std::span<const std::uint8_t> bytes) override {
            all.emplace_back(t, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
        }
        std::vector<std::pair<double, std::vector<std::uint8_t>>> all;
    } keep;
    World first = make_pile(48, lasting(0.2));
    World second = make_pile(48, lasting(0.2));
    first.run(1.2, &keep);
    second.run(1.2);
    EXPECT_EQ(hash(first), hash(second));
    ASSERT_GE(keep.all.size(), 5U);
    for (const auto& [t, bytes] : keep.all) {
        World resumed = make_pile(48, lasting(0.2));
        resumed.restore(bytes);
        resumed.run(1.2);
        EXPECT_EQ(hash(first), hash(resumed)) << t;
    }
}

}  // namespace
}  // namespace carom::tests
