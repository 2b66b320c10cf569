// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/principal_inertia.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace carom::motion {
namespace {

using Entries = std::array<DoubleDouble, 9>;

constexpr double k_asymmetry = 1e-9;
constexpr double k_triangle = 1e-9;

std::size_t at(std::size_t i, std::size_t j) {
    return 3 * i + j;
}

// One Jacobi rotation in the plane (p, q) that makes m(p, q) zero; its columns go into axes.
void rotate(Entries& m, Entries& axes, std::size_t p, std::size_t q) {
    const DoubleDouble off = m[at(p, q)];
    if (is_zero(off)) return;
    // t = tan of the smaller angle: t^2 + 2 h t - 1 = 0
    const DoubleDouble h = (m[at(q, q)] - m[at(p, p)]) / (DoubleDouble(2.0) * off);
    DoubleDouble t;
    if (std::abs(h.hi) > 1e40) {
        t = DoubleDouble(0.5) / h;
    } else {
        const DoubleDouble root = sqrt(DoubleDouble(1.0) + h * h);
        t = DoubleDouble(1.0) / (abs(h) + root);
        if (h.hi < 0.0) t = -t;
    }
    const DoubleDouble c = DoubleDouble(1.0) / sqrt(DoubleDouble(1.0) + t * t);
    const DoubleDouble s = t * c;
    m[at(p, p)] = m[at(p, p)] - t * off;
    m[at(q, q)] = m[at(q, q)] + t * off;
    m[at(p, q)] = m[at(q, p)] = DoubleDouble();
    const std::size_t k = 3 - p - q;
    const DoubleDouble kp = m[at(k, p)];
    const DoubleDouble kq = m[at(k, q)];
    m[at(k, p)] = m[at(p, k)] = c * kp - s * kq;
    m[at(k, q)] = m[at(q, k)] = s * kp + c * kq;
    for (std::size_t i = 0; i < 3; ++i) {
        const DoubleDouble ip = axes[at(i, p)];
        const DoubleDouble iq = axes[at(i, q)];
        axes[at(i, p)] = c * ip - s * iq;
        axes[at(i, q)] = s * ip + c * iq;
    }
}

void exchange(std::array<DoubleDouble, 3>& moments, Entries& axes, std::size_t p, std::size_t q) {
    if (!(moments[q] < moments[p])) return;
    std::swap(moments[p], moments[q]);
    // one sign change keeps the axes right-handed
    for (std::size_t i = 0; i < 3; ++i) {
        const DoubleDouble old = axes[at(i, p)];
        axes[at(i, p)] = axes[at(i, q)];
        axes[at(i, q)] = -old;
    }
}

void check_entries(const Mat3& inertia) {
    if (!inertia.allFinite()) {
        throw std::invalid_argument("the inertia tensor has an entry that is not a finite number");
    }
    const double size = inertia.cwiseAbs().maxCoeff();
    if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= k_asymmetry * size)) {
        throw std::invalid_argument("the inertia tensor is not symmetric: Ixy must equal Iyx");
    }
    if (!(size > 0.0) || !(inertia.diagonal().minCoeff() > 0.0)) {
        throw std::invalid_argument(
            "the inertia tensor is not positive definite: every moment must be above zero");
    }
}

}  // namespace

PrincipalInertia::PrincipalInertia(const Mat3& inertia) {
    check_entries(inertia);
    tensor_ = 0.5 * inertia + 0.5 * inertia.transpose();
    int exponent = 0;
    std::frexp(tensor_.cwiseAbs().maxCoeff(), &exponent);
    scale_ = std::ldexp(1.0, exponent);

    Entries m;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            m[at(i, j)] = std::ldexp(tensor_(static_cast<int>(i), static_cast<int>(j)), -exponent);
        }
        axes_[at(i, i)] = 1.0;
    }
    // converges quadratically: a dozen sweeps are never needed
    constexpr int k_sweeps = 12;
    constexpr double k_done = 1e-33;
    for (int i = 0; i < k_sweeps; ++i) {
        rotate(m, axes_, 0, 1);
        rotate(m, axes_, 0, 2);
        rotate(m, axes_, 1, 2);
        const double off =
            std::abs(m[at(0, 1)].hi) + std::abs(m[at(0, 2)].hi) + std::abs(m[at(1, 2)].hi);
        if (off <= k_done) break;
    }
    moments_ = {m[at(0, 0)], m[at(1, 1)], m[at(2, 2)]};
    exchange(moments_, axes_, 0, 1);
    exchange(moments_, axes_, 1, 2);
    exchange(moments_, axes_, 0, 1);

    if (!(moments_[0].hi > 0.0)) {
        throw std::invalid_argument(
            "the inertia tensor is not positive definite: every moment must be above zero");
    }
    const DoubleDouble excess = moments_[2] - moments_[0] - moments_[1];
    if (excess.hi > k_triangle * moments_[2].hi) {
        throw std::invalid_argument(
            "no mass has this inertia tensor: its largest principal moment must not exceed the sum "
            "of the other two");
    }
}

Vec3 PrincipalInertia::moments() const {
    return scale_ * Vec3(static_cast<double>(moments_[0]), static_cast<double>(moments_[1]),
                         static_cast<double>(moments_[2]));
}

Mat3 PrincipalInertia::axes() const {
    Mat3 out;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out(i, j) = static_cast<double>(
                axes_[at(static_cast<std::size_t>(i), static_cast<std::size_t>(j))]);
        }
    }
    return out;
}

}  // namespace carom::motion
