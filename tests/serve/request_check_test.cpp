// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/request_check.h"

#include <gtest/gtest.h>

namespace carom::serve {
namespace {

TEST(RequestCheck, KnowsTheMachinesOwnAddresses) {
    for (const char* own : {"localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "::1", "[::1]"})
        EXPECT_TRUE(is_loopback(own)) << own;
    for (const char* other : {"", "127.0.0.1.example.org", "128.0.0.1", "0.0.0.0", "::", "[::2]",
                              "localhost.example.org", "127.1", "2130706433"})
        EXPECT_FALSE(is_loopback(other)) << other;
}

TEST(RequestCheck, OnLoopbackOnlyItsNamesWithThePortAreOurs) {
    const RequestCheck check("127.0.0.1", 8080);
    EXPECT_TRUE(check.host_is_ours("127.0.0.1:8080"));
    EXPECT_TRUE(check.host_is_ours("localhost:8080"));
    EXPECT_TRUE(check.host_is_ours("[::1]:8080"));
    for (const char* other : {"", ":8080", "localhost", "localhost:80", "localhost:80800",
                              "10.0.0.1:8080", "example.org:8080", "localhost:8080:8080"})
        EXPECT_FALSE(check.host_is_ours(other)) << other;
}

TEST(RequestCheck, BeyondTheMachineNumbersAndTheGivenNameAreOursButNoOtherName) {
    const RequestCheck check("0.0.0.0", 8080);
    EXPECT_TRUE(check.host_is_ours("192.168.1.7:8080"));
    EXPECT_TRUE(check.host_is_ours("[fe80::1]:8080"));
    EXPECT_TRUE(check.host_is_ours("localhost:8080"));
    EXPECT_FALSE(check.host_is_ours("example.org:8080"));
    EXPECT_TRUE(RequestCheck("lab.example.org", 8080).host_is_ours("Lab.Example.org:8080"));
}

TEST(RequestCheck, ThePortOfTheWebNeedNotBeSaid) {
    const RequestCheck check("127.0.0.1", 80);
    EXPECT_TRUE(check.host_is_ours("localhost"));
    EXPECT_TRUE(check.host_is_ours("localhost:80"));
    EXPECT_FALSE(check.host_is_ours("localhost:81"));
}

TEST(RequestCheck, AnOriginIsOursUnderTheNameOfTheRequest) {
    const RequestCheck check("127.0.0.1", 8080);
    EXPECT_TRUE(check.origin_is_ours("http://localhost:8080", "localhost:8080"));
    EXPECT_FALSE(check.origin_is_ours("http://127.0.0.1:8080", "localhost:8080"));
    EXPECT_FALSE(check.origin_is_ours("https://localhost:8080", "localhost:8080"));
    EXPECT_FALSE(check.origin_is_ours("null", "localhost:8080"));
}

}  // namespace
}  // namespace carom::serve
