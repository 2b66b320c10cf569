// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <httplib.h>

#include <memory>
#include <string>
#include <vector>

#include "carom/serve/server.h"
#include "carom/serve/session.h"
#include "tests/cli/simulations.h"

namespace carom::tests {

inline constexpr serve::Pages k_test_pages{
    "<!doctype html><body>viewer</body>", "<!doctype html><body>lab</body>",
    "<!doctype html><body>gallery</body>", "<!doctype html><body>compare</body>"};

// A session, and its server on a free port.
struct Served {
    std::shared_ptr<serve::Session> session;
    std::unique_ptr<serve::Server> server;

    httplib::Client client() const;
    // The answer as JSON; fails the test unless it has this status.
    Json get(const std::string& path, int status = 200) const;
    std::string table(const std::string& path) const;
    Json post_what_if(const std::string& body, int status = 200) const;
    // Waits until the run of a meta path has ended, and gives its last meta.
    Json wait_for(const std::string& meta_path) const;
};

// `carom view` of a recording, or of a scene that runs.
Served serve_recording(const std::string& path, const serve::WhatIfLimits& limits = {},
                       const serve::HttpLimits& http = {});
Served serve_scene(const std::string& text, const serve::WhatIfLimits& limits = {});
std::shared_ptr<serve::Session> open_recording(const std::string& path,
                                               const serve::WhatIfLimits& limits = {});
std::shared_ptr<serve::Session> run_scene(scene::Scene scene,
                                          const serve::WhatIfLimits& limits = {});

// The rows of a table as the recording has them.
std::string rows_of(const std::string& recording, serve::TableId table);

// Rows of a table as they came over the wire.
template <class Row>
std::vector<Row> rows_from(const std::string& bytes) {
    std::vector<Row> rows(bytes.size() / sizeof(Row));
    std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(Row));
    return rows;
}

}  // namespace carom::tests
