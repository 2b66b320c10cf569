// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/http_answer.h"

#include <nlohmann/json.hpp>

#include "carom/serve/what_if.h"

namespace carom::serve {

HttpAnswer answer_with(std::string text, std::string type) {
    HttpAnswer answer;
    answer.type = std::move(type);
    answer.bytes = text.size();
    answer.content = [text = std::make_shared<const std::string>(std::move(text))](
                         const Write& write) { write(std::as_bytes(std::span(*text))); };
    return answer;
}

HttpAnswer answer_with_page(std::string_view page) {
    HttpAnswer answer;
    answer.type = "text/html; charset=utf-8";
    answer.bytes = page.size();
    answer.content = [page](const Write& write) { write(std::as_bytes(std::span(page))); };
    return answer;
}

HttpAnswer refusal(int status, const std::string& message) {
    HttpAnswer answer = answer_with(nlohmann::json{{"error", message}}.dump(
                                        -1, ' ', false, nlohmann::json::error_handler_t::replace),
                                    "application/json");
    answer.status = status;
    if (status == 405) answer.headers.emplace_back("Allow", "GET, HEAD, POST");
    return answer;
}

HttpAnswer answer_or_refusal(const RequestHandler& handler, const HttpRequest& request) {
    try {
        return handler.answer(request);
    } catch (const HttpError& error) {
        return refusal(error.status(), error.what());
    } catch (const RequestError& error) {
        return refusal(400, error.what());
    } catch (const std::bad_alloc&) {
        return refusal(500, "not enough memory");
    } catch (const std::exception& error) {
        return refusal(500, error.what());
    }
}

}  // namespace carom::serve
