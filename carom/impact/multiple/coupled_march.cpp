// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled_march.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/impact/principal.h"

namespace carom::impact {
namespace {

using Eigen::Index;

// Step, in the time 1/omega of the fastest swing that the contacts allow now. Ten times larger: it
// is no longer stable. The error of the impulses goes with its square.
constexpr double k_swing_part = 0.1;
// Longest step, in units of the quickest contact's duration: forces that begin within it are seen
// in the next. Larger: the first compression is coarse.
constexpr double k_longest_march = 0.075;
// Restitution for which the step still follows the unloading, which is faster by 1/e; with less it
// is over within fewer steps. Ten times smaller: up to ten times as many steps.
constexpr double k_least_e = 0.3;
// Energy of a contact, relative to that of the fastest approach, that counts as none.
constexpr double k_empty = 1e-18;
// The same of a contact that has just given all it had, to rounding. Larger: energy lost.
constexpr double k_given = 1e-12;
// Halvings of a step in which contacts do not let each other open; then nothing moves any more.
constexpr int k_march_halvings = 60;
// Corrections after which a plastic contact that turns has no impulse. Larger: stacks of them take
// more work.
constexpr int k_plastic_rounds = 5;
// Impulse, relative to that of the fastest approach, that counts as none.
constexpr double k_no_impulse = 1e-30;
// Corrections of the impulses of contacts that open, and change that counts as none.
constexpr int k_most_corrections = 20;
constexpr double k_corrected = 1e-14;
// Turns of the friction in one step, and change, relative to its limits, that counts as none.
// Larger: contacts that stick creep by as much of what friction does in one step.
constexpr double k_no_effect = 1e-12;  // change of slip by friction, relative
constexpr int k_friction_turns = 10;
constexpr double k_friction_settled = 1e-4;

class March {
public:
    March(const CoupledSystem& system, const CoupledSettings& settings)
        : system_(system), settings_(settings), W_(system.W.sparseView()), U_(system.U) {
        const Index m = row_of(system.contacts.size());
        p_ = v_ = Eigen::VectorXd::Zero(m);
        out_.P = Eigen::VectorXd::Zero(U_.size());
        states_.resize(system.contacts.size());
        for (std::size_t i = 0; i < states_.size(); ++i) {
            const Index t = system.contacts[i].t;
            if (t < 0) continue;
            const Eigen::SelfAdjointEigenSolver<Mat2> axes(Mat2(system.W.block<2, 2>(t, t)));
            states_[i].mobility = axes.eigenvalues().cwiseMax(0.0);
            states_[i].axes = axes.eigenvectors();
            rubs_.push_back(i);
        }
    }

    CoupledMarch run() {
        while (work_ < settings_.step_work) {
            check_stop(settings_.stop);
            if (!pushes() && !fly()) {
                out_.ended = true;
                break;
            }
            step(length());
            ++out_.steps;
        }
        return std::move(out_);
    }

private:
    struct State {
        double energy = 0.0;        // stored
        double x = 0.0;             // the compression; while open the negative gap
        bool turned = false;        // in this step it gave all that it had
        Vec2 ratio = Vec2::Zero();  // of friction to its limit, in the last step
        Vec2 rub = Vec2::Zero();    // friction in this step
        Vec2 mobility;              // of the tangential plane, and its axes
        Mat2 axes;
    };

    double give(std::size_t i) const {
        const double e = system_.contacts[i].e;
        return e * e;
    }

    bool pushes() const {
        const double rest = settings_.rest;
        for (std::size_t i = 0; i < states_.size(); ++i) {
            const CoupledContact& c = system_.contacts[i];
            if (states_[i].energy > rest * rest * c.energy(c.x_scale)) return true;
            if (states_[i].x >= 0.0 && U_[row_of(i)] < -rest) return true;
        }
        return false;
    }

    bool fly() {
        double soonest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < states_.size(); ++i) {
            const double v = U_[row_of(i)];
            if (!(v < -settings_.rest)) continue;
            soonest = std::min(soonest, std::max(0.0, states_[i].x / v));
        }
        if (!std::isfinite(soonest)) return false;
        for (std::size_t i = 0; i < states_.size(); ++i) {
            states_[i].energy = 0.0;
            states_[i].x = std::min(0.0, states_[i].x) - soonest * U_[row_of(i)];
            if (U_[row_of(i)] < 0.0 && states_[i].x > -k_empty) states_[i].x = 0.0;
            states_[i].x = std::min(0.0, states_[i].x);
        }
        return true;
    }

    // A part of the time in which the stiffest contact could swing, with all others at rest.
    double length() {
        const Index m = row_of(states_.size());
        double fastest = 0.0;
        Eigen::VectorXd& sum = sum_;
        sum.setZero(m);
        for (Index j = 0; j < m; ++j) {
            const auto i = static_cast<std::size_t>(j);
            const CoupledContact& c = system_.contacts[i];
            if (states_[i].energy <= 0.0) continue;
            double stiffness = c.stiffness(states_[i].x);
            if (U_[j] > 0.0) stiffness /= std::max(give(i), k_least_e * k_least_e);
            for (Eigen::SparseMatrix<double>::InnerIterator at(W_, j); at && at.row() < m; ++at)
                sum[at.row()] += std::abs(at.value()) * stiffness;
        }
        fastest = sum.maxCoeff();
        work_ += static_cast<double>(m);
        return std::min(k_longest_march, k_swing_part / std::sqrt(std::max(fastest, 1e-300)));
    }

    void step(double h) {
        for (int n = 0; n < k_march_halvings && !normal_impulses(h); ++n)
            h *= 0.5;
        work_ += static_cast<double>(W_.nonZeros());
        for (std::size_t i = 0; i < states_.size(); ++i)
            store(i, h);
        for (Index row = 0; row < p_.size(); ++row) {
            if (p_[row] == 0.0) continue;
            U_ += p_[row] * W_.col(row);
            out_.P[row] += p_[row];
        }
        if (!rubs_.empty()) friction();
    }

    // Fills p_ and v_, the means of the normal velocities. False when contacts that open do not let
    // each other: the step is too long.
    bool normal_impulses(double h) {
        const Index m = row_of(states_.size());
        for (std::size_t i = 0; i < states_.size(); ++i) {
            const CoupledContact& c = system_.contacts[i];
            const State& s = states_[i];
            const double v = U_[row_of(i)];
            double& p = p_[row_of(i)];
            p = 0.0;
            states_[i].turned = false;
            if (s.energy > 0.0) {
                const double end =
                    v > 0.0 ? (give(i) > 0.0 ? s.x - h * v / give(i) : -1.0) : s.x - h * v;
                p = h * c.force(end > 0.0 ? 0.5 * (s.x + end) : s.x);
            } else {
                const double end = s.x - h * v;
                if (end > 0.0) p = h * end / (end - s.x) * c.force(0.5 * end);
            }
        }
        for (int n = 0; n < k_most_corrections; ++n) {
            mean_velocities(m);
            double change = 0.0;
            for (std::size_t i = 0; i < states_.size(); ++i)
                change = std::max(change, limit(i, n));
            if (change <= k_corrected) return true;
        }
        return false;
    }

    void mean_velocities(Index m) {
        v_ = U_.head(m);
        for (Index j = 0; j < m; ++j) {
            if (p_[j] == 0.0) continue;
            for (Eigen::SparseMatrix<double>::InnerIterator at(W_, j); at && at.row() < m; ++at)
                v_[at.row()] += 0.5 * p_[j] * at.value();
        }
        work_ += static_cast<double>(W_.nonZeros()) / 3.0;
    }

    // The work of a step with an even force, v the mean velocity: what is stored while the contact
    // approaches, and what it gives while it parts. Their difference is -p v.
    struct Work {
        double stored = 0.0, given = 0.0;
        double loading = 0.0;  // part of the step
    };
    static Work work_of(double p, double before, double mean) {
        const double after = 2.0 * mean - before;
        if (before <= 0.0 && after <= 0.0) return {-p * mean, 0.0, 1.0};
        if (before >= 0.0 && after >= 0.0) return {0.0, p * mean, 0.0};
        const double part = before / (before - after);
        if (before < 0.0) return {-0.5 * p * part * before, 0.5 * p * (1.0 - part) * after, part};
        return {-0.5 * p * (1.0 - part) * after, 0.5 * p * part * before, 1.0 - part};
    }

    // No contact gives more than it has. The change of its impulse, relative to that of the fastest
    // approach.
    double limit(std::size_t i, int round) {
        double& p = p_[row_of(i)];
        const double before = U_[row_of(i)], all = p;
        const Work work = work_of(p, before, v_[row_of(i)]);
        const double has = states_[i].energy + (before < 0.0 ? work.stored : 0.0);
        if (!(work.given > give(i) * has)) return 0.0;
        states_[i].turned = true;
        const double can = give(i) * has;
        if (before < 0.0) {
            // after the turn its velocity goes with its impulse
            p *= work.loading + (1.0 - work.loading) * std::sqrt(can / work.given);
        } else if (2.0 * v_[row_of(i)] >= before) {
            // p (others + w p/2) = can
            const double w = system_.W(row_of(i), row_of(i));
            const double others = v_[row_of(i)] - 0.5 * w * p;
            const double root = std::sqrt(others * others + 2.0 * w * can);
            p = std::min(p, others > 0.0 ? 2.0 * can / (others + root) : (root - others) / w);
        } else {
            p *= can / work.given;
        }
        if (p < k_no_impulse || (give(i) == 0.0 && round >= k_plastic_rounds)) p = 0.0;
        return (all - p) * system_.W(row_of(i), row_of(i));
    }

    void store(std::size_t i, double h) {
        const CoupledContact& c = system_.contacts[i];
        State& s = states_[i];
        const double p = p_[row_of(i)], v = v_[row_of(i)], before = U_[row_of(i)];
        const bool was_open = !(s.energy > 0.0);
        const Work work = work_of(p, before, v);
        s.energy += work.stored;
        if (give(i) > 0.0) {
            s.energy -= work.given / give(i);
        } else if (s.turned) {
            s.energy = 0.0;
        }
        const double empty = s.turned ? k_given : k_empty;
        if (s.energy > empty * c.energy(c.x_scale)) {
            s.x = std::pow((c.power + 1.0) * s.energy / c.k, 1.0 / (c.power + 1.0));
            return;
        }
        s.energy = 0.0;
        s.x = was_open && p == 0.0 ? std::min(0.0, s.x - h * v) : 0.0;
        if (settings_.reclose == CoupledSettings::Reclose::approach) s.x = 0.0;
    }

    // Tangential velocities follow the friction in the sweeps, the normal ones after them.
    void friction() {
        bool any = false;
        for (const std::size_t i : rubs_) {
            State& s = states_[i];
            const double limit = system_.contacts[i].mu * p_[row_of(i)];
            s.rub = limit * s.ratio;
            any = any || limit > 0.0;
        }
        if (!any) return;
        start_ = U_;
        for (const bool warm : {true, false}) {
            U_ = start_;
            for (const std::size_t i : rubs_) {
                State& s = states_[i];
                if (!warm) s.rub.setZero();
                if (!s.rub.isZero(0.0)) push(i, s.rub);
            }
            sweep();
            double gain = 0.0;
            for (const std::size_t i : rubs_) {
                const Index t = system_.contacts[i].t;
                gain += 0.5 * states_[i].rub.dot(start_.segment<2>(t) + U_.segment<2>(t));
            }
            if (gain <= 0.0) break;
        }
        for (const std::size_t i : rubs_) {
            State& s = states_[i];
            const double limit = system_.contacts[i].mu * p_[row_of(i)];
            if (limit > 0.0) s.ratio = s.rub / limit;
            out_.P.segment<2>(system_.contacts[i].t) += s.rub;
        }
    }

    void push(std::size_t i, const Vec2& f) {
        const Index t = system_.contacts[i].t;
        U_ += f.x() * W_.col(t);
        U_ += f.y() * W_.col(t + 1);
        work_ += 2.0 * static_cast<double>(W_.col(t).nonZeros());
    }

    void sweep() {
        double most = 0.0;
        for (const std::size_t i : rubs_)
            most = std::max(most, system_.contacts[i].mu * p_[row_of(i)]);
        for (int n = 0; n < k_friction_turns; ++n) {
            double change = 0.0;
            for (const std::size_t i : rubs_) {
                State& s = states_[i];
                const double limit = system_.contacts[i].mu * p_[row_of(i)];
                if (!(limit > 0.0)) continue;
                const Vec2 f = held(s, U_.segment<2>(system_.contacts[i].t), limit);
                const Vec2 by = f - s.rub;
                s.rub = f;
                change = std::max(change, by.norm());
                if (!by.isZero(0.0)) push(i, by);
            }
            if (change <= k_friction_settled * most) return;
        }
    }

    // Friction that holds the contact, or as much of it as there can be, against its velocity.
    static Vec2 held(const State& s, const Vec2& u, double limit) {
        const Vec2 now = s.axes.transpose() * s.rub;
        Vec2 b = s.axes.transpose() * u - s.mobility.cwiseProduct(now);
        Vec2 hold = Vec2::Zero();
        for (int axis = 0; axis < 2; ++axis) {
            if (s.mobility[axis] <= CoupledSystem::k_dependent * s.mobility.y()) {
                b[axis] = 0.0;
            } else {
                hold[axis] = -b[axis] / s.mobility[axis];
            }
        }
        if (hold.squaredNorm() <= limit * limit) return s.axes * hold;
        // friction that changes nothing has the direction of the slip
        if (limit * s.mobility.y() < k_no_effect * b.norm())
            return -limit * (s.axes * b.normalized());
        const UnitSlip slip =
            solve_secular(limit * s.mobility.x(), limit * s.mobility.y(), b.x(), b.y());
        return -limit * (s.axes * Vec2(slip.c1, slip.c2).normalized());
    }

    const CoupledSystem& system_;
    const CoupledSettings& settings_;
    double work_ = 0.0;
    Eigen::SparseMatrix<double> W_;
    Eigen::VectorXd U_, p_, v_, start_, sum_;
    std::vector<State> states_;
    std::vector<std::size_t> rubs_;
    CoupledMarch out_;
};

}  // namespace

bool can_march(const CoupledSystem& system) {
    return std::none_of(
        system.contacts.begin(), system.contacts.end(),
        [](const CoupledContact& c) { return c.friction == CoupledFriction::compliant; });
}

CoupledMarch march_coupled(const CoupledSystem& system, const CoupledSettings& settings) {
    return March(system, settings).run();
}

}  // namespace carom::impact
