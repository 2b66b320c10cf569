// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "carom/impact/law.h"
#include "carom/impact/planar.h"
#include "carom/impact/problem.h"
#include "carom/impact/solution.h"
#include "tests/support/random_problems.h"

// What the tests of all laws share: printing a problem so that a failure can be run again, error
// measures, and a solver in extended precision that owes nothing to the library.
namespace carom::tests {

using Vec3l = Eigen::Matrix<long double, 3, 1>;
using Mat3l = Eigen::Matrix<long double, 3, 3>;

inline std::string show(const impact::Contact& contact) {
    std::ostringstream out;
    out.precision(17);
    out << " \"K\":[";
    for (int i = 0; i < 3; ++i) {
        out << (i ? ",[" : "[") << contact.K(i, 0) << "," << contact.K(i, 1) << ","
            << contact.K(i, 2) << "]";
    }
    out << "], \"u\":[" << contact.u.x() << "," << contact.u.y() << "," << contact.u.z() << "] ";
    return out.str();
}

inline std::string show(const Vec3& p) {
    std::ostringstream out;
    out.precision(17);
    out << " (" << p.x() << ", " << p.y() << ", " << p.z() << ") ";
    return out.str();
}

inline std::string show(double e, double mu) {
    std::ostringstream out;
    out.precision(17);
    out << " \"e\":" << e << ", \"mu\":" << mu << " ";
    return out.str();
}

inline std::string show(const impact::LawParameters& p) {
    std::ostringstream out;
    out.precision(17);
    for (const impact::ParameterInfo& info : impact::parameters()) {
        if (!p.has(info.id)) continue;
        out << " \"" << info.name << "\":";
        switch (info.kind) {
            case impact::ParameterKind::number:
                out << *p.number(info.id);
                break;
            case impact::ParameterKind::vector:
                out << show(*p.P);
                break;
            case impact::ParameterKind::termination:
                out << impact::termination_name(*p.termination);
                break;
            case impact::ParameterKind::boolean:
                out << *p.reversal;
                break;
            case impact::ParameterKind::law:
                out << impact::law_info(*p.fallback).name;
                break;
        }
    }
    return out.str();
}

inline Vec3 after(const impact::Contact& contact, const Vec3& p) {
    return contact.u + contact.K * p;
}

inline double relative_error(const Vec3& a, const Vec3& b) {
    const double scale = b.norm();
    return scale > 0.0 ? (a - b).norm() / scale : a.norm();
}

inline double condition(const Mat3& K) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(K, Eigen::EigenvaluesOnly);
    return eigen.eigenvalues()[2] / eigen.eigenvalues()[0];
}

// K^-1 v by cofactors in extended precision.
inline Vec3l solve_long(const Mat3& K, const Vec3& v) {
    const Mat3l A = K.cast<long double>();
    const Vec3l a = A.col(0), b = A.col(1), c = A.col(2), r = v.cast<long double>();
    const Vec3l bc = b.cross(c);
    const long double det = a.dot(bc);
    return Vec3l(bc.dot(r), c.cross(a).dot(r), a.cross(b).dot(r)) / det;
}

// Kinetic energy that an impulse at the contact can reach.
inline double contact_energy(const Mat3& K, const Vec3& u) {
    return 0.5 * static_cast<double>(u.cast<long double>().dot(solve_long(K, u)));
}

// Whether p is permissible, without any tolerance, in extended precision.
inline bool inside_region(const impact::Contact& contact, double mu, const Vec3l& p) {
    const Mat3l K = contact.K.cast<long double>();
    const Vec3l u = contact.u.cast<long double>();
    return u.dot(p) + p.dot(K * p) / 2 <= 0 && u.z() + K.row(2).dot(p) >= 0 && p.z() >= 0 &&
           p.head<2>().norm() <= mu * p.z();
}

inline impact::Contact diagonal_contact(double k1, double k2, double k3, const Vec3& u) {
    return {Vec3(k1, k2, k3).asDiagonal(), u};
}

// A contact as of slender bodies: strong coupling of normal and tangents, so that sticks are
// unstable, slip jams, and compression can come twice. Among boxes that is rare.
inline impact::Contact slender_contact(Random& random) {
    impact::Contact contact;
    const Mat3 R = random.rotation();
    const Vec3 k(random.log_uniform(0.1, 1.0), random.log_uniform(0.3, 5.0),
                 random.log_uniform(2.0, 20.0));
    contact.K = R * k.asDiagonal() * R.transpose();
    contact.K = (0.5 * (contact.K + contact.K.transpose())).eval();
    contact.u = random.normal3();
    contact.u.z() = -std::abs(contact.u.z());
    return contact;
}

// A contact and friction under which slip can drive the bodies together (K_zz < mu b.c for some
// directions c), approaching slowly: the ground of jams and of second compressions.
struct JamProblem {
    impact::Contact contact;
    double mu;
};
inline JamProblem jam_problem(Random& random) {
    for (;;) {
        JamProblem jam{slender_contact(random), random.uniform(0.4, 1.8)};
        const Vec2 b = jam.contact.K.topRightCorner<2, 1>();
        const double k = jam.contact.K(2, 2);
        if (jam.mu * b.norm() < 1.02 * k) continue;
        if (k < jam.mu * b.dot(jam.contact.u.head<2>().normalized())) continue;
        jam.contact.u.z() *= random.log_uniform(1e-4, 1.0);
        return jam;
    }
}

// Boxes and slender bodies, half and half.
inline impact::Contact any_contact(Random& random) {
    return random.bits() % 2 == 0 ? random_contact(random) : slender_contact(random);
}

// A plane problem with a random positive definite K.
inline impact::PlaneContact random_plane(Random& random) {
    impact::PlaneContact plane{};
    plane.Kxx = random.log_uniform(0.3, 10.0);
    plane.Kzz = random.log_uniform(0.3, 10.0);
    plane.Kxz = random.uniform(-0.95, 0.95) * std::sqrt(plane.Kxx * plane.Kzz);
    plane.ux = random.normal();
    plane.uz = -std::abs(random.normal());
    return plane;
}

inline std::string show(const impact::PlaneContact& plane) {
    return show(impact::embed_plane(plane));
}

inline void expect_no_impulse(const impact::Solution& solution) {
    EXPECT_EQ(solution.p, Vec3::Zero());
    ASSERT_EQ(solution.path.size(), 1U);
    EXPECT_EQ(solution.path[0], impact::Mode::separating);
}

// How far Coulomb's law against the final slip is missed: p_t must stop the slip inside the cone or
// act at its limit against the slip v that is left. Relative to u_scale and |p|.
inline double coulomb_residual(const Vec3& p, const Vec3& v, double mu, double u_scale) {
    const double slip = v.head<2>().norm();
    const double limit = mu * p.z();
    const double stick = std::max(slip / u_scale, (p.head<2>().norm() - limit) / p.norm());
    if (slip == 0.0) return stick;
    const double opposed = (p.head<2>() + limit * v.head<2>() / slip).norm() / p.norm();
    return std::min(stick, opposed);
}

}  // namespace carom::tests
