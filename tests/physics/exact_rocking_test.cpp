// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Blocks that rock on their edges and prisms that roll over theirs, against Housner's ratio and an
// independent planar reference.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/physics/exact_contact.h"
#include "tests/physics/planar.h"

namespace carom::tests {
namespace {

using std::numbers::pi;
using Vec2 = Eigen::Vector2d;

// A prism whose cross-section in x and z is this polygon, counterclockwise; moments by Green's
// theorem, about the centroid.
struct Prism {
    Prism(std::vector<Vec2> corners_, double mass, double depth_ = 0.3)
        : corners(std::move(corners_)), m(mass), depth(depth_) {
        double area = 0.0;
        Vec2 first(0, 0);
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec2 &a = corners[k], &b = corners[(k + 1) % corners.size()];
            const double d = a.x() * b.y() - a.y() * b.x();
            area += 0.5 * d;
            first += d / 6.0 * (a + b);
        }
        for (Vec2& p : corners)
            p -= first / area;
        double polar = 0.0;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec2 &a = corners[k], &b = corners[(k + 1) % corners.size()];
            const double d = a.x() * b.y() - a.y() * b.x();
            polar += d / 12.0 * (a.dot(a) + a.dot(b) + b.dot(b));
        }
        I = m * polar / area;
    }
    shape::Shape shape() const {
        std::vector<Vec3> points;
        for (const Vec2& p : corners)
            for (const double y : {-0.5 * depth, 0.5 * depth})
                points.push_back({p.x(), y, p.y()});
        return shape::make_hull(points);
    }
    // Turned by q about y, its lowest corner on the floor at x = 0.
    Vec2 centre(double q, std::size_t corner) const {
        const Vec2& b = corners[corner];
        return {-b.x() * std::cos(q) - b.y() * std::sin(q),
                b.x() * std::sin(q) - b.y() * std::cos(q)};
    }
    std::vector<Vec2> corners;
    double m, depth, I = 0.0;
};

// A block with the lower and upper width b and t and the height H; corners 0 and 1 are below.
Prism block(double b, double t, double H, double m) {
    return Prism({{-0.5 * b, 0}, {0.5 * b, 0}, {0.5 * t, H}, {-0.5 * t, H}}, m);
}

class ExactRockers : public ExactContact {
protected:
    // What was lost at each time.
    static std::vector<std::pair<double, double>> losses(const Log& log, double least) {
        std::vector<std::pair<double, double>> lost;
        for (const Event& event : log.events) {
            if (event.energy_lost < least) continue;
            if (lost.empty() || event.t > lost.back().first + 1e-7) lost.push_back({event.t, 0.0});
            lost.back().second += event.energy_lost;
        }
        return lost;
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactRockers, testing::Values(0.0, 0.0713), name_of_yaw);

// About the new edge the angular momentum stays: the rate keeps (I + m r_A . r_B) / (I + m r^2),
// which is 1 - 3/2 sin^2 alpha for a box.
TEST_P(ExactRockers, TwentyShapesKeepHousnersRatio) {
    std::vector<Prism> shapes;
    for (int k = 0; k < 10; ++k) {
        const double alpha = (4.0 + 2.5 * k) * k_degree, R = 0.1 * std::pow(1.5, k % 5);
        shapes.push_back(block(2.0 * R * std::sin(alpha), 2.0 * R * std::sin(alpha),
                               2.0 * R * std::cos(alpha), 0.5 + 0.3 * k));
        const double expected = 1.0 - 1.5 * std::pow(std::sin(alpha), 2);
        const Prism& one = shapes.back();
        const double dot = one.corners[0].dot(one.corners[1]), r2 = one.corners[0].squaredNorm();
        EXPECT_NEAR((one.I + one.m * dot) / (one.I + one.m * r2), expected, 1e-13);
    }
    for (int k = 0; k < 10; ++k)
        shapes.push_back(
            block(0.1 + 0.01 * k, k % 2 == 0 ? 0.05 + 0.005 * k : 0.12, 0.3 + 0.05 * (k % 3), 1.0));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        SCOPED_TRACE(i);
        const Prism& one = shapes[i];
        const double dot = one.corners[0].dot(one.corners[1]), r2 = one.corners[0].squaredNorm();
        const double keeps = std::pow((one.I + one.m * dot) / (one.I + one.m * r2), 2);
        const double lean = std::atan2(one.corners[1].x(), -one.corners[1].y());
        const double q0 = 0.6 * lean;
        World world = make(1.0);
        const Vec2 c = one.centre(q0, 1);
        add(world, {.name = "block",
                    .shape = shared(one.shape()),
                    .pose = at({c.x(), 0, c.y()}, Vec3::UnitY(), q0),
                    .mass = one.m});
        add_plane(world, Vec3::UnitZ());
        double kinetic = one.m * k_gravity * (c.y() + one.corners[0].y());
        const double least = 1e-3 * kinetic * (1.0 - keeps) * std::pow(keeps, 9);
        Log log;
        std::vector<std::pair<double, double>> lost;
        for (double t = 0.5; t < 20.0 && lost.size() < 10; t += 0.5) {
            world.run(t, &log);
            lost = losses(log, least);
        }
        ASSERT_GE(lost.size(), 10U);
        double worst = 0.0;
        for (std::size_t k = 0; k < 10; ++k) {
            worst = std::max(worst, std::abs(lost[k].second / (kinetic * (1.0 - keeps)) - 1.0));
            kinetic *= keeps;
        }
        expect_below(("kept by shape " + std::to_string(i)).c_str(), worst, 1e-6);
        expect_exact(world, log);
    }
}

// With restitution and so little friction that edges slip it hops: impact by impact as the planar
// reference does, until they are so slow that contact lasts.
TEST_P(ExactRockers, BlocksThatHopAndSlip) {
    for (const auto& [b, H, mu, e, part] :
         {std::tuple(0.2, 0.5, 0.1, 0.6, 0.6), std::tuple(0.15, 0.45, 0.05, 0.8, 0.7),
          std::tuple(0.2, 0.4, 0.0, 0.5, 0.5), std::tuple(0.1, 0.5, 0.3, 0.9, 0.4)}) {
        SCOPED_TRACE("mu " + std::to_string(mu) + " e " + std::to_string(e));
        const Prism one = block(b, b, H, 1.3);
        const double q0 = part * std::atan2(b, H);
        const Vec2 c = one.centre(q0, 1);
        Planar truth(one.m, one.I, one.corners, mu, e, {c.x(), c.y(), q0, 0, 0, 0});
        truth.touch(1);
        World world = make(mu, e);
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(one.shape()),
                                        .pose = at({c.x(), 0, c.y()}, Vec3::UnitY(), q0),
                                        .mass = one.m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        const double slow = 5.0 * 0.003 * std::sqrt(k_gravity * 0.5 * std::hypot(b, H));
        double off = 0.0, late = 0.0;
        std::size_t count = 0;
        double last = 0.0;
        while (count < 8 && truth.go(5.0)) {
            const Planar::Impact& hit = truth.impacts().back();
            if (hit.approach < slow || (count > 0 && hit.t - last < 0.01)) break;
            ++count;
            last = hit.t;
            world.run(hit.t + 1e-9, &log);
            const motion::State s = state(world, body);
            const Planar::Y& y = truth.y();
            off = std::max({off, (s.position - Vec3(y[0], 0, y[1])).norm() / H,
                            (s.velocity - Vec3(y[3], 0, y[4])).norm(),
                            std::abs(s.angular_velocity.y() - y[5])});
            late = std::max(late, std::abs(log.events.back().t / hit.t - 1.0));
        }
        EXPECT_GE(count, 2U);
        expect_below("off", off, 1e-6);
        expect_below("late", late, 1e-6);
        expect_balanced(world);
    }
}

// A regular prism that rolls down a slope over its edges: between landings it gains m g side
// sin(slope), and each keeps k^2 = ((I + m R^2 cos(2 pi / n)) / (I + m R^2))^2 of the rest.
TEST_P(ExactRockers, PrismsRollOverTheirEdges) {
    const double R = 0.1, m = 1.0;
    for (const auto& [n, degrees, start] :
         {std::tuple(12, 10.0, 7.0), std::tuple(20, 4.0, 5.0), std::tuple(50, 1.0, 6.0),
          std::tuple(100, 0.0, 6.0), std::tuple(200, 0.0, 4.0)}) {
        SCOPED_TRACE(n);
        std::vector<Vec2> corners;
        for (int k = 0; k < n; ++k) {  // a side is below, corner 0 is its right end
            const double at = -0.5 * pi + (2 * k + 1) * pi / n;
            corners.push_back({R * std::cos(at), R * std::sin(at)});
        }
        const Prism prism(corners, m, 0.2);
        const double slope = degrees * k_degree, I_edge = prism.I + m * R * R;
        const double keeps = (prism.I + m * R * R * std::cos(2.0 * pi / n)) / I_edge;
        const double gain = m * k_gravity * 2.0 * R * std::sin(pi / n) * std::sin(slope);
        world::Settings settings;
        settings.gravity = turned_by(GetParam(), Vec3::UnitZ()) *
                           Vec3(k_gravity * std::sin(slope), 0, -k_gravity * std::cos(slope));
        World world(settings, contacts(0.0, 1.5));
        const Vec3 arm(-corners[0].x(), 0, -corners[0].y()), w(0, start, 0);
        add(world, {.name = "prism",
                    .shape = shared(prism.shape()),
                    .pose = at({0, 0, -corners[0].y()}),
                    .velocity = w.cross(arm),
                    .angular_velocity = w,
                    .mass = m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        double kinetic = 0.5 * I_edge * start * start;
        const double least = 1e-3 * kinetic * (1.0 - keeps * keeps);
        std::vector<std::pair<double, double>> lost;
        for (double t = 0.25; t < 30.0 && lost.size() < 100; t += 0.25) {
            world.run(t, &log);
            lost = losses(log, least);
        }
        ASSERT_GE(lost.size(), 100U);
        double worst = 0.0;
        for (std::size_t k = 0; k < 100; ++k) {
            kinetic += gain;  // at the landing
            const double speed = std::sqrt(lost[k].second / (1.0 - keeps * keeps) / kinetic);
            worst = std::max(worst, std::abs(speed - 1.0));
            kinetic *= keeps * keeps;
        }
        expect_below(("speed with " + std::to_string(n) + " sides").c_str(), worst, 1e-4);
        expect_exact(world, log);
    }
}

// Thrown with restitution it hops from corner to corner as the planar reference does.
TEST_P(ExactRockers, PrismsThatHop) {
    for (const auto& [n, mu, e] : {std::tuple(12, 0.0, 1.0), std::tuple(30, 0.2, 0.7),
                                   std::tuple(100, 0.1, 1.0), std::tuple(7, 0.5, 0.8)}) {
        SCOPED_TRACE(n);
        std::vector<Vec2> corners;
        for (int k = 0; k < n; ++k)
            corners.push_back({0.1 * std::cos(2 * pi * k / n), 0.1 * std::sin(2 * pi * k / n)});
        const Prism prism(corners, 1.0, 0.2);
        const Planar::Y start{0, 0.2, 0.123, 1.0, 0, 4.0};
        Planar truth(prism.m, prism.I, prism.corners, mu, e, start);
        World world = make(mu, e);
        const BodyId body = add(world, {.name = "prism",
                                        .shape = shared(prism.shape()),
                                        .pose = at({0, 0, 0.2}, Vec3::UnitY(), 0.123),
                                        .velocity = {1.0, 0, 0},
                                        .angular_velocity = {0, 4.0, 0},
                                        .mass = prism.m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        double off = 0.0;
        for (int k = 0; k < 7 && truth.go(5.0); ++k) {
            world.run(truth.t() + 1e-9, &log);
            const motion::State s = state(world, body);
            const Planar::Y& y = truth.y();
            off = std::max({off, (s.position - Vec3(y[0], 0, y[1])).norm(),
                            (s.velocity - Vec3(y[3], 0, y[4])).norm(),
                            std::abs(s.angular_velocity.y() - y[5])});
        }
        EXPECT_GE(truth.impacts().size(), 5U);
        expect_below("off", off, 1e-6);
        expect_balanced(world);
    }
}

}  // namespace
}  // namespace carom::tests
