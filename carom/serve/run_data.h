// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "carom/record/export_rows.h"
#include "carom/serve/row_table.h"
#include "carom/world/world.h"

namespace carom::serve {

using record::TableId;
using record::TableLengths;

// How far a run is, as pages are told.
struct RunStatus {
    TableLengths rows{};   // that may be read
    double end = 0.0;      // s, all until then is there
    bool running = false;  // more may come
    bool finished = false;
    std::optional<world::Audit> audit;  // of a finished one
    std::string error;                  // why it ended early, or empty
};

// A run as pages see it: the description of its scene and its tables, which one thread fills while
// others read. Segments that the page could not evaluate (kind `forced`) are not in the tables, but
// pieces that stand for them (forced_pieces.h).
class RunData {
public:
    // description: see description.h.
    explicit RunData(std::string description);

    const std::string& description() const { return description_; }
    RowTable& table(TableId id) { return tables_[static_cast<std::size_t>(id)]; }
    const RowTable& table(TableId id) const { return tables_[static_cast<std::size_t>(id)]; }
    TableLengths added() const;  // for the writer: rows there are, told or not

    RunStatus status() const;
    // From now on readers see this.
    void publish(const RunStatus& status);
    // All rows that were added, and a new end.
    void publish_rows(double end);

    // The segments of kind `forced` as they were told.
    void add_forced(const world::Segment& segment);
    std::vector<world::Segment> forced() const;

private:
    std::string description_;
    std::array<RowTable, record::k_table_count> tables_;
    mutable std::mutex mutex_;
    RunStatus status_;
    std::vector<world::Segment> forced_;
};

// All that is to be said of a run, as one JSON object (GET /api/meta).
std::string meta_text(const RunData& run);

}  // namespace carom::serve
