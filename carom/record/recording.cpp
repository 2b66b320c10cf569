// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/recording.h"

#include <algorithm>

#include "carom/record/body_tables.h"
#include "carom/record/layout_1.h"
#include "carom/record/layout_2.h"
#include "carom/record/layout_3.h"
#include "carom/record/reader.h"
#include "carom/record/tables.h"

namespace carom::record {
namespace fs = std::filesystem;
namespace {

// Rows that are read at once: about a megabyte.
constexpr std::uint64_t k_block = 8192;

world::Audit audit_of(const AuditRow& row) {
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

// Gives each block of rows to `use` as a span.
template <class Row, class Use>
void for_blocks(const Dataset& dataset, std::uint64_t first, std::uint64_t count, Use&& use) {
    std::vector<Row> rows(static_cast<std::size_t>(std::min(count, k_block)));
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t now = std::min(count - done, k_block);
        dataset.read(first + done, now, rows.data());
        use(std::span<const Row>(rows.data(), static_cast<std::size_t>(now)));
        done += now;
    }
}

template <class Row, class Item>
std::vector<Item> read_items(const Dataset& dataset, std::uint64_t first, std::uint64_t count,
                             std::size_t bodies) {
    std::vector<Item> items;
    items.reserve(static_cast<std::size_t>(count));
    for_blocks<Row>(dataset, first, count, [&](std::span<const Row> rows) {
        for (const Row& row : rows)
            items.push_back(from_row(row, bodies));
    });
    return items;
}

// The place of the first row in /lasting that is of segment `first` or of a later one: they are in
// the order of their segments.
template <class Row>
std::uint64_t first_lasting(const Dataset& lasting, std::uint64_t rows, std::uint64_t first) {
    std::uint64_t low = 0, high = rows;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        Row row;
        lasting.read(middle, 1, &row);
        if (row.segment < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

LastingRow to_this_version(const LastingRow& row) {
    return row;
}

// Completes the segments from number `first` on with their rows in /lasting, of which there are
// `rows`.
template <class Row>
void add_lasting_rows(const Dataset& lasting, std::uint64_t rows, std::uint64_t first,
                      const std::vector<std::size_t>& places,
                      std::vector<world::Segment>& segments) {
    const std::uint64_t begin = first_lasting<Row>(lasting, rows, first);
    const std::uint64_t end = first_lasting<Row>(lasting, rows, first + segments.size());
    if (end - begin != places.size()) {
        throw Failure(std::string(k_lasting) +
                      " does not have a row for each segment of lasting contact: the file is "
                      "damaged");
    }
    auto place = places.begin();
    for_blocks<Row>(lasting, begin, places.size(), [&](std::span<const Row> block) {
        for (const Row& row : block) {
            add_lasting(segments[*place], to_this_version(row), first + *place);
            ++place;
        }
    });
}

void add_lasting_rows(hid_t file, std::uint32_t version, std::uint64_t rows, std::uint64_t first,
                      std::vector<world::Segment>& segments) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (world::is_lasting(segments[i].kind)) places.push_back(i);
    }
    // without rows there need not be a table, as in files of version 1
    if (rows == 0 && places.empty()) return;
    if (version <= k_format_version_3) {
        const Dataset lasting(file, k_lasting, lasting_type_3());
        add_lasting_rows<LastingRow3>(lasting, rows, first, places, segments);
    } else {
        const Dataset lasting(file, k_lasting, lasting_type());
        add_lasting_rows<LastingRow>(lasting, rows, first, places, segments);
    }
}

std::uint64_t hash_text(std::uint64_t hash, const std::string& text) {
    return hash_bytes(hash, text.data(), text.size());
}

std::uint64_t hash_preamble(const Preamble& preamble) {
    const Header& header = preamble.header;
    std::uint64_t hash = hash_text(preamble.version, header.scene_text);
    hash = hash_text(hash, header.version);
    hash = hash_bytes(hash, &header.duration, sizeof header.duration);
    for (std::size_t i = 0; i < header.body_names.size(); ++i) {
        hash = hash_text(hash, header.body_names[i]);
        hash = hash_text(hash, header.body_materials[i]);
    }
    hash = hash_text(hash, preamble.settings);
    return hash_text(hash, preamble.contacts);
}

}  // namespace

// The file is open only while something is read from it, so that a writer of the same process can
// go on with it.
class Recording::File {
public:
    explicit File(const fs::path& path);

    std::vector<world::Event> read_events(std::uint64_t first, std::uint64_t count) const;
    std::vector<world::Segment> read_segments(std::uint64_t first, std::uint64_t count) const;
    std::vector<world::ContactForce> read_forces(std::uint64_t first, std::uint64_t count) const;
    std::vector<RecordedBody> read_bodies() const;
    Checkpoint last_checkpoint() const;
    std::uint64_t digest() const;

    Contents contents;
    Progress progress;
    std::optional<world::Audit> audit;
    std::optional<Totals> totals;
    std::optional<std::vector<world::Event>> events;
    std::optional<std::vector<world::Segment>> segments;
    std::optional<std::vector<world::ContactForce>> forces;

private:
    template <class Work>
    auto attempt(Work&& work) const;
    Handle open() const;
    std::size_t bodies() const { return contents.preamble.header.body_names.size(); }

    fs::path path_;
};

template <class Work>
auto Recording::File::attempt(Work&& work) const {
    const QuietHdf5 quiet;
    try {
        return work();
    } catch (const Failure& failure) {
        throw RecordError(path_.string() + ": " + failure.what());
    }
}

Recording::File::File(const fs::path& path) : path_(path) {
    attempt([&] { contents = read_contents(path); });
    const CommitRow& commit = contents.commit;
    progress = {commit.t,           commit.finished != 0, commit.events, commit.segments,
                commit.checkpoints, commit.lasting,       commit.forces};
    if (contents.audit) {
        audit = audit_of(*contents.audit);
        totals = {contents.audit->events, contents.audit->impacts, contents.audit->micro,
                  contents.audit->checks};
    }
}

Handle Recording::File::open() const {
    const FileStatus now = look_at_file(path_);
    if (now.device != contents.status.device || now.node != contents.status.node)
        throw Failure("was replaced by another file while it was being read");
    return open_to_read(path_);
}

std::vector<world::Event> Recording::File::read_events(std::uint64_t first,
                                                       std::uint64_t count) const {
    return attempt([&] {
        const Handle file = open();
        first = std::min(first, progress.events);
        return read_items<EventRow, world::Event>(Dataset(file, k_events, event_type()), first,
                                                  std::min(count, progress.events - first),
                                                  bodies());
    });
}

std::vector<world::Segment> Recording::File::read_segments(std::uint64_t first,
                                                           std::uint64_t count) const {
    return attempt([&] {
        const Handle file = open();
        first = std::min(first, progress.segments);
        std::vector<world::Segment> items = read_items<SegmentRow, world::Segment>(
            Dataset(file, k_segments, segment_type()), first,
            std::min(count, progress.segments - first), bodies());
        add_lasting_rows(file, contents.preamble.version, progress.lasting, first, items);
        return items;
    });
}

std::vector<world::ContactForce> Recording::File::read_forces(std::uint64_t first,
                                                              std::uint64_t count) const {
    return attempt([&]() -> std::vector<world::ContactForce> {
        // in files of version 1 there is no such table
        if (progress.forces == 0) return {};
        const Handle file = open();
        first = std::min(first, progress.forces);
        count = std::min(count, progress.forces - first);
        if (contents.preamble.version == k_format_version_2) {
            std::vector<world::ContactForce> items;
            const Dataset table(file, k_forces, force_type_2());
            for_blocks<ForceRow2>(table, first, count, [&](std::span<const ForceRow2> rows) {
                for (const ForceRow2& row : rows)
                    items.push_back(from_row(to_this_version(row), bodies()));
            });
            return items;
        }
        return read_items<ForceRow, world::ContactForce>(Dataset(file, k_forces, force_type()),
                                                         first, count, bodies());
    });
}

std::vector<RecordedBody> Recording::File::read_bodies() const {
    if (contents.preamble.version <= k_format_version_2) return {};
    return attempt([&] { return record::read_bodies(open(), contents.status.bytes); });
}

Recording::Checkpoint Recording::File::last_checkpoint() const {
    if (!contents.checkpoint) return {};
    const CheckpointRow& row = *contents.checkpoint;
    Checkpoint checkpoint{row.t, row.events, row.segments, row.forces, {}};
    attempt([&] {
        const Handle file = open();
        checkpoint.bytes.resize(static_cast<std::size_t>(row.length));
        Dataset(file, k_checkpoint_bytes, byte_type())
            .read(row.offset, row.length, checkpoint.bytes.data());
    });
    return checkpoint;
}

std::uint64_t Recording::File::digest() const {
    return attempt([&] {
        const Handle file = open();
        std::uint64_t hash = hash_preamble(contents.preamble);
        // row by row, so that it does not matter in which blocks they are read
        const auto add = [&hash](const auto& rows) {
            for (const auto& row : rows)
                hash = hash_bytes(hash, &row, sizeof row);
        };
        for_blocks<EventRow>(Dataset(file, k_events, event_type()), 0, progress.events, add);
        for_blocks<SegmentRow>(Dataset(file, k_segments, segment_type()), 0, progress.segments,
                               add);
        if (contents.preamble.version == k_format_version_1) return hash;
        if (contents.preamble.version <= k_format_version_3) {
            const Dataset table(file, k_lasting, lasting_type_3());
            for_blocks<LastingRow3>(table, 0, progress.lasting, add);
        } else {
            const Dataset table(file, k_lasting, lasting_type());
            for_blocks<LastingRow>(table, 0, progress.lasting, add);
        }
        if (contents.preamble.version == k_format_version_2) {
            const Dataset table(file, k_forces, force_type_2());
            for_blocks<ForceRow2>(table, 0, progress.forces, add);
            return hash;
        }
        for_blocks<ForceRow>(Dataset(file, k_forces, force_type()), 0, progress.forces, add);
        return hash;
    });
}

Recording::Recording(const fs::path& path) : file_(std::make_unique<File>(path)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

const Header& Recording::header() const {
    return file_->contents.preamble.header;
}

const std::string& Recording::settings() const {
    return file_->contents.preamble.settings;
}

const std::string& Recording::contacts() const {
    return file_->contents.preamble.contacts;
}

const Progress& Recording::progress() const {
    return file_->progress;
}

const std::optional<world::Audit>& Recording::audit() const {
    return file_->audit;
}

const std::optional<Totals>& Recording::totals() const {
    return file_->totals;
}

const std::vector<world::Event>& Recording::events() const {
    if (!file_->events) file_->events = read_events(0, progress().events);
    return *file_->events;
}

const std::vector<world::Segment>& Recording::segments() const {
    if (!file_->segments) file_->segments = read_segments(0, progress().segments);
    return *file_->segments;
}

const std::vector<world::ContactForce>& Recording::forces() const {
    if (!file_->forces) file_->forces = read_forces(0, progress().forces);
    return *file_->forces;
}

std::vector<world::Event> Recording::read_events(std::uint64_t first, std::uint64_t count) const {
    return file_->read_events(first, count);
}

std::vector<world::Segment> Recording::read_segments(std::uint64_t first,
                                                     std::uint64_t count) const {
    return file_->read_segments(first, count);
}

std::vector<world::ContactForce> Recording::read_forces(std::uint64_t first,
                                                        std::uint64_t count) const {
    return file_->read_forces(first, count);
}

std::vector<RecordedBody> Recording::read_bodies() const {
    return file_->read_bodies();
}

Recording::Checkpoint Recording::last_checkpoint() const {
    return file_->last_checkpoint();
}

std::uint64_t Recording::digest() const {
    return file_->digest();
}

}  // namespace carom::record
