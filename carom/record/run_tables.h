// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>

#include "carom/record/layout.h"
#include "carom/record/tables.h"

namespace carom::record {

// The tables that grow while a world runs, open for writing: events, segments and what else there
// is of those of lasting contact, contact forces, checkpoints. Rows wait in memory until write() or
// flush(). What goes to the file throws Failure when it cannot.
class RunTables {
public:
    RunTables() = default;
    // Goes on after so many rows.
    RunTables(hid_t file, const CommitRow& from);

    // Whether there is no room for another row of each table; then write() comes first.
    bool full() const;
    // Pre: not full.
    void add(const world::Event& event) { events_.add(to_row(event)); }
    void add(const world::Segment& segment);
    void add(const world::ContactForce& force) { forces_.add(to_row(force)); }
    // Its bytes go to the file at once.
    void add_checkpoint(double t, std::span<const std::uint8_t> bytes);

    // What waits goes to the file.
    void write();
    // The same, and all that describes the rows.
    void flush();

    // The lengths of all tables, with what waits. The other fields are zero.
    CommitRow lengths() const;
    // Rows of which a run that does not end tells ever more.
    std::uint64_t told() const { return events_.count() + lasting_.count() + forces_.count(); }

    // What HDF5 said.
    herr_t close() noexcept;

private:
    Tail<EventRow> events_;
    Tail<SegmentRow> segments_;
    Tail<LastingRow> lasting_;
    Tail<ForceRow> forces_;
    Tail<CheckpointRow> checkpoints_;
    Dataset checkpoint_bytes_;
    std::uint64_t checkpoint_size_ = 0;
};

}  // namespace carom::record
