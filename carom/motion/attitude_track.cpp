// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/attitude_track.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>

namespace carom::motion {
namespace {

constexpr std::size_t k_order = AttitudeTrack::k_order;
// The last terms of the series at the end of a piece. Ten times larger makes pieces an eighth
// longer and adds one ulp to their ends.
constexpr double k_last_term = 1e-17;

struct Point {
    double start;
    Eigen::Vector4d q;
};

struct Piece {
    std::size_t index = std::numeric_limits<std::size_t>::max();
    double start = 0.0;
    double length = 0.0;
    Eigen::Matrix<double, 4, static_cast<int>(k_order) + 1> q;

    Eigen::Vector4d at(double s) const {
        const double x = s - start;
        Eigen::Vector4d sum = q.col(k_order);
        for (int k = k_order; k-- > 0;)
            sum = sum * x + q.col(k);
        return sum;
    }
};

// (w, 0) q, quaternions as (x, y, z, w)
Eigen::Vector4d times(const Vec3& w, const Eigen::Vector4d& q) {
    Eigen::Vector4d out;
    out.head<3>() = q[3] * w + w.cross(q.head<3>());
    out[3] = -w.dot(q.head<3>());
    return out;
}

Piece make_piece(std::size_t index, const Point& point, const AttitudeTrack::Series& series) {
    Piece piece;
    piece.index = index;
    piece.start = point.start;
    piece.q.col(0) = point.q;
    // (k + 1) q[k+1] = sum of w[j] q[k-j] / 2
    for (std::size_t k = 0; k < k_order; ++k) {
        Eigen::Vector4d sum = Eigen::Vector4d::Zero();
        for (std::size_t j = 0; j <= std::min(k, series.degree); ++j)
            sum += times(series.w[j], piece.q.col(static_cast<int>(k - j)));
        piece.q.col(static_cast<int>(k + 1)) = sum * (0.5 / static_cast<double>(k + 1));
    }
    double length = series.reach;
    for (const std::size_t k : {k_order - 1, k_order}) {
        const double size = piece.q.col(static_cast<int>(k)).norm();
        if (size > 0.0) {
            length = std::min(length, std::pow(k_last_term / size, 1.0 / static_cast<double>(k)));
        }
    }
    piece.length = length;
    return piece;
}

}  // namespace

struct AttitudeTrack::Table {
    std::mutex mutex;
    std::vector<Point> points;
    Piece last;

    // Makes `last` the piece of one of the points.
    void take(std::size_t index, const Source& source) {
        if (last.index == index) return;
        Series series;
        source(points[index].start, series);
        last = make_piece(index, points[index], series);
    }
};

AttitudeTrack::AttitudeTrack(const Quat& first) : table_(std::make_shared<Table>()) {
    table_->points.push_back({0.0, first.normalized().coeffs()});
}

Quat AttitudeTrack::at(double s, const Source& source) const {
    const std::lock_guard<std::mutex> lock(table_->mutex);
    std::vector<Point>& points = table_->points;
    const auto after =
        std::upper_bound(points.begin() + 1, points.end(), s,
                         [](double value, const Point& point) { return value < point.start; });
    std::size_t index = static_cast<std::size_t>(after - points.begin()) - 1;
    table_->take(index, source);
    // only the last point's piece can end before s
    while (index + 1 == points.size() && s > table_->last.start + table_->last.length) {
        const double next = table_->last.start + table_->last.length;
        if (points.size() >= k_most_points || !(next > table_->last.start)) {
            throw std::invalid_argument(
                "the orientation of a sphere was asked for after more than " +
                std::to_string(k_most_points) + " radians: ask for an earlier time");
        }
        points.push_back({next, table_->last.at(next).normalized()});
        ++index;
        table_->take(index, source);
    }
    const Eigen::Vector4d q = table_->last.at(s).normalized();
    return Quat(q);
}

}  // namespace carom::motion
