// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/integrated.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "carom/motion/dormand_prince.h"

namespace carom::motion {
namespace {

// c, v, q (x, y, z, w), w
using Vector = Eigen::Matrix<double, 13, 1>;

class Integrator {
public:
    Integrator(double mass, const PrincipalInertia* inertia, const std::vector<ForceField>& fields,
               const IntegrationTolerances& tolerances)
        : mass_(mass), fields_(fields), tolerances_(tolerances), turns_(inertia != nullptr) {
        if (inertia == nullptr) return;
        tensor_ = inertia->tensor();
        const Mat3 axes = inertia->axes();
        inverse_ = axes * inertia->moments().cwiseInverse().asDiagonal() * axes.transpose();
    }

    std::vector<DensePiece> run(const State& state, double t0, double t1);

private:
    struct Step {
        Vector change;  // over the step
        Vector rate;    // at its end
        double error;   // over the tolerance
    };

    State state_of(const Vector& y) const;
    Vector rate_of(const Vector& y) const;
    Step try_step(const Vector& y, const Vector& rate, double h) const;
    Knot knot_of(const Vector& y, const Vector& rate) const;
    double defect(const DensePiece& piece) const;
    double over_tolerance(const Vector& error, const Vector& y, const Vector& change) const;
    double first_step(const Vector& y, const Vector& rate, double span) const;
    void bound_work(std::size_t tried, double done, double left);

    double mass_;
    const std::vector<ForceField>& fields_;
    IntegrationTolerances tolerances_;
    bool turns_;
    Mat3 tensor_ = Mat3::Identity();
    Mat3 inverse_ = Mat3::Identity();
    // what errors are measured against: the largest so far
    double length_ = 0.0, speed_ = 0.0, spin_ = 0.0;
    double done_before_ = 0.0;  // s, when the work was last looked at
};

State Integrator::state_of(const Vector& y) const {
    const Eigen::Vector4d q = y.segment<4>(6).normalized();
    return {y.segment<3>(0), Quat(q), y.segment<3>(3), y.segment<3>(10)};
}

Vector Integrator::rate_of(const Vector& y) const {
    const State state = state_of(y);
    const Wrench wrench = total_wrench(fields_, mass_, state);
    Vector rate = Vector::Zero();
    rate.segment<3>(0) = state.velocity;
    rate.segment<3>(3) = wrench.force / mass_;
    if (turns_) {
        const Quat& q = state.orientation;
        const Vec3 w = q.conjugate() * state.angular_velocity;
        const Vec3 torque = q.conjugate() * wrench.torque;
        const Vec3& spin = state.angular_velocity;
        const Eigen::Vector4d turned = y.segment<4>(6);
        rate.segment<4>(6) =
            0.5 * (Quat(0.0, spin.x(), spin.y(), spin.z()) * Quat(turned)).coeffs();
        rate.segment<3>(10) = q * (inverse_ * (torque - w.cross(tensor_ * w)));
    }
    return rate;
}

double Integrator::over_tolerance(const Vector& error, const Vector& y,
                                  const Vector& change) const {
    const auto ratio = [&](int first, int size, double scale) {
        const double e = error.segment(first, size).norm();
        const double moved = change.segment(first, size).norm();
        const double floor = 8.0 * k_ulp * y.segment(first, size).norm();
        const double allowed = tolerances_.relative * (scale + moved) + floor;
        return e == 0.0 ? 0.0 : e / allowed;
    };
    const double linear = std::max(ratio(0, 3, length_), ratio(3, 3, speed_));
    return turns_ ? std::max({linear, ratio(6, 4, 1.0), ratio(10, 3, spin_)}) : linear;
}

Integrator::Step Integrator::try_step(const Vector& y, const Vector& rate, double h) const {
    std::array<Vector, 7> k;
    k[0] = rate;
    Step step;
    for (std::size_t i = 0; i < 6; ++i) {
        Vector sum = Vector::Zero();
        for (std::size_t j = 0; j <= i; ++j)
            sum += dormand_prince::k_stage[i][j] * k[j];
        step.change = h * sum;
        k[i + 1] = rate_of(y + step.change);
    }
    step.rate = k[6];
    Vector error = Vector::Zero();
    for (std::size_t i = 0; i < 7; ++i)
        error += h * dormand_prince::k_error[i] * k[i];
    step.error = over_tolerance(error, y, step.change);
    if (!step.change.allFinite() || !step.rate.allFinite()) {
        step.error = std::numeric_limits<double>::infinity();
    }
    return step;
}

Knot Integrator::knot_of(const Vector& y, const Vector& rate) const {
    Knot knot;
    knot.c = y.segment<3>(0);
    knot.v = y.segment<3>(3);
    knot.a = rate.segment<3>(3);
    knot.q = y.segment<4>(6);
    knot.q_rate = rate.segment<4>(6);
    // q'' = w' q / 2 - |w|^2 q / 4
    const Vec3 spin = y.segment<3>(10);
    const Vec3 spin_rate = rate.segment<3>(10);
    knot.q_rate2 =
        0.5 * (Quat(0.0, spin_rate.x(), spin_rate.y(), spin_rate.z()) * Quat(knot.q)).coeffs() -
        0.25 * spin.squaredNorm() * knot.q;
    return knot;
}

// How far the quintics are from the equations of motion in the middle of the step, as the errors
// of position and velocity that belong to it: theirs is K s^3 (1 - s)^3.
double Integrator::defect(const DensePiece& piece) const {
    constexpr double k_allowed = 30.0;
    const double h = piece.length();
    const double middle = piece.start() + 0.5 * h;
    const State state = piece.at(middle);
    Vector y;
    y << state.position, state.velocity, state.orientation.coeffs(), state.angular_velocity;
    const Vector rate = rate_of(y);
    const Knot true_knot = knot_of(y, rate);
    Vector error = Vector::Zero();
    const Vec3 linear = piece.acceleration_at(middle) - true_knot.a;
    error.segment<3>(0) = h * h / 24.0 * linear;
    error.segment<3>(3) = h / 7.0 * linear;
    const Eigen::Vector4d angular = piece.quaternion_rate2_at(middle) - true_knot.q_rate2;
    error.segment<4>(6) = h * h / 24.0 * angular;
    error.segment<3>(10) = 2.0 * h / 7.0 * angular.head<3>();
    // rounding of the quintic's second derivative is no defect
    const double rounding = 64.0 * k_ulp * y.segment<4>(6).norm() / (h * h);
    if (turns_ && angular.norm() <= rounding) error.tail<7>().setZero();
    return over_tolerance(error, y, h * rate) / k_allowed;
}

double Integrator::first_step(const Vector& y, const Vector& rate, double span) const {
    // a hundredth of the time in which the rates change by themselves; a rate that happens to be
    // next to nothing must not make it vanish
    constexpr double k_least = 1e-8;
    const Vector probe = rate_of(y + 1e-6 * span * rate);
    double fastest = 1.0 / span;
    const auto look = [&](int first) {
        const double size = rate.segment<3>(first).norm();
        const double change = (probe - rate).segment<3>(first).norm() / (1e-6 * span);
        if (size > 0.0 && std::isfinite(change)) fastest = std::max(fastest, change / size);
    };
    look(0);
    look(3);
    look(10);
    fastest = std::max(fastest, y.segment<3>(10).norm());
    return std::clamp(0.01 / fastest, k_least * span, span);
}

// Gives up when the motion takes too many steps, or soon will have: under a stiff force the steps
// of an explicit method stay as short as they are. done, left: s of the motion.
void Integrator::bound_work(std::size_t tried, double done, double left) {
    const std::size_t look = std::max<std::size_t>(1, tolerances_.most_steps / 50);
    if (tried % look != 0) return;
    const double step = (done - done_before_) / static_cast<double>(look);
    done_before_ = done;
    const double needed = static_cast<double>(tried) + (left > 0.0 ? left / step : 0.0);
    const auto most = static_cast<double>(tolerances_.most_steps);
    if (tried < tolerances_.most_steps && needed <= 10.0 * most) return;
    throw std::invalid_argument("the motion needs more than " +
                                std::to_string(tolerances_.most_steps) +
                                " steps: ask for a shorter time or softer forces (less stiffness "
                                "and damping, or a larger mass)");
}

std::vector<DensePiece> Integrator::run(const State& state, double t0, double t1) {
    Vector y;
    y << state.position, state.velocity, state.orientation.normalized().coeffs(),
        state.angular_velocity;
    const Vec3 origin = state.position;
    Vector rate = rate_of(y);
    if (!rate.allFinite()) {
        throw std::invalid_argument("the force at the start of the motion is not finite");
    }
    speed_ = state.velocity.norm();
    spin_ = state.angular_velocity.norm();
    std::vector<DensePiece> pieces;
    double t = t0;
    double h = first_step(y, rate, t1 - t0);
    std::size_t tried = 0;
    while (t < t1) {
        bound_work(++tried, t - t0, t1 - t);
        double next = t + h;
        // no sliver at the end
        if (next + 0.1 * h >= t1) next = t1;
        h = next - t;
        if (!(h > 8.0 * k_ulp * std::max(std::abs(t0), std::abs(t1)))) {
            throw std::invalid_argument(
                "the forces are too strong to follow at t = " + std::to_string(t) +
                ": a central field was hit, or a force is too stiff");
        }
        const Step step = try_step(y, rate, h);
        double error = step.error;
        if (error <= 1.0) {
            Vector after = y + step.change;
            after.segment<4>(6).normalize();
            const Vector after_rate = rate_of(after);
            const DensePiece piece(t, h, knot_of(y, rate), knot_of(after, after_rate),
                                   step.change.segment<3>(0));
            error = std::max(error, defect(piece));
            if (error <= 1.0) {
                pieces.push_back(piece);
                y = after;
                rate = after_rate;
                t = next;
                length_ = std::max(length_, (y.segment<3>(0) - origin).norm());
                speed_ = std::max(speed_, y.segment<3>(3).norm());
                spin_ = std::max(spin_, y.segment<3>(10).norm());
            }
        }
        const double factor = error > 0.0 ? 0.9 * std::pow(error, -0.2) : 5.0;
        h *= std::isfinite(factor) ? std::clamp(factor, 0.2, 5.0) : 0.2;
    }
    return pieces;
}

void check(const State& state, double mass, double t0, double t1,
           const IntegrationTolerances& tolerances) {
    if (!state.position.allFinite() || !state.velocity.allFinite() ||
        !state.orientation.coeffs().allFinite() || !state.angular_velocity.allFinite()) {
        throw std::invalid_argument("the state at the start has a component that is not finite");
    }
    if (!(state.orientation.coeffs().norm() > 0.0)) {
        throw std::invalid_argument("the orientation is zero: give a unit quaternion");
    }
    if (!std::isfinite(mass) || !(mass > 0.0)) {
        throw std::invalid_argument("the mass must be a finite number above zero");
    }
    if (!std::isfinite(t0) || !std::isfinite(t1) || !(t1 > t0)) {
        throw std::invalid_argument("the end time must be finite and after the start time");
    }
    if (!(tolerances.relative >= 1e-15) || !(tolerances.relative <= 1e-2)) {
        throw std::invalid_argument("the relative tolerance must be between 1e-15 and 1e-2");
    }
}

}  // namespace

Integrated::Integrated(std::vector<DensePiece> pieces, double end)
    : pieces_(std::make_shared<const std::vector<DensePiece>>(std::move(pieces))), end_(end) {}

Integrated Integrated::body(const State& state, double mass, const PrincipalInertia& inertia,
                            const std::vector<ForceField>& fields, double t0, double t1,
                            const IntegrationTolerances& tolerances) {
    check(state, mass, t0, t1, tolerances);
    check_fields(fields);
    return {Integrator(mass, &inertia, fields, tolerances).run(state, t0, t1), t1};
}

Integrated Integrated::particle(const Vec3& position, const Vec3& velocity, double mass,
                                const std::vector<ForceField>& fields, double t0, double t1,
                                const IntegrationTolerances& tolerances) {
    const State state{position, Quat::Identity(), velocity, Vec3::Zero()};
    check(state, mass, t0, t1, tolerances);
    check_fields(fields);
    return {Integrator(mass, nullptr, fields, tolerances).run(state, t0, t1), t1};
}

double Integrated::start_time() const {
    return pieces_->front().start();
}

double Integrated::end_of(std::size_t index) const {
    return index + 1 < pieces_->size() ? (*pieces_)[index + 1].start() : end_;
}

std::size_t Integrated::index_at(double t) const {
    const double slack = 4.0 * k_ulp * std::max(std::abs(start_time()), std::abs(end_));
    if (!(t >= start_time() - slack) || !(t <= end_ + slack)) {
        throw std::invalid_argument("time " + std::to_string(t) +
                                    " is outside the integrated motion, which runs from " +
                                    std::to_string(start_time()) + " to " + std::to_string(end_));
    }
    const auto after =
        std::upper_bound(pieces_->begin() + 1, pieces_->end(), t,
                         [](double time, const DensePiece& piece) { return time < piece.start(); });
    return static_cast<std::size_t>(after - pieces_->begin()) - 1;
}

}  // namespace carom::motion
