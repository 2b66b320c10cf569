// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "law_problem.h"

#include <Eigen/LU>

#include "carom/impact/routh.h"
#include "exports.h"

namespace carom::page {

using impact::LawId;
using impact::ParameterKind;

Mat3 matrix(const double* rows) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows);
}

Problem read_problem(const ProblemRow& row) {
    if (row.law >= impact::laws().size()) fail("there is no law of that number");
    Problem problem{impact::laws()[row.law],
                    {matrix(static_cast<const double*>(row.K)), Vec3(row.u[0], row.u[1], row.u[2])},
                    {}};
    impact::LawParameters& to = problem.parameters;
    for (const impact::ParameterInfo& info : impact::parameters()) {
        const auto place = static_cast<std::size_t>(info.id);
        if ((row.given >> place & 1U) == 0) continue;
        const double value = row.parameter[place];
        switch (info.kind) {
            case ParameterKind::number:
                to.number(info.id) = value;
                break;
            case ParameterKind::vector:
                to.P = Vec3(row.P[0], row.P[1], row.P[2]);
                break;
            case ParameterKind::termination:
                to.termination = static_cast<impact::Termination>(value);
                break;
            case ParameterKind::boolean:
                to.reversal = value != 0.0;
                break;
            case ParameterKind::law:
                to.fallback = static_cast<LawId>(value);
                break;
        }
    }
    return problem;
}

impact::BodyState body_state(const BodyRow& row) {
    impact::BodyState state;
    state.r = Vec3(row.r[0], row.r[1], row.r[2]);
    state.v = Vec3(row.v[0], row.v[1], row.v[2]);
    state.w = Vec3(row.w[0], row.w[1], row.w[2]);
    if (row.fixed != 0.0) return state;
    const double(&q)[4] = row.orientation;
    const Mat3 R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    state.inverse_mass = 1.0 / row.mass;
    state.inverse_inertia =
        R * matrix(static_cast<const double*>(row.inertia)).inverse() * R.transpose();
    state.inverse_inertia =
        0.5 * (state.inverse_inertia + state.inverse_inertia.transpose()).eval();
    return state;
}

double judging_mu(const Problem& problem, const impact::LawInfo& law) {
    constexpr double k_no_limit = 1e300;
    if (problem.parameters.mu) return *problem.parameters.mu;
    return law.id == LawId::frictionless ? 0.0 : k_no_limit;
}

}  // namespace carom::page
