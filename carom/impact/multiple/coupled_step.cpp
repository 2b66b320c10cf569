// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled_step.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace carom::impact {
namespace {

using Eigen::Index;

// Change of the velocities from sweep to sweep that counts as none, relative to the scales; and how
// much is accepted where rounding allows no less. Larger: steps ten times less accurate.
constexpr double k_converged = 1e-15;
constexpr double k_good_enough = 1e-13;
constexpr int k_most_sweeps = 60;
// Newton steps in one sweep: the next sweep goes on with them.
constexpr int k_most_newton = 4;
// Last Newton step that is enough: the error is its square.
constexpr double k_newton_enough = 1e-8;
// Multiplications of an eigenvalue problem, in cubes of its size, and of one Newton iteration for
// the slip of a contact.
constexpr double k_eigen_work = 10.0;
constexpr double k_slip_work = 4000.0;
using Column = Eigen::Matrix<double, k_step_nodes, 1>;

}  // namespace

CoupledStep::CoupledStep(const CoupledSystem& system) : system_(system) {
    const Index n = system.U.size();
    const Index m = row_of(system.contacts.size());
    U_.resize(n, k_step_nodes);
    A_ = F_ = T_ = T_rate_ = NodeTable::Zero(n, k_step_nodes);
    x_ = x_rate_ = NodeTable::Zero(m, k_step_nodes);
}

void CoupledStep::start(const CoupledState& state) {
    start_ = state;
    sticking_.clear();
    squared_ = false;
    for (std::size_t i = 0; i < state.contacts.size(); ++i) {
        const CoupledContact& c = system_.contacts[i];
        const CoupledContactState& contact = state.contacts[i];
        if (contact.closed() && contact.x == 0.0 && c.power != 1.0) squared_ = true;
        if (c.friction != CoupledFriction::rigid || contact.grip != CoupledGrip::stick) continue;
        start_.U.segment<2>(c.t).setZero();
        sticking_.push_back(c.t);
        sticking_.push_back(c.t + 1);
    }
    W_ = system_.W;
    const auto rows = static_cast<double>(W_.rows());
    const auto held = static_cast<double>(sticking_.size());
    work_ += rows * rows;
    if (sticking_.empty()) return;
    work_ += k_eigen_work * held * held * held + 2.0 * held * rows * rows;
    hold_ = -pseudo_inverse(system_.W(sticking_, sticking_)) * system_.W(sticking_, Eigen::all);
    W_ += system_.W(Eigen::all, sticking_) * hold_;
    W_(sticking_, Eigen::all).setZero();
    W_(Eigen::all, sticking_).setZero();
}

bool CoupledStep::solve(double h) {
    h_ = h;
    const StepNodes& nodes = step_nodes();
    integral_T_ = h * nodes.integral_T;
    if (squared_) integral_T_ = 2.0 * nodes.s.asDiagonal() * integral_T_;
    U_ = start_.U.replicate(1, k_step_nodes);
    F_ = known_forces(start_).replicate(1, k_step_nodes);
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
        const Index t = system_.contacts[i].t;
        if (t < 0) continue;
        const CoupledContactState& contact = start_.contacts[i];
        const bool slips = contact.grip == CoupledGrip::slip;
        T_.row(t).setConstant(slips ? contact.angle : contact.ratio.x());
        T_.row(t + 1).setConstant(slips ? 0.0 : contact.ratio.y());
    }
    if (!sweep()) return false;
    if (!sticking_.empty()) F_(sticking_, Eigen::all) = hold_ * F_;
    return true;
}

bool CoupledStep::sweep() {
    const Eigen::VectorXd scale = start_.U.cwiseAbs().cwiseMax(1.0);
    double before = 0.0;
    for (int n = 0; n < k_most_sweeps; ++n) {
        normal_forces();
        newton_left_ = 0.0;
        if (!friction()) return false;
        A_.noalias() = W_ * F_;
        work_ += static_cast<double>(k_step_nodes * W_.size());
        const NodeTable U = start_.U.replicate(1, k_step_nodes) + A_ * integral_T_;
        const double change =
            ((U - U_).cwiseAbs().rowwise().maxCoeff().cwiseQuotient(scale)).maxCoeff();
        U_ = U;
        if (!std::isfinite(change)) return false;
        const bool settled = newton_left_ <= k_newton_enough;
        if (settled && change <= k_converged) return true;
        // stagnation at the level of rounding
        if (settled && n > 3 && change <= k_good_enough && change >= 0.5 * before) return true;
        if (n > 8 && change > before) return false;
        before = change;
    }
    return false;
}

void CoupledStep::normal_forces() {
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
        const CoupledContact& c = system_.contacts[i];
        const CoupledContactState& contact = start_.contacts[i];
        const Index row = row_of(i);
        x_rate_.row(row) = -contact.rate(c) * U_.row(row);
        x_.row(row) = (x_rate_.row(row) * integral_T_).array() + contact.x;
        if (!contact.closed()) continue;
        const bool touching = contact.phase == CoupledPhase::touching;
        for (Index k = 0; k < k_step_nodes; ++k) {
            const double x = touching ? std::max(0.0, x_(row, k)) : x_(row, k);
            F_(row, k) = c.force(x);
        }
    }
}

bool CoupledStep::friction() {
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
        const CoupledContactState& contact = start_.contacts[i];
        if (contact.grip == CoupledGrip::none || contact.grip == CoupledGrip::undecided) continue;
        const bool slips = contact.grip == CoupledGrip::slip;
        if (system_.contacts[i].friction == CoupledFriction::compliant) {
            if (!(x_.row(row_of(i)).minCoeff() > 0.0)) return false;
            if (!(slips ? compliant_slip(i) : compliant_stick(i))) return false;
        } else if (slips && !rigid_slip(i)) {
            return false;
        }
    }
    return true;
}

// The ratio q = f/F obeys q' = (power u_t/eta2 - c q x')/x, linear in q, with c = power while the
// stiffness grows and 1 while it falls.
bool CoupledStep::compliant_stick(std::size_t i) {
    const CoupledContact& c = system_.contacts[i];
    const CoupledContactState& contact = start_.contacts[i];
    const Index row = row_of(i);
    const double fading = contact.phase == CoupledPhase::unloading ? 1.0 : c.power;
    const NodeMatrix integral = integral_T_.transpose();
    const NodeValues per_x = x_.row(row).cwiseInverse();
    const NodeValues decay = fading * x_rate_.row(row).cwiseProduct(per_x);
    const NodeMatrix J = NodeMatrix::Identity() + integral * decay.asDiagonal();
    const Eigen::PartialPivLU<NodeMatrix> solver(J);
    for (Index axis = 0; axis < 2; ++axis) {
        const Index t = c.t + axis;
        const NodeValues drive = (c.power / c.eta2) * U_.row(t).cwiseProduct(per_x);
        const Column right = (integral * drive.transpose()).array() + contact.ratio[axis];
        T_.row(t) = solver.solve(right).transpose();
        T_rate_.row(t) = drive - decay.cwiseProduct(T_.row(t));
        F_.row(t) = -T_.row(t).cwiseProduct(F_.row(row));
    }
    return T_.middleRows<2>(c.t).allFinite();
}

bool CoupledStep::compliant_slip(std::size_t i) {
    const CoupledContact& c = system_.contacts[i];
    const Index row = row_of(i);
    const NodeMatrix integral = integral_T_.transpose();
    Column angle = T_.row(c.t).transpose();
    Column rate, slope;
    double last_step = 1.0;
    for (int n = 0; n < k_most_newton && last_step > k_newton_enough; ++n) {
        for (Index k = 0; k < k_step_nodes; ++k) {
            const double per_stretch = c.power / (c.eta2 * c.mu * x_(row, k));  // 1/d
            const double co = std::cos(angle[k]);
            const double si = std::sin(angle[k]);
            rate[k] = per_stretch * (U_(c.t + 1, k) * co - U_(c.t, k) * si);
            slope[k] = -per_stretch * (U_(c.t, k) * co + U_(c.t + 1, k) * si);
        }
        const Column residual =
            angle - integral * rate - Column::Constant(start_.contacts[i].angle);
        const NodeMatrix J = NodeMatrix::Identity() - integral * slope.asDiagonal();
        const Column step = J.partialPivLu().solve(residual);
        if (!step.allFinite()) return false;
        angle -= step;
        last_step = step.cwiseAbs().maxCoeff();
    }
    newton_left_ = std::max(newton_left_, last_step);
    T_.row(c.t) = angle.transpose();
    T_rate_.row(c.t) = rate.transpose();
    for (Index k = 0; k < k_step_nodes; ++k) {
        F_(c.t, k) = -c.mu * F_(row, k) * std::cos(angle[k]);
        F_(c.t + 1, k) = -c.mu * F_(row, k) * std::sin(angle[k]);
    }
    return true;
}

// Newton for size and angle of the slip at the nodes: regular also where slip begins from nothing
// (and, by the least size in J, where hinges leave it one direction only).
bool CoupledStep::rigid_slip(std::size_t i) {
    const CoupledContact& c = system_.contacts[i];
    constexpr int n = 2 * k_step_nodes;
    using Pairs = Eigen::Matrix<double, 2, k_step_nodes>;
    const Mat2 M = W_.block<2, 2>(c.t, c.t);
    const NodeValues limit = c.mu * F_.row(row_of(i));
    // acceleration by all but this friction
    Pairs others = W_.middleRows<2>(c.t) * F_;
    others -= M * F_.middleRows<2>(c.t);
    const Vec2 u0 = start_.U.segment<2>(c.t);
    const double scale = std::max(1.0, u0.norm());
    Pairs polar;  // size and angle
    for (int k = 0; k < k_step_nodes; ++k) {
        const Vec2 u = U_.block<2, 1>(c.t, k);
        const bool moves = u.norm() > k_no_slip * scale;
        const Vec2 along = moves ? u : start_.contacts[i].along;
        polar.col(k) << (moves ? u.norm() : 0.0), std::atan2(along.y(), along.x());
    }
    Pairs direction;
    double last_step = 1.0;
    for (int tries = 0; tries < k_most_newton && last_step > k_newton_enough * scale; ++tries) {
        Pairs across;
        for (int k = 0; k < k_step_nodes; ++k) {
            direction.col(k) << std::cos(polar(1, k)), std::sin(polar(1, k));
            across.col(k) << -direction(1, k), direction(0, k);
        }
        work_ += k_slip_work;
        const Pairs turned = M * across * limit.asDiagonal();
        const Pairs rate = others - M * direction * limit.asDiagonal();
        const Pairs residual =
            (direction * polar.row(0).asDiagonal() - rate * integral_T_).colwise() - u0;
        Eigen::Matrix<double, n, n> J = Eigen::Matrix<double, n, n>::Zero();
        for (int k = 0; k < k_step_nodes; ++k) {
            J.block<2, 1>(2 * k, 2 * k) = direction.col(k);
            for (int j = 0; j < k_step_nodes; ++j)
                J.block<2, 1>(2 * k, 2 * j + 1) = integral_T_(j, k) * turned.col(j);
            J.block<2, 1>(2 * k, 2 * k + 1) +=
                std::max(polar(0, k), k_no_slip * scale) * across.col(k);
        }
        const Eigen::Matrix<double, n, 1> step =
            J.partialPivLu().solve(Eigen::Matrix<double, n, 1>(residual.reshaped()));
        if (!step.allFinite()) return false;
        const Pairs change = step.reshaped(2, k_step_nodes);
        polar -= change;
        last_step = change.row(0).cwiseAbs().maxCoeff() +
                    change.row(1).cwiseAbs().cwiseProduct(limit).maxCoeff() * h_;
    }
    newton_left_ = std::max(newton_left_, last_step / scale);
    for (int k = 0; k < k_step_nodes; ++k)
        direction.col(k) << std::cos(polar(1, k)), std::sin(polar(1, k));
    U_.middleRows<2>(c.t) = direction * polar.row(0).asDiagonal();
    F_.middleRows<2>(c.t) = -direction * limit.asDiagonal();
    return true;
}

double CoupledStep::error() const {
    NodeValues last = step_nodes().last;
    if (squared_) last = 2.0 * last.cwiseProduct(step_nodes().s);
    double worst = 0.0;
    for (Index row = 0; row < U_.rows(); ++row) {
        const double size = std::max(1.0, std::abs(start_.U[row]));
        worst = std::max(worst, std::abs(A_.row(row).dot(last)) / size);
    }
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
        const CoupledContact& c = system_.contacts[i];
        const CoupledContactState& contact = start_.contacts[i];
        const Index row = row_of(i);
        const double w = system_.W(row, row);
        worst = std::max(worst, std::abs(F_.row(row).dot(last)) * w);
        worst = std::max(worst, std::abs(x_rate_.row(row).dot(last)) / c.x_scale);
        if (c.friction != CoupledFriction::compliant) continue;
        if (contact.grip != CoupledGrip::slip && contact.grip != CoupledGrip::stick) continue;
        const double part = F_.row(row).maxCoeff() / c.force_scale;
        const Index rows = contact.grip == CoupledGrip::slip ? 1 : 2;
        worst = std::max(
            worst, part * (T_rate_.middleRows(c.t, rows) * last.transpose()).cwiseAbs().maxCoeff());
    }
    return worst * h_;
}

CoupledState CoupledStep::at(double s) const {
    const Eigen::Matrix<double, k_step_nodes, 1> weights = weights_at(s).transpose();
    CoupledState state = start_;
    state.t += h_ * (squared_ ? s * s : s);
    state.U += (U_.colwise() - start_.U) * weights;
    state.P += F_ * (integral_T_ * weights);
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
        CoupledContactState& contact = state.contacts[i];
        contact.x += (x_.row(row_of(i)).array() - contact.x).matrix().dot(weights);
        const Index t = system_.contacts[i].t;
        if (system_.contacts[i].friction != CoupledFriction::compliant) continue;
        if (contact.grip == CoupledGrip::slip) {
            contact.angle += (T_.row(t).array() - contact.angle).matrix().dot(weights);
        } else if (contact.grip == CoupledGrip::stick) {
            contact.ratio.x() += (T_.row(t).array() - contact.ratio.x()).matrix().dot(weights);
            contact.ratio.y() += (T_.row(t + 1).array() - contact.ratio.y()).matrix().dot(weights);
        }
    }
    return state;
}

Eigen::VectorXd CoupledStep::known_forces(const CoupledState& state) const {
    Eigen::VectorXd F = Eigen::VectorXd::Zero(system_.U.size());
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
        const CoupledContact& c = system_.contacts[i];
        const CoupledContactState& contact = state.contacts[i];
        if (!contact.closed()) continue;
        const double normal = c.force(std::max(0.0, contact.x));
        F[row_of(i)] = normal;
        if (c.t < 0) continue;
        const bool slips = contact.grip == CoupledGrip::slip;
        Vec2 friction = Vec2::Zero();
        if (c.friction == CoupledFriction::compliant) {
            friction = normal * contact.ratio;
            if (slips) {
                friction = c.mu * normal * Vec2(std::cos(contact.angle), std::sin(contact.angle));
            }
        } else if (slips) {
            const Vec2 u = state.slip(c);
            friction =
                c.mu * normal * (u.norm() > k_no_slip ? Vec2(u.normalized()) : contact.along);
        }
        F.segment<2>(c.t) = -friction;
    }
    return F;
}

Eigen::VectorXd CoupledStep::forces(const CoupledState& state) const {
    Eigen::VectorXd F = known_forces(state);
    if (!sticking_.empty()) F(sticking_) = hold_ * F;
    return F;
}

}  // namespace carom::impact
