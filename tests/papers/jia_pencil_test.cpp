// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The pencil of Jia, section 3.2 (004): a cylinder on a cone strikes the desk with its tip.
//
// The printed result, I = (3.96204, 0.390783, 5.53015), is not reproduced. Poisson's ratio is not
// printed, and no reading of the model tried so far gives that impulse: the ratio e mu in
// restitution that explains the ball, any nu from 0 to 0.5, either moment of inertia, the pseudo
// code itself at steps from 1e-2 to 5e-5 with and without a return to stick, and every choice of
// sign and of sine or cosine in eq. 40. What these tests hold fast is the geometry, that the
// printed numbers agree with each other, and our own answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/impact/compliant.h"
#include "carom/impact/permissible.h"
#include "tests/support/euler_loops.h"

namespace carom::impact {
namespace {

// 004 section 3.2: m = 1, r = 0.5, h1 = 3, h2 = 0.5, mu = 0.8, e = 0.5, theta = pi/3
constexpr double k_radius = 0.5;
constexpr double k_h1 = 3.0;
constexpr double k_h2 = 0.5;
constexpr double k_pencil_mu = 0.8;
constexpr double k_pencil_e = 0.5;
constexpr double k_pencil_nu = 0.3;  // that of the ball; not printed for the pencil
constexpr double k_theta = std::numbers::pi / 3.0;

const Vec3 k_V0 = 5.0 * Vec3(-std::cos(std::numbers::pi / 6.0), 0.0, -0.5);
const Vec3 k_omega0(-1.0, -0.5, -0.5);  // in the pencil's frame
const Vec3 k_printed_I(3.96204, 0.390783, 5.53015);
const Vec3 k_printed_V(-0.368092, 0.390783, 3.03015);
const Vec3 k_printed_omega(-0.236153, -1.80209, -0.5);

// 004: height of the centre of mass above the tip.
double printed_h() {
    return (6.0 * k_h1 * k_h1 + 12.0 * k_h1 * k_h2 + 3.0 * k_h2 * k_h2) /
           (12.0 * k_h1 + 4.0 * k_h2);
}

// 004: Q11 = Q22. The cone's term should hold -(3/2) h h2 besides; that is the second value.
double printed_Q(bool mended) {
    const double h = printed_h();
    const double l = 0.5 * k_h1 + k_h2 - h;
    const double cone =
        0.6 * (k_radius * k_radius / 4.0 + k_h2 * k_h2) + h * h - (mended ? 1.5 * h * k_h2 : 0.0);
    const double cylinder = (3.0 * k_radius * k_radius + k_h1 * k_h1) / 12.0 + l * l;
    return (k_h1 * cylinder + k_h2 / 3.0 * cone) / (k_h1 + k_h2 / 3.0);
}

// Mass, centre and transverse moment by slicing the pencil into disks (midpoint rule).
struct Slices {
    double mass = 0.0, first = 0.0, second = 0.0, disks = 0.0;

    Slices() {
        constexpr int k_slices = 200000;
        const double dz = (k_h1 + k_h2) / k_slices;
        for (int i = 0; i < k_slices; ++i) {
            const double z = (i + 0.5) * dz;
            const double rho = z < k_h2 ? k_radius * z / k_h2 : k_radius;
            const double dm = rho * rho * dz;
            mass += dm;
            first += dm * z;
            second += dm * z * z;
            disks += dm * rho * rho / 4.0;
        }
    }
    double centre() const { return first / mass; }
    double transverse_moment() const { return (disks + second) / mass - centre() * centre(); }
};

// The pencil's frame in the desk's. Eq. 40 takes theta from the horizontal: the axis is
// (cos theta, 0, sin theta), so that R turns by pi/2 - theta, not by theta as the text says.
Mat3 pencil_frame() {
    Mat3 R;
    R.col(0) = Vec3(std::sin(k_theta), 0.0, -std::cos(k_theta));
    R.col(1) = Vec3::UnitY();
    R.col(2) = Vec3(std::cos(k_theta), 0.0, std::sin(k_theta));
    return R;
}

BodyPair pencil_on_desk(double Q) {
    const Mat3 R = pencil_frame();
    BodyPair pair;
    pair.normal = Vec3::UnitZ();
    pair.A.inverse_mass = 1.0;
    // the moment about the axis plays no part: the tip lies on the axis
    pair.A.inverse_inertia = R * Vec3(1.0 / Q, 1.0 / Q, 8.0).asDiagonal() * R.transpose();
    pair.A.r = -printed_h() * R.col(2);
    pair.A.v = k_V0;
    pair.A.w = R * k_omega0;
    return pair;
}

// 004 eq. 40, letter by letter.
Vec3 equation_40(const Vec3& I, double Q) {
    const double h = printed_h();
    const double s = std::sin(k_theta);
    const double c = std::cos(k_theta);
    const Vec3 turning(-k_omega0.y() * s, k_omega0.x(), k_omega0.y() * c);
    const Vec3 kick(I.x() * s * s - I.z() * s * c, I.y(), -I.x() * s * c + I.z() * c * c);
    return k_V0 + I + h * turning + h * h / Q * kick;
}

TEST(JiaPencil, CentreOfMassAsPrinted) {
    EXPECT_NEAR(printed_h(), Slices().centre(), 1e-9);
    EXPECT_NEAR(printed_h(), 72.75 / 38.0, 1e-15);
}

TEST(JiaPencil, MomentOfInertiaLacksATerm) {
    EXPECT_NEAR(printed_Q(false), 0.979441, 5e-7);
    EXPECT_NEAR(printed_Q(true), 0.903869, 5e-7);
    EXPECT_NEAR(printed_Q(true), Slices().transverse_moment(), 1e-8);
}

TEST(JiaPencil, Equation40IsTheBodyWithThetaFromTheHorizontal) {
    const double Q = printed_Q(false);
    const Contact contact = make_contact(pencil_on_desk(Q)).contact;
    EXPECT_LT((contact.u - equation_40(Vec3::Zero(), Q)).norm(), 1e-14);
    for (int i = 0; i < 3; ++i) {
        const Vec3 I = Vec3::Unit(i);
        EXPECT_LT((contact.u + contact.K * I - equation_40(I, Q)).norm(), 1e-14);
    }
}

TEST(JiaPencil, PrintedVelocitiesAgreeWithThePrintedImpulse) {
    EXPECT_LT((k_V0 + k_printed_I - k_printed_V).norm(), 1e-5);
    // -h z x (R^-1 I) = Q (w - w0)
    const Vec3 torque =
        -printed_h() * Vec3::UnitZ().cross(pencil_frame().transpose() * k_printed_I);
    const Vec3 with_printed_Q = k_omega0 + torque / printed_Q(false);
    EXPECT_NEAR(with_printed_Q.x(), k_printed_omega.x(), 5e-6);
    EXPECT_NEAR(with_printed_Q.y(), k_printed_omega.y(), 2e-5);
    // the spin about the axis stays: -0.5, though the text says 0.5
    EXPECT_EQ(with_printed_Q.z(), k_printed_omega.z());
    // so the runs used the formula without the term
    const Vec3 with_mended_Q = k_omega0 + torque / printed_Q(true);
    EXPECT_GT((with_mended_Q - k_printed_omega).norm(), 0.1);
    // the text says that it gains motion along negative y, the number that it is positive
    EXPECT_GT(k_printed_V.y(), 0.0);
}

TEST(JiaPencil, PrintedImpulseIsPermissible) {
    // Nothing is physically wrong with it; it turns the slip along x round, as springs can.
    const Contact contact = make_contact(pencil_on_desk(printed_Q(false))).contact;
    EXPECT_TRUE(check_permissible(contact, k_pencil_mu, k_printed_I).all());
    const Vec3 after = contact.u + contact.K * k_printed_I;
    EXPECT_LT(contact.u.x(), -3.0);
    EXPECT_GT(after.x(), 2.0);
}

TEST(JiaPencil, OurAnswer) {
    const Contact contact = make_contact(pencil_on_desk(printed_Q(false))).contact;
    const Solution solution =
        compliant(contact, {k_pencil_e, k_pencil_mu, eta2_of_poisson_ratio(k_pencil_nu)});
    EXPECT_NEAR(solution.p.x(), 4.07498249, 1e-7);
    EXPECT_NEAR(solution.p.y(), 0.40765550, 1e-7);
    EXPECT_NEAR(solution.p.z(), 5.75950400, 1e-7);
    // near the printed impulse, not on it
    const double distance = (solution.p - k_printed_I).norm();
    EXPECT_GT(distance, 0.2);
    EXPECT_LT(distance, 0.3);
    // it starts in slip, sticks and slips back; 004 says that it slides
    ASSERT_EQ(solution.path.size(), 3U);
    EXPECT_EQ(solution.path[0], Mode::slide);
    EXPECT_EQ(solution.path[1], Mode::stick);
    EXPECT_EQ(solution.path[2], Mode::slide);
}

TEST(JiaPencil, NoPoissonRatioGivesThePrintedImpulse) {
    for (const bool mended : {false, true}) {
        const Contact contact = make_contact(pencil_on_desk(printed_Q(mended))).contact;
        double nearest = 1.0;
        for (int i = 0; i <= 100; ++i) {
            const double nu = 0.005 * i;
            const Vec3 p =
                compliant(contact, {k_pencil_e, k_pencil_mu, eta2_of_poisson_ratio(nu)}).p;
            nearest = std::min(nearest, (p - k_printed_I).norm());
        }
        EXPECT_GT(nearest, 0.15);
    }
}

TEST(JiaPencil, PseudoCodeLeavesTheFrictionCone) {
    // Section 2.6 advances the spring lengths by Euler from the first step on, where the energies
    // double. With G' = G E'/(2E) and E = n h the n-th step multiplies G by 1 + 1/(2n) and sqrt(E)
    // by sqrt(1 + 1/n): the quotient grows to 2/sqrt(pi) = 1.128 whatever the step, and slip goes
    // on with too large a friction. Shown on a ball that slips up to the end of compression.
    const Contact ball{Vec3(3.5, 3.5, 1.0).asDiagonal(), Vec3(-30.0, 0.0, -5.0)};
    const CompliantParameters law{0.0, 0.2, eta2_of_poisson_ratio(k_pencil_nu)};
    const Vec3 exact = compliant(ball, law).p;
    EXPECT_NEAR(exact.x() / exact.z(), law.mu, 1e-12);
    for (const double step : {1e-3, 1e-4, 1e-5}) {
        const Vec3 p = tests::compliant_euler(ball, law, step, false);
        EXPECT_NEAR(p.x() / p.z(), law.mu * 2.0 / std::sqrt(std::numbers::pi), 2e-3) << step;
    }
}

}  // namespace
}  // namespace carom::impact
