// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "carom/impact/multiple/multi_contact_problem.h"
#include "tests/support/random_problems.h"

// Joint problems for tests: chains of balls, random graphs, and what must hold for any answer.
namespace carom::tests {

inline impact::MultiContactBody ball(double mass, double radius, const Vec3& position,
                                     const Vec3& v) {
    impact::MultiContactBody body;
    body.inverse_mass = 1.0 / mass;
    body.inverse_inertia = Mat3::Identity() / (0.4 * mass * radius * radius);
    body.position = position;
    body.v = v;
    return body;
}

inline impact::MultiContactPoint contact_of(std::uint32_t a, std::uint32_t b, const Vec3& point,
                                            const Vec3& normal, impact::LawId law, double e,
                                            double mu) {
    impact::MultiContactPoint contact;
    contact.a = a;
    contact.b = b;
    contact.point = point;
    contact.normal = normal;
    contact.law = &impact::law_info(law);
    contact.parameters.e = e;
    contact.parameters.mu = mu;
    return contact;
}

inline impact::MultiContactPoint hinge_of(std::uint32_t a, std::uint32_t b, const Vec3& point) {
    impact::MultiContactPoint contact;
    contact.a = a;
    contact.b = b;
    contact.point = point;
    contact.kind = impact::ContactKind::ball_joint;
    return contact;
}

// Touching balls of radius 1 along x, without friction.
inline impact::MultiContactProblem chain(const std::vector<double>& masses,
                                         const std::vector<double>& speeds, double e) {
    impact::MultiContactProblem problem;
    for (std::size_t i = 0; i < masses.size(); ++i) {
        const double x = 2.0 * static_cast<double>(i);
        problem.bodies.push_back(ball(masses[i], 1.0, {x, 0, 0}, {speeds[i], 0, 0}));
        if (i == 0) continue;
        const auto b = static_cast<std::uint32_t>(i - 1);
        problem.contacts.push_back(contact_of(b + 1, b, {x - 1.0, 0, 0}, Vec3::UnitX(),
                                              impact::LawId::frictionless, e, 0.0));
    }
    return problem;
}

inline std::vector<double> speeds_after(const impact::MultiContactProblem& problem,
                                        const impact::MultiContactSolution& solution) {
    std::vector<double> speeds;
    for (const impact::MultiContactBody& body :
         impact::apply_impulses(problem, solution.impulses_W))
        speeds.push_back(body.v.x());
    return speeds;
}

// Boxes of random size and attitude and some fixed bodies, with contacts between random pairs of
// them at random points along random normals; every contact gets its law from give(contact, i).
template <class Give>
impact::MultiContactProblem random_graph(Random& random, std::size_t contacts, Give&& give) {
    impact::MultiContactProblem problem;
    const std::size_t bodies = 2 + random.bits() % (2 + contacts / 2);
    for (std::size_t i = 0; i < bodies; ++i) {
        impact::MultiContactBody body;
        if (i == 0 || random.uniform() < 0.8) {
            const impact::BodyState state = random_body(random);
            body.inverse_mass = state.inverse_mass;
            const Mat3& inverse = state.inverse_inertia;
            body.inverse_inertia = 0.5 * (inverse + inverse.transpose());
            body.v = state.v;
            body.w = state.w;
        }
        body.position = 2.0 * random.normal3();
        problem.bodies.push_back(body);
    }
    while (problem.contacts.size() < contacts) {
        impact::MultiContactPoint contact;
        contact.a = static_cast<std::uint32_t>(random.bits() % bodies);
        contact.b = static_cast<std::uint32_t>(random.bits() % bodies);
        if (contact.a == contact.b) continue;
        const impact::MultiContactBody& a = problem.bodies[contact.a];
        const impact::MultiContactBody& b = problem.bodies[contact.b];
        if (a.fixed() && b.fixed()) continue;
        contact.point = (a.fixed() ? b : a).position + random.normal3();
        contact.normal = random.direction();
        give(contact, random);
        problem.contacts.push_back(contact);
    }
    return problem;
}

// The largest approach speed at a contact, or speed at a hinge.
inline double largest_residual(const std::vector<impact::MultiContactBody>& bodies,
                               const std::vector<impact::MultiContactPoint>& contacts) {
    double most = 0.0;
    for (const impact::MultiContactPoint& contact : contacts) {
        const Vec3 u = impact::contact_velocity(bodies, contact);
        const bool hinge = contact.kind == impact::ContactKind::ball_joint;
        most = std::max(most, hinge ? u.norm() : -u.dot(contact.normal));
    }
    return most;
}

inline double kinetic_energy(const std::vector<impact::MultiContactBody>& bodies) {
    double energy = 0.0;
    for (const impact::MultiContactBody& body : bodies) {
        if (body.fixed()) continue;
        energy += 0.5 * body.v.squaredNorm() / body.inverse_mass;
        energy += 0.5 * body.w.dot(body.inverse_inertia.inverse() * body.w);
    }
    return energy;
}

// As a line for `carom impact` cannot hold all of it: what tells one graph from another.
inline std::string show(const impact::MultiContactProblem& problem) {
    std::ostringstream out;
    out.precision(17);
    out << " " << problem.bodies.size() << " bodies, contacts";
    for (const impact::MultiContactPoint& c : problem.contacts) {
        out << " (" << c.a << "," << c.b << " "
            << (c.law == nullptr ? "hinge" : std::string(c.law->name)) << " e "
            << c.parameters.e.value_or(0.0) << " mu " << c.parameters.mu.value_or(0.0) << ")";
    }
    return out.str();
}

}  // namespace carom::tests
