// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Painleve's rod: it slides on a rough floor, its lower end ahead. With A = -g + w^2 h what the end
// would be accelerated by without a force and B N what the force N does, N = -A / B, unless B <= 0.
// For a thin uniform rod that is so for no angle below mu = 4/3.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "tests/physics/exact_contact.h"
#include "tests/physics/planar.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

// A thin rod with round ends that leans to +x by q from the upright. (One with an edge would have
// two corners below, and more motions than the planar one.)
struct Rod {
    double L = 1.0, r = 0.004, m = 0.8, a = 0.5 * L;
    double m_tube = m * L / (L + 4.0 * r / 3.0), m_caps = m - m_tube;
    double I = m_tube * (L * L / 12.0 + r * r / 4.0) +
               m_caps * (0.4 * r * r + L * L / 4.0 + 0.375 * L * r);
    std::vector<Eigen::Vector2d> ends{{0.0, -a}, {0.0, a}};
    Eigen::Vector2d foot(double q) const { return {-a * std::sin(q), -a * std::cos(q) - r}; }
    // The end slides at v, the rod turns at `rate`.
    Planar::Y start(double q, double v, double rate) const {
        const Eigen::Vector2d f = foot(q);
        return {0, -f.y(), q, v - rate * f.y(), rate * f.x(), rate};
    }
    // Of an end that slides to -x.
    double B(double q, double mu) const {
        const Eigen::Vector2d f = foot(q);
        return 1.0 / m + f.x() * (f.x() - mu * f.y()) / I;
    }
    // Where B is zero between two leans.
    double border(double mu, double positive, double negative) const {
        for (int i = 0; i < 100; ++i) {
            const double q = 0.5 * (positive + negative);
            (B(q, mu) > 0.0 ? positive : negative) = q;
        }
        return positive;
    }
    world::BodySpec spec(const Planar::Y& y) const {
        return {.name = "rod",
                .shape = shared(shape::make_capsule(r, L)),
                .pose = at({y[0], 0, y[1]}, Vec3::UnitY(), y[2]),
                .velocity = {y[3], 0, y[4]},
                .angular_velocity = {0, y[5], 0},
                .mass = m};
    }
};

class ExactPainleve : public ExactContact {
protected:
    double off(const World& world, BodyId body, const Planar::Y& y) const {
        const motion::State s = state(world, body);
        const double place = (s.position - Vec3(y[0], 0, y[1])).norm();
        const double turn = s.orientation.angularDistance(turned_by(y[2], Vec3::UnitY()));
        const double velocity = (s.velocity - Vec3(y[3], 0, y[4])).norm();
        const double rate = (s.angular_velocity - Vec3(0, y[5], 0)).norm();
        const double fast = 1.0 + std::abs(y[3]) + std::abs(y[4]) + std::abs(y[5]);
        return std::max({place, turn, velocity / fast, rate / fast});
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactPainleve, testing::Values(0.0, 0.0713), name_of_yaw);

TEST_P(ExactPainleve, BelowFourThirdsARodSlidesAtEveryAngle) {
    const Rod rod;
    for (const double mu : {0.6, 1.3}) {
        for (double degrees = 3.0; degrees < 88.0; degrees += 6.0) {
            for (const double v : {-3.0, 2.0}) {
                SCOPED_TRACE(std::to_string(mu) + " " + std::to_string(degrees) + " " +
                             std::to_string(v));
                ASSERT_GT(rod.B(degrees * k_degree, mu), 0.0);
                const Planar::Y start = rod.start(degrees * k_degree, v, 0.0);
                Planar truth(rod.m, rod.I, rod.ends, mu, 0.0, start, rod.r);
                truth.touch(0);
                World world = make(mu);
                const BodyId body = add(world, rod.spec(start));
                add_plane(world, Vec3::UnitZ());
                Log log;
                double worst = 0.0;
                for (const double t : {0.02, 0.1, 0.25}) {
                    while (truth.next(t) == Planar::Next::change) {
                    }
                    if (!truth.impacts().empty()) break;
                    world.run(t, &log);
                    worst = std::max(worst, off(world, body, truth.y()));
                }
                expect_below("off", worst, k_exact);
                expect_exact(world, log);
            }
        }
    }
}

// In the paradoxical range no force holds the end above the floor: there is an impact without a
// collision. It stops the slip, after which the end sticks: K p = -u.
TEST_P(ExactPainleve, AnImpactWithoutCollisionInTheParadoxicalRange) {
    const Rod rod;
    for (const double mu : {1.5, 2.0, 3.0}) {
        const double worst_lean = std::atan2(1.0, 2.0);  // tan of the elevation is 2 there
        const double steep = rod.border(mu, 0.0, worst_lean);
        const double flat = rod.border(mu, 0.5 * pi, worst_lean);
        // of a thin rod: tan of the elevation = (3 mu +- sqrt(9 mu^2 - 16)) / 2
        const double root = std::sqrt(9.0 * mu * mu - 16.0);
        EXPECT_NEAR(1.0 / std::tan(steep), 0.5 * (3.0 * mu + root), 0.5);
        EXPECT_NEAR(1.0 / std::tan(flat), 0.5 * (3.0 * mu - root), 0.05);
        for (const double q :
             {steep - 1e-3, steep + 1e-3, 0.5 * (steep + flat), flat - 1e-3, flat + 1e-3}) {
            SCOPED_TRACE(std::to_string(mu) + " " + std::to_string(q / k_degree));
            const double v = -2.0;
            Planar::Y start = rod.start(q, v, 0.0);
            World world = make(mu);
            const BodyId body = add(world, rod.spec(start));
            add_plane(world, Vec3::UnitZ());
            Log log;
            const double t = 1e-6;
            world.run(t, &log);
            double lost = 0.0;
            for (const Event& event : log.events)
                lost += event.energy_lost;
            if (rod.B(q, mu) > 0.0) {
                // but for what rounding leaves of the approach, which a force without end takes up
                expect_below("no impact outside the range", lost, 1e-3);
                Planar truth(rod.m, rod.I, rod.ends, mu, 0.0, start, rod.r);
                truth.touch(0);
                truth.next(t);
                expect_below("off outside", off(world, body, truth.y()), 1e-6);
                continue;
            }
            Planar truth(rod.m, rod.I, rod.ends, mu, 0.0, start, rod.r);
            const Eigen::Vector2d r = rod.foot(q), p = truth.impulse(r, {v, 0.0});
            start[3] += p.x() / rod.m;
            start[4] += p.y() / rod.m;
            start[5] += (r.y() * p.x() - r.x() * p.y()) / rod.I;
            // the end is at rest, so that this is also K p = -u
            EXPECT_LT(std::hypot(start[3] + start[5] * r.y(), start[4] - start[5] * r.x()), 1e-12);
            const double energy = -0.5 * p.x() * v;
            expect_close("lost", lost, energy, 1e-6);
            expect_below("off after", off(world, body, start), 1e-4);
            Planar then(rod.m, rod.I, rod.ends, mu, 0.0, start, rod.r);
            then.touch(0);
            then.next(0.1);
            world.run(then.t(), &log);
            expect_below("off later", off(world, body, then.y()), k_exact);
            expect_balanced(world);
        }
    }
}

// Whatever happens in and near the range: energy never rises, nothing passes into the floor, and
// the run ends.
TEST_P(ExactPainleve, RodsWithMuchFrictionGainNothing) {
    const Rod rod;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    for (int k = 0; k < 25; ++k) {
        const double mu = 1.4 + 2.0 * any(random), e = k % 2 == 0 ? 0.0 : 0.5 * any(random);
        const double q = (5.0 + 75.0 * any(random)) * k_degree, v = -4.0 + 3.0 * any(random);
        SCOPED_TRACE("mu " + std::to_string(mu) + " q " + std::to_string(q) + " v " +
                     std::to_string(v) + " e " + std::to_string(e));
        const Planar::Y start = rod.start(q, v, -2.0 + 4.0 * any(random));
        World world = make(mu, e);
        const BodyId body = add(world, rod.spec(start));
        add_plane(world, Vec3::UnitZ());
        Log log;
        const auto energy = [&] {
            return world::energy(world.body(body), world.state(body), world.settings().gravity);
        };
        double last = energy(), gained = 0.0;
        const double scale = last;
        for (int i = 1; i <= 100; ++i) {
            world.run(0.01 * i, &log);
            gained = std::max(gained, energy() - last);
            last = energy();
        }
        expect_below("gained", gained / scale, 1e-10);
        expect_balanced(world);
    }
}

}  // namespace
}  // namespace carom::tests
