// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/multi_contact_problem.h"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "carom/impact/tolerances.h"
#include "carom/math/rotation.h"

namespace carom::impact {
namespace {

// Departure of |normal| from 1. Larger: W and u are wrong by as much, relative.
constexpr double k_unit = 1e-12;
// Negative principal value of an inverse inertia that still counts as zero, relative to the largest
// one. Larger: bodies that turn against their impulse pass, and create energy.
constexpr double k_indefinite = 1e-12;

// One end of a contact: a body, the arm from its centre of mass, and the impulse's sign on it.
struct End {
    std::uint32_t body;
    double sign;
    Vec3 r;
};

std::array<End, 2> ends(const MultiContactProblem& problem, const MultiContactPoint& contact) {
    return {End{contact.a, 1.0, contact.point - problem.bodies[contact.a].position},
            End{contact.b, -1.0, contact.point - problem.bodies[contact.b].position}};
}

// What an impulse at `from` does to the velocity at `to`, both on the same body.
Mat3 mobility(const MultiContactBody& body, const End& to, const End& from) {
    const Mat3 turn = math::cross_matrix(to.r) * body.inverse_inertia * math::cross_matrix(from.r);
    return to.sign * from.sign * (body.inverse_mass * Mat3::Identity() - turn);
}

// The sums of impulses and of their moments on every body.
struct Push {
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();
};

std::vector<Push> pushes(const MultiContactProblem& problem, const std::vector<Vec3>& impulses_W) {
    std::vector<Push> sums(problem.bodies.size());
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        for (const End& end : ends(problem, problem.contacts[i])) {
            const Vec3 p = end.sign * impulses_W[i];
            sums[end.body].linear += p;
            sums[end.body].angular += end.r.cross(p);
        }
    }
    return sums;
}

Vec3 point_velocity(const MultiContactBody& body, const Vec3& point) {
    return body.v + body.w.cross(point - body.position);
}

std::string check_body(const MultiContactBody& body) {
    if (!std::isfinite(body.inverse_mass) || !body.inverse_inertia.allFinite() ||
        !body.position.allFinite() || !body.v.allFinite() || !body.w.allFinite()) {
        return " has an entry that is not a finite number";
    }
    if (body.inverse_mass < 0.0) return ".inverse_mass must not be negative";
    const Mat3& I = body.inverse_inertia;
    const double size = I.cwiseAbs().maxCoeff();
    const char* const otherwise =
        ".inverse_inertia must be symmetric and without negative principal values";
    if ((I - I.transpose()).cwiseAbs().maxCoeff() > k_tolerances.symmetry * size) return otherwise;
    if (size == 0.0) return {};
    const Mat3 scaled = I / size;
    const Vec3 values =
        Eigen::SelfAdjointEigenSolver<Mat3>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
    return values.minCoeff() < -k_indefinite * values.maxCoeff() ? otherwise : std::string();
}

std::string check_place(const MultiContactProblem& problem, const MultiContactPoint& contact) {
    const std::size_t count = problem.bodies.size();
    if (contact.a >= count || contact.b >= count) {
        return ": a and b must be indices of bodies, below " + std::to_string(count);
    }
    if (contact.a == contact.b) return ": a and b must be two different bodies";
    if (problem.bodies[contact.a].fixed() && problem.bodies[contact.b].fixed()) {
        return ": its bodies are both fixed; at least one of them must be able to move";
    }
    if (!contact.point.allFinite()) return ".point must be finite";
    if (!(std::abs(contact.normal.norm() - 1.0) <= k_unit)) return ".normal must have length 1";
    return {};
}

std::string check_collision_matrix(const MultiContactProblem& problem,
                                   const MultiContactPoint& contact) {
    BodyPair pair;
    pair.normal = contact.normal;
    pair.A = at_contact(problem.bodies[contact.a], contact.point);
    pair.B = at_contact(problem.bodies[contact.b], contact.point);
    const std::string wrong = check_contact(make_contact(pair).contact);
    if (wrong.empty()) return {};
    return ": " + wrong + " (K is the collision matrix of its bodies, u their relative velocity)";
}

std::string check_model(const MultiContactPoint& contact) {
    if (!(contact.stiffness > 0.0) || !std::isfinite(contact.stiffness)) {
        return ".stiffness must be greater than 0";
    }
    if (!(contact.power >= 1.0) || !std::isfinite(contact.power)) {
        return ".power must be at least 1";
    }
    if (contact.kind == ContactKind::ball_joint) {
        return contact.law == nullptr ? std::string() : " is a hinge; it takes no law";
    }
    if (contact.law == nullptr) return " needs a law";
    const std::string wrong = check_parameters(*contact.law, contact.parameters);
    return wrong.empty() ? wrong : ": " + wrong;
}

std::string indexed(const char* list, std::size_t i, const std::string& wrong) {
    return std::string(list) + "[" + std::to_string(i) + "]" + wrong;
}

}  // namespace

BodyState at_contact(const MultiContactBody& body, const Vec3& point) {
    return {body.inverse_mass, body.inverse_inertia, point - body.position, body.v, body.w};
}

MultiContactSystem make_multi_contact_system(const MultiContactProblem& problem) {
    const std::size_t count = problem.contacts.size();
    const auto size = static_cast<Eigen::Index>(3 * count);
    MultiContactSystem system;
    system.W = Eigen::MatrixXd::Zero(size, size);
    system.U = Eigen::VectorXd::Zero(size);
    system.R_CW.resize(count);

    // the contacts of every body that can be moved, in order
    struct Place {
        std::size_t contact;
        End end;
    };
    std::vector<std::vector<Place>> places(problem.bodies.size());
    for (std::size_t i = 0; i < count; ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        system.R_CW[i] = math::rotation_to_z(contact.normal);
        system.U.segment<3>(static_cast<Eigen::Index>(3 * i)) =
            system.R_CW[i] * contact_velocity(problem.bodies, contact);
        for (const End& end : ends(problem, contact)) {
            if (!problem.bodies[end.body].fixed()) places[end.body].push_back({i, end});
        }
    }

    // the blocks on and below the diagonal, in the world frame
    for (std::size_t b = 0; b < places.size(); ++b) {
        for (std::size_t m = 0; m < places[b].size(); ++m) {
            for (std::size_t n = 0; n <= m; ++n) {
                const Place& to = places[b][m];
                const Place& from = places[b][n];
                system.W.block<3, 3>(static_cast<Eigen::Index>(3 * to.contact),
                                     static_cast<Eigen::Index>(3 * from.contact)) +=
                    mobility(problem.bodies[b], to.end, from.end);
            }
        }
    }

    // turned to the contacts' frames; symmetric to the last bit
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const auto row = static_cast<Eigen::Index>(3 * i);
            const auto column = static_cast<Eigen::Index>(3 * j);
            const Mat3 block_W = system.W.block<3, 3>(row, column);
            if (block_W.isZero(0.0)) continue;
            Mat3 block = system.R_CW[i] * block_W * system.R_CW[j].transpose();
            if (i == j) block = (0.5 * (block + block.transpose())).eval();
            system.W.block<3, 3>(row, column) = block;
            system.W.block<3, 3>(column, row) = block.transpose();
        }
    }
    return system;
}

std::vector<MultiContactBody> apply_impulses(const MultiContactProblem& problem,
                                             const std::vector<Vec3>& impulses_W) {
    std::vector<MultiContactBody> bodies = problem.bodies;
    const std::vector<Push> sums = pushes(problem, impulses_W);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies[b].v += bodies[b].inverse_mass * sums[b].linear;
        bodies[b].w += bodies[b].inverse_inertia * sums[b].angular;
    }
    return bodies;
}

double energy_lost(const MultiContactProblem& problem, const std::vector<Vec3>& impulses_W) {
    double change = 0.0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        change += contact_velocity(problem.bodies, problem.contacts[i]).dot(impulses_W[i]);
    }
    // p.W p as the energy of the bodies, had they been at rest
    const std::vector<Push> sums = pushes(problem, impulses_W);
    for (std::size_t b = 0; b < sums.size(); ++b) {
        const MultiContactBody& body = problem.bodies[b];
        change += 0.5 * (body.inverse_mass * sums[b].linear.squaredNorm() +
                         sums[b].angular.dot(body.inverse_inertia * sums[b].angular));
    }
    return -change;
}

Vec3 contact_velocity(const std::vector<MultiContactBody>& bodies,
                      const MultiContactPoint& contact) {
    return point_velocity(bodies[contact.a], contact.point) -
           point_velocity(bodies[contact.b], contact.point);
}

double approach_left(const MultiContactProblem& problem, const std::vector<Vec3>& impulses_W) {
    const std::vector<MultiContactBody> after = apply_impulses(problem, impulses_W);
    double most = 0.0;
    for (const MultiContactPoint& contact : problem.contacts) {
        const Vec3 u = contact_velocity(after, contact);
        most = std::max(
            most, contact.kind == ContactKind::ball_joint ? u.norm() : -u.dot(contact.normal));
    }
    return most;
}

std::string check_multi_contact_problem(const MultiContactProblem& problem) {
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
        const std::string wrong = check_body(problem.bodies[i]);
        if (!wrong.empty()) return indexed("bodies", i, wrong);
    }
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        std::string wrong = check_place(problem, contact);
        if (wrong.empty()) wrong = check_collision_matrix(problem, contact);
        if (wrong.empty()) wrong = check_model(contact);
        if (!wrong.empty()) return indexed("contacts", i, wrong);
    }
    return {};
}

}  // namespace carom::impact
