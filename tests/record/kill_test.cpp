// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/record/broken_disk.h"
#include "tests/record/feed.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;
using record::Recording;
using record::Writer;

constexpr std::uint64_t k_told = 400, k_checkpoint_every = 150;
// with the rows of lasting contact and forces: every 80 events or so
constexpr Writer::Options k_short_commits{.commit_events = 160};

// Runs the work in a process of its own; false when that was killed.
bool survives(const std::function<void()>& work, std::uint64_t kill_after_us = 0) {
    const pid_t child = fork();
    if (child == 0) {
        try {
            work();
        } catch (...) {
            _exit(1);
        }
        _exit(0);
    }
    if (kill_after_us != 0) {
        usleep(static_cast<useconds_t>(kill_after_us));
        kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << "the child failed";
    return !WIFSIGNALED(status);
}

class KillTest : public RecordTest {
protected:
    KillTest() {
        mend_disk();
        feed_.record(file("whole.h5"), k_told, k_checkpoint_every, k_short_commits);
        writes_ = writes_so_far();
        digest_ = Recording(file("whole.h5")).digest();
    }

    void go_on(const fs::path& path, Trouble trouble = Trouble::none, std::uint64_t nth = 0) {
        const std::uint64_t next = Feed::next_event(Recording(path));
        trouble_at(nth, trouble);
        Writer writer = Writer::resume(path);
        feed_.tell(writer, next, k_told, k_checkpoint_every);
        feed_.finish(writer, k_told);
        mend_disk();
    }

    // As any other program may open it: HDF5's own modes and locks.
    static void expect_plain_open(const fs::path& path, unsigned mode) {
        const hid_t plain = H5Fopen(path.c_str(), H5F_ACC_RDONLY | mode, H5P_DEFAULT);
        EXPECT_GE(plain, 0);
        H5Fclose(plain);
    }

    // The recording of a killed process opens, tells the truth, and becomes whole by a resume.
    void expect_recovers(const fs::path& path) {
        bool finished = false;
        {
            const Recording recording(path);
            feed_.expect_held(recording);
            finished = recording.progress().finished;
        }
        if (!finished) {
            expect_plain_open(path, H5F_ACC_SWMR_READ);
            go_on(path);
            expect_plain_open(path, 0);
        }
        const Recording recording(path);
        EXPECT_TRUE(recording.progress().finished);
        feed_.expect_held(recording);
        EXPECT_EQ(recording.digest(), digest_);
    }

    std::uint64_t digest_ = 0;
    std::uint64_t writes_ = 0;  // of a whole run
};

TEST_F(KillTest, AtEveryWriteOfARun) {
    const std::uint64_t writes = writes_;
    ASSERT_GT(writes, 100U);
    std::uint64_t opened = 0;
    for (std::uint64_t n = 1; n <= writes; ++n) {
        SCOPED_TRACE("write " + std::to_string(n) + " of " + std::to_string(writes));
        const fs::path path = file(std::to_string(n) + ".h5");
        const Trouble trouble = n % 2 == 0 ? Trouble::kill : Trouble::kill_within;
        survives([&] {
            trouble_at(n, trouble);
            feed_.record(path, k_told, k_checkpoint_every, k_short_commits);
        });
        if (fs::exists(path)) {
            ++opened;
            expect_recovers(path);
        } else {
            // what was being built does not stand in the way of the next run
            feed_.record(path, k_told, k_checkpoint_every, k_short_commits);
            EXPECT_EQ(Recording(path).digest(), digest_);
        }
        if (HasFailure()) break;
        fs::remove(path);
    }
    EXPECT_GT(opened, writes / 2);
}

TEST_F(KillTest, AtAnyWriteOfAResume) {
    Random random(4);
    for (int i = 0; i < 60; ++i) {
        // most often the file is there when the first comes, and not yet finished
        const std::uint64_t first = writes_ / 3 + random.bits() % (2 * writes_ / 3);
        const std::uint64_t second = 1 + random.bits() % (2 * writes_ / 3);
        SCOPED_TRACE("writes " + std::to_string(first) + ", " + std::to_string(second));
        const fs::path path = file(std::to_string(i) + ".h5");
        const bool whole = survives([&] {
            trouble_at(first, Trouble::kill);
            feed_.record(path, k_told, k_checkpoint_every, k_short_commits);
        });
        if (whole || !fs::exists(path) || Recording(path).progress().finished) continue;
        survives([&] { go_on(path, Trouble::kill, second); });
        expect_recovers(path);
        if (HasFailure()) break;
        fs::remove(path);
    }
}

TEST_F(KillTest, AtAnyMoment) {
    Random random(7);
    int killed = 0;
    for (int i = 0; i < 50; ++i) {
        const fs::path path = file(std::to_string(i) + ".h5");
        const std::uint64_t us = 500 + random.bits() % 20'000;
        const bool whole =
            survives([&] { feed_.record(path, k_told, k_checkpoint_every, k_short_commits); }, us);
        killed += whole ? 0 : 1;
        if (fs::exists(path)) expect_recovers(path);
        if (HasFailure()) break;
    }
    EXPECT_GE(killed, 1);
}

TEST_F(KillTest, AReplacementNeverHarmsTheOldFile) {
    const std::string old = read_bytes(file("whole.h5"));
    mend_disk();
    feed_.record(file("count.h5"), 600, 100, k_short_commits);
    const std::uint64_t writes = writes_so_far();
    for (std::uint64_t n = 1; n <= writes; n += 3) {
        SCOPED_TRACE("write " + std::to_string(n));
        survives([&] {
            trouble_at(n, Trouble::kill);
            feed_.record(file("whole.h5"), 600, 100, {.force = true, .commit_events = 160});
        });
        EXPECT_TRUE(read_bytes(file("whole.h5")) == old);
        const fs::path part = file("whole.h5.part");
        if (fs::exists(part)) feed_.expect_held(Recording(part));
    }
    // an unfinished replacement can be gone on with, and then takes its place
    survives([&] {
        trouble_at(writes / 2, Trouble::kill);
        feed_.record(file("whole.h5"), 600, 100, {.force = true, .commit_events = 160});
    });
    ASSERT_TRUE(fs::exists(file("whole.h5.part")));
    const std::uint64_t next = Feed::next_event(Recording(file("whole.h5.part")));
    Writer writer = Writer::resume(file("whole.h5.part"));
    feed_.tell(writer, next, 600, 100);
    feed_.finish(writer, 600);
    EXPECT_FALSE(fs::exists(file("whole.h5.part")));
    EXPECT_EQ(Recording(file("whole.h5")).progress().events, 600U);
}

}  // namespace
}  // namespace carom::tests
