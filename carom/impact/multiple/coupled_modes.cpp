// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled_modes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "carom/impact/principal.h"
#include "carom/impact/tolerances.h"

namespace carom::impact {
namespace {

using Eigen::Index;

// Change of friction in one turn, relative to its limits, that counts as none. Larger: contacts on
// the edge of slipping are decided differently.
constexpr double k_grip_residual = 1e-13;
constexpr int k_most_turns = 5000;
// Friction this near to its limit, relative, is at its limit.
constexpr double k_at_limit = 1e-8;
// Normal velocity, relative to the approach speed, at which a contact that only touched has begun
// to close or to open. Larger: its first forces follow the clamped spring for longer, which is no
// error until it turns.
constexpr double k_moves = 1e-14;
// Compression, relative to its scale, at which a contact with tangential springs opens: the ratio
// of its last forces changes ever faster. Larger: p wrong by the square.
constexpr double k_gone = 1e-7;
// Normal force, relative to its scale, that holds nothing yet.
constexpr double k_no_force = 1e-18;

// Perfectly plastic contact at its greatest compression, as the limit of small e: the force falls
// so fast that nothing else moves. x' = -v/e^2 and v' = h F + rest let it swing as far below the
// force at which v' = 0 as it was above, or to nothing.
void release_plastic(const CoupledSystem& system, const CoupledStep& step, CoupledState& state,
                     std::size_t i) {
    const CoupledContact& c = system.contacts[i];
    CoupledContactState& contact = state.contacts[i];
    const Index row = row_of(i);
    const double F = c.force(contact.x);
    const double with = system.W.row(row).dot(step.forces(state));
    CoupledState released = state;
    released.contacts[i].x = 0.0;
    const double without = system.W.row(row).dot(step.forces(released));
    double left = 0.0;
    if (with > without) left = F * std::min(1.0, 1.0 - 2.0 * with / (with - without));
    if (!(left > k_no_force * c.force_scale)) {
        contact = {};
        close_contact(system, state, i);
        return;
    }
    contact.x = c.compression(left);
    contact.phase = CoupledPhase::loading;
    contact.orders.v = 1;
    // the tangential springs keep their force as far as friction holds it
    contact.ratio *= F / left;
    if (contact.ratio.norm() > c.mu) contact.ratio *= c.mu / contact.ratio.norm();
}

void turn(const CoupledSystem& system, const CoupledStep& step, CoupledState& state,
          std::size_t i) {
    CoupledContactState& contact = state.contacts[i];
    state.U[row_of(i)] = 0.0;
    if (contact.phase == CoupledPhase::unloading) {
        contact.phase = CoupledPhase::loading;
    } else if (system.contacts[i].e < k_tolerances.compliant_plastic) {
        release_plastic(system, step, state, i);
        return;
    } else {
        contact.phase = CoupledPhase::unloading;
    }
    contact.orders.v = 1;
}

void begin_slip(const CoupledSystem& system, const CoupledStep& step, CoupledState& state,
                std::size_t i) {
    const CoupledContact& c = system.contacts[i];
    CoupledContactState& contact = state.contacts[i];
    contact.grip = CoupledGrip::slip;
    if (c.friction == CoupledFriction::compliant) {
        contact.angle = std::atan2(contact.ratio.y(), contact.ratio.x());
    } else {
        contact.along = -step.forces(state).segment<2>(c.t).normalized();
    }
}

void begin_stick(const CoupledSystem& system, CoupledState& state, std::size_t i) {
    const CoupledContact& c = system.contacts[i];
    CoupledContactState& contact = state.contacts[i];
    contact.grip = CoupledGrip::stick;
    contact.ratio = c.mu * Vec2(std::cos(contact.angle), std::sin(contact.angle));
    contact.orders.cone = 2;
}

// Friction of a contact that begins to load: springs follow u_t/v where friction can hold that.
void begin_grip(const CoupledSystem& system, CoupledState& state, std::size_t i) {
    const CoupledContact& c = system.contacts[i];
    CoupledContactState& contact = state.contacts[i];
    if (c.t < 0) return;
    const Vec2 u = state.slip(c);
    if (c.friction == CoupledFriction::rigid) {
        contact.grip = u.norm() > k_slip_end ? CoupledGrip::slip : CoupledGrip::undecided;
        return;
    }
    const Vec2 ratio = u / (c.eta2 * -state.U[row_of(i)]);
    if (ratio.norm() >= c.mu) {
        contact.grip = CoupledGrip::slip;
        contact.angle = std::atan2(u.y(), u.x());
    } else {
        contact.grip = CoupledGrip::stick;
        contact.ratio = ratio;
    }
}

// Exact friction of one contact against acceleration a: within the limit where it can hold it.
Vec2 grip_of(const Mat2& M, const Vec2& a, double limit) {
    const Eigen::SelfAdjointEigenSolver<Mat2> axes(M);
    const Vec2 m = axes.eigenvalues();
    Vec2 b = axes.eigenvectors().transpose() * a;
    Vec2 hold = Vec2::Zero();
    for (int axis = 0; axis < 2; ++axis) {
        // hinges may leave only one direction to slip in, or none
        if (m[axis] <= CoupledSystem::k_dependent * m.y()) {
            b[axis] = 0.0;
        } else {
            hold[axis] = -b[axis] / m[axis];
        }
    }
    if (hold.norm() <= limit) return axes.eigenvectors() * hold;
    const UnitSlip slip = solve_secular(limit * std::max(0.0, m.x()), limit * m.y(), b.x(), b.y());
    return -limit * (axes.eigenvectors() * Vec2(slip.c1, slip.c2));
}

}  // namespace

void close_contact(const CoupledSystem& system, CoupledState& state, std::size_t i) {
    CoupledContactState& contact = state.contacts[i];
    const double v = state.U[row_of(i)];
    contact = {};
    contact.phase = v < 0.0 ? CoupledPhase::loading : CoupledPhase::touching;
    if (v < 0.0) begin_grip(system, state, i);
}

void open_contact(CoupledState& state, std::size_t i) {
    state.contacts[i] = {};
    state.contacts[i].orders.x = 1;
}

void apply_event(const CoupledSystem& system, const CoupledStep& step, const CoupledEvent& event,
                 CoupledState& state) {
    switch (event.kind) {
        case CoupledEventKind::turns:
            turn(system, step, state, event.contact);
            break;
        case CoupledEventKind::opens:
            open_contact(state, event.contact);
            break;
        case CoupledEventKind::closes:
            close_contact(system, state, event.contact);
            break;
        case CoupledEventKind::slips:
            begin_slip(system, step, state, event.contact);
            break;
        case CoupledEventKind::sticks:
            begin_stick(system, state, event.contact);
            break;
    }
}

void settle(const CoupledSystem& system, const CoupledStep& step, CoupledState& state) {
    for (std::size_t i = 0; i < system.contacts.size(); ++i) {
        const CoupledContact& c = system.contacts[i];
        CoupledContactState& contact = state.contacts[i];
        const double v = state.U[row_of(i)];
        if (contact.phase == CoupledPhase::touching && std::abs(v) > k_moves) {
            if (v < 0.0 && contact.x >= 0.0) {
                contact.phase = CoupledPhase::loading;
                begin_grip(system, state, i);
            } else {
                const double gap = std::min(0.0, contact.x);
                open_contact(state, i);
                contact.x = gap;
            }
        }
        const bool slips = contact.grip == CoupledGrip::slip;
        if (c.friction == CoupledFriction::compliant && v > 0.0 &&
            contact.phase == CoupledPhase::unloading && contact.x < k_gone * c.x_scale) {
            open_contact(state, i);
        }
        if (c.friction != CoupledFriction::rigid || !contact.closed()) continue;
        if (!slips && contact.grip != CoupledGrip::undecided) continue;
        const Vec2 u = state.slip(c);
        if (contact.grip == CoupledGrip::undecided && u.norm() > k_slip_end) {
            contact.grip = CoupledGrip::slip;
        } else if (slips && u.norm() < k_slip_end && step.first().slip(c).norm() >= k_slip_end) {
            contact.grip = CoupledGrip::undecided;
        }
    }
}

bool doubt_slip(const CoupledSystem& system, CoupledState& state) {
    bool any = false;
    for (std::size_t i = 0; i < system.contacts.size(); ++i) {
        const CoupledContact& c = system.contacts[i];
        CoupledContactState& contact = state.contacts[i];
        if (c.friction != CoupledFriction::rigid || contact.grip != CoupledGrip::slip) continue;
        if (state.slip(c).norm() > k_slip_end) continue;
        contact.grip = CoupledGrip::undecided;
        any = true;
    }
    return any;
}

void decide_grips(const CoupledSystem& system, const CoupledStep& step, CoupledState& state) {
    std::vector<std::size_t> still;
    bool any = false;
    for (std::size_t i = 0; i < system.contacts.size(); ++i) {
        CoupledContactState& contact = state.contacts[i];
        if (system.contacts[i].friction != CoupledFriction::rigid || !contact.closed()) continue;
        const double F = system.contacts[i].force(contact.x);
        if (contact.grip == CoupledGrip::undecided) {
            if (F <= k_no_force * system.contacts[i].force_scale) continue;
            any = true;
        }
        if (contact.grip == CoupledGrip::undecided || contact.grip == CoupledGrip::stick) {
            contact.grip = CoupledGrip::stick;
            state.U.segment<2>(system.contacts[i].t).setZero();
            still.push_back(i);
        }
    }
    if (!any) return;
    Eigen::VectorXd F = step.known_forces(state);
    for (int n = 0; n < k_most_turns; ++n) {
        double change = 0.0;
        for (const std::size_t i : still) {
            const CoupledContact& c = system.contacts[i];
            const Mat2 M = system.W.block<2, 2>(c.t, c.t);
            const Vec2 old = F.segment<2>(c.t);
            const Vec2 a = system.W.middleRows<2>(c.t) * F - M * old;
            const double limit = c.mu * F[row_of(i)];
            const Vec2 f = grip_of(M, a, limit);
            F.segment<2>(c.t) = f;
            if (limit > 0.0) change = std::max(change, (f - old).norm() / limit);
        }
        if (change <= k_grip_residual) break;
    }
    for (const std::size_t i : still) {
        const CoupledContact& c = system.contacts[i];
        const Vec2 f = F.segment<2>(c.t);
        if (f.norm() < (1.0 - k_at_limit) * c.mu * F[row_of(i)]) continue;
        state.contacts[i].grip = CoupledGrip::slip;
        state.contacts[i].along = -f.normalized();
    }
}

}  // namespace carom::impact
