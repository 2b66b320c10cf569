// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// A page of another site may send requests (which are refused), and chooses what stands in their
// bodies. Nothing that it sends behind the head of a refused request may be read as another one,
// which would have no Origin and could start runs.

#include <gtest/gtest.h>

#include "tests/serve/raw_client.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

class Smuggling : public testing::Test {
protected:
    ScratchFolder scratch_;
    Served served_ = serve_recording(record(scratch_, "ball", bouncing_ball()));

    std::string host() const { return "127.0.0.1:" + std::to_string(served_.server->port()); }
    // What the other site wants to be served: the start of another future.
    std::string hidden() const {
        const std::string body =
            R"({"event":0,"contact":{"materials":["rubber","stone"],"law":"frictionless","e":0.5}})";
        return "POST /api/whatif HTTP/1.1\r\nHost: " + host() +
               "\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    std::string foreign(const std::string& headers, const std::string& start = "POST /api/whatif") {
        return start + " HTTP/1.1\r\nHost: " + host() + "\r\nOrigin: http://evil.example\r\n" +
               headers + "\r\n";
    }
    static std::string length(std::size_t bytes) {
        return "Content-Length: " + std::to_string(bytes) + "\r\n";
    }
    // Exactly one answer, which is a refusal; the connection is closed; nothing was started.
    void expect_refused(const std::string& bytes, int status, bool end_sending = false) {
        RawClient client(served_.server->port());
        client.send(bytes);
        if (end_sending) client.end_sending();
        const std::string answer = client.rest(std::chrono::seconds(10));
        EXPECT_TRUE(client.closed()) << bytes;
        EXPECT_EQ(answers_in(answer), 1) << bytes << "\n-> " << answer;
        EXPECT_TRUE(has_status(answer, status)) << bytes << "\n-> " << answer;
        EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
        served_.get("/api/run/1/meta", 404);
    }
};

TEST_F(Smuggling, BehindAFormInParts) {
    for (const std::string& body :
         {hidden(), "--x\r\n\r\n" + hidden(), "--x\r\nbroken" + hidden(),
          "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x\r\n" + hidden()}) {
        expect_refused(
            foreign("Content-Type: multipart/form-data; boundary=x\r\n" + length(body.size())) +
                body,
            403);
        // and from the own site, or from none, where only the type is wrong
        expect_refused("POST /api/whatif HTTP/1.1\r\nHost: " + host() +
                           "\r\nContent-Type: multipart/form-data; boundary=x\r\n" +
                           length(body.size()) + "\r\n" + body,
                       415);
    }
}

TEST_F(Smuggling, InPlainAndCutOffBodies) {
    for (const char* type : {"text/plain", "application/x-www-form-urlencoded"}) {
        const std::string headers = std::string("Content-Type: ") + type + "\r\n";
        expect_refused(foreign(headers + length(hidden().size())) + hidden(), 403);
        // longer and shorter than it says
        expect_refused(foreign(headers + length(5)) + hidden(), 403);
        expect_refused(foreign(headers + length(9999)) + hidden(), 403, true);
    }
    expect_refused("POST /api/whatif HTTP/1.1\r\nHost: " + host() +
                       "\r\nContent-Type: application/json\r\n" + length(9999) + "\r\n" + hidden(),
                   400, true);
}

TEST_F(Smuggling, InChunks) {
    const std::string chunked = "Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n";
    expect_refused(foreign(chunked) + "0\r\n\r\n" + hidden(), 501);
    expect_refused(foreign(chunked + length(5)) + "0\r\n\r\n" + hidden(), 501);
    expect_refused("POST /api/whatif HTTP/1.1\r\nHost: " + host() + "\r\n" + chunked + "\r\n" +
                       "zz\r\n" + hidden(),
                   501);
}

TEST_F(Smuggling, BehindEveryRefusal) {
    for (const auto& [first, status] : std::vector<std::pair<std::string, int>>{
             {foreign("", "GET /api/meta"), 403},
             {"GET /api/meta HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403},
             {"GET /nothing HTTP/1.1\r\nHost: " + host() + "\r\n\r\n", 404},
             {"PUT /api/meta HTTP/1.1\r\nHost: " + host() + "\r\n\r\n", 405},
             {"OPTIONS /api/meta HTTP/1.1\r\nHost: " + host() + "\r\n\r\n", 405},
             {"GET /api/meta HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 3\r\n\r\nabc",
              400},
             {"nonsense\r\n\r\n", 400}})
        expect_refused(first + hidden(), status);
}

TEST_F(Smuggling, ThroughHeadsThatTwoReadersUnderstandInTwoWays) {
    const std::string start = "GET /api/meta HTTP/1.1\r\nHost: " + host() + "\r\n";
    for (const std::string& odd :
         {std::string("Content-Length: 0\r\nContent-Length: 9\r\n"),
          std::string("Content-Length: +0\r\n"), std::string("Content-Length: 0, 9\r\n"),
          std::string("Content-Length : 9\r\n"), std::string("X: a\r\n b: c\r\n"),
          std::string("X: a\nContent-Length: 9\r\n"), std::string("X: a\rY: b\r\n"),
          std::string("no colon\r\n"), std::string(": empty\r\n"), std::string("X: \x01\r\n")})
        expect_refused(start + odd + "\r\n" + hidden(), 400);
    expect_refused(start + "Content-Length: 99999999999999999999999\r\n\r\n" + hidden(), 413);
    expect_refused(
        "GET http://" + host() + "/api/meta HTTP/1.1\r\nHost: " + host() + "\r\n\r\n" + hidden(),
        400);
    expect_refused("GET /api/meta HTTP/2.0\r\nHost: " + host() + "\r\n\r\n" + hidden(), 505);
}

// Browsers say where a request comes from that has no Origin: an image of another site, say.
TEST_F(Smuggling, AsAnImageOfAnotherSite) {
    const std::string start = "GET /api/meta HTTP/1.1\r\nHost: " + host() + "\r\n";
    expect_refused(start + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n", 403);
    expect_refused(start + "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n", 403);
    // a link from elsewhere to the page is fine
    RawClient client(served_.server->port());
    client.send("GET / HTTP/1.1\r\nHost: " + host() +
                "\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nConnection: close"
                "\r\n\r\n");
    EXPECT_TRUE(has_status(client.rest(), 200));
}

// One with a body is the last of its connection, however it was answered.
TEST_F(Smuggling, BehindARequestWithABody) {
    RawClient client(served_.server->port());
    client.send(hidden() + hidden());
    const std::string answer = client.rest(std::chrono::seconds(10));
    EXPECT_TRUE(client.closed());
    EXPECT_EQ(answers_in(answer), 1) << answer;
    EXPECT_TRUE(has_status(answer, 200)) << answer;
    served_.get("/api/run/1/meta", 200);
    served_.get("/api/run/2/meta", 404);
}

TEST_F(Smuggling, GoodRequestsShareAConnection) {
    RawClient client(served_.server->port());
    const std::string request = "GET /api/table/events?count=1 HTTP/1.1\r\nHost: " + host();
    client.send(request + "\r\n\r\n" + request + "\r\n\r\n" + request +
                "\r\nConnection: close\r\n\r\n");
    const std::string answer = client.rest(std::chrono::seconds(10));
    EXPECT_TRUE(client.closed());
    EXPECT_EQ(answers_in(answer), 3) << answer;
}

}  // namespace
}  // namespace carom::tests
