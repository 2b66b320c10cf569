// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <string>

#include "carom/serve/http_server.h"
#include "carom/serve/routes.h"

namespace carom::serve {

struct ServerOptions {
    std::string host = "127.0.0.1";
    int port = 0;  // 0: any that is free
    HttpLimits limits;
};

// Gives browsers the pages and the data of what is shown. docs/viewer-server.md says what it
// answers.
class Server {
public:
    // Listens from now on. Throws ServeError.
    Server(const Pages& pages, Shown shown, const ServerOptions& options);
    // Ends it: requests that are being answered are cut off.
    ~Server() = default;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    int port() const { return http_.port(); }
    // "http://127.0.0.1:43210/"
    std::string address() const;

private:
    std::string host_;
    std::unique_ptr<const Routes> routes_;
    HttpServer http_;  // ends before what answers its requests
};

}  // namespace carom::serve
