// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The plane algorithm of 001 section 5, followed step by step on two-dimensional bodies, against
// the library's closed form and its three-dimensional integration of the same bodies.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "carom/impact/planar.h"
#include "carom/impact/routh.h"
#include "tests/support/random_problems.h"

namespace carom::impact {
namespace {

// 001 section 5.1: everything in the xy plane, positive angular velocity anticlockwise.
struct FlatBody {
    double inverse_mass = 0.0;
    double inverse_inertia = 0.0;
    Vec2 r = Vec2::Zero();
    Vec2 v = Vec2::Zero();
    double w = 0.0;
};

struct FlatPair {
    Vec2 f;  // unit normal on A
    FlatBody A, B;
};

Vec2 quarter_turn(const Vec2& r) {
    return {-r.y(), r.x()};
}

// Step 1: the rotation that takes f to (0, 1).
Mat2 step_1_rotation(const Vec2& f) {
    Mat2 R;
    R << f.y(), -f.x(), f.x(), f.y();
    return R;
}

// Step 2: collision matrix and separation velocity, with the bodies already turned.
struct FlatContact {
    Mat2 K;
    Vec2 u;
};

FlatContact step_2_contact(const FlatPair& pair) {
    FlatContact contact;
    contact.u =
        pair.A.v + pair.A.w * quarter_turn(pair.A.r) - pair.B.v - pair.B.w * quarter_turn(pair.B.r);
    contact.K = (pair.A.inverse_mass + pair.B.inverse_mass) * Mat2::Identity();
    for (const FlatBody* body : {&pair.A, &pair.B}) {
        const Vec2 q = quarter_turn(body->r);
        contact.K += body->inverse_inertia * q * q.transpose();
    }
    return contact;
}

// Steps 3 to 9: the impulse. Index 0 is the tangent, 1 the normal.
Vec2 steps_3_to_9(const FlatContact& contact, double e, double mu) {
    const Mat2& K = contact.K;
    Vec2 u = contact.u;
    Vec2 k = Vec2::Zero();
    double Wc = 0.0;
    double Wd = 0.0;
    bool at_origin = u.x() == 0.0;
    if (!at_origin) {
        k = K * Vec2(u.x() > 0.0 ? -mu : mu, 1.0);
        const bool converging = u.x() > 0.0 ? k.x() < 0.0 : k.x() > 0.0;
        if (converging) {  // step 4
            const double u_origin = u.y() - k.y() / k.x() * u.x();
            if (u_origin >= -e * u.y()) {
                u = Vec2(u.x() - (1.0 + e) * k.x() / k.y() * u.y(), -e * u.y());
                return K.inverse() * (u - contact.u);
            }
            if (u_origin <= 0.0) {
                Wc = -u.x() * u.y() / k.x() + k.y() * u.x() * u.x() / (2.0 * k.x() * k.x());
            } else {
                Wc = -u.y() * u.y() / (2.0 * k.y());
                Wd = u_origin * u_origin / (2.0 * k.y());
            }
            u = Vec2(0.0, u_origin);
            at_origin = true;
        }
    }
    if (at_origin) {  // steps 5 to 7
        if (std::abs(K(0, 1)) <= mu * K(0, 0)) {
            k = Vec2(0.0, 1.0 / K.inverse()(1, 1));
        } else {
            k = K * Vec2(-mu, 1.0);
            if (k.x() <= 0.0) k = K * Vec2(mu, 1.0);
        }
    }
    const double u_old = u.y();  // step 8
    double uy = u.y();
    if (uy < 0.0) {
        Wc -= uy * uy / (2.0 * k.y());
        uy = 0.0;
    }
    uy = std::sqrt(2.0 * k.y() * (-e * e * Wc - Wd) + uy * uy);
    u = Vec2(u.x() + k.x() / k.y() * (uy - u_old), uy);
    return K.inverse() * (u - contact.u);
}

// Steps 1 to 10: the bodies after.
FlatPair resolve_flat(FlatPair pair, double e, double mu) {
    const Mat2 R = step_1_rotation(pair.f);
    for (FlatBody* body : {&pair.A, &pair.B}) {
        body->r = R * body->r;
        body->v = R * body->v;
    }
    const Vec2 p = steps_3_to_9(step_2_contact(pair), e, mu);
    pair.A.v += pair.A.inverse_mass * p;
    pair.A.w += pair.A.inverse_inertia * quarter_turn(pair.A.r).dot(p);
    pair.B.v -= pair.B.inverse_mass * p;
    pair.B.w -= pair.B.inverse_inertia * quarter_turn(pair.B.r).dot(p);
    for (FlatBody* body : {&pair.A, &pair.B}) {
        body->r = R.transpose() * body->r;
        body->v = R.transpose() * body->v;
    }
    return pair;
}

FlatBody random_flat_body(tests::Random& random) {
    FlatBody body;
    body.inverse_mass = random.log_uniform(0.2, 5.0);
    body.inverse_inertia = random.log_uniform(0.5, 50.0);
    body.r = Vec2(random.normal(), random.normal());
    body.v = Vec2(random.normal(), random.normal());
    body.w = random.normal();
    return body;
}

FlatPair random_flat_pair(tests::Random& random) {
    FlatPair pair;
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
    pair.f = Vec2(std::cos(angle), std::sin(angle));
    pair.A = random_flat_body(random);
    if (random.uniform() < 0.5) pair.B = random_flat_body(random);
    return pair;
}

BodyState in_space(const FlatBody& body) {
    BodyState state;
    state.inverse_mass = body.inverse_mass;
    state.inverse_inertia = Vec3(1.3, 0.7, 1.0).asDiagonal() * body.inverse_inertia;
    state.r = Vec3(body.r.x(), body.r.y(), 0.0);
    state.v = Vec3(body.v.x(), body.v.y(), 0.0);
    state.w = Vec3(0.0, 0.0, body.w);
    return state;
}

BodyPair in_space(const FlatPair& pair) {
    return {Vec3(pair.f.x(), pair.f.y(), 0.0), in_space(pair.A), in_space(pair.B)};
}

double distance(const FlatBody& flat, const BodyState& state) {
    const BodyState other = in_space(flat);
    return (other.v - state.v).norm() + (other.w - state.w).norm();
}

TEST(PlanarAlgorithm, RotationTakesTheNormalUp) {
    const Vec2 f(0.6, -0.8);
    EXPECT_LT((step_1_rotation(f) * f - Vec2(0.0, 1.0)).norm(), 1e-15);
    EXPECT_NEAR(step_1_rotation(f).determinant(), 1.0, 1e-15);
}

TEST(PlanarAlgorithm, PositiveAngularVelocityIsAnticlockwise) {
    // 001 section 5.1: the point (1, 0) of a body with w > 0 about the origin sets out along +y.
    EXPECT_EQ(quarter_turn(Vec2(1.0, 0.0)), Vec2(0.0, 1.0));
    BodyPair pair;
    pair.normal = Vec3::UnitZ();
    pair.A.inverse_mass = 1.0;
    pair.A.inverse_inertia = Mat3::Identity();
    pair.A.r = Vec3(1.0, 0.0, 0.0);
    pair.A.w = Vec3(0.0, 0.0, 1.0);
    EXPECT_EQ(make_contact(pair).contact.u, Vec3(0.0, 1.0, 0.0));
}

TEST(PlanarAlgorithm, EqualsTheLibraryInTheContactPlane) {
    tests::Random random(52);
    int collisions = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        FlatPair pair = random_flat_pair(random);
        pair.f = Vec2(0.0, 1.0);
        const FlatContact flat = step_2_contact(pair);
        if (flat.u.y() >= 0.0) continue;
        ++collisions;
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const PlaneContact plane{flat.K(0, 0), flat.K(0, 1), flat.K(1, 1), flat.u.x(), flat.u.y()};
        const Vec2 literal = steps_3_to_9(flat, e, mu);
        const Vec3 p(literal.x(), 0.0, literal.y());
        EXPECT_LT((planar(plane, {e, mu}).p - p).norm(), 1e-10 * p.norm()) << trial;
        EXPECT_LT((routh(embed_plane(plane), {e, mu}).p - p).norm(), 1e-10 * p.norm()) << trial;
    }
    EXPECT_GT(collisions, 400);
}

TEST(PlanarAlgorithm, EqualsTheLibraryOnBodiesInSpace) {
    // The same bodies in the xy plane of the world, spinning about z, solved in three dimensions.
    tests::Random random(510);
    int collisions = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const FlatPair pair = random_flat_pair(random);
        const BodyPair world = in_space(pair);
        const FramedContact framed = make_contact(world);
        if (framed.contact.u.z() >= 0.0) continue;
        ++collisions;
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = routh(framed.contact, {e, mu}).p;
        const BodyPair after = apply_impulse(world, framed.R_CW.transpose() * p);
        const FlatPair flat = resolve_flat(pair, e, mu);
        const double scale = 1.0 + after.A.v.norm() + after.A.w.norm() + after.B.w.norm();
        EXPECT_LT(distance(flat.A, after.A), 1e-9 * scale) << trial;
        EXPECT_LT(distance(flat.B, after.B), 1e-9 * scale) << trial;
    }
    EXPECT_GT(collisions, 400);
}

TEST(PlanarAlgorithm, ExactStartWithoutSlip) {
    // Step 3a: ux = 0 goes straight to the question of stick; both answers.
    for (const double Kxz : {0.1, 0.9, -0.9}) {
        const PlaneContact plane{1.0, Kxz, 1.0, 0.0, -1.0};
        FlatContact flat;
        flat.K << 1.0, Kxz, Kxz, 1.0;
        flat.u = Vec2(0.0, -1.0);
        const Vec2 literal = steps_3_to_9(flat, 0.5, 0.3);
        const Vec3 p = planar(plane, {0.5, 0.3}).p;
        EXPECT_NEAR(p.x(), literal.x(), 1e-14);
        EXPECT_NEAR(p.z(), literal.y(), 1e-14);
        EXPECT_EQ(planar(plane, {0.5, 0.3}).path[0],
                  std::abs(Kxz) <= 0.3 ? Mode::stick : Mode::ray);
    }
}

}  // namespace
}  // namespace carom::impact
