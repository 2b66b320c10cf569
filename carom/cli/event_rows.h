// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "carom/cli/event_sums.h"
#include "carom/cli/output_file.h"
#include "carom/cli/table.h"
#include "carom/record/recording.h"

namespace carom::cli {

enum class RowStyle : std::uint8_t { table, csv, json };

// Events, one a line; the caller finishes the file. Throws CommandError when it cannot be written.
class EventRows {
public:
    EventRows(RowStyle style, const record::Header& header, OutputFile& out);
    void add(const world::Event& event);
    void finish();

private:
    void add_json(const world::Event& event);
    void add_csv(const world::Event& event);
    void add_row(const world::Event& event);

    RowStyle style_;
    const record::Header& header_;
    OutputFile& out_;
    fmt::memory_buffer buffer_;
    Table table_;
};

// Contact forces, one interval a line.
class ForceRows {
public:
    ForceRows(RowStyle style, const record::Header& header, OutputFile& out);
    void add(const world::ContactForce& force);
    void finish();

private:
    RowStyle style_;
    const record::Header& header_;
    OutputFile& out_;
    fmt::memory_buffer buffer_;
    Table table_;
};

// Pairs of bodies, one a line.
class SumRows {
public:
    // seconds: of the chosen time, for the mean force.
    SumRows(RowStyle style, const record::Header& header, double seconds, OutputFile& out);
    void add(const PairSum& pair);
    void finish();

private:
    RowStyle style_;
    const record::Header& header_;
    double seconds_;
    OutputFile& out_;
    fmt::memory_buffer buffer_;
    Table table_;
};

}  // namespace carom::cli
