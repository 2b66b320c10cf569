// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Runs that are looked at while they go on.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/serve/served.h"

namespace carom::tests {
namespace {

// Reads a table bit by bit until the run is over.
std::string follow(const Served& served, const std::string& name, std::size_t row_bytes) {
    std::string all;
    for (bool running = true; running;) {
        running = served.get("/api/meta").at("running").get<bool>();
        all +=
            served.table("/api/table/" + name + "?from=" + std::to_string(all.size() / row_bytes));
        EXPECT_EQ(all.size() % row_bytes, 0U);
    }
    return all;
}

TEST(LiveRun, ManyReadersSeeTheRowsOfARecordedRun) {
    const ScratchFolder scratch;
    const std::string recording = record(scratch, "gas", gas(1.0));
    const Served served = serve_scene(gas(1.0));
    std::vector<std::string> events(3), segments(3);
    {
        std::vector<std::jthread> readers;
        for (std::size_t i = 0; i < 3; ++i) {
            readers.emplace_back([&, i] { events[i] = follow(served, "events", 160); });
            readers.emplace_back([&, i] { segments[i] = follow(served, "segments", 120); });
        }
    }
    const std::string expected_events = rows_of(recording, serve::TableId::events);
    const std::string expected_segments = rows_of(recording, serve::TableId::segments);
    EXPECT_GT(expected_events.size(), 160U * 100U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(events[i] == expected_events) << i;
        EXPECT_TRUE(segments[i] == expected_segments) << i;
    }
    const Json meta = served.get("/api/meta");
    EXPECT_EQ(meta.at("finished"), true);
    EXPECT_EQ(meta.at("end"), 1.0);
    EXPECT_TRUE(meta.at("audit").is_object());
}

TEST(LiveRun, EachBodyHasAMotionFromTheStart) {
    const Served served = serve_scene(gas(1000.0));
    EXPECT_GE(served.get("/api/meta").at("counts").at("segments"), 206);
    EXPECT_GE(served.table("/api/table/segments").size(), 206U * 120U);
}

TEST(LiveRun, StopsWhenItIsTold) {
    const Served served = serve_scene(gas(1000.0));
    EXPECT_EQ(served.get("/api/meta").at("running"), true);
    const auto began = std::chrono::steady_clock::now();
    served.session->stop();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
    const Json meta = served.get("/api/meta");
    EXPECT_EQ(meta.at("running"), false);
    EXPECT_EQ(meta.at("finished"), false);
    EXPECT_EQ(meta.at("error"), nullptr);
}

TEST(LiveRun, AFailureIsToldToThePage) {
    // a law for plane problems, and an impact that is none
    std::string scene = bouncing_ball();
    scene.replace(scene.find("e = 0.8"), 7, "law = \"planar\"\ne = 0.8");
    scene.replace(scene.find("{ type = \"sphere\", radius = 0.05 }"), 34,
                  "{ type = \"box\", size = [0.1, 0.2, 0.3] }\naxis = [1, 2, 3]\nangle = 40\n"
                  "velocity = [1, 2, 0]");
    const Served served = serve_scene(scene);
    const Json meta = served.wait_for("/api/meta");
    EXPECT_EQ(meta.at("finished"), false);
    ASSERT_TRUE(meta.at("error").is_string()) << meta;
    EXPECT_NE(meta.at("error").get<std::string>().find("planar"), std::string::npos)
        << meta.at("error");
    EXPECT_EQ(meta.at("counts").at("segments"), 2);
}

TEST(RecordingFeed, FollowsARecordingThatIsBeingWritten) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("gas.toml", gas(2.0));
    const std::string path = scratch.path("gas.carom");
    RunningCarom carom({"run", scene, "-o", path, "--quiet"}, scratch.path(""));
    while (!std::filesystem::exists(path) && carom.running())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const Served served = serve_recording(path);
    EXPECT_EQ(carom.wait().exit_code, 0);
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!served.get("/api/meta").at("finished").get<bool>() &&
           std::chrono::steady_clock::now() < latest)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const Json meta = served.get("/api/meta");
    EXPECT_EQ(meta.at("finished"), true);
    EXPECT_EQ(meta.at("running"), false);
    EXPECT_TRUE(served.table("/api/table/events") == rows_of(path, serve::TableId::events));
    EXPECT_TRUE(served.table("/api/table/segments") == rows_of(path, serve::TableId::segments));
}

TEST(RecordingFeed, LastingContactIsServedAsItIsRecorded) {
    const ScratchFolder scratch;
    const std::string path = scratch.path("platter.carom");
    ASSERT_EQ(run_carom({"run", "bowling", "--duration", "2", "--quiet", "-o", path}).exit_code, 0);
    const Served served = serve_recording(path);
    for (std::size_t i = 0; i < record::k_table_count; ++i) {
        EXPECT_TRUE(served.table("/api/table/" + std::string(record::k_table_names[i])) ==
                    rows_of(path, static_cast<serve::TableId>(i)))
            << record::k_table_names[i];
    }
}

TEST(RecordingFeed, RowsThatNoRunCanHaveWrittenAreRefused) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    std::string bytes = read_whole(path);
    const std::string rows = rows_of(path, serve::TableId::segments);
    const std::size_t at = bytes.find(rows.substr(rows.size() - 120));
    ASSERT_NE(at, std::string::npos);
    bytes[at + 8] = '\x7f';  // the body
    const std::string bad = scratch.write("bad.carom", bytes);
    EXPECT_THROW(serve_recording(bad), record::RecordError);
}

}  // namespace
}  // namespace carom::tests
