// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/cone_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace carom::impact {
namespace {

// How far a normal's squared length may be from one. Larger: gaps and impulses wrong by as much.
constexpr double k_unit = 1e-9;
// Points of one pair of bodies told apart by the order of sweeps; further ones share the last
// round.
constexpr std::size_t k_rounds = 16;
// Sweeps before the first Newton steps, and behind each: fewer leave its set of open, sticking and
// sliding contacts too far from the right one.
constexpr int k_first_sweeps = 8;
constexpr int k_sweeps_per_step = 2;
// The part of the tolerance at which a Newton step has arrived, and needs no sweeps behind it.
// Larger: less is left of the work, and answers are no better than asked for.
constexpr double k_arrived = 1e-4;
// Newton steps without half the residual of the best before sweeps take over for a while.
constexpr int k_idle_steps = 8;
// The same where what there is is good enough.
constexpr int k_idle_steps_enough = 2;
// Steps that the budget must allow before the first one: fewer would rarely arrive.
constexpr double k_worth_steps = 3.0;
// Compliances of the proximal problems, relative to the contacts' own, how many of them, and Newton
// steps for each. A larger last one gains less with each problem, a smaller one takes more steps.
constexpr double k_first_compliance = 1e-1;
constexpr double k_last_compliance = 1e-5;
constexpr int k_proximal_problems = 12;
constexpr int k_proximal_steps = 30;
// Sweeps of large problems from one that looks at idle contacts to the next. Larger: what comes
// into play while the others settle is seen later.
constexpr int k_sweeps_of_active = 4;
// Part of the tolerance that no contact may change by in the last sweep: the contacts after it
// change its velocity again. Larger: more endings too soon, each costs the directions.
constexpr double k_last_change = 0.25;

[[noreturn]] void refuse(std::size_t contact, const std::string& what) {
    throw std::invalid_argument("contact " + std::to_string(contact) + ": " + what);
}

void check(const ConeContact& c, std::size_t i, std::size_t bodies) {
    if (c.a >= bodies || c.b >= bodies || c.a == c.b)
        refuse(i, "its bodies must be two different ones of the " + std::to_string(bodies));
    if (!(c.mu >= 0.0) || !std::isfinite(c.mu)) refuse(i, "mu must be a finite number >= 0");
    if (!(std::abs(c.normal.squaredNorm() - 1.0) <= k_unit))
        refuse(i, "the normal must have unit length");
    if (!(c.floor >= 0.0) || !std::isfinite(c.floor))
        refuse(i, "the floor of the normal impulse must be a finite number >= 0");
    const double sum = c.r_a.sum() + c.r_b.sum() + c.drift.sum() + c.least + c.impulse.sum();
    if (!std::isfinite(sum)) refuse(i, "points, drift, least and impulse must be finite");
}

void check(const ConeSettings& settings) {
    if (settings.most_sweeps < 0) throw std::invalid_argument("most_sweeps must not be negative");
    if (!(settings.tolerance >= 0.0 && settings.enough >= 0.0))
        throw std::invalid_argument("the tolerance of the contact solver must be >= 0");
}

}  // namespace

// The first points of all pairs, then the second ones and so on: neighbouring points of a manifold
// undo each other's work when one is solved right behind the other.
void ConeSolver::order_contacts(std::span<const ConeContact> contacts) {
    std::array<std::size_t, k_rounds + 1> from{};
    const auto round = [&, last = std::size_t{0}](std::size_t i) mutable {
        const bool same =
            i > 0 && contacts[i].a == contacts[i - 1].a && contacts[i].b == contacts[i - 1].b;
        last = same ? std::min(last + 1, k_rounds - 1) : 0;
        return last;
    };
    auto counting = round;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        ++from[counting(i) + 1];
    for (std::size_t r = 0; r < k_rounds; ++r)
        from[r + 1] += from[r];
    order_.resize(contacts.size());
    auto placing = round;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        order_[from[placing(i)]++] = static_cast<std::uint32_t>(i);
}

void ConeSolver::take_bodies(std::span<const ConeBody> bodies) {
    movers_.resize(bodies.size());
    start_.resize(bodies.size());
    before_.resize(bodies.size());
    direction_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const ConeBody& body = bodies[i];
        const Mat3& I = body.inverse_inertia_W;
        if (!std::isfinite(body.v.sum() + body.w.sum() + body.inverse_mass + I.sum()))
            throw std::invalid_argument("body " + std::to_string(i) +
                                        ": velocities, inverse mass and inertia must be finite");
        movers_[i] = {body.v,
                      body.w,
                      body.inverse_mass,
                      {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}};
        start_[i] = {body.v, body.w};
    }
}

bool ConeSolver::take_contact(const ConeContact& c, std::uint32_t place, cone::Row& row) const {
    check(c, place, movers_.size());
    row.a = c.a;
    row.b = c.b;
    row.contact = place;
    row.r_a = c.r_a;
    row.r_b = c.r_b;
    row.n = c.normal;
    row.mu = c.mu;
    row.hinge = c.kind == ConeKind::ball_joint;
    row.least = row.hinge ? 0.0 : c.least;
    row.floor = row.hinge ? 0.0 : c.floor;
    row.plain = !row.hinge && row.floor == 0.0;
    if (!make_row(row, movers_[c.a], movers_[c.b])) return false;
    row.drift = row.to_C(c.drift);
    row.p = cone::clipped(row, row.to_C(c.impulse));
    row.slip = 0.0;
    return true;
}

void ConeSolver::take_contacts(std::span<const ConeContact> contacts) {
    order_contacts(contacts);
    rows_.resize(contacts.size());
    std::size_t used = 0;
    for (const std::uint32_t i : order_)
        if (take_contact(contacts[i], i, rows_[used])) ++used;
    rows_.resize(used);
    taken_ = contacts.size();
}

// Twists from the rows' impulses alone, so that no rounding of the way there is left in them.
// Gives the residual.
double ConeSolver::settle() {
    for (std::size_t i = 0; i < movers_.size(); ++i) {
        movers_[i].v = start_[i].v;
        movers_[i].w = start_[i].w;
    }
    for (const cone::Row& row : rows_)
        row.push(movers_[row.a], movers_[row.b], row.p);
    double worst = 0.0;
    for (const cone::Row& row : rows_) {
        const double r = row_residual(row, row.u(movers_[row.a], movers_[row.b]));
        if (!(r <= worst)) worst = r;
    }
    return worst;
}

// One pass over all contacts; first moves each on along its direction, as extrapolate did all
// bodies, and adds the last sweep's change to the direction.
cone::Change ConeSolver::sweep(double beta) {
    cone::Change change{0.0, 0.0};
    for (cone::Row& row : rows_) {
        cone::Mover& A = movers_[row.a];
        cone::Mover& B = movers_[row.b];
        const Vec3 u_W = row.u_W(A, B);
        if (row.idle && row.n.dot(u_W) + row.drift.z() >= row.least) continue;
        const Vec3 along = beta * row.direction;
        const Vec3 p = row.p + along;
        row.direction = along + row.step;
        const Vec3 u = row.to_C(u_W) + row.drift;
        row.p = !row.plain ? solve_special(row, p, u)
                : rough_   ? solve_row<true>(row, p, u)
                           : solve_row<false>(row, p, u);
        row.step = row.p - p;
        row.idle =
            row.plain && row.p.isZero(0.0) && row.step.isZero(0.0) && row.direction.isZero(0.0);
        const double energy = row.energy(row.step);
        change.energy += energy;
        change.velocity = std::max(change.velocity, row.trace * energy);
        row.push(A, B, row.step);
    }
    change.velocity = std::sqrt(change.velocity);
    return change;
}

void ConeSolver::extrapolate(double beta) {
    for (std::size_t i = 0; i < movers_.size(); ++i) {
        cone::Mover& body = movers_[i];
        cone::Twist& direction = direction_[i];
        cone::Twist& before = before_[i];
        const Vec3 v = beta * direction.v;
        const Vec3 w = beta * direction.w;
        direction = {v + body.v - before.v, w + body.w - before.w};
        body.v += v;
        body.w += w;
        before = {body.v, body.w};
    }
}

// Up to most sweeps, at least one; ends when none of the contacts had to change any more.
int ConeSolver::iterate(double tolerance, int most) {
    if (wide_ok_) return iterate_wide(tolerance, most);
    for (std::size_t i = 0; i < movers_.size(); ++i) {
        before_[i] = {movers_[i].v, movers_[i].w};
        direction_[i] = {Vec3::Zero(), Vec3::Zero()};
    }
    for (cone::Row& row : rows_) {
        row.step.setZero();
        row.direction.setZero();
        row.idle = row.plain && row.p.isZero(0.0);
    }
    cone::Change last = sweep(0.0);
    double beta = 0.0;
    int count = 1;
    while (count < most && last.velocity > k_last_change * tolerance) {
        check_stop(stop_);
        extrapolate(beta);
        const cone::Change change = sweep(beta);
        beta = change.energy < last.energy ? change.energy / last.energy : 0.0;
        last = change;
        ++count;
    }
    return count;
}

// The same for rough sweeps, four contacts at a time; not all of these sweeps look at idle ones.
int ConeSolver::iterate_wide(double tolerance, int most) {
    wide_.begin(rows_, movers_);
    cone::Change last = wide_.sweep(0.0, true, rows_);
    double beta = 0.0;
    int count = 1;
    bool all = true;
    while (count < most && (!all || last.velocity > k_last_change * tolerance)) {
        check_stop(stop_);
        wide_.extrapolate(beta);
        const bool calm = !(last.velocity > k_last_change * tolerance);
        all = calm || count % k_sweeps_of_active == 0 || count + 1 == most;
        const cone::Change change = wide_.sweep(beta, all, rows_);
        beta = change.energy < last.energy ? change.energy / last.energy : 0.0;
        last = change;
        ++count;
    }
    wide_.end(rows_, movers_);
    return count;
}

// Rough sweeps over plain contacts are done four at a time: the rows from `first` on.
void ConeSolver::widen(std::size_t first) {
    if (first == 0) wide_.clear(movers_.size());
    wide_ok_ = rough_ && (first == 0 || wide_ok_) &&
               std::all_of(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end(),
                           [](const cone::Row& row) { return row.plain && row.drift.isZero(0.0); });
    if (wide_ok_) wide_.add(rows_, first, movers_);
}

// Of what settle() has just found.
void ConeSolver::keep_if_best(Work& work, double residual) {
    at_best_ = residual < work.residual;
    if (!at_best_) return;
    work.residual = residual;
    best_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
        best_[i] = rows_[i].p;
}

void ConeSolver::return_to_best(Work& work) {
    if (at_best_) return;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        rows_[i].p = best_[i];
    work.residual = settle();
    at_best_ = true;
}

// Newton steps as long as they gain and the budget of sweeps lasts.
void ConeSolver::polish(const ConeSettings& settings, double cost, Work& work) {
    const auto patience = [&] {
        return work.residual > settings.enough ? k_idle_steps : k_idle_steps_enough;
    };
    for (int idle = 0; work.residual > settings.tolerance && idle < patience() &&
                       work.left >= cost + k_sweeps_per_step;) {
        check_stop(stop_);
        work.left -= cost;
        ++work.newton_steps;
        at_best_ = false;
        if (!newton_.step(rows_, movers_)) break;
        double now = settle();
        if (now > k_arrived * settings.tolerance) {
            work.spend(iterate(settings.tolerance, k_sweeps_per_step));
            now = settle();
        }
        idle = now < 0.5 * work.residual ? 0 : idle + 1;
        keep_if_best(work, now);
    }
    return_to_best(work);
}

// Proximal problems, each about the answer of the last and stiffer than it.
void ConeSolver::approach(double tolerance, double cost, Work& work) {
    double compliance = k_first_compliance;
    for (int i = 0; i < k_proximal_problems && work.residual > tolerance && work.left >= cost;
         ++i) {
        check_stop(stop_);
        const int most = std::min(k_proximal_steps, static_cast<int>(work.left / cost));
        const int steps = newton_.approach(rows_, movers_, start_, compliance, most);
        work.left -= cost * steps;
        work.newton_steps += steps;
        keep_if_best(work, settle());
        compliance = std::max(k_last_compliance, 0.1 * compliance);
    }
    return_to_best(work);
}

void ConeSolver::search(const ConeSettings& settings, Work& work) {
    const double tolerance = settings.tolerance;
    double cost = 0.0;  // of a Newton step, in sweeps; not planned yet
    int pause = settings.newton ? k_first_sweeps : settings.most_sweeps;
    while (work.residual > tolerance && work.left >= 1.0) {
        const auto left = static_cast<int>(work.left);
        work.spend(iterate(tolerance, std::min(pause, left)));
        work.residual = std::numeric_limits<double>::infinity();
        keep_if_best(work, settle());
        if (!(work.residual > tolerance)) return;
        if (!settings.newton) return;
        if (cost == 0.0) cost = newton_.plan(rows_, movers_);
        if (work.left < k_worth_steps * cost) {
            pause = left;
            continue;
        }
        const double before = work.left;
        polish(settings, cost, work);
        if (work.residual <= settings.enough) return;
        if (work.residual > tolerance && pause > k_first_sweeps) {
            approach(tolerance, cost, work);
            polish(settings, cost, work);
            if (work.residual <= settings.enough) return;
        }
        // as much again on sweeps before the next try
        pause = std::max(4 * pause, static_cast<int>(before - work.left));
    }
}

ConeReport ConeSolver::solve(std::span<ConeBody> bodies, std::span<ConeContact> contacts,
                             const ConeSettings& settings) {
    check(settings);
    stop_ = settings.stop;
    rough_ = !settings.newton;
    take_bodies(bodies);
    take_contacts(contacts);
    widen(0);
    Work work{static_cast<double>(settings.most_sweeps), settle(), 0, 0};
    search(settings, work);
    return give(bodies, contacts, settings, work);
}

ConeReport ConeSolver::resume(std::span<ConeBody> bodies, std::span<ConeContact> contacts,
                              const ConeSettings& settings) {
    check(settings);
    stop_ = settings.stop;
    if (bodies.size() != movers_.size() || contacts.size() < taken_)
        throw std::invalid_argument("resume goes on with the bodies and contacts of the last call");
    for (cone::Row& row : rows_)
        if (!row.hinge) row.least = contacts[row.contact].least;
    const std::size_t first = rows_.size();
    for (; taken_ < contacts.size(); ++taken_) {
        cone::Row& row = rows_.emplace_back();
        if (!take_contact(contacts[taken_], static_cast<std::uint32_t>(taken_), row)) {
            rows_.pop_back();
            continue;
        }
        row.p.setZero();
    }
    widen(first);
    Work work{static_cast<double>(settings.most_sweeps), 0.0, 0, 0};
    if (!(settings.local > 0.0 && relax(settings.local)))
        work.spend(iterate(settings.tolerance, settings.most_sweeps));
    return give(bodies, contacts, settings, work);
}

ConeReport ConeSolver::give(std::span<ConeBody> bodies, std::span<ConeContact> contacts,
                            const ConeSettings& settings, const Work& work) const {
    if (!std::isfinite(work.residual))
        throw std::invalid_argument("the numbers of the contact problem are too large to solve");

    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].v = movers_[i].v;
        bodies[i].w = movers_[i].w;
    }
    for (ConeContact& c : contacts)
        c.impulse.setZero();
    for (const cone::Row& row : rows_)
        contacts[row.contact].impulse = row.to_W(row.p);
    return {work.sweeps, work.newton_steps, work.residual,
            work.residual <= std::max(settings.tolerance, settings.enough)};
}

}  // namespace carom::impact
