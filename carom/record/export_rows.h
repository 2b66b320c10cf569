// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "carom/record/errors.h"
#include "carom/record/layout.h"
#include "carom/record/reader.h"
#include "carom/record/recording.h"

namespace carom::record {

// The long tables of a recording as bytes, for programs that take them as docs/formats.md lays them
// out.
enum class TableId : std::uint8_t { events, segments, lasting, forces };
inline constexpr std::size_t k_table_count = 4;
inline constexpr std::array<std::string_view, k_table_count> k_table_names{"events", "segments",
                                                                           "lasting", "forces"};
inline constexpr std::array<std::size_t, k_table_count> k_row_bytes{
    sizeof(EventRow), sizeof(SegmentRow), sizeof(LastingRow), sizeof(ForceRow)};

// Rows of each table, in the order of TableId.
using TableLengths = std::array<std::uint64_t, k_table_count>;

// A place from which a run can go on.
struct StartingPoint {
    double t = 0.0;
    std::uint64_t number = 0;  // of the checkpoint, from 1
    std::uint64_t events = 0;  // that were told before it
    std::vector<std::uint8_t> bytes;
};

// Reads a recording in bulk, up to its last commit when it was opened. The file is open as long as
// this lives: make one, read, and let it go. All of it throws RecordError. Rows are given as they
// are, checked only by check_rows(). Not for several threads at once.
class RowSource {
public:
    explicit RowSource(const std::filesystem::path& path);

    const Contents& contents() const { return contents_; }
    TableLengths lengths() const;
    std::optional<world::Audit> audit() const;  // of a finished one
    // Whether another program is writing it.
    bool is_written() const;

    // `rows` has room for count rows. Pre: first + count is within lengths().
    void read(TableId table, std::uint64_t first, std::uint64_t count, void* rows) const;
    // The last checkpoint before t, if there is one that this version of the program can read.
    std::optional<StartingPoint> starting_point(double t) const;

private:
    std::filesystem::path path_;
    Contents contents_;
    Handle file_;
};

// Throws Failure, as reading a recording does, for rows that no run can have written. What
// is about segments of lasting contact is checked when they are put together (add_lasting).
void check_rows(TableId table, const void* rows, std::uint64_t count, std::size_t bodies);

}  // namespace carom::record
