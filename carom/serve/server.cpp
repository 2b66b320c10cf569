// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/server.h"

#include <httplib.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "carom/serve/request_check.h"
#include "carom/serve/run_data.h"
#include "carom/serve/session.h"
#include "carom/serve/table_answer.h"

namespace carom::serve {
namespace {

constexpr const char* k_json = "application/json";

// A page may do what stands in it and talk to this server, nothing else.
constexpr const char* k_page_policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self' data: "
    "blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string error_text(const std::string& message) {
    return nlohmann::json{{"error", message}}.dump(-1, ' ', false,
                                                   nlohmann::json::error_handler_t::replace);
}

// Sends bytes as they are. What is given to httplib whole it packs for every browser that can
// unpack, which takes seconds for a page and saves nothing on the way within one machine.
template <class Bytes>
void give(httplib::Response& response, std::shared_ptr<const Bytes> bytes, const char* type) {
    response.set_content_provider(
        bytes->size(), type,
        [bytes](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            return sink.write(bytes->data() + offset, length);
        });
}

void refuse(httplib::Response& response, int status, const std::string& message) {
    response.status = status;
    response.set_content(error_text(message), k_json);
}

std::string_view word_for(int status) {
    switch (status) {
        case 400:
            return "the request cannot be understood";
        case 404:
            return "there is nothing of that name here";
        case 413:
            return "the request is too long; it may have 65536 bytes";
        case 414:
            return "the address is too long";
        case 416:
            return "there are no such bytes";
        default:
            return "the request could not be answered";
    }
}

// The body of a request; none, and the answer says so, when it is too long.
std::optional<std::string> body_of(const httplib::ContentReader& reader,
                                   httplib::Response& response) {
    std::string body;
    const bool whole = reader([&](const char* data, std::size_t size) {
        if (size > Server::k_most_request_bytes - body.size()) return false;
        body.append(data, size);
        return true;
    });
    if (whole) return body;
    refuse(response, 413, std::string(word_for(413)));
    return {};
}

}  // namespace

class Server::Inside {
public:
    Inside(const Pages& pages, Session* session, const ServerOptions& options);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    int port() const { return port_; }
    const std::string& host() const { return host_; }

private:
    void listen(const ServerOptions& options);
    void set_rules();
    void set_routes();
    void set_refusals();
    using Answer = std::function<void(const httplib::Request&, httplib::Response&)>;
    void get(const std::string& path, Answer answer);
    bool is_ours(const httplib::Request& request, httplib::Response& response) const;
    void give_page(httplib::Response& response, std::string_view page) const;
    void give_meta(httplib::Response& response, const std::shared_ptr<const RunData>& run) const;
    void give_table(const httplib::Request& request, httplib::Response& response,
                    const std::shared_ptr<const RunData>& run, const std::string& form,
                    const std::string& name) const;
    void start_what_if(const httplib::Request& request, const std::string& body,
                       httplib::Response& response) const;
    std::shared_ptr<const RunData> opened() const;
    std::shared_ptr<const RunData> future(const std::string& number) const;

    Pages pages_;
    Session* session_;
    std::string host_;
    int port_ = 0;
    std::optional<RequestCheck> check_;
    std::atomic<bool> ending_ = false;
    httplib::Server http_;
    std::thread thread_;
};

Server::Inside::Inside(const Pages& pages, Session* session, const ServerOptions& options)
    : pages_(pages), session_(session), host_(options.host) {
    listen(options);
    check_.emplace(host_, port_);
    set_rules();
    set_routes();
    thread_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running())
        std::this_thread::yield();
}

Server::Inside::~Inside() {
    ending_ = true;
    http_.stop();
    thread_.join();
}

void Server::Inside::listen(const ServerOptions& options) {
    // two servers at one port would share its requests, which httplib allows unless told
    http_.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    errno = 0;
    const bool bound = options.port == 0 ? (port_ = http_.bind_to_any_port(options.host)) > 0
                                         : http_.bind_to_port(options.host, port_ = options.port);
    if (bound) return;
    const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
    throw ServeError("cannot listen on " + options.host +
                     (options.port != 0 ? " port " + std::to_string(options.port) : "") + why +
                     "; give another with --host or --port");
}

// What holds for every request.
void Server::Inside::set_rules() {
    http_.set_tcp_nodelay(true);
    http_.set_payload_max_length(k_most_request_bytes);
    // how long an end may have to wait for a browser that says nothing
    http_.set_keep_alive_timeout(1);
    http_.set_keep_alive_max_count(1000);
    http_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cross-Origin-Resource-Policy", "same-origin"},
                               {"Cross-Origin-Opener-Policy", "same-origin"},
                               {"X-Frame-Options", "DENY"},
                               {"Cache-Control", "no-store"}});
    http_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
        if (response.body.empty())
            response.set_content(error_text(std::string(word_for(response.status))), k_json);
    });
    http_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr thrown) {
            try {
                std::rethrow_exception(thrown);
            } catch (const RequestError& error) {
                refuse(response, 400, error.what());
            } catch (const std::exception& error) {
                refuse(response, 500, error.what());
            } catch (...) {
                refuse(response, 500, "something unknown went wrong");
            }
        });
}

// Whether the request may be answered; it is refused otherwise.
bool Server::Inside::is_ours(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !check_->host_is_ours(host)) {
        refuse(response, 403, "this server is not called so; use the address that it printed");
        return false;
    }
    if (request.has_header("Origin") &&
        !check_->origin_is_ours(request.get_header_value("Origin"), host)) {
        refuse(response, 403, "pages of other sites may not ask this server");
        return false;
    }
    return true;
}

void Server::Inside::get(const std::string& path, Answer answer) {
    http_.Get(path, [this, answer = std::move(answer)](const httplib::Request& request,
                                                       httplib::Response& response) {
        if (is_ours(request, response)) answer(request, response);
    });
}

void Server::Inside::set_routes() {
    using httplib::Request, httplib::Response;
    get("/", [this](const Request&, Response& response) { give_page(response, pages_.viewer); });
    get("/lab", [this](const Request&, Response& response) { give_page(response, pages_.lab); });
    get("/api/meta", [this](const Request&, Response& response) { give_meta(response, opened()); });
    get("/api/(table|brief)/([a-z]{1,20})", [this](const Request& request, Response& response) {
        give_table(request, response, opened(), request.matches[1], request.matches[2]);
    });
    get("/api/run/([0-9]{1,18})/meta", [this](const Request& request, Response& response) {
        give_meta(response, future(request.matches[1]));
    });
    get("/api/run/([0-9]{1,18})/(table|brief)/([a-z]{1,20})",
        [this](const Request& request, Response& response) {
            give_table(request, response, future(request.matches[1]), request.matches[2],
                       request.matches[3]);
        });
    http_.Post("/api/whatif", [this](const Request& request, Response& response,
                                     const httplib::ContentReader& reader) {
        const auto body = body_of(reader, response);
        if (body && is_ours(request, response)) start_what_if(request, *body, response);
    });
    set_refusals();
}

// All that is not served. Bodies are read all the same: what was left of one would be taken for the
// next request of its connection, and could say what its sender may not.
void Server::Inside::set_refusals() {
    using httplib::Request, httplib::Response, httplib::ContentReader;
    const auto no_such_method = [](Response& response) {
        response.set_header("Allow", "GET, HEAD, POST");
        refuse(response, 405, "only GET, HEAD and POST are answered");
    };
    const auto with_body = [no_such_method](const Request&, Response& response,
                                            const ContentReader& reader) {
        if (body_of(reader, response)) no_such_method(response);
    };
    http_.Post(".*", [](const Request&, Response& response, const ContentReader& reader) {
        if (body_of(reader, response)) refuse(response, 404, std::string(word_for(404)));
    });
    http_.Put(".*", with_body);
    http_.Patch(".*", with_body);
    http_.Delete(".*", with_body);
    http_.set_pre_routing_handler([no_such_method](const Request& request, Response& response) {
        for (const char* known : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}) {
            if (request.method == known) return httplib::Server::HandlerResponse::Unhandled;
        }
        no_such_method(response);
        return httplib::Server::HandlerResponse::Handled;
    });
}

void Server::Inside::give_page(httplib::Response& response, std::string_view page) const {
    response.set_header("Content-Security-Policy", k_page_policy);
    give(response, std::make_shared<const std::string_view>(page), "text/html; charset=utf-8");
}

std::shared_ptr<const RunData> Server::Inside::opened() const {
    return session_ != nullptr ? session_->data() : nullptr;
}

std::shared_ptr<const RunData> Server::Inside::future(const std::string& number) const {
    const auto parsed = number_from(number);
    return session_ != nullptr && parsed ? session_->what_if(*parsed) : nullptr;
}

void Server::Inside::give_meta(httplib::Response& response,
                               const std::shared_ptr<const RunData>& run) const {
    if (!run) {
        refuse(response, 404,
               session_ == nullptr ? "no recording is open: this is the server of 'carom lab'"
                                   : "there is no such run any more");
        return;
    }
    give(response, std::make_shared<const std::string>(meta_text(*run)), k_json);
}

void Server::Inside::give_table(const httplib::Request& request, httplib::Response& response,
                                const std::shared_ptr<const RunData>& run, const std::string& form,
                                const std::string& name) const {
    const auto id = table_named(name);
    const bool brief = form == "brief";
    if (!run || !id || (brief && !has_brief(*id))) {
        refuse(response, 404, !run ? "there is no such run" : "there is no such table");
        return;
    }
    const auto given = [&](const char* parameter) {
        return request.has_param(parameter) ? std::optional(request.get_param_value(parameter))
                                            : std::nullopt;
    };
    const RowRange range = range_of(*id, brief, given("from"), given("count"),
                                    run->status().rows[static_cast<std::size_t>(*id)]);
    if (range.bytes() == 0) {
        response.set_content("", "application/octet-stream");
        return;
    }
    response.set_content_provider(
        range.bytes(), "application/octet-stream",
        [this, run, range](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            return write_rows(*run, range, offset, length, [&](std::span<const std::byte> piece) {
                return !ending_ &&
                       sink.write(reinterpret_cast<const char*>(piece.data()), piece.size());
            });
        });
}

void Server::Inside::start_what_if(const httplib::Request& request, const std::string& body,
                                   httplib::Response& response) const {
    if (session_ == nullptr) {
        refuse(response, 404, "no recording is open");
        return;
    }
    // a form of another site cannot send this type without asking first
    if (!request.get_header_value("Content-Type").starts_with(k_json)) {
        refuse(response, 415, "the request must be of type application/json");
        return;
    }
    const std::uint64_t number = session_->start_what_if(body);
    response.set_content(nlohmann::json{{"run", number}}.dump(), k_json);
}

Server::Server(const Pages& pages, Session* session, const ServerOptions& options)
    : in_(std::make_unique<Inside>(pages, session, options)) {}

Server::~Server() = default;

int Server::port() const {
    return in_->port();
}

std::string Server::address() const {
    // what listens everywhere is also there
    std::string host = in_->host();
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "::1";
    const std::string shown = host.find(':') != std::string::npos ? "[" + host + "]" : host;
    return "http://" + shown + ":" + std::to_string(in_->port()) + "/";
}

}  // namespace carom::serve
