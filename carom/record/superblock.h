// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace carom::record {

// The largest block that a table grows by, bytes.
inline constexpr std::uint64_t k_largest_chunk = 65'536;

// The first bytes of an HDF5 file, in version 3 (HDF5 File Format Specification 3.0, section II.A):
// signature, version, sizes of offsets and lengths, flags, base address, address of the extension,
// end of file, address of the root, checksum.
struct Superblock {
    std::array<std::uint8_t, 48> bytes{};

    bool has_signature() const;
    // Of version 3, with addresses of eight bytes, and a checksum that is right.
    bool is_known() const;
    // Whether it says that somebody is writing the file.
    bool open_sign() const;
    // How long the file was when it was last closed.
    std::uint64_t end_of_file() const;
    // As of a closed file of that length.
    void close(std::uint64_t end_of_file);
};

// Bob Jenkins' lookup3 hash (hashlittle, from 0), by which HDF5 checks its metadata.
std::uint32_t lookup3(std::span<const std::uint8_t> bytes);

// Sets the times in a closed file to 0. HDF5 always stores when the object of its superblock's
// extension was made and changed, so that the same run would have other bytes each second. Does
// nothing where there is no such object, or it is not as HDF5 1.10 and 1.14 write it. Throws
// Failure.
void forget_times(int fd);

// Makes a file that a killed program was writing like one that was closed, in one small write. The
// superblock may remember an end that lies before blocks which are in use, and the last of these
// may have been written in part: the file gets longer by the largest chunk, so that all of them lie
// within, and new ones come behind. Throws Failure.
void close_for_killed(int fd);

}  // namespace carom::record
