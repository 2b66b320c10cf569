// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/record/errors.h"

namespace carom::record {

// How HDF5 reaches files of recordings: as its own driver for POSIX files does, with two
// differences. It takes no locks (FileLock keeps writers apart, and readers need none). And HDF5 is
// never told that a write failed, since it does not recover from that, not even to close the file
// or to end the program. Instead the file is cut off: this write and all after it are dropped, so
// that the file stays as it was, reads go on, and check_writes() tells it to us.

// Makes a list of access properties use the driver.
void use_file_driver(hid_t access);

// From now on nothing that HDF5 writes reaches the file.
void cut_off(hid_t file) noexcept;

// Throws Failure, "cannot be written: REASON", if a write of this thread failed since the last
// call.
void check_writes();
// Forgets about it.
void forget_writes() noexcept;

}  // namespace carom::record
