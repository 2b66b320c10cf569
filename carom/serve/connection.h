// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "carom/serve/http_answer.h"

namespace carom::serve {

// What one client may take of a server. A client that is slower is cut off.
struct HttpLimits {
    std::size_t connections = 64;             // at once; see http_server.h
    std::size_t head_bytes = 16U << 10U;      // request line and headers
    std::size_t body_bytes = 64U << 10U;      // of a request
    std::size_t requests = 1000;              // of one connection
    std::chrono::milliseconds idle{15'000};   // between two requests of a connection
    std::chrono::milliseconds head{5'000};    // from the first byte of a request to the empty line
    std::chrono::milliseconds body{5'000};    // to read a body
    std::chrono::milliseconds stall{10'000};  // for a client to take what it is sent, and
    std::size_t slowest_rate = 64U << 10U;    // one second more for each so many bytes
};

// Answers the requests that come through a connected stream socket, one after the other, until the
// client leaves or is cut off. Does not close it.
//
// Only a request without a body that was answered with success leaves the connection open. After
// every other one (a refusal, a failure, a body) nothing more is read as a request, whatever the
// client sent behind it.
class Connection {
public:
    using Clock = std::chrono::steady_clock;

    // `waiting_since` is when the server began to wait for bytes of the client (ticks of the steady
    // clock), 0 while it works for it.
    Connection(int socket, const RequestHandler& handler, const HttpLimits& limits,
               std::atomic<Clock::rep>& waiting_since);
    void serve();

private:
    enum class Read { some, ended, too_late };

    std::optional<std::string> next_head();
    bool read_body(HttpRequest& request);
    bool serve_one(const std::string& head);
    Read read_more(Clock::time_point deadline);
    bool send_answer(const HttpAnswer& answer, bool with_content, bool keep_open);
    bool send_all(std::span<const std::byte> bytes);
    bool send_all(std::string_view text);
    void linger();
    void set_waiting(bool waiting);

    int socket_;
    const RequestHandler& handler_;
    const HttpLimits& limits_;
    std::atomic<Clock::rep>& waiting_since_;
    std::string buffer_;  // received, not yet used
};

}  // namespace carom::serve
