// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/cli/output_file.h"

namespace carom::cli {

// Arrays for NumPy: numpy.load(file) gives them by name.
//
// The file is a ZIP archive without compression, one NPY file (version 1.0, little-endian, C order)
// for each array. Times of files are 1980-01-01, so that equal arrays give equal bytes. The classic
// ZIP format ends at 4 GiB.
class NpzWriter {
public:
    explicit NpzWriter(OutputFile& out) : out_(out) {}

    // Throw CommandError when it cannot be written or grows too large. The product of the shape is
    // the number of values.
    void add(std::string_view name, std::span<const std::uint64_t> shape,
             std::span<const double> values);
    // UTF-8 texts, as NumPy's unicode strings.
    void add(std::string_view name, std::span<const std::string> texts);
    // The directory of the archive.
    void finish();

private:
    struct Entry {
        std::string name;
        std::uint32_t crc, size, offset;
    };
    void add_file(std::string_view name, std::string_view header, std::string_view data);

    OutputFile& out_;
    std::uint64_t written_ = 0;
    std::vector<Entry> entries_;
};

// The most bytes that the arrays of one archive can have.
inline constexpr std::uint64_t k_most_npz_bytes =
    (std::uint64_t{1} << 32) - (std::uint64_t{1} << 20);

// CRC-32 as ZIP has it (polynomial 0xEDB88320), of what came before and these bytes.
std::uint32_t crc32(std::uint32_t before, std::string_view bytes);

}  // namespace carom::cli
