// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/motion/sphere_on_plane.h"
#include "tests/motion/comparisons.h"
#include "tests/motion/sphere_cases.h"
#include "tests/motion/sphere_reference.h"

namespace carom::tests {
namespace {

using motion::Quat;
using motion::SphereContact;
using motion::SphereOnPlane;
using motion::State;
using Phase = SphereOnPlane::Phase;

Vec3 surface_velocity(const SphereContact& c, const Vec3& point, double t) {
    const Vec3 n = c.plane.normal.normalized();
    const Vec3 origin = c.plane.point + (t - c.plane.time) * c.plane.velocity;
    return c.plane.velocity + c.plane.turn_rate * n.cross(point - origin);
}

struct Scales {
    double length, speed, time;
};

Scales scales_of(const SphereContact& c, const State& state) {
    const double speed = state.velocity.norm() + c.radius * state.angular_velocity.norm() +
                         std::abs(c.plane.turn_rate) * state.position.norm() + 1e-3;
    const double g = c.gravity.norm();
    return {state.position.norm() + speed * speed / g, speed, speed / g};
}

// Newton's and Euler's equations and the laws of friction at one time of a segment, with the rates
// taken from the states by differences of fourth order.
void obeys(const SphereOnPlane& m, double t, double h, double tolerance) {
    const SphereContact& c = m.contact();
    const Vec3 n = c.plane.normal.normalized();
    const State now = m.at(t);
    const auto rate = [&](auto value) {
        return Vec3((8.0 * (value(t + h) - value(t - h)) - (value(t + 2 * h) - value(t - 2 * h))) /
                    (12.0 * h));
    };
    const Vec3 v = rate([&](double s) { return m.position_at(s); });
    const Vec3 a = rate([&](double s) { return m.velocity_at(s); });
    const Vec3 alpha = rate([&](double s) { return m.angular_velocity_at(s); });
    const auto force = m.contact_at(t);
    const double g = c.gravity.norm();
    const double speed = scales_of(c, now).speed;
    EXPECT_LE((v - now.velocity).norm(), tolerance * speed);
    const double N = force.normal_force.norm();
    EXPECT_LE((c.mass * (a - c.gravity) - force.normal_force - force.friction).norm(),
              tolerance * c.mass * g);
    const Vec3 lever = -c.radius * n;
    EXPECT_LE((c.moment * alpha - lever.cross(force.friction) - force.torque).norm(),
              tolerance * c.mass * g * c.radius);
    // at one radius from the plane, whose velocity along the normal it has
    const Vec3 origin = c.plane.point + (t - c.plane.time) * c.plane.velocity;
    EXPECT_NEAR(n.dot(now.position - origin), c.radius, 1e-14 * (1.0 + now.position.norm()));
    EXPECT_LE((force.point - now.position - lever).norm(), 1e-14 * (1.0 + now.position.norm()));
    EXPECT_NEAR(n.dot(force.normal_force), N, 1e-14 * N);
    EXPECT_NEAR(N, -c.mass * n.dot(c.gravity), 1e-13 * N);

    const Vec3 u =
        now.velocity + now.angular_velocity.cross(lever) - surface_velocity(c, force.point, t);
    if (m.phase() == Phase::sliding) {
        EXPECT_LE((force.friction + c.mu * N * u.normalized()).norm(), tolerance * c.mu * N);
    } else {
        EXPECT_LE(u.norm(), 1e-12 * speed);
        EXPECT_LE(force.friction.norm(), c.mu * N * (1.0 + 1e-9));
    }
    // rolling and spinning friction
    const double spin = n.dot(now.angular_velocity) - c.plane.turn_rate;
    const bool spins = std::abs(spin) > 1e-12 * now.angular_velocity.norm();
    const Vec3 across = now.angular_velocity - n.dot(now.angular_velocity) * n;
    const Vec3 roll = force.torque - n.dot(force.torque) * n;
    const double nothing = 1e-13 * N * c.radius;
    const double spin_torque = spins ? -c.mu_spin * N * (spin > 0.0 ? 1.0 : -1.0) : 0.0;
    EXPECT_NEAR(n.dot(force.torque), spin_torque, nothing);
    EXPECT_LE(roll.norm(), c.mu_roll * N * (1.0 + 1e-9) + nothing);
    if (m.phase() == Phase::sliding) {
        EXPECT_LE(roll.norm(), nothing);
    } else if (m.phase() == Phase::rolling) {
        const Vec3 against = roll + roll.norm() * across.normalized();
        EXPECT_LE(against.norm(), tolerance * c.mu_roll * N + nothing);
    }
    // orientation and angular velocity belong together
    const Quat before = m.at(t - h).orientation;
    const Quat after = m.at(t + h).orientation;
    const Vec3 turned = (after * before.conjugate()).vec() / h;
    const double w = now.angular_velocity.norm();
    const Quat sign = after * before.conjugate();
    EXPECT_LE(((sign.w() < 0.0 ? -turned : turned) - now.angular_velocity).norm(),
              h * h * (w * w * w + alpha.norm() * w + 1.0) + 1e-7 * (1.0 + w));
}

void follow(const SphereCase& start, int segments, double longest) {
    SphereOnPlane m(start.contact, start.state, start.t0);
    Random random(77);
    for (int k = 0; k < segments; ++k) {
        SCOPED_TRACE(testing::Message() << name_of(m.phase()) << " from " << m.start_time()
                                        << " to " << m.valid_until());
        const double end = std::min(m.valid_until(), m.start_time() + longest);
        const double length = end - m.start_time();
        if (length > 1e-6) {
            for (int i = 0; i < 3; ++i) {
                const double part = random.uniform(0.05, 0.9);
                obeys(m, m.start_time() + part * length, 1e-4 * length, 2e-7);
            }
        }
        if (!(m.valid_until() < m.start_time() + 20.0)) break;
        // the next segment starts where this one ends
        const State last = m.at(m.valid_until());
        const State end_state = m.end_state();
        Scales scale = scales_of(start.contact, start.state);
        scale.length += last.position.norm();
        scale.speed += last.velocity.norm();
        EXPECT_LE((last.position - end_state.position).norm(), 1e-13 * scale.length);
        EXPECT_LE((last.velocity - end_state.velocity).norm(), 1e-11 * scale.speed);
        const SphereOnPlane next = m.next();
        EXPECT_LE((next.position_at(next.start_time()) - end_state.position).norm(),
                  2e-14 * scale.length);
        EXPECT_LE((next.velocity_at(next.start_time()) - end_state.velocity).norm(),
                  1e-13 * scale.speed);
        m = next;
    }
}

TEST(SphereLaws, HoldOnStillPlanes) {
    Random random(621);
    for (int i = 0; i < 150; ++i) {
        SCOPED_TRACE(i);
        follow(random_case(random, i % 2 == 0, false), 6, 3.0);
    }
}

TEST(SphereLaws, HoldOnTurningPlanes) {
    Random random(622);
    for (int i = 0; i < 80; ++i) {
        SCOPED_TRACE(i);
        follow(random_case(random, i % 2 == 0, true), 6, 3.0);
    }
}

// A slide against an integration that knows none of the closed forms.
void compare(const SphereCase& start, double step, double tolerance) {
    const SphereOnPlane m(start.contact, start.state, start.t0);
    ASSERT_EQ(m.phase(), Phase::sliding);
    const double length = std::min(m.valid_until() - start.t0, 2.0);
    SlidingReference reference(start.contact, start.state, start.t0);
    const Scales scale = scales_of(start.contact, start.state);
    for (const double part : {0.5, 0.99}) {
        const double t = start.t0 + part * length;
        reference.run_to(t, step * length);
        const State now = m.at(t);
        EXPECT_LE((now.position - reference.position()).norm(), tolerance * scale.length);
        EXPECT_LE((now.velocity - reference.velocity()).norm(), tolerance * scale.speed);
        EXPECT_LE((now.angular_velocity - reference.angular_velocity()).norm(),
                  tolerance * scale.speed / start.contact.radius);
        const double turned = 2.0 * length / start.contact.radius * scale.speed;
        EXPECT_LE((now.orientation.conjugate() * reference.orientation()).vec().norm(),
                  tolerance * (1.0 + turned));
    }
}

TEST(SphereLaws, SlidesAgreeWithIntegration) {
    Random random(623);
    int compared = 0;
    for (int i = 0; compared < 12; ++i) {
        SphereCase start = random_case(random, false, compared % 2 == 1);
        start.contact.mu_spin = 0.0;
        const SphereOnPlane m(start.contact, start.state, start.t0);
        // the integration needs the spin to be slow
        if (start.contact.radius < 0.1 || !(m.valid_until() < start.t0 + 2.0)) continue;
        SCOPED_TRACE(i);
        compare(start, 1e-3, 2e-11);
        ++compared;
    }
}

struct Work {
    double sum, size;
};

Work operator+(const Work& a, const Work& b) {
    return {a.sum + b.sum, a.size + b.size};
}

// What the plane does to the sphere per unit of time.
double power(const SphereOnPlane& m, double t) {
    const auto force = m.contact_at(t);
    const Vec3 w = m.angular_velocity_at(t);
    const auto centre = m.centre_at(t);
    const Vec3 at_contact = centre.velocity + w.cross(force.point - centre.position);
    return (force.friction + force.normal_force).dot(at_contact) + force.torque.dot(w);
}

// Gauss's rule with five points.
Work gauss(const SphereOnPlane& m, double from, double to) {
    constexpr std::array<double, 5> k_node{-0.9061798459386640, -0.5384693101056831, 0.0,
                                           0.5384693101056831, 0.9061798459386640};
    constexpr std::array<double, 5> k_weight{0.2369268850561891, 0.4786286704993665,
                                             0.5688888888888889, 0.4786286704993665,
                                             0.2369268850561891};
    Work out{0.0, 0.0};
    for (std::size_t j = 0; j < 5; ++j) {
        const double value = power(m, 0.5 * (from + to) + 0.5 * (to - from) * k_node[j]);
        out = out + Work{0.5 * (to - from) * k_weight[j] * value,
                         0.5 * (to - from) * k_weight[j] * std::abs(value)};
    }
    return out;
}

// Halved until both halves agree with the whole: the direction of slip may turn fast.
Work work(const SphereOnPlane& m, double from, double to, const Work& whole, double slack,
          int depth) {
    const double middle = 0.5 * (from + to);
    const Work first = gauss(m, from, middle);
    const Work second = gauss(m, middle, to);
    const Work both = first + second;
    if (depth == 0 || std::abs(both.sum - whole.sum) <= slack) return both;
    return work(m, from, middle, first, slack, depth - 1) +
           work(m, middle, to, second, slack, depth - 1);
}

// The energy of the sphere changes by the work of the forces and the torque of the plane.
TEST(SphereLaws, EnergyBalances) {
    Random random(624);
    for (int i = 0; i < 60; ++i) {
        const SphereCase start = random_case(random, i % 2 == 0, i % 4 > 1);
        const SphereContact& c = start.contact;
        SphereOnPlane m(c, start.state, start.t0);
        const auto energy = [&](double t) {
            const auto centre = m.centre_at(t);
            return 0.5 * c.mass * centre.velocity.squaredNorm() +
                   0.5 * c.moment * m.angular_velocity_at(t).squaredNorm() -
                   c.mass * c.gravity.dot(centre.position);
        };
        for (int k = 0; k < 4; ++k) {
            SCOPED_TRACE(testing::Message() << i << " " << name_of(m.phase()));
            const double t0 = m.start_time();
            const double t1 = std::min(m.valid_until(), t0 + 0.5);
            const double scale =
                std::abs(energy(t0)) + std::abs(energy(t1)) + c.mass * scales_of(c, m.at(t0)).speed;
            const Work done = work(m, t0, t1, gauss(m, t0, t1), 1e-13 * scale, 30);
            EXPECT_NEAR(energy(t1) - energy(t0), done.sum, 1e-11 * (scale + done.size));
            if (!(m.valid_until() < t0 + 50.0)) break;
            m = m.next();
        }
    }
}

}  // namespace
}  // namespace carom::tests
