// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/contact_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/detect/from_oracle.h"
#include "tests/support/random_problems.h"
#include "tests/touch_oracle/stored_touch.h"

namespace carom::tests {
namespace {

using detect::ContactKind;
using detect::ContactTime;

ContactTime solve(const touch_oracle::Problem& problem, const detect::ContactSearch& search = {}) {
    const MovingBody a(problem.a);
    const MovingBody b(problem.b);
    detect::PairMemory memory;
    return detect::contact_time(*a.part, *b.part, 0.0, problem.until, memory, search);
}

std::string show(const touch_oracle::Problem& p) {
    return "seed " + std::to_string(p.seed) + ", " + name(p.family) + ", " + name(p.a.shape.kind) +
           " against " + name(p.b.shape.kind);
}

// The oracle's answer: as it is stored, or, with CAROM_THOROUGH set, where none is stored and where
// this machine makes another problem of the seed, computed. What is computed must be what is
// stored.
touch_oracle::StoredTouch answer_to(const touch_oracle::Problem& problem) {
    static const std::vector<touch_oracle::StoredTouch> all = touch_oracle::read_stored_touches(
        std::string(CAROM_SOURCE_DIR) + "/tests/touch_oracle/first_touch.txt");
    const bool stored = problem.seed < all.size() &&
                        all[problem.seed].code == touch_oracle::ProblemCode(problem).value();
    if (stored && std::getenv("CAROM_THOROUGH") == nullptr) return all[problem.seed];
    const touch_oracle::Touch truth = touch_oracle::first_touch(problem);
    EXPECT_TRUE(truth.certified) << show(problem);
    const touch_oracle::StoredTouch live = touch_oracle::to_store(problem, truth);
    if (stored) {
        const touch_oracle::StoredTouch& old = all[problem.seed];
        EXPECT_EQ(old.verdict, live.verdict) << show(problem);
        EXPECT_NEAR(old.value, live.value, 1e-13 * (live.value + live.size)) << show(problem);
        EXPECT_NEAR(old.size, live.size, 1e-8 * live.size) << show(problem);
    }
    return live;
}

void compare(const touch_oracle::Problem& problem) {
    using touch_oracle::Verdict;
    const touch_oracle::StoredTouch truth = answer_to(problem);
    const ContactTime found = solve(problem);
    ASSERT_NE(found.kind, ContactKind::unsettled) << show(problem);
    if (truth.verdict == Verdict::close) return;
    ASSERT_EQ(found.kind != ContactKind::none, truth.verdict == Verdict::touch)
        << show(problem) << ": " << found.t << " for " << truth.value;
    if (truth.verdict == Verdict::apart) {
        ASSERT_NEAR(found.apart.distance, truth.value, 1e-10 * (truth.value + truth.size))
            << show(problem);
        return;
    }
    ASSERT_NEAR(found.t, truth.value, 1e-9 * problem.until) << show(problem);
    ASSERT_NEAR(found.apart.distance, 0.0, 1e-10 * truth.size) << show(problem);
    ASSERT_NEAR(found.apart.normal.norm(), 1.0, 1e-12) << show(problem);
}

// 20,000 problems over all pairs of shapes and ten families of motions, in parts that run side by
// side.
class NoMiss : public ::testing::TestWithParam<int> {};

TEST_P(NoMiss, AgreesWithTheOracle) {
    constexpr int k_each = 2500;
    for (int i = 0; i < k_each; ++i) {
        const auto seed = static_cast<std::uint64_t>(GetParam() * k_each + i);
        compare(touch_oracle::random_problem(seed));
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(ContactTime, NoMiss, ::testing::Range(0, 8));

// Exchanging the bodies changes the sign of the normal and nothing else.
TEST(ContactTime, IsSymmetric) {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        touch_oracle::Problem problem = touch_oracle::random_problem(seed);
        const ContactTime one = solve(problem);
        std::swap(problem.a, problem.b);
        const ContactTime other = solve(problem);
        ASSERT_EQ(one.kind, other.kind) << show(problem);
        ASSERT_NEAR(one.t, other.t, 1e-10 * problem.until) << show(problem);
    }
}

// A box that leaves a plane almost flat and comes back, with the plane as either body.
TEST(ContactTime, AHopOverAPlaneIsSymmetric) {
    const shape::Shape plane = shape::make_half_space(Vec3::UnitZ());
    const shape::Shape box = shape::make_box({0.2, 0.1, 0.06});
    const motion::PrincipalInertia inertia(Mat3(Vec3(1.1e-3, 3.6e-3, 4.2e-3).asDiagonal()));
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    Random random(11);
    for (int i = 0; i < 2000; ++i) {
        const double tilt = std::pow(10.0, random.uniform(-12.0, -2.0));
        const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), 0.0);
        const Eigen::Quaterniond turned(Eigen::AngleAxisd(tilt, axis.normalized()));
        motion::State state{Vec3::Zero(), turned, Vec3(0.1, 0.0, 3e-3), Vec3::Zero()};
        state.angular_velocity = 0.03 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.1);
        const Mat3 R = turned.toRotationMatrix();
        // its lowest corner touches
        state.position.z() = 0.1 * std::abs(R(2, 0)) + 0.05 * std::abs(R(2, 1)) + 0.03 * R(2, 2);
        const motion::Motion flight = motion::Ballistic(state, inertia, {0, 0, -9.81}, 0.0);
        const detect::MovingPart a(box.parts[0].convex, {}, flight);
        const detect::MovingPart b(plane.parts[0].convex, {}, still);
        detect::PairMemory one, other;
        const detect::ContactSearch search{.leave_first = true};
        const ContactTime there = detect::contact_time(a, b, 0.0, 0.1, one, search);
        const ContactTime back = detect::contact_time(b, a, 0.0, 0.1, other, search);
        ASSERT_EQ(there.kind, ContactKind::touch);
        ASSERT_EQ(back.kind, ContactKind::touch);
        ASSERT_NEAR(there.t, back.t, 1e-12) << i;
        ASSERT_LT((there.apart.normal + back.apart.normal).norm(), 1e-12) << i;
    }
}

// A corner parts from a plate while others are about to come down: a bound that sees only how soon
// those can be there would go on in steps that begin at 1e-16 s and grow by half, a hundred of
// them.
TEST(ContactTime, ACornerThatPartsTakesFewSteps) {
    const shape::Shape plate = shape::make_box({1.0, 1.0, 0.1});
    const shape::Shape box = shape::make_box({0.2, 0.1, 0.06});
    const motion::PrincipalInertia inertia(Mat3(Vec3(1.1e-3, 3.6e-3, 4.2e-3).asDiagonal()));
    const motion::Motion still =
        motion::Prescribed::still(Vec3(0.0, 0.0, -0.05), Eigen::Quaterniond::Identity());
    Random random(12);
    constexpr int k_hops = 2000;
    long steps = 0;
    for (int i = 0; i < k_hops; ++i) {
        const double tilt = std::pow(10.0, random.uniform(-6.0, -1.0));
        const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), 0.0);
        const Eigen::Quaterniond turned(Eigen::AngleAxisd(tilt, axis.normalized()));
        motion::State state{Vec3::Zero(), turned, Vec3(0.1, 0.0, 0.0), Vec3::Zero()};
        state.angular_velocity = 5.0 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.1);
        const Mat3 R = turned.toRotationMatrix();
        const Vec3 lowest(R(2, 0) > 0 ? -0.1 : 0.1, R(2, 1) > 0 ? -0.05 : 0.05, -0.03);
        const Vec3 arm = R * lowest;
        state.position.z() = -arm.z();
        const double rises = random.uniform(1e-3, 0.3);
        state.velocity.z() = rises - state.angular_velocity.cross(arm).z();
        const motion::Motion flight = motion::Ballistic(state, inertia, {0, 0, -9.81}, 0.0);
        const detect::MovingPart a(box.parts[0].convex, {}, flight);
        const detect::MovingPart b(plate.parts[0].convex, {}, still);
        detect::PairMemory memory;
        const ContactTime found =
            detect::contact_time(a, b, 0.0, 0.3, memory, {.leave_first = true});
        ASSERT_EQ(found.kind, ContactKind::touch) << i;
        ASSERT_GT(found.t, 0.0) << i;
        steps += found.steps;
    }
    RecordProperty("steps", std::to_string(static_cast<double>(steps) / k_hops));
    EXPECT_LT(static_cast<double>(steps) / k_hops, 8.0);
}

TEST(ContactTime, SaysWhenTheStepsAreUsedUp) {
    int unsettled = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const touch_oracle::Problem problem = touch_oracle::random_problem(seed);
        detect::ContactSearch search;
        search.most_steps = 2;
        const ContactTime few = solve(problem, search);
        if (few.kind != ContactKind::unsettled) continue;
        ++unsettled;
        EXPECT_EQ(few.steps, 2);
        const ContactTime whole = solve(problem);
        // what was certified is right
        if (whole.kind == ContactKind::touch) {
            EXPECT_LE(few.t, whole.t) << show(problem);
        }
    }
    EXPECT_GT(unsettled, 50);
}

// A 5 mm ball at 200 m/s does not get through a 1 mm plate.
TEST(ContactTime, FastBallThinPlate) {
    const shape::Shape ball = shape::make_sphere(0.0025);
    const shape::Shape plate = shape::make_box({0.5, 0.5, 0.001});
    const motion::Motion flight =
        motion::Ballistic(Vec3(0.013, -0.021, 100.0), Vec3(0, 0, -200.0), Vec3::Zero(), 0.0);
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const detect::MovingPart a(ball.parts[0].convex, {}, flight);
    const detect::MovingPart b(plate.parts[0].convex, {}, still);
    detect::PairMemory memory;
    const ContactTime c = detect::contact_time(a, b, 0.0, 2.0, memory);
    ASSERT_EQ(c.kind, ContactKind::touch);
    EXPECT_NEAR(c.t, (100.0 - 0.0005 - 0.0025) / 200.0, 1e-15);
    EXPECT_NEAR((c.apart.normal - Vec3::UnitZ()).norm(), 0.0, 1e-12);
}

// A body on the dense output of an integration: a ball that falls through air,
// z = z0 - (g/k) (t - (1 - exp(-k t))/k).
TEST(ContactTime, OnDenseOutput) {
    const double k = 1.3, g = 9.81, height = 4.0, radius = 0.1, mass = 0.5;
    const shape::Shape ball = shape::make_sphere(radius);
    const shape::Shape floor = shape::make_half_space(Vec3::UnitZ());
    std::vector<motion::ForceField> forces{motion::Gravity{Vec3(0, 0, -g)}};
    motion::Drag drag;
    drag.linear = k * mass;
    forces.emplace_back(drag);
    const motion::Motion fall =
        motion::Integrated::particle(Vec3(0, 0, height), Vec3::Zero(), mass, forces, 0.0, 3.0);
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const detect::MovingPart a(ball.parts[0].convex, {}, fall);
    const detect::MovingPart b(floor.parts[0].convex, {}, still);
    detect::PairMemory memory;
    const ContactTime c = detect::contact_time(a, b, 0.0, 3.0, memory);
    ASSERT_EQ(c.kind, ContactKind::touch);
    const double left = height - radius - g / k * (c.t - (1.0 - std::exp(-k * c.t)) / k);
    EXPECT_NEAR(left, 0.0, 1e-9);
}

TEST(ContactTime, RefusesATurningPlane) {
    const shape::Shape plane = shape::make_half_space(Vec3::UnitZ());
    const shape::Shape box = shape::make_box({1, 1, 1});
    const motion::Motion turning =
        motion::Prescribed::turning(Vec3::Zero(), Eigen::Quaterniond::Identity(), Vec3::Zero(),
                                    Vec3::Zero(), Vec3(1, 0, 0), 0.0);
    const motion::Motion still =
        motion::Prescribed::still(Vec3(0, 0, 3), Eigen::Quaterniond::Identity());
    const detect::MovingPart a(plane.parts[0].convex, {}, turning);
    const detect::MovingPart b(box.parts[0].convex, {}, still);
    detect::PairMemory memory;
    EXPECT_THROW(detect::contact_time(a, b, 0.0, 1.0, memory), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
