// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <vector>

#include "touch_oracle.h"

namespace touch_oracle {

// A shape as a convex core grown by a radius, in the shape's frame. Throws std::invalid_argument
// for a shape that is none.
class Core {
public:
    explicit Core(const Shape& shape);

    bool is_plane() const { return form_ == Form::half_space; }
    bool is_polytope() const { return form_ == Form::points; }
    // turning about z changes nothing
    bool is_round() const { return round_; }
    Real radius() const { return radius_; }
    // a plane's, unit
    const Vec& normal() const { return normal_; }
    const std::vector<Vec>& points() const { return points_; }

    // the core's point that lies farthest along the direction (not for planes)
    template <typename T>
    Vector<T> support(const Vector<T>& direction) const;
    // the largest distance of the core's points from a point (not for planes)
    Real reach(const Vec& from) const;

private:
    enum class Form { points, cylinder, cone, half_space };

    Form form_ = Form::points;
    std::vector<Vec> points_;
    Vec normal_;
    Real disc_ = 0.0L, low_ = 0.0L, high_ = 0.0L;  // cylinder, cone: radius, z of base and top
    Real radius_ = 0.0L;
    bool round_ = false;
};

template <typename T>
Vector<T> Core::support(const Vector<T>& direction) const {
    if (form_ == Form::points) {
        const Vec* best = points_.data();
        T farthest = Vector<T>(*best).dot(direction);
        for (const Vec& p : points_) {
            const T along = Vector<T>(p).dot(direction);
            if (along > farthest) {
                farthest = along;
                best = &p;
            }
        }
        return Vector<T>(*best);
    }
    const T disc = T(disc_), low = T(low_), high = T(high_);
    const T across = square_root(direction.x * direction.x + direction.y * direction.y);
    const T s = across > 0 ? disc / across : T(0);
    Vector<T> rim(s * direction.x, s * direction.y, low);
    if (!(across > 0)) rim.x = disc;
    if (form_ == Form::cylinder) {
        if (direction.z > 0) rim.z = high;
        return rim;
    }
    const bool apex = high * direction.z > disc * across + low * direction.z;
    return apex ? Vector<T>(0, 0, high) : rim;
}

using Triangle = std::array<std::size_t, 3>;
// The surface of the convex hull of the points as triangles, counter-clockwise from outside. By
// trying every plane through three points: O(n^4), exact faces merged where points are coplanar to
// 1e-12 of the size. Throws std::invalid_argument where the points span no volume.
std::vector<Triangle> hull_triangles(const std::vector<Vec>& points);

// What the search for the distance starts from and when it may stop.
struct Search {
    Vec start{1.0L, 0.0L, 0.0L};  // a guess of the normal
    Real absolute_gap = 1e-17L;   // between point pair and bound, of the size
    Real relative_gap = 0.0L;     // the same, of what the distance exceeds the level by
    Real level = 0.0L;
};
// Distance of the grown shapes; b may be a plane, a must not.
Distance distance_of(const Core& a, const Placement& place_a, const Core& b,
                     const Placement& place_b, const Search& search);

}  // namespace touch_oracle
