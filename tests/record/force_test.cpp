// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <unistd.h>

#include <cerrno>

#include "tests/record/broken_disk.h"
#include "tests/record/feed.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;
using record::Recording;
using record::Writer;
using Names = std::vector<std::string>;

TEST_F(RecordTest, AnExistingFileIsRefused) {
    write_bytes(file("a.h5"), "precious");
    EXPECT_EQ(error_of([&] { feed_.record(file("a.h5"), 1, 0, {}); }),
              file("a.h5").string() + ": exists already; --force replaces it");
    EXPECT_EQ(read_bytes(file("a.h5")), "precious");
    EXPECT_EQ(files(), Names{"a.h5"});
    // a name that leads nowhere is taken too
    fs::create_symlink("nowhere", file("b.h5"));
    EXPECT_NE(error_of([&] { feed_.record(file("b.h5"), 1, 0, {}); }), "");
}

TEST_F(RecordTest, ForceReplacesOnlyInTheEnd) {
    write_bytes(file("a.h5"), "precious");
    {
        Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(),
                      {.force = true});
        EXPECT_EQ(writer.path(), file("a.h5"));
        feed_.tell(writer, 0, 300, 100);
        EXPECT_EQ(read_bytes(file("a.h5")), "precious");
        feed_.finish(writer, 300);
        EXPECT_EQ(files(), Names{"a.h5"});
    }
    feed_.expect_held(Recording(file("a.h5")));
    EXPECT_EQ(Recording(file("a.h5")).progress().events, 300U);
}

TEST_F(RecordTest, ForceWithoutAnOldFileIsAnOrdinaryRun) {
    feed_.record(file("a.h5"), 300, 100, {.force = true});
    feed_.record(file("b.h5"), 300, 100, {});
    EXPECT_TRUE(read_bytes(file("a.h5")) == read_bytes(file("b.h5")));
}

TEST_F(RecordTest, TheOldFileSurvivesAFullDisk) {
    feed_.record(file("a.h5"), 10, 0, {});
    const std::string old = read_bytes(file("a.h5"));
    for (const std::uint64_t n : {1U, 5U, 60U, 100U, 130U}) {
        const std::string error = error_of([&] {
            fail_writes_from(n, ENOSPC);
            feed_.record(file("a.h5"), 1000, 100, {.force = true, .commit_events = 50});
        });
        mend_disk();
        EXPECT_NE(error.find("No space left"), std::string::npos) << error;
        EXPECT_TRUE(read_bytes(file("a.h5")) == old);
    }
    feed_.record(file("a.h5"), 1000, 100, {.force = true, .commit_events = 50});
    EXPECT_EQ(Recording(file("a.h5")).progress().events, 1000U);
    EXPECT_EQ(files(), Names{"a.h5"});
}

TEST_F(RecordTest, AWriterThatIsDroppedCommitsFirst) {
    {
        Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
        feed_.tell(writer, 0, 777, 200);
    }
    const Recording recording(file("a.h5"));
    EXPECT_EQ(recording.progress().events, 777U);
    EXPECT_FALSE(recording.progress().finished);
    feed_.expect_held(recording);
}

TEST_F(RecordTest, ResumeGoesOnFromTheLastCheckpoint) {
    feed_.record(file("whole.h5"), 1000, 300, {});
    {
        Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
        feed_.tell(writer, 0, 700, 300);
    }
    const Recording before(file("a.h5"));
    EXPECT_EQ(before.progress().events, 700U);
    {
        Writer writer = Writer::resume(file("a.h5"));
        // nothing beyond the checkpoint is promised any more
        EXPECT_EQ(Recording(file("a.h5")).progress().events, 600U);
        EXPECT_EQ(Recording(file("a.h5")).progress().time, feed_.event(600).t);
        feed_.tell(writer, Feed::next_event(before), 1000, 300);
        feed_.finish(writer, 1000);
    }
    EXPECT_EQ(Recording(file("a.h5")).digest(), Recording(file("whole.h5")).digest());
}

TEST_F(RecordTest, ResumeWithoutACheckpointBeginsAnew) {
    {
        Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
        feed_.tell(writer, 0, 700, 0);
    }
    Writer writer = Writer::resume(file("a.h5"));
    EXPECT_EQ(Recording(file("a.h5")).progress().events, 0U);
    feed_.tell(writer, 0, 200, 0);
    feed_.finish(writer, 200);
    const Recording recording(file("a.h5"));
    EXPECT_EQ(recording.progress().events, 200U);
    feed_.expect_held(recording);
}

TEST_F(RecordTest, AFinishedRecordingIsNotResumed) {
    feed_.record(file("a.h5"), 100, 30, {});
    const std::string old = read_bytes(file("a.h5"));
    EXPECT_EQ(error_of([&] { Writer::resume(file("a.h5")); }),
              file("a.h5").string() + ": is finished: there is nothing to resume");
    EXPECT_TRUE(read_bytes(file("a.h5")) == old);
    EXPECT_NE(error_of([&] { Writer::resume(file("none.h5")); }).find("No such file"),
              std::string::npos);
}

TEST_F(RecordTest, DiscardLeavesNothing) {
    write_bytes(file("b.h5"), "precious");
    Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
    Writer other(file("b.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {.force = true});
    writer.discard();
    other.discard();
    EXPECT_EQ(files(), Names{"b.h5"});
    EXPECT_EQ(read_bytes(file("b.h5")), "precious");
    EXPECT_NE(error_of([&] { writer.commit(0.0); }), "");
}

}  // namespace
}  // namespace carom::tests
