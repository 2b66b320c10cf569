// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/multiple/coupled_polynomial.h"
#include "carom/impact/multiple/coupled_state.h"

namespace carom::impact {

// One step of the coupled impact with all modes held:
//     U' = W F,  P' = F,  x_j' = -rate_j v_j,  F_j = k_j x_j^power_j,
// and for the friction of a contact, g its tangential stiffness F'(x)/eta2,
//     compliant, stick: p_t' = -f, f' = g u_t, and while g falls f' = g u_t + f g'/g;
//     compliant, slip:  p_t' = -mu F e_, e_ turns towards u_t at (u_t.e_perp)/d, d = mu F/g;
//     rigid, slip:      p_t' = -mu F u_t/|u_t|;
//     rigid, stick:     the forces that keep u_t = 0 at all sticking contacts at once.
//
// Radau IIA collocation with eight nodes: order 15 at the end, 8 between. The nodes' values are
// found by sweeps (normal forces, friction contact by contact, velocities); the directions of slip,
// which may turn much faster than anything else, by Newton at each contact in each sweep.
// Where the sticking contacts hold each other (W of them singular) the smallest forces are taken:
// the motion does not depend on that, only who slips first.
class CoupledStep {
public:
    explicit CoupledStep(const CoupledSystem& system);

    // Takes the state to start from; its modes hold during the step.
    void start(const CoupledState& state);
    // Solves for a step of length h; false when the sweeps do not converge, or when a contact with
    // tangential springs would open on the way: h is too long.
    bool solve(double h);
    // Error of the step relative to the scales: the last Legendre coefficient of what is
    // integrated.
    double error() const;
    // The state at the part s of the step, with the start's modes.
    CoupledState at(double s) const;

    // Multiplications so far, about.
    double work() const { return work_; }

    // The order of a zero at the start of the step, in s, of a function that has it in time.
    int order_in_step(int order) const { return squared_ ? 2 * order : order; }
    const CoupledState& first() const { return start_; }
    // Values at the nodes.
    const NodeTable& velocity() const { return U_; }
    const NodeTable& force() const { return F_; }
    const NodeTable& compression() const { return x_; }
    const NodeTable& tangential() const { return T_; }

    // The forces in the rows at a state with these modes.
    Eigen::VectorXd forces(const CoupledState& state) const;
    // Friction at the limit counts too, for the decision about stick: rows of contacts in stick
    // are zero.
    Eigen::VectorXd known_forces(const CoupledState& state) const;

private:
    void normal_forces();
    bool compliant_stick(std::size_t i);
    bool compliant_slip(std::size_t i);
    bool rigid_slip(std::size_t i);
    bool friction();
    bool sweep();

    const CoupledSystem& system_;
    CoupledState start_;
    double h_ = 0.0;
    bool squared_ = false;
    double newton_left_ = 0.0;
    double work_ = 0.0;
    NodeMatrix integral_T_;  // rates * integral_T_ are the changes from the start to the nodes
    NodeTable U_, A_, F_, x_, x_rate_;
    NodeTable T_, T_rate_;  // in tangential rows: compliant f/F, or the angle and nothing
    std::vector<Eigen::Index> sticking_;  // rows of rigid contacts in stick
    Eigen::MatrixXd hold_;                // their forces from all others
    Eigen::MatrixXd W_;                   // the system's, with these contacts held
};

}  // namespace carom::impact
