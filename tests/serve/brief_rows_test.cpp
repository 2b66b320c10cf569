// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Brief rows say what the whole ones do.

#include "carom/serve/brief_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "carom/serve/table_answer.h"
#include "carom/serve/what_if.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

template <class Row>
std::vector<Row> rows_from(const std::string& bytes) {
    std::vector<Row> rows(bytes.size() / sizeof(Row));
    EXPECT_EQ(bytes.size(), rows.size() * sizeof(Row));
    std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(Row));
    return rows;
}

class BriefRowsTest : public testing::Test {
protected:
    ScratchFolder scratch_;
    std::string recording_ = record(scratch_, "ball", bouncing_ball());
    Served served_ = serve_recording(recording_);
};

TEST_F(BriefRowsTest, EventsHaveTheirSizes) {
    const auto whole = rows_from<record::EventRow>(rows_of(recording_, serve::TableId::events));
    const auto brief = rows_from<serve::BriefEvent>(served_.table("/api/brief/events"));
    ASSERT_EQ(brief.size(), whole.size());
    bool approached = false;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(brief[i].t, whole[i].t);
        EXPECT_EQ(brief[i].a, whole[i].a);
        EXPECT_EQ(brief[i].b, whole[i].b);
        EXPECT_EQ(brief[i].kind, whole[i].kind);
        EXPECT_EQ(brief[i].law, whole[i].law);
        EXPECT_EQ(brief[i].energy_lost, whole[i].energy_lost);
        const auto& p = whole[i].impulse;
        EXPECT_DOUBLE_EQ(brief[i].impulse_size, std::hypot(p[0], p[1], p[2]));
        // the floor is level: the ball comes from above
        EXPECT_NEAR(brief[i].approach, -whole[i].u[2] * whole[i].normal[2], 1e-12);
        approached = approached || brief[i].approach > 1.0;
    }
    EXPECT_TRUE(approached);
}

TEST_F(BriefRowsTest, SegmentsHaveTheirBeginnings) {
    const auto whole = rows_from<record::SegmentRow>(rows_of(recording_, serve::TableId::segments));
    const auto brief = rows_from<serve::BriefSegment>(served_.table("/api/brief/segments"));
    ASSERT_EQ(brief.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(brief[i].t0, whole[i].t0);
        EXPECT_EQ(brief[i].body, whole[i].body);
        EXPECT_EQ(brief[i].kind, whole[i].kind);
    }
}

TEST_F(BriefRowsTest, RangesAreTakenAndNonsenseIsRefused) {
    const std::string all = served_.table("/api/brief/events");
    constexpr std::size_t k_width = sizeof(serve::BriefEvent);
    EXPECT_EQ(served_.table("/api/brief/events?from=1"), all.substr(k_width));
    EXPECT_EQ(served_.table("/api/brief/events?from=1&count=2"), all.substr(k_width, 2 * k_width));
    EXPECT_TRUE(served_.get("/api/brief/events?from=99999", 400).contains("error"));
    EXPECT_TRUE(served_.get("/api/brief/events?count=99999", 400).contains("error"));
    for (const char* none : {"lasting", "forces", "checkpoints"})
        EXPECT_TRUE(served_.get(std::string("/api/brief/") + none, 404).contains("error")) << none;
    EXPECT_TRUE(served_.get("/api/run/1/brief/events", 404).contains("error"));
}

// Tables lie in blocks, and an answer may be asked for from any row on.
TEST(BriefRows, AreTheSameInWhateverPiecesTheyAreWritten) {
    constexpr std::uint64_t k_rows = 2 * serve::RowTable::k_block_rows + 100;
    serve::RunData run("{}");
    for (std::uint64_t i = 0; i < k_rows; ++i) {
        record::SegmentRow row{};
        row.t0 = static_cast<double>(i);
        row.body = static_cast<std::uint32_t>(7 * i);
        run.table(serve::TableId::segments).append(&row);
    }
    const serve::RowRange range = serve::range_of(serve::TableId::segments, true, "3", {}, k_rows);
    ASSERT_EQ(range.bytes(), (k_rows - 3) * sizeof(serve::BriefSegment));
    std::string bytes;
    while (bytes.size() < range.bytes()) {
        EXPECT_TRUE(serve::write_rows(run, range, bytes.size(), range.bytes() - bytes.size(),
                                      [&](std::span<const std::byte> piece) {
                                          bytes.append(reinterpret_cast<const char*>(piece.data()),
                                                       piece.size());
                                          return !piece.empty();
                                      }));
    }
    const auto rows = rows_from<serve::BriefSegment>(bytes);
    ASSERT_EQ(rows.size(), k_rows - 3);
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].t0, static_cast<double>(i + 3));
        ASSERT_EQ(rows[i].body, static_cast<std::uint32_t>(7 * (i + 3)));
    }
    EXPECT_THROW(serve::range_of(serve::TableId::segments, true, "5", "x", 9), serve::RequestError);
}

}  // namespace
}  // namespace carom::tests
