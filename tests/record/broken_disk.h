// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

namespace carom::tests {

// Every pwrite and ftruncate of this test program (HDF5 writes with no other calls) goes through
// here, so that the disk can be made to fail, or the program to die, at any one of them.
enum class Trouble {
    none,
    kill,        // the process is killed instead of this write (SIGKILL)
    kill_within  // the same, when all of it but what goes to its last page of memory was written
};

// From the `nth` write on from now (the first is 1), writes fail with `error` (errno).
void fail_writes_from(std::uint64_t nth, int error);
// The `nth` write from now brings trouble.
void trouble_at(std::uint64_t nth, Trouble trouble);
// All is well again.
void mend_disk();
// Writes since the last call of any function above.
std::uint64_t writes_so_far();

}  // namespace carom::tests
