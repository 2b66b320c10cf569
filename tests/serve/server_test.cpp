// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What the server answers, and what it refuses.

#include <gtest/gtest.h>

#include "tests/serve/raw_client.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

class ServerTest : public testing::Test {
protected:
    ScratchFolder scratch_;
    std::string recording_ = record(scratch_, "ball", bouncing_ball());
    Served served_ = serve_recording(recording_);

    // An answer to bytes that no client library would send.
    std::string raw(const std::string& request) const {
        RawClient client(served_.server->port());
        client.send(request);
        return client.rest();
    }
    std::string host() const { return "127.0.0.1:" + std::to_string(served_.server->port()); }
    int status_with(const httplib::Headers& headers) const {
        const auto answer = served_.client().Get("/api/meta", headers);
        EXPECT_TRUE(answer);
        if (answer && answer->status != 200) {
            EXPECT_TRUE(Json::parse(answer->body, nullptr, false).contains("error"));
        }
        return answer ? answer->status : 0;
    }
};

TEST_F(ServerTest, PagesAreServedWithWhatProtectsThem) {
    for (const auto& [path, page] :
         {std::pair("/", k_test_pages.viewer), std::pair("/lab", k_test_pages.lab)}) {
        const auto answer = served_.client().Get(path);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->status, 200);
        EXPECT_EQ(answer->body, page);
        EXPECT_EQ(answer->get_header_value("Content-Type"), "text/html; charset=utf-8");
        EXPECT_EQ(answer->get_header_value("X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(answer->get_header_value("Referrer-Policy"), "no-referrer");
        EXPECT_NE(answer->get_header_value("Content-Security-Policy").find("default-src 'none'"),
                  std::string::npos);
        const auto head = served_.client().Head(path);
        ASSERT_TRUE(head);
        EXPECT_EQ(head->status, 200);
        EXPECT_EQ(head->body, "");
    }
}

// Packing takes longer than the way within one machine.
TEST_F(ServerTest, NothingIsPackedForBrowsersThatCouldUnpack) {
    for (const char* path : {"/", "/lab", "/api/meta", "/api/table/events"}) {
        auto client = served_.client();
        client.set_decompress(false);
        const auto plain = client.Get(path, {{"Accept-Encoding", ""}});
        const auto answer = client.Get(path, {{"Accept-Encoding", "gzip, deflate, br"}});
        ASSERT_TRUE(plain && answer);
        EXPECT_FALSE(answer->has_header("Content-Encoding")) << path;
        EXPECT_EQ(answer->body, plain->body);
        EXPECT_EQ(answer->get_header_value("Content-Length"), std::to_string(answer->body.size()));
    }
}

TEST_F(ServerTest, TablesAreTheRowsOfTheRecording) {
    const Json counts = served_.get("/api/meta").at("counts");
    for (std::size_t i = 0; i < record::k_table_count; ++i) {
        const std::string name(record::k_table_names[i]);
        const std::string expected = rows_of(recording_, static_cast<serve::TableId>(i));
        const std::string path = "/api/table/" + name;
        EXPECT_EQ(served_.table(path), expected) << name;
        const std::uint64_t rows = counts.at(name);
        EXPECT_EQ(rows * record::k_row_bytes[i], expected.size());
        if (rows == 0) continue;
        EXPECT_EQ(served_.table(path + "?from=1"), expected.substr(record::k_row_bytes[i]));
        EXPECT_EQ(served_.table(path + "?from=" + std::to_string(rows)), "");
        for (const std::string& from :
             {std::to_string(rows + 1), std::string("-1"), std::string("x"), std::string(""),
              std::string("99999999999999999999999")})
            EXPECT_TRUE(served_.get(path + "?from=" + from, 400).contains("error")) << from;
    }
    EXPECT_GT(counts.at("events"), 3);
    EXPECT_TRUE(served_.get("/api/table/checkpoints", 404).contains("error"));
}

TEST_F(ServerTest, SomeRowsOfATableAreGivenWhenACountIs) {
    const std::string expected = rows_of(recording_, serve::TableId::events);
    const std::size_t width = sizeof(record::EventRow);
    const std::size_t rows = expected.size() / width;
    ASSERT_GT(rows, 3U);
    const std::string path = "/api/table/events";
    EXPECT_EQ(served_.table(path + "?from=1&count=2"), expected.substr(width, 2 * width));
    EXPECT_EQ(served_.table(path + "?count=1"), expected.substr(0, width));
    EXPECT_EQ(served_.table(path + "?from=1&count=0"), "");
    EXPECT_EQ(served_.table(path + "?from=1&count=" + std::to_string(rows - 1)),
              expected.substr(width));
    for (const std::string& count : {std::to_string(rows), std::string("-1"), std::string("x"),
                                     std::string(""), std::string("18446744073709551615")})
        EXPECT_TRUE(served_.get(path + "?from=1&count=" + count, 400).contains("error")) << count;
}

TEST_F(ServerTest, MetaDescribesTheScene) {
    const Json meta = served_.get("/api/meta");
    EXPECT_EQ(meta.at("title"), "A ball");
    EXPECT_EQ(meta.at("scene_text"), bouncing_ball());
    EXPECT_EQ(meta.at("duration"), 2.5);
    EXPECT_EQ(meta.at("end"), 2.5);
    EXPECT_EQ(meta.at("finished"), true);
    EXPECT_EQ(meta.at("running"), false);
    EXPECT_EQ(meta.at("error"), nullptr);
    EXPECT_EQ(meta.at("gravity"), Json({0, 0, -10}));
    EXPECT_EQ(meta.at("driven"), false);
    EXPECT_EQ(meta.at("settings").at("contact"), "lasting");
    EXPECT_EQ(meta.at("contacts").at(0).at("e"), 0.8);
    EXPECT_TRUE(meta.at("audit").at("energy_residual").is_number());
    const Json& ball = meta.at("bodies").at(0);
    EXPECT_EQ(ball.at("name"), "ball");
    EXPECT_EQ(ball.at("material"), "rubber");
    EXPECT_EQ(ball.at("fixed"), false);
    EXPECT_EQ(ball.at("mass"), 2.0);
    EXPECT_NEAR(ball.at("inertia").at(0).get<double>(), 0.4 * 2.0 * 0.05 * 0.05, 1e-15);
    EXPECT_EQ(ball.at("inertia").size(), 9U);
    EXPECT_EQ(ball.at("centre"), Json({0, 0, 0}));
    const Json& shape = meta.at("shapes").at(ball.at("shape").at("ref").get<std::size_t>());
    EXPECT_EQ(shape, Json({{"type", "sphere"}, {"radius", 0.05}}));
    const Json& floor = meta.at("bodies").at(1);
    EXPECT_EQ(floor.at("mass"), nullptr);
    EXPECT_EQ(meta.at("colours").size(), 2U);
    EXPECT_NE(meta.at("colours").at("rubber"), meta.at("colours").at("stone"));
}

TEST_F(ServerTest, OtherNamesAndSitesAreRefused) {
    EXPECT_EQ(status_with({{"Host", host()}}), 200);
    EXPECT_EQ(status_with({{"Host", "localhost" + host().substr(9)}}), 200);
    for (const std::string& other :
         {std::string("evil.example"), "evil.example" + host().substr(9), std::string("127.0.0.1"),
          std::string("127.0.0.1:1"), "127.0.0.1.evil.example" + host().substr(9),
          "192.168.1.7" + host().substr(9)})
        EXPECT_EQ(status_with({{"Host", other}}), 403) << other;
    EXPECT_EQ(status_with({{"Host", host()}, {"Origin", "http://" + host()}}), 200);
    for (const std::string& other :
         {std::string("http://evil.example"), std::string("null"), "https://" + host(),
          std::string("http://127.0.0.1"), "http://" + host() + ".evil.example"})
        EXPECT_EQ(status_with({{"Host", host()}, {"Origin", other}}), 403) << other;
    EXPECT_NE(raw("GET /api/meta HTTP/1.1\r\nConnection: close\r\n\r\n").find(" 403 "),
              std::string::npos);
    EXPECT_NE(raw("GET /api/meta HTTP/1.1\r\nHost: " + host() +
                  "\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
                  .find(" 403 "),
              std::string::npos);
}

// A body that was not read would be taken for a request of the same connection.
TEST_F(ServerTest, NothingIsHiddenInABody) {
    const std::string hidden =
        "GET /api/meta HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n\r\n";
    for (const char* start : {"POST /api/whatif", "POST /", "PUT /api/meta", "DELETE /lab"}) {
        const std::string answer =
            raw(std::string(start) + " HTTP/1.1\r\nHost: evil.example\r\nContent-Type: text/plain" +
                "\r\nContent-Length: " + std::to_string(hidden.size()) +
                "\r\nConnection: close\r\n\r\n" + hidden);
        EXPECT_EQ(answer.find("HTTP/1.1 200"), std::string::npos) << start << "\n" << answer;
        EXPECT_NE(answer.find("HTTP/1.1 40"), std::string::npos) << start << "\n" << answer;
        const std::string kept =
            raw(std::string(start) + " HTTP/1.1\r\nHost: evil.example\r\n" +
                "Content-Length: " + std::to_string(hidden.size()) + "\r\n\r\n" + hidden);
        EXPECT_EQ(kept.find("HTTP/1.1 200"), std::string::npos) << start << "\n" << kept;
    }
}

TEST_F(ServerTest, NoFileIsEverServed) {
    for (const char* path :
         {"/../../../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
          "/etc/passwd", "/api/table/../../../../etc/passwd", "/api/table/events%00",
          "/api/table/..%2f..%2fetc%2fpasswd", "/api/run/1/../../meta", "/index.html", "/lab/",
          "/api", "/api/table/", "/..\\..\\etc\\passwd", "/api/run/0/meta",
          "/api/run/18446744073709551616/meta"}) {
        const std::string answer = raw(std::string("GET ") + path + " HTTP/1.1\r\nHost: " + host() +
                                       "\r\nConnection: close\r\n\r\n");
        EXPECT_NE(answer.find("HTTP/1.1 404 "), std::string::npos) << path << "\n" << answer;
        EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
        EXPECT_NE(answer.find("{\"error\":"), std::string::npos) << path << "\n" << answer;
    }
}

TEST_F(ServerTest, OtherMethodsAndLongBodiesAreRefused) {
    auto client = served_.client();
    EXPECT_EQ(client.Put("/api/meta", "x", "text/plain")->status, 405);
    EXPECT_EQ(client.Delete("/api/meta")->status, 405);
    EXPECT_EQ(client.Options("/api/meta")->status, 405);
    EXPECT_EQ(client.Post("/api/meta", "x", "application/json")->status, 404);
    const std::string most(serve::HttpLimits{}.body_bytes, ' ');
    EXPECT_EQ(served_.client().Post("/api/whatif", most, "application/json")->status, 400);
    const auto answer = served_.client().Post("/api/whatif", most + " ", "application/json");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 413);
    EXPECT_NE(raw("GARBAGE\r\nConnection: close\r\n\r\n").find(" 400 "), std::string::npos);
    // and it still answers
    EXPECT_EQ(served_.get("/api/meta").at("finished"), true);
}

TEST_F(ServerTest, NonsenseIsRefusedWithAMessage) {
    const std::string rule = R"({"materials":["rubber","stone"],"law":"routh","e":0.5,"mu":0.5)";
    const auto refused = [&](const std::string& body, const std::string& in_message) {
        const Json answer = served_.post_what_if(body, 400);
        ASSERT_TRUE(answer.is_object() && answer.contains("error")) << body;
        EXPECT_NE(answer.at("error").get<std::string>().find(in_message), std::string::npos)
            << body << "\n"
            << answer;
    };
    refused("", "no JSON object");
    refused("nonsense", "no JSON object");
    refused("[1,2]", "no JSON object");
    refused(std::string(60'000, '['), "no JSON object");
    refused("{}", "missing");
    refused(R"({"event":0})", "missing");
    refused(R"({"event":0,"contact":5})", "missing");
    refused(R"({"event":0,"contact":{},"more":1})", "unknown name 'more'");
    refused(R"({"event":-1,"contact":)" + rule + "}}", "event must be");
    refused(R"({"event":1.5,"contact":)" + rule + "}}", "event must be");
    refused(R"({"event":"0","contact":)" + rule + "}}", "event must be");
    refused(R"({"event":1000,"contact":)" + rule + "}}", "there is no event 1000");
    refused(R"({"event":0,"contact":{"law":"routh","e":0.5,"mu":0.5}})", "materials");
    refused(R"({"event":0,"contact":{"materials":["rubber","stone"]}})", "law");
    refused(R"({"event":0,"contact":{"materials":["rubber","*"],"law":"frictionless","e":1}})",
            "no body is of material '*'");
    refused(R"({"event":0,"contact":{"materials":["rubber"],"law":"frictionless","e":1}})",
            "materials");
    refused(R"({"event":0,"contact":{"materials":["rubber","stone"],"law":"rout","e":1,"mu":1}})",
            "did you mean 'routh'");
    refused(R"({"event":0,"contact":)" + rule + R"(,"e2":1}})", "e2");
    refused(R"({"event":0,"contact":)" + rule + R"(,"nu":{}}})", "nu");
    refused(R"({"event":0,"contact":{"materials":["rubber","stone"],"law":"routh","e":7,"mu":1}})",
            "e ");
    const auto form =
        served_.client().Post("/api/whatif", "event=0", "application/x-www-form-urlencoded");
    ASSERT_TRUE(form);
    EXPECT_EQ(form->status, 415);
}

TEST_F(ServerTest, APortIsTakenOnce) {
    serve::ServerOptions options;
    options.port = served_.server->port();
    EXPECT_THROW(serve::Server(k_test_pages, {}, options), serve::ServeError);
    options.port = 0;
    options.host = "no.such.host.invalid";
    EXPECT_THROW(serve::Server(k_test_pages, {}, options), serve::ServeError);
}

TEST(LabServer, HasPagesAndNoData) {
    Served served;
    served.server =
        std::make_unique<serve::Server>(k_test_pages, serve::Shown{}, serve::ServerOptions{});
    EXPECT_EQ(served.client().Get("/lab")->body, k_test_pages.lab);
    EXPECT_EQ(served.client().Get("/")->body, k_test_pages.viewer);
    EXPECT_TRUE(served.get("/api/meta", 404).contains("error"));
    EXPECT_TRUE(served.get("/api/table/events", 404).contains("error"));
    served.post_what_if("{}", 404);
}

}  // namespace
}  // namespace carom::tests
