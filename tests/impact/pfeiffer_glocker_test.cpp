// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/pfeiffer_glocker.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::pfeiffer_glocker;
using impact::PfeifferGlockerParameters;
using impact::PlaneContact;

struct Plane2 {
    double x, z;
};

Plane2 plane_after(const PlaneContact& c, double px, double pz) {
    return {c.ux + c.Kxx * px + c.Kxz * pz, c.uz + c.Kxz * px + c.Kzz * pz};
}

// The impulse of compression: u_z = 0 with stick, or slip of one sign s.
Plane2 compression(const PlaneContact& c, double mu) {
    const double det = c.Kxx * c.Kzz - c.Kxz * c.Kxz;
    const Plane2 stick{(-c.Kzz * c.ux + c.Kxz * c.uz) / det, (c.Kxz * c.ux - c.Kxx * c.uz) / det};
    if (stick.z >= 0.0 && std::abs(stick.x) <= mu * stick.z) return stick;
    Plane2 best{0, 1e300};
    for (const double s : {-1.0, 1.0}) {
        const double pz = -c.uz / (c.Kzz - s * mu * c.Kxz);
        if (pz < 0.0 || pz > best.z) continue;
        if (s * plane_after(c, -s * mu * pz, pz).x >= 0.0) best = {-s * mu * pz, pz};
    }
    return best;
}

// The tangential impulse of expansion for a given normal one.
double expansion(const PlaneContact& c, const PfeifferGlockerParameters& law, const Plane2& pC,
                 double pz) {
    const double s = pC.x < 0.0 ? -1.0 : 1.0;
    const double v = s * plane_after(c, pC.x, pC.z + pz).x;
    const double stored = law.e * law.et * std::abs(pC.x);
    const double wished = law.nu * law.et * std::abs(c.ux);
    const double s0 = -v / c.Kxx;
    const double s1 = (wished - v) / c.Kxx;
    if (s0 >= stored) return s * std::min(s0, law.mu * pz);
    if (stored <= s1) return s * stored;
    return s * std::max(s1, -law.mu * pz);
}

TEST(PfeifferGlocker, ReconstructedEquationsHold) {
    Random random(801);
    int raised = 0;
    for (int i = 0; i < 8000; ++i) {
        PlaneContact plane = random_plane(random);
        if (i % 4 == 0) plane.uz *= 1e-2;
        const PfeifferGlockerParameters law{random.uniform(), random.uniform(0.0, 1.5),
                                            random.uniform(), random.uniform()};
        const Vec3 p = pfeiffer_glocker(plane, law).p;
        const Plane2 pC = compression(plane, law.mu);
        const double pEz = p.z() - pC.z;
        const double scale = p.norm() * (std::abs(plane.Kxx) + std::abs(plane.Kzz)) +
                             std::abs(plane.ux) + std::abs(plane.uz);
        const double uz = plane_after(plane, p.x(), p.z()).z;
        ASSERT_EQ(p.y(), 0.0);
        ASSERT_GE(uz, -1e-12 * scale)
            << show(plane) << show(law.e, law.mu) << law.nu << " " << law.et;
        if (pEz > law.e * pC.z * (1 + 1e-10)) {
            ++raised;
            ASSERT_NEAR(uz, 0.0, 1e-12 * scale) << show(plane) << show(law.e, law.mu);
        } else {
            ASSERT_NEAR(pEz, law.e * pC.z, 1e-12 * p.z()) << show(plane) << show(law.e, law.mu);
        }
        const double px = pC.x + expansion(plane, law, pC, pEz);
        ASSERT_NEAR(p.x(), px, 1e-11 * p.norm())
            << i << show(plane) << show(law.e, law.mu) << law.nu << " " << law.et;
    }
    RecordProperty("raised", raised);
}

TEST(PfeifferGlocker, HandComputed) {
    // Kxz = 0, K = diag(2, 1), u = (4, -1), mu = 0.5, e = 0.5: slides through compression with
    // p_C = (-0.5, 1), slip 3; expansion 0.5: Coulomb's -0.25 more, slip 2.5
    const PlaneContact fast{2, 0, 1, 4, -1};
    EXPECT_LT((pfeiffer_glocker(fast, {0.5, 0.5, 0.9, 0.9}).p - Vec3(-0.75, 0, 1.5)).norm(), 1e-15);
    // u = (0.5, -1): sticks in compression, p_C = (-0.25, 1), u_Cx = 0. Counted with p_Cx > 0: v =
    // 0, L = 0.5 * 0.8 * 0.25 = 0.1, s1 = nu et 0.5 / 2 = 0.18 for nu = 0.9: L is given back
    const PlaneContact slow{2, 0, 1, 0.5, -1};
    EXPECT_LT((pfeiffer_glocker(slow, {0.5, 0.5, 0.9, 0.8}).p - Vec3(-0.35, 0, 1.5)).norm(), 1e-15);
    // nu = 0.25: s1 = 0.05 < L caps it
    EXPECT_LT((pfeiffer_glocker(slow, {0.5, 0.5, 0.25, 0.8}).p - Vec3(-0.30, 0, 1.5)).norm(),
              1e-15);
}

TEST(PfeifferGlocker, MirrorImage) {
    Random random(802);
    for (int i = 0; i < 2000; ++i) {
        const PlaneContact plane = random_plane(random);
        const PlaneContact mirror{plane.Kxx, -plane.Kxz, plane.Kzz, -plane.ux, plane.uz};
        const PfeifferGlockerParameters law{random.uniform(), random.uniform(0.0, 1.5),
                                            random.uniform(), random.uniform(-1.0, 1.0)};
        const Vec3 p = pfeiffer_glocker(plane, law).p;
        const Vec3 q = pfeiffer_glocker(mirror, law).p;
        ASSERT_EQ(p.x(), -q.x()) << show(plane);
        ASSERT_EQ(p.z(), q.z()) << show(plane);
    }
}

TEST(PfeifferGlocker, WithoutTangentialRestitutionIsPlainCoulomb) {
    Random random(803);
    for (int i = 0; i < 3000; ++i) {
        const PlaneContact plane = random_plane(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = pfeiffer_glocker(plane, {e, mu, random.uniform(), 0.0}).p;
        const Plane2 pC = compression(plane, mu);
        const Vec3 pE = p - Vec3(pC.x, 0, pC.z);
        const double scale = p.norm() * (plane.Kxx + plane.Kzz) + std::abs(plane.ux) - plane.uz;
        const Vec3 v(plane_after(plane, p.x(), p.z()).x, 0, 0);
        if (pE.norm() < 1e-12 * p.norm()) continue;
        ASSERT_LT(coulomb_residual(pE, v, mu, scale), 1e-9) << show(plane) << show(e, mu);
    }
}

TEST(PfeifferGlocker, EdgeCases) {
    expect_no_impulse(pfeiffer_glocker({1, 0, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5}));
    EXPECT_EQ(pfeiffer_glocker({1, 0, 1, 1, 0}, {0.5, 0.5, 0.5, 0.5}).p, Vec3::Zero());
    EXPECT_LT((pfeiffer_glocker({1, 0.5, 2, 3, -4}, {0.5, 0, 0.5, 0.5}).p - Vec3(0, 0, 3)).norm(),
              1e-15);
    EXPECT_LT((pfeiffer_glocker({1, 0, 2, 0, -4}, {1, 0.5, 0.5, 0.5}).p - Vec3(0, 0, 4)).norm(),
              1e-15);
    // enormous friction, no tangential restitution: full stop
    EXPECT_LT((pfeiffer_glocker({2, 0, 1, 3, -1}, {0, 1e6, 0, 0}).p - Vec3(-1.5, 0, 1)).norm(),
              1e-14);
}

}  // namespace
}  // namespace carom::tests
