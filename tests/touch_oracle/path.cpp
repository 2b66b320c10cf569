// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "path.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace touch_oracle {

namespace {

Matrix matrix(const Inertia& I) {
    Matrix M;
    for (std::size_t i = 0; i < 3; ++i)
        M.rows[i] = Vec(Vec3(I[i][0], I[i][1], I[i][2]));
    return M;
}

// Principal moments and axes by Jacobi's rotations, with 113 bits: of a needle's smallest moment
// rounding would leave little.
struct Principal {
    std::array<Quad, 3> moment;
    QuatR axes;  // from principal axes to body axes
};
Principal principal(const Inertia& inertia) {
    std::array<std::array<Quad, 3>, 3> M{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            M[i][j] = Quad(inertia[i][j]);
    }
    Quaternion<Quad> axes{1, 0, 0, 0};
    for (std::size_t sweep = 0; sweep < 60; ++sweep) {
        const std::size_t p = sweep % 3, q = (p + 1) % 3;
        const Quad small = Quad(1e-40L) * (M[p][p] + M[q][q]);
        if (M[p][q] <= small && M[p][q] >= -small) continue;
        const Quad half = (M[q][q] - M[p][p]) / (2 * M[p][q]);
        const Quad root = square_root(half * half + 1);
        const Quad t = half < 0 ? 1 / (half - root) : 1 / (half + root);
        const Quad c = 1 / square_root(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < 3; ++k) {
            const Quad x = M[k][p], y = M[k][q];
            M[k][p] = c * x - s * y;
            M[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const Quad x = M[p][k], y = M[q][k];
            M[p][k] = c * x - s * y;
            M[q][k] = s * x + c * y;
        }
        M[p][q] = M[q][p] = 0;
        // the same rotation as a quaternion, about the third axis
        const Quad w = square_root((1 + c) / 2), v = -s / (2 * w);
        axes = axes * Quaternion<Quad>{w, p == 1 ? v : 0, p == 2 ? v : 0, p == 0 ? v : 0};
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(M[i][i] > 0)) throw std::invalid_argument("the inertia must be positive definite");
    }
    return {{M[0][0], M[1][1], M[2][2]},
            QuatR{Real(axes.w), Real(axes.x), Real(axes.y), Real(axes.z)}.unit()};
}

bool is_multiple_of_unit(const Inertia& I) {
    return I[0][0] == I[1][1] && I[1][1] == I[2][2] && I[0][1] == 0.0 && I[0][2] == 0.0 &&
           I[1][2] == 0.0;
}

bool is_round_about_z(const Inertia& I) {
    return I[0][0] == I[1][1] && I[0][1] == 0.0 && I[0][2] == 0.0 && I[1][2] == 0.0;
}

}  // namespace

FreeRotation::FreeRotation(const Inertia& inertia, const QuatR& orientation,
                           const Vec& angular_velocity) {
    const Principal p = principal(inertia);
    axes_ = p.axes;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        moment_[i] = Real(p.moment[i]);
        coupling_[i] = Real((p.moment[j] - p.moment[k]) / p.moment[i]);
    }
    const QuatR q = (orientation.unit() * axes_).unit();
    const Vec w = Matrix::of(q).back(angular_velocity);
    bound(w);
    add_step(0.0L, q, w);
}

// The largest |w|^2 = x + y + z (x = w1^2, ...) with sum I x = 2E, sum I^2 x = L^2, x >= 0: a
// linear program, whose best corner has one of x, y, z zero. The change of w along axis 1 is (I2 -
// I3) / I1 w2 w3, and so on, hence at most f |w|^2 / sqrt 3 with f the largest such ratio.
void FreeRotation::bound(const Vec& start) {
    const std::array<Real, 3>& I = moment_;
    const std::array<Real, 3> w{start.x, start.y, start.z};
    Real energy = 0.0L, momentum = 0.0L, square = start.dot(start), ratio = 0.0L;
    for (std::size_t i = 0; i < 3; ++i) {
        energy += I[i] * w[i] * w[i];
        momentum += I[i] * w[i] * I[i] * w[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        ratio = std::max(ratio, std::abs(coupling_[i]));
        if (std::abs(I[j] - I[k]) < 1e-9L * I[j]) continue;
        const Real xk = (momentum - I[j] * energy) / (I[k] * (I[k] - I[j]));
        const Real xj = (momentum - I[k] * energy) / (I[j] * (I[j] - I[k]));
        if (xj >= 0.0L && xk >= 0.0L) square = std::max(square, xj + xk);
    }
    square *= 1.0L + 1e-6L;
    most_speed_ = std::sqrt(square);
    most_acceleration_ = square * (1.0L + ratio / std::sqrt(3.0L));
}

void FreeRotation::add_step(Real start, const QuatR& q, const Vec& w) {
    Step& step = steps_.emplace_back();
    step.start = start;
    step.q[0] = q.unit();
    step.w[0] = w;
    for (std::size_t k = 0; k < k_order; ++k) {
        Vec products;
        QuatR rate{0.0L, 0.0L, 0.0L, 0.0L};
        for (std::size_t j = 0; j <= k; ++j) {
            const Vec &u = step.w[j], &v = step.w[k - j];
            products += Vec(u.y * v.z, u.z * v.x, u.x * v.y);
            const QuatR r = step.q[j] * QuatR{0.0L, v.x, v.y, v.z};
            rate = {rate.w + r.w, rate.x + r.x, rate.y + r.y, rate.z + r.z};
        }
        const Real n = 1.0L / static_cast<Real>(k + 1);
        step.w[k + 1] =
            Vec(coupling_[0] * products.x, coupling_[1] * products.y, coupling_[2] * products.z) *
            n;
        step.q[k + 1] = {rate.w * n / 2, rate.x * n / 2, rate.y * n / 2, rate.z * n / 2};
    }
    Real size = std::numeric_limits<Real>::infinity();
    for (std::size_t k = k_order - 1; k <= k_order; ++k) {
        const Real speed = w.norm();
        const Real last =
            std::max(step.q[k].norm(), speed > 0.0L ? step.w[k].norm() / speed : 0.0L);
        if (last > 0.0L) size = std::min(size, std::pow(1e-21L / last, 1.0L / Real(k)));
    }
    // so that the next step starts just where this one ends
    step.size = std::isfinite(size) ? (start + size) - start : size;
}

FreeRotation::State FreeRotation::at(Real t) {
    for (;;) {
        const Step& step =
            t >= steps_.back().start
                ? steps_.back()
                : *(std::upper_bound(steps_.begin(), steps_.end(), t,
                                     [](Real x, const Step& s) { return x < s.start; }) -
                    1);
        const bool beyond = t > step.start + step.size;
        const Real h = beyond ? step.size : t - step.start;
        QuatR q = step.q[k_order];
        Vec w = step.w[k_order];
        for (std::size_t k = k_order; k-- > 0;) {
            const QuatR& c = step.q[k];
            q = {q.w * h + c.w, q.x * h + c.x, q.y * h + c.y, q.z * h + c.z};
            w = w * h + step.w[k];
        }
        if (!beyond) {
            q = q.unit();
            return {q * axes_.conjugate(), Matrix::of(q) * w};
        }
        add_step(step.start + step.size, q, w);
    }
}

Path::Path(const Motion& motion, const Core& core)
    : orientation_(to_real(motion.orientation).unit()),
      velocity_(motion.velocity),
      steady_(motion.angular_velocity) {
    if (!(to_real(motion.orientation).norm() > 0.0L)) {
        throw std::invalid_argument("the orientation must not be zero");
    }
    if (core.is_plane()) {
        if (!motion.fixed || motion.velocity.norm() > 0.0 || motion.angular_velocity.norm() > 0.0) {
            throw std::invalid_argument("a plane must be fixed and at rest");
        }
    }
    if (!motion.fixed) {
        offset_ = -Vec(motion.centre_of_mass);
        gravity_ = Vec(motion.gravity);
    }
    centre_ = Vec(motion.position) - Matrix::of(orientation_) * offset_;
    if (core.is_plane()) return;
    reach_ = core.reach(-offset_);
    const bool on_axis = offset_.x == 0.0L && offset_.y == 0.0L;
    if (reach_ == 0.0L) {
        steady_ = Vec();
    } else if (!motion.fixed && !is_multiple_of_unit(motion.inertia)) {
        if (core.is_round() && on_axis && is_round_about_z(motion.inertia)) {
            const Matrix R = Matrix::of(orientation_);
            steady_ = R * (matrix(motion.inertia) * R.back(steady_));
            steady_ = steady_ * (1.0L / Real(motion.inertia[0][0]));
        } else if (steady_.norm() > 0.0L) {
            tumbling_.emplace_back(motion.inertia, orientation_, steady_);
        }
    }
    if (tumbling_.empty()) {
        most_speed_ = steady_.norm() * reach_;
        most_acceleration_ = steady_.dot(steady_) * reach_;
    } else {
        most_speed_ = tumbling_[0].most_speed() * reach_;
        most_acceleration_ = tumbling_[0].most_acceleration() * reach_;
    }
}

Path::State Path::at(Real t) {
    State state;
    QuatR q;
    if (tumbling_.empty()) {
        q = (turned_by(steady_ * t) * orientation_).unit();
        state.angular_velocity = steady_;
    } else {
        const FreeRotation::State turned = tumbling_[0].at(t);
        q = turned.orientation;
        state.angular_velocity = turned.angular_velocity;
    }
    state.centre = centre_ + velocity_ * t + gravity_ * (t * t / 2);
    state.velocity = velocity_ + gravity_ * t;
    state.place.R = Matrix::of(q);
    state.place.p = state.centre + state.place.R * offset_;
    return state;
}

Moved moved(const Motion& motion, double t) {
    const QuatR start = to_real(motion.orientation).unit();
    const Vec w(motion.angular_velocity), v(motion.velocity);
    const Real time = Real(t);
    if (motion.fixed) {
        return {(turned_by(w * time) * start).unit(), Vec(motion.position) + v * time, v, w};
    }
    const auto turned = FreeRotation(motion.inertia, start, w).at(time);
    const Vec offset(motion.centre_of_mass), g(motion.gravity);
    const Vec centre =
        Vec(motion.position) + Matrix::of(start) * offset + v * time + g * (time * time / 2);
    return {turned.orientation, centre - Matrix::of(turned.orientation) * offset, v + g * time,
            turned.angular_velocity};
}

}  // namespace touch_oracle
