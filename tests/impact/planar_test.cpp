// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/planar.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Mode;
using impact::planar;
using impact::PlaneContact;

// Slip and normal velocity per unit of normal impulse for slip of sign s (0: stick).
struct Rates {
    long double px, x, z;
};

Rates rates(const PlaneContact& plane, long double mu, int s) {
    const long double xx = plane.Kxx, xz = plane.Kxz, zz = plane.Kzz;
    const long double px = s == 0 ? -xz / xx : -mu * s;
    return {px, s == 0 ? 0.0L : xx * px + xz, xz * px + zz};
}

// Stronge's law in a plane by following events in extended precision: the work is a parabola on
// every stretch, and whatever comes first ends it.
Vec3 follow(const PlaneContact& plane, long double e, long double mu) {
    long double x = plane.ux, z = plane.uz, Wc = 0, Wd = 0, px = 0, pz = 0;
    for (int stretch = 0; stretch < 20; ++stretch) {
        int s = x > 0 ? 1 : x < 0 ? -1 : 0;
        if (s == 0 && std::abs(static_cast<long double>(plane.Kxz)) > mu * plane.Kxx) {
            s = plane.Kxz > 0 ? 1 : -1;
        }
        const Rates k = rates(plane, mu, s);
        const long double never = 1e300L;
        const long double slip_ends = x != 0 && x * k.x < 0 ? -x / k.x : never;
        long double t = slip_ends;
        bool over = false;
        const bool compression = z < 0 || (z == 0 && k.z < 0);
        if (compression) {
            const long double top = k.z > 0 ? -z / k.z : never;
            if (top <= t) {
                t = top;
                over = e == 0;
            }
        } else {
            const long double left = -e * e * Wc - Wd;
            const long double root = z * z + 2 * k.z * left;
            const long double end = root >= 0 ? 2 * left / (z + std::sqrt(root)) : never;
            const long double down = k.z < 0 ? -z / k.z : never;
            over = end <= t && end <= down;
            t = std::min({t, end, down});
        }
        (compression ? Wc : Wd) += (z + k.z * t / 2) * t;
        px += k.px * t;
        pz += t;
        x = t == slip_ends ? 0 : x + k.x * t;
        z = (compression && k.z > 0 && t == -z / k.z) ? 0 : z + k.z * t;
        if (over) return {static_cast<double>(px), 0, static_cast<double>(pz)};
    }
    ADD_FAILURE() << "the oracle does not end";
    return Vec3::Zero();
}

TEST(Planar, AgreesWithFollowingEvents) {
    Random random(401);
    int reversals = 0;
    for (int i = 0; i < 5000; ++i) {
        PlaneContact plane = random_plane(random);
        if (i % 4 == 0) plane.uz *= 1e-3;
        if (i % 7 == 0) plane.ux = 0;
        const double e = i % 11 == 0 ? 0.0 : i % 13 == 0 ? 1.0 : random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 expected = follow(plane, e, mu);
        const Vec3 p = planar(plane, {e, mu}).p;
        ASSERT_LT(relative_error(p, expected), 1e-12)
            << i << show(plane) << show(e, mu) << show(expected);
        ASSERT_EQ(p.y(), 0.0);
        reversals += plane.ux * (plane.ux + plane.Kxx * p.x() + plane.Kxz * p.z()) < -1e-9;
    }
    EXPECT_GT(reversals, 50);  // slip through zero and out the other side
}

TEST(Planar, HandComputedSlide) {
    // Kxz = 0: p_z = 1.5 * 2 / 1, friction 0.1 of it, slip 10 - 2 * 0.3 left
    const auto solution = planar({2, 0, 1, 10, -2}, {0.5, 0.1});
    EXPECT_LT((solution.p - Vec3(-0.3, 0, 3)).norm(), 1e-15);
    ASSERT_EQ(solution.path.size(), 1U);
    EXPECT_EQ(solution.path[0], Mode::slide);
}

TEST(Planar, HandComputedStick) {
    // the slip 0.2 ends at p_z = 1, then sticks: p_x = -0.1
    const auto solution = planar({2, 0, 1, 0.2, -2}, {0.5, 0.1});
    EXPECT_LT((solution.p - Vec3(-0.1, 0, 3)).norm(), 1e-15);
    EXPECT_EQ(solution.path.last(), Mode::stick);
}

TEST(Planar, HandComputedReversal) {
    // Kxx = 2, Kxz = -1, Kzz = 3, mu = 0.25, u = (1.5, -8): kx = -1.5, kz = 3.25. The slip ends at
    // p_z = 1 with u_z = -4.75 and W = -6.375; |Kxz| > mu Kxx, so that it slips on towards -x with
    // kz = 2.75; e = 1 gives back W = 6.375 + 4.75^2 / 5.5
    const auto solution = planar({2, -1, 3, 1.5, -8}, {1.0, 0.25});
    const double work = 6.375 + 4.75 * 4.75 / 5.5;
    const double dpz = (4.75 + std::sqrt(5.5 * work)) / 2.75;
    EXPECT_LT((solution.p - Vec3(-0.25 + 0.25 * dpz, 0, 1 + dpz)).norm(), 1e-14);
    EXPECT_EQ(solution.path.last(), Mode::ray);
}

TEST(Planar, WorkBalances) {
    Random random(402);
    for (int i = 0; i < 2000; ++i) {
        const PlaneContact plane = random_plane(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const auto solution = planar(plane, {e, mu});
        const auto& h = solution.history;
        if (h.known) {
            ASSERT_NEAR(h.restitution_work, -e * e * h.compression_work,
                        -1e-12 * h.compression_work)
                << show(plane) << show(e, mu);
        }
        const auto contact = impact::embed_plane(plane);
        ASSERT_LE(impact::energy_change(contact, solution.p),
                  1e-13 * contact_energy(contact.K, contact.u))
            << show(plane) << show(e, mu);
        ASSERT_LE(std::abs(solution.p.x()), mu * solution.p.z() * (1 + 1e-14));
    }
}

TEST(Planar, EdgeCases) {
    expect_no_impulse(planar({1, 0, 1, 1, 1}, {0.5, 0.5}));
    EXPECT_EQ(planar({1, 0, 1, 1, 0}, {0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(planar({1, 0, 1, 0, 0}, {0.5, 0.5}).p, Vec3::Zero());
    EXPECT_LT((planar({1, 0.5, 2, 3, -4}, {0.5, 0.0}).p - Vec3(0, 0, 3)).norm(), 1e-15);
    // enormous friction: stick from the start, kz = 2 - 0.25
    const Vec3 p = planar({1, 0.5, 2, 0, -3.5}, {1.0, 1e6}).p;
    EXPECT_LT((p - Vec3(-2, 0, 4)).norm(), 1e-14);
    EXPECT_LT(std::abs(planar({2, -1, 3, 1.5, -8}, {0.0, 0.25}).p.z() - (1 + 4.75 / 2.75)), 1e-14);
    // a jam from grazing: kz = 1 - 2 * 0.9 < 0 although u_z = 0
    const Vec3 jam = planar({1, 0.9, 1, 1, 0}, {0.5, 2.0}).p;
    EXPECT_GT(jam.z(), 0.0);
    EXPECT_GT(0.9 * jam.x() + jam.z(), 0.0);
}

}  // namespace
}  // namespace carom::tests
