// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/region_curves.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::region_curves;

class RegionCurvesTest : public testing::Test {
protected:
    // Every curve of 200 random regions.
    template <class Check>
    void for_random_regions(std::uint64_t seed, Check&& check) {
        Random random(seed);
        for (int i = 0; i < 200 && !HasFailure(); ++i) {
            const Contact contact = any_contact(random);
            const double mu = random.uniform(0.05, 1.5);
            check(contact, mu, region_curves(contact, mu));
        }
    }
};

double energy(const Contact& contact, const Vec3& p) {
    return impact::energy_change(contact, p) / contact_energy(contact.K, contact.u);
}

TEST_F(RegionCurvesTest, EllipsoidKeepsTheEnergy) {
    for_random_regions(2901, [](const Contact& contact, double mu, const auto& curves) {
        ASSERT_GE(curves.ellipsoid.size(), 8U);
        for (const auto& meridian : curves.ellipsoid) {
            ASSERT_GE(meridian.size(), 16U);
            for (const Vec3& p : meridian) {
                ASSERT_NEAR(energy(contact, p), 0.0, 1e-11) << show(contact) << mu << show(p);
            }
        }
    });
}

TEST_F(RegionCurvesTest, MaximumCompressionIsAClosedEllipse) {
    for_random_regions(2902, [](const Contact& contact, double mu, const auto& curves) {
        const auto& curve = curves.maximum_compression;
        ASSERT_GE(curve.size(), 16U);
        ASSERT_LT((curve.front() - curve.back()).norm(), 1e-12 * curve.front().norm());
        for (const Vec3& p : curve) {
            const double scale = contact.u.norm() + contact.K.norm() * p.norm();
            ASSERT_NEAR(energy(contact, p), 0.0, 1e-11) << show(contact) << mu << show(p);
            ASSERT_NEAR(after(contact, p).z(), 0.0, 1e-12 * scale) << show(contact) << mu;
        }
    });
}

TEST_F(RegionCurvesTest, ConeLinesAndRimLieOnTheCone) {
    for_random_regions(2903, [](const Contact& contact, double mu, const auto& curves) {
        // top of the ellipsoid: centre height plus sqrt(2 E0 (K^-1)_33)
        const double E0 = contact_energy(contact.K, contact.u);
        const double centre = -static_cast<double>(solve_long(contact.K, contact.u).z());
        const double up = static_cast<double>(solve_long(contact.K, Vec3::UnitZ()).z());
        const double top = centre + std::sqrt(2.0 * E0 * up);
        ASSERT_FALSE(curves.cone_rim.empty());
        for (const Vec3& p : curves.cone_rim) {
            ASSERT_NEAR(p.z(), top, 1e-10 * top) << show(contact) << mu;
            ASSERT_NEAR(p.head<2>().norm(), mu * p.z(), 1e-12 * p.norm()) << show(contact) << mu;
        }
        ASSERT_FALSE(curves.cone_lines.empty());
        for (const auto& line : curves.cone_lines) {
            ASSERT_GE(line.size(), 2U);
            ASSERT_EQ(line.front(), Vec3::Zero());
            for (const Vec3& p : line) {
                ASSERT_NEAR(p.head<2>().norm(), mu * p.z(), 1e-12 * top * (1 + mu));
            }
        }
    });
}

TEST_F(RegionCurvesTest, ConeMeetsEllipsoid) {
    int points = 0;
    for_random_regions(2904, [&](const Contact& contact, double mu, const auto& curves) {
        for (const Vec3& p : curves.cone_on_ellipsoid) {
            ++points;
            ASSERT_NEAR(energy(contact, p), 0.0, 1e-11) << show(contact) << mu << show(p);
            ASSERT_NEAR(p.head<2>().norm(), mu * p.z(), 1e-12 * p.norm()) << show(contact) << mu;
            ASSERT_GE(p.z(), 0.0);
        }
    });
    EXPECT_GT(points, 1000);
}

TEST_F(RegionCurvesTest, StickingLineStopsTheSlip) {
    for_random_regions(2905, [](const Contact& contact, double mu, const auto& curves) {
        ASSERT_GE(curves.sticking.size(), 2U);
        for (const Vec3& p : curves.sticking) {
            const double scale = contact.u.norm() + contact.K.norm() * p.norm();
            ASSERT_LT(after(contact, p).template head<2>().norm(), 1e-11 * scale)
                << show(contact) << mu << show(p);
            ASSERT_LE(energy(contact, p), 1e-11) << show(contact) << mu << show(p);
        }
        // from end to end of the ellipsoid
        ASSERT_NEAR(energy(contact, curves.sticking.front()), 0.0, 1e-10) << show(contact);
        ASSERT_NEAR(energy(contact, curves.sticking.back()), 0.0, 1e-10) << show(contact);
    });
}

TEST(RegionCurves, ResolutionAsAsked) {
    const Contact contact = diagonal_contact(1, 1, 1, {1, 0, -1});
    const auto coarse = region_curves(contact, 0.5, 12);
    const auto fine = region_curves(contact, 0.5, 240);
    EXPECT_GT(fine.maximum_compression.size(), 10 * coarse.maximum_compression.size());
    EXPECT_GT(fine.ellipsoid.size(), 5 * coarse.ellipsoid.size());
}

}  // namespace
}  // namespace carom::tests
