// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/record/errors.h"
#include "carom/record/recording.h"
#include "carom/world/body.h"

namespace carom::record {

// What the bodies of a run are, for readers that know no scenes: the tables /bodies, /shapes and
// /hull_vertices, written once before the run begins. They hold what make_body found: masses,
// inertias and poses are the numbers that the run has used.

inline constexpr char k_bodies[] = "/bodies";
inline constexpr char k_shapes[] = "/shapes";
inline constexpr char k_hull_vertices[] = "/hull_vertices";

// A row of /bodies without its texts, which come after it in the file: name and material, each as
// long as the longest.
struct BodyRow {
    double mass;
    double center[3];
    double inertia[9];
    double radius;
    double position[3], orientation[4];
    double velocity[3], angular_velocity[3];
    std::uint32_t fixed;
    std::uint32_t parts;
    std::uint64_t first_part;
};
static_assert(sizeof(BodyRow) == 232);

struct ShapeRow {
    std::uint32_t body;
    std::uint32_t type;  // PartType
    double radius, length;
    double size[3], normal[3];
    double position[3], orientation[4];
    std::uint64_t first_vertex, vertices;
};
static_assert(sizeof(ShapeRow) == 144);

// `materials` has one name for each body.
void write_bodies(hid_t file, std::span<const world::Body> bodies,
                  const std::vector<std::string>& materials);

// Throws Failure for what no run can have written. No table can be longer than the file has bytes.
std::vector<RecordedBody> read_bodies(hid_t file, std::uint64_t file_bytes);

}  // namespace carom::record
