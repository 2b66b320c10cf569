// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/detect/manifold_patch.h"

namespace carom::detect {

bool Candidates::has(std::uint32_t id) const {
    return std::any_of(list_.begin(), list_.begin() + count_,
                       [id](const Candidate& c) { return c.id == id; });
}

double Candidates::width() const {
    if (count_ < 3) return 0.0;
    // the spread of points between two lines is at most half of their distance
    Vec2 mean = Vec2::Zero();
    for (int i = 0; i < count_; ++i)
        mean += (*this)[i].a.head<2>();
    mean /= count_;
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (int i = 0; i < count_; ++i) {
        const Vec2 d = (*this)[i].a.head<2>() - mean;
        xx += d.x() * d.x();
        xy += d.x() * d.y();
        yy += d.y() * d.y();
    }
    const double middle = 0.5 * (xx + yy);
    const double half = std::hypot(0.5 * (xx - yy), xy);
    return 2.0 * std::sqrt(std::max(0.0, middle - half) / count_);
}

void facing_vertices(const shape::Polyhedron& body, shape::Index start, const Mat3& R,
                     const Vec3& t, bool body_is_a, const Outline& other, double border,
                     Candidates& out) {
    const double sign = body_is_a ? 1.0 : -1.0;
    std::array<shape::Index, k_most_visited> reached;
    std::size_t count = 0;
    const auto look = [&](shape::Index v) {
        if (count == reached.size()) return;
        const Vec3 x = R * body.vertex(v) + t;
        const double below = other.height(x.x(), x.y());
        if (!(sign * (x.z() - below) <= out.within())) return;
        reached[count++] = v;
        const Code code = vertex_code(v);
        const std::uint32_t id = body_is_a ? point_id(code, 0) : point_id(0, code);
        if (out.has(id) || other.inside(x.x(), x.y()) < -border) return;
        out.put(body_is_a, x, Vec3(x.x(), x.y(), below), code, 0);
    };
    look(start);
    for (std::size_t i = 0; i < count; ++i) {
        for (const shape::Index v : body.neighbours(reached[i])) {
            const auto end = reached.begin() + static_cast<std::ptrdiff_t>(count);
            if (std::find(reached.begin(), end, v) == end) look(v);
        }
    }
}

namespace {

// The candidate farthest along a direction across the normal.
int outermost(const Candidates& all, double x, double y) {
    int best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < all.count(); ++i) {
        const double at = x * all[i].a.x() + y * all[i].a.y();
        if (at <= most) continue;
        most = at;
        best = i;
    }
    return best;
}

}  // namespace

int chosen_points(const Candidates& all, std::array<int, k_most_points>& chosen) {
    int count = 0;
    if (all.count() <= k_most_points) {
        for (; count < all.count(); ++count)
            chosen[static_cast<std::size_t>(count)] = count;
        return count;
    }
    const auto take = [&](int i) {
        const auto end = chosen.begin() + count;
        if (std::find(chosen.begin(), end, i) == end) chosen[static_cast<std::size_t>(count++)] = i;
    };
    // turned off the axes, so that regular patches have no ties
    constexpr double k_off = 0.3;
    constexpr int k_directions = k_most_points - 1;
    for (int k = 0; k < k_directions; ++k) {
        const double angle = k_off + 2.0 * std::numbers::pi * k / k_directions;
        take(outermost(all, std::cos(angle), std::sin(angle)));
    }
    int deepest = chosen[0];
    for (int i = 0; i < count; ++i) {
        if (all[chosen[static_cast<std::size_t>(i)]].gap() < all[deepest].gap()) {
            deepest = chosen[static_cast<std::size_t>(i)];
        }
    }
    const double noticed = all[deepest].gap() - k_deeper * all.within();
    for (int i = 0; i < all.count(); ++i) {
        if (all[i].gap() < noticed && all[i].gap() < all[deepest].gap()) deepest = i;
    }
    take(deepest);
    return count;
}

}  // namespace carom::detect
