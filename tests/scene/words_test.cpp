// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/words.h"

#include <gtest/gtest.h>

#include "carom/scene/toml_depth.h"

namespace carom::tests {
namespace {

using namespace scene;

constexpr std::string_view k_known[] = {"position", "velocity", "angular_velocity", "mass", "fixed",
                                        "e",        "mu"};

TEST(Words, NearestKnown) {
    EXPECT_EQ(nearest("postion", k_known), "position");
    EXPECT_EQ(nearest("psoition", k_known), "position");  // swapped neighbours
    EXPECT_EQ(nearest("velocity", k_known), "velocity");
    EXPECT_EQ(nearest("angular_velocty", k_known), "angular_velocity");
    EXPECT_EQ(nearest("angularvelocity", k_known), "angular_velocity");
    EXPECT_EQ(nearest("mas", k_known), "mass");
    EXPECT_EQ(nearest("fix", k_known), "fixed");
    EXPECT_EQ(nearest("mv", k_known), "mu");
    EXPECT_EQ(nearest("x", k_known), "");  // nothing of it would be left
    EXPECT_EQ(nearest("temperature", k_known), "");
    EXPECT_EQ(nearest("", k_known), "");
    EXPECT_EQ(nearest(std::string(100000, 'a'), k_known), "");
}

TEST(Words, Quotes) {
    EXPECT_EQ(in_quotes("ball"), "'ball'");
    EXPECT_EQ(in_quotes("a\nb\x7f"), "'a?b?'");
    EXPECT_EQ(in_quotes(std::string(60, 'a')), std::string("'") + std::string(60, 'a') + "'");
    EXPECT_EQ(in_quotes(std::string(61, 'a')), std::string("'") + std::string(60, 'a') + "...'");
    // letters of two bytes are not cut in half
    std::string letters = "a";
    for (int i = 0; i < 40; ++i)
        letters += "\xc3\xa4";
    EXPECT_EQ(in_quotes(letters), std::string("'") + letters.substr(0, 59) + "...'");
}

TEST(Words, Lists) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed(std::span(k_known, 1)), "position");
    EXPECT_EQ(listed(std::span(k_known, 2)), "position and velocity");
    EXPECT_EQ(listed(std::span(k_known, 3)), "position, velocity and angular_velocity");
}

TEST(Words, Lengths) {
    EXPECT_EQ(readable_length(1.5), "1.5 m");
    EXPECT_EQ(readable_length(1.0), "1 m");
    EXPECT_EQ(readable_length(0.0123), "12.3 mm");
    EXPECT_EQ(readable_length(4.56e-5), "45.6 um");
    EXPECT_EQ(readable_length(7.8e-9), "7.8 nm");
    EXPECT_EQ(readable_length(1e-12), "1e-12 m");
    EXPECT_EQ(readable_length(3e40), "3e+40 m");
}

TEST(DeepKeys, OnlyWhereKeysAre) {
    EXPECT_FALSE(find_deep_key("a = \"x.x.x.x.x.x.x.x.x.x.x.x\" # ............\n"));
    EXPECT_FALSE(
        find_deep_key("a = '''\n............\n'''\nb = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, "
                      "7.0, 8.0, 9.0, 1.0, 2.0]\n"));
    EXPECT_FALSE(find_deep_key("a = \"\\\".........\"\n"));
    EXPECT_FALSE(find_deep_key("a.b.c.d.e.f.g.h.i = 1\n"));
    const auto place = find_deep_key("\xc3\xa4 = 1\n[ a.\"]\" .'.'. c . d.e.f.g.h.i]\n");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->line, 2);
    EXPECT_EQ(place->column, 28);
    EXPECT_TRUE(find_deep_key("a = \"\"\"x\"\"\"\"\"\n...........\n"));
    for (const char* broken : {"\"", "'", "\"\"\"", "'''x", "\"\\", "#"})
        EXPECT_FALSE(find_deep_key(broken)) << broken;
}

}  // namespace
}  // namespace carom::tests
