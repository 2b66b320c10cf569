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

void facing_vertices(const shape::Polyhedron& body, shape::Index start, const Mat3& R,
                     const Vec3& t, bool body_is_a, const Outline& other, double border,
                     Candidates& out) {
    const double sign = body_is_a ? 1.0 : -1.0;
    std::array<shape::Index, k_most_visited> reached;
    std::size_t count = 0;
    // vertices that were looked at, and those among the points, by their last digits, which two of
    // a large body can share
    std::array<std::uint64_t, 4> seen{};
    std::array<std::uint64_t, 4> put{};
    const bool sure = body.vertices().size() <= 64U * seen.size();
    const auto bit = [](shape::Index v) { return std::uint64_t{1} << (v % 64U); };
    const auto word = [&](shape::Index v) { return v / 64U % seen.size(); };
    for (int i = 0; i < out.count(); ++i) {
        const std::uint32_t id = out[i].id;
        const auto mine = static_cast<Code>(body_is_a ? id >> 16U : id);
        if (mine % 2U == 0U) continue;
        const auto v = static_cast<shape::Index>(mine / 2U);
        put[word(v)] |= bit(v);
    }
    // how far in front of the other's plane a place of the body is
    const Vec3 up = sign * (R.row(2) - other.kx * R.row(0) - other.ky * R.row(1));
    const double level = sign * (t.z() - other.height(t.x(), t.y()));
    const auto look = [&](shape::Index v) {
        if (count == reached.size()) return;
        seen[word(v)] |= bit(v);
        if (!(up.dot(body.vertex(v)) + level <= out.within())) return;
        const Vec3 x = R * body.vertex(v) + t;
        const double below = other.height(x.x(), x.y());
        reached[count++] = v;
        const Code code = vertex_code(v);
        const std::uint32_t id = body_is_a ? point_id(code, 0) : point_id(0, code);
        const bool known = (put[word(v)] & bit(v)) != 0 && out.has(id);
        if (known || !other.holds(x.x(), x.y(), border)) return;
        out.put(body_is_a, x, Vec3(x.x(), x.y(), below), code, 0);
    };
    look(start);
    for (std::size_t i = 0; i < count; ++i) {
        for (const shape::Index v : body.neighbours(reached[i])) {
            const auto end = reached.begin() + static_cast<std::ptrdiff_t>(count);
            const bool known = (seen[word(v)] & bit(v)) != 0 &&
                               (sure || std::find(reached.begin(), end, v) != end);
            if (!known) look(v);
        }
    }
}

namespace {

// At most k_most_points, each once.
struct Chosen {
    std::array<int, k_most_points>& list;
    int count = 0;

    bool full() const { return count == k_most_points; }
    void take(int i) {
        const auto end = list.begin() + count;
        if (!full() && std::find(list.begin(), end, i) == end)
            list[static_cast<std::size_t>(count++)] = i;
    }
};

constexpr int k_directions = 7;

// The candidate farthest along each of the directions across the normal, of those with a gap up to
// `limit`.
void take_outermost(const Candidates& all, double limit, Chosen& chosen) {
    static const std::array<Vec2, k_directions> directions = [] {
        // turned off the axes, so that regular patches have no ties
        constexpr double k_off = 0.3;
        std::array<Vec2, k_directions> out;
        for (int k = 0; k < k_directions; ++k) {
            const double angle = k_off + 2.0 * std::numbers::pi * k / k_directions;
            out[static_cast<std::size_t>(k)] = Vec2(std::cos(angle), std::sin(angle));
        }
        return out;
    }();
    std::array<int, k_directions> best{};
    std::array<double, k_directions> most;
    most.fill(-std::numeric_limits<double>::infinity());
    for (int i = 0; i < all.count(); ++i) {
        if (all[i].gap() > limit) continue;
        const double x = all[i].a.x();
        const double y = all[i].a.y();
        for (std::size_t k = 0; k < directions.size(); ++k) {
            const double at = directions[k].x() * x + directions[k].y() * y;
            if (at <= most[k]) continue;
            most[k] = at;
            best[k] = i;
        }
    }
    for (const int i : best)
        chosen.take(i);
}

// The few lowest below `limit`: a rim of many corners comes down with the ones beside the deepest
// right behind it. Of those that are equally low to `noticed` all or none, so that rounding does
// not choose.
void take_lowest(const Candidates& all, double limit, double noticed, Chosen& chosen) {
    constexpr std::size_t k_few = k_most_points - k_directions - 1;
    std::array<double, k_few + 1> least;  // the smallest gaps, in order
    std::size_t count = 0;
    for (int i = 0; i < all.count(); ++i) {
        const double gap = all[i].gap();
        if (!(gap <= limit) || (count > k_few && gap >= least[k_few])) continue;
        std::size_t at = std::min(count, k_few);
        for (; at > 0 && least[at - 1] > gap; --at)
            least[at] = least[at - 1];
        least[at] = gap;
        count = std::min(count + 1, k_few + 1);
    }
    if (count > k_few) limit = least[k_few] - noticed;
    for (int i = 0; i < all.count(); ++i)
        if (all[i].gap() <= limit) chosen.take(i);
}

}  // namespace

int chosen_points(const Candidates& all, std::array<int, k_most_points>& list) {
    Chosen chosen{list};
    if (all.count() <= k_most_points) {
        for (int i = 0; i < all.count(); ++i)
            chosen.take(i);
        return chosen.count;
    }
    int deepest = 0;
    for (int i = 1; i < all.count(); ++i)
        if (all[i].gap() < all[deepest].gap()) deepest = i;
    const double noticed = k_deeper * all.within();
    take_lowest(all, all[deepest].gap() + k_lowest * all.within(), noticed, chosen);
    take_outermost(all, all[deepest].gap() + k_low * all.within(), chosen);
    bool seen = false;
    for (int k = 0; k < chosen.count; ++k)
        seen = seen || all[list[static_cast<std::size_t>(k)]].gap() <= all[deepest].gap() + noticed;
    if (!seen) chosen.take(deepest);
    take_outermost(all, std::numeric_limits<double>::infinity(), chosen);
    return chosen.count;
}

}  // namespace carom::detect
