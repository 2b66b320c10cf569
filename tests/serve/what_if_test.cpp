// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Another law from an event on: against runs of the changed scene, and what came before must stay.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/record/layout.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

using record::EventRow;
using record::SegmentRow;

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string request(std::uint64_t event, const std::string& rule) {
    return "{\"event\":" + std::to_string(event) + ",\"contact\":{" + rule + "}}";
}

// Starts one, waits for its end and gives the beginning of its paths.
std::string what_if(const Served& served, std::uint64_t event, const std::string& rule) {
    const Json answer = served.post_what_if(request(event, rule));
    const std::string path = "/api/run/" + std::to_string(answer.at("run").get<int>());
    const Json meta = served.wait_for(path + "/meta");
    EXPECT_EQ(meta.at("error"), nullptr) << meta.at("error");
    EXPECT_EQ(meta.at("finished"), true);
    EXPECT_EQ(meta.at("what_if").at("event"), event);
    return path;
}

void expect_same_events(const std::vector<EventRow>& is, const std::vector<EventRow>& should,
                        double tolerance) {
    ASSERT_EQ(is.size(), should.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        EXPECT_NEAR(is[i].t, should[i].t, tolerance) << i;
        EXPECT_EQ(is[i].kind, should[i].kind) << i;
        EXPECT_EQ(is[i].law, should[i].law) << i;
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(is[i].impulse[k], should[i].impulse[k], tolerance) << i;
    }
}

TEST(WhatIf, FromTheFirstImpactOnIsTheRunOfTheChangedScene) {
    const ScratchFolder scratch;
    const std::string changed =
        record(scratch, "changed", with(bouncing_ball(), "e = 0.8", "e = 0.5"));
    const Served served = serve_recording(record(scratch, "ball", bouncing_ball()));
    const std::string path =
        what_if(served, 0, R"("materials":["stone","rubber"],"law":"routh","e":0.5,"mu":0.5)");
    expect_same_events(rows_from<EventRow>(served.table(path + "/table/events")),
                       rows_from<EventRow>(rows_of(changed, serve::TableId::events)), 1e-9);
    const Json meta = served.get(path + "/meta");
    EXPECT_EQ(meta.at("end"), 2.5);
    bool told = false;
    for (const Json& contact : meta.at("contacts")) {
        if (contact.at("materials") == Json({"rubber", "stone"})) told = contact.at("e") == 0.5;
    }
    EXPECT_TRUE(told) << meta.at("contacts");
    EXPECT_EQ(served.get("/api/meta").at("contacts").at(0).at("e"), 0.8);
}

TEST(WhatIf, WhatCameBeforeStaysToTheBit) {
    for (const char* settings : {"", "checkpoint = 0.3\n", "contact = \"micro\"\n"}) {
        const ScratchFolder scratch;
        const std::string scene =
            with(bouncing_ball(), "duration = 2.5\n", std::string("duration = 2.5\n") + settings);
        const Served served = serve_recording(record(scratch, "ball", scene));
        const auto before = rows_from<EventRow>(served.table("/api/table/events"));
        ASSERT_GE(before.size(), 4U);
        // every third: the ball stops bouncing so high from the third impact on
        const std::string path =
            what_if(served, 2, R"("materials":["rubber","stone"],"law":"frictionless","e":0.25)");
        const auto after = rows_from<EventRow>(served.table(path + "/table/events"));
        ASSERT_GE(after.size(), 4U);
        EXPECT_EQ(std::memcmp(after.data(), before.data(), 2 * sizeof(EventRow)), 0);
        EXPECT_NEAR(after[2].t, before[2].t, 1e-12);
        EXPECT_EQ(after[2].law, static_cast<std::uint32_t>(impact::LawId::frictionless));
        const double speed = -before[2].u[2];
        EXPECT_NEAR(after[2].u_after[2], 0.25 * speed, 1e-9);
        EXPECT_NEAR(after[3].t - after[2].t, 2.0 * 0.25 * speed / 10.0, 1e-9);
        // segments of a body in the order of time, and numbered events before the moment
        const auto segments = rows_from<SegmentRow>(served.table(path + "/table/segments"));
        double last = 0.0;
        for (const SegmentRow& row : segments) {
            if (row.body != 0) continue;
            EXPECT_GE(row.t0, last);
            last = row.t0;
        }
        // by micro-collisions every event begins one
        const bool micro = std::string_view(settings).starts_with("contact");
        if (micro) {
            EXPECT_EQ(segments.size(), 2 + after.size());
        }
    }
}

TEST(WhatIf, WorksWhileTheRunGoesOn) {
    const Served served = serve_scene(gas(20.0));
    std::uint64_t events = 0;
    while (events < 200)
        events = served.get("/api/meta").at("counts").at("events");
    const Json answer = served.post_what_if(
        request(100, R"("materials":["default","default"],"law":"frictionless","e":0.5)"));
    const std::string path = "/api/run/" + std::to_string(answer.at("run").get<int>());
    std::string rows;
    while (rows.size() < 150 * sizeof(EventRow)) {
        const Json meta = served.get(path + "/meta");
        ASSERT_EQ(meta.at("error"), nullptr) << meta.at("error");
        rows = served.table(path + "/table/events");
        if (!meta.at("running").get<bool>()) break;
    }
    const auto is = rows_from<EventRow>(rows);
    const auto before = rows_from<EventRow>(served.table("/api/table/events"));
    ASSERT_GE(is.size(), 150U);
    EXPECT_EQ(std::memcmp(is.data(), before.data(), 100 * sizeof(EventRow)), 0);
    EXPECT_NEAR(is[100].restitution, 0.5, 1e-9);
    EXPECT_NEAR(before[100].restitution, 1.0, 1e-9);
}

TEST(WhatIf, AnEventAtTheVeryStartChangesAll) {
    const std::string scene = with(bouncing_ball(), "position = [0, 0, 1.05]",
                                   "position = [0, 0, 0.05]\nvelocity = [1, 0, -1]");
    const ScratchFolder scratch;
    const std::string changed = record(scratch, "changed", with(scene, "e = 0.8", "e = 0.5"));
    const Served served = serve_recording(record(scratch, "ball", scene));
    ASSERT_EQ(rows_from<EventRow>(served.table("/api/table/events")).at(0).t, 0.0);
    const std::string path =
        what_if(served, 0, R"("materials":["rubber","stone"],"law":"routh","e":0.5,"mu":0.5)");
    EXPECT_TRUE(served.table(path + "/table/events") == rows_of(changed, serve::TableId::events));
}

TEST(WhatIf, BodiesUnderForcesGoOnAsTheyDid) {
    const std::string scene = with(bouncing_ball(), "position = [0, 0, 1.05]",
                                   "position = [0, 0, 1.05]\nforces = [{ type = \"drag\", "
                                   "linear = 0.5 }]");
    const ScratchFolder scratch;
    const std::string changed = record(scratch, "changed", with(scene, "e = 0.8", "e = 0.5"));
    const Served served = serve_recording(record(scratch, "ball", scene));
    const std::string path =
        what_if(served, 0, R"("materials":["rubber","stone"],"law":"routh","e":0.5,"mu":0.5)");
    expect_same_events(rows_from<EventRow>(served.table(path + "/table/events")),
                       rows_from<EventRow>(rows_of(changed, serve::TableId::events)), 1e-9);
    // no motion is missing, and none is told twice
    const auto segments = rows_from<SegmentRow>(served.table(path + "/table/segments"));
    const auto lasting = rows_from<record::LastingRow>(served.table(path + "/table/lasting"));
    double end = 0.0;
    for (const record::LastingRow& row : lasting) {
        const SegmentRow& segment = segments.at(row.segment);
        ASSERT_EQ(segment.body, 0U);
        EXPECT_LE(segment.t0, end + 1e-12);
        EXPECT_GT(segment.t0, end - 0.3);
        end = row.t1;
    }
    EXPECT_NEAR(end, 2.5, 1e-12);
}

TEST(WhatIf, OnlyTheLastOnesAreKept) {
    const ScratchFolder scratch;
    const Served served = serve_recording(record(scratch, "ball", bouncing_ball()));
    const std::string rule = R"("materials":["rubber","stone"],"law":"frictionless","e":0.25)";
    for (std::size_t i = 1; i <= serve::WhatIfLimits{}.kept + 2; ++i)
        EXPECT_EQ(served.post_what_if(request(0, rule)).at("run"), i);
    served.get("/api/run/1/meta", 404);
    served.get("/api/run/2/meta", 404);
    served.get("/api/run/3/meta", 200);
    served.get("/api/run/10/meta", 200);
    served.get("/api/run/11/meta", 404);
}

TEST(WhatIf, ALawThatDoesNotApplyIsTold) {
    const ScratchFolder scratch;
    const std::string scene =
        with(bouncing_ball(), "{ type = \"sphere\", radius = 0.05 }",
             "{ type = \"box\", size = [0.1, 0.2, 0.3] }\naxis = [1, 2, 3]\nangle = 40\n"
             "velocity = [1, 2, 0]");
    const Served served = serve_recording(record(scratch, "ball", scene));
    const Json answer = served.post_what_if(
        request(0, R"("materials":["rubber","stone"],"law":"planar","e":0.5,"mu":0.5)"));
    const Json meta =
        served.wait_for("/api/run/" + std::to_string(answer.at("run").get<int>()) + "/meta");
    EXPECT_EQ(meta.at("finished"), false);
    EXPECT_TRUE(meta.at("error").is_string()) << meta.at("error");
}

}  // namespace
}  // namespace carom::tests
