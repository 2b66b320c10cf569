// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Writes free_rotation.jsonl: torque-free rotations, good to 26 digits where they are unstable and
// 40 elsewhere, printed with 22. Not part of the build; needs
// libmpfr-dev. By hand:
//
//     g++ -std=c++20 -O2 free_rotation_generate.cpp -o generate -lmpfr
//     ./generate > free_rotation.jsonl
//
// Model: Euler's equations in body axes and the attitude,
//
//     I w' = (I w) x w,    q' = q w / 2    (w in body axes, q from body to world),
//
// solved by Taylor steps with 50 decimal digits. Every case is solved twice, with another order and
// another tolerance; standard error shows how far the two are apart, and how far energy and
// angular momentum drifted. Inputs are doubles taken exactly; the quaternion is normalised first.
// "sensitivity" says how many times larger a relative change of 1e-16 of the initial angular
// velocity comes out in the orientation up to that time (the larger of two directions, in long
// double; 1e15 and more means that much or anything above): a solver with rounding eps cannot do
// better than about eps times that.
#include <algorithm>
#include <array>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace mp = boost::multiprecision;
using Exact = mp::number<mp::mpfr_float_backend<50, mp::allocate_stack>, mp::et_off>;
using std::abs, std::log, std::sqrt;  // and those of Exact

struct Case {
    std::string tag;
    std::array<std::array<double, 3>, 3> inertia;
    std::array<double, 4> orientation;
    std::array<double, 3> angular_velocity;  // world
    std::vector<double> times;
};

// One case, marched by Taylor series of a fixed order, the step from the last two coefficients.
template <typename Real>
class Solver {
public:
    using Vec = std::array<Real, 3>;
    using Quat = std::array<Real, 4>;
    using Mat = std::array<Vec, 3>;
    struct State {
        Quat q;
        Vec w;  // body
    };

    static Vec times(const Mat& M, const Vec& v) {
        Vec out;
        for (std::size_t i = 0; i < 3; ++i)
            out[i] = M[i][0] * v[0] + M[i][1] * v[1] + M[i][2] * v[2];
        return out;
    }

    static Mat inverse(const Mat& M) {
        Mat adj;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3,
                                  d = (i + 2) % 3;
                adj[i][j] = M[a][c] * M[b][d] - M[a][d] * M[b][c];
            }
        }
        const Real det = M[0][0] * adj[0][0] + M[0][1] * adj[1][0] + M[0][2] * adj[2][0];
        for (Vec& row : adj) {
            for (Real& x : row)
                x /= det;
        }
        return adj;
    }

    static Mat rotation(const Quat& q) {
        const auto& [w, x, y, z] = q;
        return {Vec{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                Vec{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                Vec{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    }

    static Mat transposed(const Mat& M) {
        Mat out;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                out[i][j] = M[j][i];
        }
        return out;
    }

    Solver(const Case& problem, int order, const Real& tolerance, const Vec& change = {0, 0, 0})
        : order_(static_cast<std::size_t>(order)), tolerance_(tolerance) {
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                inertia_[i][j] = problem.inertia[i][j];
        }
        inverse_ = inverse(inertia_);
        Real norm = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            state_.q[i] = problem.orientation[i];
            norm += state_.q[i] * state_.q[i];
        }
        norm = sqrt(norm);
        for (Real& x : state_.q)
            x /= norm;
        Vec w;
        for (std::size_t i = 0; i < 3; ++i)
            w[i] = problem.angular_velocity[i] + change[i];
        state_.w = times(transposed(rotation(state_.q)), w);
        w_.resize(order_ + 1);
        L_.resize(order_ + 1);
        q_.resize(order_ + 1);
    }

    State at(double time) {
        const Real end = time;
        while (t_ < end) {
            series();
            Real size = 0;
            for (std::size_t k = order_ - 1; k <= order_; ++k) {
                Real largest = 0;
                for (const Real& x : q_[k])
                    largest = std::max<Real>(largest, abs(x));
                for (const Real& x : w_[k])
                    largest = std::max<Real>(largest, abs(x) / speed());
                const double root = -static_cast<double>(log(largest / tolerance_));
                const Real h = std::exp(root / static_cast<double>(k));
                size = k == order_ ? std::min<Real>(size, h) : h;
            }
            const bool last = t_ + size >= end;
            advance(last ? Real(end - t_) : size);
            t_ = last ? end : Real(t_ + size);
        }
        return state_;
    }

    Vec world_velocity() const { return times(rotation(state_.q), state_.w); }
    Vec world_momentum() const { return times(rotation(state_.q), times(inertia_, state_.w)); }

private:
    Real speed() const {
        const Vec& w = state_.w;
        return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }

    void series() {
        w_[0] = state_.w;
        L_[0] = times(inertia_, state_.w);
        q_[0] = state_.q;
        for (std::size_t k = 0; k < order_; ++k) {
            Vec torque{0, 0, 0};
            Quat rate{0, 0, 0, 0};
            for (std::size_t j = 0; j <= k; ++j) {
                const Vec& L = L_[j];
                const Vec& w = w_[k - j];
                const Quat& q = q_[j];
                torque[0] += L[1] * w[2] - L[2] * w[1];
                torque[1] += L[2] * w[0] - L[0] * w[2];
                torque[2] += L[0] * w[1] - L[1] * w[0];
                rate[0] -= q[1] * w[0] + q[2] * w[1] + q[3] * w[2];
                rate[1] += q[0] * w[0] + q[2] * w[2] - q[3] * w[1];
                rate[2] += q[0] * w[1] + q[3] * w[0] - q[1] * w[2];
                rate[3] += q[0] * w[2] + q[1] * w[1] - q[2] * w[0];
            }
            const Real n = static_cast<double>(k + 1);
            for (std::size_t i = 0; i < 3; ++i)
                L_[k + 1][i] = torque[i] / n;
            w_[k + 1] = times(inverse_, L_[k + 1]);
            for (std::size_t i = 0; i < 4; ++i)
                q_[k + 1][i] = rate[i] / (2 * n);
        }
    }

    void advance(const Real& h) {
        state_.w = w_[order_];
        state_.q = q_[order_];
        for (std::size_t k = order_; k-- > 0;) {
            for (std::size_t i = 0; i < 3; ++i)
                state_.w[i] = state_.w[i] * h + w_[k][i];
            for (std::size_t i = 0; i < 4; ++i)
                state_.q[i] = state_.q[i] * h + q_[k][i];
        }
    }

    std::size_t order_;
    Real tolerance_;
    Mat inertia_, inverse_;
    State state_;
    Real t_ = 0;
    std::vector<Vec> w_, L_;
    std::vector<Quat> q_;
};

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    std::array<double, 4> orientation() {
        for (;;) {
            std::array<double, 4> q{};
            double norm = 0.0;
            for (double& x : q)
                x = uniform(-1.0, 1.0);
            for (double x : q)
                norm += x * x;
            if (norm > 1.0 || norm < 0.01) continue;
            for (double& x : q)
                x /= std::sqrt(norm);
            return q;
        }
    }
    // moments of three point masses' kind: I = (b + c, c + a, a + b), always possible
    std::array<double, 3> moments() {
        const double a = uniform(0.05, 1.0), b = uniform(0.05, 1.0), c = uniform(0.05, 1.0);
        return {b + c, c + a, a + b};
    }

private:
    std::mt19937_64 engine_;
};

std::array<std::array<double, 3>, 3> matrix_in_doubles(const std::array<double, 4>& q) {
    const auto R = Solver<Exact>::rotation({q[0], q[1], q[2], q[3]});
    std::array<std::array<double, 3>, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            out[i][j] = static_cast<double>(R[i][j]);
    }
    return out;
}

// The body turns its principal axes by `axes` (identity: a diagonal inertia); w_p is the angular
// velocity along the principal axes.
Case make(const std::string& tag, Random& random, const std::array<double, 3>& moments,
          const std::array<double, 3>& w_p, bool turned, double turns) {
    Case c;
    c.tag = tag;
    c.orientation = random.orientation();
    const auto R = matrix_in_doubles(c.orientation);
    const auto P =
        matrix_in_doubles(turned ? random.orientation() : std::array{1.0, 0.0, 0.0, 0.0});
    std::array<double, 3> w_b{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            w_b[i] += P[i][j] * w_p[j];
            double sum = 0.0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += P[i][k] * moments[k] * P[j][k];
            c.inertia[i][j] = sum;
            if (j < i) c.inertia[i][j] = c.inertia[j][i];
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = i + 1; k < 3; ++k)
            c.inertia[k][i] = c.inertia[i][k];
        c.angular_velocity[i] = R[i][0] * w_b[0] + R[i][1] * w_b[1] + R[i][2] * w_b[2];
    }
    const double turn = 6.283185307179586 / std::hypot(w_p[0], w_p[1], w_p[2]);
    for (double n : {0.07, 0.5, 1.0, 3.3, 10.0, 31.7, 100.0, 317.0, 1000.0}) {
        if (n <= turns) c.times.push_back(n * turn);
    }
    return c;
}

std::vector<Case> cases() {
    Random random(20240);
    const auto any = [&](double size) {
        return std::array{random.uniform(-size, size), random.uniform(-size, size),
                          random.uniform(-size, size)};
    };
    std::vector<Case> out;
    const auto add = [&](const std::string& tag, const std::array<double, 3>& moments,
                         const std::array<double, 3>& w, double turns) {
        out.push_back(make(tag, random, moments, w, out.size() % 2 == 1, turns));
    };
    for (int i = 0; i < 10; ++i)
        add("random", random.moments(), any(5.0), i < 2 ? 1000.0 : 100.0);
    add("spherical", {0.4, 0.4, 0.4}, any(5.0), 1000.0);
    add("spherical", {0.4, 0.4, 0.4}, any(300.0), 100.0);
    for (double ratio : {0.01, 0.2, 0.7})
        add("prolate", {1.0, 1.0, ratio}, any(5.0), 100.0);
    for (double ratio : {1.3, 1.9, 2.0})
        add("oblate", {1.0, 1.0, ratio}, any(5.0), 100.0);
    add("oblate", {1.7, 1.0, 1.0}, any(5.0), 1000.0);
    for (double e : {1e-3, 1e-6, 1e-9, 1e-12}) {
        add("near_symmetric", {1.0, 1.0 + e, 0.6}, any(5.0), 100.0);
        add("near_symmetric", {0.9, 1.3, 1.3 * (1.0 - e)}, any(5.0), 100.0);
    }
    for (double e : {1e-4, 1e-10})
        add("near_spherical", {1.0, 1.0 + e, 1.0 - 2 * e}, any(5.0), 100.0);
    const std::array<double, 3> plain{0.7, 1.1, 1.5};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (double e : {0.0, 1e-12, 1e-6, 1e-2}) {
            std::array<double, 3> w{4.0 * e, -3.0 * e, 3.5 * e};
            w[axis] = 4.0;
            add("axis_" + std::to_string(axis + 1), plain, w, 100.0);
        }
    }
    // on the separatrix L^2 = 2 E I2: w1^2 I1 (I2 - I1) = w3^2 I3 (I3 - I2)
    for (double e : {0.0, 1e-14, -1e-14, 1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-4, 1e-2, -1e-2}) {
        const double w3 = 2.0 * (1.0 + e);
        const double w1 =
            2.0 * std::sqrt(plain[2] * (plain[2] - plain[1]) / (plain[0] * (plain[1] - plain[0])));
        add("separatrix", plain, {w1, 1.3, w3}, 31.7);
    }
    add("plate", {0.4, 0.7, 1.1}, any(5.0), 100.0);
    add("plate", {1e-3, 1.0, 1.001}, any(5.0), 100.0);
    add("plate", {0.5, 0.5, 1.0}, any(5.0), 100.0);
    add("needle", {1e-4, 1.0, 1.0}, any(5.0), 31.7);
    add("needle", {1e-4, 1.00001, 1.0}, any(5.0), 31.7);
    add("needle", {3e-3, 1.0, 1.002}, {300.0, 2.0, 1.0}, 100.0);
    add("small_fast", {2e-6, 3e-6, 4.5e-6}, any(500.0), 1000.0);
    return out;
}

template <typename List>
std::string numbers(const List& list) {
    std::ostringstream out;
    out.precision(22);
    const char* comma = "[";
    for (const auto& x : list) {
        out << comma << x;
        comma = ", ";
    }
    return out.str() + "]";
}

template <typename List>
std::string doubles(const List& list) {
    std::ostringstream out;
    out.precision(17);
    const char* comma = "[";
    for (double x : list) {
        out << comma << x;
        comma = ", ";
    }
    return out.str() + "]";
}

// How much larger a small change of the angular velocity comes out in the orientation.
class Sensitivity {
public:
    explicit Sensitivity(const Case& c) {
        const auto& w = c.angular_velocity;
        const long double n = 1e-16L * std::hypot(w[0], w[1], w[2]);
        const std::array<std::array<long double, 3>, 3> changes{
            {{0, 0, 0}, {0.6L * n, -0.48L * n, 0.64L * n}, {0.48L * n, 0.8L * n, -0.36L * n}}};
        for (const auto& change : changes)
            solvers_.emplace_back(c, 24, 1e-21L, change);
    }
    double at(double time) {
        const auto q = solvers_[0].at(time).q;
        for (std::size_t k = 1; k < 3; ++k) {
            const auto r = solvers_[k].at(time).q;
            for (std::size_t i = 0; i < 4; ++i)
                most_ = std::max(most_, abs(q[i] - r[i]) / 1e-16L);
        }
        return static_cast<double>(most_);
    }

private:
    std::vector<Solver<long double>> solvers_;
    long double most_ = 0.0L;
};

void solve(const Case& c) {
    Solver<Exact> fine(c, 40, Exact("1e-46"));
    Solver<Exact> check(c, 34, Exact("1e-43"));
    Sensitivity sensitivity(c);
    const auto momentum = fine.world_momentum();
    Exact apart = 0, drift = 0, scale = 0;
    for (const Exact& x : momentum)
        scale = std::max<Exact>(scale, abs(x));
    std::string line = "{\"tag\": \"" + c.tag + "\", \"inertia\": [";
    for (std::size_t i = 0; i < 3; ++i)
        line += (i > 0 ? ", " : "") + doubles(c.inertia[i]);
    line += "], \"orientation\": " + doubles(c.orientation) +
            ", \"angular_velocity\": " + doubles(c.angular_velocity) + ", \"expect\": [";
    for (std::size_t k = 0; k < c.times.size(); ++k) {
        const double t = c.times[k];
        const auto a = fine.at(t), b = check.at(t);
        for (std::size_t i = 0; i < 4; ++i)
            apart = std::max<Exact>(apart, abs(a.q[i] - b.q[i]));
        const auto now = fine.world_momentum();
        for (std::size_t i = 0; i < 3; ++i) {
            drift = std::max<Exact>(drift, abs(now[i] - momentum[i]) / scale);
        }
        std::ostringstream time, growth;
        time.precision(17);
        time << t;
        growth.precision(3);
        growth << sensitivity.at(t);
        line += std::string(k > 0 ? ", " : "") + "{\"t\": " + time.str() +
                ", \"orientation\": " + numbers(a.q) +
                ", \"angular_velocity\": " + numbers(fine.world_velocity()) +
                ", \"sensitivity\": " + growth.str() + "}";
    }
    std::cout << line << "]}" << std::endl;
    std::cerr << c.tag << ": two orders apart by " << apart.str(3) << ", momentum drift "
              << drift.str(3) << std::endl;
}

}  // namespace

int main() {
    for (const Case& c : cases())
        solve(c);
}
