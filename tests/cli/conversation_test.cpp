// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// A program that writes a problem, waits for its answer and then writes the next.

#include "tests/cli/conversation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace carom::tests {
namespace {

using Json = nlohmann::json;

std::string impact_line(int id, double speed) {
    return fmt::format(
        R"({{"id":{},"law":"frictionless","e":0.5,"K":[[2,0,0],[0,2,0],[0,0,1]],"u":[0,0,{}]}})",
        id, -speed);
}

std::string touch_line(int id, double height) {
    return fmt::format(R"({{"id":{},"a":{{"shape":{{"type":"sphere","radius":0.5}},)"
                       R"("motion":{{"position":[0,0,{}],"velocity":[0,0,-1]}}}},)"
                       R"("b":{{"shape":{{"type":"plane"}}}},"until":100}})",
                       id, height);
}

TEST(Conversation, EachImpactIsAnsweredBeforeTheNextIsWritten) {
    Conversation carom({"impact", "--json"});
    double speed = 8.0;
    for (int id = 0; id < 4; ++id) {
        carom.write(impact_line(id, speed) + "\n");
        const auto line = carom.read_line();
        ASSERT_TRUE(line) << "no answer to problem " << id;
        const Json answer = Json::parse(*line);
        EXPECT_EQ(answer.at("id"), id);
        // the next problem is made of this answer
        const double after = answer.at("u_after")[2].get<double>();
        EXPECT_EQ(after, 0.5 * speed);
        speed = after;
    }
    EXPECT_EQ(carom.end(), 0);
    EXPECT_FALSE(carom.read_line());
}

TEST(Conversation, EachTouchIsAnsweredBeforeTheNextIsWritten) {
    Conversation carom({"touch", "--json"});
    for (int id = 0; id < 3; ++id) {
        carom.write(touch_line(id, 1.5 + id) + "\n");
        const auto line = carom.read_line();
        ASSERT_TRUE(line) << "no answer to problem " << id;
        EXPECT_NEAR(Json::parse(*line).at("t").get<double>(), 1.0 + id, 1e-9);
    }
    EXPECT_EQ(carom.end(), 0);
}

TEST(Conversation, AWrongLineIsAnsweredAtOnceToo) {
    Conversation carom({"impact", "--json"});
    carom.write("{\"id\":1}\n");
    const auto line = carom.read_line();
    ASSERT_TRUE(line);
    EXPECT_TRUE(Json::parse(*line).contains("error"));
    EXPECT_EQ(carom.end(), 2);
}

TEST(Conversation, AnswersToWholeLinesDoNotWaitForTheRestOfAnother) {
    Conversation carom({"impact", "--json"});
    const std::string third = impact_line(3, 1.0);
    carom.write(impact_line(1, 1.0) + "\n" + impact_line(2, 1.0) + "\n" + third.substr(0, 20));
    for (int id = 1; id <= 2; ++id) {
        const auto line = carom.read_line();
        ASSERT_TRUE(line) << id;
        EXPECT_EQ(Json::parse(*line).at("id"), id);
    }
    // the last line needs no line feed
    carom.write(third.substr(20));
    EXPECT_EQ(carom.end(), 0);
    const auto line = carom.read_line();
    ASSERT_TRUE(line);
    EXPECT_EQ(Json::parse(*line).at("id"), 3);
}

TEST(Conversation, ManyLinesInPiecesKeepTheirOrder) {
    Conversation carom({"impact", "--json"});
    constexpr int k_lines = 500;
    std::string all;
    for (int id = 0; id < k_lines; ++id)
        all += impact_line(id, 1.0 + id) + "\n";
    // pieces that end anywhere; the answers stay within what a pipe holds
    int next = 0;
    constexpr std::size_t k_piece = 1000;
    for (std::size_t at = 0; at < all.size(); at += k_piece) {
        const std::string_view piece = std::string_view(all).substr(at, k_piece);
        carom.write(piece);
        const auto whole = std::count(
            all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at + piece.size()), '\n');
        for (; next < whole; ++next) {
            const auto line = carom.read_line();
            ASSERT_TRUE(line) << next;
            ASSERT_EQ(Json::parse(*line).at("id"), next);
        }
    }
    EXPECT_EQ(next, k_lines);
    EXPECT_EQ(carom.end(), 0);
}

}  // namespace
}  // namespace carom::tests
