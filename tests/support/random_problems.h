// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "carom/impact/law.h"
#include "carom/impact/problem.h"

namespace carom::tests {

// A small generator with a fixed algorithm, so that seeds mean the same everywhere (splitmix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    double uniform(double low = 0.0, double high = 1.0) {
        return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1.0p-53;
    }
    double log_uniform(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }
    double normal() {
        const double r = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return r * std::cos(2.0 * std::numbers::pi * uniform());
    }
    Vec3 normal3() {
        const double x = normal();
        const double y = normal();
        return {x, y, normal()};
    }
    Vec3 direction() { return normal3().normalized(); }
    Mat3 rotation() {
        const Vec3 axis = direction();
        return Eigen::AngleAxisd(uniform(0.0, 2.0 * std::numbers::pi), axis).toRotationMatrix();
    }

private:
    std::uint64_t state_;
};

// A box of random size, density and attitude, touched at a random point of it.
inline impact::BodyState random_body(Random& random) {
    impact::BodyState body;
    const double x = random.log_uniform(0.2, 2.0);
    const double y = random.log_uniform(0.2, 2.0);
    const double z = random.log_uniform(0.2, 2.0);
    const double mass = random.log_uniform(0.1, 10.0);
    const Mat3 R = random.rotation();
    const Vec3 inertia(mass * (y * y + z * z) / 12.0, mass * (z * z + x * x) / 12.0,
                       mass * (x * x + y * y) / 12.0);
    body.inverse_mass = 1.0 / mass;
    body.inverse_inertia = R * inertia.cwiseInverse().asDiagonal() * R.transpose();
    body.r = R * Vec3(x * random.uniform(-0.5, 0.5), y * random.uniform(-0.5, 0.5),
                      z * random.uniform(-0.5, 0.5));
    body.v = random.normal3();
    body.w = random.normal3();
    return body;
}

inline impact::BodyPair random_pair(Random& random) {
    impact::BodyPair pair;
    pair.normal = random.direction();
    pair.A = random_body(random);
    if (random.uniform() < 0.7) pair.B = random_body(random);
    return pair;
}

// A random approaching contact.
inline impact::Contact random_contact(Random& random) {
    impact::Contact contact = impact::make_contact(random_pair(random)).contact;
    if (contact.u.z() > 0.0) contact.u = -contact.u;
    return contact;
}

// The parameters of all laws, at random within their ranges: all but eta2, which nu stands for, and
// threshold, without which micro is always tried.
inline impact::LawParameters random_parameters(Random& random) {
    impact::LawParameters p;
    p.e = random.uniform();
    p.mu = random.uniform(0.0, 1.5);
    p.et = random.uniform(-1.0, 1.0);
    p.nu = random.uniform(0.0, 0.5);
    p.sigma = random.uniform();
    p.mu2 = random.uniform(-0.5, 0.5);
    p.mu3 = random.uniform(-0.5, 0.5);
    p.psi1 = random.uniform(0.0, std::numbers::pi);
    p.psi2 = random.uniform(0.0, 2.0 * std::numbers::pi);
    p.rho = random.uniform();
    p.P = random.normal3();
    p.termination = impact::Termination::stronge;
    p.reversal = false;
    p.fallback = impact::LawId::routh;
    return p;
}

}  // namespace carom::tests
