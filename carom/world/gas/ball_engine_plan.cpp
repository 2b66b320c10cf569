// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a ball does next. Nearly all of a run's time is spent here.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "carom/world/gas/ball_engine.h"

namespace carom::world {
namespace {

// Approach slower than this part of the speeds is rounding. Larger: balls that lie against each
// other after a plastic impact may sink into each other faster.
constexpr double k_rounding = 2e-15;
// A search leaves out what it can tell to come later, or to miss, by more than this part.
constexpr double k_margin = 1e-9;

// Balls that the nearest cache does not hold.
constexpr std::uint32_t k_many = 3000;

// Two numbers at a time.
using Two [[gnu::vector_size(16)]] = double;

Two larger(Two a, Two b) {
    return a > b ? a : b;
}

}  // namespace

double BallEngine::contact_time(const Ball& a, const Ball& b, double radii) const {
    const double base = std::max(a.t0, b.t0);
    const Vec3 C = (a.x + (base - a.t0) * a.v) - (b.x + (base - b.t0) * b.v);
    const Vec3 V = a.v - b.v;
    const double approach = C.dot(V);
    const double distance2 = C.squaredNorm();
    const double noise2 = k_rounding * k_rounding * (a.v.squaredNorm() + b.v.squaredNorm());
    if (approach >= 0.0 || approach * approach <= noise2 * distance2) return k_never;
    // the square of the miss distance compared with R, without cancellation
    const double square = V.squaredNorm() * radii * radii - C.cross(V).squaredNorm();
    if (square < 0.0) return k_never;
    const double distance = std::sqrt(distance2);
    const double gap = (distance - radii) * (distance + radii);
    return std::max(now_, base + gap / (std::sqrt(square) - approach));
}

double BallEngine::wall_time(const Ball& a, const BallWall& wall, double radius) const {
    const double rate = wall.normal.dot(a.v);
    if (rate >= 0.0 || rate * rate <= k_rounding * k_rounding * a.v.squaredNorm()) return k_never;
    const double gap = wall.normal.dot(a.x) - wall.offset - radius;
    return std::max(now_, a.t0 - gap / rate);
}

void BallEngine::plan(std::uint32_t i) {
    if (alike_) {
        plan_all_of<true>(i);
    } else {
        plan_all_of<false>(i);
    }
}

// Of the way until the ball leaves its cell.
struct BallEngine::Way {
    Vec3 p;          // where it is now
    Vec3 low, high;  // the box of its centre
    double until;
    Plan plan;
};

BallEngine::Way BallEngine::way_ahead(std::uint32_t i) const {
    const Ball& a = balls_[i];
    const BallPlace& place = cards_[i].place;
    const BallGrid& grid = grids_[place.grid];
    Way way;
    way.p = a.x + (now_ - a.t0) * a.v;
    way.low = way.high = way.p;
    way.until = k_never;
    way.plan = {k_leave, 6};
    for (int k = 0; k < 3; ++k) {
        const double v = a.v[k];
        const std::int32_t cell = place.cell[k];
        if (v > 0.0) {
            const bool last = grid.is_last(cell, k);
            way.high[k] = last ? k_never : grid.plane(cell + 1, k);
            const double t = last ? k_never : a.t0 + (way.high[k] - a.x[k]) / v;
            if (t < way.until) {
                way.until = t;
                way.plan.detail = 2 * static_cast<std::uint32_t>(k) + 1;
            }
        } else if (v < 0.0) {
            way.low[k] = cell == 0 ? -k_never : grid.plane(cell, k);
            const double t = cell == 0 ? k_never : a.t0 + (way.low[k] - a.x[k]) / v;
            if (t < way.until) {
                way.until = t;
                way.plan.detail = 2 * static_cast<std::uint32_t>(k);
            }
        }
    }
    // among smaller balls not so far
    if (place.grid + 1U < grids_.size()) {
        const double t = now_ + look_ahead_ / a.v.norm();
        if (t < way.until) {
            way.until = t;
            way.plan.detail = 6;
        }
    }
    way.until = std::max(way.until, now_);
    return way;
}

template <bool alike>
void BallEngine::plan_all_of(std::uint32_t i) {
    const Ball& a = balls_[i];
    const BallPlace& place = cards_[i].place;
    const double radius = alike ? largest_radius_ : cards_[i].radius;
    Way way = way_ahead(i);

    for (const std::uint32_t w : grids_[place.grid].walls(place.walls)) {
        const double t = wall_time(a, walls_[w], radius);
        if (t < way.until) {
            way.until = t;
            way.plan = {ball_count() + w, 0};
        }
    }

    std::size_t count = 0;
    for (const BallGrid& grid : grids_)
        count = gather(grid, way, radius + grid.largest_radius() + grid.slack(), count);
    input_.tally.checks += count;
    count = sift<alike>(i, way, radius, count);

    for (std::size_t n = 0; n < count; ++n) {
        const std::uint32_t j = near_[n];
        const Ball& b = balls_[j];
        const double t = contact_time(a, b, alike ? 2.0 * radius : radius + cards_[j].radius);
        if (t > way.until || t == k_never || (t == way.until && j > way.plan.with)) continue;
        way.until = t;
        way.plan = {j, b.hits};
    }
    cards_[i].plan = way.plan;
    queue_.set(i, way.until);
}

// Leaves those that the ball may touch on its way, and few others: those that approach, not too far
// to come before its end, and not to miss. Two at a time and without branches, since no one can
// foretell them.
//     approach = C.V < 0,    gap = C.C - R^2 <= 2 |approach| horizon,    approach^2 >= V.V gap
template <bool alike>
std::size_t BallEngine::sift(std::uint32_t i, const Way& way, double radius, std::size_t count) {
    constexpr double k_very_long = 1e300;
    const Vec3 v = balls_[i].v;
    const Vec3 p = way.p;
    const double now = now_;
    const double twice = 2.0 * (1.0 + k_margin) * std::min(way.until - now, k_very_long);
    double radii2_alike = 4.0 * radius * radius;
    for (std::size_t n = 0; n < count; ++n)
        __builtin_prefetch(&balls_[near_[n]]);
    // itself never approaches itself
    near_[count] = i;
    std::size_t kept = 0;
    for (std::size_t n = 0; n < count; n += 2) {
        const std::uint32_t j = near_[n], k = near_[n + 1];
        const Ball& b = balls_[j];
        const Ball& c = balls_[k];
        const Two s = now - Two{b.t0, c.t0};
        const Two vx{b.v.x(), c.v.x()}, vy{b.v.y(), c.v.y()}, vz{b.v.z(), c.v.z()};
        const Two Cx = p.x() - (Two{b.x.x(), c.x.x()} + s * vx);
        const Two Cy = p.y() - (Two{b.x.y(), c.x.y()} + s * vy);
        const Two Cz = p.z() - (Two{b.x.z(), c.x.z()} + s * vz);
        const Two Vx = v.x() - vx, Vy = v.y() - vy, Vz = v.z() - vz;
        Two radii2{radii2_alike, radii2_alike};
        if constexpr (!alike) {
            const Two radii = radius + Two{cards_[j].radius, cards_[k].radius};
            radii2 = radii * radii;
        }
        const Two approach = Cx * Vx + Cy * Vy + Cz * Vz;
        const Two gap = Cx * Cx + Cy * Cy + Cz * Cz - radii2;
        const Two VV = Vx * Vx + Vy * Vy + Vz * Vz;
        const Two miss = VV * (gap - k_margin * radii2) - approach * approach;
        const Two most = larger(approach, larger(gap + twice * approach, miss));
        near_[kept] = j;
        kept += static_cast<std::size_t>(most[0] < 0.0);
        near_[kept] = k;
        kept += static_cast<std::size_t>(most[1] < 0.0);
    }
    return kept;
}

// Adds the balls of all cells that the way, widened by the reach, comes to.
std::size_t BallEngine::gather(const BallGrid& grid, const Way& way, double reach,
                               std::size_t count) {
    Eigen::Vector3i from, to;
    for (int k = 0; k < 3; ++k) {
        from[k] = grid.cell_of(way.low[k] - reach, k);
        to[k] = grid.cell_of(way.high[k] + reach, k);
    }
    const auto width = static_cast<std::size_t>(to.x() - from.x()) + 1;
    std::uint32_t* out = near_.data() + count;
    for (std::int32_t z = from.z(); z <= to.z(); ++z) {
        for (std::int32_t y = from.y(); y <= to.y(); ++y) {
            const BallGrid::Cell* cell = &grid.cell(grid.index(from.x(), y, z));
            for (const BallGrid::Cell* end = cell + width; cell != end; ++cell) {
                // all three places, whether or not they are taken
                std::memcpy(out, cell, sizeof *cell);
                out += cell->count();
                if (!cell->has_more()) continue;
                for (std::uint32_t j = cell->more(); j != BallGrid::k_end; j = balls_[j].next)
                    *out++ = j;
            }
        }
    }
    return static_cast<std::size_t>(out - near_.data());
}

void BallEngine::cross(std::uint32_t i, std::uint32_t side) {
    if (side == 6) return;
    unfile(i);
    cards_[i].place.cell[static_cast<int>(side / 2)] += side % 2 == 1 ? 1 : -1;
    file(i);
}

// Balls are many and events far apart: what the next one needs is fetched while this one is worked
// on, in three steps, each of which needs what the one before has fetched.
void BallEngine::fetch_ball(std::uint32_t i) const {
    __builtin_prefetch(&balls_[i]);
    __builtin_prefetch(&cards_[i]);
}

void BallEngine::fetch_cells(std::uint32_t i) const {
    const Card& card = cards_[i];
    if (card.plan.with < ball_count()) fetch_ball(card.plan.with);
    const BallGrid& grid = grids_[card.place.grid];
    grid.around(card.place.cell, [](const BallGrid::Cell& cell) { __builtin_prefetch(&cell); });
}

void BallEngine::fetch_neighbours(std::uint32_t i) const {
    const BallGrid& grid = grids_[cards_[i].place.grid];
    grid.around(cards_[i].place.cell, [this](const BallGrid::Cell& first) {
        for (int k = 0; k < 3; ++k) {
            const BallGrid::Cell& cell = (&first)[k];
            __builtin_prefetch(&balls_[cell.ball[0]]);
            if (cell.count() > 1) __builtin_prefetch(&balls_[cell.ball[1]]);
        }
    });
}

bool BallEngine::run(double until, Listener* listener, const StopCheck& stop) {
    constexpr std::uint32_t k_between_checks = 64;  // events
    std::uint32_t unchecked = 0;
    const std::uint32_t n = ball_count();
    const std::uint32_t walls_end = n + static_cast<std::uint32_t>(walls_.size());
    const bool many = n > k_many;
    for (;;) {
        const BallQueue::First first = queue_.first();
        if (!(first.time <= until) || first.time == k_never) break;
        if (++unchecked == k_between_checks) {
            unchecked = 0;
            if (stop && stop()) return false;
        }
        now_ = first.time;
        const std::uint32_t i = first.ball;
        const Plan planned = cards_[i].plan;
        std::uint32_t next = i;
        if (many) {
            queue_.set(i, k_never);
            next = queue_.first().ball;
            fetch_ball(next);
        }
        if (planned.with < n) {
            // a ball that was hit since is not where it was expected
            if (balls_[planned.with].hits == planned.detail) {
                meet_ball(i, planned.with, listener);
                plan(planned.with);
            }
        } else if (planned.with < walls_end) {
            meet_wall(i, walls_[planned.with - n], listener);
        } else {
            cross(i, planned.detail);
        }
        if (many) fetch_cells(next);
        plan(i);
        if (many) fetch_neighbours(next);
        if (++events_since_look_ >= 16 * static_cast<std::uint64_t>(n) + 1024) look_around();
    }
    now_ = until;
    return true;
}

}  // namespace carom::world
