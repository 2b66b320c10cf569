// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/region_projected.h"

#include "carom/impact/permissible.h"
#include "carom/impact/routh.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::check_permissible;
using impact::Contact;
using impact::region_projected;

TEST(RegionProjected, PermissibleImpulsesAreTakenAsTheyAre) {
    Random random(1201);
    for (int i = 0; i < 2000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.05, 1.5);
        // another law's answer, a little inside
        const Vec3 wish = impact::routh(contact, {random.uniform(0.1, 0.9), 0.9 * mu}).p;
        if (!check_permissible(contact, mu, wish).all()) continue;
        ASSERT_LT(relative_error(region_projected(contact, {mu, wish}).p, wish), 1e-13)
            << show(contact) << mu << show(wish);
    }
}

TEST(RegionProjected, OthersAreMovedTowardsTheInnerPointUntilPermissible) {
    Random random(1202);
    int moved = 0;
    for (int i = 0; i < 4000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.01, 1.5);
        const Vec3 P0(0, 0, -1.5 * contact.u.z() / contact.K(2, 2));
        const Vec3 wish = P0 + random.log_uniform(1e-2, 1e2) * P0.z() * random.direction();
        const Vec3 p = region_projected(contact, {mu, wish}).p;
        const auto result = check_permissible(contact, mu, p);
        ASSERT_TRUE(result.all()) << show(contact) << mu << show(wish);
        if (inside_region(contact, mu, wish.cast<long double>())) continue;
        ++moved;
        // on the segment from P_0 to the wish
        const Vec3 d = wish - P0;
        const double t = (p - P0).dot(d) / d.squaredNorm();
        ASSERT_GT(t, 0.0) << show(contact) << mu << show(wish);
        ASSERT_LE(t, 1.0 + 1e-12) << show(contact) << mu << show(wish);
        ASSERT_LT((p - P0 - t * d).norm(), 1e-12 * (p.norm() + P0.norm()) + 1e-15 * wish.norm())
            << show(contact) << mu << show(wish);
        // and no further than it has to
        const Vec3 beyond = P0 + 1.001 * t * d;
        ASSERT_FALSE(inside_region(contact, mu, beyond.cast<long double>()))
            << show(contact) << mu << show(wish);
    }
    EXPECT_GT(moved, 1000);
}

TEST(RegionProjected, HandComputed) {
    // unit K, u = (0, 0, -1), P_0 = (0, 0, 1.5), mu = 0.5
    const Contact contact = diagonal_contact(1, 1, 1, {0, 0, -1});
    EXPECT_LT((region_projected(contact, {0.5, {0.3, 0, 1.5}}).p - Vec3(0.3, 0, 1.5)).norm(),
              1e-15);
    EXPECT_LT((region_projected(contact, {0.5, {3.0, 0, 1.5}}).p - Vec3(0.75, 0, 1.5)).norm(),
              1e-15);
    EXPECT_LT((region_projected(contact, {0.5, {0, 0, 9}}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((region_projected(contact, {0.5, {0, 0, -9}}).p - Vec3(0, 0, 1)).norm(), 1e-15);
    EXPECT_LT((region_projected(contact, {0.5, {0, 0, 1.5}}).p - Vec3(0, 0, 1.5)).norm(), 1e-15);
}

TEST(RegionProjected, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(region_projected({K, {1, 1, 1}}, {0.5, {0, 0, 1}}));
    EXPECT_EQ(region_projected({K, {1, 1, 0}}, {0.5, {0, 0, 1}}).p, Vec3::Zero());
    // no friction: only normal impulses, between 1 and 2
    const Vec3 p = region_projected({K, {1, 1, -4}}, {0.0, {0, 0, 5}}).p;
    EXPECT_LT((p - Vec3(0, 0, 2)).norm(), 1e-14);
    EXPECT_LT(region_projected({K, {1, 1, -4}}, {0.0, {1, 0, 1.5}}).p.head<2>().norm(), 1e-15);
    // enormous friction: only the ellipsoid and the plane are left
    const Contact contact{K, {1, 1, -4}};
    const Vec3 far = region_projected(contact, {1e6, {-1e3, 0, 1.5}}).p;
    EXPECT_NEAR(impact::energy_change(contact, far), 0.0, 1e-11);
}

}  // namespace
}  // namespace carom::tests
