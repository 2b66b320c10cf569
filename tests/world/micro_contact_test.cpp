// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Micro-collisions of bodies in a graph: the speeds they part with, the energy they gain and repay,
// and the turn of a box on its face.

#include "carom/world/micro/micro_contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/world/touch/touching.h"
#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::ball;
using world_test::by_micro_collisions;
using world_test::cube;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::kinetic_energy;
using world_test::moving;

constexpr double k_e = 0.8;
constexpr double k_of_rounding = 1e-12;  // relative

// A body on the floor as it touches it.
struct OnFloor {
    OnFloor(const BodySpec& spec, double mu, double to_repay = 0.0,
            const Settings& settings = by_micro_collisions())
        : scene(settings, all_by("routh", k_e, mu)) {
        const BodyId id = scene.add(spec);
        const BodyId floor = scene.add(floor_plane());
        index = scene.pair(id, floor);
        pair().normal = Vec3::UnitZ();
        pair().energy_to_repay = to_repay;
    }
    ContactPair& pair() { return scene.graph().pair(index); }
    Touch touch() { return touch_of(scene.graph(), pair(), 0.0); }
    MicroOutcome micro() {
        return resolve_micro_contact(pair(), touch(), find_contact_point(touch()), 0.5);
    }
    std::optional<MicroOutcome> turned() {
        return turn_round_on_face(pair(), touch(), scene.gravity(), 0.5);
    }
    GraphScene scene;
    std::uint32_t index = 0;
};

constexpr double k_mass = 2.0;
const double k_hop = 0.003 * std::sqrt(k_g * 0.25);  // of the ball

BodySpec falling_ball(double s) {
    return moving(ball({0, 0, 0.25}, k_mass), {0, 0, -s});
}

TEST(MicroContact, PartsWithItsRestitutionOrAMicroBounce) {
    for (const double hops : {0.0, 0.5, 1.0, 1.2, 2.0, 3.9}) {
        const double s = hops * k_hop;
        const MicroOutcome out = OnFloor(falling_ball(s), 0.3).micro();
        const double parts = std::max(k_e * s, k_hop);
        EXPECT_NEAR(out.a.velocity.z(), parts, k_of_rounding * k_hop) << hops;
        EXPECT_NEAR(out.event.u_after.z(), parts, k_of_rounding * k_hop) << hops;
        EXPECT_NEAR(out.event.impulse.z(), k_mass * (s + parts), k_of_rounding * k_hop) << hops;
        EXPECT_NEAR(s * out.event.restitution, s > 0.0 ? parts : 0.0, k_of_rounding * k_hop);
        EXPECT_EQ(out.event.kind, EventKind::micro);
        EXPECT_EQ(out.event.t, 0.5);
        EXPECT_EQ(out.b.velocity, Vec3::Zero());
    }
}

// What is slower than a micro-bounce gains the difference.
TEST(MicroContact, SlowOnesGainWhatTheyWillRepay) {
    const double s = 0.5 * k_hop;
    const MicroOutcome out = OnFloor(falling_ball(s), 0.3).micro();
    const double gain = 0.5 * k_mass * (k_hop * k_hop - s * s);
    EXPECT_NEAR(out.event.energy_lost, -gain, k_of_rounding * gain);
}

// Faster ones leave with less: m v^2 / 2 = m (e s)^2 / 2 - what is owed, never below a bounce.
TEST(MicroContact, FastOnesRepay) {
    const double s = 3.5 * k_hop;
    const double restored = k_e * s;
    const double owed = 0.25 * 0.5 * k_mass * restored * restored;
    const MicroOutcome some = OnFloor(falling_ball(s), 0.3, owed).micro();
    EXPECT_NEAR(some.a.velocity.z(), std::sqrt(0.75) * restored, k_of_rounding * s);
    const double by_law = 0.5 * k_mass * (s * s - restored * restored);
    EXPECT_NEAR(some.event.energy_lost, by_law + owed, k_of_rounding * by_law);
    const MicroOutcome all = OnFloor(falling_ball(s), 0.3, 1e3).micro();
    EXPECT_NEAR(all.a.velocity.z(), k_hop, k_of_rounding * s);
}

// The tangential velocity of the contact is turned round where friction can do it, with the spin
// that belongs to it; else the law of the pair slows it.
TEST(MicroContact, TurnsTheSlipRoundInsideTheCone) {
    BodySpec spec = falling_ball(k_hop);
    spec.velocity.x() = 0.1 * k_hop;
    const MicroOutcome out = OnFloor(spec, 0.3).micro();
    EXPECT_EQ(out.event.law, impact::LawId::micro);
    EXPECT_LT((out.event.u_after + out.event.u).norm(), k_of_rounding * k_hop);
    EXPECT_NEAR(out.event.energy_lost, 0.0, k_of_rounding * k_mass * k_hop * k_hop);
    // p_x = -2 u_x / K_t with K_t = 7 / (2 m)
    const double p_x = -2.0 * 0.1 * k_hop * 2.0 * k_mass / 7.0;
    EXPECT_NEAR(out.a.velocity.x(), 0.1 * k_hop + p_x / k_mass, k_of_rounding * k_hop);
    EXPECT_NEAR(out.a.angular_velocity.y(), -0.25 * p_x / (0.4 * k_mass * 0.0625), 1e-10 * k_hop);
}

TEST(MicroContact, SlidesByTheLawOutsideTheCone) {
    BodySpec spec = falling_ball(k_hop);
    spec.velocity.x() = 1.0;
    const MicroOutcome out = OnFloor(spec, 0.3).micro();
    EXPECT_EQ(out.event.law, impact::LawId::routh);
    EXPECT_NEAR(out.event.impulse.x(), -0.3 * out.event.impulse.z(), k_of_rounding);
    EXPECT_NEAR(out.a.velocity.x(), 1.0 - 0.3 * 2.0 * k_hop, k_of_rounding);
}

TEST(MicroContact, ABoxTurnsRoundOnItsFace) {
    const double hop = 0.003 * std::sqrt(k_g * std::sqrt(0.75));
    const Vec3 w(0, 0, 1e-4 * hop);
    OnFloor lies(moving(cube({0, 0, 0.5}, k_mass), {0, 0, -2.0 * hop}, w), 0.5);
    const auto out = lies.turned();
    ASSERT_TRUE(out);
    EXPECT_LT((out->a.velocity - Vec3(0, 0, 2.0 * k_e * hop)).norm(), k_of_rounding * hop);
    EXPECT_LT((out->a.angular_velocity + k_e * w).norm(), k_of_rounding * hop);
    EXPECT_LT((out->event.impulse - Vec3(0, 0, 2.0 * (1.0 + k_e) * k_mass * hop)).norm(),
              10.0 * k_of_rounding * hop);
    const Body& body = lies.scene.body(0);
    const double before = kinetic_energy(body, body.first.orientation, {0, 0, 2.0 * hop}, w);
    const double after = kinetic_energy(body, body.first.orientation, out->a.velocity, -k_e * w);
    EXPECT_NEAR(out->event.energy_lost, before - after, k_of_rounding * before);
}

// On a slope it goes up it as far as it comes down in the coming bounce: v_t = -g_t v_n / g_n.
TEST(MicroContact, ABoxOnASlopeHopsInPlace) {
    const Vec3 gravity(2.0, 0, -9.0);
    Settings settings = by_micro_collisions();
    settings.gravity = gravity;
    const double hop = 0.003 * std::sqrt(gravity.norm() * std::sqrt(0.75));
    const Vec3 down(2.0 / 9.0 * hop, 0, -hop);
    OnFloor lies(moving(cube({0, 0, 0.5}, k_mass), down), 0.5, 0.0, settings);
    const auto out = lies.turned();
    ASSERT_TRUE(out);
    EXPECT_LT((out->a.velocity + down).norm(), k_of_rounding * hop) << "turned round exactly";
    EXPECT_NEAR(out->event.energy_lost, 0.0, k_of_rounding * k_mass * hop * hop);
}

TEST(MicroContact, NoFaceNoTurn) {
    EXPECT_FALSE(OnFloor(falling_ball(k_hop), 0.5).turned()) << "a ball has none";
    const motion::Quat tilted(Eigen::AngleAxisd(0.1, Vec3::UnitY()));
    const double low = 0.5 * (std::cos(0.1) + std::sin(0.1));
    const BodySpec on_edge =
        world_test::body("", shape::make_box({1, 1, 1}), at({0, 0, low}, tilted));
    EXPECT_FALSE(OnFloor(moving(on_edge, {0, 0, -k_hop}), 0.5).turned());
    const BodySpec sliding = moving(cube({0, 0, 0.5}), {1, 0, -k_hop});
    EXPECT_FALSE(OnFloor(sliding, 0.5).turned()) << "outside the friction cone";
}

}  // namespace
}  // namespace carom::world
