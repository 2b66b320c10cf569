// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/sequential.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "carom/math/spd3.h"

namespace carom::impact {
namespace {

// Rounding of a relative velocity, as a part of the speeds it is the difference of. Larger:
// approach of that size is taken for rest.
constexpr double k_rounding = 16.0 * std::numeric_limits<double>::epsilon();
// Difference of approach velocities that still makes a tie, relative to the greatest: what the
// iterative laws leave of their own error. Larger: contacts hit at clearly different speeds are
// taken in the order of their indices.
constexpr double k_tie = 1e-10;

// So few contacts that looking at all of them costs less than knowing which have changed.
constexpr std::size_t k_few = 4;

void check_settings(const SequentialSettings& settings) {
    if (!(settings.tolerance >= 0.0 && settings.tolerance < 1.0)) {
        throw std::invalid_argument("the tolerance of a sequence must satisfy 0 <= tolerance < 1");
    }
    if (settings.most_rounds < 1) {
        throw std::invalid_argument("a sequence must be allowed at least 1 round");
    }
}

// splitmix64: the same numbers everywhere.
std::uint64_t next_random(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

Vec3 velocity_at(const Twist& twist, const Vec3& r) {
    return twist.v + twist.w.cross(r);
}

Mat3 inverse_spd3(const Mat3& K) {
    Mat3 inverse;
    for (int i = 0; i < 3; ++i)
        inverse.col(i) = math::solve_spd3(K, Vec3::Unit(i));
    return inverse;
}

// The length of a vector whose square may overflow or vanish.
double length(const Vec3& u) {
    const double size = u.cwiseAbs().maxCoeff();
    constexpr double k_small = 0x1p-400, k_large = 0x1p400;
    if (size == 0.0 || (size > k_small && size < k_large)) return u.norm();
    return size * (u / size).norm();
}

bool is_hinge(const MultiContactPoint& contact) {
    return contact.kind == ContactKind::ball_joint;
}

}  // namespace

const MultiContactSolution& SequentialSolver::solve(const MultiContactProblem& problem,
                                                    const SequentialSettings& settings) {
    check_settings(settings);
    start(problem);
    random_ = settings.seed;
    const double rounding = k_rounding * speed_scale(problem);
    Choice choice = choose(rounding, settings.random_ties);
    const double enough = std::max(settings.tolerance * choice.most, rounding);
    while (choice.most > enough && solution_.rounds < settings.most_rounds) {
        check_stop(settings.stop);
        push(problem, choice.contact, impulse_W(problem, choice.contact));
        ++solution_.rounds;
        choice = choose(rounding, settings.random_ties);
    }
    solution_.approach_left = choice.most;
    solution_.ended = !(choice.most > enough);
    check_finite();
    return solution_;
}

void SequentialSolver::start(const MultiContactProblem& problem) {
    const std::size_t count = problem.contacts.size();
    solution_.impulses_W.assign(count, Vec3::Zero());
    solution_.rounds = 0;
    twists_.resize(problem.bodies.size());
    for (std::size_t b = 0; b < twists_.size(); ++b)
        twists_[b] = {problem.bodies[b].v, problem.bodies[b].w};
    if (count > k_few) list_links(problem);
    links_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        Link& link = links_[i];
        link.arm_a = (contact.point - problem.bodies[contact.a].position).cross(contact.normal);
        link.arm_b = (contact.point - problem.bodies[contact.b].position).cross(contact.normal);
        link.ready = false;
        link.residual = residual(problem, i);
    }
}

// Which contacts to look at again when a body has been pushed.
void SequentialSolver::list_links(const MultiContactProblem& problem) {
    first_.assign(problem.bodies.size() + 1, 0);
    const auto each_end = [&](auto&& visit) {
        for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            const MultiContactPoint& contact = problem.contacts[i];
            const auto index = static_cast<std::uint32_t>(i);
            if (!problem.bodies[contact.a].fixed()) visit(contact.a, index);
            if (!problem.bodies[contact.b].fixed()) visit(contact.b, index);
        }
    };
    // count, sum up to where each list ends, fill from there backwards
    each_end([&](std::uint32_t body, std::uint32_t) { ++first_[body]; });
    for (std::size_t b = 1; b < first_.size(); ++b)
        first_[b] += first_[b - 1];
    linked_.resize(first_.back());
    each_end([&](std::uint32_t body, std::uint32_t i) { linked_[--first_[body]] = i; });
}

double SequentialSolver::residual(const MultiContactProblem& problem, std::size_t i) const {
    const MultiContactPoint& contact = problem.contacts[i];
    const Twist& a = twists_[contact.a];
    const Twist& b = twists_[contact.b];
    if (is_hinge(contact)) {
        return length(velocity_at(a, contact.point - problem.bodies[contact.a].position) -
                      velocity_at(b, contact.point - problem.bodies[contact.b].position));
    }
    const Link& link = links_[i];
    return -(contact.normal.dot(a.v - b.v) + link.arm_a.dot(a.w) - link.arm_b.dot(b.w));
}

// The largest speed of any point of contact, from above.
double SequentialSolver::speed_scale(const MultiContactProblem& problem) const {
    double scale = 0.0;
    for (const MultiContactPoint& contact : problem.contacts) {
        for (const std::uint32_t body : {contact.a, contact.b}) {
            const MultiContactBody& state = problem.bodies[body];
            const double r = (contact.point - state.position).lpNorm<1>();
            scale = std::max(scale, state.v.lpNorm<1>() + state.w.lpNorm<1>() * r);
        }
    }
    return scale;
}

// The next contact to be hit: one of those that are as fast as the fastest.
SequentialSolver::Choice SequentialSolver::choose(double rounding, bool random_ties) {
    Choice choice;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        if (links_[i].residual > choice.most) choice = {i, links_[i].residual};
    }
    const double tie = (1.0 - k_tie) * choice.most - rounding;
    if (!random_ties) {
        for (std::size_t i = 0; i < choice.contact; ++i) {
            if (links_[i].residual >= tie) return {i, choice.most};
        }
        return choice;
    }
    tied_.clear();
    for (std::size_t i = 0; i < links_.size(); ++i) {
        if (links_[i].residual >= tie) tied_.push_back(static_cast<std::uint32_t>(i));
    }
    if (tied_.size() > 1) choice.contact = tied_[next_random(random_) % tied_.size()];
    return choice;
}

void SequentialSolver::make_ready(const MultiContactProblem& problem, std::size_t i) {
    const MultiContactPoint& contact = problem.contacts[i];
    BodyPair pair;
    pair.normal = is_hinge(contact) ? Vec3(Vec3::UnitZ()) : contact.normal;
    pair.A = at_contact(problem.bodies[contact.a], contact.point);
    pair.B = at_contact(problem.bodies[contact.b], contact.point);
    const FramedContact framed = make_contact(pair);
    Link& link = links_[i];
    link.K = is_hinge(contact) ? inverse_spd3(framed.contact.K) : framed.contact.K;
    link.R_CW = framed.R_CW;
    link.ready = true;
}

// The impulse that the contact's law, or the hinge, asks for now.
Vec3 SequentialSolver::impulse_W(const MultiContactProblem& problem, std::size_t i) {
    const MultiContactPoint& contact = problem.contacts[i];
    Link& link = links_[i];
    if (!link.ready) make_ready(problem, i);
    const Vec3 u_W =
        velocity_at(twists_[contact.a], contact.point - problem.bodies[contact.a].position) -
        velocity_at(twists_[contact.b], contact.point - problem.bodies[contact.b].position);
    if (is_hinge(contact)) return -(link.K * u_W);
    const Outcome outcome =
        resolve(*contact.law, Contact{link.K, link.R_CW * u_W}, contact.parameters);
    if (outcome.refusal != nullptr) {
        throw std::invalid_argument("contacts[" + std::to_string(i) + "]: law '" +
                                    std::string(contact.law->name) + "' " + outcome.refusal);
    }
    return link.R_CW.transpose() * outcome.solution.p;
}

void SequentialSolver::push(const MultiContactProblem& problem, std::size_t i, const Vec3& p_W) {
    const MultiContactPoint& contact = problem.contacts[i];
    solution_.impulses_W[i] += p_W;
    const auto move = [&](std::uint32_t body, const Vec3& p) {
        const MultiContactBody& state = problem.bodies[body];
        twists_[body].v += state.inverse_mass * p;
        twists_[body].w += state.inverse_inertia * (contact.point - state.position).cross(p);
    };
    move(contact.a, p_W);
    move(contact.b, -p_W);
    if (links_.size() <= k_few) {
        for (std::size_t k = 0; k < links_.size(); ++k)
            links_[k].residual = residual(problem, k);
        return;
    }
    for (const std::uint32_t body : {contact.a, contact.b}) {
        for (std::uint32_t k = first_[body]; k < first_[body + 1]; ++k)
            links_[linked_[k]].residual = residual(problem, linked_[k]);
    }
}

void SequentialSolver::check_finite() const {
    const bool finite = std::isfinite(solution_.approach_left) &&
                        std::all_of(twists_.begin(), twists_.end(), [](const Twist& t) {
                            return t.v.allFinite() && t.w.allFinite();
                        });
    if (!finite) throw std::invalid_argument("the velocities overflow; they must be smaller");
}

MultiContactSolution resolve_sequential(const MultiContactProblem& problem,
                                        const SequentialSettings& settings) {
    SequentialSolver solver;
    return solver.solve(problem, settings);
}

}  // namespace carom::impact
