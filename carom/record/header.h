// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>
#include <string>

#include "carom/record/errors.h"
#include "carom/record/recording.h"

namespace carom::record {

// What stands in a recording before the run begins: the group /header, and attributes of the root
// by which the format is known.
struct Preamble {
    Header header;
    std::string settings, contacts;  // JSON
    std::uint32_t version = 0;       // of the format, of a file that was read
    // What is to be written of the bodies (body_tables.h); none where nothing is known of them.
    std::span<const world::Body> bodies{};
};

void write_preamble(hid_t file, const Preamble& preamble);

// Throws Failure for files that are no recordings, or of a version of the format that is not known.
// No text can be longer than the file has bytes.
Preamble read_preamble(hid_t file, std::uint64_t file_bytes);

// Every setting of a world as one line of JSON.
std::string settings_text(const world::Settings& settings);
// The law of each pair of materials, a line each in a list, as JSON.
std::string contacts_text(const world::Contacts& contacts);

}  // namespace carom::record
