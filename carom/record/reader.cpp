// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/reader.h"

#include <cmath>
#include <string>

#include "carom/record/tables.h"

namespace carom::record {
namespace {

// The last row that is whole: a writer may have been killed in the middle of the very last.
void read_last_commit(hid_t file, Contents& contents) {
    const Dataset commits(file, k_commits, commit_type());
    contents.commit_rows = commits.length();
    for (std::uint64_t i = commits.length(); i > 0; --i) {
        CommitRow row{};
        commits.read(i - 1, 1, &row);
        if (row.mark != mark_of(row)) continue;
        contents.commit = row;
        return;
    }
}

// A table must be as long as the commit says, and so must the file.
void check_length(hid_t file, const char* name, const Handle& type, std::uint64_t committed,
                  std::uint64_t file_bytes) {
    const Dataset dataset(file, name, type);
    if (committed > dataset.length() || committed > file_bytes / dataset.row_bytes())
        throw Failure(std::string(name) + " ends too early: the file is damaged or cut short");
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
    check_length(file, k_checkpoints, checkpoint_type(), commit.checkpoints, bytes);
    check_length(file, k_checkpoint_bytes, byte_type(), commit.checkpoint_bytes, bytes);
    if (!std::isfinite(commit.t)) throw Failure("a commit has no time: the file is damaged");
}

std::optional<CheckpointRow> read_last_checkpoint(hid_t file, const CommitRow& commit) {
    if (commit.checkpoints == 0) return {};
    CheckpointRow row{};
    Dataset(file, k_checkpoints, checkpoint_type()).read(commit.checkpoints - 1, 1, &row);
    if (row.length > commit.checkpoint_bytes || row.offset > commit.checkpoint_bytes - row.length ||
        row.events > commit.events || row.segments > commit.segments || !std::isfinite(row.t)) {
        throw Failure("a checkpoint is not as it should be: the file is damaged");
    }
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
    contents.checkpoint = read_last_checkpoint(file, contents.commit);
    if (contents.commit.finished != 0) {
        contents.audit.emplace();
        Dataset(file, k_audit, audit_type()).read(0, 1, &*contents.audit);
    }
    return contents;
}

}  // namespace carom::record
