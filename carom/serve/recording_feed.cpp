// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/recording_feed.h"

#include <algorithm>
#include <limits>

#include "carom/record/layout.h"

namespace carom::serve {
namespace {

bool any_forces(const world::World& world) {
    return std::any_of(world.bodies().begin(), world.bodies().end(),
                       [](const world::Body& body) { return !body.forces.empty(); });
}

}  // namespace

RecordingFeed::RecordingFeed(std::filesystem::path path, const world::World& world,
                             std::shared_ptr<RunData> run)
    : path_(std::move(path)),
      world_(world),
      run_(std::move(run)),
      forced_(any_forces(world)),
      collector_(*run_, world.bodies(), world.settings().gravity),
      last_t0_(world.body_count(), -std::numeric_limits<double>::infinity()) {}

void RecordingFeed::update() {
    const std::lock_guard lock(reading_);
    const record::RowSource source(path_);
    RunStatus status = run_->status();
    status.running = source.is_written();
    const TableLengths lengths = source.lengths();
    const double end = source.contents().commit.t;
    // a resumed run gives up some rows before it writes the same ones again
    const bool behind = end < status.end || lengths[0] < status.rows[0];
    if (!behind) {
        try {
            read_table(source, TableId::events, lengths[0]);
            if (forced_) {
                read_forced_segments(lengths[1]);
                collector_.commit(end);
            } else {
                const std::uint64_t from = run_->table(TableId::segments).count();
                read_table(source, TableId::segments, lengths[1]);
                read_table(source, TableId::lasting, lengths[2]);
                check_segments(from);
            }
            read_table(source, TableId::forces, lengths[3]);
            if (lengths[1] > 0) check_bodies();
        } catch (const record::Failure& failure) {
            throw record::RecordError(path_.string() + ": " + failure.what());
        } catch (const std::invalid_argument& error) {
            // a segment of a kind that its body cannot have
            throw record::RecordError(path_.string() + ": " + error.what());
        }
        status.rows = run_->added();
        status.end = end;
    }
    status.finished = source.contents().commit.finished != 0;
    status.audit = source.audit();
    run_->publish(status);
}

void RecordingFeed::read_table(const record::RowSource& source, TableId id, std::uint64_t until) {
    RowTable& table = run_->table(id);
    while (table.count() < until) {
        const std::uint64_t first = table.count();
        std::uint64_t rows = 0;
        std::byte* room = table.extend(until - first, rows);
        source.read(id, first, rows, room);
        record::check_rows(id, room, rows, world_.body_count());
    }
}

void RecordingFeed::read_forced_segments(std::uint64_t until) {
    constexpr std::uint64_t k_block = 65'536;
    const record::Recording recording(path_);
    while (segments_read_ < until) {
        const auto block =
            recording.read_segments(segments_read_, std::min(k_block, until - segments_read_));
        for (const world::Segment& segment : block) {
            double& last = last_t0_[segment.body];
            if (!(segment.t0 >= last))
                throw record::Failure("segments are not in the order of time: the file is damaged");
            last = segment.t0;
            collector_.on_segment(segment);
        }
        segments_read_ += block.size();
    }
}

// The new segments, each body's in the order of time, and a row in /lasting for each that needs
// one.
void RecordingFeed::check_segments(std::uint64_t from) {
    const RowTable& segments = run_->table(TableId::segments);
    const RowTable& lasting = run_->table(TableId::lasting);
    segments.for_each<record::SegmentRow>(
        from, segments.count(), [&](std::uint64_t i, const record::SegmentRow& row) {
            double& last = last_t0_[row.body];
            if (!(row.t0 >= last))
                throw record::Failure("segments are not in the order of time: the file is damaged");
            last = row.t0;
            const auto kind = static_cast<world::SegmentKind>(row.kind);
            if (kind == world::SegmentKind::forced)
                throw record::Failure("a body without forces has a segment of kind 'forced'");
            if (!world::is_lasting(kind)) return;
            if (lasting_checked_ == lasting.count())
                throw record::Failure("/lasting ends too early: the file is damaged");
            world::Segment segment = record::from_row(row, world_.body_count());
            record::add_lasting(segment, lasting.row<record::LastingRow>(lasting_checked_), i);
            ++lasting_checked_;
        });
    if (lasting_checked_ != lasting.count())
        throw record::Failure("/lasting has rows without a segment: the file is damaged");
}

void RecordingFeed::check_bodies() const {
    for (world::BodyId id = 0; id < last_t0_.size(); ++id) {
        if (last_t0_[id] < 0.0)
            throw record::Failure("body '" + world_.body(id).name +
                                  "' has no motion at the start: the file is damaged");
    }
}

std::optional<record::StartingPoint> RecordingFeed::starting_point(double t) const {
    const std::lock_guard lock(reading_);
    return record::RowSource(path_).starting_point(t);
}

}  // namespace carom::serve
