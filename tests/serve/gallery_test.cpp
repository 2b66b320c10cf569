// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The gallery of built-in scenes, and two runs beside each other.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/scene/built_in.h"
#include "carom/serve/scene_drawing.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

class GalleryTest : public testing::Test {
protected:
    GalleryTest() {
        serve::Shown shown;
        shown.gallery = std::make_shared<serve::Gallery>(
            [](const std::string& name) { return run_scene(scene::read_built_in(name)); });
        served_.server =
            std::make_unique<serve::Server>(k_test_pages, shown, serve::ServerOptions{});
    }
    httplib::Result open(const std::string& name) const {
        return served_.client().Post("/api/gallery/" + name, "{}", "application/json");
    }
    Served served_;
};

TEST_F(GalleryTest, HasEveryBuiltInScene) {
    EXPECT_EQ(served_.client().Get("/")->body, k_test_pages.gallery);
    EXPECT_EQ(served_.client().Get("/lab")->body, k_test_pages.lab);
    const Json scenes = served_.get("/api/gallery").at("scenes");
    ASSERT_EQ(scenes.size(), scene::built_in_scenes().size());
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const scene::Scene scene = scene::read_built_in(scene::built_in_scenes()[i].name);
        EXPECT_EQ(scenes[i].at("name"), scene::built_in_scenes()[i].name);
        EXPECT_EQ(scenes[i].at("title"), scene.title);
        EXPECT_EQ(scenes[i].at("expect"), scene.expect);
        EXPECT_EQ(scenes[i].at("duration"), scene.duration);
        EXPECT_GT(scenes[i].at("bodies"), 0);
    }
}

TEST_F(GalleryTest, ASceneRunsWhenItIsOpened) {
    served_.get("/scene/bounce/api/meta", 404);
    // its page leads to the gallery until then
    const auto before = served_.client().Get("/scene/bounce/");
    ASSERT_TRUE(before);
    EXPECT_EQ(before->status, 303);
    EXPECT_EQ(before->get_header_value("Location"), "/");
    const auto answer = open("bounce");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << answer->body;
    EXPECT_EQ(Json::parse(answer->body).at("folder"), "scene/bounce/");
    EXPECT_EQ(served_.client().Get("/scene/bounce/")->body, k_test_pages.viewer);
    const Json meta = served_.wait_for("/scene/bounce/api/meta");
    EXPECT_EQ(meta.at("finished"), true);
    EXPECT_EQ(meta.at("scene_name"), "bounce");
    const std::uint64_t events = meta.at("counts").at("events");
    EXPECT_EQ(served_.table("/scene/bounce/api/table/events").size(), 160 * events);
    // again: it is there already
    EXPECT_EQ(open("bounce")->status, 200);
    EXPECT_EQ(served_.get("/scene/bounce/api/meta").at("finished"), true);
    // and it has other futures
    const auto future = served_.client().Post(
        "/scene/bounce/api/whatif",
        R"({"event":0,"contact":{"materials":["default","default"],"law":"frictionless","e":0.5}})",
        "application/json");
    ASSERT_TRUE(future);
    EXPECT_EQ(future->status, 200) << future->body;
    served_.get("/scene/bounce/api/run/1/meta", 200);
}

TEST_F(GalleryTest, OnlySomeStayOpen) {
    const std::vector<std::string> names{"bounce", "ramp-slide", "particle-floor", "superball",
                                         "tumble"};
    ASSERT_EQ(names.size(), serve::Gallery::k_most_open + 1);
    for (const std::string& name : names)
        EXPECT_EQ(open(name)->status, 200) << name;
    served_.get("/scene/bounce/api/meta", 404);
    served_.get("/scene/tumble/api/meta", 200);
    served_.get("/scene/ramp-slide/api/meta", 200);
}

TEST_F(GalleryTest, OnlyScenesAreOpenedAndOnlyByAPost) {
    EXPECT_EQ(open("no-such-scene")->status, 404);
    EXPECT_EQ(open("..%2fetc")->status, 404);
    served_.get("/api/gallery/no-such-scene", 404);
    served_.get("/scene/no-such-scene/api/meta", 404);
    served_.get("/api/meta", 404);
    served_.get("/scene", 404);
    served_.get("/scene/bounce", 404);
    const auto form = served_.client().Post("/api/gallery/bounce", "x", "text/plain");
    ASSERT_TRUE(form);
    EXPECT_EQ(form->status, 415);
    EXPECT_EQ(served_.client()
                  .Post("/api/gallery/bounce", {{"Origin", "http://evil.example"}}, "{}",
                        "application/json")
                  ->status,
              403);
    served_.get("/scene/bounce/api/meta", 404);
}

// Everything that is drawn has a place, and what is free lies within the frame.
TEST_F(GalleryTest, EverySceneHasADrawing) {
    for (const scene::BuiltIn& built_in : scene::built_in_scenes()) {
        const Json drawing = served_.get("/api/gallery/" + std::string(built_in.name));
        const double width = drawing.at("width"), height = drawing.at("height");
        EXPECT_EQ(width, serve::k_drawing_width);
        std::size_t free = 0, inside = 0;
        for (const Json& item : drawing.at("items")) {
            EXPECT_LT(item.at("colour"), drawing.at("colours").size());
            const Json& points = item.contains("points") ? item.at("points")
                                 : item.contains("at")   ? item.at("at")
                                                         : item.at("from");
            ASSERT_GE(points.size(), 2U);
            bool in = true;
            for (std::size_t i = 0; i < points.size(); ++i) {
                ASSERT_TRUE(points[i].is_number()) << built_in.name;
                const double most = i % 2 == 0 ? width : height;
                in = in && points[i] >= 0.0 && points[i] <= most;
            }
            if (item.at("fixed").get<bool>()) continue;
            ++free;
            inside += in ? 1 : 0;
        }
        EXPECT_GT(free, 0U) << built_in.name;
        EXPECT_GE(4 * inside, 3 * free) << built_in.name;
    }
}

class CompareTest : public testing::Test {
protected:
    CompareTest() {
        serve::Shown shown;
        shown.compared = {{"first.carom", open_recording(record(scratch_, "a", bouncing_ball()))},
                          {"bounce", run_scene(scene::read_built_in("bounce"))}};
        served_.server =
            std::make_unique<serve::Server>(k_test_pages, shown, serve::ServerOptions{});
    }
    ScratchFolder scratch_;
    Served served_;
};

TEST_F(CompareTest, EachRunHasAFolder) {
    const auto page = served_.client().Get("/");
    EXPECT_EQ(page->body, k_test_pages.compare);
    const std::string policy = page->get_header_value("Content-Security-Policy");
    EXPECT_NE(policy.find("frame-src 'self'"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(page->get_header_value("X-Frame-Options"), "DENY");
    const Json runs = served_.get("/api/compare").at("runs");
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0], Json({{"folder", "a/"}, {"name", "first.carom"}}));
    EXPECT_EQ(runs[1], Json({{"folder", "b/"}, {"name", "bounce"}}));
    for (const char* path : {"/a/", "/b/"}) {
        const auto frame = served_.client().Get(path);
        EXPECT_EQ(frame->body, k_test_pages.viewer);
        EXPECT_NE(frame->get_header_value("Content-Security-Policy").find("frame-ancestors 'self'"),
                  std::string::npos);
        EXPECT_EQ(frame->get_header_value("X-Frame-Options"), "SAMEORIGIN");
    }
    EXPECT_EQ(served_.client().Get("/a/lab")->body, k_test_pages.lab);
    EXPECT_EQ(served_.get("/a/api/meta").at("title"), "A ball");
    EXPECT_EQ(served_.wait_for("/b/api/meta").at("scene_name"), "bounce");
    EXPECT_GT(served_.table("/a/api/table/events").size(), 160U);
    for (const char* path : {"/api/meta", "/c/", "/a", "/a/labs", "/a/api", "/scene/bounce/"})
        served_.get(path, 404);
}

// Run with pages or without: the call is looked at first.
TEST_F(CompareTest, WrongCallsAreRefused) {
    const std::string first = record(scratch_, "first", bouncing_ball());
    expect_refused({"view", first, "bounce", "--no-browser", "-o", scratch_.path("x.carom")},
                   {"for one scene"});
    expect_refused({"view", first, first, "--no-browser", "--duration", "1"}, {"for scenes"});
    expect_refused({"view", first, "no-such-scene", "--no-browser"}, {"no-such-scene"});
    expect_refused({"view", first, first, first, "--no-browser"}, {});
    expect_refused({"view", "--no-browser", "--duration", "1"}, {"name one"});
}

}  // namespace
}  // namespace carom::tests
