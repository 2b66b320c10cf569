// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <bit>
#include <cstdint>

namespace carom::record {

// Rows of a recording's tables as docs/formats.md lays them out. A row in memory has the bytes that
// it has in the file, without gaps. Nothing else is needed to read them: the viewer's WebAssembly
// module does so too.
static_assert(std::endian::native == std::endian::little);

struct EventRow {
    double t;
    std::uint32_t a, b;
    std::uint32_t kind, law;
    double point[3], normal[3], u[3], u_after[3], impulse[3];
    double energy_lost, restitution;
};
static_assert(sizeof(EventRow) == 160);

struct SegmentRow {
    double t0;
    std::uint32_t body, kind;
    double position[3], orientation[4], velocity[3], angular_velocity[3];
};
static_assert(sizeof(SegmentRow) == 120);

// What else there is of a segment of lasting contact: one row for each of them, in their order.
struct LastingRow {
    std::uint64_t segment;  // the number of its row in /segments
    double t1;              // may be infinite
    double a[3], alpha[3];
    double power;
    double plane_point[3], plane_normal[3], plane_velocity[3];
    double plane_turn_rate, plane_time;
    double mu, mu_roll, mu_spin;
    // of a piece of an exact motion: its end
    double end_position[3], end_orientation[4], end_velocity[3], end_angular_velocity[3];
    double end_a[3], end_alpha[3];
};
static_assert(sizeof(LastingRow) == 336);

struct ForceRow {
    double t0, t1;
    std::uint32_t a, b;
    double point[3], normal[3], impulse[3];
    double point_end[3];
    std::uint32_t follows, acts;
};
static_assert(sizeof(ForceRow) == 128);

}  // namespace carom::record
