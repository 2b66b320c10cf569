// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The collision that refuted Mirtich's change of variable: the correction of his algorithm,
// section 1.2 (called 001 here). A body of mass 1 meets an immovable one; pushing harder along the
// normal makes the bodies approach again, so that there are two compressions.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <vector>

#include "carom/impact/permissible.h"
#include "carom/impact/problem.h"
#include "carom/impact/routh.h"

namespace carom::impact {
namespace {

constexpr double k_rod_mu = 0.5;  // 001 section 1.2
constexpr double k_rod_e = 0.9;   // 001 section 1.2

Mat3 printed_inverse_inertia() {
    Mat3 inverse;
    inverse << 9, 6, -6,  //
        6, 6, -2,         //
        -6, -2, 9;
    return inverse;
}

// The contact velocity is given directly; it is laid into the velocity of the centre.
Contact two_compressions() {
    BodyPair pair;
    pair.normal = Vec3::UnitZ();
    pair.A.inverse_mass = 1.0;
    pair.A.inverse_inertia = printed_inverse_inertia();
    pair.A.r = Vec3(1.0, 1.0, 1.0);
    pair.A.v = Vec3(630.0, -780.0, -0.22);
    return make_contact(pair).contact;
}

Vec3 ascending_eigenvalues(const Mat3& matrix) {
    return Eigen::SelfAdjointEigenSolver<Mat3>(matrix).eigenvalues();
}

// 001 eq. 3: the slope of u with respect to the normal impulse while the contact slips.
Vec3 slope(const Mat3& K, const Vec3& u) {
    const Vec2 c = u.head<2>().normalized();
    return K * Vec3(-k_rod_mu * c.x(), -k_rod_mu * c.y(), 1.0);
}

// A plain RK4 in the normal impulse, with nothing in common with the library's series.
Vec3 slide_to(const Contact& contact, double pz, int steps) {
    const double h = pz / steps;
    Vec3 u = contact.u;
    for (int i = 0; i < steps; ++i) {
        const Vec3 s1 = slope(contact.K, u);
        const Vec3 s2 = slope(contact.K, u + 0.5 * h * s1);
        const Vec3 s3 = slope(contact.K, u + 0.5 * h * s2);
        const Vec3 s4 = slope(contact.K, u + h * s3);
        u += h / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4);
    }
    return u;
}

struct Experiment {
    Contact contact = two_compressions();
    Trace trace;
    Solution solution;

    explicit Experiment(Termination termination) {
        solution = routh(contact, {k_rod_e, k_rod_mu, termination}, &trace);
    }
    double pz_at(const Transition& transition) const {
        return trace.samples[transition.sample].p.z();
    }
    // Normal impulse at every located change of the given kind.
    std::vector<double> where(TransitionKind kind) const {
        std::vector<double> found;
        for (const Transition& t : trace.transitions) {
            if (t.kind == kind) found.push_back(pz_at(t));
        }
        return found;
    }
};

TEST(TwoCompressions, CollisionMatrixFollowsFromTheBodies) {
    Mat3 printed;  // 001 section 1.2
    printed << 20, -23, 4, -23, 31, -7, 4, -7, 4;
    const Contact contact = two_compressions();
    EXPECT_LT((contact.K - printed).norm(), 1e-13);
    EXPECT_EQ(contact.u, Vec3(630.0, -780.0, -0.22));
    EXPECT_EQ(check_contact(contact), "");
}

TEST(TwoCompressions, EigenvaluesAsPrinted) {
    // 001 section 1.2: about 17.8, 5.6, 0.5 and about 50.5, 3.5, 1.0
    const Vec3 of_inertia = ascending_eigenvalues(printed_inverse_inertia());
    EXPECT_NEAR(of_inertia(2), 17.8, 0.05);
    EXPECT_NEAR(of_inertia(1), 5.6, 0.05);
    EXPECT_NEAR(of_inertia(0), 0.5, 0.05);
    const Vec3 of_K = ascending_eigenvalues(two_compressions().K);
    EXPECT_NEAR(of_K(2), 50.5, 0.05);
    EXPECT_NEAR(of_K(1), 3.5, 0.05);
    EXPECT_NEAR(of_K(0), 1.0, 0.05);
}

TEST(TwoCompressions, NormalVelocityHasThreeRoots) {
    // 001 section 1.2: roots at about 14.6, 29.8 and 56.0
    const Experiment run(Termination::stronge);
    const std::vector<double> up = run.where(TransitionKind::maximum_compression);
    const std::vector<double> down = run.where(TransitionKind::recompression);
    ASSERT_EQ(up.size(), 2U);
    ASSERT_EQ(down.size(), 1U);
    EXPECT_NEAR(up[0], 14.6, 0.05);
    EXPECT_NEAR(down[0], 29.8, 0.05);
    EXPECT_NEAR(up[1], 56.0, 0.05);
    for (const double pz : {up[0], down[0], up[1]}) {
        EXPECT_NEAR(slide_to(run.contact, pz, 20000).z(), 0.0, 1e-9) << "root at " << pz;
    }
}

TEST(TwoCompressions, LocalMaximumOfTheNormalVelocity) {
    // 001 section 1.2: at p_z = 22.5. The slope of u_z changes sign between two samples.
    const Experiment run(Termination::stronge);
    double maximum = 0.0;
    for (std::size_t i = 1; i < run.trace.samples.size() && maximum == 0.0; ++i) {
        const TraceSample& a = run.trace.samples[i - 1];
        const TraceSample& b = run.trace.samples[i];
        const double slope_a = slope(run.contact.K, a.u).z();
        const double slope_b = slope(run.contact.K, b.u).z();
        if (slope_a > 0.0 && slope_b <= 0.0) {
            maximum = a.p.z() + (b.p.z() - a.p.z()) * slope_a / (slope_a - slope_b);
            EXPECT_GT(a.u.z(), 0.0) << "001: by then the bodies separate";
        }
    }
    EXPECT_NEAR(maximum, 22.5, 0.05);
    EXPECT_NEAR(slope(run.contact.K, slide_to(run.contact, maximum, 20000)).z(), 0.0, 1e-5);
    // the slope starts positive: what Mirtich took for granted to last
    EXPECT_GT(slope(run.contact.K, run.contact.u).z(), 0.0);
}

TEST(TwoCompressions, StrongeNeedsBothCompressions) {
    // 001 section 3.4: work is summed over all phases. The end itself is not printed; the value is
    // the one of an independent computation in 30 digits.
    const Experiment run(Termination::stronge);
    EXPECT_NEAR(run.solution.p.z(), 60.8115, 5e-5);
    const NormalHistory& history = run.solution.history;
    EXPECT_EQ(history.compressions, 2);
    EXPECT_NEAR(history.restitution_work, -k_rod_e * k_rod_e * history.compression_work,
                1e-10 * -history.compression_work);
    EXPECT_GT((run.contact.u + run.contact.K * run.solution.p).z(), 0.0);
    EXPECT_TRUE(check_permissible(run.contact, k_rod_mu, run.solution.p).all());
}

TEST(TwoCompressions, PoissonStopsInTheFirstRestitution) {
    // Either reading of Poisson's hypothesis (summed, or 002 assumption 2 literally) is content
    // before the second compression begins: (1 + e) times the first root.
    const Experiment summed(Termination::poisson);
    const Experiment first(Termination::poisson_first);
    EXPECT_NEAR(summed.solution.p.z(), 27.7324, 5e-5);
    EXPECT_NEAR(first.solution.p.z(), 27.7324, 5e-5);
    EXPECT_EQ(summed.solution.history.compressions, 1);
    const double first_root = summed.where(TransitionKind::maximum_compression).at(0);
    EXPECT_NEAR(summed.solution.p.z(), (1.0 + k_rod_e) * first_root, 1e-10);
}

TEST(TwoCompressions, NewtonWaitsForTheSecondRestitution) {
    // u_z reaches only part of 0.9 * 0.22 on its first hill.
    const Experiment run(Termination::newton);
    EXPECT_NEAR(run.solution.p.z(), 56.6589, 5e-5);
    EXPECT_NEAR((run.contact.u + run.contact.K * run.solution.p).z(), k_rod_e * 0.22, 1e-10);
}

TEST(TwoCompressions, SlidesAllAlongAndAgreesWithRungeKutta) {
    for (const Termination termination :
         {Termination::stronge, Termination::poisson, Termination::newton}) {
        const Experiment run(termination);
        ASSERT_EQ(run.solution.path.size(), 1U) << termination_name(termination);
        EXPECT_EQ(run.solution.path[0], Mode::slide);
        const Vec3 after = run.contact.u + run.contact.K * run.solution.p;
        const Vec3 other = slide_to(run.contact, run.solution.p.z(), 20000);
        EXPECT_LT((after - other).norm(), 1e-8 * run.contact.u.norm());
    }
}

}  // namespace
}  // namespace carom::impact
