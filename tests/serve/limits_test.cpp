// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a client may take of the server: time, connections, bytes; and what other futures may take
// of the machine.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "carom/serve/connection.h"
#include "carom/serve/http_server.h"
#include "tests/serve/raw_client.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

serve::HttpLimits hurried() {
    serve::HttpLimits limits;
    limits.connections = 8;
    limits.idle = limits.head = limits.body = milliseconds(400);
    limits.stall = milliseconds(400);
    return limits;
}

class HttpLimits : public testing::Test {
protected:
    ScratchFolder scratch_;
    Served served_ = serve_recording(record(scratch_, "ball", bouncing_ball()), {}, hurried());

    int port() const { return served_.server->port(); }
    std::string start() const {
        return "GET /api/meta HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) + "\r\n";
    }
    // Sends bytes one by one, each well within every time limit, until the server has had enough.
    std::string trickle(const std::string& first, const std::string& bytes) const {
        RawClient client(port());
        client.send(first);
        const auto latest = Clock::now() + seconds(10);
        for (std::size_t i = 0; Clock::now() < latest; ++i) {
            if (!client.send(bytes.substr(i % bytes.size(), 1))) break;
            const std::string answer = client.rest(milliseconds(50));
            if (!answer.empty()) return answer;
            if (client.closed()) break;
        }
        return "no answer";
    }
};

TEST_F(HttpLimits, HeadersMayNotBeLong) {
    for (const std::string& head :
         {start() + "X: " + std::string(20'000, 'a') + "\r\n\r\n", std::string(20'000, 'a')}) {
        RawClient client(port());
        client.send(head);
        EXPECT_TRUE(has_status(client.rest(), 431)) << head.substr(0, 30);
    }
    EXPECT_EQ(served_.client().Get("/" + std::string(9000, 'a'))->status, 414);
}

TEST_F(HttpLimits, AHeadMayNotComeSlowly) {
    EXPECT_TRUE(has_status(trickle(start(), "X: y\r\n"), 408));
}

TEST_F(HttpLimits, ABodyMayNotComeSlowly) {
    const std::string head =
        "POST /api/whatif HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) +
        "\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n";
    EXPECT_TRUE(has_status(trickle(head, " "), 408));
}

TEST_F(HttpLimits, AConnectionMayNotBeHeldInSilence) {
    RawClient client(port());
    EXPECT_EQ(client.rest(seconds(10)), "");
    EXPECT_TRUE(client.closed());
}

// As many silent clients as one likes keep nobody out.
TEST(HttpConnections, SilentOnesGiveWay) {
    const ScratchFolder scratch;
    serve::HttpLimits limits;
    limits.connections = 8;
    const Served served = serve_recording(record(scratch, "ball", bouncing_ball()), {}, limits);
    std::vector<std::unique_ptr<RawClient>> silent;
    for (int i = 0; i < 100; ++i) {
        silent.push_back(std::make_unique<RawClient>(served.server->port()));
        silent.back()->send("GET /api/meta HTTP/1.1\r\nHost: ");
    }
    const auto began = Clock::now();
    EXPECT_EQ(served.get("/api/meta").at("finished"), true);
    EXPECT_LT(Clock::now() - began, seconds(3));
    int cut_off = 0;
    for (const auto& client : silent) {
        client->rest(milliseconds(20));
        cut_off += client->closed() ? 1 : 0;
    }
    EXPECT_GE(cut_off, 92);
}

// Answers when it is told to, or with so many bytes.
class TestHandler : public serve::RequestHandler {
public:
    void check(const serve::HttpRequest&) const override {}
    serve::HttpAnswer answer(const serve::HttpRequest& request) const override {
        std::unique_lock lock(mutex_);
        ++busy_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return may_answer_; });
        return serve::answer_with(std::string(bytes_, 'x') + request.path, "text/plain");
    }
    void wait_until_busy(int count) const {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return busy_ >= count; });
    }
    void let_answer() {
        {
            const std::lock_guard lock(mutex_);
            may_answer_ = true;
        }
        changed_.notify_all();
    }
    void give_bytes(std::size_t bytes) { bytes_ = bytes; }

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    mutable int busy_ = 0;
    bool may_answer_ = false;
    std::size_t bytes_ = 0;
};

TEST(HttpConnections, BeyondThoseThatAreBeingAnsweredThereIsNoMore) {
    TestHandler handler;
    serve::HttpLimits limits;
    limits.connections = 2;
    serve::HttpServer server("127.0.0.1", 0, limits);
    server.start(handler);
    RawClient first(server.port()), second(server.port());
    first.send("GET /1 HTTP/1.0\r\n\r\n");
    second.send("GET /2 HTTP/1.0\r\n\r\n");
    handler.wait_until_busy(2);
    RawClient third(server.port());
    EXPECT_TRUE(has_status(third.rest(seconds(10)), 503));
    handler.let_answer();
    EXPECT_TRUE(has_status(first.rest(), 200));
    EXPECT_TRUE(has_status(second.rest(), 200));
    RawClient fourth(server.port());
    fourth.send("GET /4 HTTP/1.0\r\n\r\n");
    EXPECT_TRUE(has_status(fourth.rest(), 200));
}

TEST(HttpConnections, AClientThatTakesNothingIsCutOff) {
    TestHandler handler;
    handler.give_bytes(std::size_t{64} << 20U);
    handler.let_answer();
    serve::HttpLimits limits = hurried();
    limits.slowest_rate = std::size_t{1} << 30U;
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const std::string request = "GET / HTTP/1.1\r\n\r\n";
    ASSERT_EQ(send(ends[0], request.data(), request.size(), 0),
              static_cast<ssize_t>(request.size()));
    std::atomic<serve::Connection::Clock::rep> waiting = 0;
    const auto began = Clock::now();
    serve::Connection(ends[1], handler, limits, waiting).serve();
    EXPECT_LT(Clock::now() - began, seconds(5));
    close(ends[0]);
    close(ends[1]);
}

TEST(RateLimit, LetsABurstPassAndThenSoManyASecond) {
    serve::RateLimit rate(3.0, 2.0);
    const auto start = serve::RateLimit::Clock::now();
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(rate.take(start));
    EXPECT_FALSE(rate.take(start));
    EXPECT_FALSE(rate.take(start + milliseconds(400)));
    EXPECT_TRUE(rate.take(start + milliseconds(600)));
    EXPECT_FALSE(rate.take(start + milliseconds(700)));
    // a long pause gives no more than a burst
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(rate.take(start + seconds(1000)));
    EXPECT_FALSE(rate.take(start + seconds(1000)));
}

const std::string k_rule =
    R"("contact":{"materials":["default","default"],"law":"frictionless","e":0.9}})";

TEST(WhatIfLimits, TooManyWithinAShortTimeAreRefused) {
    const ScratchFolder scratch;
    serve::WhatIfLimits limits;
    limits.burst = 2.0;
    limits.per_second = 0.0;
    const Served served = serve_recording(record(scratch, "ball", bouncing_ball()), limits);
    const std::string request =
        R"({"event":0,"contact":{"materials":["rubber","stone"],"law":"frictionless","e":0.5}})";
    served.post_what_if(request);
    served.post_what_if(request);
    const Json answer = served.post_what_if(request, 429);
    EXPECT_NE(answer.at("error").get<std::string>().find("wait"), std::string::npos);
}

// Those that are not computed yet stay where the first run was.
TEST(WhatIfLimits, OnlySomeAreComputedAtOnce) {
    serve::WhatIfLimits limits;
    limits.pool = std::make_shared<serve::WhatIfPool>(1);
    const Served served = serve_scene(gas(1000.0), limits);
    while (served.get("/api/meta").at("counts").at("events") < 20)
        std::this_thread::sleep_for(milliseconds(5));
    served.post_what_if(R"({"event":5,)" + k_rule);
    const auto begins = [&](const std::string& path) {
        const Json meta = served.get(path);
        return meta.at("end") > meta.at("what_if").at("time");
    };
    while (!begins("/api/run/1/meta"))
        std::this_thread::sleep_for(milliseconds(5));
    served.post_what_if(R"({"event":6,)" + k_rule);
    std::this_thread::sleep_for(milliseconds(500));
    EXPECT_FALSE(begins("/api/run/2/meta"));
    EXPECT_EQ(served.get("/api/run/2/meta").at("running"), true);
    // the first goes when there are too many, and the second has its turn
    for (std::size_t i = 0; i < limits.kept - 1; ++i)
        served.post_what_if(R"({"event":6,)" + k_rule);
    served.get("/api/run/1/meta", 404);
    const auto latest = Clock::now() + seconds(60);
    while (!begins("/api/run/2/meta") && Clock::now() < latest)
        std::this_thread::sleep_for(milliseconds(5));
    EXPECT_TRUE(begins("/api/run/2/meta"));
}

void wait_for_events(const Served& served) {
    while (served.get("/api/meta").at("counts").at("events") < 20)
        std::this_thread::sleep_for(milliseconds(5));
}

// Runs share what there is of processors and memory.
TEST(WhatIfLimits, OnlySomeOfAllRunsAreComputedAtOnce) {
    serve::WhatIfLimits limits;
    limits.pool = std::make_shared<serve::WhatIfPool>(1);
    const Served first = serve_scene(gas(1000.0), limits), second = serve_scene(gas(5.0), limits);
    const auto begins = [](const Served& served) {
        const Json meta = served.get("/api/run/1/meta");
        return meta.at("end") > meta.at("what_if").at("time");
    };
    wait_for_events(first);
    wait_for_events(second);
    first.post_what_if(R"({"event":5,)" + k_rule);
    while (!begins(first))
        std::this_thread::sleep_for(milliseconds(5));
    second.post_what_if(R"({"event":5,)" + k_rule);
    std::this_thread::sleep_for(milliseconds(300));
    EXPECT_FALSE(begins(second));
    first.session->stop();
    EXPECT_EQ(second.wait_for("/api/run/1/meta").at("finished"), true);
}

TEST(WhatIfLimits, AllRunsShareTheMemory) {
    serve::WhatIfLimits limits;
    limits.pool = std::make_shared<serve::WhatIfPool>(2, std::uint64_t{4} << 20U);
    const Served first = serve_scene(gas(1000.0), limits),
                 second = serve_scene(gas(1000.0), limits);
    wait_for_events(first);
    wait_for_events(second);
    for (int i = 1; i <= 2; ++i) {
        first.post_what_if(R"({"event":5,)" + k_rule);
        const Json meta = first.wait_for("/api/run/" + std::to_string(i) + "/meta");
        ASSERT_TRUE(meta.at("error").is_string()) << meta;
        EXPECT_NE(meta.at("error").get<std::string>().find("together have 4 MiB"),
                  std::string::npos)
            << meta.at("error");
        EXPECT_EQ(limits.pool->row_bytes.free(), 0U);
    }
    // the second took the place of the first
    first.get("/api/run/1/meta", 404);
    const Json answer = second.post_what_if(R"({"event":5,)" + k_rule, 503);
    EXPECT_NE(answer.at("error").get<std::string>().find("4 MiB"), std::string::npos) << answer;
    first.session->stop();
    EXPECT_EQ(limits.pool->row_bytes.free(), limits.pool->row_bytes.most());
    second.post_what_if(R"({"event":5,)" + k_rule);
}

TEST(WhatIfLimits, OfAProgramAreThoseOfItsRunsTogether) {
    EXPECT_EQ(serve::WhatIfLimits{}.pool, serve::WhatIfLimits{}.pool);
    EXPECT_EQ(serve::WhatIfLimits{}.pool->row_bytes.most(), std::uint64_t{1} << 30U);
}

TEST(WhatIfLimits, OneThatBecomesTooLongEnds) {
    serve::WhatIfLimits limits;
    limits.row_bytes = std::uint64_t{2} << 20U;
    const Served served = serve_scene(gas(1000.0), limits);
    while (served.get("/api/meta").at("counts").at("events") < 20)
        std::this_thread::sleep_for(milliseconds(5));
    served.post_what_if(R"({"event":5,)" + k_rule);
    const Json meta = served.wait_for("/api/run/1/meta");
    EXPECT_EQ(meta.at("finished"), false);
    ASSERT_TRUE(meta.at("error").is_string()) << meta;
    EXPECT_NE(meta.at("error").get<std::string>().find("2 MiB"), std::string::npos)
        << meta.at("error");
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < record::k_table_count; ++i) {
        bytes += meta.at("counts").at(std::string(record::k_table_names[i])).get<std::uint64_t>() *
                 record::k_row_bytes[i];
    }
    EXPECT_GT(bytes, limits.row_bytes / 2);
    EXPECT_LT(bytes, 2 * limits.row_bytes);
}

}  // namespace
}  // namespace carom::tests
