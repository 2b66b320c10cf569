// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/serve/served.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "carom/cli/scene_source.h"

namespace carom::tests {

httplib::Client Served::client() const {
    httplib::Client client("127.0.0.1", server->port());
    client.set_read_timeout(60);
    return client;
}

Json Served::get(const std::string& path, int status) const {
    const auto answer = client().Get(path);
    if (!answer) {
        ADD_FAILURE() << path << ": no answer";
        return {};
    }
    EXPECT_EQ(answer->status, status) << path << ": " << answer->body.substr(0, 300);
    return Json::parse(answer->body, nullptr, false);
}

std::string Served::table(const std::string& path) const {
    const auto answer = client().Get(path);
    if (!answer || answer->status != 200) {
        ADD_FAILURE() << path << ": " << (answer ? answer->body.substr(0, 300) : "no answer");
        return {};
    }
    EXPECT_EQ(answer->get_header_value("Content-Type"), "application/octet-stream");
    return answer->body;
}

Json Served::post_what_if(const std::string& body, int status) const {
    const auto answer = client().Post("/api/whatif", body, "application/json");
    if (!answer) {
        ADD_FAILURE() << body.substr(0, 300) << ": no answer";
        return {};
    }
    EXPECT_EQ(answer->status, status) << body.substr(0, 300) << ": " << answer->body;
    return Json::parse(answer->body, nullptr, false);
}

Json Served::wait_for(const std::string& meta_path) const {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (std::chrono::steady_clock::now() < latest) {
        Json meta = get(meta_path);
        if (!meta.is_object() || !meta.at("running").get<bool>()) return meta;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << meta_path << " does not end";
    return {};
}

std::shared_ptr<serve::Session> open_recording(const std::string& path,
                                               const serve::WhatIfLimits& limits) {
    const record::Header header = record::Recording(path).header();
    scene::Scene scene = cli::scene_of(header);
    world::World world = cli::world_of(scene, header);
    return serve::Session::of_recording(path, std::move(scene), std::move(world), limits);
}

std::shared_ptr<serve::Session> run_scene(scene::Scene scene, const serve::WhatIfLimits& limits) {
    const record::Header header = cli::header_of(scene, scene::make_world(scene), scene.duration);
    return serve::Session::of_scene(std::move(scene), header, {}, limits);
}

namespace {

Served serve(std::shared_ptr<serve::Session> session, const serve::HttpLimits& http) {
    Served served;
    served.session = std::move(session);
    serve::Shown shown;
    shown.session = served.session;
    serve::ServerOptions options;
    options.limits = http;
    served.server = std::make_unique<serve::Server>(k_test_pages, shown, options);
    return served;
}

}  // namespace

Served serve_recording(const std::string& path, const serve::WhatIfLimits& limits,
                       const serve::HttpLimits& http) {
    return serve(open_recording(path, limits), http);
}

Served serve_scene(const std::string& text, const serve::WhatIfLimits& limits) {
    return serve(run_scene(scene::read_scene_text(text, "test"), limits), {});
}

std::string rows_of(const std::string& recording, serve::TableId table) {
    const record::RowSource source(recording);
    const auto i = static_cast<std::size_t>(table);
    const std::uint64_t rows = source.lengths()[i];
    std::string bytes(rows * record::k_row_bytes[i], '\0');
    source.read(table, 0, rows, bytes.data());
    return bytes;
}

}  // namespace carom::tests
