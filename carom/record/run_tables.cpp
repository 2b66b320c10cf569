// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/run_tables.h"

#include <algorithm>

namespace carom::record {
namespace {

// Rows that wait in memory: less than a megabyte each.
constexpr std::size_t k_waiting_events = 4096, k_waiting_segments = 8192;
constexpr std::size_t k_waiting_lasting = 4096, k_waiting_forces = 8192;
constexpr std::size_t k_waiting_checkpoints = 16;

}  // namespace

RunTables::RunTables(hid_t file, const CommitRow& from)
    : events_(Dataset(file, k_events, event_type()), from.events, k_waiting_events),
      segments_(Dataset(file, k_segments, segment_type()), from.segments, k_waiting_segments),
      lasting_(Dataset(file, k_lasting, lasting_type()), from.lasting, k_waiting_lasting),
      forces_(Dataset(file, k_forces, force_type()), from.forces, k_waiting_forces),
      checkpoints_(Dataset(file, k_checkpoints, checkpoint_type()), from.checkpoints,
                   k_waiting_checkpoints),
      checkpoint_bytes_(file, k_checkpoint_bytes, byte_type()),
      checkpoint_size_(from.checkpoint_bytes) {}

bool RunTables::full() const {
    return events_.full() || segments_.full() || lasting_.full() || forces_.full() ||
           checkpoints_.full();
}

void RunTables::add(const world::Segment& segment) {
    if (world::is_lasting(segment.kind)) lasting_.add(lasting_row(segment, segments_.count()));
    segments_.add(to_row(segment));
}

void RunTables::add_checkpoint(double t, std::span<const std::uint8_t> bytes) {
    checkpoint_bytes_.write(checkpoint_size_, bytes.size(), bytes.data());
    checkpoints_.add({t, checkpoint_size_, bytes.size(), events_.count(), segments_.count(),
                      lasting_.count(), forces_.count()});
    checkpoint_size_ += bytes.size();
}

void RunTables::write() {
    events_.write();
    segments_.write();
    lasting_.write();
    forces_.write();
    checkpoints_.write();
}

void RunTables::flush() {
    events_.flush();
    segments_.flush();
    lasting_.flush();
    forces_.flush();
    checkpoint_bytes_.flush();
    checkpoints_.flush();
}

CommitRow RunTables::lengths() const {
    CommitRow row{};
    row.events = events_.count();
    row.segments = segments_.count();
    row.lasting = lasting_.count();
    row.forces = forces_.count();
    row.checkpoints = checkpoints_.count();
    row.checkpoint_bytes = checkpoint_size_;
    return row;
}

herr_t RunTables::close() noexcept {
    return std::min({events_.close(), segments_.close(), lasting_.close(), forces_.close(),
                     checkpoints_.close(), checkpoint_bytes_.close()});
}

}  // namespace carom::record
