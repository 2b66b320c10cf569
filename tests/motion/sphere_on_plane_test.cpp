// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/sphere_on_plane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "tests/motion/comparisons.h"
#include "tests/motion/sphere_cases.h"

namespace carom::tests {
namespace {

using motion::Quat;
using motion::SphereContact;
using motion::SphereOnPlane;
using motion::State;
using Phase = SphereOnPlane::Phase;

// A ball that slides without turning rolls at 5/7 of its speed after 2 v / (7 mu g); a shell at 3/5
// after 2 v / (5 mu g). At every scale.
TEST(SphereOnPlane, SlidesThenRolls) {
    for (const double scale : {1e-6, 1e-3, 1.0, 1e3}) {
        for (const bool shell : {false, true}) {
            SphereContact contact = level_contact(scale, shell ? 2.0 / 3.0 : 0.4);
            contact.mu = 0.2;
            const double v = 3.0 * std::sqrt(k_g * scale);
            const SphereOnPlane slide(contact, at_rest(contact, Vec3(v, 0.0, 0.0)), 0.0);
            EXPECT_EQ(slide.phase(), Phase::sliding);
            const double T = shell ? 2.0 * v / (5.0 * 0.2 * k_g) : 2.0 * v / (7.0 * 0.2 * k_g);
            const double speed = shell ? 0.6 * v : 5.0 / 7.0 * v;
            EXPECT_NEAR(slide.valid_until(), T, 1e-14 * T);
            const State half = slide.at(0.5 * T);
            EXPECT_NEAR(half.position.x(), 0.5 * v * T - 0.125 * 0.2 * k_g * T * T, 1e-14 * v * T);
            const SphereOnPlane roll = slide.next();
            EXPECT_EQ(roll.phase(), Phase::rolling);
            EXPECT_EQ(roll.valid_until(), k_inf);
            const State later = roll.at(5.0 * T);
            EXPECT_NEAR(later.velocity.x(), speed, 1e-14 * v);
            EXPECT_NEAR(later.angular_velocity.y() * scale, speed, 1e-14 * v);
            const double way = v * T - 0.5 * 0.2 * k_g * T * T + 4.0 * T * speed;
            EXPECT_NEAR(later.position.x(), way, 2e-14 * way);
            EXPECT_NEAR(later.position.z(), scale, 1e-15 * scale);
        }
    }
}

// Bowling: side spin bends the path to a parabola, then it is straight.
TEST(SphereOnPlane, HookIsAParabolaThenALine) {
    SphereContact contact = level_contact(0.108, 0.4);
    contact.mu = 0.04;
    State start = at_rest(contact, Vec3(8.0, 0.0, 0.0));
    start.angular_velocity = Vec3(-20.0, 10.0, 3.0);
    const SphereOnPlane slide(contact, start, 2.0);
    // the contact point's velocity: v + r n x w
    const Vec3 u = start.velocity + 0.108 * Vec3::UnitZ().cross(start.angular_velocity);
    const double T = 2.0 * u.norm() / (7.0 * 0.04 * k_g);
    EXPECT_NEAR(slide.valid_until(), 2.0 + T, 1e-14 * (2.0 + T));
    const Vec3 a = -0.04 * k_g * u.normalized();
    for (const double part : {0.1, 0.5, 0.9, 1.0}) {
        const double t = part * T;
        const Vec3 expected = start.position + t * start.velocity + 0.5 * t * t * a;
        EXPECT_LE((slide.position_at(2.0 + t) - expected).norm(), 1e-13);
    }
    const SphereOnPlane roll = slide.next();
    EXPECT_EQ(roll.phase(), Phase::rolling);
    // angular momentum about a point of the floor is kept: v = (5 v0 - 2 r n x w0) / 7
    const Vec3 v = start.velocity - 2.0 / 7.0 * u;
    EXPECT_LE((roll.velocity_at(2.0 + 3.0 * T) - v).norm(), 1e-13);
    EXPECT_LE((roll.position_at(2.0 + 3.0 * T) - slide.position_at(2.0 + T) - 2.0 * T * v).norm(),
              1e-12);
    EXPECT_EQ(roll.at(2.0 + 3.0 * T).angular_velocity.z(), 3.0);
}

// On a turntable a ball rolls in circles at 2/7 of its rate, a shell at 2/5, about a centre that
// the start decides.
TEST(SphereOnPlane, CirclesOnAPlatter) {
    for (const bool shell : {false, true}) {
        for (const double rate : {2.0, -0.7}) {
            SphereContact contact = level_contact(0.05, shell ? 2.0 / 3.0 : 0.4);
            contact.mu = 0.5;
            contact.plane.turn_rate = rate;
            contact.plane.point = Vec3(0.2, -0.1, 0.0);
            const double slow = rate * (shell ? 0.4 : 2.0 / 7.0);
            const Vec3 x(0.5, 0.0, 0.05);
            const Vec3 v(0.1, 0.25, 0.0);
            // rolling: v + r n x w = rate n x (x - point)
            const Vec3 b = rate * Vec3::UnitZ().cross(Vec3(x - contact.plane.point)) - v;
            State start{x, Quat::Identity(), v, -Vec3::UnitZ().cross(b) / 0.05 + Vec3(0, 0, 1.5)};
            const SphereOnPlane roll(contact, start, 0.0);
            ASSERT_EQ(roll.phase(), Phase::rolling);
            EXPECT_EQ(roll.valid_until(), k_inf);
            // centre of the circle: slow n x (x - centre) = v
            const Vec3 centre = x + Vec3::UnitZ().cross(v) / slow;
            const double turn = 2.0 * std::numbers::pi / std::abs(slow);
            for (int i = 1; i <= 40; ++i) {
                const double t = 10.0 * turn * i / 40.0;
                const double angle = slow * t;
                const Vec3 arm = x - centre;
                const Vec3 now(arm.x() * std::cos(angle) - arm.y() * std::sin(angle),
                               arm.x() * std::sin(angle) + arm.y() * std::cos(angle), 0.0);
                EXPECT_LE((roll.position_at(t) - centre - now).norm(), 1e-13);
            }
            EXPECT_LE((roll.position_at(10.0 * turn) - x).norm(), 1e-13);
        }
    }
}

// A tilted turntable: the circle drifts across the slope at (5/2) g sin(a) / W, and the energy in
// the frame of the ground follows the work of friction.
TEST(SphereOnPlane, DriftsAcrossATiltedPlatter) {
    SphereContact contact = level_contact(0.05, 0.4);
    contact.mu = 0.5;
    contact.plane.turn_rate = 3.0;
    const double tilt = 0.03;
    contact.plane.normal = Vec3(std::sin(tilt), 0.0, std::cos(tilt));
    const Vec3 n = contact.plane.normal;
    const Vec3 down(std::cos(tilt), 0.0, -std::sin(tilt));
    const Vec3 x = 0.3 * down;
    const Vec3 v = 0.2 * n.cross(down);
    const Vec3 b = 3.0 * n.cross(x) - v;
    const State start{x + 0.05 * n, Quat::Identity(), v, -n.cross(b) / 0.05};
    const SphereOnPlane roll(contact, start, 0.0);
    ASSERT_EQ(roll.phase(), Phase::rolling);
    ASSERT_EQ(roll.valid_until(), k_inf);
    const double turn = 2.0 * std::numbers::pi / (3.0 * 2.0 / 7.0);
    const Vec3 drift = 2.5 * k_g * std::sin(tilt) / 3.0 * n.cross(down);
    for (const int turns : {1, 3, 10}) {
        const Vec3 moved = roll.position_at(turns * turn) - start.position;
        EXPECT_LE((moved - turns * turn * drift).norm(), 1e-12);
    }
}

// Up and down a ramp: constant acceleration 5/7 g sin(a), back at the start with the speed
// reversed.
TEST(SphereOnPlane, RollsUpAndDownARamp) {
    const double angle = 0.3;
    SphereContact contact = level_contact(0.07, 0.4);
    contact.mu = 0.3;
    contact.plane.normal = Vec3(-std::sin(angle), 0.0, std::cos(angle));
    contact.plane.point = Vec3(0.4, 0.5, 0.6);
    const Vec3 up(std::cos(angle), 0.0, std::sin(angle));
    const Vec3 n = contact.plane.normal;
    const Vec3 v = 2.0 * up + 0.5 * Vec3::UnitY();
    const State start{contact.plane.point + 0.07 * n, Quat::Identity(), v, n.cross(v) / 0.07};
    const SphereOnPlane roll(contact, start, 1.0);
    ASSERT_EQ(roll.phase(), Phase::rolling);
    EXPECT_EQ(roll.valid_until(), k_inf);
    const double a = 5.0 / 7.0 * k_g * std::sin(angle);
    const double back = 4.0 / a;
    for (const double t : {0.1, 0.5 * back, back, 3.0 * back}) {
        const Vec3 way = t * v - 0.5 * a * t * t * up;
        EXPECT_LE((roll.position_at(1.0 + t) - start.position - way).norm(), 2e-14 * (1.0 + t * t));
        EXPECT_LE((roll.velocity_at(1.0 + t) - v + a * t * up).norm(), 1e-14 * (1.0 + t));
    }
    EXPECT_LE((roll.velocity_at(1.0 + back) - Vec3(-2.0 * up + 0.5 * Vec3::UnitY())).norm(), 1e-14);
    // friction 2/7 m g sin(a) up the slope
    const auto force = roll.contact_at(1.5);
    EXPECT_LE((force.friction - 2.0 / 7.0 * contact.mass * k_g * std::sin(angle) * up).norm(),
              1e-14);
    EXPECT_NEAR(force.normal_force.norm(), contact.mass * k_g * std::cos(angle), 1e-14);
    // 2/7 tan(a) of friction is enough, and less is not
    contact.mu = 2.0 / 7.0 * std::tan(angle) * 1.001;
    EXPECT_EQ(SphereOnPlane(contact, start, 0.0).phase(), Phase::rolling);
    contact.mu = 2.0 / 7.0 * std::tan(angle) * 0.999;
    EXPECT_EQ(SphereOnPlane(contact, start, 0.0).phase(), Phase::sliding);
}

// Felt: the spin decays at mu_spin N / I, the ball rolls out over v^2 / (2 a) with
// a = 5/7 (mu_roll / r) g; each stops exactly.
TEST(SphereOnPlane, SideSpinOnFelt) {
    SphereContact contact = level_contact(0.028, 0.4);
    contact.mu = 0.2;
    contact.mu_roll = 0.01 * 0.028;
    contact.mu_spin = 2e-4;
    const double v = 0.8;
    State start = at_rest(contact, Vec3(0.0, v, 0.0));
    start.angular_velocity = Vec3(-v / 0.028, 0.0, 40.0);
    const SphereOnPlane first(contact, start, 0.0);
    ASSERT_EQ(first.phase(), Phase::rolling);
    const double decay = 2e-4 * k_g / (0.4 * 0.028 * 0.028);
    const double a = 5.0 / 7.0 * 0.01 * k_g;
    EXPECT_NEAR(first.valid_until(), 40.0 / decay, 1e-13);
    EXPECT_NEAR(first.at(0.1).angular_velocity.z(), 40.0 - 0.1 * decay, 1e-13);
    EXPECT_NEAR(first.at(0.1).velocity.y(), v - 0.1 * a, 1e-15);
    EXPECT_NEAR(first.contact_at(0.1).torque.z(), -2e-4 * contact.mass * k_g, 1e-18);
    const SphereOnPlane second = first.next();
    EXPECT_EQ(second.phase(), Phase::rolling);
    EXPECT_EQ(second.at(second.start_time()).angular_velocity.z(), 0.0);
    EXPECT_NEAR(second.valid_until(), v / a, 1e-13 * v / a);
    const SphereOnPlane rest = second.next();
    EXPECT_EQ(rest.phase(), Phase::resting);
    EXPECT_EQ(rest.valid_until(), k_inf);
    EXPECT_NEAR(rest.position_at(1e6).y(), 0.5 * v * v / a, 1e-13);
    EXPECT_EQ(rest.velocity_at(1e6), Vec3::Zero());
    EXPECT_EQ(rest.at(1e6).angular_velocity, Vec3::Zero());
    // a top without speed spins, then rests
    start.velocity.setZero();
    start.angular_velocity = Vec3(0.0, 0.0, -40.0);
    const SphereOnPlane top(contact, start, 0.0);
    EXPECT_EQ(top.phase(), Phase::spinning);
    EXPECT_NEAR(top.valid_until(), 40.0 / decay, 1e-13);
    EXPECT_EQ(top.next().phase(), Phase::resting);
    EXPECT_EQ(top.next().valid_until(), k_inf);
    // it has turned by w^2 / (2 decay)
    const double turned = -40.0 * 40.0 / (2.0 * decay);
    const Quat expected(std::cos(0.5 * turned), 0.0, 0.0, std::sin(0.5 * turned));
    EXPECT_LE((top.end_state().orientation.conjugate() * expected).vec().norm(), 1e-12);
}

// A belt is a still floor seen from a moving frame.
TEST(SphereOnPlane, BeltIsAGalileanFrame) {
    Random random(612);
    for (int i = 0; i < 50; ++i) {
        const SphereCase still = random_case(random, i % 2 == 0, false);
        SphereContact moving = still.contact;
        const Vec3 V = random_vector(random, 3.0);
        moving.plane.velocity = V;
        moving.plane.time = still.t0;
        State start = still.state;
        start.velocity += V;
        SphereOnPlane a(still.contact, still.state, still.t0);
        SphereOnPlane b(moving, start, still.t0);
        for (int k = 0; k < 3; ++k) {
            ASSERT_EQ(a.phase(), b.phase());
            const double end = std::min({a.valid_until(), b.valid_until(), a.start_time() + 2.0});
            EXPECT_NEAR(std::min(b.valid_until(), 1e9), std::min(a.valid_until(), 1e9), 1e-11);
            for (const double part : {0.3, 1.0}) {
                const double t = a.start_time() + part * (end - a.start_time());
                const Vec3 shift = (t - still.t0) * V;
                EXPECT_LE((b.position_at(t) - a.position_at(t) - shift).norm(), 1e-11);
                EXPECT_LE((b.velocity_at(t) - a.velocity_at(t) - V).norm(), 1e-11);
            }
            if (!(a.valid_until() < k_inf)) break;
            a = a.next();
            b = b.next();
        }
    }
}

// A sphere with rolling friction rides on a platter as far out as it holds.
TEST(SphereOnPlane, RidesOnAPlatter) {
    SphereContact contact = level_contact(0.05, 0.4);
    contact.mu = 0.5;
    contact.mu_roll = 0.02 * 0.05;
    contact.plane.turn_rate = 1.5;
    const double farthest = 0.02 * k_g / (1.5 * 1.5);
    for (const double part : {0.999, 1.001}) {
        const Vec3 x(part * farthest, 0.0, 0.05);
        const State start{x, Quat::Identity(), 1.5 * Vec3::UnitZ().cross(x), Vec3(0, 0, 1.5)};
        const SphereOnPlane ride(contact, start, 0.0);
        EXPECT_EQ(ride.phase(), part < 1.0 ? Phase::resting : Phase::rolling);
        if (part > 1.0) continue;
        EXPECT_EQ(ride.valid_until(), k_inf);
        const Vec3 now(part * farthest * std::cos(7.5), part * farthest * std::sin(7.5), 0.05);
        EXPECT_LE((ride.position_at(5.0) - now).norm(), 1e-15);
        EXPECT_NEAR(ride.contact_at(5.0).friction.norm(), contact.mass * 2.25 * x.x(), 1e-14);
    }
}

TEST(SphereOnPlane, RefusesWhatItCannotDo) {
    const SphereContact good = level_contact(0.1, 0.4);
    const State state = at_rest(good, Vec3(1.0, 0.0, 0.0));
    const auto refused = [&](auto change) {
        SphereContact contact = good;
        change(contact);
        EXPECT_THROW(SphereOnPlane(contact, state, 0.0), std::invalid_argument);
    };
    refused([](SphereContact& c) { c.radius = 0.0; });
    refused([](SphereContact& c) { c.mass = -1.0; });
    refused([](SphereContact& c) { c.moment = 0.7 * c.mass * c.radius * c.radius; });
    refused([](SphereContact& c) { c.mu = std::nan(""); });
    refused([](SphereContact& c) { c.mu_roll = -1e-3; });
    refused([](SphereContact& c) { c.mu_spin = k_inf; });
    refused([](SphereContact& c) { c.gravity = Vec3::Zero(); });
    refused([](SphereContact& c) { c.gravity = Vec3(0.0, 0.0, 9.81); });
    refused([](SphereContact& c) { c.gravity = Vec3(9.81, 0.0, 0.0); });
    refused([](SphereContact& c) { c.plane.normal = Vec3::Zero(); });
    refused([](SphereContact& c) { c.plane.point.z() = 1e-3; });
    refused([](SphereContact& c) { c.plane.turn_rate = k_inf; });
    const SphereOnPlane slide(good, state, 0.0);
    EXPECT_THROW(slide.at(-1e-3), std::invalid_argument);
    EXPECT_THROW(slide.at(slide.valid_until() + 1e-3), std::invalid_argument);
    EXPECT_THROW(slide.next().end_state(), std::invalid_argument);
    EXPECT_THROW(SphereOnPlane(good, state, k_inf), std::invalid_argument);
}

// A little gap and a little approach are taken away, and said.
TEST(SphereOnPlane, SaysWhatItRemoved) {
    const SphereContact contact = level_contact(0.1, 0.4);
    State state = at_rest(contact, Vec3(1.0, 0.0, -3e-4));
    state.position.z() += 5e-9;
    const SphereOnPlane slide(contact, state, 0.0);
    EXPECT_NEAR(slide.removed().height, 5e-9, 1e-17);
    EXPECT_NEAR(slide.removed().speed, -3e-4, 1e-19);
    EXPECT_EQ(slide.velocity_at(0.01).z(), 0.0);
    EXPECT_NEAR(slide.position_at(0.01).z(), 0.1, 1e-17);
}

}  // namespace
}  // namespace carom::tests
