// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace carom::serve {

class Session;

// The server cannot listen where it was told to.
class ServeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The pages, which stay where they are.
struct Pages {
    std::string_view viewer, lab;
};

struct ServerOptions {
    std::string host = "127.0.0.1";
    int port = 0;  // 0: any that is free
};

// Gives browsers the pages and the data of a session. docs/viewer-server.md says what it answers.
// Files are never looked for: every path that is served stands in the program.
class Server {
public:
    // The largest body of a request, bytes.
    static constexpr std::size_t k_most_request_bytes = std::size_t{64} << 10U;

    // Listens from now on. `session` may be null (the lab page alone), and must outlive the server.
    // Throws ServeError.
    Server(const Pages& pages, Session* session, const ServerOptions& options);
    // Ends it: requests that are being answered are cut off.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    int port() const;
    // "http://127.0.0.1:43210/"
    std::string address() const;

private:
    class Inside;
    std::unique_ptr<Inside> in_;
};

}  // namespace carom::serve
