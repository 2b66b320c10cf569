// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom view` and `carom lab` from their start to Ctrl-C. What they serve: tests/serve.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

sockaddr_in own_address(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// A port that was free a moment ago.
int free_port() {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = own_address(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
    close(fd);
    return ntohs(address.sin_port);
}

// The answer to a GET, head and all; empty when nobody listens.
std::string get(int port, const std::string& path) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = own_address(port);
    std::string answer;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        const std::string request = "GET " + path +
                                    " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                    "\r\nConnection: close\r\n\r\n";
        EXPECT_EQ(send(fd, request.data(), request.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(request.size()));
        char buffer[4096];
        for (ssize_t got; (got = recv(fd, buffer, sizeof buffer, 0)) > 0;)
            answer.append(buffer, static_cast<std::size_t>(got));
    }
    close(fd);
    return answer;
}

std::string get_when_ready(RunningCarom& carom, int port, const std::string& path) {
    std::string answer;
    while (answer.empty() && carom.running()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        answer = get(port, path);
    }
    return answer;
}

class ViewCommand : public testing::Test {
protected:
    void SetUp() override {
        if (!has_pages()) GTEST_SKIP() << "built without the pages";
    }
    // Starts, waits for an answer, sends the signal, and gives how it ended.
    ProgramRun serve(std::vector<std::string> arguments, const std::string& path,
                     const std::string& in_answer, int signal = SIGINT) {
        const int port = free_port();
        arguments.insert(arguments.end(), {"--no-browser", "--port", std::to_string(port)});
        RunningCarom carom(arguments, scratch_.path(""));
        const std::string answer = get_when_ready(carom, port, path);
        EXPECT_NE(answer.find("HTTP/1.1 200 OK"), std::string::npos) << answer.substr(0, 300);
        EXPECT_NE(answer.find(in_answer), std::string::npos) << answer.substr(0, 2000);
        carom.send(signal);
        ProgramRun run = carom.wait();
        EXPECT_NE(run.out.find("http://127.0.0.1:" + std::to_string(port) + "/"), std::string::npos)
            << run.out;
        EXPECT_EQ(get(port, path), "");
        return run;
    }
    ScratchFolder scratch_;
};

TEST_F(ViewCommand, ServesARecordingUntilCtrlC) {
    const std::string path = record(scratch_, "ball", bouncing_ball());
    const ProgramRun run = serve({"view", path}, "/api/meta", "\"finished\":true");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(serve({"view", path}, "/", "</body>", SIGTERM).exit_code, 0);
}

TEST_F(ViewCommand, JsonTellsTheAddress) {
    const ProgramRun run = serve({"lab", "--json"}, "/lab", "</body>");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(run.answer().at("address").get<std::string>().ends_with("/lab"));
}

TEST_F(ViewCommand, CtrlCStopsTheRunTooAndTheRecordingCanGoOn) {
    const std::string scene = scratch_.write("gas.toml", gas(10'000.0));
    const std::string path = scratch_.path("gas.carom");
    const ProgramRun run = serve({"view", scene, "-o", path}, "/api/meta", "\"running\":true");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find("carom resume " + path), std::string::npos) << run.err;
    const Json info = info_of(path);
    EXPECT_EQ(info.at("finished"), false);
    EXPECT_GT(info.at("segments"), 200);
}

TEST_F(ViewCommand, ASceneThatHasRunIsRecorded) {
    const std::string scene = scratch_.write("ball.toml", bouncing_ball());
    const std::string path = scratch_.path("live.carom"),
                      other = record(scratch_, "run", bouncing_ball());
    const int port = free_port();
    RunningCarom carom({"view", scene, "-o", path, "--no-browser", "--port", std::to_string(port)},
                       scratch_.path(""));
    while (get_when_ready(carom, port, "/api/meta").find("\"finished\":true") ==
               std::string::npos &&
           carom.running()) {
    }
    carom.send(SIGINT);
    EXPECT_EQ(carom.wait().exit_code, 0);
    EXPECT_EQ(info_of(path).at("digest"), info_of(other).at("digest"));
}

TEST_F(ViewCommand, WrongCallsAreRefused) {
    const std::string path = record(scratch_, "ball", bouncing_ball());
    expect_refused({"view", path, "--no-browser", "--duration", "1"}, {"for scenes"});
    expect_refused({"view", path, "--no-browser", "--port", "70000"}, {"--port"});
    expect_refused({"view", path, "--no-browser", "--host", "no.such.host.invalid"},
                   {"cannot listen"});
    expect_refused({"view", "no-such-scene", "--no-browser"}, {"no-such-scene"});
    expect_refused({"view", "bounce", "--no-browser", "--force"}, {"-o"});
    expect_refused({"view", "bounce", "--no-browser", "-o", path}, {"exists already"});
    const std::string bad =
        scratch_.write("bad.toml", bouncing_ball("[[body]]\nname = \"twin\"\nshape = { type = "
                                                 "\"sphere\", radius = 0.05 }\nposition = [0, 0, "
                                                 "1.06]\n"));
    expect_refused({"view", bad, "--no-browser", "-o", scratch_.path("new.carom")}, {"overlap"});
    EXPECT_FALSE(std::filesystem::exists(scratch_.path("new.carom")));
}

TEST(ViewCommandWithoutPages, SaysSo) {
    if (has_pages()) GTEST_SKIP() << "built with the pages";
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"lab", "--no-browser"}, {"view", "bounce", "--no-browser"}}) {
        const ProgramRun run = run_carom(arguments);
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_NE(run.err.find("built without its pages"), std::string::npos) << run.err;
    }
}

}  // namespace
}  // namespace carom::tests
