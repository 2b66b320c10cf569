// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <string>

#include "carom/serve/server.h"

namespace CLI {
class App;
}

namespace carom::cli {

// What `carom view` and `carom lab` have in common: a page that is served until Ctrl-C.
struct ServeOptions {
    serve::ServerOptions server;
    bool no_browser = false;
    bool json = false;
};

// --host, --port, --no-browser and --json.
void add_serve_options(CLI::App& command, ServeOptions& options);

// The pages of the program. Throws CommandError when it was built without them.
serve::Pages built_in_pages();

// Serves until SIGINT or SIGTERM; `meanwhile` is called some times a second. `path` is that of the
// page to open, as "lab". Throws CommandError when it cannot listen.
void serve_until_stopped(const serve::Pages& pages, const serve::Shown& shown,
                         const std::string& path, const ServeOptions& options,
                         const std::function<void()>& meanwhile);

}  // namespace carom::cli
