// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/simplex.h"

#include <cmath>
#include <limits>

namespace carom::detect {
namespace {

// A nearest point as weights of the points of a simplex; those not needed have weight zero.
struct Nearest {
    std::array<double, 4> weight{};
    double squared = std::numeric_limits<double>::infinity();
};

using Points = std::array<Vec3, 4>;

void consider(Nearest& best, const Points& w, const std::array<double, 4>& weight) {
    Vec3 v = Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i)
        v += weight[i] * w[i];
    const double squared = v.squaredNorm();
    if (squared < best.squared) best = {weight, squared};
}

void on_point(Nearest& best, const Points& w, std::size_t i) {
    std::array<double, 4> weight{};
    weight[i] = 1.0;
    consider(best, w, weight);
}

void on_edge(Nearest& best, const Points& w, std::size_t i, std::size_t j) {
    const Vec3 d = w[j] - w[i];
    const double dd = d.squaredNorm();
    if (!(dd > 0.0)) return;
    // from the nearer end, for accuracy
    const double from_i = -w[i].dot(d) / dd;
    const double from_j = w[j].dot(d) / dd;
    if (from_i <= 0.0 || from_j <= 0.0) return;
    std::array<double, 4> weight{};
    if (from_i < from_j) {
        weight[j] = from_i;
        weight[i] = 1.0 - from_i;
    } else {
        weight[i] = from_j;
        weight[j] = 1.0 - from_j;
    }
    consider(best, w, weight);
}

void on_triangle(Nearest& best, const Points& w, std::size_t i, std::size_t j, std::size_t k) {
    const Vec3 n = (w[j] - w[i]).cross(w[k] - w[i]);
    const double nn = n.squaredNorm();
    if (!(nn > 0.0)) return;
    // areas of the triangles at the origin's projection
    const double wi = w[j].cross(w[k]).dot(n);
    const double wj = w[k].cross(w[i]).dot(n);
    const double wk = w[i].cross(w[j]).dot(n);
    if (wi <= 0.0 || wj <= 0.0 || wk <= 0.0) return;
    const double sum = wi + wj + wk;
    std::array<double, 4> weight{};
    weight[i] = wi / sum;
    weight[j] = wj / sum;
    weight[k] = wk / sum;
    consider(best, w, weight);
}

double volume(const Vec3& a, const Vec3& b, const Vec3& c) {
    return a.dot(b.cross(c));
}

// Whether the origin is inside the tetrahedron, which must not be flat.
bool inside(const Points& w) {
    const double whole = volume(w[1] - w[0], w[2] - w[0], w[3] - w[0]);
    const double size = (w[1] - w[0]).norm() * (w[2] - w[0]).norm() * (w[3] - w[0]).norm();
    if (!(std::abs(whole) > 1e-14 * size)) return false;
    const double sign = whole > 0.0 ? 1.0 : -1.0;
    return sign * volume(w[1], w[2], w[3]) >= 0.0 && sign * volume(w[0], w[3], w[2]) >= 0.0 &&
           sign * volume(w[0], w[1], w[3]) >= 0.0 && sign * volume(w[0], w[2], w[1]) >= 0.0;
}

}  // namespace

bool Simplex::contains(const Vec3& w) const {
    for (int i = 0; i < size_; ++i) {
        if (points_[static_cast<std::size_t>(i)].w == w) return true;
    }
    return false;
}

bool Simplex::reduce() {
    Points w;
    w.fill(Vec3::Zero());
    const auto n = static_cast<std::size_t>(size_);
    for (std::size_t i = 0; i < n; ++i)
        w[i] = points_[i].w;
    if (n == 4 && inside(w)) return false;
    Nearest best;
    for (std::size_t i = 0; i < n; ++i) {
        on_point(best, w, i);
        for (std::size_t j = i + 1; j < n; ++j) {
            on_edge(best, w, i, j);
            for (std::size_t k = j + 1; k < n; ++k)
                on_triangle(best, w, i, j, k);
        }
    }
    size_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!(best.weight[i] > 0.0)) continue;
        const auto to = static_cast<std::size_t>(size_++);
        points_[to] = points_[i];
        weight_[to] = best.weight[i];
    }
    return true;
}

}  // namespace carom::detect
