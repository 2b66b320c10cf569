// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What happens to bodies that hang together depends on them alone: random scenes have the same
// bits, in all events and final states, with and without sixty bodies five hundred metres away, and
// with and without huge fast ones that pass by, whose swept boxes hold the whole scene.
//
// Not so: balls alone without gravity are run by another engine than balls with a box somewhere
// (ball_engine_test.cpp bounds the difference); and bodies of a pile take the steps of all that
// hang together with it by near boxes.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::floor_plane;
using world_test::Log;

class SceneNumbers {
public:
    explicit SceneNumbers(unsigned seed) : random_(seed) {}
    double number(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    int count(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    Vec3 vector(double size) {
        return {number(-size, size), number(-size, size), number(-size, size)};
    }
    motion::Quat turn() {
        const motion::Quat q(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1));
        return q.normalized();
    }

private:
    std::mt19937 random_;
};

struct NearScene {
    double e, mu;
    std::vector<BodySpec> bodies;
};

shape::Shape random_shape(SceneNumbers& random) {
    const double size = random.number(0.05, 0.1);
    switch (random.count(0, 3)) {
        case 0:
            return shape::make_sphere(size);
        case 1:
            return shape::make_box({2.0 * size, random.number(1.0, 2.0) * size, size});
        case 2:
            return shape::make_cylinder(size, random.number(0.5, 1.5) * size);
        default:
            return shape::make_capsule(0.5 * size, random.number(0.5, 1.5) * size);
    }
}

// Two to eight bodies close together above a floor; every third is thrown. No radius is above
// 0.15 m, so that none overlap at the start. Tossed: all are, up to where nobody is near them.
NearScene near_scene(unsigned seed, bool tossed) {
    SceneNumbers random(seed);
    NearScene scene{random.number(0.0, 1.0), random.number(0.0, 1.0), {}};
    const int count = random.count(2, 8);
    for (int k = 0; k < count; ++k) {
        const Vec3 place(0.32 * (k % 2), 0.32 * (k / 2 % 2), 0.16 + 0.32 * (k / 4));
        const bool level = random.count(0, 1) == 0;
        BodySpec spec = body("near " + std::to_string(k), random_shape(random),
                             at(place, level ? motion::Quat::Identity() : random.turn()),
                             random.number(0.5, 2.0));
        if (random.count(0, 2) == 0) {
            spec.velocity = random.vector(2.0);
            spec.angular_velocity = random.vector(5.0);
        }
        if (tossed) {
            spec.velocity = random.vector(1.0) + Vec3(0.0, 0.0, random.number(2.5, 4.0));
            spec.angular_velocity = random.vector(5.0);
        }
        scene.bodies.push_back(spec);
    }
    scene.bodies.insert(scene.bodies.begin() + random.count(0, count), floor_plane());
    return scene;
}

// Forty-five boxes that fall into a pile, eight bodies that fall asleep, seven that fly.
std::vector<BodySpec> far_bodies() {
    std::vector<BodySpec> out;
    const auto add = [&](const shape::Shape& shape, const Vec3& place, const Vec3& velocity) {
        out.push_back(body("far " + std::to_string(out.size()), shape, at(place)));
        out.back().velocity = velocity;
        out.back().material = "dull";
    };
    for (int k = 0; k < 45; ++k) {
        const int i = k % 3, j = k / 3 % 3, layer = k / 9;
        // in touch from the start, each layer a third of a box aside, so that all hang together,
        // and faster than the one below it; large boxes take long steps
        const Vec3 place(500.0 + 2.02 * i + 0.6 * layer, 2.02 * j + 0.6 * layer, 1.0 + 2.0 * layer);
        add(shape::make_box({2.0, 2.0, 2.0}), place, {1.0 * layer, 0.0, 0.0});
    }
    for (int k = 0; k < 8; ++k)
        add(shape::make_box({0.2, 0.1, 0.1}), {1.0 * k, -500.0, 0.05}, Vec3::Zero());
    for (int k = 0; k < 7; ++k)
        add(shape::make_sphere(0.1), {-500.0, 1.0 * k, 20.0}, {3.0, 1.0 * k, 5.0});
    return out;
}

// Besides, four bodies of 20 to 40 m that pass the scene 7 m away, 140 to 420 m/s fast: boxes that
// hold their ways hold the scene, whose height they reach down to. Two go there one behind the
// other on the line y = x + size + 10 m, two come back on the other side.
std::vector<BodySpec> huge_bodies(unsigned seed) {
    SceneNumbers random(seed);
    std::vector<BodySpec> out = far_bodies();
    for (int k = 0; k < 4; ++k) {
        const double size = random.number(20.0, 40.0);
        const double speed = 100.0 + 200.0 * (seed % 7) / 6.0;
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        const double x = -0.5 * size - 10.0 - random.number(0.05, 0.15) * speed - 100.0 * (k / 2);
        const Vec3 place(side * x, side * (x + size + 10.0), 0.5 * size + random.number(0.3, 0.8));
        const bool round = random.count(0, 1) == 0;
        out.push_back(
            body("huge " + std::to_string(k),
                 round ? shape::make_sphere(0.5 * size) : shape::make_box({size, size, size}),
                 at(place)));
        out.back().velocity = Vec3(side * speed, side * speed, random.number(0.0, 3.0));
        out.back().material = "dull";
    }
    return out;
}

struct Told {
    std::vector<std::string> events;
    std::vector<motion::State> states;
    std::size_t pile_forces = 0;
};

// All the bits of an event.
std::string written(const World& world, const Event& event) {
    std::ostringstream out;
    out << std::hexfloat << event.t << ' ' << name_of(event.kind) << ' '
        << static_cast<int>(event.law) << ' ' << world.body(event.a).name << ", "
        << (event.b == k_no_body ? "nobody" : world.body(event.b).name);
    for (const Vec3& v : {event.point, event.normal, event.u, event.u_after, event.impulse})
        out << ' ' << v.x() << ' ' << v.y() << ' ' << v.z();
    out << ' ' << event.energy_lost << ' ' << event.restitution;
    return out.str();
}

Told run(const NearScene& scene, const std::vector<BodySpec>& bodies) {
    Contacts contacts = all_by("routh", scene.e, scene.mu);
    contacts.set("dull", "*", impact::law::routh({.e = 0.0, .mu = 0.5}));
    World world(Settings{}, contacts);
    for (const BodySpec& spec : bodies)
        world.add(spec);
    Log log;
    world.run(1.0, &log);
    Told told;
    for (const Event& event : log.events)
        if (world.body(event.a).name.starts_with("near"))
            told.events.push_back(written(world, event));
    for (BodyId id = 0; id < world.body_count(); ++id)
        if (world.body(id).name.starts_with("near")) told.states.push_back(world.state(id));
    for (const ContactForce& force : log.forces)
        told.pile_forces += force.acts == ForceCourse::at_start ? 1 : 0;
    return told;
}

// Far bodies before, between and after those of the scene, which keep their order.
std::vector<BodySpec> mixed(const NearScene& scene, const std::vector<BodySpec>& far,
                            unsigned seed) {
    SceneNumbers random(seed);
    std::vector<BodySpec> out = scene.bodies;
    for (const BodySpec& spec : far)
        out.insert(out.begin() + random.count(0, static_cast<int>(out.size())), spec);
    return out;
}

void expect_local(unsigned seed, const std::vector<BodySpec>& far, bool tossed) {
    const NearScene scene = near_scene(seed, tossed);
    const Told alone = run(scene, scene.bodies);
    const Told both = run(scene, mixed(scene, far, seed));
    ASSERT_FALSE(alone.events.empty()) << "seed " << seed;
    EXPECT_GT(both.pile_forces, 100U) << "the far boxes make no pile";
    const auto [x, y] = std::mismatch(alone.events.begin(), alone.events.end(), both.events.begin(),
                                      both.events.end());
    EXPECT_TRUE(x == alone.events.end() && y == both.events.end())
        << "seed " << seed << ", event " << x - alone.events.begin()
        << "\nalone: " << (x == alone.events.end() ? "none" : *x)
        << "\nboth:  " << (y == both.events.end() ? "none" : *y);
    for (std::size_t k = 0; k < alone.states.size(); ++k)
        EXPECT_TRUE(world_test::same_bits(alone.states[k], both.states[k]))
            << "seed " << seed << ", body " << k;
}

// A quarter of the scenes, so that ctest can run the quarters side by side.
void expect_all_local(unsigned first) {
    for (unsigned seed = first; seed < first + 50; ++seed)
        expect_local(seed, far_bodies(), false);
}

void expect_all_local_beside_huge_bodies(unsigned first) {
    for (unsigned seed = first; seed < first + 50; ++seed)
        expect_local(seed, huge_bodies(seed), true);
}

TEST(Locality, FarBodiesChangeNoBitOfScenes0To49) {
    expect_all_local(0);
}

TEST(Locality, FarBodiesChangeNoBitOfScenes50To99) {
    expect_all_local(50);
}

TEST(Locality, FarBodiesChangeNoBitOfScenes100To149) {
    expect_all_local(100);
}

TEST(Locality, FarBodiesChangeNoBitOfScenes150To199) {
    expect_all_local(150);
}

TEST(Locality, HugeFastBodiesChangeNoBitOfScenes0To49) {
    expect_all_local_beside_huge_bodies(0);
}

TEST(Locality, HugeFastBodiesChangeNoBitOfScenes50To99) {
    expect_all_local_beside_huge_bodies(50);
}

TEST(Locality, HugeFastBodiesChangeNoBitOfScenes100To149) {
    expect_all_local_beside_huge_bodies(100);
}

TEST(Locality, HugeFastBodiesChangeNoBitOfScenes150To199) {
    expect_all_local_beside_huge_bodies(150);
}

}  // namespace
}  // namespace carom::world
