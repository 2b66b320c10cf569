// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/slip_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/motion/sphere_contact.h"

namespace carom::motion {
namespace {

using End = SlipSeries::End;

// Change of h over the last stretch, over L; the error is its square. Ten times larger loses two
// digits of the end, ten times smaller takes a few pieces more.
constexpr double k_frozen = 1e-5;
// Lag of the slip behind -h at the end of the first piece of a start without slip; the error is its
// square. Ten times larger loses two digits, ten times smaller takes three times the pieces.
constexpr double k_lag = 1e-5;
constexpr int k_slaved_steps = 32;
// How far past a limit |h| must come to have crossed it: rolling can tend to the limit of slip and
// stay there, within rounding. Half of what sphere_course.cpp calls at the limit. Ten times larger
// would cut a crossing late by as much of a turn.
constexpr double k_past_limit = 5e-13;
// Where the tail's variable stops: the slip left there moves nothing.
constexpr double k_tail_reach = 45.0;

Vec2 velocity_rate(const SlipProblem& p, const Vec2& v, const Vec2& y_rate) {
    return p.v1 + p.m * y_rate + p.n * quarter_turn(v);
}

// The start without slip: the direction of y is slaved to the pull -alpha h.
class SlavedStart {
public:
    explicit SlavedStart(const SlipProblem& problem) : p_(problem) {}

    // Empty when nothing makes y grow.
    std::optional<SlipPiece> piece();

private:
    struct Slaved {
        Vec2 d;
        double q;  // |y|
    };
    struct Look {
        Vec2 v, v_rate, y, y_rate, direction;
    };
    Look look(double tau, const Slaved& now);
    double length();
    Slaved integrate(double length);

    const SlipProblem& p_;
    Vec2 guess_ = Vec2::Zero();
};

SlavedStart::Look SlavedStart::look(double tau, const Slaved& now) {
    // v depends on y, and so on the direction, by the small |y| only
    constexpr int k_rounds = 3;
    Look out;
    for (int i = 0; i < k_rounds; ++i) {
        out.y = now.q * guess_;
        out.v = p_.velocity(tau, now.d, out.y);
        guess_ = slaved_direction(p_, out.v, now.q);
    }
    const Vec2 h = p_.needed(out.v);
    out.direction = guess_;
    out.y_rate = -p_.alpha * h - p_.friction_at(h) * guess_;
    out.v_rate = velocity_rate(p_, out.v, out.y_rate);
    return out;
}

// |y| = gain tau + growth tau^2 / 2 until the lag is k_lag.
double SlavedStart::length() {
    const Look first = look(0.0, {Vec2::Zero(), 0.0});
    const double gain = std::max(0.0, first.y_rate.dot(first.direction));
    const double steeper =
        -first.direction.dot(p_.turn_rate * quarter_turn(first.v_rate));  // d|h|/dt
    const double share = p_.alpha + (p_.capped ? 1.0 / (1.0 + p_.kappa) : 0.0);
    const double growth = std::max(0.0, share * steeper);
    const double target = k_lag * p_.alpha * p_.needed(first.v).norm() / std::abs(p_.turn_rate);
    const double root = std::sqrt(gain * gain + 2.0 * growth * target);
    return gain + root > 0.0 ? 2.0 * target / (gain + root) : k_never;
}

// Runge and Kutta's fourth order.
SlavedStart::Slaved SlavedStart::integrate(double length) {
    const auto rate = [&](double tau, const Slaved& state) {
        const Look now = look(tau, state);
        return Slaved{now.v, now.y_rate.dot(now.direction)};
    };
    const auto moved = [](const Slaved& a, const Slaved& b, double x) {
        return Slaved{a.d + x * b.d, std::max(0.0, a.q + x * b.q)};
    };
    const double h = length / k_slaved_steps;
    Slaved now{Vec2::Zero(), 0.0};
    for (int i = 0; i < k_slaved_steps; ++i) {
        const double tau = h * i;
        const Slaved k1 = rate(tau, now);
        const Slaved k2 = rate(tau + 0.5 * h, moved(now, k1, 0.5 * h));
        const Slaved k3 = rate(tau + 0.5 * h, moved(now, k2, 0.5 * h));
        const Slaved k4 = rate(tau + h, moved(now, k3, h));
        const Slaved sum{k1.d + 2.0 * (k2.d + k3.d) + k4.d, k1.q + 2.0 * (k2.q + k3.q) + k4.q};
        now = moved(now, sum, h / 6.0);
    }
    return now;
}

// Hermite: value and two derivatives of d, value and one of y, at both ends.
std::optional<SlipPiece> SlavedStart::piece() {
    guess_ = -p_.needed(p_.velocity(0.0, Vec2::Zero(), Vec2::Zero())).normalized();
    const double T = std::min(length(), p_.longest);
    if (T == k_never) return std::nullopt;
    const Look first = look(0.0, {Vec2::Zero(), 0.0});
    const Slaved end = integrate(T);
    const Look last = look(T, end);
    SlipPiece piece;
    piece.length = T;
    piece.series.d.fill(Vec2::Zero());
    piece.series.y.fill(Vec2::Zero());
    piece.series.t[1] = 1.0;
    const Vec2 D = end.d - T * (first.v + 0.5 * T * first.v_rate);
    const Vec2 V = (last.v - first.v - T * first.v_rate) * T;
    const Vec2 A = (last.v_rate - first.v_rate) * (T * T);
    const double T3 = T * T * T;
    piece.series.d[1] = first.v;
    piece.series.d[2] = 0.5 * first.v_rate;
    piece.series.d[3] = (10.0 * D - 4.0 * V + 0.5 * A) / T3;
    piece.series.d[4] = (-15.0 * D + 7.0 * V - A) / (T3 * T);
    piece.series.d[5] = (6.0 * D - 3.0 * V + 0.5 * A) / (T3 * T * T);
    const Vec2 Y = last.y - T * first.y_rate;
    const Vec2 R = (last.y_rate - first.y_rate) * T;
    piece.series.y[1] = first.y_rate;
    piece.series.y[2] = (3.0 * Y - R) / (T * T);
    piece.series.y[3] = (R - 2.0 * Y) / T3;
    return piece;
}

// Makes the pieces, one after the other.
class Builder {
public:
    explicit Builder(const SlipProblem& problem) : p_(problem), y_(problem.y) {}

    SlipPieces run();

private:
    void add_piece();
    bool make_tail();
    bool cut_at_limit(SlipPiece& piece) const;
    void take(const SlipPiece& piece);
    double size_of_h(const SlipPiece& piece, double x) const;

    const SlipProblem& p_;
    SlipPieces out_;
    double s_ = 0.0, tau_ = 0.0;
    Vec2 d_ = Vec2::Zero(), y_;
};

// Between samples a polynomial departs from them by at most the sum of its derivative's terms.
void Builder::take(const SlipPiece& piece) {
    constexpr int k_samples = 8;
    double y_most = 0.0, v_most = 0.0, y_rate = 0.0, v_rate = 0.0;
    double power = 1.0;
    for (std::size_t k = 1; k <= SlipSeries::k_order; ++k) {
        power *= piece.length;
        const double y_k = piece.series.y[k].norm();
        const double scale = static_cast<double>(k) * power;
        y_rate += scale * y_k;
        v_rate += scale * (std::abs(piece.series.t[k]) * p_.v1.norm() + p_.m * y_k +
                           std::abs(p_.n) * piece.series.d[k].norm());
    }
    for (int i = 0; i <= k_samples; ++i) {
        const double x = piece.length * i / k_samples;
        const Vec2 y = power_sum(piece.series.y, x);
        const Vec2 v = p_.velocity(piece.time(x), power_sum(piece.series.d, x), y);
        y_most = std::max(y_most, y.norm());
        v_most = std::max(v_most, v.norm());
    }
    out_.y_max = std::max(out_.y_max, y_most + 0.5 * y_rate / k_samples);
    out_.speed_max = std::max(out_.speed_max, v_most + 0.5 * v_rate / k_samples);
    s_ = piece.start + piece.length;
    tau_ = piece.time(piece.length);
    d_ = power_sum(piece.series.d, piece.length);
    y_ = power_sum(piece.series.y, piece.length);
    out_.pieces.push_back(piece);
}

double Builder::size_of_h(const SlipPiece& piece, double x) const {
    const Vec2 d = power_sum(piece.series.d, x);
    return p_.needed(p_.velocity(piece.time(x), d, power_sum(piece.series.y, x))).norm();
}

// Shortens a piece to where |h| first comes to a limit.
bool Builder::cut_at_limit(SlipPiece& piece) const {
    constexpr int k_samples = 8;
    constexpr int k_bisections = 60;
    double first = k_never;
    for (const double side : {1.0, -1.0}) {
        const std::optional<double>& level = side > 0.0 ? p_.above : p_.below;
        if (!level) continue;
        const double past = k_past_limit * *level;
        const auto beyond = [&](double x) { return side * (size_of_h(piece, x) - *level) - past; };
        double low = 0.0;
        double at_low = beyond(low);
        for (int i = 1; i <= k_samples; ++i) {
            double high = piece.length * i / k_samples;
            const double at_high = beyond(high);
            // a start on the limit, or past it by rounding, that comes back is no crossing
            if (at_high > 0.0 && at_high > at_low) {
                for (int k = 0; k < k_bisections && at_low <= 0.0; ++k) {
                    const double middle = 0.5 * (low + high);
                    (beyond(middle) > 0.0 ? high : low) = middle;
                }
                first = std::min(first, at_low > 0.0 ? 0.0 : high);
                break;
            }
            low = high;
            at_low = at_high;
        }
    }
    if (first == k_never) return false;
    piece.length = first;
    return true;
}

// Whether what is left is short enough for h to be frozen; then the tail is made.
bool Builder::make_tail() {
    const Vec2 v = p_.velocity(tau_, d_, y_);
    const Vec2 h = p_.needed(v);
    const double L = p_.friction_at(h);
    const double pull = p_.alpha * h.norm();
    if (!(pull < L)) return false;
    const double left = y_.norm() / (L - pull);
    const Vec2 drift = p_.v1 + p_.n * quarter_turn(v);
    const double turn = std::abs(p_.turn_rate) * left;
    if (!(turn * (drift.norm() + p_.m * (L + pull)) <= k_frozen * L) || !(turn <= k_frozen)) {
        return false;
    }
    // h in the middle: v there, with y fallen by half
    const Vec2 middle = p_.needed(v + 0.5 * left * drift - 0.5 * p_.m * y_);
    const double size = middle.norm();
    const Vec2 axis = size > 0.0 ? Vec2(-middle / size) : Vec2(y_.normalized());
    const Hodograph u({axis.dot(y_), quarter_turn(axis).dot(y_)}, p_.alpha * size,
                      p_.friction_at(middle));
    if (!(u.end() < k_never)) return false;
    const double last = k_tail_reach / (u.friction() - u.pull());
    out_.tail = SlipTail{tau_, s_, d_, v, y_, axis, drift, u, last};
    return true;
}

void Builder::add_piece() {
    SlipPiece piece;
    piece.start = s_;
    piece.series = slip_taylor(p_, tau_, d_, y_);
    piece.length = slip_reach(p_, piece.series);
    if (cut_at_limit(piece)) out_.end = End::limit;
    const bool too_late = piece.time(piece.length) >= p_.longest;
    if (too_late) {
        out_.end = End::length;
        piece.length = piece.offset_at(p_.longest);
    }
    take(piece);
    if (too_late) tau_ = p_.longest;
}

SlipPieces Builder::run() {
    if (y_.isZero(0.0)) {
        const auto first = SlavedStart(p_).piece();
        if (!first) {
            out_.end = End::limit;
            out_.pieces.emplace_back();
            return std::move(out_);
        }
        take(*first);
    }
    while (out_.end != End::limit && tau_ < p_.longest &&
           out_.pieces.size() < SlipSeries::k_most_pieces && !make_tail())
        add_piece();
    out_.length = tau_;
    if (out_.tail) {
        const double end = out_.tail->start_time + out_.tail->u.end();
        out_.end = end <= p_.longest ? End::stopped : End::length;
        out_.length = std::min(end, p_.longest);
        // |y| falls, and v changes with it and by the drift
        const double y_first = out_.tail->y.norm();
        out_.y_max = std::max(out_.y_max, y_first);
        out_.speed_max =
            std::max(out_.speed_max, out_.tail->v.norm() + 2.0 * p_.m * y_first +
                                         2.0 * out_.tail->u.end() * out_.tail->drift.norm());
    }
    return std::move(out_);
}

}  // namespace

Vec2 slaved_direction(const SlipProblem& p, const Vec2& v, double q) {
    const Vec2 h = p.needed(v);
    const Vec2 a = -p.alpha * h;
    const double size = a.norm();
    const Vec2 along = a / size;
    const Vec2 v_rate = velocity_rate(p, v, a - p.friction_at(h) * along);
    const Vec2 a_rate = -p.alpha * p.turn_rate * quarter_turn(v_rate);
    const double lag = q * quarter_turn(along).dot(a_rate) / (size * size);
    return (along - lag * quarter_turn(along)).normalized();
}

SlipPieces make_slip_pieces(const SlipProblem& problem) {
    return Builder(problem).run();
}

}  // namespace carom::motion
