// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// How long one state of a motion takes, and how much faster the asymmetric free rotation is than
// the same closed form evaluated with Boost's Jacobi functions and integral of the third kind.
// Everything in one run:
//     build/release/bench/bench_motion

#include <benchmark/benchmark.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "carom/motion/bounds.h"
#include "carom/motion/motion.h"

namespace {

using namespace carom;
using motion::Attitude;
using motion::FreeRotation;
using motion::Quat;

// Free rotation about the axis of the largest moment with library functions: m by sn, cn, dn, and
// the azimuth of the third axis about L, psi' = a_3 + (e - a_3) / (1 - m_3^2), by Pi(n, phi, k).
class BoostRotation {
public:
    // Principal axes along world axes at t = 0, moments ascending, w_1 > 0, w_3 > 0.
    BoostRotation(const Vec3& moments, const Vec3& w) {
        const Vec3 L = moments.cwiseProduct(w);
        const Vec3 m = L.normalized();
        a_ = L.norm() * moments.cwiseInverse();
        const double alpha = a_.y() - a_.z();
        const double beta = a_.x() - a_.y();
        const double d = alpha * m.z() * m.z() - beta * m.x() * m.x();
        const double g = alpha - d;
        lambda_ = std::sqrt(alpha * (beta + d));
        k_ = std::sqrt(beta * g) / lambda_;
        S_ = std::sqrt(g / (alpha + beta));
        M_ = std::sqrt(g / alpha);
        R_ = std::sqrt((beta + d) / (alpha + beta));
        n_ = -R_ * R_ * k_ * k_ / (S_ * S_);
        weight_ = g / (S_ * S_ * lambda_);
        quarter_ = boost::math::ellint_1(k_);
        full_pi_ = 4.0 * boost::math::ellint_3(k_, n_);
        const double phi = std::atan2(m.y() / M_, m.x() / S_);
        u0_ = boost::math::ellint_1(k_, phi);
        start_ = weight_ * boost::math::ellint_3(k_, n_, phi);
        frame_ = (along(0.0)).conjugate();
    }

    Attitude at(double t) const {
        const Quat q = frame_ * along(t);
        return {q, q * a_.cwiseProduct(m_)};
    }

private:
    Quat along(double t) const {
        const double u = u0_ + lambda_ * t;
        const double whole = std::rint(u / (4.0 * quarter_));
        double cn = 0.0, dn = 0.0;
        const double sn = boost::math::jacobi_elliptic(k_, u - 4.0 * quarter_ * whole, &cn, &dn);
        m_ = Vec3(S_ * cn, M_ * sn, R_ * dn);
        const double pi = boost::math::ellint_3(k_, n_, std::atan2(sn, cn)) + whole * full_pi_;
        const double psi = a_.z() * t + weight_ * pi - start_;
        // rows: the third axis's direction across L, L x that, L
        const double rho = std::hypot(m_.x(), m_.y());
        Mat3 turn;
        turn.row(0) = (Vec3::UnitZ() - m_.z() * m_).transpose() / rho;
        turn.row(1) = Vec3(m_.y(), -m_.x(), 0.0).transpose() / rho;
        turn.row(2) = m_.transpose();
        return Quat(Eigen::AngleAxisd(psi, Vec3::UnitZ())) * Quat(turn);
    }

    Vec3 a_;
    double lambda_, k_, S_, M_, R_, n_, weight_, quarter_, full_pi_, u0_, start_;
    Quat frame_;
    mutable Vec3 m_;
};

const Vec3 k_spin(0.8, -1.3, 2.1);

FreeRotation rotation_of(const Vec3& moments, const Vec3& w) {
    return {Mat3(moments.asDiagonal()), Quat::Identity(), w, 0.0};
}

// Times over a minute of tumbling, in no order.
const std::vector<double>& times() {
    static std::vector<double> set;
    for (std::size_t i = 0; set.size() < 1024; ++i)
        set.push_back(60.0 * std::fmod(static_cast<double>(i) * std::numbers::phi, 1.0));
    return set;
}

template <class Rotation>
void run_at(benchmark::State& state, const Rotation& rotation) {
    const std::vector<double>& t = times();
    std::size_t i = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(rotation.at(t[i++ % t.size()]));
}

void run_setup(benchmark::State& state, const Vec3& moments) {
    const motion::PrincipalInertia inertia{Mat3(moments.asDiagonal())};
    for (auto _ : state)
        benchmark::DoNotOptimize(FreeRotation(inertia, Quat::Identity(), k_spin, 0.0));
}

void run_principal(benchmark::State& state) {
    const Quat q = Quat(1.0, 2.0, 3.0, 4.0).normalized();
    const Mat3 axes = q.toRotationMatrix();
    const Mat3 made = axes * Vec3(1.0, 1.4, 2.0).asDiagonal() * axes.transpose();
    const Mat3 tensor = 0.5 * (made + made.transpose());
    for (auto _ : state)
        benchmark::DoNotOptimize(motion::PrincipalInertia(tensor));
}

void run_integrated(benchmark::State& state) {
    const motion::State start{{1, 0, 0}, Quat::Identity(), {0, 1, 0}, k_spin};
    const auto way = motion::Integrated::body(
        start, 1.0, motion::PrincipalInertia(Mat3(Vec3(1.0, 1.4, 2.0).asDiagonal())),
        {motion::Drag{0.1, 0.1, 0.1}}, 0.0, 60.0);
    state.counters["pieces"] = static_cast<double>(way.pieces().size());
    const std::vector<double>& t = times();
    std::size_t i = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(way.at(t[i++ % t.size()]));
}

void run_bound(benchmark::State& state) {
    const motion::State start{{1, 0, 0}, Quat::Identity(), {0, 1, 0}, k_spin};
    const motion::Motion m =
        motion::Ballistic(start, motion::PrincipalInertia(Mat3(Vec3(1.0, 1.4, 2.0).asDiagonal())),
                          {0, 0, -9.81}, 0.0);
    const std::vector<double>& t = times();
    std::size_t i = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(displacement_bound(m, t[i++ % t.size()], 0.01, 0.5));
}

// Remembers the times to print the ratio at the end.
class RatioReporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            times_[run.benchmark_name()] = run.GetAdjustedCPUTime();
        ConsoleReporter::ReportRuns(runs);
    }
    void Finalize() override {
        std::printf("\nasymmetric: %.1f times faster than with Boost's functions\n",
                    times_["at/asymmetric_by_boost"] / times_["at/asymmetric"]);
    }

private:
    std::map<std::string, double> times_;
};

}  // namespace

int main(int argc, char** argv) {
    const Vec3 body(1.0, 1.4, 2.0);
    const Vec3 w(0.8, 1.3, 2.1);
    const FreeRotation spherical = rotation_of({1, 1, 1}, k_spin);
    const FreeRotation symmetric = rotation_of({1, 1, 1.6}, k_spin);
    const FreeRotation asymmetric = rotation_of(body, w);
    const FreeRotation separatrix = rotation_of({2.0, 4.0, 4.5}, {3.0, 1.0, 4.0001});
    const BoostRotation by_boost(body, w);
    // both must say the same before they are compared
    for (const double t : times()) {
        const Attitude ours = asymmetric.at(t);
        const Attitude theirs = by_boost.at(t);
        const double apart = (ours.orientation.conjugate() * theirs.orientation).vec().norm();
        if (!(apart < 1e-9)) {
            std::fprintf(stderr, "the baseline disagrees by %g at t = %g\n", apart, t);
            return 1;
        }
    }
    const auto add = [](const char* name, auto run) { benchmark::RegisterBenchmark(name, run); };
    add("at/spherical", [&](benchmark::State& s) { run_at(s, spherical); });
    add("at/symmetric", [&](benchmark::State& s) { run_at(s, symmetric); });
    add("at/asymmetric", [&](benchmark::State& s) { run_at(s, asymmetric); });
    add("at/near_separatrix", [&](benchmark::State& s) { run_at(s, separatrix); });
    add("at/asymmetric_by_boost", [&](benchmark::State& s) { run_at(s, by_boost); });
    add("at/integrated", run_integrated);
    add("setup/principal_inertia", run_principal);
    add("setup/symmetric", [](benchmark::State& s) { run_setup(s, {1, 1, 1.6}); });
    add("setup/asymmetric", [](benchmark::State& s) { run_setup(s, {1, 1.4, 2}); });
    add("bounds/displacement", run_bound);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return 0;
}
