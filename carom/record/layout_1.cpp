// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/layout_1.h"

namespace carom::record {

Handle checkpoint_type_1() {
    using Row = CheckpointRow1;
    const hid_t u8 = H5T_STD_U64LE;
    return compound(sizeof(Row), {{"t", offsetof(Row, t), H5T_IEEE_F64LE},
                                  {"offset", offsetof(Row, offset), u8},
                                  {"length", offsetof(Row, length), u8},
                                  {"events", offsetof(Row, events), u8},
                                  {"segments", offsetof(Row, segments), u8}});
}

Handle commit_type_1() {
    using Row = CommitRow1;
    const hid_t u8 = H5T_STD_U64LE;
    return compound(sizeof(Row), {{"t", offsetof(Row, t), H5T_IEEE_F64LE},
                                  {"events", offsetof(Row, events), u8},
                                  {"segments", offsetof(Row, segments), u8},
                                  {"checkpoints", offsetof(Row, checkpoints), u8},
                                  {"checkpoint_bytes", offsetof(Row, checkpoint_bytes), u8},
                                  {"file_bytes", offsetof(Row, file_bytes), u8},
                                  {"finished", offsetof(Row, finished), u8},
                                  {"mark", offsetof(Row, mark), u8}});
}

std::uint64_t mark_of(const CommitRow1& row) {
    return hash_bytes(k_format_version_1, &row, offsetof(CommitRow1, mark));
}

CheckpointRow to_this_version(const CheckpointRow1& row) {
    return {row.t, row.offset, row.length, row.events, row.segments, 0, 0};
}

CommitRow to_this_version(const CommitRow1& row) {
    return {row.t,          row.events,   row.segments, 0, 0, row.checkpoints, row.checkpoint_bytes,
            row.file_bytes, row.finished, row.mark};
}

}  // namespace carom::record
