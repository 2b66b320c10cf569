// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tests/record/broken_disk.h"
#include "tests/record/feed.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;
using record::Recording;
using record::Writer;

constexpr std::uint64_t k_events = 400, k_every = 150;
// with the rows of lasting contact and forces: every 80 events or so
constexpr Writer::Options k_options{.commit_events = 160};

// A disk that is full from any write on: one clear line, nothing printed, what was committed can be
// read, and when there is room again the run can go on.
TEST_F(RecordTest, AFullDiskIsTold) {
    mend_disk();
    feed_.record(file("whole.h5"), k_events, k_every, k_options);
    const std::uint64_t writes = writes_so_far();
    const std::uint64_t digest = Recording(file("whole.h5")).digest();
    for (std::uint64_t n = 1; n <= writes; ++n) {
        SCOPED_TRACE("write " + std::to_string(n) + " of " + std::to_string(writes));
        const fs::path path = file("a.h5");
        fs::remove(path);
        testing::internal::CaptureStderr();
        const std::string error = error_of([&] {
            fail_writes_from(n, ENOSPC);
            feed_.record(path, k_events, k_every, k_options);
        });
        mend_disk();
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        EXPECT_EQ(error.rfind(path.string() + ": ", 0), 0U) << error;
        EXPECT_NE(error.find("No space left on device"), std::string::npos) << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
        EXPECT_FALSE(fs::exists(file("a.h5.new")));
        if (!fs::exists(path)) continue;
        feed_.expect_held(Recording(path));
        if (!Recording(path).progress().finished) {
            const std::uint64_t next = Feed::next_event(Recording(path));
            Writer writer = Writer::resume(path);
            feed_.tell(writer, next, k_events, k_every);
            feed_.finish(writer, k_events);
        }
        EXPECT_EQ(Recording(path).digest(), digest);
        if (HasFailure()) break;
    }
}

TEST_F(RecordTest, OnceFailedAWriterStaysSo) {
    Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), k_options);
    feed_.tell(writer, 0, 50, 0);
    fail_writes_from(1, EIO);
    const std::string first = error_of([&] { writer.commit(1.0); });
    mend_disk();
    EXPECT_NE(first.find("Input/output error"), std::string::npos) << first;
    EXPECT_EQ(error_of([&] { writer.commit(1.0); }), first);
    EXPECT_EQ(error_of([&] { feed_.tell(writer, 50, 60, 0); }), first);
    EXPECT_EQ(error_of([&] { writer.on_checkpoint(1.0, Feed::checkpoint(50)); }), first);
    EXPECT_EQ(error_of([&] { writer.finish(1.0, {}); }), first);
}

TEST_F(RecordTest, ALimitOfTheFilesSizeIsTold) {
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{400'000, 400'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        const std::string error =
            error_of([&] { feed_.record(file("a.h5"), 100'000, 1000, k_options); });
        _exit(error.find("File too large") != std::string::npos ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const Recording recording(file("a.h5"));
    EXPECT_GT(recording.progress().events, 100U);
    EXPECT_FALSE(recording.progress().finished);
    feed_.expect_held(recording);
}

// A disk of a few hundred kilobytes, gone with this.
class SmallDisk {
public:
    explicit SmallDisk(const fs::path& path) : path_(path) {
        fs::create_directory(path);
        mounted_ = mount("tmpfs", path.c_str(), "tmpfs", 0, "size=400k") == 0;
    }
    ~SmallDisk() {
        if (mounted_) umount2(path_.c_str(), MNT_DETACH);
    }
    bool mounted() const { return mounted_; }

private:
    fs::path path_;
    bool mounted_ = false;
};

TEST_F(RecordTest, ASmallDiskIsTold) {
    const SmallDisk disk(folder() / "disk");
    if (!disk.mounted()) GTEST_SKIP() << "only the superuser can make a small disk";
    const fs::path path = folder() / "disk" / "a.h5";
    const std::string error = error_of([&] { feed_.record(path, 100'000, 1000, k_options); });
    EXPECT_NE(error.find("No space left on device"), std::string::npos) << error;
    const Recording recording(path);
    EXPECT_GT(recording.progress().events, 100U);
    feed_.expect_held(recording);
}

TEST_F(RecordTest, PlacesThatCannotBeWrittenAreRefused) {
    const auto refused = [&](const fs::path& path) {
        return error_of([&] { feed_.record(path, 1, 0, {.force = true}); });
    };
    EXPECT_EQ(refused(file("no/a.h5")), file("no/a.h5").string() +
                                            ": cannot be written: there is no folder " +
                                            file("no").string());
    EXPECT_EQ(refused(folder()),
              folder().string() + ": is a folder; a recording needs the name of a file");
    write_bytes(file("text"), "hello");
    EXPECT_NE(refused(file("text") / "a.h5").find("there is no folder"), std::string::npos);
    EXPECT_NE(refused("/proc/carom.h5").find("/proc/carom.h5: cannot be written: "),
              std::string::npos);
    EXPECT_NE(refused("/dev/null").find("is no ordinary file"), std::string::npos);
    EXPECT_EQ(read_bytes(file("text")), "hello");
}

TEST_F(RecordTest, ASecondWriterIsRefused) {
    Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), k_options);
    feed_.tell(writer, 0, 300, 100);
    const std::string told = file("a.h5").string() +
                             ": another program is writing it; wait until "
                             "it has ended";
    EXPECT_EQ(error_of([&] { Writer::resume(file("a.h5")); }), told);
    EXPECT_EQ(error_of([&] { feed_.record(file("a.h5"), 1, 0, {.force = true}); }), told);
    const pid_t child = fork();
    if (child == 0) {
        _exit(error_of([&] { Writer::resume(file("a.h5")); }) == told ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    feed_.tell(writer, 300, 600, 100);
    feed_.finish(writer, 600);
    feed_.expect_held(Recording(file("a.h5")));
}

}  // namespace
}  // namespace carom::tests
