// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/serve/raw_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>

namespace carom::tests {

RawClient::RawClient(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

RawClient::~RawClient() {
    close(fd_);
}

bool RawClient::send(const std::string& bytes) const {
    return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
}

void RawClient::end_sending() const {
    shutdown(fd_, SHUT_WR);
}

std::string RawClient::rest(std::chrono::milliseconds most) {
    const auto latest = std::chrono::steady_clock::now() + most;
    std::string text;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                              latest - std::chrono::steady_clock::now())
                              .count();
        pollfd poller{fd_, POLLIN, 0};
        if (left <= 0 || poll(&poller, 1, static_cast<int>(left)) <= 0) return text;
        char buffer[4096];
        const ssize_t got = recv(fd_, buffer, sizeof buffer, 0);
        if (got <= 0) {
            closed_ = true;
            return text;
        }
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

int answers_in(const std::string& text) {
    constexpr std::string_view k_start = "HTTP/1.1 ";
    int count = 0;
    for (std::size_t at = text.find(k_start); at != std::string::npos;
         at = text.find(k_start, at + 1)) {
        // a status follows; messages may speak of the version too
        const std::size_t next = at + k_start.size();
        if (next < text.size() && text[next] >= '1' && text[next] <= '5') ++count;
    }
    return count;
}

bool has_status(const std::string& text, int status) {
    return text.find("HTTP/1.1 " + std::to_string(status) + " ") != std::string::npos;
}

}  // namespace carom::tests
