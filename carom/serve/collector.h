// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "carom/serve/forced_pieces.h"
#include "carom/serve/run_data.h"
#include "carom/serve/what_if_limits.h"

namespace carom::serve {

// Checkpoints of a run that is not recorded. Of many only some are kept, evenly: any of them will
// do to go on from, an earlier one only takes longer. For several threads.
class Checkpoints {
public:
    void add(record::StartingPoint point);
    // The last one before t.
    std::optional<record::StartingPoint> before(double t) const;

private:
    static constexpr std::size_t k_most_bytes = std::size_t{128} << 20U;
    mutable std::mutex mutex_;
    std::vector<record::StartingPoint> points_;
    std::size_t bytes_ = 0;
};

// Puts what a world tells into the tables of a run, and passes it on.
class Collector : public world::Listener {
public:
    // All must outlive it; `next` may be null.
    Collector(RunData& run, std::span<const world::Body> bodies, const Vec3& gravity,
              world::Listener* next = nullptr);

    void on_event(const world::Event& event) override;
    void on_segment(const world::Segment& segment) override;
    void on_force(const world::ContactForce& force) override;
    void on_whole(double t) override;
    void on_checkpoint(double t, std::span<const std::uint8_t> bytes) override;

    // The run has too many rows when they have more than so many bytes, or than are left of the
    // share: then each on_... throws std::length_error. Its checkpoints are not kept. For a run
    // that somebody else asked for. The share must outlive it.
    void bound(std::uint64_t most_bytes, ByteShare& share);

    // The run goes on with a forced segment of which pieces until t are in the tables.
    void resume(const world::Segment& segment, double t);
    // All is known until t: readers may see it.
    void commit(double t);

    const Checkpoints& checkpoints() const { return checkpoints_; }

private:
    void count(std::size_t bytes);
    void put(const world::Segment& segment);

    RunData& run_;
    world::Listener* next_;
    ForcedPieces pieces_;
    std::uint64_t bytes_ = 0;  // of the rows that were added here
    std::uint64_t most_bytes_ = std::numeric_limits<std::uint64_t>::max();
    ByteShare* share_ = nullptr;
    bool keeps_checkpoints_ = true;
    Checkpoints checkpoints_;
    std::uint64_t checkpoint_count_ = 0;
};

}  // namespace carom::serve
