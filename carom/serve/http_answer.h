// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/serve/http_request.h"

namespace carom::serve {

// Takes some bytes; false when no more are wanted.
using Write = std::function<bool(std::span<const std::byte>)>;

// What is answered to a request.
struct HttpAnswer {
    int status = 200;
    std::string type;  // of the content, as "application/json"
    std::vector<std::pair<std::string, std::string>> headers;
    std::uint64_t bytes = 0;
    // Gives all of the content, piece by piece, until `write` says false. What it reads lives as
    // long as the answer.
    std::function<void(const Write& write)> content;
};

// What stands in memory, whole.
HttpAnswer answer_with(std::string text, std::string type);
// The same of a text that outlives every answer.
HttpAnswer answer_with_page(std::string_view page);
// {"error":"message"}
HttpAnswer refusal(int status, const std::string& message);

// Who answers. For several threads.
class RequestHandler {
public:
    virtual ~RequestHandler() = default;
    // Whether the request may be answered at all; called before its body is read. Throws HttpError.
    virtual void check(const HttpRequest& head) const = 0;
    // Throws HttpError, or RequestError, which is answered with 400.
    virtual HttpAnswer answer(const HttpRequest& request) const = 0;
};

// The answer to a request, or to what goes wrong with it. Throws nothing but std::bad_alloc.
HttpAnswer answer_or_refusal(const RequestHandler& handler, const HttpRequest& request);

}  // namespace carom::serve
