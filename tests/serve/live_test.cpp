// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Runs that are looked at while they go on.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "carom/cli/scene_source.h"
#include "carom/serve/run_loop.h"
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

// However long the run is to be, its first pieces are short.
TEST(LiveRun, OfALongTimeIsSeenAtOnce) {
    serve::Pieces pieces(0.0, 1e12);
    double t = 0.0;
    for (int i = 0; i < 5; ++i) {
        t = pieces.end_from(t);
        pieces.ran();
    }
    EXPECT_GT(t, 0.0);
    EXPECT_LT(t, 0.01);
    const Served served = serve_scene(gas(1e6));
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    Json meta = served.get("/api/meta");
    while (meta.at("counts").at("events") < 100 && std::chrono::steady_clock::now() < latest)
        meta = served.get("/api/meta");
    EXPECT_GE(meta.at("counts").at("events"), 100);
    EXPECT_GT(meta.at("end"), 0.0);
}

// What the page and the message say is what the recording has, however long the last piece was.
TEST(LiveRun, StopsAtTheTimeOfItsRecording) {
    const ScratchFolder scratch;
    const std::string path = scratch.path("gas.carom");
    scene::Scene scene = scene::read_scene_text(gas(1e6), "gas");
    const world::World world = scene::make_world(scene);
    const record::Header header = cli::header_of(scene, world, scene.duration);
    const auto session =
        serve::Session::of_scene(std::move(scene), header, record::Writer(path, header, world, {}));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    session->stop();
    const double end = session->data()->status().end;
    EXPECT_GT(end, 0.0);
    EXPECT_EQ(record::Recording(path).progress().time, end);
    EXPECT_EQ(record::Recording(path).progress().events, session->data()->status().rows[0]);
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
