// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled_events.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {
namespace {

using Eigen::Index;

// Normal force, relative to the largest in the step, below which friction that reaches its limit is
// left to the opening that follows at once: the room in the cone, a square, is rounding there.
// Larger: the last slip before opening is missed, with as much of the force for as much of the
// time.
constexpr double k_all_but_open = 3e-6;

// Velocities and compressions in scaled units (and forces squared, which are then all the smaller)
// that are rounding: their sign means nothing. Larger: contacts that do next to nothing turn late.
constexpr double k_nothing = 1e-15;

// The values without the zero that they have at the start of the step.
NodeValues without_start(const NodeValues& values, int order) {
    NodeValues result = values;
    for (int n = 0; n < order; ++n)
        result = result.cwiseQuotient(step_nodes().s);
    return result;
}

// Looks through the events of one step.
class Search {
public:
    Search(const CoupledSystem& system, const CoupledStep& step, bool on_approach)
        : system_(system), step_(step), on_approach_(on_approach) {}

    std::optional<CoupledEvent> run() {
        for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
            look_at_normal(i);
            if (system_.contacts[i].t >= 0) look_at_grip(i);
        }
        return first_;
    }

private:
    void look_at_normal(std::size_t i) {
        const CoupledContactState& contact = step_.first().contacts[i];
        const NodeValues v = step_.velocity().row(static_cast<Index>(i));
        const NodeValues x = step_.compression().row(static_cast<Index>(i));
        switch (contact.phase) {
            case CoupledPhase::loading:
                watch(without_start(-v, step_.order_in_step(contact.orders.v)), i,
                      CoupledEventKind::turns);
                break;
            case CoupledPhase::unloading:
                watch(without_start(v, step_.order_in_step(contact.orders.v)), i,
                      CoupledEventKind::turns);
                watch(without_start(x, step_.order_in_step(contact.orders.x)), i,
                      CoupledEventKind::opens);
                break;
            case CoupledPhase::open:
                watch(on_approach_ ? v : without_start(-x, step_.order_in_step(contact.orders.x)),
                      i, CoupledEventKind::closes);
                break;
            case CoupledPhase::touching:
                break;
        }
    }

    void look_at_grip(std::size_t i) {
        const CoupledContactState& contact = step_.first().contacts[i];
        const bool compliant = system_.contacts[i].friction == CoupledFriction::compliant;
        if (contact.grip == CoupledGrip::stick) {
            watch(cone_room(i), i, CoupledEventKind::slips);
        } else if (contact.grip == CoupledGrip::slip && compliant) {
            watch(particle_speed(i), i, CoupledEventKind::sticks);
        }
    }

    // mu^2 - |f|^2/F^2 behind springs, mu^2 F^2 - |f|^2 of rigid contacts.
    NodeValues cone_room(std::size_t i) const {
        const CoupledContact& c = system_.contacts[i];
        if (c.friction == CoupledFriction::compliant) {
            const NodeValues used = step_.tangential().middleRows<2>(c.t).colwise().squaredNorm();
            return without_start((c.mu * c.mu - used.array()).matrix(),
                                 step_.order_in_step(step_.first().contacts[i].orders.cone));
        }
        const NodeValues F = c.mu * step_.force().row(static_cast<Index>(i));
        return F.cwiseAbs2() - step_.force().middleRows<2>(c.t).colwise().squaredNorm();
    }

    // The sliding speed of the particle behind the springs: what the springs do not take up of u_t.
    NodeValues particle_speed(std::size_t i) const {
        const CoupledContact& c = system_.contacts[i];
        const CoupledContactState& contact = step_.first().contacts[i];
        double give = c.mu * c.eta2;
        if (contact.phase == CoupledPhase::unloading) give /= c.power * c.e * c.e;
        NodeValues speed;
        for (Index k = 0; k < k_step_nodes; ++k) {
            const double angle = step_.tangential()(c.t, k);
            speed[k] = step_.velocity()(c.t, k) * std::cos(angle) +
                       step_.velocity()(c.t + 1, k) * std::sin(angle) +
                       give * step_.velocity()(static_cast<Index>(i), k);
        }
        return speed;
    }

    void watch(const NodeValues& values, std::size_t i, CoupledEventKind kind) {
        if (values.cwiseAbs().maxCoeff() < k_nothing) return;
        const std::optional<double> s = first_fall(values);
        if (!s || (first_ && *s >= first_->s)) return;
        if (kind == CoupledEventKind::slips && is_all_but_open(i, *s)) return;
        first_ = CoupledEvent{*s, i, kind};
    }

    bool is_all_but_open(std::size_t i, double s) const {
        const CoupledContactState& contact = step_.first().contacts[i];
        if (contact.phase != CoupledPhase::unloading) return false;
        const NodeValues x = step_.compression().row(static_cast<Index>(i));
        const double at = contact.x + (x.array() - contact.x).matrix().dot(weights_at(s));
        const CoupledContact& c = system_.contacts[i];
        const double most = std::max(contact.x, x.maxCoeff());
        return c.force(at) < k_all_but_open * c.force(most);
    }

    const CoupledSystem& system_;
    const CoupledStep& step_;
    bool on_approach_;
    std::optional<CoupledEvent> first_;
};

}  // namespace

std::optional<CoupledEvent> first_event(const CoupledSystem& system, const CoupledStep& step,
                                        bool on_approach) {
    return Search(system, step, on_approach).run();
}

bool slip_is_regular(const CoupledSystem& system, const CoupledStep& step) {
    for (std::size_t i = 0; i < system.contacts.size(); ++i) {
        const CoupledContact& c = system.contacts[i];
        const CoupledContactState& contact = step.first().contacts[i];
        if (c.friction != CoupledFriction::rigid || contact.grip != CoupledGrip::slip) continue;
        Vec2 before = step.first().slip(c);
        if (before.norm() <= k_no_slip) before = contact.along;
        for (Index k = 0; k < k_step_nodes; ++k) {
            const Vec2 u = step.velocity().block<2, 1>(c.t, k);
            if (u.norm() <= k_no_slip) continue;
            if (!(u.dot(before) > 0.0)) return false;
            before = u;
        }
    }
    return true;
}

}  // namespace carom::impact
