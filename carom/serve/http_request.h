// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::serve {

// A request that is not answered: the HTTP status and one clear sentence.
class HttpError : public std::runtime_error {
public:
    HttpError(int status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    int status() const { return status_; }

private:
    int status_;
};

// One request of HTTP/1.0 or 1.1.
//
// The reader takes what browsers and curl write and refuses every form in which two readers could
// disagree about where a request ends: lines that do not end with CR LF, folded headers, several or
// malformed lengths, chunked bodies. The body is as long as Content-Length says, and absent without
// it.
struct HttpRequest {
    std::string method;  // as written
    std::string path;    // of the target, as written: nothing is decoded
    std::string query;   // behind the '?'
    // Names in lower case, values without the space around them; in their order.
    std::vector<std::pair<std::string, std::string>> headers;
    std::size_t body_bytes = 0;
    bool keep_alive = false;        // the client may send another one
    bool expects_continue = false;  // the client waits for "100 Continue" before the body
    std::string body;

    // The value of a header (name in lower case), null when there is none; the first of several.
    const std::string* header(std::string_view name) const;
    std::size_t header_count(std::string_view name) const;
    // The value of a parameter of the query, as written; the first of several.
    std::optional<std::string> parameter(std::string_view name) const;
};

// The longest target and the most headers that are taken.
inline constexpr std::size_t k_most_target_bytes = 8192;
inline constexpr std::size_t k_most_headers = 100;

// Reads the head of a request: all up to the empty line, which is included. `most_body` is the
// longest body that is taken (bytes). Throws HttpError.
HttpRequest read_head(std::string_view head, std::size_t most_body);

// The status line's words, as "Not Found".
std::string_view status_words(int status);

}  // namespace carom::serve
