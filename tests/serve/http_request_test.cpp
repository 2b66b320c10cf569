// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/http_request.h"

#include <gtest/gtest.h>

namespace carom::serve {
namespace {

constexpr std::size_t k_most_body = 100;

int status_of(const std::string& head) {
    try {
        read_head(head, k_most_body);
        return 200;
    } catch (const HttpError& error) {
        EXPECT_NE(std::string_view(error.what()), "");
        return error.status();
    }
}

TEST(HttpRequest, IsReadAsItIsWritten) {
    const HttpRequest request = read_head(
        "POST /api/table/events?from=1&count=&from=2&flag HTTP/1.1\r\nHoSt: a:1\r\n"
        "X-Two:  spaced out\t \r\nEmpty:\r\nx-two: again\r\ncontent-LENGTH: 42\r\n"
        "Expect: 100-Continue\r\n\r\n",
        k_most_body);
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path, "/api/table/events");
    EXPECT_EQ(request.query, "from=1&count=&from=2&flag");
    EXPECT_EQ(request.parameter("from"), "1");
    EXPECT_EQ(request.parameter("count"), "");
    EXPECT_EQ(request.parameter("flag"), "");
    EXPECT_EQ(request.parameter("fro"), std::nullopt);
    ASSERT_NE(request.header("host"), nullptr);
    EXPECT_EQ(*request.header("host"), "a:1");
    EXPECT_EQ(*request.header("x-two"), "spaced out");
    EXPECT_EQ(request.header_count("x-two"), 2U);
    EXPECT_EQ(*request.header("empty"), "");
    EXPECT_EQ(request.header("absent"), nullptr);
    EXPECT_EQ(request.body_bytes, 42U);
    EXPECT_TRUE(request.keep_alive);
    EXPECT_TRUE(request.expects_continue);
}

TEST(HttpRequest, TheClientSaysWhetherItGoesOn) {
    const auto goes_on = [](const char* version, const char* header) {
        return read_head(std::string("GET / ") + version + "\r\n" + header + "\r\n", k_most_body)
            .keep_alive;
    };
    EXPECT_TRUE(goes_on("HTTP/1.1", ""));
    EXPECT_TRUE(goes_on("HTTP/1.1", "Connection: keep-alive\r\n"));
    EXPECT_FALSE(goes_on("HTTP/1.1", "Connection: Close\r\n"));
    EXPECT_FALSE(goes_on("HTTP/1.1", "Connection: upgrade, close\r\n"));
    EXPECT_FALSE(goes_on("HTTP/1.0", ""));
}

TEST(HttpRequest, WhatIsNotWrittenSoIsRefused) {
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 200);
    for (const char* bad :
         {"", "\r\n\r\n", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n", "GET /\r\n\r\n",
          "GET  HTTP/1.1\r\n\r\n", "GET x HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
          "G\x01T / HTTP/1.1\r\n\r\n", "GET /\x80 HTTP/1.1\r\n\r\n", "GET / HTTX/1.1\r\n\r\n",
          " GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nA : b\r\n\r\n",
          "GET / HTTP/1.1\r\n a: b\r\n\r\n", "GET / HTTP/1.1\r\n\r\nmore",
          "GET / HTTP/1.1\r\nContent-Length:\r\n\r\n",
          "GET / HTTP/1.1\r\nContent-Length: 1a\r\n\r\n",
          "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"})
        EXPECT_EQ(status_of(bad), 400) << bad;
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nContent-Length: 100\r\n\r\n"), 200);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nContent-Length: 101\r\n\r\n"), 413);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nTransfer-Encoding: identity\r\n\r\n"), 501);
    EXPECT_EQ(status_of("GET / HTTP/3\r\n\r\n"), 505);
}

TEST(HttpRequest, LongOnesAreRefused) {
    const auto with_target = [](std::size_t bytes) {
        return "GET /" + std::string(bytes - 1, 'a') + " HTTP/1.1\r\n\r\n";
    };
    EXPECT_EQ(status_of(with_target(k_most_target_bytes)), 200);
    EXPECT_EQ(status_of(with_target(k_most_target_bytes + 1)), 414);
    const auto with_headers = [](std::size_t count) {
        std::string head = "GET / HTTP/1.1\r\n";
        for (std::size_t i = 0; i < count; ++i)
            head += "a: b\r\n";
        return head + "\r\n";
    };
    EXPECT_EQ(status_of(with_headers(k_most_headers)), 200);
    EXPECT_EQ(status_of(with_headers(k_most_headers + 1)), 431);
}

}  // namespace
}  // namespace carom::serve
