// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "carom/record/errors.h"
#include "carom/record/rows.h"
#include "carom/world/event.h"

namespace carom::record {

// What the tables of a recording look like; docs/formats.md describes them for users. A row in
// memory has the bytes that it has in the file, without gaps, so that HDF5 converts nothing. Rows
// that others than this room read stand in rows.h.

inline constexpr char k_format[] = "carom recording";
inline constexpr std::uint32_t k_format_version = 4;

inline constexpr char k_events[] = "/events";
inline constexpr char k_segments[] = "/segments";
inline constexpr char k_lasting[] = "/lasting";
inline constexpr char k_forces[] = "/forces";
inline constexpr char k_checkpoints[] = "/checkpoints";
inline constexpr char k_checkpoint_bytes[] = "/checkpoint_bytes";
inline constexpr char k_commits[] = "/commits";
inline constexpr char k_audit[] = "/audit";

struct CheckpointRow {
    double t;
    std::uint64_t offset, length;                     // of its bytes
    std::uint64_t events, segments, lasting, forces;  // told before it
};
static_assert(sizeof(CheckpointRow) == 56);

// The lengths of all tables that may be trusted.
struct CommitRow {
    double t;
    std::uint64_t events, segments, lasting, forces, checkpoints, checkpoint_bytes;
    std::uint64_t file_bytes;  // the file was at least that long
    std::uint64_t finished;    // 0 or 1
    std::uint64_t mark;        // mark_of() the others
};
static_assert(sizeof(CommitRow) == 80);

struct AuditRow {
    double energy_start, energy_end, energy_lost, energy_gained, driven, energy_residual;
    double momentum_residual, momentum_scale, max_overlap;
    double force_work_residual, force_work_scale;
    std::uint64_t events, impacts, micro, checks;
};
static_assert(sizeof(AuditRow) == 120);

// A type of rows of `size` bytes with these fields.
struct Field {
    const char* name;
    std::size_t offset;
    hid_t type;
    hsize_t length = 1;  // above 1: that many of the type
};
Handle compound(std::size_t size, std::initializer_list<Field> fields);

Handle event_type();
Handle segment_type();
Handle lasting_type();
Handle force_type();
Handle checkpoint_type();
Handle commit_type();
// The name of the work done by forces and moving fixed bodies in /audit; early files of version 4
// have the other one.
inline constexpr const char* k_driven = "energy_driven";
inline constexpr const char* k_driven_early = "driven";
Handle audit_type(const char* driven = k_driven);
// With the name that the file has.
Handle audit_type_of(hid_t file);
Handle byte_type();

// Whether rows of a file have these fields at these places. Enumerations may have other names in
// them, of laws that another version knows.
bool same_fields(hid_t of_file, hid_t expected);

// A hash of bytes, eight at a time; `hash` is that of what came before. Never 0.
std::uint64_t hash_bytes(std::uint64_t hash, const void* bytes, std::size_t size);
// The mark of a commit in a file of this version of the format; from version 2 on.
std::uint64_t mark_of(const CommitRow& row, std::uint32_t version = k_format_version);

EventRow to_row(const world::Event& event);
SegmentRow to_row(const world::Segment& segment);
ForceRow to_row(const world::ContactForce& force);
// `number` is that of the segment's row.
LastingRow lasting_row(const world::Segment& segment, std::uint64_t number);

// Throw Failure for what no run can have written.
world::Event from_row(const EventRow& row, std::size_t bodies);
world::Segment from_row(const SegmentRow& row, std::size_t bodies);
world::ContactForce from_row(const ForceRow& row, std::size_t bodies);
// Completes a segment of lasting contact, which is number `number`.
void add_lasting(world::Segment& segment, const LastingRow& row, std::uint64_t number);

}  // namespace carom::record
