// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "tests/support/random_problems.h"

// Contact problems of bodies that touch, and an independent measure of what their answers must be.
namespace carom::tests {

struct ConeScene {
    std::vector<impact::ConeBody> bodies;  // the first one is the fixed ground
    std::vector<impact::ConeContact> contacts;

    ConeScene() : bodies(1) {}

    impact::ConeReport solve(const impact::ConeSettings& settings = {2000, 1e-13}) {
        impact::ConeSolver solver;
        return solver.solve(bodies, contacts, settings);
    }
    Vec3 impulse_sum(std::uint32_t a, std::uint32_t b) const {
        Vec3 sum = Vec3::Zero();
        for (const impact::ConeContact& c : contacts)
            if (c.a == a && c.b == b) sum += c.impulse;
        return sum;
    }
};

inline impact::ConeBody cone_box(double mass, const Vec3& size, const Vec3& v) {
    impact::ConeBody body;
    body.v = v;
    body.inverse_mass = 1.0 / mass;
    const Vec3 s = size.cwiseProduct(size);
    const Vec3 inertia = mass / 12.0 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
    body.inverse_inertia_W = inertia.cwiseInverse().asDiagonal();
    return body;
}

// The four corners of the face where body a stands on b.
inline void stand_on(ConeScene& scene, std::uint32_t a, std::uint32_t b, const Vec3& size_a,
                     double height_b, double mu) {
    for (const double x : {-0.5, 0.5}) {
        for (const double y : {-0.5, 0.5}) {
            impact::ConeContact c;
            c.a = a;
            c.b = b;
            c.r_a = Vec3(x * size_a.x(), y * size_a.y(), -0.5 * size_a.z());
            c.r_b = Vec3(x * size_a.x(), y * size_a.y(), 0.5 * height_b);
            c.mu = mu;
            scene.contacts.push_back(c);
        }
    }
}

// Boxes of 0.1 m on top of each other on the ground, each moving by v, the topmost of another mass.
inline ConeScene cone_stack(std::size_t count, double mu, double top_mass, const Vec3& v) {
    ConeScene scene;
    const Vec3 size = Vec3::Constant(0.1);
    for (std::size_t i = 1; i <= count; ++i) {
        scene.bodies.push_back(cone_box(i == count ? top_mass : 1.0, size, v));
        const auto a = static_cast<std::uint32_t>(i);
        stand_on(scene, a, a - 1, size, i == 1 ? 0.0 : 0.1, mu);
    }
    return scene;
}

// Bodies in a bin on a skewed lattice: each rests on the one below and leans on two neighbours or
// the walls, at points random along random normals.
inline ConeScene cone_heap(Random& random, std::uint32_t side, std::uint32_t layers, double mu,
                           int points) {
    ConeScene scene;
    const double size = 0.1;
    const auto index = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return 1 + x + side * (y + side * z);
    };
    const auto touch = [&](std::uint32_t a, std::uint32_t b, const Vec3& along) {
        const Vec3 n = (along + 0.3 * random.normal3().cwiseMax(-1.0).cwiseMin(1.0)).normalized();
        const Vec3 e = n.cross(random.direction());
        for (int k = 0; k < points; ++k) {
            impact::ConeContact c;
            c.a = a;
            c.b = b;
            const double angle = k * 6.283185307179586 / points;
            const Vec3 off = points == 1 ? Vec3(Vec3::Zero())
                                         : Vec3(0.4 * size * std::cos(angle) * e +
                                                0.4 * size * std::sin(angle) * n.cross(e));
            c.r_a = -0.5 * size * n + off;
            c.r_b = 0.5 * size * n + off;
            c.normal = n;
            c.mu = mu;
            scene.contacts.push_back(c);
        }
    };
    for (std::uint32_t z = 0; z < layers; ++z) {
        for (std::uint32_t y = 0; y < side; ++y) {
            for (std::uint32_t x = 0; x < side; ++x) {
                const std::uint32_t a = index(x, y, z);
                scene.bodies.push_back(cone_box(random.log_uniform(0.5, 2.0), Vec3::Constant(size),
                                                Vec3(0, 0, -0.04) + 0.01 * random.normal3()));
                scene.bodies.back().w = random.normal3();
                touch(a, z == 0 ? 0 : index(x, y, z - 1), Vec3::UnitZ());
                touch(a, x == 0 ? 0 : index(x - 1, y, z), Vec3::UnitX());
                touch(a, y == 0 ? 0 : index(x, y - 1, z), Vec3::UnitY());
                if (x + 1 == side) touch(a, 0, -Vec3::UnitX());
                if (y + 1 == side) touch(a, 0, -Vec3::UnitY());
            }
        }
    }
    return scene;
}

inline Vec3 velocity_at(const std::vector<impact::ConeBody>& bodies, const impact::ConeContact& c) {
    const impact::ConeBody& a = bodies[c.a];
    const impact::ConeBody& b = bodies[c.b];
    return a.v + a.w.cross(c.r_a) - b.v - b.w.cross(c.r_b);
}

// The largest violation of any condition, each in its own terms: speed times share of the impulse.
inline double violation(const ConeScene& scene) {
    double largest = 0.0;
    for (const impact::ConeContact& c : scene.contacts)
        largest = std::max(largest, c.impulse.norm());
    double worst = 0.0;
    for (const impact::ConeContact& c : scene.contacts) {
        const Vec3 u = velocity_at(scene.bodies, c);
        const double u_z = u.dot(c.normal) - c.least;
        const Vec3 u_t = u - u.dot(c.normal) * c.normal;
        const double p_z = c.impulse.dot(c.normal);
        const Vec3 p_t = c.impulse - p_z * c.normal;
        const double share = largest > 0.0 ? 1.0 / largest : 0.0;
        worst = std::max(worst, -u_z);                               // no approach
        worst = std::max(worst, -p_z * share);                       // no pull
        worst = std::max(worst, std::abs(u_z * p_z) * share);        // one of them is zero
        worst = std::max(worst, (p_t.norm() - c.mu * p_z) * share);  // in the cone
        worst = std::max(worst, (p_t.dot(u_t) + c.mu * p_z * u_t.norm()) * share);  // against slip
    }
    return worst;
}

inline double kinetic(const std::vector<impact::ConeBody>& bodies) {
    double energy = 0.0;
    for (const impact::ConeBody& body : bodies) {
        if (body.inverse_mass == 0.0) continue;
        energy += 0.5 * body.v.squaredNorm() / body.inverse_mass;
        energy += 0.5 * body.w.dot(body.inverse_inertia_W.inverse() * body.w);
    }
    return energy;
}

}  // namespace carom::tests
