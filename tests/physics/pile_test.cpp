// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Piles: balls and cubes dropped into a bin, so many that they take their steps together.

#include <gtest/gtest.h>

#include <algorithm>
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

void add_bin(World& world) {
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
}

// Layers of nine, every other body a cube, each a little turned and out of place.
void add_bodies(World& world, int bodies) {
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
}

World make_pile(int bodies, const world::Settings& s) {
    World world(s, contacts(0.2, 0.5));
    add_bin(world);
    add_bodies(world, bodies);
    return world;
}

int asleep(const World& world) {
    int count = 0;
    for (BodyId id = 0; id < world.body_count(); ++id)
        count += world.asleep(id) ? 1 : 0;
    return count;
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

// A ball or a box, for an overlap found without the library.
struct Solid {
    bool ball;
    Vec3 x, half;
    Mat3 R;
};

std::vector<Solid> solids(const World& world) {
    std::vector<Solid> all;
    for (BodyId id = 0; id < world.body_count(); ++id) {
        const motion::State state = world.state(id);
        const auto* box = std::get_if<shape::Box>(&world.body(id).shape->parts.front().convex);
        all.push_back({box == nullptr, state.position,
                       box == nullptr ? Vec3::Constant(0.5 * k_size) : box->half,
                       state.orientation.toRotationMatrix()});
    }
    return all;
}

// How deep two boxes overlap, by separating axes; below zero: at least so far apart.
double depth_of_boxes(const Solid& a, const Solid& b) {
    double least = std::numeric_limits<double>::infinity();
    const auto along = [&](const Vec3& axis) {
        if (axis.norm() < 1e-7) return;
        const Vec3 n = axis.normalized();
        const double reach = (a.R.transpose() * n).cwiseAbs().dot(a.half) +
                             (b.R.transpose() * n).cwiseAbs().dot(b.half);
        least = std::min(least, reach - std::abs(n.dot(a.x - b.x)));
    };
    for (int i = 0; i < 3; ++i) {
        along(a.R.col(i));
        along(b.R.col(i));
        for (int j = 0; j < 3; ++j)
            along(a.R.col(i).cross(b.R.col(j)));
    }
    return least;
}

double depth_of(const Solid& a, const Solid& b) {
    if (a.ball && b.ball) return k_size - (a.x - b.x).norm();
    if (b.ball) return depth_of(b, a);
    if (!a.ball) return depth_of_boxes(a, b);
    const Vec3 q = b.R.transpose() * (a.x - b.x);
    const Vec3 nearest = q.cwiseMax(-b.half).cwiseMin(b.half);
    return 0.5 * k_size - (q - nearest).norm();
}

double deepest(const World& world) {
    const std::vector<Solid> all = solids(world);
    double most = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!world.body(static_cast<BodyId>(i)).fixed ||
                !world.body(static_cast<BodyId>(j)).fixed)
                most = std::max(most, depth_of(all[i], all[j]));
    return most;
}

// At any time, also in the middle of steps and beside sleepers, by another measure than the
// audit's.
TEST(Pile, OverlapsNoDeeperThanTheAuditSays) {
    World world = make_pile(96, lasting());
    double most = 0.0;
    for (double t = 0.0; t < 6.0; t += 0.0137) {
        world.run(t);
        most = std::max(most, deepest(world));
    }
    EXPECT_GT(most, 0.0);
    // with steps as long under sleepers as elsewhere it would be 9e-4
    expect_below("overlap in sizes", most / k_size, 8e-4);
    EXPECT_LE(most, world.audit().max_overlap + 0.05 * 1e-3 * k_size);
}

// Thrown into a heap that sleeps: what it hits wakes, and in the end all of it sleeps again with
// something under it.
TEST(Pile, NothingHangsInTheAir) {
    World world(lasting(), contacts(0.2, 0.5));
    add_bin(world);
    add_bodies(world, 60);
    world.add({.name = "hammer",
               .shape = shared(shape::make_box(Vec3::Constant(k_size))),
               .pose = at({0.02, 0.01, 500.0}, Vec3(1, 2, 3).normalized(), 0.7),
               .mass = 40.0});
    world.run(9.0);
    const int before = asleep(world);
    EXPECT_GT(before, 55);
    world.run(30.0);
    const std::vector<Solid> all = solids(world);
    // a few may have been thrown over the walls, and fall
    const auto gone = [&](BodyId id) { return all[id].x.z() < -k_size; };
    int left = 0;
    for (BodyId id = 5; id < world.body_count(); ++id)
        left += gone(id) ? 0 : 1;
    EXPECT_GT(left, 50);
    EXPECT_EQ(asleep(world), left);
    for (BodyId id = 5; id < world.body_count(); ++id) {
        if (gone(id)) continue;
        bool held = false;
        for (BodyId other = 0; other < world.body_count() && !held; ++other)
            held = other != id && depth_of(all[id], all[other]) > -2e-4 &&
                   (world.body(other).fixed || all[other].x.z() < all[id].x.z());
        EXPECT_TRUE(held) << world.body(id).name;
    }
}

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
        EXPECT_LT(x.z(), 1.2);  // they fell from up to 1.9
    }
    EXPECT_GT(falling, 1.0);
    expect_below("kinetic energy left", kinetic(world) / falling, 0.02);
    expect_below("overlap in sizes", world.audit().max_overlap / k_size, 1e-3);
    // flights and impulses: the balance is no identity
    const world::Audit audit = world.audit();
    EXPECT_GT(audit.energy_lost, 0.5 * audit.energy_start);
    expect_below("energy residual", std::abs(audit.energy_residual) / audit.energy_start, 1e-12);
    expect_below("momentum residual", audit.momentum_residual / audit.momentum_scale, 1e-12);
}

// What bears nothing may roll on beside sleepers, and they wake where they are hit; in the end all
// of it sleeps.
TEST(Pile, AllOfItFallsAsleep) {
    World world = make_pile(96, lasting());
    world.run(20.0);
    for (BodyId id = 0; id < world.body_count(); ++id)
        EXPECT_TRUE(world.body(id).fixed || world.asleep(id)) << world.body(id).name;
    EXPECT_EQ(kinetic(world), 0.0);
    expect_below("overlap in sizes", world.audit().max_overlap / k_size, 1e-3);
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

// From before it settles until part of it sleeps.
TEST(Pile, SameBitsTwiceAndFromACheckpoint) {
    struct Keep : world::Listener {
        void on_checkpoint(double t, std::span<const std::uint8_t> bytes) override {
            all.emplace_back(t, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
        }
        std::vector<std::pair<double, std::vector<std::uint8_t>>> all;
    } keep;
    constexpr double k_end = 3.0;
    World first = make_pile(48, lasting(0.5));
    World second = make_pile(48, lasting(0.5));
    first.run(k_end, &keep);
    second.run(k_end);
    EXPECT_EQ(hash(first), hash(second));
    ASSERT_GE(keep.all.size(), 5U);
    for (const auto& [t, bytes] : keep.all) {
        World resumed = make_pile(48, lasting(0.5));
        resumed.restore(bytes);
        resumed.run(k_end);
        EXPECT_EQ(hash(first), hash(resumed)) << t;
    }
}

// A ball that is thrown up comes down on a heap that does not sleep. By law it hits at its own
// time: its flight until then is a parabola, which ends one radius from the point of contact, with
// the speed that the event has. By steps it is taken up before, and counted.
TEST(Pile, ImpactsAreByLawAtTheirOwnTime) {
    const Vec3 from(0.02, 0.01, 3.2), up(0, 0, 10.0);
    for (const world::PileImpacts how : {world::PileImpacts::automatic, world::PileImpacts::law}) {
        world::Settings s = lasting();
        s.sleep = false;
        s.pile_impacts = how;
        World world(s, contacts(0.2, 0.5));
        add_bin(world);
        add_bodies(world, 64);
        const BodyId probe = add_ball(world, "probe", 0.05, from, up, 1.0);
        Log log;
        world.run(2.8, &log);
        EXPECT_EQ(world.audit().pile_restitutions, 0U);
        const auto hit = std::find_if(log.events.begin(), log.events.end(), [&](const Event& e) {
            return e.kind == EventKind::impact && (e.a == probe || e.b == probe);
        });
        ASSERT_NE(hit, log.events.end());
        EXPECT_GT(hit->t, 2.0);
        const Vec3 g(0, 0, -k_gravity);
        const Vec3 x = from + hit->t * up + 0.5 * hit->t * hit->t * g;
        expect_close("distance of the contact", (x - hit->point).norm(), 0.05, 1e-9);
        EXPECT_GT(-hit->u.dot(hit->normal), 1.0);
        EXPECT_GT(hit->energy_lost, 0.0);
    }
    world::Settings s = lasting();
    s.pile_impacts = world::PileImpacts::step;
    World world = make_pile(96, s);
    world.run(1.5);
    EXPECT_GT(world.audit().pile_restitutions, 0U);
}

double energy_of(const World& world) {
    double sum = 0.0;
    for (BodyId id = 0; id < world.body_count(); ++id) {
        if (!world.body(id).fixed)
            sum += world::energy(world.body(id), world.state(id), Vec3(0, 0, -k_gravity));
    }
    return sum;
}

// Forty cubes above each other that fall together; it was 0.8 J that they gained, of 39 J. What
// they may is the energy of the micro-bounces, m (g h)^2 / 8 each, of the longest step.
TEST(Pile, ColumnsGainNoMoreThanTheirMicroBounces) {
    constexpr int k_bodies = 40;
    World world(lasting(), contacts(0.3, 0.4));
    add_floor(world);
    for (int i = 0; i < k_bodies; ++i)
        world.add({.name = "cube " + std::to_string(i),
                   .shape = shared(shape::make_box(Vec3::Constant(k_size))),
                   .pose = at({0, 0, 0.15 + k_size * i}),
                   .mass = 1.0});
    const double radius = 0.5 * std::sqrt(3.0) * k_size;
    const double bounces = 0.125 * k_bodies * 0.12 * 0.12 * k_gravity * radius;
    double least = energy_of(world), rise = 0.0;
    for (double t = 0.0; t < 0.8; t += 0.002) {
        world.run(t);
        least = std::min(least, energy_of(world));
        rise = std::max(rise, energy_of(world) - least);
    }
    expect_below("energy gained, in that of the micro-bounces", rise / bounces, 1.001);
}

// A lid that comes down on a heap in a closed bin: the run ends with names, and what there was
// before has no deep overlap. The heap used to be pressed into itself.
TEST(Pile, WhatIsCrushedEndsTheRun) {
    for (const world::PileImpacts how : {world::PileImpacts::automatic, world::PileImpacts::step}) {
        world::Settings s = lasting();
        s.pile_impacts = how;
        World world(s, contacts(0.2, 0.3));
        add_bin(world);
        for (int i = 0; i < 128; ++i) {
            const double off = 0.005 * std::sin(7.0 * i);
            const Vec3 place(-0.17 + 0.1133 * (i % 4) + off, -0.17 + 0.1133 * (i / 4 % 4) - off,
                             0.06 + 0.13 * (i / 16));
            add_ball(world, ("ball " + std::to_string(i)).c_str(), 0.05, place, Vec3::Zero(), 1.0);
        }
        world.add({.name = "lid",
                   .shape = shared(shape::make_box({0.499, 0.499, 0.1})),
                   .pose = at({0, 0, 1.8}),
                   .velocity = {0, 0, -1},
                   .fixed = true});
        try {
            world.run(1.8);
            FAIL() << "the lid is through the heap";
        } catch (const std::runtime_error& error) {
            EXPECT_NE(std::string(error.what()).find("cannot be kept apart"), std::string::npos);
        }
        expect_below("overlap in radii", world.audit().max_overlap / 0.05, 0.5);
    }
}

}  // namespace
}  // namespace carom::tests
