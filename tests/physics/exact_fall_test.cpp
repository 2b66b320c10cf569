// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One free body that swings, rocks and falls on fixed ones, against quadratures of the textbook
// equations, which use nothing of the program.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactFall : public ExactContact {};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactFall, k_yaws, name_of_yaw);

// Simpson's rule.
double integral(double from, double to, const std::function<long double(long double)>& f) {
    constexpr int pieces = 4000;
    const long double h = (static_cast<long double>(to) - from) / (2 * pieces);
    long double sum = f(from) + f(to);
    for (int i = 1; i < 2 * pieces; ++i)
        sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
    return static_cast<double>(sum * h / 3);
}

// The time from rest at q0 to q1 of 1/2 M(q) q'^2 = drop(q0, q): with q = q0 + s^2 the integrand is
// smooth; at s = 0 it is the limit, given by the slope of the drop there.
double fall_time(double q0, double q1, double slope,
                 const std::function<long double(long double)>& M,
                 const std::function<long double(long double)>& drop) {
    return integral(0.0, std::sqrt(q1 - q0), [&](long double s) {
        const long double q = q0 + s * s;
        if (s < 1e-9L) return std::sqrt(2 * M(q) / slope);
        return 2 * s * std::sqrt(M(q) / (2 * drop(q)));
    });
}

// Rolling without slip brings the contact R theta along the plank, whose centre is at
// (R + b) n - R theta t: m (b^2 + R^2 theta^2) theta'^2 / 2 + I theta'^2 / 2 + m g z = const.
struct Plank {
    double R = 0.3, b = 0.02, length = 0.8, m = 1.3;
    double I = m * (length * length + 4.0 * b * b) / 12.0;
    Vec3 centre(double q) const {
        const Vec3 n(std::sin(q), 0, std::cos(q)), t(std::cos(q), 0, -std::sin(q));
        return (R + b) * n - R * q * t;
    }
    double period(double q0) const {
        const auto rate = [&](long double phi) {
            const long double q = q0 * std::sin(phi), top = q0;
            // z(q0) - z(q), with q0 - q = 2 q0 sin^2((pi/2 - phi) / 2)
            const long double half = std::sin((std::numbers::pi_v<long double> / 2 - phi) / 2);
            const long double gap = 2 * top * half * half;
            const long double dcos = -2 * std::sin((top + q) / 2) * std::sin(gap / 2);
            const long double dsin = 2 * std::cos((top + q) / 2) * std::sin(gap / 2);
            const long double dz = (R + b) * dcos + R * (gap * std::sin(top) + q * dsin);
            const long double M = I + m * (b * b + R * R * q * q);
            return top * std::cos(phi) * std::sqrt(M / (2 * m * k_gravity * dz));
        };
        // by the midpoint rule, which is exact to rounding for what is even and periodic
        constexpr int k_points = 400;
        long double sum = 0;
        for (int i = 0; i < k_points; ++i)
            sum += rate((i + 0.5L) * std::numbers::pi_v<long double> / 2 / k_points);
        return static_cast<double>(4 * sum * std::numbers::pi_v<long double> / 2 / k_points);
    }
    double energy(const motion::State& s) const {
        return 0.5 * m * s.velocity.squaredNorm() + 0.5 * I * s.angular_velocity.squaredNorm() +
               m * k_gravity * s.position.z();
    }
};

class ExactPlank : public ExactContact {};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactPlank, k_yaws, name_of_yaw);

TEST_P(ExactPlank, RocksOnALog) {
    const Plank plank;
    const double q0 = 2.0 * k_degree, T = plank.period(q0);
    World world = make(1.0);
    const BodyId body =
        add(world, {.name = "plank",
                    .shape = shared(shape::make_box({plank.length, 0.2, 2.0 * plank.b})),
                    .pose = at(plank.centre(q0), Vec3::UnitY(), q0),
                    .mass = plank.m});
    add(world, {.name = "log",
                .shape = shared(shape::make_cylinder(plank.R, 0.5)),
                .pose = at(Vec3::Zero(), Vec3::UnitX(), 0.5 * pi),
                .fixed = true});
    Log log;
    const double E0 = plank.energy(state(world, body));
    const double swing = E0 - plank.m * k_gravity * (plank.R + plank.b);
    double late = 0.0, off = 0.0, energy = 0.0;
    // it is level at T/4 and every half period after
    for (int k = 0; (0.25 + 0.5 * k) * T < 20.0; ++k) {
        world.run((0.25 + 0.5 * k) * T, &log);
        const motion::State s = state(world, body);
        const double q = 2.0 * std::atan2(s.orientation.y(), s.orientation.w());
        late = std::max(late, std::abs(q / s.angular_velocity.y()) / T);
        off = std::max(off, (s.position - plank.centre(q)).norm() / plank.R);
        energy = std::max(energy, std::abs(plank.energy(s) - E0) / swing);
    }
    world.run(20.0, &log);
    energy = std::max(energy, std::abs(plank.energy(state(world, body)) - E0) / swing);
    expect_below("late in periods", late, k_exact);
    expect_below("off its place", off, k_exact);
    // the swing is some q0^2 of the energy that steps are exact to
    expect_below("energy of the swing", energy, 1e-7);
    expect_exact(world, log);
}

// Housner: I_edge q'' = -m g R sin(alpha - q), and at each impact the rate keeps 1 - 3/2 sin^2
// alpha.
struct Rocking {
    explicit Rocking(double degrees) : alpha(degrees * k_degree) {}
    double alpha, R = 0.5, m = 2.0, p2 = 0.75 * k_gravity / R;
    double keeps = std::pow(1.0 - 1.5 * std::pow(std::sin(alpha), 2), 2);  // of the energy
    Vec3 size{2.0 * R * std::sin(alpha), 0.3, 2.0 * R* std::cos(alpha)};
    // at the first impact: m g R (cos(alpha - q0) - cos(alpha))
    double kinetic(double q0) const {
        return 2.0 * m * k_gravity * R * std::sin(alpha - 0.5 * q0) * std::sin(0.5 * q0);
    }
    double first_impact(double q0) const {
        const double from = alpha - q0;
        return fall_time(
            from, alpha, p2 * std::sin(from), [](long double) { return 1.0L; },
            [&](long double q) {
                return 2 * p2 * std::sin((q + from) / 2) * std::sin((q - from) / 2);
            });
    }
};

class ExactRocking : public ExactFall {
protected:
    // Let go at the tilt q0, until six impacts.
    void rock(double degrees, double q0, impact::MultipleId multiple) const {
        SCOPED_TRACE(degrees);
        const Rocking block(degrees);
        world::Settings settings;
        settings.multiple = multiple;
        World world(settings, contacts(0.0, 1.0));
        // about its edge at the origin
        const motion::Quat tilt = turned_by(q0, Vec3::UnitY());
        const Vec3 centre(-0.5 * block.size.x(), 0.0, 0.5 * block.size.z());
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(shape::make_box(block.size)),
                                        .pose = {tilt * centre, tilt},
                                        .mass = block.m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        double kinetic = block.kinetic(q0);
        // what was lost at each time
        std::vector<std::pair<double, double>> lost;
        std::size_t seen = 0;
        for (double t = 0.05; t < 4.0 && lost.size() < 6; t += 0.05) {
            world.run(t, &log);
            for (; seen < log.events.size(); ++seen) {
                const Event& event = log.events[seen];
                if (event.energy_lost < 1e-6 * kinetic || event.a != body) continue;
                if (lost.empty() || event.t > lost.back().first + 1e-6)
                    lost.push_back({event.t, 0});
                lost.back().second += event.energy_lost;
            }
        }
        ASSERT_GE(lost.size(), 6U);
        double worst = 0.0;
        for (std::size_t k = 0; k < 5; ++k) {
            const double part = lost[k].second / kinetic;
            worst = std::max(worst, std::abs((1.0 - part) - block.keeps));
            const double ratio = lost[k + 1].second / lost[k].second;
            worst = std::max(worst, std::abs(ratio / block.keeps - 1.0));
            kinetic *= block.keeps;
        }
        const std::string name = std::to_string(static_cast<int>(degrees));
        expect_below(("kept at " + name).c_str(), worst, k_exact);
        expect_close(("first impact at " + name).c_str(), lost[0].first, block.first_impact(q0),
                     k_exact);
        expect_exact(world, log);
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactRocking, k_yaws, name_of_yaw);

// With tilts at which the edge lands so slowly (m/s) that it is set down.
TEST_P(ExactRocking, SlowEdgesAreSetDown) {
    const double u = 0.02;
    for (const double degrees : {3.0, 5.0, 8.0, 12.0, 15.0}) {
        const Rocking block(degrees);
        const double width = block.size.x();
        const double q0 = u * u / (2.0 * block.p2 * std::sin(block.alpha) * width * width);
        rock(degrees, std::min(0.5 * block.alpha, q0), impact::MultipleId::sequential);
    }
}

// Impacts of both corners of the edge at one instant.
TEST_P(ExactRocking, CoupledImpactsOfAnEdge) {
    for (const double degrees : {3.0, 5.0, 8.0, 12.0, 15.0})
        rock(degrees, 0.5 * degrees * k_degree, impact::MultipleId::coupled);
}

TEST_P(ExactRocking, ImpactsOfAnEdgeInSequence) {
    for (const double degrees : {3.0, 5.0, 8.0, 12.0, 15.0})
        rock(degrees, 0.5 * degrees * k_degree, impact::MultipleId::sequential);
}

TEST_P(ExactRocking, SimultaneousImpactsOfAnEdge) {
    for (const double degrees : {3.0, 5.0, 8.0, 12.0, 15.0})
        rock(degrees, 0.5 * degrees * k_degree, impact::MultipleId::simultaneous);
}

// A rod on a smooth floor: its centre falls straight down from z(q0) to z(q), and
// (I + m z'(q)^2) q'^2 / 2 + m g z(q) = const.
TEST_P(ExactFall, ARodFallsOnASmoothFloor) {
    const double q0 = 1.0 * k_degree, m = 0.7;
    struct Rod {
        const char* name;
        shape::Shape shape;
        double I, half, width, radius;  // z = half cos q + width sin q + radius
    };
    const double r = 0.02, L = 0.8;  // of the capsule
    const double m_tube = m * L / (L + 4.0 * r / 3.0), m_caps = m - m_tube;
    const double I_capsule = m_tube * (L * L / 12.0 + r * r / 4.0) +
                             m_caps * (0.4 * r * r + L * L / 4.0 + 0.375 * L * r);
    const double w = 0.01, H = 1.0;  // of the box
    for (const Rod& rod : {Rod{"capsule", shape::make_capsule(r, L), I_capsule, 0.5 * L, 0.0, r},
                           Rod{"box", shape::make_box({w, 0.02, H}), m * (w * w + H * H) / 12.0,
                               0.5 * H, 0.5 * w, 0.0}}) {
        SCOPED_TRACE(rod.name);
        World world = make(0.0);
        const double z0 = rod.half * std::cos(q0) + rod.width * std::sin(q0) + rod.radius;
        const BodyId body = add(world, {.name = "rod",
                                        .shape = shared(rod.shape),
                                        .pose = at({0.1, 0, z0}, Vec3::UnitY(), q0),
                                        .mass = m});
        add_plane(world, Vec3::UnitZ());
        const double mg = m * k_gravity;
        const auto M = [&](long double q) {
            const long double dz = -rod.half * std::sin(q) + rod.width * std::cos(q);
            return rod.I + m * dz * dz;
        };
        const auto drop = [&](long double q) {
            const long double mid = (q + q0) / 2, by = std::sin((q - q0) / 2);
            return 2 * mg * by * (rod.half * std::sin(mid) - rod.width * std::cos(mid));
        };
        const double slope = mg * (rod.half * std::sin(q0) - rod.width * std::cos(q0));
        const double flat = fall_time(q0, 0.5 * pi, slope, M, drop);
        Log log;
        world.run(flat + 0.5, &log);
        double first = 0.0;
        for (const Event& event : log.events) {
            if (event.energy_lost > 1e-3 * mg * rod.half && first == 0.0) first = event.t;
        }
        expect_close((std::string("flat ") + rod.name).c_str(), first, flat, k_exact);
        const Vec3 there = state(world, body).position;
        expect_below((std::string("moved aside ") + rod.name).c_str(),
                     std::hypot(there.x() - 0.1, there.y()), 1e-9);
        expect_exact(world, log);
    }
}

}  // namespace
}  // namespace carom::tests
