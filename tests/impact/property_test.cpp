// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/permissible.h"
#include "tests/impact/any_law.h"

// The laws of the laws: what holds for every one of them whatever its equations.
namespace carom::tests {
namespace {

using impact::LawId;
using impact::LawParameters;
using impact::Termination;

constexpr int k_problems = 2000;

INSTANTIATE_TEST_SUITE_P(Laws, AnyLaw,
                         testing::ValuesIn(impact::laws().begin(), impact::laws().end()),
                         law_test_name);

// Accuracy of the law, and rounding before it, which is felt by its answer according to the
// condition of K.
double tolerance(const LawProblem& problem) {
    return 1e-13 * (1e3 + condition(problem.contact.K));
}

TEST_P(AnyLaw, TurnsAlongWithTheTangents) {
    Random random(2001);
    for (int i = 0; i < k_problems; ++i) {
        const LawProblem problem = random_problem(GetParam(), random);
        const double angle = random.uniform(0.0, 6.28);
        const Mat3 R = turn_about_normal(angle);
        LawProblem other{turned(problem.contact, R), problem.parameters};
        *other.parameters.psi2 += angle;
        other.parameters.P = R * *problem.parameters.P;
        const Vec3 p = impulse(problem);
        ASSERT_LT(relative_error(impulse(other), R * p), 10 * tolerance(problem))
            << i << show(problem) << angle;
    }
}

TEST_P(AnyLaw, MirrorsAlong) {
    Random random(2002);
    const Mat3 mirror = Vec3(1, -1, 1).asDiagonal();
    for (int i = 0; i < k_problems; ++i) {
        const LawProblem problem = random_problem(GetParam(), random);
        LawProblem other{turned(problem.contact, mirror), problem.parameters};
        other.parameters.psi2 = -*problem.parameters.psi2;
        other.parameters.mu3 = -*problem.parameters.mu3;
        other.parameters.P = mirror * *problem.parameters.P;
        const Vec3 p = impulse(problem);
        ASSERT_LT(relative_error(impulse(other), mirror * p), tolerance(problem))
            << i << show(problem);
    }
}

TEST_P(AnyLaw, IsOfDegreeOneInTheVelocity) {
    Random random(2003);
    for (int i = 0; i < k_problems; ++i) {
        const LawProblem problem = random_problem(GetParam(), random);
        const Vec3 p = impulse(problem);
        // powers of two change no digit
        const int power = static_cast<int>(random.uniform(-400.0, 400.0));
        LawProblem other = problem;
        other.contact.u *= std::ldexp(1.0, power);
        *other.parameters.P *= std::ldexp(1.0, power);
        ASSERT_EQ(impulse(other), std::ldexp(1.0, power) * p) << i << show(problem) << power;
        const double factor = random.log_uniform(1e-3, 1e3);
        other.contact.u = factor * problem.contact.u;
        other.parameters.P = factor * *problem.parameters.P;
        ASSERT_LT(relative_error(impulse(other), factor * p), tolerance(problem))
            << i << show(problem) << factor;
    }
}

TEST_P(AnyLaw, IsOfDegreeOneInTheMass) {
    Random random(2004);
    for (int i = 0; i < k_problems; ++i) {
        const LawProblem problem = random_problem(GetParam(), random);
        const Vec3 p = impulse(problem);
        const int power = static_cast<int>(random.uniform(-400.0, 400.0));
        LawProblem other = problem;
        other.contact.K /= std::ldexp(1.0, power);
        *other.parameters.P *= std::ldexp(1.0, power);
        const Vec3 scaled = std::ldexp(1.0, power) * p;
        if (is(LawId::compliant)) {  // its time scale is the root of K
            ASSERT_LT(relative_error(impulse(other), scaled), 1e-10) << i << show(problem) << power;
        } else {
            ASSERT_EQ(impulse(other), scaled) << i << show(problem) << power;
        }
        const double factor = random.log_uniform(1e-3, 1e3);
        other.contact.K = problem.contact.K / factor;
        other.parameters.P = factor * *problem.parameters.P;
        ASSERT_LT(relative_error(impulse(other), factor * p), 10 * tolerance(problem))
            << i << show(problem) << factor;
    }
}

TEST_P(AnyLaw, PushesInsideTheConeAndSeparates) {
    Random random(2005);
    const bool coulomb = !is(LawId::brach);
    const double slack = is(LawId::compliant) ? 1e-9 : 1e-12;
    for (int i = 0; i < k_problems; ++i) {
        const LawProblem problem = random_problem(GetParam(), random);
        const Vec3 p = impulse(problem);
        const double mu = *problem.parameters.mu;
        ASSERT_GE(p.z(), 0.0) << i << show(problem);
        if (coulomb) {
            ASSERT_LE(p.head<2>().norm(), mu * p.z() + slack * p.norm()) << i << show(problem);
        }
        const double scale = problem.contact.u.norm() + problem.contact.K.norm() * p.norm();
        ASSERT_GE(after(problem.contact, p).z(), -1e-11 * scale) << i << show(problem);
    }
}

TEST_P(AnyLaw, GainsNoEnergyUnlessItSaysSo) {
    Random random(2006);
    double most = -1.0;
    for (int i = 0; i < 2 * k_problems; ++i) {
        LawProblem problem = random_problem(GetParam(), random);
        problem.parameters.reversal = i % 2 == 0;
        if (i % 4 == 0) problem.parameters.e = 1.0;
        problem.parameters.termination = static_cast<Termination>(i / 4 % 4);
        const bool may = GetParam().may_gain_energy;
        const double gain = impact::energy_change(problem.contact, impulse(problem)) /
                            contact_energy(problem.contact.K, problem.contact.u);
        most = std::max(most, gain);
        if (!may) {
            ASSERT_LE(gain, 1e-10) << i << show(problem);
        }
    }
    // a law that is flagged must have earned it
    if (GetParam().may_gain_energy) {
        EXPECT_GT(most, 1e-3);
    }
}

TEST_P(AnyLaw, DoesNothingWhereTheBodiesSeparate) {
    Random random(2007);
    for (int i = 0; i < 200; ++i) {
        LawProblem problem = random_problem(GetParam(), random);
        problem.contact.u.z() = std::abs(problem.contact.u.z());
        const auto outcome = impact::resolve(GetParam(), problem.contact, problem.parameters);
        if (outcome.refusal != nullptr) continue;
        expect_no_impulse(outcome.solution);
        if (HasFailure()) FAIL() << show(problem);
    }
}

TEST_P(AnyLaw, ReducesToFrictionlessWithoutFriction) {
    bool has_e = false;
    for (const auto& parameter : GetParam().parameters) {
        has_e = has_e || parameter.id == impact::ParameterId::e;
    }
    Random random(2008);
    for (int i = 0; i < k_problems; ++i) {
        LawProblem problem = random_problem(GetParam(), random);
        LawParameters& q = problem.parameters;
        q.mu = q.mu2 = q.mu3 = 0.0;
        const double pz = -(1.0 + *q.e) * problem.contact.u.z() / problem.contact.K(2, 2);
        const Vec3 p = impulse(problem);
        if (has_e) {
            ASSERT_LT(relative_error(p, {0, 0, pz}), 1e-12) << i << show(problem);
        } else {
            ASSERT_LE(p.head<2>().norm(), 1e-15 * p.norm()) << i << show(problem);
        }
    }
}

TEST_P(AnyLaw, StaysFiniteAtTheEdgesOfTheNumberRange) {
    Random random(2009);
    for (int i = 0; i < 3 * k_problems; ++i) {
        LawProblem problem = random_problem(GetParam(), random);
        const double masses = std::pow(10.0, random.uniform(-200.0, 200.0));
        // the impulse itself has to be a number
        const double fastest = std::min(200.0, 290.0 + std::log10(masses));
        const double slowest = std::max(-200.0, -290.0 + std::log10(masses));
        const double speed = std::pow(10.0, random.uniform(slowest, fastest));
        problem.contact.K *= masses;
        problem.contact.u *= speed;
        *problem.parameters.P *= speed / masses;
        if (i % 2 == 0) problem.parameters.mu = random.log_uniform(1e-12, 1e12);
        if (i % 3 == 0) problem.parameters.e = random.log_uniform(1e-12, 1e-3);
        if (i % 5 == 0) problem.contact.u.z() *= random.log_uniform(1e-12, 1.0);
        if (i % 7 == 0) problem.contact.u.head<2>() *= random.log_uniform(1e-12, 1.0);
        if (!impact::check_contact(problem.contact).empty()) continue;
        const auto outcome = impact::resolve(GetParam(), problem.contact, problem.parameters);
        if (outcome.refusal != nullptr) continue;
        const Vec3 p = outcome.solution.p;
        ASSERT_TRUE(p.allFinite()) << i << show(problem) << show(p);
        ASSERT_GE(p.z(), 0.0) << i << show(problem) << show(p);
    }
}

}  // namespace
}  // namespace carom::tests
