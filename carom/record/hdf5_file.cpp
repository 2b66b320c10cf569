// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/hdf5_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "carom/record/body_tables.h"
#include "carom/record/file_driver.h"
#include "carom/record/layout.h"
#include "carom/record/superblock.h"
#include "carom/record/tables.h"

namespace carom::record {
namespace {

// Rows that a table grows by: some tens of kilobytes each.
constexpr std::uint64_t k_event_chunk = 256, k_segment_chunk = 512, k_checkpoint_chunk = 64;
constexpr std::uint64_t k_lasting_chunk = 128, k_force_chunk = 512;
// Of memory, which a write goes through.
constexpr hsize_t k_page = 4096;
constexpr std::uint64_t k_byte_chunk = 65'536, k_commit_chunk = 64;

static_assert(k_event_chunk * sizeof(EventRow) <= k_largest_chunk);
static_assert(k_segment_chunk * sizeof(SegmentRow) <= k_largest_chunk);
static_assert(k_lasting_chunk * sizeof(LastingRow) <= k_largest_chunk);
static_assert(k_force_chunk * sizeof(ForceRow) <= k_largest_chunk);
static_assert(k_checkpoint_chunk * sizeof(CheckpointRow) <= k_largest_chunk);
static_assert(k_commit_chunk * sizeof(CommitRow) <= k_largest_chunk);
static_assert(k_byte_chunk <= k_largest_chunk);

Handle access_list() {
    Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "be opened");
    check(H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110), "be opened");
    use_file_driver(list);
    return list;
}

}  // namespace

void create_file(const std::filesystem::path& path, const Preamble& preamble) {
    const Handle access = access_list();
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "be written");
    check(H5Pset_obj_track_times(creation, false), "be written");
    // HDF5's own metadata never cross a page: a write of them is whole or not there
    check(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1), "be written");
    check(H5Pset_file_space_page_size(creation, k_page), "be written");
    Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "be written");
    write_preamble(file, preamble);
    create_table(file, k_events, event_type(), k_event_chunk);
    create_table(file, k_segments, segment_type(), k_segment_chunk);
    create_table(file, k_lasting, lasting_type(), k_lasting_chunk);
    create_table(file, k_forces, force_type(), k_force_chunk);
    create_table(file, k_checkpoints, checkpoint_type(), k_checkpoint_chunk);
    create_table(file, k_checkpoint_bytes, byte_type(), k_byte_chunk);
    create_table(file, k_commits, commit_type(), k_commit_chunk);
    create_row(file, k_audit, audit_type());
    // after the tables that grow, so that these are where they are whatever the bodies
    write_bodies(file, preamble.bodies, preamble.header.body_materials);
    check(file.close(), "be written");
    check_writes();
}

Handle open_to_write(const std::filesystem::path& path) {
    const Handle access = access_list();
    Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access), H5Fclose,
                "be written");
    check_writes();
    return file;
}

FileStatus look_at_file(const std::filesystem::path& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) throw Failure(std::string("cannot be read: ") + std::strerror(errno));
    Superblock superblock;
    struct stat status {};
    const bool known = fstat(fd, &status) == 0;
    const ssize_t got = pread(fd, superblock.bytes.data(), superblock.bytes.size(), 0);
    close(fd);
    if (!known || !S_ISREG(status.st_mode))
        throw Failure(known && S_ISDIR(status.st_mode) ? "is a folder, not a recording"
                                                       : "is no ordinary file");
    if (got != static_cast<ssize_t>(superblock.bytes.size()) || !superblock.has_signature())
        throw Failure("is no recording: not an HDF5 file");
    return {static_cast<std::uint64_t>(status.st_size), status.st_dev, status.st_ino,
            superblock.is_known() && superblock.open_sign(),
            superblock.is_known() ? superblock.end_of_file() : 0};
}

Handle open_to_read(const std::filesystem::path& path) {
    const Handle access = access_list();
    // a writer may come or go between the look and the opening
    constexpr int k_attempts = 4;
    for (int i = 1;; ++i) {
        const bool written = look_at_file(path).open_sign;
        const unsigned mode = written ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY;
        // What a writer changes meanwhile is read again, after 1 ns, 2 ns, 4 ns and so on: 20 times
        // are a millisecond in all. HDF5's own 100 would never end for a damaged file.
        check(H5Pset_metadata_read_attempts(access, written ? 20 : 1), "be read");
        const hid_t file = H5Fopen(path.c_str(), mode, access);
        if (file >= 0) return {file, H5Fclose, "be read"};
        if (i == k_attempts || look_at_file(path).open_sign == written) break;
    }
    const FileStatus status = look_at_file(path);
    if (status.bytes < status.end) {
        throw Failure("is cut short: " + std::to_string(status.bytes) + " bytes where there were " +
                      std::to_string(status.end));
    }
    throw Failure("cannot be read: " + hdf5_reason());
}

}  // namespace carom::record
