// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "tests/impact/law_checks.h"

namespace carom::impact {

inline void PrintTo(const LawInfo& law, std::ostream* out) {
    *out << law.name;
}

}  // namespace carom::impact

// Problems that any given law of the registry can answer.
namespace carom::tests {

inline Mat3 turn_about_normal(double angle) {
    Mat3 R = Mat3::Identity();
    R.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    return R;
}

inline impact::Contact turned(const impact::Contact& contact, const Mat3& R) {
    impact::Contact result{R * contact.K * R.transpose(), R * contact.u};
    result.K = (0.5 * (result.K + result.K.transpose())).eval();
    return result;
}

struct LawProblem {
    impact::Contact contact;
    impact::LawParameters parameters;
};

inline std::string show(const LawProblem& problem) {
    return show(problem.contact) + show(problem.parameters);
}

// A random approaching contact of a kind the law takes, with random parameters.
inline LawProblem random_problem(const impact::LawInfo& law, Random& random) {
    LawProblem problem;
    for (;;) {
        problem.parameters = random_parameters(random);
        if (law.id == impact::LawId::pfeiffer_glocker) {
            problem.parameters.et = std::abs(*problem.parameters.et);
        }
        if (law.plane_only) {
            problem.contact = impact::embed_plane(random_plane(random));
        } else if (law.id == impact::LawId::bilinear || law.id == impact::LawId::particle) {
            problem.contact = diagonal_contact(
                random.log_uniform(0.3, 10), random.log_uniform(0.3, 10),
                random.log_uniform(0.3, 10), {random.normal(), 0, -random.log_uniform(0.01, 3)});
        } else {
            problem.contact = any_contact(random);
        }
        // the wished impulse of the size of the others
        *problem.parameters.P *= problem.contact.u.norm() / problem.contact.K(2, 2);
        if (impact::resolve(law, problem.contact, problem.parameters).refusal == nullptr) break;
    }
    return problem;
}

class AnyLaw : public testing::TestWithParam<impact::LawInfo> {
protected:
    Vec3 impulse(const impact::Contact& contact, const impact::LawParameters& parameters) const {
        const auto outcome = impact::resolve(GetParam(), contact, parameters);
        EXPECT_EQ(outcome.refusal, nullptr) << show(contact) << show(parameters);
        return outcome.solution.p;
    }
    Vec3 impulse(const LawProblem& problem) const {
        return impulse(problem.contact, problem.parameters);
    }
    bool is(impact::LawId id) const { return GetParam().id == id; }
};

inline std::string law_test_name(const testing::TestParamInfo<impact::LawInfo>& info) {
    std::string name(info.param.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace carom::tests
