// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/cone_solver_wide.h"

#include <algorithm>
#include <cmath>

namespace carom::impact::cone {
namespace {

void set(Lanes (&to)[3], std::size_t lane, const Vec3& from) {
    for (int k = 0; k < 3; ++k)
        to[k][lane] = from[k];
}

void fill(WideRow& wide, std::size_t lane, const Row& row, std::uint32_t place) {
    wide.a[lane] = row.a;
    wide.b[lane] = row.b;
    wide.row[lane] = place;
    set(wide.n, lane, row.n);
    set(wide.r_a, lane, row.r_a);
    set(wide.r_b, lane, row.r_b);
    set(wide.t1, lane, row.t1);
    set(wide.t2, lane, row.t2);
    wide.s1[lane] = row.s1;
    wide.s2[lane] = row.s2;
    wide.k[lane] = row.k;
    wide.inverse_s1[lane] = row.inverse_s1;
    wide.inverse_s2[lane] = row.inverse_s2;
    wide.inverse_k[lane] = row.inverse_k;
    wide.kappa1[lane] = row.kappa1;
    wide.kappa2[lane] = row.kappa2;
    wide.trace[lane] = row.trace;
    wide.mu[lane] = row.mu;
    wide.half[lane] = 0.5 * (row.s1 - row.s2);
    wide.inverse_mean[lane] = 2.0 / (row.s1 + row.s2);
}

WideRow empty_wide(std::uint32_t nobody) {
    WideRow wide{};
    std::fill(std::begin(wide.a), std::end(wide.a), nobody);
    std::fill(std::begin(wide.b), std::end(wide.b), nobody);
    return wide;
}

}  // namespace

void WideRows::clear(std::size_t bodies) {
    wide_.clear();
    room_.clear();
    free_from_.assign(bodies, 0);
}

// The first from `wide` on that is not full, maybe a new one; looked for along where others have
// found room.
std::uint32_t WideRows::next_with_room(std::uint32_t wide) {
    std::uint32_t found = wide;
    while (found < room_.size() && room_[found] != found)
        found = room_[found];
    while (wide < room_.size() && room_[wide] != wide) {
        const std::uint32_t next = room_[wide];
        room_[wide] = found;
        wide = next;
    }
    return found;
}

std::uint32_t WideRows::place_for(const Row& row, std::span<const Mover> movers) {
    std::uint32_t from = 0;
    for (const std::uint32_t body : {row.a, row.b})
        if (movers[body].can_move()) from = std::max(from, free_from_[body]);
    const std::uint32_t place = next_with_room(from);
    while (wide_.size() <= place) {
        room_.push_back(static_cast<std::uint32_t>(wide_.size()));
        wide_.push_back(empty_wide(static_cast<std::uint32_t>(movers.size())));
    }
    for (const std::uint32_t body : {row.a, row.b})
        if (movers[body].can_move()) free_from_[body] = place + 1;
    return place;
}

void WideRows::add(std::span<const Row> rows, std::size_t first, std::span<const Mover> movers) {
    for (const bool pressing : {true, false}) {
        // what presses is not put beside what does not
        for (std::uint32_t i = 0; i < room_.size(); ++i)
            room_[i] = static_cast<std::uint32_t>(room_.size());
        for (std::size_t i = first; i < rows.size(); ++i) {
            if (rows[i].p.isZero(0.0) == pressing) continue;
            const std::uint32_t place = place_for(rows[i], movers);
            WideRow& wide = wide_[place];
            fill(wide, wide.count, rows[i], static_cast<std::uint32_t>(i));
            if (++wide.count == k_lanes) room_[place] = place + 1;
        }
    }
}

void WideRows::begin(std::span<const Row> rows, std::span<const Mover> movers) {
    bodies_.resize(movers.size() + 1);
    before_.resize(movers.size());
    direction_.assign(movers.size(), WideTwist{});
    for (std::size_t i = 0; i < movers.size(); ++i) {
        const Mover& m = movers[i];
        WideBody& body = bodies_[i];
        body.v_mass = Lanes{m.v.x(), m.v.y(), m.v.z(), m.inverse_mass};
        body.w_xx = Lanes{m.w.x(), m.w.y(), m.w.z(), m.i[0]};
        body.middle = Lanes{m.i[1], m.i[2], m.i[3], m.i[4]};
        body.zz = Lanes{m.i[5], 0.0, 0.0, 0.0};
        before_[i] = {bodies_[i].v_mass, bodies_[i].w_xx};
    }
    bodies_.back() = WideBody{};
    for (WideRow& wide : wide_) {
        bool idle = true;
        for (std::uint32_t lane = 0; lane < wide.count; ++lane) {
            const Row& row = rows[wide.row[lane]];
            set(wide.p, lane, row.p);
            wide.least[lane] = row.least;
            wide.slip[lane] = row.slip;
            idle = idle && row.p.isZero(0.0);
        }
        for (int k = 0; k < 3; ++k)
            wide.step[k] = wide.direction[k] = Lanes{};
        wide.idle = idle;
    }
}

void WideRows::end(std::span<Row> rows, std::span<Mover> movers) const {
    for (std::size_t i = 0; i < movers.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            movers[i].v[k] = bodies_[i].v_mass[k];
            movers[i].w[k] = bodies_[i].w_xx[k];
        }
    }
    for (const WideRow& wide : wide_) {
        for (std::uint32_t lane = 0; lane < wide.count; ++lane) {
            Row& row = rows[wide.row[lane]];
            row.p = {wide.p[0][lane], wide.p[1][lane], wide.p[2][lane]};
            row.slip = wide.slip[lane];
        }
    }
}

void WideRows::extrapolate(double beta) {
    const Lanes along{beta, beta, beta, 0.0};
    for (std::size_t i = 0; i < before_.size(); ++i) {
        WideBody& body = bodies_[i];
        WideTwist& direction = direction_[i];
        WideTwist& before = before_[i];
        const Lanes v = along * direction.v;
        const Lanes w = along * direction.w;
        direction = {v + body.v_mass - before.v, w + body.w_xx - before.w};
        body.v_mass += v;
        body.w_xx += w;
        before = {body.v_mass, body.w_xx};
    }
}

}  // namespace carom::impact::cone
