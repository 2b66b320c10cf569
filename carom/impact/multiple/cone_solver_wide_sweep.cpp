// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The sweep of cone_solver_wide.h, once for any machine and once for those with wider registers:
// the same operations, so the same bits.

#include <cmath>

#include "carom/impact/multiple/cone_solver_wide.h"

namespace carom::impact::cone {
namespace {

using Mask = long long
    __attribute__((vector_size(k_lanes * sizeof(double)), aligned(k_lanes * sizeof(double))));

struct Lanes3 {
    Lanes x, y, z;
};

#define CAROM_INLINE [[gnu::always_inline]] inline

// Four lists of four entries turned into the four lists of first, second, ... entries.
struct Turned {
    Lanes first, second, third, fourth;
};
CAROM_INLINE void turn(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d, Turned& to) {
    const Lanes ab02 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Lanes ab13 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Lanes cd02 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Lanes cd13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    to.first = __builtin_shufflevector(ab02, cd02, 0, 1, 4, 5);
    to.second = __builtin_shufflevector(ab13, cd13, 0, 1, 4, 5);
    to.third = __builtin_shufflevector(ab02, cd02, 2, 3, 6, 7);
    to.fourth = __builtin_shufflevector(ab13, cd13, 2, 3, 6, 7);
}

// v and inverse mass, or w and the first entry of the inverse inertia, of four bodies.
CAROM_INLINE void gather(const WideBody* bodies, const std::uint32_t (&at)[k_lanes],
                         Lanes WideBody::*what, Turned& to) {
    turn(bodies[at[0]].*what, bodies[at[1]].*what, bodies[at[2]].*what, bodies[at[3]].*what, to);
}

CAROM_INLINE void scatter(WideBody* bodies, const std::uint32_t (&at)[k_lanes],
                          Lanes WideBody::*what, const Turned& from) {
    Turned lists;
    turn(from.first, from.second, from.third, from.fourth, lists);
    bodies[at[0]].*what = lists.first;
    bodies[at[1]].*what = lists.second;
    bodies[at[2]].*what = lists.third;
    bodies[at[3]].*what = lists.fourth;
}

// The impulse d, its sign as on this side, at r: new twists of four bodies.
CAROM_INLINE void push(WideBody* bodies, const std::uint32_t (&at)[k_lanes], Turned& v, Turned& w,
                       const Lanes (&r)[3], const Lanes3& d) {
    Turned i;
    gather(bodies, at, &WideBody::middle, i);
    const Lanes zz{bodies[at[0]].zz[0], bodies[at[1]].zz[0], bodies[at[2]].zz[0],
                   bodies[at[3]].zz[0]};
    const Lanes mx = r[1] * d.z - r[2] * d.y;
    const Lanes my = r[2] * d.x - r[0] * d.z;
    const Lanes mz = r[0] * d.y - r[1] * d.x;
    v.first += v.fourth * d.x;
    v.second += v.fourth * d.y;
    v.third += v.fourth * d.z;
    w.first += w.fourth * mx + i.first * my + i.second * mz;
    w.second += i.first * mx + i.third * my + i.fourth * mz;
    w.third += i.second * mx + i.fourth * my + zz * mz;
    scatter(bodies, at, &WideBody::v_mass, v);
    scatter(bodies, at, &WideBody::w_xx, w);
}

CAROM_INLINE bool any(const Mask& mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

// As solve_row<true> of cone_solver_row.h, lane by lane; x, y and z are p at first.
CAROM_INLINE void solve(WideRow& wide, const Lanes3& u, Lanes3& p, std::span<Row> rows) {
    const Lanes zero{};
    const Lanes missing = (wide.least - u.z) * wide.inverse_k;
    const Lanes c = p.z + wide.kappa1 * p.x + wide.kappa2 * p.y + missing;
    const Mask presses = c > zero;
    const Lanes b1 = u.x - wide.s1 * p.x + wide.k * wide.kappa1 * missing;
    const Lanes b2 = u.y - wide.s2 * p.y + wide.k * wide.kappa2 * missing;
    const Lanes stick_x = -b1 * wide.inverse_s1;
    const Lanes stick_y = -b2 * wide.inverse_s2;
    const Lanes stick_z = c - wide.kappa1 * stick_x - wide.kappa2 * stick_y;
    const Lanes limit = wide.mu * stick_z;
    const Mask sticks = (stick_z > zero) & (stick_x * stick_x + stick_y * stick_y <= limit * limit);
    const Lanes x = wide.slip < wide.inverse_mean ? wide.slip : wide.inverse_mean;
    const Lanes less = 1.0 - wide.half * x;
    const Lanes more = 1.0 + wide.half * x;
    const Lanes d1 = b1 * less;
    const Lanes d2 = b2 * more;
    const Lanes squared = d1 * d1 + d2 * d2;
    Lanes length;
    for (std::size_t lane = 0; lane < k_lanes; ++lane)
        length[lane] = std::sqrt(squared[lane]);
    const Lanes leaned = length - wide.mu * (wide.kappa1 * d1 + wide.kappa2 * d2);
    const Lanes part = c / leaned;
    const Lanes along = wide.mu * part;
    const Mask slides = presses & ~sticks;
    p.x = presses ? (sticks ? stick_x : -along * d1) : zero;
    p.y = presses ? (sticks ? stick_y : -along * d2) : zero;
    p.z = presses ? (sticks ? stick_z : part * length) : zero;
    const Mask unknown = slides & (~(wide.slip > zero) | ~(leaned > zero));
    wide.slip = slides & ~unknown ? along * less * more : wide.slip;
    if (!any(unknown)) return;
    for (std::size_t lane = 0; lane < k_lanes; ++lane) {
        if (unknown[lane] == 0) continue;
        Row& row = rows[wide.row[lane]];
        row.slip = wide.slip[lane];
        const Vec3 found =
            row.mu > 0.0 ? slide(row, b1[lane], b2[lane], c[lane]) : Vec3(0.0, 0.0, c[lane]);
        wide.slip[lane] = row.slip;
        p.x[lane] = found.x();
        p.y[lane] = found.y();
        p.z[lane] = found.z();
    }
}

struct Sums {
    Lanes energy, velocity;
};

// False when all lanes are idle and stay so.
CAROM_INLINE bool sweep_wide(WideRow& wide, WideBody* bodies, const Lanes& beta,
                             std::span<Row> rows, Sums& sums) {
    const Lanes zero{};
    Turned va, wa, vb, wb;
    gather(bodies, wide.a, &WideBody::v_mass, va);
    gather(bodies, wide.a, &WideBody::w_xx, wa);
    gather(bodies, wide.b, &WideBody::v_mass, vb);
    gather(bodies, wide.b, &WideBody::w_xx, wb);
    const Lanes(&ra)[3] = wide.r_a;
    const Lanes(&rb)[3] = wide.r_b;
    const Lanes ux = va.first - vb.first + (wa.second * ra[2] - wa.third * ra[1]) -
                     (wb.second * rb[2] - wb.third * rb[1]);
    const Lanes uy = va.second - vb.second + (wa.third * ra[0] - wa.first * ra[2]) -
                     (wb.third * rb[0] - wb.first * rb[2]);
    const Lanes uz = va.third - vb.third + (wa.first * ra[1] - wa.second * ra[0]) -
                     (wb.first * rb[1] - wb.second * rb[0]);
    Lanes3 u;
    u.z = wide.n[0] * ux + wide.n[1] * uy + wide.n[2] * uz;
    if (wide.idle && !any(u.z < wide.least)) return false;
    u.x = wide.t1[0] * ux + wide.t1[1] * uy + wide.t1[2] * uz;
    u.y = wide.t2[0] * ux + wide.t2[1] * uy + wide.t2[2] * uz;
    const Lanes along[3] = {beta * wide.direction[0], beta * wide.direction[1],
                            beta * wide.direction[2]};
    const Lanes start[3] = {wide.p[0] + along[0], wide.p[1] + along[1], wide.p[2] + along[2]};
    Lanes3 p{start[0], start[1], start[2]};
    solve(wide, u, p, rows);
    Mask busy{};
    for (int k = 0; k < 3; ++k)
        wide.direction[k] = along[k] + wide.step[k];
    wide.p[0] = p.x;
    wide.p[1] = p.y;
    wide.p[2] = p.z;
    for (int k = 0; k < 3; ++k) {
        wide.step[k] = wide.p[k] - start[k];
        busy |= (wide.p[k] != zero) | (wide.step[k] != zero) | (wide.direction[k] != zero);
    }
    wide.idle = !any(busy);
    const Lanes(&s)[3] = wide.step;
    const Lanes q = s[2] + wide.kappa1 * s[0] + wide.kappa2 * s[1];
    const Lanes energy = wide.s1 * s[0] * s[0] + wide.s2 * s[1] * s[1] + wide.k * q * q;
    const Lanes velocity = wide.trace * energy;
    sums.energy += energy;
    sums.velocity = velocity > sums.velocity ? velocity : sums.velocity;
    const Lanes3 d{s[0] * wide.t1[0] + s[1] * wide.t2[0] + s[2] * wide.n[0],
                   s[0] * wide.t1[1] + s[1] * wide.t2[1] + s[2] * wide.n[1],
                   s[0] * wide.t1[2] + s[1] * wide.t2[2] + s[2] * wide.n[2]};
    const Lanes3 back{-d.x, -d.y, -d.z};
    push(bodies, wide.a, va, wa, ra, d);
    push(bodies, wide.b, vb, wb, rb, back);
    return true;
}

struct Job {
    WideRow* wide;
    std::size_t count;
    WideBody* bodies;
    std::span<Row> rows;
    std::vector<std::uint32_t>* active;
    double beta;
    bool all;
};

CAROM_INLINE void sweep_all(const Job& job, Sums& sums) {
    const Lanes beta{job.beta, job.beta, job.beta, job.beta};
    const std::size_t count = job.all ? job.count : job.active->size();
    if (job.all) job.active->clear();
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t i = job.all ? static_cast<std::uint32_t>(k) : (*job.active)[k];
        if (sweep_wide(job.wide[i], job.bodies, beta, job.rows, sums) && job.all)
            job.active->push_back(i);
    }
}

void sweep_anywhere(const Job& job, Sums& sums) {
    sweep_all(job, sums);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void sweep_avx2(const Job& job, Sums& sums) {
    sweep_all(job, sums);
}

bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}
#endif

}  // namespace

Change WideRows::sweep(double beta, bool all, std::span<Row> rows) {
    Sums sums{};
    const Job job{wide_.data(), wide_.size(), bodies_.data(), rows, &active_, beta, all};
#if defined(__x86_64__)
    const bool widest = registers_ == Registers::widest && has_avx2();
    (widest ? sweep_avx2 : sweep_anywhere)(job, sums);
#else
    sweep_anywhere(job, sums);
#endif
    Change change{0.0, 0.0};
    for (std::size_t lane = 0; lane < k_lanes; ++lane) {
        change.energy += sums.energy[lane];
        change.velocity = std::max(change.velocity, sums.velocity[lane]);
    }
    change.velocity = std::sqrt(change.velocity);
    return change;
}

}  // namespace carom::impact::cone
