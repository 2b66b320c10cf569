// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/record/layout.h"

namespace carom::record {

// Version 1 of the format, which can be read but not written any more. It knows no lasting contact:
// there are no tables /lasting and /forces, and no counts of their rows. All else is as in
// layout.h.
inline constexpr std::uint32_t k_format_version_1 = 1;

struct CheckpointRow1 {
    double t;
    std::uint64_t offset, length;
    std::uint64_t events, segments;
};
static_assert(sizeof(CheckpointRow1) == 40);

struct CommitRow1 {
    double t;
    std::uint64_t events, segments, checkpoints, checkpoint_bytes;
    std::uint64_t file_bytes;
    std::uint64_t finished;
    std::uint64_t mark;
};
static_assert(sizeof(CommitRow1) == 64);

Handle checkpoint_type_1();
Handle commit_type_1();

std::uint64_t mark_of(const CommitRow1& row);

// The same in this version; the mark is left as it is.
CheckpointRow to_this_version(const CheckpointRow1& row);
CommitRow to_this_version(const CommitRow1& row);

}  // namespace carom::record
