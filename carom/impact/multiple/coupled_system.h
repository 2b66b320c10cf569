// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "carom/impact/multiple/multi_contact_problem.h"

namespace carom::impact {

// How a contact of the coupled impact rubs: not at all, by Coulomb's law at the contact point, or
// by Coulomb's law behind tangential springs.
enum class CoupledFriction : std::uint8_t { none, rigid, compliant };

// The row of contact i in the vectors of normal quantities.
inline Eigen::Index row_of(std::size_t i) {
    return static_cast<Eigen::Index>(i);
}

// One contact as the coupled integration sees it, in the units of the scaled system.
struct CoupledContact {
    double e = 0.0, mu = 0.0, eta2 = 1.0;
    double k = 1.0, power = 1.0;
    CoupledFriction friction = CoupledFriction::none;
    Eigen::Index t = -1;       // first of its two tangential rows, -1 where it has none
    double x_scale = 1.0;      // compression by the fastest approach, were it alone
    double force_scale = 1.0;  // force at that compression

    double force(double x) const {
        if (power == 1.0) return k * x;  // also of x < 0, where a step reaches beyond the opening
        if (!(x > 0.0)) return 0.0;
        return power == 1.5 ? k * x * std::sqrt(x) : k * std::pow(x, power);
    }
    // dF/dx
    double stiffness(double x) const {
        if (power == 1.0) return k;
        if (!(x > 0.0)) return 0.0;
        return power * (power == 1.5 ? k * std::sqrt(x) : k * std::pow(x, power - 1.0));
    }
    double energy(double x) const { return x > 0.0 ? force(x) * x / (power + 1.0) : 0.0; }
    double compression(double F) const { return F > 0.0 ? std::pow(F / k, 1.0 / power) : 0.0; }
};

// The problem of many contacts made small: only the rows that matter, hinges projected away, and
// units in which the fastest approach has speed 1, the most mobile contact mass 1, and the quickest
// of the contacts a duration of about 1.
//
// Row i is the normal of contact i (of the contacts that are no hinges), the tangential rows
// follow. A hinge holds through the whole impact: with h its rows and c the others,
//     p_h = -W_hh^+ (U_h + W_hc p_c),   W = W_cc - W_ch W_hh^+ W_hc,   U = U_c - W_ch W_hh^+ U_h.
// W_hh^+ leaves out directions that hinges hold twice, to k_dependent of the largest.
struct CoupledSystem {
    explicit CoupledSystem(const MultiContactProblem& problem);

    Eigen::MatrixXd W;
    Eigen::VectorXd U;
    std::vector<CoupledContact> contacts;
    bool approaches = false;  // whether any contact approaches by more than rounding
    double speed = 1.0, impulse = 1.0, time = 1.0;  // the units

    // The impulses of all contacts of the problem in the world frame from those of the rows.
    std::vector<Vec3> impulses_W(const Eigen::VectorXd& P) const;
    // The contact of the problem that is contact i here.
    std::size_t index(std::size_t i) const { return origin_[i]; }
    Vec3 vector_W(std::size_t i, const Eigen::VectorXd& rows) const;

    // Part of the largest eigenvalue below which a direction counts as held by others. Larger:
    // badly conditioned mechanisms lose a degree of freedom.
    static constexpr double k_dependent = 1e-11;

private:
    void take_contacts(const MultiContactProblem& problem);
    void project_hinges(const MultiContactSystem& joint);
    void scale(double fastest);

    std::vector<std::size_t> origin_;
    std::vector<Mat3> R_CW_;
    std::size_t problem_size_ = 0;
    std::vector<std::size_t> hinges_;
    std::vector<Mat3> hinge_R_CW_;
    Eigen::MatrixXd hinge_gain_;   // -W_hh^+ W_hc
    Eigen::VectorXd hinge_first_;  // -W_hh^+ U_h
};

// The pseudo-inverse of a symmetric positive semidefinite matrix, without eigenvalues below
// CoupledSystem::k_dependent of the largest.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

// Empty when the coupled resolution can take the problem's laws, else what is wrong.
std::string check_coupled_laws(const MultiContactProblem& problem);
// The same of one law.
std::string check_coupled_law(const LawInfo& law, const LawParameters& parameters);

}  // namespace carom::impact
