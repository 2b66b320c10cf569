// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as what a client sends to the viewer's server. The first byte chooses what is
// shown: one run, two runs or the gallery. Whatever the bytes are, every answer is whole, nothing
// is served behind a refusal, and no page of another site is served anything. A finding aborts.

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "carom/cli/scene_source.h"
#include "carom/scene/built_in.h"
#include "carom/serve/connection.h"
#include "carom/serve/routes.h"
#include "tests/fuzz/bounded_run.h"

namespace {

using namespace carom;

constexpr serve::Pages k_pages{"<p>viewer</p>", "<p>lab</p>", "<p>gallery</p>", "<p>compare</p>"};
constexpr int k_port = 8080;

std::shared_ptr<serve::Session> run() {
    scene::Scene scene = scene::read_built_in("bounce");
    const record::Header header = cli::header_of(scene, scene::make_world(scene), scene.duration);
    serve::WhatIfLimits limits;
    limits.burst = 0.0;  // what_if_fuzz looks at what is asked for; threads would blur the picture
    limits.per_second = 0.0;
    return serve::Session::of_scene(std::move(scene), header, {}, limits);
}

const serve::Routes& routes(unsigned which) {
    static const std::shared_ptr<serve::Session> session = run();
    static const auto make = [](unsigned k) {
        serve::Shown shown;
        if (k == 0) shown.session = session;
        if (k == 1) shown.compared = {{"a", session}, {"b", session}};
        if (k == 2) {
            shown.gallery =
                std::make_shared<serve::Gallery>([](const std::string&) { return session; });
        }
        return serve::Routes(k_pages, shown, serve::RequestCheck("127.0.0.1", k_port));
    };
    static const serve::Routes all[] = {make(0), make(1), make(2)};
    return all[which % 3];
}

// Walks over the answers by their lengths; a HEAD's has none, which its sender knows, so that they
// are not judged.
void judge(std::string_view answers, std::string_view sent) {
    if (sent.find("HEAD ") != std::string_view::npos) return;
    bool over = false;
    while (!answers.empty()) {
        if (answers.starts_with("HTTP/1.1 100 Continue\r\n\r\n")) {
            answers.remove_prefix(25);
            continue;
        }
        if (over) fuzz::found("an answer behind a refusal", std::string(sent));
        const std::size_t head = answers.find("\r\n\r\n");
        const std::size_t at = answers.find("Content-Length: ");
        if (!answers.starts_with("HTTP/1.1 ") || head == std::string_view::npos || at > head)
            fuzz::found("an answer that is none", std::string(sent));
        std::size_t length = 0;
        std::from_chars(answers.data() + at + 16, answers.data() + head, length);
        if (answers.size() < head + 4 + length)
            fuzz::found("an answer that is not whole", std::string(sent));
        const std::string_view status = answers.substr(9, 3);
        if (status == "500") fuzz::found("an inner error", std::string(sent));
        over = status != "200";
        answers.remove_prefix(head + 4 + length);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const serve::Routes& handler = routes(data[0]);
    const std::string_view sent(reinterpret_cast<const char*>(data + 1), size - 1);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
    // all of it fits into the socket's memory
    if (send(ends[0], sent.data(), sent.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(sent.size()))
        fuzz::found("the input is too long for this target", "");
    shutdown(ends[0], SHUT_WR);
    std::string answers;
    std::thread reader([&] {
        char buffer[65536];
        for (ssize_t got; (got = recv(ends[0], buffer, sizeof buffer, 0)) > 0;)
            answers.append(buffer, static_cast<std::size_t>(got));
    });
    std::atomic<serve::Connection::Clock::rep> waiting = 0;
    const serve::HttpLimits limits;
    serve::Connection(ends[1], handler, limits, waiting).serve();
    close(ends[1]);
    reader.join();
    close(ends[0]);
    judge(answers, sent);
    return 0;
}
