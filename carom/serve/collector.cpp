// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/collector.h"

#include <stdexcept>
#include <string>

#include "carom/record/layout.h"

namespace carom::serve {

void Checkpoints::add(record::StartingPoint point) {
    const std::lock_guard lock(mutex_);
    bytes_ += point.bytes.size();
    points_.push_back(std::move(point));
    if (bytes_ <= k_most_bytes || points_.size() < 3) return;
    std::vector<record::StartingPoint> kept;
    bytes_ = 0;
    for (std::size_t i = 1; i < points_.size(); i += 2) {
        bytes_ += points_[i].bytes.size();
        kept.push_back(std::move(points_[i]));
    }
    points_ = std::move(kept);
}

std::optional<record::StartingPoint> Checkpoints::before(double t) const {
    const std::lock_guard lock(mutex_);
    for (auto point = points_.rbegin(); point != points_.rend(); ++point) {
        if (point->t < t) return *point;
    }
    return {};
}

Collector::Collector(RunData& run, std::span<const world::Body> bodies, const Vec3& gravity,
                     world::Listener* next)
    : run_(run),
      next_(next),
      pieces_(bodies, gravity, [this](const world::Segment& segment) { put(segment); }) {}

void Collector::bound(std::uint64_t most_bytes, ByteShare& share) {
    most_bytes_ = most_bytes;
    share_ = &share;
    keeps_checkpoints_ = false;
}

void Collector::count(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= most_bytes_) {
        if (share_ != nullptr) share_->use(bytes);
        return;
    }
    throw std::length_error("stopped: it has more than " + std::to_string(most_bytes_ >> 20U) +
                            " MiB of events and motions, which is all it may have here");
}

void Collector::put(const world::Segment& segment) {
    RowTable& segments = run_.table(TableId::segments);
    if (world::is_lasting(segment.kind)) {
        const record::LastingRow row = record::lasting_row(segment, segments.count());
        count(sizeof row + sizeof(record::SegmentRow));
        run_.table(TableId::lasting).append(&row);
    } else {
        count(sizeof(record::SegmentRow));
    }
    const record::SegmentRow row = record::to_row(segment);
    segments.append(&row);
}

void Collector::on_event(const world::Event& event) {
    const record::EventRow row = record::to_row(event);
    count(sizeof row);
    run_.table(TableId::events).append(&row);
    if (next_ != nullptr) next_->on_event(event);
}

void Collector::on_segment(const world::Segment& segment) {
    if (segment.kind == world::SegmentKind::forced) {
        count(sizeof segment);
        run_.add_forced(segment);
    }
    pieces_.add(segment);
    if (next_ != nullptr) next_->on_segment(segment);
}

void Collector::on_force(const world::ContactForce& force) {
    const record::ForceRow row = record::to_row(force);
    count(sizeof row);
    run_.table(TableId::forces).append(&row);
    if (next_ != nullptr) next_->on_force(force);
}

void Collector::on_whole(double t) {
    if (next_ != nullptr) next_->on_whole(t);
}

void Collector::on_checkpoint(double t, std::span<const std::uint8_t> bytes) {
    ++checkpoint_count_;
    if (keeps_checkpoints_) {
        checkpoints_.add({t,
                          checkpoint_count_,
                          run_.table(TableId::events).count(),
                          {bytes.begin(), bytes.end()}});
    }
    if (next_ != nullptr) next_->on_checkpoint(t, bytes);
}

void Collector::resume(const world::Segment& segment, double t) {
    run_.add_forced(segment);
    pieces_.resume(segment, t);
}

void Collector::commit(double t) {
    pieces_.advance(t);
    run_.publish_rows(t);
}

}  // namespace carom::serve
