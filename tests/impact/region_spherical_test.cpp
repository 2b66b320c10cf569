// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/region_spherical.h"

#include "carom/impact/permissible.h"
#include "carom/impact/region_point.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::region_spherical;

// The way out of the region from P_0 along d, by bisection on membership: the region is convex.
long double way_out(const Contact& contact, double mu, const Vec3l& P0, const Vec3l& d) {
    long double low = 0;
    long double high = 1e-3L;
    while (inside_region(contact, mu, P0 + high * d))
        high *= 2;
    for (int i = 0; i < 90; ++i) {
        const long double middle = (low + high) / 2;
        (inside_region(contact, mu, P0 + middle * d) ? low : high) = middle;
    }
    return low;
}

Vec3l direction(double psi1, double psi2) {
    const long double a = psi1, b = psi2;
    return {std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)};
}

TEST(RegionSpherical, FollowsTheRayToTheBoundary) {
    Random random(1101);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.01, 1.5);
        const double psi1 = random.uniform(0.0, 3.14159);
        const double psi2 = random.uniform(0.0, 6.28318);
        const double rho = i % 3 == 0 ? 1.0 : random.uniform();
        const Vec3l P0(0, 0, -1.5L * contact.u.z() / contact.K(2, 2));
        const Vec3l d = direction(psi1, psi2);
        const Vec3l expected = P0 + rho * way_out(contact, mu, P0, d) * d;
        const Vec3 p = region_spherical(contact, {mu, psi1, psi2, rho}).p;
        ASSERT_LT(relative_error(p, expected.cast<double>()), 1e-11)
            << show(contact) << mu << " " << psi1 << " " << psi2 << " " << rho;
    }
}

TEST(RegionSpherical, EveryAnswerIsPermissibleAndTheBoundaryIsReached) {
    Random random(1102);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.log_uniform(1e-3, 1e3);
        const double psi1 = random.uniform(-10.0, 10.0);
        const double psi2 = random.uniform(-10.0, 10.0);
        const Vec3 p = region_spherical(contact, {mu, psi1, psi2, random.uniform()}).p;
        const auto inner = impact::check_permissible(contact, mu, p);
        ASSERT_TRUE(inner.all()) << show(contact) << mu << " " << psi1 << " " << psi2;
        const Vec3 q = region_spherical(contact, {mu, psi1, psi2, 1.0}).p;
        const auto rim = impact::check_permissible(contact, mu, q);
        ASSERT_TRUE(rim.all()) << show(contact) << mu << " " << psi1 << " " << psi2;
        ASSERT_LT(std::min({rim.energy_margin, rim.separation_margin, rim.normal_margin,
                            rim.cone_margin}),
                  1e-9)
            << show(contact) << mu << " " << psi1 << " " << psi2;
    }
}

TEST(RegionSpherical, HandComputed) {
    // unit K, u = (0, 0, -1): P_0 = (0, 0, 1.5); straight up the ellipsoid ends at 2
    const Contact contact = diagonal_contact(1, 1, 1, {0, 0, -1});
    EXPECT_LT((region_spherical(contact, {0.5, 0.0, 0.3, 1.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((region_spherical(contact, {0.5, 0.0, 0.3, 0.5}).p - Vec3(0, 0, 1.75)).norm(), 1e-15);
    // straight down the plane of maximum compression is at 1
    const Vec3 down = region_spherical(contact, {0.5, std::numbers::pi, 0.0, 1.0}).p;
    EXPECT_LT((down - Vec3(0, 0, 1)).norm(), 1e-15);
    // sideways the cone, at mu 1.5, or the sphere about (0, 0, 1) of radius 1, at sqrt(0.75)
    const double right = std::numbers::pi / 2;
    EXPECT_LT((region_spherical(contact, {0.5, right, 0.0, 1.0}).p - Vec3(0.75, 0, 1.5)).norm(),
              1e-15);
    EXPECT_LT(
        (region_spherical(contact, {5.0, right, right, 1.0}).p - Vec3(0, std::sqrt(0.75), 1.5))
            .norm(),
        1e-15);
    EXPECT_EQ(impact::region_inner_point(contact), Vec3(0, 0, 1.5));
    EXPECT_DOUBLE_EQ(impact::region_exit(contact, 0.5, {0, 0, 2}), 0.25);
}

TEST(RegionSpherical, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(region_spherical({K, {1, 1, 1}}, {0.5, 1, 1, 1}));
    EXPECT_EQ(region_spherical({K, {1, 1, 0}}, {0.5, 1, 1, 0.5}).p, Vec3::Zero());
    // no friction: the region is a piece of the normal
    const Vec3 p = region_spherical({K, {1, 1, -4}}, {0.0, 1.0, 1.0, 1.0}).p;
    EXPECT_LT(p.head<2>().norm(), 1e-15);
    const Vec3 up = region_spherical({K, {1, 1, -4}}, {0.0, 0.0, 0.0, 1.0}).p;
    EXPECT_LT((up - Vec3(0, 0, 2)).norm(), 1e-14);
    // rho = 0 is the inner point whatever the angles
    EXPECT_LT((region_spherical({K, {1, 1, -4}}, {1e6, 2, 3, 0}).p - Vec3(0, 0, 1.5)).norm(),
              1e-15);
}

}  // namespace
}  // namespace carom::tests
