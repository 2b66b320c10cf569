// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/export_rows.h"

#include <algorithm>

#include "carom/record/file_lock.h"
#include "carom/record/layout_2.h"
#include "carom/record/layout_3.h"
#include "carom/record/tables.h"

namespace carom::record {
namespace {

template <class Work>
auto attempt(const std::filesystem::path& path, Work&& work) {
    const QuietHdf5 quiet;
    try {
        return work();
    } catch (const Failure& failure) {
        throw RecordError(path.string() + ": " + failure.what());
    }
}

Dataset open_table(hid_t file, TableId table) {
    switch (table) {
        case TableId::events:
            return {file, k_events, event_type()};
        case TableId::segments:
            return {file, k_segments, segment_type()};
        case TableId::lasting:
            return {file, k_lasting, lasting_type()};
        case TableId::forces:
            break;
    }
    return {file, k_forces, force_type()};
}

template <class Row>
void check_each(const void* rows, std::uint64_t count, std::size_t bodies) {
    const Row* row = static_cast<const Row*>(rows);
    for (std::uint64_t i = 0; i < count; ++i)
        static_cast<void>(from_row(row[i], bodies));
}

}  // namespace

RowSource::RowSource(const std::filesystem::path& path) : path_(path) {
    attempt(path_, [&] {
        contents_ = read_contents(path_);
        const FileStatus now = look_at_file(path_);
        if (now.device != contents_.status.device || now.node != contents_.status.node)
            throw Failure("was replaced by another file while it was being read");
        file_ = open_to_read(path_);
    });
}

TableLengths RowSource::lengths() const {
    const CommitRow& commit = contents_.commit;
    return {commit.events, commit.segments, commit.lasting, commit.forces};
}

std::optional<world::Audit> RowSource::audit() const {
    if (!contents_.audit) return {};
    const AuditRow& row = *contents_.audit;
    world::Audit audit;
    audit.energy_start = row.energy_start;
    audit.energy_end = row.energy_end;
    audit.energy_lost = row.energy_lost;
    audit.energy_gained = row.energy_gained;
    audit.driven = row.driven;
    audit.energy_residual = row.energy_residual;
    audit.momentum_residual = row.momentum_residual;
    audit.momentum_scale = row.momentum_scale;
    audit.max_overlap = row.max_overlap;
    audit.force_work_residual = row.force_work_residual;
    audit.force_work_scale = row.force_work_scale;
    return audit;
}

bool RowSource::is_written() const {
    return attempt(path_, [&] { return is_locked(path_); });
}

void RowSource::read(TableId table, std::uint64_t first, std::uint64_t count, void* rows) const {
    // files of version 1 do not have all tables
    if (count == 0) return;
    attempt(path_, [&] {
        if (table == TableId::lasting && contents_.preamble.version <= k_format_version_3) {
            std::vector<LastingRow3> old(static_cast<std::size_t>(count));
            Dataset(file_, k_lasting, lasting_type_3()).read(first, count, old.data());
            std::transform(old.begin(), old.end(), static_cast<LastingRow*>(rows),
                           [](const LastingRow3& row) { return to_this_version(row); });
            return;
        }
        if (table != TableId::forces || contents_.preamble.version != k_format_version_2) {
            open_table(file_, table).read(first, count, rows);
            return;
        }
        std::vector<ForceRow2> old(static_cast<std::size_t>(count));
        Dataset(file_, k_forces, force_type_2()).read(first, count, old.data());
        std::transform(old.begin(), old.end(), static_cast<ForceRow*>(rows),
                       [](const ForceRow2& row) { return to_this_version(row); });
    });
}

std::optional<StartingPoint> RowSource::starting_point(double t) const {
    if (contents_.preamble.version != k_format_version) return {};
    return attempt(path_, [&]() -> std::optional<StartingPoint> {
        const CommitRow& commit = contents_.commit;
        std::vector<CheckpointRow> rows(static_cast<std::size_t>(commit.checkpoints));
        Dataset(file_, k_checkpoints, checkpoint_type()).read(0, rows.size(), rows.data());
        for (std::size_t i = rows.size(); i > 0; --i) {
            const CheckpointRow& row = rows[i - 1];
            if (!(row.t < t)) continue;
            if (row.length > commit.checkpoint_bytes ||
                row.offset > commit.checkpoint_bytes - row.length || row.events > commit.events)
                throw Failure("a checkpoint is not as it should be: the file is damaged");
            StartingPoint point{row.t, i, row.events, {}};
            point.bytes.resize(static_cast<std::size_t>(row.length));
            Dataset(file_, k_checkpoint_bytes, byte_type())
                .read(row.offset, row.length, point.bytes.data());
            return point;
        }
        return {};
    });
}

void check_rows(TableId table, const void* rows, std::uint64_t count, std::size_t bodies) {
    switch (table) {
        case TableId::events:
            return check_each<EventRow>(rows, count, bodies);
        case TableId::segments:
            return check_each<SegmentRow>(rows, count, bodies);
        case TableId::forces:
            return check_each<ForceRow>(rows, count, bodies);
        case TableId::lasting:
            return;
    }
}

}  // namespace carom::record
