// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/routes.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "carom/serve/run_data.h"
#include "carom/serve/table_answer.h"

namespace carom::serve {
namespace {

constexpr const char* k_json = "application/json";

// A page may do what stands in it and talk to this server, nothing else. Only pages of this server
// may frame the viewer, and only the page that compares frames anything.
constexpr std::string_view k_page_policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self' data: "
    "blob:; base-uri 'none'; form-action 'none'; ";

enum class Frames { none, is_framed, has_frames };

HttpAnswer page(std::string_view text, Frames frames) {
    HttpAnswer answer = answer_with_page(text);
    std::string policy(k_page_policy);
    if (frames == Frames::has_frames) policy += "frame-src 'self'; ";
    policy += frames == Frames::is_framed ? "frame-ancestors 'self'" : "frame-ancestors 'none'";
    answer.headers.emplace_back("Content-Security-Policy", std::move(policy));
    answer.headers.emplace_back("X-Frame-Options",
                                frames == Frames::is_framed ? "SAMEORIGIN" : "DENY");
    return answer;
}

[[noreturn]] void not_found(const std::string& message = "there is nothing of that name here") {
    throw HttpError(404, message);
}

// "/api/run/3/" as api, run, 3 and an empty word.
std::vector<std::string_view> words_of(std::string_view path) {
    std::vector<std::string_view> words;
    path.remove_prefix(1);
    for (;;) {
        const std::size_t end = path.find('/');
        words.push_back(path.substr(0, end));
        if (end == std::string_view::npos) return words;
        path.remove_prefix(end + 1);
    }
}

template <class... Word>
bool are(std::span<const std::string_view> words, Word... expected) {
    const std::string_view list[] = {expected...};
    return std::equal(words.begin(), words.end(), std::begin(list), std::end(list));
}

bool is_json(const std::string* type) {
    return type != nullptr && (*type == k_json || type->starts_with(std::string(k_json) + ";"));
}

void must_be(const HttpRequest& request, bool post) {
    if ((request.method == "POST") != post) not_found();
}

// Rows of a table, as they lie in memory.
HttpAnswer rows_of(const std::shared_ptr<const RunData>& run, const RowRange& range) {
    HttpAnswer answer;
    answer.type = "application/octet-stream";
    answer.bytes = range.bytes();
    answer.content = [run, range](const Write& write) {
        const std::uint64_t bytes = range.bytes();
        for (std::uint64_t offset = 0; offset < bytes;) {
            const bool goes_on = write_rows(*run, range, offset, bytes - offset, [&](auto piece) {
                offset += piece.size();
                return write(piece);
            });
            if (!goes_on) return;
        }
    };
    return answer;
}

}  // namespace

Routes::Routes(const Pages& pages, Shown shown, RequestCheck check)
    : pages_(pages), shown_(std::move(shown)), check_(std::move(check)) {}

void Routes::check(const HttpRequest& head) const {
    const std::string* host = head.header("host");
    if (head.header_count("host") != 1 || !check_.host_is_ours(*host))
        throw HttpError(403, "this server is not called so; use the address that it printed");
    const std::string* origin = head.header("origin");
    const std::string* site = head.header("sec-fetch-site");
    const std::string* mode = head.header("sec-fetch-mode");
    // what browsers say of requests that have no Origin: images, scripts and so on of other sites
    const bool foreign = site != nullptr && *site != "same-origin" && *site != "none" &&
                         (mode == nullptr || *mode != "navigate" || head.method == "POST");
    if (foreign || head.header_count("origin") > 1 ||
        (origin != nullptr && !check_.origin_is_ours(*origin, *host)))
        throw HttpError(403, "pages of other sites may not ask this server");
    if (head.method != "GET" && head.method != "HEAD" && head.method != "POST")
        throw HttpError(405, "only GET, HEAD and POST are answered");
    if (head.method != "POST") {
        if (head.body_bytes > 0) throw HttpError(400, "GET and HEAD have no body");
        return;
    }
    // a form of another site cannot send this type without asking first
    if (!is_json(head.header("content-type")) || head.header_count("content-type") != 1)
        throw HttpError(415, "the request must be of type application/json");
}

HttpAnswer Routes::answer(const HttpRequest& request) const {
    const Words words = words_of(request.path);
    if (are(words, "lab")) {
        must_be(request, false);
        return page(pages_.lab, Frames::none);
    }
    if (are(words, "")) {
        must_be(request, false);
        return home();
    }
    if (shown_.gallery) return about_gallery(request, words);
    if (shown_.compared.empty()) return in_folder(request, shown_.session, words);
    if (are(words, "api", "compare")) {
        must_be(request, false);
        return compared_names();
    }
    const bool first = words.front() == "a";
    if ((!first && words.front() != "b") || words.size() < 2) not_found();
    return in_folder(request, shown_.compared[first ? 0 : 1].session,
                     Words(words.begin() + 1, words.end()));
}

HttpAnswer Routes::home() const {
    if (shown_.gallery) return page(pages_.gallery, Frames::none);
    if (!shown_.compared.empty()) return page(pages_.compare, Frames::has_frames);
    return page(pages_.viewer, Frames::is_framed);
}

HttpAnswer Routes::about_gallery(const HttpRequest& request, const Words& words) const {
    Gallery& gallery = *shown_.gallery;
    if (are(words, "api", "gallery")) {
        must_be(request, false);
        return answer_with(gallery.list(), k_json);
    }
    if (words.size() == 3 && are(std::span(words).first(2), "api", "gallery")) {
        const std::string name(words[2]);
        if (request.method != "POST") return answer_with(gallery.drawing(name), k_json);
        gallery.open(name);
        return answer_with(nlohmann::json{{"folder", "scene/" + name + "/"}}.dump(), k_json);
    }
    if (words.front() != "scene" || words.size() < 3) not_found();
    const auto session = gallery.find(words[1]);
    if (session) return in_folder(request, session, Words(words.begin() + 2, words.end()));
    // the page of a scene that is not open leads to the gallery, from where it can be opened
    if (words.size() != 3 || !words[2].empty() || request.method == "POST")
        not_found("that scene is not open; open it in the gallery");
    HttpAnswer answer;
    answer.status = 303;
    answer.headers.emplace_back("Location", "/");
    return answer;
}

HttpAnswer Routes::compared_names() const {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < shown_.compared.size(); ++i)
        runs.push_back({{"folder", i == 0 ? "a/" : "b/"}, {"name", shown_.compared[i].name}});
    return answer_with(nlohmann::ordered_json{{"runs", runs}}.dump(
                           -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
                       k_json);
}

HttpAnswer Routes::in_folder(const HttpRequest& request, const std::shared_ptr<Session>& session,
                             const Words& words) const {
    if (are(words, "")) {
        must_be(request, false);
        return page(pages_.viewer, Frames::is_framed);
    }
    // pages link to it relatively
    if (are(words, "lab")) {
        must_be(request, false);
        return page(pages_.lab, Frames::none);
    }
    if (words.front() != "api") not_found();
    if (are(words, "api", "whatif") && request.method == "POST") {
        if (!session) not_found("no recording is open");
        const std::uint64_t number = session->start_what_if(request.body);
        return answer_with(nlohmann::json{{"run", number}}.dump(), k_json);
    }
    must_be(request, false);
    if (words.size() > 3 && words[1] == "run") {
        const auto number =
            words[2].size() <= 18 ? number_from(std::string(words[2])) : std::nullopt;
        const auto run = session && number ? session->what_if(*number) : nullptr;
        return of_run(request, run, Words(words.begin() + 3, words.end()));
    }
    return of_run(request, session ? session->data() : nullptr,
                  Words(words.begin() + 1, words.end()));
}

HttpAnswer Routes::of_run(const HttpRequest& request, const std::shared_ptr<const RunData>& run,
                          const Words& words) const {
    const bool meta = are(words, "meta");
    const bool table = words.size() == 2 && words[0] == "table";
    const bool brief = words.size() == 2 && words[0] == "brief";
    if (!meta && !table && !brief) not_found();
    if (!run) {
        const bool lab_only = !shown_.session && shown_.compared.empty() && !shown_.gallery;
        not_found(lab_only ? "no recording is open: this is the server of 'carom lab'"
                           : "there is no such run any more");
    }
    if (meta) return answer_with(meta_text(*run), k_json);
    const auto id = table_named(words[1]);
    if (!id || (brief && !has_brief(*id))) not_found("there is no such table");
    return rows_of(run, range_of(*id, brief, request.parameter("from"), request.parameter("count"),
                                 run->status().rows[static_cast<std::size_t>(*id)]));
}

}  // namespace carom::serve
