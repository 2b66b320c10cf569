// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "carom/record/hdf5_file.h"
#include "carom/record/header.h"
#include "carom/record/layout.h"

namespace carom::record {

// All of a recording but its long tables.
struct Contents {
    FileStatus status;
    Preamble preamble;
    CommitRow commit{};                       // the last one; all zero when there is none
    std::uint64_t commit_rows = 0;            // how many there are
    std::optional<CheckpointRow> checkpoint;  // the last
    std::optional<AuditRow> audit;            // of a finished one
};

// Throws Failure for what is no recording, damaged or cut short.
Contents read_contents(const std::filesystem::path& path);

}  // namespace carom::record
