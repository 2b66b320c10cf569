// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/attitude_track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/motion/comparisons.h"
#include "tests/motion/rotation_cases.h"

namespace carom::tests {
namespace {

using motion::AttitudeTrack;
using motion::Quat;

Quat turn(const Vec3& axis, double angle) {
    const Vec3 v = std::sin(0.5 * angle) * axis;
    return {std::cos(0.5 * angle), v.x(), v.y(), v.z()};
}

double apart(const Quat& a, const Quat& b) {
    return 2.0 * (a.conjugate() * b).vec().norm();
}

// An angular velocity that turns steadily about z: seen from axes that turn with it, it is steady,
// so that q = Rot(z, nu t) Rot(w - nu z, t) q0.
struct Turning {
    Vec3 w;
    double nu;

    void operator()(double s, AttitudeTrack::Series& out) const {
        double c = std::cos(nu * s);
        double d = std::sin(nu * s);
        double power = 1.0;
        for (std::size_t k = 0; k < AttitudeTrack::k_order; ++k) {
            const double z = k == 0 ? w.z() : 0.0;
            out.w[k] =
                power * Vec3(c * w.x() - d * w.y(), d * w.x() + c * w.y(), 0.0) + Vec3(0.0, 0.0, z);
            // the next derivative: a quarter turn, times nu / (k + 1)
            const double next = -d;
            d = c;
            c = next;
            power *= nu / static_cast<double>(k + 1);
        }
        out.degree = AttitudeTrack::k_order - 1;
        out.reach = k_inf;
    }
    Quat at(double t, const Quat& first) const {
        const Vec3 inner = w - Vec3(0.0, 0.0, nu);
        return turn(Vec3::UnitZ(), nu * t) * turn(inner.normalized(), inner.norm() * t) * first;
    }
};

TEST(AttitudeTrack, FollowsAPrecession) {
    Random random(641);
    for (int i = 0; i < 30; ++i) {
        const Turning source{random_vector(random, 20.0), random.uniform(-3.0, 3.0)};
        const Quat first = random_orientation(random);
        const AttitudeTrack track(first);
        for (const double t : {0.0, 0.01, 1.0, 10.0})
            EXPECT_LE(apart(track.at(t, source), source.at(t, first)), 1e-13 * (1.0 + 20.0 * t));
    }
}

// The answer does not depend on what was asked before.
TEST(AttitudeTrack, ForgetsTheOrderOfQuestions) {
    const Turning source{Vec3(3.0, -40.0, 5.0), 2.0};
    const Quat first(0.5, 0.5, -0.5, 0.5);
    const AttitudeTrack forward(first);
    const AttitudeTrack backward(first);
    std::vector<Quat> seen;
    for (int i = 0; i <= 50; ++i)
        seen.push_back(forward.at(0.1 * i, source));
    for (int i = 50; i >= 0; --i) {
        EXPECT_EQ(backward.at(0.1 * i, source).coeffs(),
                  seen[static_cast<std::size_t>(i)].coeffs());
    }
}

TEST(AttitudeTrack, RefusesToTurnForEver) {
    const Turning source{Vec3(1e9, 0.0, 0.0), 1.0};
    const AttitudeTrack track(Quat::Identity());
    EXPECT_THROW(track.at(1.0, source), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
