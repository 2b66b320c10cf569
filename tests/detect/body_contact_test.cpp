// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/body_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/shape/mass_properties.h"

namespace carom::tests {
namespace {

using detect::BodyContact;
using detect::BodyMemory;
using detect::ContactKind;

// A dumbbell of two balls and a bar.
shape::Shape dumbbell() {
    const Eigen::Quaterniond none = Eigen::Quaterniond::Identity();
    const std::vector<shape::Placed> parts{
        {shape::make_sphere(0.2), {Vec3(0, 0, -0.5), none}},
        {shape::make_cylinder(0.05, 1.0), {Vec3::Zero(), none}},
        {shape::make_sphere(0.1), {Vec3(0, 0, 0.5), none}},
    };
    return shape::make_compound(parts);
}

motion::Motion thrown(const shape::Shape& shape, Vec3& center) {
    const shape::MassProperties mass = shape::mass_properties(shape, shape::Density{1000.0});
    center = mass.center;
    const motion::State state{Vec3(0, 0, 3) + mass.center, Eigen::Quaterniond::Identity(),
                              Vec3(0.5, 0, 1), Vec3(1, 7, 0.3)};
    return motion::Ballistic(state, motion::PrincipalInertia(mass.inertia), Vec3(0, 0, -9.81), 0.0);
}

TEST(BodyContact, EarliestOfItsParts) {
    const shape::Shape shape = dumbbell();
    Vec3 center;
    const motion::Motion flight = thrown(shape, center);
    const shape::Shape floor = shape::make_half_space(Vec3::UnitZ());
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const detect::MovingBody a(shape, center, flight);
    const detect::MovingBody b(floor, Vec3::Zero(), still);
    BodyMemory memory;
    const BodyContact c = detect::body_contact(a, b, 0.0, 3.0, memory);
    ASSERT_EQ(c.contact.kind, ContactKind::touch);
    double first = 3.0;
    std::size_t which = 9;
    for (std::size_t i = 0; i < a.parts().size(); ++i) {
        detect::PairMemory own;
        const auto alone = detect::contact_time(a.parts()[i], b.parts()[0], 0.0, 3.0, own);
        if (alone.kind == ContactKind::touch && alone.t < first) {
            first = alone.t;
            which = i;
        }
    }
    EXPECT_EQ(c.contact.t, first);
    EXPECT_EQ(c.part_a, which);
    EXPECT_EQ(c.part_b, 0U);
}

// The dumbbell standing still at a height above the ground.
BodyContact at_height(double height) {
    const shape::Shape shape = dumbbell();
    const motion::Motion still =
        motion::Prescribed::still(Vec3(0, 0, height), Eigen::Quaterniond::Identity());
    const shape::Shape floor = shape::make_half_space(Vec3::UnitZ());
    const motion::Motion ground =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const detect::MovingBody a(shape, Vec3::Zero(), still);
    const detect::MovingBody b(floor, Vec3::Zero(), ground);
    BodyMemory memory;
    return detect::body_contact(a, b, 0.0, 1.0, memory);
}

TEST(BodyContact, ClosestPartsWhenNothingTouches) {
    const BodyContact c = at_height(2.0);
    EXPECT_EQ(c.contact.kind, ContactKind::none);
    EXPECT_NEAR(c.contact.apart.distance, 2.0 - 0.7, 1e-15);
    EXPECT_EQ(c.part_a, 0U);
}

TEST(BodyContact, DeepestPartsOfAnOverlap) {
    const BodyContact c = at_height(0.3);
    EXPECT_EQ(c.contact.kind, ContactKind::overlap);
    EXPECT_NEAR(c.contact.apart.distance, 0.3 - 0.7, 1e-15);
}

}  // namespace
}  // namespace carom::tests
