// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/server.h"

namespace carom::serve {

Server::Server(const Pages& pages, Shown shown, const ServerOptions& options)
    : host_(options.host), http_(options.host, options.port, options.limits) {
    routes_ =
        std::make_unique<const Routes>(pages, std::move(shown), RequestCheck(host_, http_.port()));
    http_.start(*routes_);
}

std::string Server::address() const {
    // what listens everywhere is also there
    std::string host = host_;
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "::1";
    const std::string shown = host.find(':') != std::string::npos ? "[" + host + "]" : host;
    return "http://" + shown + ":" + std::to_string(http_.port()) + "/";
}

}  // namespace carom::serve
