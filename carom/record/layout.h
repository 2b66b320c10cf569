// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <bit>
#include <cstdint>

#include "carom/record/errors.h"
#include "carom/world/event.h"

namespace carom::record {

// What the tables of a recording look like; docs/formats.md describes them for users. A row in
// memory has the bytes that it has in the file, without gaps, so that HDF5 converts nothing.
static_assert(std::endian::native == std::endian::little);

inline constexpr char k_format[] = "carom recording";
inline constexpr std::uint32_t k_format_version = 1;

inline constexpr char k_events[] = "/events";
inline constexpr char k_segments[] = "/segments";
inline constexpr char k_checkpoints[] = "/checkpoints";
inline constexpr char k_checkpoint_bytes[] = "/checkpoint_bytes";
inline constexpr char k_commits[] = "/commits";
inline constexpr char k_audit[] = "/audit";

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

struct CheckpointRow {
    double t;
    std::uint64_t offset, length;    // of its bytes
    std::uint64_t events, segments;  // told before it
};
static_assert(sizeof(CheckpointRow) == 40);

// The lengths of all tables that may be trusted.
struct CommitRow {
    double t;
    std::uint64_t events, segments, checkpoints, checkpoint_bytes;
    std::uint64_t file_bytes;  // the file was at least that long
    std::uint64_t finished;    // 0 or 1
    std::uint64_t mark;        // mark_of() the others
};
static_assert(sizeof(CommitRow) == 64);

struct AuditRow {
    double energy_start, energy_end, energy_lost, energy_gained, driven, energy_residual;
    double momentum_residual, momentum_scale, max_overlap;
    std::uint64_t events, impacts, micro, checks;
};
static_assert(sizeof(AuditRow) == 104);

Handle event_type();
Handle segment_type();
Handle checkpoint_type();
Handle commit_type();
Handle audit_type();
Handle byte_type();

// Whether rows of a file have these fields at these places. Enumerations may have other names in
// them, of laws that another version knows.
bool same_fields(hid_t of_file, hid_t expected);

// A hash of bytes, eight at a time; `hash` is that of what came before. Never 0.
std::uint64_t hash_bytes(std::uint64_t hash, const void* bytes, std::size_t size);
std::uint64_t mark_of(const CommitRow& row);

EventRow to_row(const world::Event& event);
SegmentRow to_row(const world::Segment& segment);
// Throws Failure for what no run can have written.
world::Event from_row(const EventRow& row, std::size_t bodies);
world::Segment from_row(const SegmentRow& row, std::size_t bodies);

}  // namespace carom::record
