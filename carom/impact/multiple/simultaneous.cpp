// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/simultaneous.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "carom/impact/multiple/cone_solver.h"

namespace carom::impact {
namespace {

constexpr int k_most_halvings = 3;

// What simultaneous takes from a contact's law.
struct Model {
    double e = 0.0;
    double mu = 0.0;
};

Model model_of(const MultiContactPoint& contact, std::size_t i) {
    if (contact.kind == ContactKind::ball_joint) return {};
    const LawInfo& law = *contact.law;
    const LawParameters& given = contact.parameters;
    const bool has_mu = takes(law, ParameterId::mu, given.fallback_law());
    const std::string wrong = check_simultaneous_law(law, given);
    if (!wrong.empty())
        throw std::invalid_argument("contacts[" + std::to_string(i) + "]: " + wrong);
    return {given.e.value_or(0.0), has_mu ? given.mu.value_or(0.0) : 0.0};
}

using Impulses = std::vector<Vec3>;

// The problem as cone_solver.h takes it, and the work done on it.
class Joint {
public:
    Joint(const MultiContactProblem& problem, const SimultaneousSettings& settings)
        : problem_(problem), settings_(settings) {
        for (const MultiContactBody& body : problem.bodies)
            start_.push_back({body.v, body.w, body.inverse_mass, body.inverse_inertia});
        double scale = 0.0;
        for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            const MultiContactPoint& c = problem.contacts[i];
            models_.push_back(model_of(c, i));
            ConeContact cone;
            cone.a = c.a;
            cone.b = c.b;
            cone.r_a = c.point - problem.bodies[c.a].position;
            cone.r_b = c.point - problem.bodies[c.b].position;
            cone.normal = c.normal;
            cone.mu = models_.back().mu;
            cone.kind =
                c.kind == ContactKind::ball_joint ? ConeKind::ball_joint : ConeKind::contact;
            contacts_.push_back(cone);
            before_.push_back(contact_velocity(problem.bodies, c).dot(c.normal));
            for (const auto& [body, r] : {std::pair{c.a, cone.r_a}, std::pair{c.b, cone.r_b}}) {
                const MultiContactBody& end = problem.bodies[body];
                scale = std::max(scale, end.v.norm() + end.w.norm() * r.norm());
            }
        }
        tolerance_ = settings.tolerance * scale;
    }

    Impulses plastic() {
        bodies_ = start_;
        for (ConeContact& c : contacts_)
            c.least = c.floor = 0.0;
        return solve();
    }

    // All of it, with the restitution of every contact lowered by the factor.
    Impulses with_restitution(double factor, const Impulses& plastic) {
        return settings_.restitution == SimultaneousRestitution::newton ? newton(factor)
                                                                        : poisson(factor, plastic);
    }

    long rounds() const { return rounds_; }
    const ConeReport& last() const { return last_; }

private:
    Impulses newton(double factor) {
        bodies_ = start_;
        for (std::size_t i = 0; i < contacts_.size(); ++i)
            contacts_[i].least = std::max(0.0, -factor * models_[i].e * before_[i]);
        return solve();
    }

    Impulses poisson(double factor, const Impulses& plastic) {
        const std::vector<MultiContactBody> compressed = apply_impulses(problem_, plastic);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            bodies_[i].v = compressed[i].v;
            bodies_[i].w = compressed[i].w;
        }
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            const double p_z = plastic[i].dot(contacts_[i].normal);
            contacts_[i].floor = std::max(0.0, factor * models_[i].e * p_z);
        }
        Impulses impulses = solve();
        for (std::size_t i = 0; i < impulses.size(); ++i)
            impulses[i] += plastic[i];
        return impulses;
    }

    Impulses solve() {
        for (ConeContact& c : contacts_)
            c.impulse.setZero();
        ConeSettings settings{settings_.most_sweeps, tolerance_};
        settings.stop = settings_.stop;
        last_ = solver_.solve(bodies_, contacts_, settings);
        rounds_ += last_.sweeps + last_.newton_steps;
        Impulses impulses;
        for (const ConeContact& c : contacts_)
            impulses.push_back(c.impulse);
        return impulses;
    }

    const MultiContactProblem& problem_;
    const SimultaneousSettings& settings_;
    std::vector<ConeBody> start_, bodies_;
    std::vector<ConeContact> contacts_;
    std::vector<Model> models_;
    std::vector<double> before_;  // normal velocity
    double tolerance_ = 0.0;
    long rounds_ = 0;
    ConeReport last_;
    ConeSolver solver_;
};

Impulses between(const Impulses& from, const Impulses& to, double part) {
    Impulses mean = from;
    for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] += part * (to[i] - from[i]);
    return mean;
}

// The largest part of the way from impulses that gain no energy to others at which none is gained.
// The gain is a convex parabola of the part, known by three of its values.
double part_without_gain(const MultiContactProblem& problem, const Impulses& from,
                         const Impulses& to) {
    const double start = -energy_lost(problem, from);
    const double end = -energy_lost(problem, to);
    if (end <= 0.0) return 1.0;
    if (start >= 0.0) return 0.0;
    const double middle = -energy_lost(problem, between(from, to, 0.5));
    const double bend = 2.0 * (start + end - 2.0 * middle);
    const double slope = end - start - bend;
    const double root = std::sqrt(std::max(0.0, slope * slope - 4.0 * bend * start));
    const double part = slope > 0.0 ? -2.0 * start / (slope + root) : (root - slope) / (2.0 * bend);
    return std::clamp(part, 0.0, 1.0);
}

}  // namespace

std::string check_simultaneous_law(const LawInfo& law, const LawParameters& parameters) {
    if (takes(law, ParameterId::e, parameters.fallback_law()) &&
        !takes(law, ParameterId::mu2, parameters.fallback_law()))
        return {};
    return "law " + std::string(law.name) +
           " cannot be resolved simultaneously; take a law that is given by e, or by e and mu";
}

MultiContactSolution resolve_simultaneous(const MultiContactProblem& problem,
                                          const SimultaneousSettings& settings,
                                          SimultaneousReport* report) {
    if (!(settings.tolerance >= 0.0) || settings.most_sweeps < 1)
        throw std::invalid_argument("simultaneous needs a tolerance >= 0 and most_sweeps >= 1");
    Joint joint(problem, settings);
    const Impulses plastic = joint.plastic();
    const bool solved = joint.last().converged;
    const Impulses none(plastic.size(), Vec3::Zero());
    const Impulses base = between(none, plastic, part_without_gain(problem, none, plastic));

    // the restitution asked for, or as much of it as can be had
    double kept = 1.0;
    Impulses impulses = joint.with_restitution(kept, plastic);
    for (int i = 0; i < k_most_halvings && !joint.last().converged; ++i) {
        kept *= 0.5;
        impulses = joint.with_restitution(kept, plastic);
    }
    if (!joint.last().converged) {
        kept = 0.0;
        impulses = base;
    }
    const double part = part_without_gain(problem, base, impulses);
    if (part < 1.0) {
        kept *= part;
        impulses = between(base, impulses, part);
    }
    if (report != nullptr) *report = {kept, joint.last().residual, solved};
    const double left = approach_left(problem, impulses);
    return {std::move(impulses), joint.rounds(), left, solved};
}

}  // namespace carom::impact
