// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "carom/impact/multiple/coupled_march.h"
#include "carom/impact/multiple/coupled_modes.h"

namespace carom::impact {
namespace {

using Eigen::Index;

// First step, in units of the quickest contact's duration; the error control does the rest.
constexpr double k_first_step = 0.05;
// Longest step while a contact only touches, in the same units: it cannot close and turn within.
constexpr double k_touching_step = 0.3;
// Least part by which a step is cut when it is too long, and most by which the next one grows.
constexpr double k_least_cut = 0.2;
constexpr double k_most_growth = 3.0;
// Part of the way to the end of rigid slip, or to the opening of a contact with tangential springs,
// that one step may go: directions and ratios of forces change faster and faster there.
constexpr double k_reach = 0.8;
// Length of a step that should have been short enough: then slip that has not moved is decided
// again.
constexpr double k_hopeless = 1e-6;
// Steps shorter than this change nothing: their error does not matter, and it is an error if not
// even they converge.
constexpr double k_shortest = 1e-13;

// Follows the impact from piece to piece.
class CoupledRun {
public:
    CoupledRun(const CoupledSystem& system, const CoupledSettings& settings, CoupledTrace* trace)
        : system_(system), settings_(settings), trace_(trace), step_(system) {
        state_.U = system.U;
        state_.P = Eigen::VectorXd::Zero(system.U.size());
        state_.contacts.resize(system.contacts.size());
        for (std::size_t i = 0; i < system.contacts.size(); ++i) {
            if (v(i) <= 0.0) {
                close_contact(system, state_, i);
            } else {
                open_contact(state_, i);
            }
        }
    }

    enum class End : std::uint8_t {
        complete,  // nothing approaches any more
        cut_off,   // after most_pieces
        given_up   // after path_work, or no step was short enough
    };
    End run() {
        sample(state_);
        while (pieces_ < settings_.most_pieces) {
            if (!pushes() && !fly()) return End::complete;
            if (!advance()) return End::given_up;
            ++pieces_;
        }
        return End::cut_off;
    }

    const CoupledState& state() const { return state_; }
    long pieces() const { return pieces_; }

private:
    double v(std::size_t i) const { return state_.U[static_cast<Index>(i)]; }
    bool on_approach() const { return settings_.reclose == CoupledSettings::Reclose::approach; }

    // Whether there are forces, or will be.
    bool pushes() const {
        for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
            const CoupledContactState& contact = state_.contacts[i];
            const CoupledContact& c = system_.contacts[i];
            const double rest = settings_.rest;
            if (!contact.closed()) continue;
            if (v(i) < -rest || c.energy(contact.x) > rest * rest * c.energy(c.x_scale))
                return true;
        }
        return false;
    }

    // No forces: goes on to where the next gap closes; false if none does.
    bool fly() {
        double soonest = std::numeric_limits<double>::infinity();
        std::size_t which = 0;
        for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
            if (state_.contacts[i].closed() || !(v(i) < -settings_.rest)) continue;
            const double wait = on_approach() ? 0.0 : std::max(0.0, state_.contacts[i].x / v(i));
            if (wait < soonest) {
                soonest = wait;
                which = i;
            }
        }
        if (!std::isfinite(soonest)) return false;
        state_.t += soonest;
        for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
            if (!state_.contacts[i].closed()) state_.contacts[i].x -= soonest * v(i);
        }
        close_contact(system_, state_, which);
        h_ = std::max(h_, k_first_step);
        sample(state_);
        return true;
    }

    // One step, up to its end or the first event; false where none can be taken.
    bool advance() {
        if (step_.work() > settings_.path_work) return false;
        step_.start(state_);
        decide_grips(system_, step_, state_);
        step_.start(state_);
        h_ = std::min(h_, longest());
        const std::optional<double> error = solve_step();
        if (!error) return false;
        const auto event = first_event(system_, step_, on_approach());
        CoupledState next = step_.at(event ? event->s : 1.0);
        trace_step(event ? event->s : 1.0);
        if (next.t > state_.t) {
            for (CoupledContactState& contact : next.contacts)
                contact.orders = {};
        }
        if (event) {
            apply_event(system_, step_, *event, next);
        } else {
            settle(system_, step_, next);
            h_ *= std::min(k_most_growth,
                           0.9 * std::pow(std::max(*error, 1e-30), -1.0 / k_step_nodes));
        }
        state_ = std::move(next);
        sample(state_);
        return true;
    }

    // Solves a step that is short enough; its error over the tolerance, none where it takes too
    // much work.
    std::optional<double> solve_step() {
        bool asked_again = false;
        while (true) {
            check_stop(settings_.stop);
            const bool solved = step_.solve(h_) && slip_is_regular(system_, step_);
            const double error = step_.error() / settings_.tolerance;
            if (solved && (error <= 1.0 || h_ < k_shortest)) return error;
            if (h_ < k_shortest || step_.work() > settings_.path_work) return std::nullopt;
            h_ *= solved ? std::max(k_least_cut, 0.9 * std::pow(error, -1.0 / k_step_nodes)) : 0.5;
            // slip that cannot begin in the direction that was thought of
            if (!solved && h_ < k_hopeless && !asked_again) {
                asked_again = true;
                if (doubt_slip(system_, state_)) {
                    decide_grips(system_, step_, state_);
                    step_.start(state_);
                    h_ = std::min(k_first_step, longest());
                }
            }
        }
    }

    // A step that decides what has to be seen first.
    double longest() const {
        double longest = std::numeric_limits<double>::infinity();
        const Eigen::VectorXd F = step_.forces(state_);
        for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
            const CoupledContact& c = system_.contacts[i];
            const CoupledContactState& contact = state_.contacts[i];
            if (contact.phase == CoupledPhase::touching)
                longest = std::min(longest, k_touching_step);
            if (contact.grip == CoupledGrip::undecided) {
                longest = std::min(longest, k_undecided_time);
            }
            if (c.friction == CoupledFriction::compliant) {
                if (contact.phase == CoupledPhase::unloading && v(i) > 0.0) {
                    longest = std::min(longest, k_reach * contact.x * c.e * c.e / v(i));
                }
                continue;
            }
            if (c.friction != CoupledFriction::rigid || contact.grip != CoupledGrip::slip) continue;
            const Vec2 u = state_.slip(c);
            if (u.norm() <= k_no_slip) continue;
            const double rate = u.dot(system_.W.middleRows<2>(c.t) * F);
            if (rate < 0.0) longest = std::min(longest, k_reach * u.squaredNorm() / -rate);
        }
        return std::max(longest, k_shortest);
    }

    void trace_step(double part) {
        if (trace_ == nullptr) return;
        constexpr int k_between = 8;
        for (int n = 1; n < k_between; ++n)
            sample(step_.at(part * n / k_between));
    }

    void sample(const CoupledState& state) {
        if (trace_ == nullptr) return;
        CoupledTrace::Sample sample;
        sample.time = state.t * system_.time;
        for (std::size_t i = 0; i < system_.contacts.size(); ++i)
            sample.contacts.push_back(seen(state, i));
        trace_->samples.push_back(std::move(sample));
    }

    CoupledTraceContact seen(const CoupledState& state, std::size_t i) const {
        const CoupledContact& c = system_.contacts[i];
        const CoupledContactState& contact = state.contacts[i];
        CoupledTraceContact out;
        out.impulse_W = system_.impulse * system_.vector_W(i, state.P);
        out.velocity_W = system_.speed * system_.vector_W(i, state.U);
        if (!contact.closed()) return out;
        out.force = c.force(std::max(0.0, contact.x)) * system_.impulse / system_.time;
        out.energy = c.energy(contact.x) * system_.impulse * system_.speed;
        if (contact.grip == CoupledGrip::none) {
            out.mode = Mode::frictionless;
        } else {
            out.mode = contact.grip == CoupledGrip::slip ? Mode::slide : Mode::stick;
        }
        return out;
    }

    const CoupledSystem& system_;
    const CoupledSettings& settings_;
    CoupledTrace* trace_;
    CoupledStep step_;
    CoupledState state_;
    double h_ = k_first_step;
    long pieces_ = 0;
};

// The path, or steps where it is given up.
void follow(const CoupledSystem& system, const CoupledSettings& settings, CoupledTrace* trace,
            MultiContactSolution& solution, Eigen::VectorXd& P) {
    CoupledRun run(system, settings, trace);
    const CoupledRun::End end = run.run();
    solution.rounds = run.pieces();
    solution.ended = end == CoupledRun::End::complete;
    P = run.state().P;
    if (end != CoupledRun::End::given_up || !can_march(system)) return;
    const CoupledMarch march = march_coupled(system, settings);
    solution.rounds += march.steps;
    solution.ended = march.ended;
    P = march.P;
}

MultiContactSolution resolve(const MultiContactProblem& problem, const CoupledSettings& settings,
                             CoupledTrace* trace) {
    std::string wrong = check_multi_contact_problem(problem);
    if (wrong.empty()) wrong = check_coupled_laws(problem);
    if (wrong.empty() &&
        !(settings.tolerance > 0.0 && settings.rest > 0.0 && settings.most_pieces > 0 &&
          settings.path_work > 0.0 && settings.step_work > 0.0)) {
        wrong = "coupled: tolerance, rest, most_pieces and the bounds of work must be above 0";
    }
    if (!wrong.empty()) throw std::invalid_argument(wrong);
    const CoupledSystem system(problem);
    MultiContactSolution solution;
    Eigen::VectorXd P = Eigen::VectorXd::Zero(system.U.size());
    if (trace != nullptr) {
        *trace = {};
        for (std::size_t i = 0; i < system.contacts.size(); ++i)
            trace->contact.push_back(system.index(i));
    }
    if (system.approaches) {
        follow(system, settings, trace, solution, P);
    }
    solution.impulses_W = system.impulses_W(P);
    solution.approach_left = approach_left(problem, solution.impulses_W);
    return solution;
}

}  // namespace

MultiContactSolution resolve_coupled(const MultiContactProblem& problem,
                                     const CoupledSettings& settings) {
    return resolve(problem, settings, nullptr);
}

MultiContactSolution resolve_coupled(const MultiContactProblem& problem,
                                     const CoupledSettings& settings, CoupledTrace& trace) {
    return resolve(problem, settings, &trace);
}

}  // namespace carom::impact
