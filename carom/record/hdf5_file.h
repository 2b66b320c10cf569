// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <filesystem>

#include "carom/record/errors.h"
#include "carom/record/header.h"

namespace carom::record {

// The files of recordings as HDF5 sees them. All are of the format of HDF5 1.10 (superblock 3),
// which has checksums on everything but the rows, and are written in HDF5's mode of one writer and
// many readers (SWMR): what describes the data goes to the file in such an order that it can be
// opened at every moment. While a file is written so, its superblock says it; a killed program
// leaves it said.

// A new file with all its datasets, empty. Replaces what is there.
void create_file(const std::filesystem::path& path, const Preamble& preamble);

// For one writer. After a writer that was killed, close_for_killed() comes first.
Handle open_to_write(const std::filesystem::path& path);

// What can be known of a file without HDF5.
struct FileStatus {
    std::uint64_t bytes = 0;
    std::uint64_t device = 0, node = 0;  // which file it is, whatever its name
    bool open_sign = false;              // its superblock says that somebody writes it
    std::uint64_t end = 0;  // how long it was when it was closed; 0 where that is not known
};
// Throws Failure when it cannot be read, is no file or not of HDF5.
FileStatus look_at_file(const std::filesystem::path& path);

// For reading, while it is written or after.
Handle open_to_read(const std::filesystem::path& path);

}  // namespace carom::record
