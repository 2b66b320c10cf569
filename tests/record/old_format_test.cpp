// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Recordings of old versions of the format: 1, from before there was lasting contact, 2, in which
// contact forces had one point for all of their interval, and 3, whose audit did not judge them.

#include <hdf5.h>
#include <cstring>

#include <cmath>

#include "carom/record/export_rows.h"
#include "carom/record/layout_1.h"
#include "carom/record/layout_2.h"
#include "carom/record/layout_3.h"
#include "tests/record/feed.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;
using record::Recording;
using record::Writer;

constexpr std::uint64_t k_events_then = 200, k_checkpoint = 150;

void write_rows(hid_t file, const char* name, hid_t type, hsize_t count, const void* rows) {
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows), 0);
    H5Dclose(set);
    H5Sclose(space);
}

// The attributes by which the format is known.
void write_format(hid_t from, hid_t to, std::uint32_t version) {
    const hid_t format = H5Aopen(from, "format", H5P_DEFAULT);
    const hid_t type = H5Aget_type(format), space = H5Aget_space(format);
    std::vector<char> text(H5Tget_size(type));
    H5Aread(format, type, text.data());
    const hid_t copy = H5Acreate2(to, "format", type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(copy, type, text.data());
    const hid_t number =
        H5Acreate2(to, "format_version", H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(number, H5T_NATIVE_UINT32, &version);
    for (const hid_t attribute : {format, copy, number})
        H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
}

// The audit as versions 1 to 3 had it.
void write_audit_3(hid_t to, const world::Audit& audit) {
    const record::AuditRow3 row{audit.energy_start,
                                audit.energy_end,
                                audit.energy_lost,
                                audit.energy_gained,
                                audit.driven,
                                audit.energy_residual,
                                audit.momentum_residual,
                                audit.momentum_scale,
                                audit.max_overlap,
                                1,
                                2,
                                3,
                                4};
    write_rows(to, "/audit", record::audit_type_3(), 1, &row);
}

class OldFormatTest : public RecordTest {
protected:
    OldFormatTest() {
        Writer writer(file("new.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
        for (std::uint64_t i = 0; i < k_events_then; ++i) {
            if (i == k_checkpoint) writer.on_checkpoint(feed_.event(i).t, Feed::checkpoint(i));
            writer.on_event(feed_.event(i));
            writer.on_segment(segment(i));
        }
        feed_.finish(writer, k_events_then);
    }

    // There are no others in old files.
    world::Segment segment(std::uint64_t i) const {
        world::Segment segment = feed_.segment(i);
        segment.kind = static_cast<world::SegmentKind>(i % 3);
        segment.lasting = {};
        return segment;
    }

    // new.h5 as version 1 would have been; the last of its commits was not written to the end.
    void write_old(const fs::path& path, bool finished) {
        const hid_t from = H5Fopen(file("new.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
        const hid_t to = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
        for (const char* name : {"/header", "/events", "/segments", "/checkpoint_bytes"})
            EXPECT_GE(H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT), 0);
        write_audit_3(to, feed_.audit());
        write_format(from, to, 1);
        const std::uint64_t bytes = Feed::checkpoint(k_checkpoint).size();
        const record::CheckpointRow1 checkpoint{feed_.event(k_checkpoint).t, 0, bytes, k_checkpoint,
                                                k_checkpoint};
        write_rows(to, "/checkpoints", record::checkpoint_type_1(), 1, &checkpoint);
        record::CommitRow1 commits[2]{{feed_.event(k_events_then).t, k_events_then, k_events_then,
                                       1, bytes, 1, finished ? 1U : 0U, 0},
                                      {1e9, 1, 1, 1, 1, 1, 1, 1}};
        commits[0].mark = record::mark_of(commits[0]);
        write_rows(to, "/commits", record::commit_type_1(), 2, commits);
        H5Fclose(to);
        H5Pclose(list);
        H5Fclose(from);
    }
};

TEST_F(OldFormatTest, IsRead) {
    write_old(file("old.h5"), true);
    const Recording recording(file("old.h5"));
    EXPECT_TRUE(recording.progress().finished);
    EXPECT_EQ(recording.progress().time, feed_.event(k_events_then).t);
    EXPECT_EQ(recording.header().body_names, feed_.header().body_names);
    ASSERT_EQ(recording.events().size(), k_events_then);
    ASSERT_EQ(recording.segments().size(), k_events_then);
    for (std::uint64_t i = 0; i < k_events_then; ++i) {
        ASSERT_EQ(recording.events()[i].impulse, feed_.event(i).impulse);
        ASSERT_EQ(bits_of(recording.segments()[i]), bits_of(segment(i)));
    }
    EXPECT_TRUE(recording.forces().empty());
    EXPECT_EQ(recording.progress().lasting, 0U);
    EXPECT_EQ(recording.last_checkpoint().events, k_checkpoint);
    EXPECT_EQ(recording.last_checkpoint().bytes, Feed::checkpoint(k_checkpoint));
    EXPECT_EQ(recording.audit()->energy_start, feed_.audit().energy_start);
    EXPECT_NE(recording.digest(), Recording(file("new.h5")).digest()) << "it tells the version too";
}

TEST_F(OldFormatTest, IsNotGoneOnWith) {
    write_old(file("old.h5"), false);
    const std::string before = read_bytes(file("old.h5"));
    const std::string error = error_of([&] { Writer::resume(file("old.h5")); });
    EXPECT_EQ(error.rfind(file("old.h5").string() + ": has version 1 of the format", 0), 0U)
        << error;
    EXPECT_NE(error.find("run its scene again"), std::string::npos) << error;
    EXPECT_TRUE(read_bytes(file("old.h5")) == before);
    EXPECT_EQ(Recording(file("old.h5")).events().size(), k_events_then);
}

// Segments of lasting contact that no file of version 1 can have.
TEST_F(OldFormatTest, HasNoLastingContact) {
    fs::remove(file("new.h5"));
    {
        Writer writer(file("new.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
        for (std::uint64_t i = 0; i < k_events_then; ++i) {
            writer.on_event(feed_.event(i));
            writer.on_segment(feed_.segment(i));
        }
        writer.on_checkpoint(1.0, Feed::checkpoint(k_checkpoint));
        feed_.finish(writer, k_events_then);
    }
    write_old(file("old.h5"), true);
    EXPECT_NE(error_of([&] { Recording(file("old.h5")).segments(); }).find("damaged"),
              std::string::npos);
}

// The work of forces and moving bodies has one name in all that is written; early files of version
// 4 have another.
TEST_F(OldFormatTest, OfVersionFourTheFirstFilesSayDriven) {
    const double driven = Recording(file("new.h5")).audit()->driven;
    ASSERT_NE(driven, 0.0);
    {
        const hid_t now = H5Fopen(file("new.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t set = H5Dopen2(now, "/audit", H5P_DEFAULT), type = H5Dget_type(set);
        EXPECT_GE(H5Tget_member_index(type, "energy_driven"), 0);
        EXPECT_LT(H5Tget_member_index(type, "driven"), 0);
        record::AuditRow row{};
        H5Dread(set, record::audit_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &row);
        H5Tclose(type);
        H5Dclose(set);
        H5Ldelete(now, "/audit", H5P_DEFAULT);
        write_rows(now, "/audit", record::audit_type("driven"), 1, &row);
        H5Fclose(now);
    }
    EXPECT_EQ(Recording(file("new.h5")).audit()->driven, driven);
}

// The rows of /lasting as versions 2 and 3 have them.
void write_lasting_3(const record::RowSource& source, hid_t to) {
    const std::uint64_t count = source.contents().commit.lasting;
    std::vector<record::LastingRow> now(count);
    source.read(record::TableId::lasting, 0, count, now.data());
    std::vector<record::LastingRow3> rows(count);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&rows[i], &now[i], sizeof rows[i]);
    write_rows(to, "/lasting", record::lasting_type_3(), rows.size(), rows.data());
}

// A whole run with lasting contact and forces, as version 2 would have recorded it.
class SecondFormatTest : public RecordTest {
protected:
    SecondFormatTest() {
        feed_.record(file("new.h5"), k_events_then, k_checkpoint, {});
        forces_ = Recording(file("new.h5")).forces();
    }

    void write_old(const fs::path& path, bool finished) {
        const record::RowSource source(file("new.h5"));
        const hid_t from = H5Fopen(file("new.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
        const hid_t to = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
        for (const char* name :
             {"/header", "/events", "/segments", "/checkpoints", "/checkpoint_bytes"})
            EXPECT_GE(H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT), 0);
        write_lasting_3(source, to);
        write_audit_3(to, feed_.audit());
        write_format(from, to, 2);
        std::vector<record::ForceRow2> rows;
        for (const world::ContactForce& force : forces_) {
            record::ForceRow2& row = rows.emplace_back();
            row = {force.t0, force.t1, force.a, force.b, {}, {}, {}};
            for (int k = 0; k < 3; ++k) {
                row.point[k] = force.point[k];
                row.normal[k] = force.normal[k];
                row.impulse[k] = force.impulse[k];
            }
        }
        write_rows(to, "/forces", record::force_type_2(), rows.size(), rows.data());
        record::CommitRow commit = source.contents().commit;
        commit.file_bytes = 1;
        commit.finished = finished ? 1 : 0;
        commit.mark = record::mark_of(commit, 2);
        write_rows(to, "/commits", record::commit_type(), 1, &commit);
        H5Fclose(to);
        H5Pclose(list);
        H5Fclose(from);
    }

    std::vector<world::ContactForce> forces_;
};

TEST_F(SecondFormatTest, IsReadWithPointsThatStay) {
    write_old(file("old.h5"), true);
    const Recording recording(file("old.h5")), now(file("new.h5"));
    EXPECT_TRUE(recording.progress().finished);
    ASSERT_EQ(recording.events().size(), now.events().size());
    ASSERT_EQ(recording.segments().size(), now.segments().size());
    for (std::size_t i = 0; i < now.segments().size(); ++i)
        ASSERT_EQ(bits_of(recording.segments()[i]), bits_of(now.segments()[i]));
    ASSERT_GT(forces_.size(), 10U);
    ASSERT_EQ(recording.forces().size(), forces_.size());
    for (std::size_t i = 0; i < forces_.size(); ++i) {
        world::ContactForce expected = forces_[i];
        expected.point_end = expected.point;
        expected.follows = world::ForcePlace::line;
        expected.acts = world::ForceCourse::evenly;
        ASSERT_EQ(bits_of(recording.forces()[i]), bits_of(expected));
    }
    EXPECT_EQ(bits_of(recording.read_forces(3, 2).back()), bits_of(recording.forces()[4]));
    EXPECT_NE(recording.digest(), now.digest()) << "it tells the version too";
    // and in bulk
    std::vector<record::ForceRow> rows(forces_.size());
    record::RowSource(file("old.h5")).read(record::TableId::forces, 0, rows.size(), rows.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].point_end[2], forces_[i].point.z());
        ASSERT_EQ(rows[i].impulse[0], forces_[i].impulse.x());
    }
}

TEST_F(SecondFormatTest, IsNotGoneOnWith) {
    write_old(file("old.h5"), false);
    const std::string error = error_of([&] { Writer::resume(file("old.h5")); });
    EXPECT_EQ(error.rfind(file("old.h5").string() + ": has version 2 of the format", 0), 0U)
        << error;
}

// The same tables as today, but for the audit and the rows of lasting contact.
TEST_F(SecondFormatTest, OfVersionThreeAllButTheAuditAndLastingRowsIsTheSame) {
    const record::RowSource source(file("new.h5"));
    const hid_t from = H5Fopen(file("new.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t to = H5Fcreate(file("old.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
    for (const char* name :
         {"/header", "/events", "/segments", "/forces", "/checkpoints", "/checkpoint_bytes"})
        EXPECT_GE(H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT), 0);
    write_lasting_3(source, to);
    write_audit_3(to, feed_.audit());
    write_format(from, to, 3);
    record::CommitRow commit = source.contents().commit;
    commit.file_bytes = 1;
    commit.mark = record::mark_of(commit, 3);
    write_rows(to, "/commits", record::commit_type(), 1, &commit);
    H5Fclose(to);
    H5Pclose(list);
    H5Fclose(from);
    const Recording recording(file("old.h5"));
    ASSERT_EQ(recording.forces().size(), forces_.size());
    for (std::size_t i = 0; i < forces_.size(); ++i)
        ASSERT_EQ(bits_of(recording.forces()[i]), bits_of(forces_[i]));
    ASSERT_TRUE(recording.audit() && recording.totals());
    EXPECT_EQ(recording.audit()->max_overlap, feed_.audit().max_overlap);
    EXPECT_EQ(recording.totals()->impacts, 2U);
    EXPECT_TRUE(std::isnan(recording.audit()->force_work_residual)) << "it was not measured";
}

}  // namespace
}  // namespace carom::tests
