// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/http_request.h"

#include <algorithm>
#include <charconv>

namespace carom::serve {
namespace {

constexpr std::string_view k_line_end = "\r\n";

[[noreturn]] void refuse(int status, const std::string& message) {
    throw HttpError(status, message);
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
    return result;
}

bool is_alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

// The characters of methods and header names (RFC 9110, section 5.6.2).
bool is_token(std::string_view text) {
    constexpr std::string_view k_marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return is_alphanumeric(c) || k_marks.find(c) != std::string_view::npos;
    });
}

// Printable characters, tabs and bytes above ASCII.
bool is_value(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
    });
}

std::string_view trimmed(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return text;
}

// Takes the next line from the front of `rest`.
std::string_view take_line(std::string_view& rest) {
    const std::size_t end = rest.find(k_line_end);
    if (end == std::string_view::npos) refuse(400, "the request has no end");
    const std::string_view line = rest.substr(0, end);
    if (line.find_first_of("\r\n") != std::string_view::npos)
        refuse(400, "the lines of a request must end with CR LF");
    rest.remove_prefix(end + k_line_end.size());
    return line;
}

// "GET /path?query HTTP/1.1"; true for version 1.1.
bool read_request_line(std::string_view line, HttpRequest& request) {
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last)
        refuse(400, "the request cannot be understood");
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(method)) refuse(400, "the request cannot be understood");
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        refuse(version.starts_with("HTTP/") ? 505 : 400, "only HTTP/1.1 is understood");
    if (target.size() > k_most_target_bytes) refuse(414, "the address is too long");
    const bool printable =
        std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (!target.starts_with('/') || !printable) refuse(400, "the address cannot be understood");
    request.method = method;
    const std::size_t mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
    return version == "HTTP/1.1";
}

void read_headers(std::string_view& rest, HttpRequest& request) {
    for (;;) {
        const std::string_view line = take_line(rest);
        if (line.empty()) return;
        if (request.headers.size() == k_most_headers)
            refuse(431, "the request has too many headers");
        const std::size_t colon = line.find(':');
        // a space before the colon or at the start of a line is how requests are smuggled
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
            refuse(400, "a header cannot be understood");
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (!is_value(value)) refuse(400, "a header cannot be understood");
        request.headers.emplace_back(lower(line.substr(0, colon)), value);
    }
}

// Where the request ends: behind as many bytes as Content-Length says, nothing else.
void read_length(HttpRequest& request, std::size_t most_body) {
    if (request.header("transfer-encoding") != nullptr)
        refuse(501, "the body of a request must come whole, with Content-Length");
    const std::string* length = request.header("content-length");
    if (length == nullptr) return;
    if (request.header_count("content-length") != 1)
        refuse(400, "the request says more than once how long it is");
    const char* end = length->data() + length->size();
    const bool digits = !length->empty() && std::all_of(length->begin(), length->end(), [](char c) {
        return c >= '0' && c <= '9';
    });
    if (!digits) refuse(400, "the length of the request cannot be understood");
    std::size_t bytes = 0;
    const auto [stop, error] = std::from_chars(length->data(), end, bytes);
    if (error != std::errc() || stop != end || bytes > most_body) {
        refuse(413, "the request is too long; it may have " + std::to_string(most_body) + " bytes");
    }
    request.body_bytes = bytes;
}

bool has_word(const std::string* list, std::string_view word) {
    if (list == nullptr) return false;
    std::string_view rest = *list;
    for (;;) {
        const std::size_t comma = rest.find(',');
        if (lower(trimmed(rest.substr(0, comma))) == word) return true;
        if (comma == std::string_view::npos) return false;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace

const std::string* HttpRequest::header(std::string_view name) const {
    for (const auto& [known, value] : headers) {
        if (known == name) return &value;
    }
    return nullptr;
}

std::size_t HttpRequest::header_count(std::string_view name) const {
    return static_cast<std::size_t>(std::count_if(
        headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; }));
}

std::optional<std::string> HttpRequest::parameter(std::string_view name) const {
    std::string_view rest = query;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view item = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = std::min(item.find('='), item.size());
        if (item.substr(0, equals) == name)
            return std::string(item.substr(std::min(equals + 1, item.size())));
    }
    return {};
}

HttpRequest read_head(std::string_view head, std::size_t most_body) {
    HttpRequest request;
    const bool newer = read_request_line(take_line(head), request);
    read_headers(head, request);
    if (!head.empty()) refuse(400, "the request cannot be understood");
    read_length(request, most_body);
    request.keep_alive = newer && !has_word(request.header("connection"), "close");
    request.expects_continue = newer && has_word(request.header("expect"), "100-continue");
    return request;
}

std::string_view status_words(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 303:
            return "See Other";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Unknown";
    }
}

}  // namespace carom::serve
