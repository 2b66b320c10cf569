// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/problem.h"

#include <limits>

#include "carom/math/rotation.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::BodyPair;
using impact::Contact;
using impact::make_contact;

TEST(Problem, KIsTheChangeOfVelocityPerImpulse) {
    Random random(2401);
    for (int i = 0; i < 2000; ++i) {
        const BodyPair pair = random_pair(random);
        const auto framed = make_contact(pair);
        const Mat3& R = framed.R_CW;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 p = R.transpose() * Vec3::Unit(axis);
            const auto hit = make_contact(impact::apply_impulse(pair, p));
            const Vec3 change = hit.contact.u - framed.contact.u;
            ASSERT_LT((change - framed.contact.K.col(axis)).norm(),
                      1e-12 * (framed.contact.K.norm() + framed.contact.u.norm()))
                << i << show(framed.contact);
        }
        ASSERT_LT((framed.contact.K - framed.contact.K.transpose()).norm(), 1e-300);
        ASSERT_EQ(impact::check_contact(framed.contact), "");
    }
}

TEST(Problem, FormulaInTheWorldFrame) {
    Random random(2402);
    for (int i = 0; i < 1000; ++i) {
        const BodyPair pair = random_pair(random);
        const auto framed = make_contact(pair);
        Mat3 K = Mat3::Zero();
        Vec3 u = Vec3::Zero();
        double sign = 1.0;
        for (const auto* body : {&pair.A, &pair.B}) {
            for (int j = 0; j < 3; ++j) {
                const Vec3 p = Vec3::Unit(j);
                const Vec3 spin = body->inverse_inertia * body->r.cross(p);
                K.col(j) += body->inverse_mass * p + spin.cross(body->r);
            }
            u += sign * (body->v + body->w.cross(body->r));
            sign = -1.0;
        }
        const Mat3& R = framed.R_CW;
        ASSERT_LT((framed.contact.K - R * K * R.transpose()).norm(), 1e-13 * K.norm()) << i;
        ASSERT_LT((framed.contact.u - R * u).norm(), 1e-13 * (1 + u.norm())) << i;
    }
}

TEST(Problem, FixedBodiesKeepTheirMotion) {
    Random random(2403);
    BodyPair pair = random_pair(random);
    pair.B = {};
    pair.B.v = {1, 2, 3};
    pair.B.w = {0.1, 0.2, 0.3};
    pair.B.r = {1, 0, 0};
    const auto hit = impact::apply_impulse(pair, {4, 5, 6});
    EXPECT_EQ(hit.B.v, pair.B.v);
    EXPECT_EQ(hit.B.w, pair.B.w);
    // its motion counts in u, its mass not in K
    const auto framed = make_contact(pair);
    const Vec3 u = pair.A.v + pair.A.w.cross(pair.A.r) - Vec3(1, 2, 3) - Vec3(0, 0.3, -0.2);
    EXPECT_LT((framed.R_CW.transpose() * framed.contact.u - u).norm(), 1e-14 * u.norm());
    std::swap(pair.A, pair.B);
    pair.normal = -pair.normal;
    EXPECT_LT((make_contact(pair).R_CW.transpose() * make_contact(pair).contact.u + u).norm(),
              1e-14 * u.norm());
}

TEST(Problem, BallOnTheGroundByHand) {
    // m = 2, radius 0.5, I = 0.4 m r^2 = 0.2: K = diag(1/m + r^2/I) = 0.5 + 1.25 along tangents
    BodyPair pair{{0, 0, 1}, {}, {}};
    pair.A.inverse_mass = 0.5;
    pair.A.inverse_inertia = 5.0 * Mat3::Identity();
    pair.A.r = {0, 0, -0.5};
    pair.A.v = {1, 0, -3};
    pair.A.w = {0, 4, 0};  // w x r = (-2, 0, 0)
    const auto framed = make_contact(pair);
    EXPECT_EQ(framed.R_CW, Mat3::Identity());
    EXPECT_LT((framed.contact.K - Mat3(Vec3(1.75, 1.75, 0.5).asDiagonal())).norm(), 1e-15);
    EXPECT_LT((framed.contact.u - Vec3(-1, 0, -3)).norm(), 1e-15);
    const auto hit = impact::apply_impulse(pair, {0.2, 0, 6});
    EXPECT_LT((hit.A.v - Vec3(1.1, 0, 0)).norm(), 1e-15);
    EXPECT_LT((hit.A.w - Vec3(0, 3.5, 0)).norm(), 1e-15);
}

TEST(Problem, ContactFrameForManyNormals) {
    Random random(2404);
    std::vector<Vec3> normals{{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
    for (int i = 0; i < 2000; ++i)
        normals.push_back(random.direction());
    for (const double tiny : {1e-300, 1e-200, 1e-100, 1e-30, 1e-16, 1e-12, 1e-8, 1e-4}) {
        for (const double z : {1.0, -1.0}) {
            for (int k = 0; k < 16; ++k) {
                const double th = k * 0.4;
                const Vec3 n(tiny * std::cos(th), tiny * std::sin(th), z);
                normals.push_back(n.normalized());
            }
        }
    }
    BodyPair pair = random_pair(random);
    for (const Vec3& n : normals) {
        pair.normal = n;
        const Mat3 R = make_contact(pair).R_CW;
        ASSERT_LT((R * R.transpose() - Mat3::Identity()).norm(), 2e-15) << show(n);
        ASSERT_NEAR(R.determinant(), 1.0, 2e-15) << show(n);
        ASSERT_LT((R * n - Vec3::UnitZ()).norm(), 1e-15) << show(n);
    }
    pair.normal = {0, 0, 1};
    EXPECT_EQ(make_contact(pair).R_CW, Mat3::Identity());
    pair.normal = {0, 0, -1};
    EXPECT_EQ(make_contact(pair).R_CW, Mat3(Vec3(1, -1, -1).asDiagonal()));
}

TEST(Problem, CheckContactSaysWhatIsWrong) {
    const Contact good = diagonal_contact(1, 2, 3, {1, 0, -1});
    EXPECT_EQ(impact::check_contact(good), "");
    Contact bad = good;
    bad.K(0, 1) = 0.5;
    EXPECT_NE(impact::check_contact(bad).find("symmetric"), std::string::npos);
    bad = good;
    bad.K(2, 2) = -1.0;
    EXPECT_NE(impact::check_contact(bad).find("positive definite"), std::string::npos);
    bad = good;
    bad.K(0, 2) = bad.K(2, 0) = 2.0;
    EXPECT_NE(impact::check_contact(bad), "");
    bad = good;
    bad.K.setZero();
    EXPECT_NE(impact::check_contact(bad), "");
    for (const double x :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        bad = good;
        bad.u.y() = x;
        EXPECT_NE(impact::check_contact(bad).find("finite"), std::string::npos);
        bad = good;
        bad.K(1, 1) = x;
        EXPECT_NE(impact::check_contact(bad).find("finite"), std::string::npos);
    }
}

TEST(Problem, PlaneViews) {
    Random random(2405);
    for (int i = 0; i < 1000; ++i) {
        const auto plane = random_plane(random);
        const auto view = impact::view_as_plane(impact::embed_plane(plane));
        ASSERT_TRUE(view.is_plane) << show(plane);
        const double s = view.tangent.x();
        ASSERT_EQ(std::abs(s), 1.0) << show(plane);
        ASSERT_EQ(view.contact.Kxz * s, plane.Kxz);
        ASSERT_EQ(view.contact.ux * s, plane.ux);
        ASSERT_EQ(view.contact.uz, plane.uz);
        ASSERT_EQ(view.contact.Kxx, plane.Kxx);
        ASSERT_EQ(view.contact.Kzz, plane.Kzz);
        ASSERT_FALSE(impact::view_as_plane(any_contact(random)).is_plane);
    }
    // without slip the coupling decides
    Contact still = diagonal_contact(2, 2, 3, {0, 0, -1});
    still.K(1, 2) = still.K(2, 1) = 0.5;
    const auto view = impact::view_as_plane(still);
    ASSERT_TRUE(view.is_plane);
    EXPECT_NEAR(std::abs(view.tangent.y()), 1.0, 1e-15);
}

TEST(Problem, EnergyChangeIsThatOfTheQuadraticForm) {
    Random random(2406);
    for (int i = 0; i < 1000; ++i) {
        const Contact contact = any_contact(random);
        const Vec3 p = random.normal3() * contact.u.norm() / contact.K(2, 2);
        const double before = contact_energy(contact.K, contact.u);
        const double then = contact_energy(contact.K, after(contact, p));
        ASSERT_NEAR(impact::energy_change(contact, p), then - before,
                    1e-12 * condition(contact.K) * (then + before))
            << show(contact) << show(p);
    }
}

}  // namespace
}  // namespace carom::tests
