// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tests/physics/reference.h"

namespace carom::tests {

// A rigid polygon in the plane of x and z above a level floor, from one event to the next: an
// independent reference for what is planar. The angle q is about y, so that it leans to +x. Its
// corners may be round, with a radius about the points given. Contact is at one corner at most,
// which sticks or slides by Coulomb's law; an impact is Routh's with Stronge's restitution, which
// is a sequence of straight phases here.
class Planar {
public:
    using Y = Flow<6>::Y;  // x, z, q and their rates
    enum class Kind { flight, slide, stick };
    struct Impact {
        double t;
        std::size_t corner;
        double approach;  // m/s
        double lost;      // J
    };

    Planar(double m, double I, std::vector<Eigen::Vector2d> corners, double mu, double e,
           const Y& start, double radius = 0.0)
        : m_(m),
          I_(I),
          mu_(mu),
          e_(e),
          radius_(radius),
          corners_(std::move(corners)),
          flow_([this](const Y& y) { return rate(y); }, start) {}
    Planar(const Planar&) = delete;
    Planar& operator=(const Planar&) = delete;
    ~Planar() = default;

    // The corner touches at the start.
    void touch(std::size_t corner) { begin(corner); }

    // To the next impact or change of contact, or to the end.
    enum class Next { end, change, impact };
    Next next(double end) {
        if (!flow_.until([this](const Y& y) { return margin(y); }, end)) return Next::end;
        const std::size_t low = lowest(flow_.y);
        if (gap(flow_.y, low) <= 1e-13 && velocity(flow_.y, low).y() < 0.0) {
            hit(low);
            return Next::impact;
        }
        change();
        return Next::change;
    }
    // To the next impact, true, or to the end.
    bool go(double end) {
        Next what = next(end);
        while (what == Next::change)
            what = next(end);
        return what == Next::impact;
    }

    const Y& y() const { return flow_.y; }
    double t() const { return flow_.t; }
    Kind kind() const { return kind_; }
    std::size_t corner() const { return corner_; }
    double slip() const { return velocity(flow_.y, corner_).x(); }
    double normal_force() const { return force(flow_.y).y(); }
    // Of the normal force in what the corner that slides is accelerated by; Painleve's paradoxes
    // are where it is not above zero.
    double stiffness(const Y& y) const {
        const Eigen::Vector2d r = foot(y, corner_);
        return 1.0 / m_ + r.x() * (r.x() + mu_ * direction_ * r.y()) / I_;
    }
    double energy() const {
        const Y& y = flow_.y;
        return 0.5 * m_ * (y[3] * y[3] + y[4] * y[4]) + 0.5 * I_ * y[5] * y[5] + m_ * k_g * y[1];
    }
    const std::vector<Impact>& impacts() const { return impacts_; }

    // The impulse (along x and z) of one impact at the arm r, and what is left of u.
    Eigen::Vector2d impulse(const Eigen::Vector2d& r, Eigen::Vector2d u) const {
        const double K_t = 1.0 / m_ + r.y() * r.y() / I_, K_n = 1.0 / m_ + r.x() * r.x() / I_;
        const double K_x = -r.x() * r.y() / I_;
        Eigen::Vector2d p(0.0, 0.0);
        double compressed = 0.0, restored = 0.0;
        for (int phase = 0; phase < 20; ++phase) {
            double along = u.x() == 0.0 ? 0.0 : (u.x() > 0.0 ? -mu_ : mu_);
            if (u.x() == 0.0)
                along = std::abs(K_x / K_t) <= mu_ ? -K_x / K_t : (K_x > 0.0 ? -mu_ : mu_);
            const double a_t = K_t * along + K_x, a_n = K_n + K_x * along;
            const double infinite = std::numeric_limits<double>::infinity();
            const double slip_ends = u.x() * a_t < 0.0 ? -u.x() / a_t : infinite;
            const bool compression = u.y() < 0.0 || (u.y() == 0.0 && a_n < 0.0);
            const double missing = e_ * e_ * compressed - restored;
            if (!compression && missing <= 1e-15 * compressed) break;
            const double ends =
                compression
                    ? (a_n > 0.0 ? -u.y() / a_n : infinite)
                    : 2.0 * missing / (u.y() + std::sqrt(u.y() * u.y() + 2.0 * a_n * missing));
            const double by = std::min(slip_ends, ends);
            const double work = u.y() * by + 0.5 * a_n * by * by;
            (compression ? compressed : restored) += compression ? -work : work;
            p += by * Eigen::Vector2d(along, 1.0);
            u += by * Eigen::Vector2d(a_t, a_n);
            if (slip_ends <= ends) u.x() = 0.0;
            if (ends <= slip_ends) {
                if (!compression) break;
                u.y() = 0.0;
            }
        }
        return p;
    }

private:
    static constexpr double k_g = 9.81;

    Eigen::Vector2d arm(const Y& y, std::size_t k) const {
        const double c = std::cos(y[2]), s = std::sin(y[2]);
        const Eigen::Vector2d& b = corners_[k];
        return {b.x() * c + b.y() * s, -b.x() * s + b.y() * c};
    }
    // To where it touches.
    Eigen::Vector2d foot(const Y& y, std::size_t k) const {
        return arm(y, k) - Eigen::Vector2d(0.0, radius_);
    }
    double gap(const Y& y, std::size_t k) const { return y[1] + foot(y, k).y(); }
    Eigen::Vector2d velocity(const Y& y, std::size_t k) const {
        const Eigen::Vector2d r = foot(y, k);
        return {y[3] + y[5] * r.y(), y[4] - y[5] * r.x()};
    }
    std::size_t lowest(const Y& y) const {
        std::size_t low = kind_ != Kind::flight && corner_ == 0 ? 1 : 0;
        for (std::size_t k = 0; k < corners_.size(); ++k) {
            if (kind_ != Kind::flight && k == corner_) continue;
            if (gap(y, k) < gap(y, low)) low = k;
        }
        return low;
    }

    // At the corner in touch.
    Eigen::Vector2d force(const Y& y) const {
        if (kind_ == Kind::flight) return {0.0, 0.0};
        const Eigen::Vector2d r = foot(y, corner_), centre = arm(y, corner_);
        const double w2 = y[5] * y[5];
        const double K_t = 1.0 / m_ + r.y() * r.y() / I_, K_n = 1.0 / m_ + r.x() * r.x() / I_;
        const double K_x = -r.x() * r.y() / I_;
        const Eigen::Vector2d free(-w2 * centre.x(),
                                   -k_g - w2 * centre.y());  // acceleration without it
        if (kind_ == Kind::slide) {
            const double N = -free.y() / (K_n - mu_ * direction_ * K_x);
            return {-mu_ * direction_ * N, N};
        }
        const double det = K_t * K_n - K_x * K_x;
        return {(-K_n * free.x() + K_x * free.y()) / det, (K_x * free.x() - K_t * free.y()) / det};
    }
    Y rate(const Y& y) const {
        const Eigen::Vector2d f = force(y);
        const Eigen::Vector2d r = foot(y, corner_);
        return {
            y[3], y[4], y[5], f.x() / m_, f.y() / m_ - k_g, (r.y() * f.x() - r.x() * f.y()) / I_};
    }

    // Falls to zero where something changes.
    double margin(const Y& y) const {
        const std::size_t low = lowest(y);
        double least = velocity(y, low).y() < 0.0 ? gap(y, low) : 1.0;
        if (kind_ == Kind::flight) return least;
        const Eigen::Vector2d f = force(y);
        least = std::min(least, f.y() / (m_ * k_g));
        if (kind_ == Kind::stick) return std::min(least, mu_ * f.y() - std::abs(f.x()));
        if (mu_ == 0.0) return least;
        return std::min(least, direction_ * velocity(y, corner_).x());
    }
    void change() {
        const Eigen::Vector2d f = force(flow_.y);
        if (f.y() <= 1e-9 * m_ * k_g) {
            kind_ = Kind::flight;
        } else if (kind_ == Kind::stick) {
            kind_ = Kind::slide;
            direction_ = f.x() > 0.0 ? -1.0 : 1.0;
        } else {
            stop();
        }
        restart();
    }
    // The slip has come to its end: it sticks if the cone allows it, else it goes on.
    void stop() {
        kind_ = Kind::stick;
        const Eigen::Vector2d f = force(flow_.y);
        if (std::abs(f.x()) <= mu_ * f.y()) return;
        kind_ = Kind::slide;
        direction_ = f.x() > 0.0 ? -1.0 : 1.0;
    }
    void begin(std::size_t corner) {
        corner_ = corner;
        const double u = velocity(flow_.y, corner).x();
        if (std::abs(u) < 1e-13) {
            stop();
        } else {
            kind_ = Kind::slide;
            direction_ = u > 0.0 ? 1.0 : -1.0;
        }
        restart();
    }
    void hit(std::size_t corner) {
        const double before = energy();
        const Eigen::Vector2d u = velocity(flow_.y, corner);
        const Eigen::Vector2d r = foot(flow_.y, corner);
        const Eigen::Vector2d p = impulse(r, u);
        Y& y = flow_.y;
        y[3] += p.x() / m_;
        y[4] += p.y() / m_;
        y[5] += (r.y() * p.x() - r.x() * p.y()) / I_;
        impacts_.push_back({flow_.t, corner, -u.y(), before - energy()});
        kind_ = Kind::flight;
        if (e_ == 0.0) begin(corner);
        restart();
    }
    void restart() {
        flow_.follow([this](const Y& y) { return rate(y); });
    }

    double m_, I_, mu_, e_, radius_;
    std::vector<Eigen::Vector2d> corners_;
    Kind kind_ = Kind::flight;
    std::size_t corner_ = 0;
    double direction_ = 1.0;
    std::vector<Impact> impacts_;
    Flow<6> flow_;
};

}  // namespace carom::tests
