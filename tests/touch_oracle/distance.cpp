// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core.h"

namespace touch_oracle {

namespace {

// A point of the difference A - B of the cores and where it comes from.
template <typename T>
struct Corner {
    Vector<T> w, a, b;
};

// The point of the simplex's hull nearest to the origin.
template <typename T>
struct Nearest {
    std::array<int, 4> corners{};
    std::array<T, 4> weights{};
    int count = 0;  // 4: the origin is inside
    T square = T(std::numeric_limits<Real>::infinity());
};

template <typename T>
void try_corner(const Corner<T>* c, int i, Nearest<T>& best) {
    const T square = c[i].w.dot(c[i].w);
    if (square < best.square) best = {{i}, {1}, 1, square};
}

template <typename T>
void try_edge(const Corner<T>* c, int i, int j, Nearest<T>& best) {
    const Vector<T> e = c[j].w - c[i].w;
    const T ee = e.dot(e);
    if (!(ee > 0)) return;
    const T t = -c[i].w.dot(e) / ee;
    if (!(t > 0 && t < 1)) return;
    const Vector<T> v = c[i].w + t * e;
    const T square = v.dot(v);
    if (square < best.square) best = {{i, j}, {1 - t, t}, 2, square};
}

template <typename T>
void try_triangle(const Corner<T>* c, int i, int j, int k, Nearest<T>& best) {
    const Vector<T>&p = c[i].w, &q = c[j].w, &r = c[k].w;
    const Vector<T> n = (q - p).cross(r - p);
    const T nn = n.dot(n);
    if (!(nn > 0)) return;
    const T u = (r - q).cross(-q).dot(n);
    const T v = (p - r).cross(-r).dot(n);
    const T w = (q - p).cross(-p).dot(n);
    if (!(u > 0 && v > 0 && w > 0)) return;
    const T sum = u + v + w;
    const T along = p.dot(n);
    const T square = along * along / nn;
    if (square < best.square) best = {{i, j, k}, {u / sum, v / sum, w / sum}, 3, square};
}

template <typename T>
bool contains_origin(const Corner<T>* c) {
    for (int l = 0; l < 4; ++l) {
        const Vector<T>&p = c[(l + 1) % 4].w, &q = c[(l + 2) % 4].w, &r = c[(l + 3) % 4].w;
        const Vector<T> n = (q - p).cross(r - p);
        const T there = n.dot(c[l].w - p);
        const T here = -n.dot(p);
        if (there == 0 || !(here * there > 0)) return false;
    }
    return true;
}

template <typename T>
Nearest<T> nearest(const Corner<T>* c, int count, bool solid) {
    Nearest<T> best;
    for (int i = 0; i < count; ++i) {
        try_corner(c, i, best);
        for (int j = i + 1; j < count; ++j) {
            try_edge(c, i, j, best);
            for (int k = j + 1; k < count; ++k)
                try_triangle(c, i, j, k, best);
        }
    }
    if (solid && count == 4 && contains_origin(c)) best.count = 4;
    return best;
}

// The direction from the origin to the nearest point, from whichever is better conditioned: the
// point itself or the feature it lies on.
template <typename T>
Vector<T> direction_of(const Corner<T>* c, const Nearest<T>& near, const Vector<T>& v) {
    const T length = v.norm();
    if (near.count == 2) {
        const Vector<T> e = c[1].w - c[0].w;
        const Vector<T> across = v - e * (v.dot(e) / e.dot(e));
        return across.norm() > 0 ? across.unit() : v * (1 / length);
    }
    if (near.count == 3) {
        const Vector<T> e = c[1].w - c[0].w, f = c[2].w - c[0].w;
        const Vector<T> n = e.cross(f);
        const T longest = std::max({e.norm(), f.norm(), (f - e).norm()});
        if (length * longest < n.norm()) {
            const Vector<T> m = n.unit();
            const T side = m.dot(c[0].w + c[1].w + c[2].w);
            return side < 0 ? -m : m;
        }
    }
    return v * (1 / length);
}

// The search for the cores' distance. Keeps the nearest pair of points and the best bound so far.
template <typename T>
class MinimumNorm {
public:
    MinimumNorm(const Core& a, const Placement& place_a, const Core& b, const Placement& place_b)
        : a_(a), b_(b), place_a_(place_a), place_b_(place_b), apart_(place_b.p) {
        apart_ = apart_ - Vector<T>(place_a.p);
        place_a_.p = place_b_.p = Vec();
    }

    // false where the cores overlap
    bool run(const Search& search, T size) {
        normal_ = Vector<T>(search.start);
        add(normal_);
        int idle = 0;
        for (int round = 0; round < k_most_rounds; ++round) {
            const bool outside = lower_ > T(1e-18L) * size;
            const Nearest<T> near = nearest(corners_.data(), count_, !outside);
            if (near.count == 4) return false;
            keep(near);
            Vector<T> point_a, point_b;
            for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
                point_a += corners_[i].a * near.weights[i];
                point_b += corners_[i].b * near.weights[i];
            }
            const Vector<T> v = point_a - point_b;
            const T length = v.norm();
            if (!(length > T(1e-19L) * size)) return false;
            const bool nearer = length < upper_;
            if (nearer) {
                upper_ = length;
                point_a_ = point_a;
                point_b_ = point_b;
            }
            bool fresh = add(direction_of(corners_.data(), near, v));
            if (done(search, size)) break;
            if (!fresh) fresh = add(v * (1 / length));
            if (!fresh || (!nearer && ++idle > 8) || done(search, size)) break;
        }
        return true;
    }

    bool done(const Search& search, T size) const {
        const T gap = upper_ - lower_;
        const T excess = upper_ - T(a_.radius()) - T(b_.radius()) - T(search.level);
        return gap <= T(search.absolute_gap) * size || gap <= T(search.relative_gap) * excess;
    }

    // of the grown shapes, the points relative to a's origin
    Distance result(bool apart) const {
        const T grown = T(a_.radius()) + T(b_.radius());
        if (!apart) {
            const Vec p(corners_[0].a);
            return {-static_cast<Real>(grown), -static_cast<Real>(grown), Vec(normal_), p, p, true};
        }
        const Vector<T> n = (point_a_ - point_b_).unit();
        return {static_cast<Real>(upper_ - grown),
                static_cast<Real>(lower_ - grown),
                Vec(normal_),
                Vec(point_a_ - n * T(a_.radius())),
                Vec(point_b_ + n * T(b_.radius())),
                !(upper_ > grown)};
    }

private:
    static constexpr int k_most_rounds = 400;

    // Adds the difference's point farthest against n and notes the bound it gives; false where the
    // simplex has it already.
    bool add(const Vector<T>& n) {
        const Vector<T> a = place_a_(a_.support(place_a_.R.back(-n)));
        const Vector<T> b = place_b_(b_.support(place_b_.R.back(n))) + apart_;
        const Vector<T> w = a - b;
        const T bound = w.dot(n) / n.norm();
        if (bound > lower_) {
            lower_ = bound;
            normal_ = n;
        }
        for (int i = 0; i < count_; ++i) {
            const Vector<T> apart = corners_[static_cast<std::size_t>(i)].w - w;
            if (!(apart.dot(apart) > 0)) return false;
        }
        corners_[static_cast<std::size_t>(count_++)] = {w, a, b};
        return true;
    }

    // reduces the simplex to the feature the nearest point lies on, in the weights' order
    void keep(const Nearest<T>& near) {
        std::array<Corner<T>, 4> kept;
        for (int i = 0; i < near.count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            kept[k] = corners_[static_cast<std::size_t>(near.corners[k])];
        }
        corners_ = kept;
        count_ = near.count;
    }

    const Core &a_, &b_;
    Placement place_a_, place_b_;
    Vector<T> apart_;
    std::array<Corner<T>, 4> corners_;
    int count_ = 0;
    T upper_ = T(std::numeric_limits<Real>::infinity()), lower_ = -upper_;
    Vector<T> normal_, point_a_, point_b_;
};

Distance to_plane(const Core& a, const Placement& place_a, const Core& b,
                  const Placement& place_b) {
    const Vec n = place_b.R * b.normal();
    const Vec point = place_a(a.support(place_a.R.back(-n))) - n * a.radius();
    const Real gap = n.dot(point - place_b.p);
    return {gap, gap, n, point, point - n * gap, !(gap > 0.0L)};
}

}  // namespace

Distance distance_of(const Core& a, const Placement& place_a, const Core& b,
                     const Placement& place_b, const Search& search) {
    if (a.is_plane()) throw std::invalid_argument("the first shape must not be a plane here");
    if (b.is_plane()) return to_plane(a, place_a, b, place_b);
    const Real size = a.reach(Vec()) + a.radius() + b.reach(Vec()) + b.radius();
    MinimumNorm<Real> quick(a, place_a, b, place_b);
    const bool apart = quick.run(search, size);
    Distance d = quick.result(apart);
    if (apart && !quick.done(search, size)) {
        // out of digits: once more with twice as many
        Search again = search;
        again.start = d.normal;
        MinimumNorm<Quad> slow(a, place_a, b, place_b);
        const bool still_apart = slow.run(again, Quad(size));
        const Distance e = slow.result(still_apart);
        if (!still_apart || e.distance - e.lower < d.distance - d.lower) d = e;
    }
    d.point_a += place_a.p;
    d.point_b += place_a.p;
    return d;
}

Distance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
    const Core core_a(a), core_b(b);
    const Placement place_a{Matrix::of(to_real(pose_a.orientation).unit()), Vec(pose_a.position)};
    const Placement place_b{Matrix::of(to_real(pose_b.orientation).unit()), Vec(pose_b.position)};
    if (core_b.is_plane() && core_a.is_plane()) {
        throw std::invalid_argument("two planes have no distance: one shape must be bounded");
    }
    if (!core_a.is_plane()) return distance_of(core_a, place_a, core_b, place_b, {});
    Distance d = distance_of(core_b, place_b, core_a, place_a, {});
    std::swap(d.point_a, d.point_b);
    d.normal = -d.normal;
    return d;
}

}  // namespace touch_oracle
