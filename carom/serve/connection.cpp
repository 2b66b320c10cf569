// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace carom::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view k_head_end = "\r\n\r\n";

// With every answer: no other site may use, frame or keep it.
constexpr std::string_view k_common_headers =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

// Waits for the socket; false when it is too late.
bool wait_for(int socket, short what, Clock::time_point deadline) {
    for (;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd poller{socket, what, 0};
        const int ready = poll(&poller, 1, static_cast<int>(std::min<long long>(left, 60'000)));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

}  // namespace

Connection::Connection(int socket, const RequestHandler& handler, const HttpLimits& limits,
                       std::atomic<Clock::rep>& waiting_since)
    : socket_(socket), handler_(handler), limits_(limits), waiting_since_(waiting_since) {}

void Connection::set_waiting(bool waiting) {
    waiting_since_ = waiting ? Clock::now().time_since_epoch().count() : 0;
}

void Connection::serve() {
    for (std::size_t i = 0; i < limits_.requests; ++i) {
        set_waiting(true);
        const auto head = next_head();
        set_waiting(false);
        if (!head) return;
        if (!serve_one(*head)) break;
    }
    linger();
}

Connection::Read Connection::read_more(Clock::time_point deadline) {
    std::array<char, 4096> bytes;
    for (;;) {
        if (!wait_for(socket_, POLLIN, deadline)) return Read::too_late;
        const ssize_t got = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got > 0) {
            buffer_.append(bytes.data(), static_cast<std::size_t>(got));
            return Read::some;
        }
        if (got == 0) return Read::ended;
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return Read::ended;
    }
}

// The head of the next request; none when the client has left, is too slow or says too much, which
// it has been told then.
std::optional<std::string> Connection::next_head() {
    if (buffer_.empty() && read_more(Clock::now() + limits_.idle) != Read::some) return {};
    const auto deadline = Clock::now() + limits_.head;
    std::size_t searched = 0;
    for (;;) {
        const std::size_t end = buffer_.find(k_head_end, searched);
        const std::size_t bytes = end + k_head_end.size();
        if (end != std::string::npos && bytes <= limits_.head_bytes) {
            std::string head = buffer_.substr(0, bytes);
            buffer_.erase(0, bytes);
            return head;
        }
        if (end != std::string::npos || buffer_.size() > limits_.head_bytes) {
            send_answer(refusal(431, "the headers of the request are too long"), true, false);
            linger();
            return {};
        }
        searched = buffer_.size() - std::min(buffer_.size(), k_head_end.size() - 1);
        const Read read = read_more(deadline);
        if (read == Read::some) continue;
        if (read == Read::too_late) {
            send_answer(refusal(408, "the request took too long to come"), true, false);
            linger();
        }
        return {};
    }
}

// False when the body did not come whole; the client has been told then.
bool Connection::read_body(HttpRequest& request) {
    const auto deadline = Clock::now() + limits_.body;
    if (request.expects_continue && buffer_.empty() && !send_all("HTTP/1.1 100 Continue\r\n\r\n"))
        return false;
    while (buffer_.size() < request.body_bytes) {
        const Read read = read_more(deadline);
        if (read == Read::some) continue;
        send_answer(read == Read::too_late
                        ? refusal(408, "the body of the request took too long to come")
                        : refusal(400, "the body of the request is not whole"),
                    true, false);
        return false;
    }
    request.body = buffer_.substr(0, request.body_bytes);
    buffer_.erase(0, request.body_bytes);
    return true;
}

// True when another request may follow.
bool Connection::serve_one(const std::string& head) {
    HttpRequest request;
    try {
        request = read_head(head, limits_.body_bytes);
        handler_.check(request);
    } catch (const HttpError& error) {
        send_answer(refusal(error.status(), error.what()), request.method != "HEAD", false);
        return false;
    }
    if (request.body_bytes > 0) {
        set_waiting(true);
        const bool whole = read_body(request);
        set_waiting(false);
        if (!whole) return false;
    }
    const HttpAnswer answer = answer_or_refusal(handler_, request);
    const bool keep_open = request.keep_alive && request.body_bytes == 0 && answer.status == 200;
    return send_answer(answer, request.method != "HEAD", keep_open) && keep_open;
}

bool Connection::send_all(std::span<const std::byte> bytes) {
    const auto deadline =
        Clock::now() + limits_.stall + std::chrono::seconds(bytes.size() / limits_.slowest_rate);
    while (!bytes.empty()) {
        if (!wait_for(socket_, POLLOUT, deadline)) return false;
        const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool Connection::send_all(std::string_view text) {
    return send_all(std::as_bytes(std::span(text)));
}

// False when it could not be sent whole; then the connection must be closed, for the client waits
// for the rest.
bool Connection::send_answer(const HttpAnswer& answer, bool with_content, bool keep_open) {
    std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " ";
    head.append(status_words(answer.status)).append("\r\n").append(k_common_headers);
    for (const auto& [name, value] : answer.headers)
        head.append(name).append(": ").append(value).append("\r\n");
    if (!answer.type.empty()) head.append("Content-Type: ").append(answer.type).append("\r\n");
    head.append("Content-Length: ").append(std::to_string(answer.bytes)).append("\r\n");
    head.append(keep_open ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n");
    if (!send_all(head)) return false;
    if (!with_content || answer.bytes == 0) return true;
    std::uint64_t sent = 0;
    answer.content([&](std::span<const std::byte> piece) {
        if (!send_all(piece)) return false;
        sent += piece.size();
        return true;
    });
    return sent == answer.bytes;
}

// Says that no more will come, and takes for a moment what the client still sends: a socket that is
// closed with bytes unread is reset, and the client may lose the answer.
void Connection::linger() {
    constexpr std::size_t k_most = std::size_t{1} << 20U;
    constexpr auto k_longest = std::chrono::seconds(1);
    shutdown(socket_, SHUT_WR);
    set_waiting(true);
    const auto deadline = Clock::now() + k_longest;
    for (std::size_t taken = 0; taken < k_most;) {
        buffer_.clear();
        if (read_more(deadline) != Read::some) return;
        taken += buffer_.size();
    }
}

}  // namespace carom::serve
