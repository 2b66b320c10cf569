// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled_system.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "carom/impact/compliant.h"

namespace carom::impact {
namespace {

using Eigen::Index;

// Approach velocity, relative to the fastest body at its contacts, that counts as rest: rounding of
// the bodies' velocities is of that size. Larger: slow impacts of fast bodies are left out.
constexpr double k_at_rest = 1e-14;
// Mobility along a normal that hinges leave, relative to that without hinges, below which the
// contact cannot give way. Larger: refuses stiff mechanisms that could be solved.
constexpr double k_blocked = 1e-10;

// The largest speed of a body at one of its contacts, which contact velocities are differences of.
double fastest_end(const MultiContactProblem& problem) {
    double fastest = 0.0;
    for (const MultiContactPoint& contact : problem.contacts) {
        for (const std::uint32_t end : {contact.a, contact.b}) {
            const MultiContactBody& body = problem.bodies[end];
            const double arm = (contact.point - body.position).norm();
            fastest = std::max(fastest, body.v.norm() + body.w.norm() * arm);
        }
    }
    return fastest;
}

}  // namespace

std::string check_coupled_laws(const MultiContactProblem& problem) {
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        if (contact.kind == ContactKind::ball_joint) continue;
        const std::string wrong = check_coupled_law(*contact.law, contact.parameters);
        if (!wrong.empty()) return "contacts[" + std::to_string(i) + "]: " + wrong;
    }
    return {};
}

std::string check_coupled_law(const LawInfo& law, const LawParameters& parameters) {
    if (law.id != LawId::frictionless && law.id != LawId::routh && law.id != LawId::compliant) {
        return "the law '" + std::string(law.name) +
               "' has no forces to couple; 'coupled' takes frictionless, routh and compliant";
    }
    if (law.id == LawId::routh &&
        parameters.termination.value_or(Termination::stronge) != Termination::stronge)
        return "'coupled' restitution is energetic; routh must have termination stronge";
    return {};
}

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
    const Eigen::VectorXd& values = solver.eigenvalues();
    const double least = CoupledSystem::k_dependent * std::max(0.0, values.maxCoeff());
    const Eigen::VectorXd inverse =
        values.unaryExpr([&](double v) { return v > least ? 1.0 / v : 0.0; });
    return solver.eigenvectors() * inverse.asDiagonal() * solver.eigenvectors().transpose();
}

CoupledSystem::CoupledSystem(const MultiContactProblem& problem)
    : problem_size_(problem.contacts.size()) {
    const MultiContactSystem joint = make_multi_contact_system(problem);
    take_contacts(problem);
    for (std::size_t i : origin_)
        R_CW_.push_back(joint.R_CW[i]);
    for (std::size_t h : hinges_)
        hinge_R_CW_.push_back(joint.R_CW[h]);
    project_hinges(joint);
    scale(fastest_end(problem));
}

void CoupledSystem::take_contacts(const MultiContactProblem& problem) {
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& from = problem.contacts[i];
        if (from.kind == ContactKind::ball_joint) {
            hinges_.push_back(i);
            continue;
        }
        CoupledContact contact;
        const LawParameters& p = from.parameters;
        contact.e = p.e.value_or(0.0);
        contact.k = from.stiffness;
        contact.power = from.power;
        if (from.law->id != LawId::frictionless && p.mu.value_or(0.0) > 0.0) {
            contact.mu = *p.mu;
            contact.friction = CoupledFriction::rigid;
            if (from.law->id == LawId::compliant) {
                contact.friction = CoupledFriction::compliant;
                contact.eta2 = p.eta2 ? *p.eta2 : eta2_of_poisson_ratio(p.nu.value_or(0.0));
            }
        }
        contacts.push_back(contact);
        origin_.push_back(i);
    }
    Index next = row_of(contacts.size());
    for (CoupledContact& contact : contacts) {
        if (contact.friction == CoupledFriction::none) continue;
        contact.t = next;
        next += 2;
    }
    U.resize(next);
}

void CoupledSystem::project_hinges(const MultiContactSystem& joint) {
    // the rows of the joint system that are kept, and those of the hinges
    std::vector<Index> kept(static_cast<std::size_t>(U.size()));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Index first = 3 * row_of(origin_[i]);
        kept[i] = first + 2;
        if (contacts[i].t < 0) continue;
        kept[static_cast<std::size_t>(contacts[i].t)] = first;
        kept[static_cast<std::size_t>(contacts[i].t) + 1] = first + 1;
    }
    W = joint.W(kept, kept);
    U = joint.U(kept);
    if (hinges_.empty()) return;
    std::vector<Index> held;
    for (std::size_t h : hinges_) {
        for (Index axis = 0; axis < 3; ++axis)
            held.push_back(3 * row_of(h) + axis);
    }
    const Eigen::MatrixXd inverse = pseudo_inverse(joint.W(held, held));
    const Eigen::MatrixXd W_hc = joint.W(held, kept);
    const Eigen::VectorXd U_h = joint.U(held);
    hinge_gain_ = -inverse * W_hc;
    hinge_first_ = -inverse * U_h;
    const Eigen::VectorXd mobility = W.diagonal();
    W += W_hc.transpose() * hinge_gain_;
    W = Eigen::MatrixXd(0.5 * (W + W.transpose()));
    U += W_hc.transpose() * hinge_first_;
    const double rest =
        k_at_rest * std::max(U.cwiseAbs().maxCoeff(), joint.U.cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Index row = row_of(i);
        if (W(row, row) > k_blocked * mobility[row]) continue;
        if (U[row] < -rest) {
            throw std::invalid_argument("contacts[" + std::to_string(origin_[i]) +
                                        "]: it approaches, but the hinges leave its bodies no "
                                        "relative motion along its normal; leave it out");
        }
        // held by hinges: nothing can happen there
        W.row(row).setZero();
        W.col(row).setZero();
        U[row] = 0.0;
    }
}

void CoupledSystem::scale(double fastest) {
    const Index m = row_of(contacts.size());
    if (m == 0) return;
    const double approach = -U.head(m).minCoeff();
    approaches = approach > k_at_rest * std::max(fastest, U.cwiseAbs().maxCoeff());
    if (!approaches) return;
    speed = approach;
    const double mobility = W.diagonal().head(m).maxCoeff();
    impulse = speed / mobility;
    time = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < m; ++i) {
        const CoupledContact& c = contacts[static_cast<std::size_t>(i)];
        if (W(i, i) == 0.0) continue;
        const double rate = c.k * W(i, i) * std::pow(speed, c.power - 1.0);
        time = std::min(time, std::pow(rate, -1.0 / (c.power + 1.0)));
    }
    W /= mobility;
    U /= speed;
    for (Index i = 0; i < m; ++i) {
        CoupledContact& c = contacts[static_cast<std::size_t>(i)];
        if (W(i, i) == 0.0) continue;
        c.k *= mobility * std::pow(speed, c.power - 1.0) * std::pow(time, c.power + 1.0);
        if (!(c.k >= std::numeric_limits<double>::min()) || !std::isfinite(c.k)) {
            throw std::invalid_argument(
                "contacts[" + std::to_string(origin_[static_cast<std::size_t>(i)]) +
                "]: its stiffness, masses or speed are too far from the others' in size");
        }
        c.x_scale = std::pow(0.5 * (c.power + 1.0) / (W(i, i) * c.k), 1.0 / (c.power + 1.0));
        c.force_scale = c.force(c.x_scale);
    }
}

Vec3 CoupledSystem::vector_W(std::size_t i, const Eigen::VectorXd& rows) const {
    const Index t = contacts[i].t;
    const Vec3 p_C(t < 0 ? 0.0 : rows[t], t < 0 ? 0.0 : rows[t + 1], rows[row_of(i)]);
    return R_CW_[i].transpose() * p_C;
}

std::vector<Vec3> CoupledSystem::impulses_W(const Eigen::VectorXd& P) const {
    std::vector<Vec3> impulses(problem_size_, Vec3::Zero());
    for (std::size_t i = 0; i < contacts.size(); ++i)
        impulses[origin_[i]] = impulse * vector_W(i, P);
    if (hinges_.empty()) return impulses;
    const Eigen::VectorXd p = hinge_first_ + hinge_gain_ * (impulse * P);
    for (std::size_t h = 0; h < hinges_.size(); ++h)
        impulses[hinges_[h]] = hinge_R_CW_[h].transpose() * p.segment<3>(3 * row_of(h));
    return impulses;
}

}  // namespace carom::impact
