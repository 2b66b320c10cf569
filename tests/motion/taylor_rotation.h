// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>

#include "tests/motion/rotation_cases.h"

namespace carom::tests {

__extension__ typedef __float128 Quad;

// Free rotation by Taylor steps in Real: Euler's equations in body axes with a full inertia tensor,
// and the attitude quaternion. Independent of the closed forms in carom/motion.
template <class Real>
class TaylorRotation {
public:
    explicit TaylorRotation(const RotationCase& c) {
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                inertia_[i][j] = static_cast<Real>(c.inertia(int(i), int(j)));
        }
        const auto cofactor = [this](std::size_t i, std::size_t j) {
            const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, d = (j + 1) % 3, e = (j + 2) % 3;
            return inertia_[a][d] * inertia_[b][e] - inertia_[a][e] * inertia_[b][d];
        };
        const Real det = inertia_[0][0] * cofactor(0, 0) + inertia_[0][1] * cofactor(0, 1) +
                         inertia_[0][2] * cofactor(0, 2);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                inverse_[i][j] = cofactor(j, i) / det;
        }
        q_ = {Real(c.orientation.w()), Real(c.orientation.x()), Real(c.orientation.y()),
              Real(c.orientation.z())};
        unit();
        // w body = q* w q
        const Vec3& w = c.angular_velocity;
        const std::array<Real, 4> conjugate{q_[0], -q_[1], -q_[2], -q_[3]};
        const auto turned =
            product(product(conjugate, {Real(0), Real(w.x()), Real(w.y()), Real(w.z())}), q_);
        for (std::size_t i = 0; i < 3; ++i)
            momentum_[i] = inertia_[i][0] * turned[1] + inertia_[i][1] * turned[2] +
                           inertia_[i][2] * turned[3];
    }

    void step(double h) {
        std::array<std::array<Real, 3>, k_order + 1> L{}, w{};
        std::array<std::array<Real, 4>, k_order + 1> q{};
        L[0] = momentum_;
        q[0] = q_;
        for (std::size_t n = 0; n < k_order; ++n) {
            w[n] = spin(L[n]);
            std::array<Real, 3> cross{};
            std::array<Real, 4> turn{};
            for (std::size_t k = 0; k <= n; ++k) {
                for (std::size_t i = 0; i < 3; ++i) {
                    const std::size_t a = (i + 1) % 3, b = (i + 2) % 3;
                    cross[i] += L[k][a] * w[n - k][b] - L[k][b] * w[n - k][a];
                }
                const auto& v = w[n - k];
                const auto one = product(q[k], {Real(0), v[0], v[1], v[2]});
                for (std::size_t i = 0; i < 4; ++i)
                    turn[i] += one[i];
            }
            for (std::size_t i = 0; i < 3; ++i)
                L[n + 1][i] = cross[i] / Real(n + 1);
            for (std::size_t i = 0; i < 4; ++i)
                q[n + 1][i] = turn[i] / Real(2 * (n + 1));
        }
        const Real s = Real(h);
        momentum_ = L[k_order];
        q_ = q[k_order];
        for (std::size_t n = k_order; n-- > 0;) {
            for (std::size_t i = 0; i < 3; ++i)
                momentum_[i] = momentum_[i] * s + L[n][i];
            for (std::size_t i = 0; i < 4; ++i)
                q_[i] = q_[i] * s + q[n][i];
        }
        unit();
    }

    motion::Quat orientation() const {
        return {double(q_[0]), double(q_[1]), double(q_[2]), double(q_[3])};
    }
    // body axes
    Vec3 angular_velocity() const {
        const auto w = spin(momentum_);
        return {double(w[0]), double(w[1]), double(w[2])};
    }

private:
    static constexpr std::size_t k_order = sizeof(Real) > 8 && Real(1) + Real(1e-30) != Real(1)
                                               ? 30
                                               : 22;
    using Vector = std::array<Real, 3>;

    Vector spin(const Vector& L) const {
        Vector w{};
        for (std::size_t i = 0; i < 3; ++i)
            w[i] = inverse_[i][0] * L[0] + inverse_[i][1] * L[1] + inverse_[i][2] * L[2];
        return w;
    }
    static std::array<Real, 4> product(const std::array<Real, 4>& a, const std::array<Real, 4>& b) {
        return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    }
    // Newton for 1 / |q|, from a length near one
    void unit() {
        for (int i = 0; i < 3; ++i) {
            const Real square = q_[0] * q_[0] + q_[1] * q_[1] + q_[2] * q_[2] + q_[3] * q_[3];
            for (Real& c : q_)
                c *= (Real(3) - square) / Real(2);
        }
    }

    std::array<Vector, 3> inertia_{}, inverse_{};
    Vector momentum_{};
    std::array<Real, 4> q_{};
};

}  // namespace carom::tests
