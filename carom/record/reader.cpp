// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/reader.h"

#include <cmath>
#include <string>

#include "carom/record/layout_1.h"
#include "carom/record/layout_2.h"
#include "carom/record/layout_3.h"
#include "carom/record/tables.h"

namespace carom::record {
namespace {

// The last row that is whole: a writer may have been killed in the middle of the very last.
template <class Row, class Mark>
std::optional<Row> last_whole_row(const Dataset& commits, Mark&& mark) {
    for (std::uint64_t i = commits.length(); i > 0; --i) {
        Row row{};
        commits.read(i - 1, 1, &row);
        if (row.mark == mark(row)) return row;
    }
    return {};
}

void read_last_commit(hid_t file, Contents& contents) {
    const bool old = contents.preamble.version == k_format_version_1;
    const Dataset commits(file, k_commits, old ? commit_type_1() : commit_type());
    contents.commit_rows = commits.length();
    const std::uint32_t version = contents.preamble.version;
    const auto mark = [](const CommitRow1& row) { return mark_of(row); };
    if (!old) {
        contents.commit = last_whole_row<CommitRow>(commits, [version](const CommitRow& row) {
                              return mark_of(row, version);
                          }).value_or(CommitRow{});
    } else if (const auto row = last_whole_row<CommitRow1>(commits, mark)) {
        contents.commit = to_this_version(*row);
    }
}

// A table must be as long as the commit says, and so must the file.
void check_length(hid_t file, const char* name, const Handle& type, std::uint64_t committed,
                  std::uint64_t file_bytes) {
    const Dataset dataset(file, name, type);
    if (committed > dataset.length() || committed > file_bytes / dataset.row_bytes())
        throw Failure(std::string(name) + " ends too early: the file is damaged or cut short");
}

Handle checkpoint_type_of(const Contents& contents) {
    return contents.preamble.version == k_format_version_1 ? checkpoint_type_1()
                                                           : checkpoint_type();
}

void check_lengths(hid_t file, const Contents& contents) {
    const CommitRow& commit = contents.commit;
    const std::uint64_t bytes = contents.status.bytes;
    if (commit.file_bytes > bytes) {
        throw Failure("is cut short: " + std::to_string(bytes) +
                      " bytes where there were at least " + std::to_string(commit.file_bytes));
    }
    check_length(file, k_events, event_type(), commit.events, bytes);
    check_length(file, k_segments, segment_type(), commit.segments, bytes);
    if (contents.preamble.version != k_format_version_1) {
        const bool third = contents.preamble.version <= k_format_version_3;
        check_length(file, k_lasting, third ? lasting_type_3() : lasting_type(), commit.lasting,
                     bytes);
        const bool second = contents.preamble.version == k_format_version_2;
        check_length(file, k_forces, second ? force_type_2() : force_type(), commit.forces, bytes);
    }
    check_length(file, k_checkpoints, checkpoint_type_of(contents), commit.checkpoints, bytes);
    check_length(file, k_checkpoint_bytes, byte_type(), commit.checkpoint_bytes, bytes);
    if (!std::isfinite(commit.t)) throw Failure("a commit has no time: the file is damaged");
}

std::optional<CheckpointRow> read_last_checkpoint(hid_t file, const Contents& contents) {
    const CommitRow& commit = contents.commit;
    if (commit.checkpoints == 0) return {};
    CheckpointRow row{};
    const Dataset checkpoints(file, k_checkpoints, checkpoint_type_of(contents));
    if (contents.preamble.version == k_format_version_1) {
        CheckpointRow1 old{};
        checkpoints.read(commit.checkpoints - 1, 1, &old);
        row = to_this_version(old);
    } else {
        checkpoints.read(commit.checkpoints - 1, 1, &row);
    }
    if (row.length > commit.checkpoint_bytes || row.offset > commit.checkpoint_bytes - row.length ||
        row.events > commit.events || row.segments > commit.segments ||
        row.lasting > commit.lasting || row.forces > commit.forces || !std::isfinite(row.t)) {
        throw Failure("a checkpoint is not as it should be: the file is damaged");
    }
    return row;
}

AuditRow read_audit(hid_t file, std::uint32_t version) {
    if (version <= k_format_version_3) {
        AuditRow3 old{};
        Dataset(file, k_audit, audit_type_3()).read(0, 1, &old);
        return to_this_version(old);
    }
    AuditRow row{};
    Dataset(file, k_audit, audit_type_of(file)).read(0, 1, &row);
    return row;
}

}  // namespace

Contents read_contents(const std::filesystem::path& path) {
    Contents contents;
    const Handle file = open_to_read(path);
    contents.preamble = read_preamble(file, look_at_file(path).bytes);
    read_last_commit(file, contents);
    // after the commit was read: it cannot be about what came later
    contents.status = look_at_file(path);
    check_lengths(file, contents);
    contents.checkpoint = read_last_checkpoint(file, contents);
    if (contents.commit.finished != 0) {
        contents.audit = read_audit(file, contents.preamble.version);
    }
    return contents;
}

}  // namespace carom::record
