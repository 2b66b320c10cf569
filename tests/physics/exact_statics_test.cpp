// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What stands and what falls, and the forces of what stands, against statics.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactStatics : public ExactContact {
protected:
    // The mean force of b on a up to now in the plane of x and z of the test's bodies.
    Vec3 force_on(const Log& log, BodyId a, BodyId b) const {
        Vec3 sum = Vec3::Zero();
        double from = 1e300, to = 0.0;
        for (const world::ContactForce& force : log.forces) {
            if (std::minmax(force.a, force.b) != std::minmax(a, b)) continue;
            sum += force.a == a ? force.impulse : Vec3(-force.impulse);
            from = std::min(from, force.t0);
            to = std::max(to, force.t1);
        }
        const Vec3 mean = turned_by(-GetParam(), Vec3::UnitZ()) * sum / (to - from);
        return {mean.x(), 0.0, mean.z()};
    }
    // How far the body is from where it began, in lengths and angles; not at all if it stood.
    static double moved(const World& world, BodyId id) {
        const motion::State &s = world.state(id), &first = world.body(id).first;
        return (s.position - first.position).norm() +
               s.orientation.angularDistance(first.orientation);
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactStatics, testing::Values(0.0, 0.0713), name_of_yaw);

// A board of length L and thickness w that leans by an angle from the upright towards the plane
// x = 0, its inner edges on the floor and at x = 0; side is that of x where it stands.
struct Board {
    double L, w, lean, side;
    double sin = std::sin(lean), cos = std::cos(lean);
    shape::Shape shape() const { return shape::make_box({w, 0.3, L}); }
    shape::Pose pose() const {
        const Vec3 along(-side * sin, 0, cos), out(side * cos, 0, sin);
        return {Vec3(side * L * sin, 0, 0) + 0.5 * L * along + 0.5 * w * out,
                turned_by(-side * lean, Vec3::UnitY())};
    }
    // from the foot towards the plane x = 0
    double lever() const { return 0.5 * L * sin - 0.5 * w * cos; }
    double height() const { return L * cos; }
    double reach() const { return L * sin; }
};

// Two boards of unequal masses: the lighter one is held down at the top by V = (m_1 - m_2) g lever
// / 2 reach, and both feet push with H = (m_1 + m_2) g lever / 2 height.
TEST_P(ExactStatics, AnAFrameOfUnequalBoards) {
    const double m_1 = 1.9, m_2 = 1.3, lean = 25.0 * k_degree;
    const Board board{1.0, 0.02, lean, -1.0};
    const double H = 0.5 * (m_1 + m_2) * k_gravity * board.lever() / board.height();
    const double V = 0.5 * (m_1 - m_2) * k_gravity * board.lever() / board.reach();
    for (const double mu : {0.6, 1.0}) {
        SCOPED_TRACE(mu);
        ASSERT_LT(std::max({V / H, H / (m_2 * k_gravity + V), H / (m_1 * k_gravity - V)}), mu);
        World world = make(mu);
        const BodyId floor = add_plane(world, Vec3::UnitZ());
        const BodyId left = add(
            world,
            {.name = "left", .shape = shared(board.shape()), .pose = board.pose(), .mass = m_1});
        const Board other{1.0, 0.02, lean, 1.0};
        const BodyId right = add(
            world,
            {.name = "right", .shape = shared(other.shape()), .pose = other.pose(), .mass = m_2});
        Log log;
        world.run(1.0, &log);
        world.tell_forces(log);
        EXPECT_LT(moved(world, left) + moved(world, right), 1e-12);
        const double mg = m_1 * k_gravity;
        expect_below("left foot",
                     (force_on(log, left, floor) - Vec3(H, 0, m_1 * k_gravity - V)).norm() / mg,
                     k_exact);
        expect_below("right foot",
                     (force_on(log, right, floor) - Vec3(-H, 0, m_2 * k_gravity + V)).norm() / mg,
                     k_exact);
        expect_below("top", (force_on(log, left, right) - Vec3(-H, 0, V)).norm() / mg, k_exact);
        expect_balanced(world);
    }
}

// Against a smooth wall the forces are m g and m g lever / height. Against a rough one there are
// many, and it stands if one of them is in both cones: lever / (height + mu_w reach) <=
// mu_f / (1 + mu_f mu_w).
TEST_P(ExactStatics, ALadder) {
    const double m = 1.7, mg = m * k_gravity;
    for (const auto& [w, degrees, mu_wall] :
         {std::tuple(0.02, 35.0, 0.0), std::tuple(0.1, 50.0, 0.0), std::tuple(0.02, 45.0, 0.3),
          std::tuple(0.05, 30.0, 0.8)}) {
        const Board board{1.5, w, degrees * k_degree, 1.0};
        const double part = board.lever() / (board.height() + mu_wall * board.reach());
        const double bound = part / (1.0 - part * mu_wall);
        for (const double off : {-1e-3, -1e-6, 1e-3, 0.2}) {
            SCOPED_TRACE(std::to_string(degrees) + " " + std::to_string(1e6 * off) + "e-6");
            world::Contacts all = contacts(0.0, (1.0 + off) * bound);
            all.set("ladder", "wall", impact::law::routh({.e = 0.0, .mu = mu_wall}));
            World world(world::Settings{}, all);
            const BodyId floor = add_plane(world, Vec3::UnitZ());
            const BodyId wall = add(world, {.name = "wall",
                                            .shape = shared(shape::make_half_space(Vec3::UnitX())),
                                            .material = "wall",
                                            .fixed = true});
            const BodyId ladder = add(world, {.name = "ladder",
                                              .shape = shared(board.shape()),
                                              .material = "ladder",
                                              .pose = board.pose(),
                                              .mass = m});
            Log log;
            world.run(1.0, &log);
            world.tell_forces(log);
            if (off < 0.0) {
                EXPECT_GT(moved(world, ladder), 0.01 * -off);
                continue;
            }
            EXPECT_LT(moved(world, ladder), 1e-12);
            const Vec3 foot = force_on(log, ladder, floor), top = force_on(log, ladder, wall);
            expect_below("sum", (foot + top - Vec3(0, 0, mg)).norm() / mg, k_exact);
            expect_below("moment",
                         (top.x() * board.height() + top.z() * board.reach() - mg * board.lever()) /
                             (mg * board.lever()),
                         k_exact);
            EXPECT_LE(std::abs(foot.x()), (1.0 + off + k_exact) * bound * foot.z());
            if (mu_wall == 0.0) {
                EXPECT_LE(std::abs(top.z()), k_exact * top.x());
            }
            expect_balanced(world);
        }
    }
}

}  // namespace
}  // namespace carom::tests
