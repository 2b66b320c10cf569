// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "carom/serve/collector.h"
#include "carom/serve/run_data.h"

namespace carom::serve {

// Brings what a recording holds into the tables of a run, and again what has been added to it
// since. The file is open only while it is read. Rows that no run can have written are refused, and
// so is a file that was replaced by another.
class RecordingFeed {
public:
    // world: of the scene in the recording, at time 0; must outlive this.
    RecordingFeed(std::filesystem::path path, const world::World& world,
                  std::shared_ptr<RunData> run);

    // Reads what is new and publishes it. Throws RecordError.
    void update();

    // The last checkpoint before t. For any thread.
    std::optional<record::StartingPoint> starting_point(double t) const;

private:
    void read_table(const record::RowSource& source, TableId id, std::uint64_t until);
    void read_forced_segments(std::uint64_t until);
    void check_segments(std::uint64_t from);
    void check_bodies() const;

    std::filesystem::path path_;
    const world::World& world_;
    std::shared_ptr<RunData> run_;
    bool forced_;                        // some bodies have forces
    Collector collector_;                // of their segments
    std::uint64_t segments_read_ = 0;    // of the recording
    std::uint64_t lasting_checked_ = 0;  // rows of /lasting
    std::vector<double> last_t0_;        // of each body's segments
    mutable std::mutex reading_;         // HDF5 is not for several threads
};

}  // namespace carom::serve
