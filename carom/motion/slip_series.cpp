// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/slip_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/math/bracket.h"
#include "carom/motion/slip_pieces.h"
#include "carom/motion/sphere_contact.h"

namespace carom::motion {
namespace {

constexpr std::size_t k_order = SlipSeries::k_order;
// The last terms of a series over what it describes. Ten times larger makes pieces an eighth
// longer and loses a digit of the last.
constexpr double k_last_term = 1e-17;
// Of a piece's length: this near to its end a point is at its end. Ten times larger costs no digit
// yet; a hundred times smaller would be rounding.
constexpr double k_joint = 1e-11;

// |a| as a series, one coefficient at a time; a[0] must not vanish.
class NormSeries {
public:
    double next(const SlipTaylor::Vectors& a, std::size_t k) {
        double square = 0.0;
        for (std::size_t j = 0; j <= k; ++j)
            square += a[j].dot(a[k - j]);
        if (k == 0) return norm_[0] = std::sqrt(square);
        for (std::size_t j = 1; j < k; ++j)
            square -= norm_[j] * norm_[k - j];
        return norm_[k] = 0.5 * square / norm_[0];
    }
    double operator[](std::size_t k) const { return norm_[k]; }

private:
    SlipTaylor::Scalars norm_{};
};

double reach_of(double last, double before_last, double scale) {
    const auto one = [&](double size, std::size_t k) {
        return size > 0.0 ? std::pow(k_last_term * scale / size, 1.0 / static_cast<double>(k))
                          : k_never;
    };
    return std::min(one(last, k_order), one(before_last, k_order - 1));
}

// The coefficients about x.
template <class Coefficients>
void shift(Coefficients& a, double x) {
    for (std::size_t first = 0; first < k_order; ++first) {
        for (std::size_t k = k_order; k-- > first;)
            a[k] += x * a[k + 1];
    }
}

const SlipPiece& piece_at(const SlipPieces& all, double tau) {
    const auto after = std::upper_bound(
        all.pieces.begin() + 1, all.pieces.end(), tau,
        [](double time, const SlipPiece& piece) { return time < piece.series.t[0]; });
    return *(after - 1);
}

bool in_tail(const SlipPieces& all, double tau) {
    return all.tail && tau >= all.tail->start_time;
}

}  // namespace

Vec2 SlipProblem::velocity(double tau, const Vec2& d, const Vec2& y_now) const {
    return v0 + tau * v1 + m * y_now + n * quarter_turn(d);
}

Vec2 SlipProblem::needed(const Vec2& v) const {
    return turn_rate * quarter_turn(v) - g;
}

double SlipProblem::friction_at(const Vec2& h) const {
    return capped ? std::max(0.0, slip_limit - h.norm()) / (1.0 + kappa) : friction;
}

SlipTaylor slip_taylor(const SlipProblem& p, double tau, const Vec2& d, const Vec2& y) {
    SlipTaylor out;
    out.t[0] = tau;
    out.d[0] = d;
    out.y[0] = y;
    SlipTaylor::Vectors v, h;
    NormSeries q, size_h;
    SlipTaylor::Scalars L{};
    for (std::size_t k = 0; k < k_order; ++k) {
        q.next(out.y, k);
        v[k] = p.v1 * out.t[k] + p.m * out.y[k] + p.n * quarter_turn(out.d[k]);
        if (k == 0) v[k] += p.v0;
        h[k] = p.turn_rate * quarter_turn(v[k]);
        if (k == 0) h[k] -= p.g;
        if (p.capped) {
            L[k] = ((k == 0 ? p.slip_limit : 0.0) - size_h.next(h, k)) / (1.0 + p.kappa);
        } else if (k == 0) {
            L[0] = p.friction;
        }
        Vec2 d_rate = Vec2::Zero();
        Vec2 y_rate = Vec2::Zero();
        for (std::size_t j = 0; j <= k; ++j) {
            d_rate += q[j] * v[k - j];
            y_rate -= p.alpha * q[j] * h[k - j];
        }
        for (std::size_t j = 0; j <= (p.capped ? k : 0); ++j)
            y_rate -= L[j] * out.y[k - j];
        const double scale = 1.0 / static_cast<double>(k + 1);
        out.t[k + 1] = q[k] * scale;
        out.d[k + 1] = d_rate * scale;
        out.y[k + 1] = y_rate * scale;
    }
    return out;
}

// The last terms against the slip itself, and against what slip and speed do in the time in which
// they change.
double slip_reach(const SlipProblem& p, const SlipTaylor& series) {
    const double q = series.t[1];
    const Vec2 v = p.velocity(series.t[0], series.d[0], series.y[0]);
    const Vec2 h = p.needed(v);
    const double rate = p.alpha * h.norm() + p.friction_at(h) + std::abs(p.turn_rate) * q;
    const double speed = v.norm() + q;
    const auto last = [&](const SlipTaylor::Vectors& a, double scale) {
        return reach_of(a[k_order].norm(), a[k_order - 1].norm(), scale);
    };
    return std::min(
        {last(series.y, q), last(series.d, q * speed / rate),
         reach_of(std::abs(series.t[k_order]), std::abs(series.t[k_order - 1]), q / rate)});
}

double SlipPiece::offset_at(double tau) const {
    const auto late = [&](double x) {
        double slope = 0.0;
        double value = series.t[k_order];
        for (std::size_t k = k_order; k-- > 0;) {
            slope = slope * x + value;
            value = value * x + series.t[k];
        }
        return math::ValueSlope{value - tau, slope};
    };
    const double first = series.t[0] - tau;
    if (!(first < 0.0)) return 0.0;
    if (!(late(length).value > 0.0)) return length;
    return math::bracketed_newton(late, 0.0, length, first, -first / series.t[1]).x;
}

Vec2 SlipTail::to_plane(const Vec2& a) const {
    return a.x() * axis + a.y() * quarter_turn(axis);
}

SlipSeries::Point SlipTail::at_parameter(const SlipProblem& problem, double p) const {
    const double sigma = u.time_at_parameter(p);
    // with all its digits however small it is
    const Vec2 y_now = to_plane(u.velocity_at_parameter(p));
    const Vec2 d_now = d + sigma * (v - problem.m * y + 0.5 * sigma * drift) +
                       problem.m * to_plane(u.at_parameter(p).y);
    return {d_now, problem.velocity(start_time + sigma, d_now, y_now), y_now};
}

SlipSeries::SlipSeries(const SlipProblem& problem)
    : problem_(problem), pieces_(std::make_shared<const SlipPieces>(make_slip_pieces(problem))) {}

double SlipSeries::length() const {
    return pieces_->length;
}
SlipSeries::End SlipSeries::end() const {
    return pieces_->end;
}
double SlipSeries::speed_max() const {
    return pieces_->speed_max;
}
double SlipSeries::y_max() const {
    return pieces_->y_max;
}

SlipSeries::Point SlipSeries::at(double tau) const {
    if (in_tail(*pieces_, tau)) {
        const SlipTail& tail = *pieces_->tail;
        return tail.at_parameter(problem_, tail.u.parameter_at(tau - tail.start_time));
    }
    const SlipPiece& piece = piece_at(*pieces_, tau);
    const double x = piece.offset_at(tau);
    const Vec2 d = power_sum(piece.series.d, x);
    Vec2 y = power_sum(piece.series.y, x);
    // of a slaved start the polynomial has the size to more digits than the direction
    if (is_slaved(tau)) {
        const double size = y.norm();
        y = size * slaved_direction(problem_, problem_.velocity(tau, d, y), size);
    }
    return {d, problem_.velocity(tau, d, y), y};
}

bool SlipSeries::is_slaved(double tau) const {
    return problem_.y.isZero(0.0) && !pieces_->pieces.empty() &&
           tau <= pieces_->pieces.front().length;
}

Vec2 SlipSeries::direction_at(double tau) const {
    const Point now = at(tau);
    const double size = now.y.norm();
    if (is_slaved(tau)) return slaved_direction(problem_, now.v, size);
    return size > 0.0 ? Vec2(now.y / size) : pieces_->tail->axis;
}

double SlipSeries::variable_at(double tau) const {
    if (in_tail(*pieces_, tau)) {
        const SlipTail& tail = *pieces_->tail;
        return tail.start + std::min(tail.last, tail.u.parameter_at(tau - tail.start_time));
    }
    const SlipPiece& piece = piece_at(*pieces_, tau);
    return piece.start + piece.offset_at(tau);
}

SlipSeries::Local SlipSeries::local(double s) const {
    // a point that rounding puts just before the end of a piece belongs to the next
    const auto& tail = pieces_->tail;
    const double joint =
        tail && !pieces_->pieces.empty() ? k_joint * pieces_->pieces.back().length : 0.0;
    if (tail && s >= tail->start - joint) {
        const double p = std::max(0.0, s - tail->start);
        const Point now = tail->at_parameter(problem_, p);
        const SlipTaylor series =
            slip_taylor(problem_, tail->start_time + tail->u.time_at_parameter(p), now.d, now.y);
        return {series.t, series.d, series.y, slip_reach(problem_, series)};
    }
    const auto after = std::upper_bound(pieces_->pieces.begin() + 1, pieces_->pieces.end(), s,
                                        [](double value, const SlipPiece& piece) {
                                            return value < piece.start - k_joint * piece.length;
                                        });
    const SlipPiece& piece = *(after - 1);
    SlipTaylor series = piece.series;
    const double x = s - piece.start;
    shift(series.t, x);
    shift(series.d, x);
    shift(series.y, x);
    return {series.t, series.d, series.y, std::max(k_joint * piece.length, piece.length - x)};
}

}  // namespace carom::motion
