// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "carom/serve/connection.h"

namespace carom::serve {

// The server cannot listen where it was told to.
class ServeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Takes connections at one port, each in a thread of its own. There are never more than
// `limits.connections`: when another one comes, that which has waited longest for its client to
// send a request is cut off for it, so that clients that say nothing keep nobody out. Where all of
// them are being answered, the new one is told to come back later (503).
class HttpServer {
public:
    // Binds to an address or name of this machine and a port (0: any that is free); requests wait
    // until start(). Throws ServeError.
    HttpServer(const std::string& host, int port, const HttpLimits& limits);
    // Cuts off every connection and waits for their threads.
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    int port() const { return port_; }
    // Answers from now on. The handler must outlive this.
    void start(const RequestHandler& handler);

private:
    using Clock = Connection::Clock;
    struct Client {
        int socket = -1;  // -1: closed, and the thread is at its end
        std::atomic<Clock::rep> waiting_since = 1;
        std::thread thread;
    };

    void accept_clients(const RequestHandler& handler);
    void take(int socket, const RequestHandler& handler);
    void remove_ended();
    bool make_room();
    void close(Client& client);

    HttpLimits limits_;
    int port_ = 0;
    int listening_ = -1;
    int wake_[2] = {-1, -1};  // a pipe: its end is told by a byte
    std::mutex mutex_;        // of the clients
    std::list<Client> clients_;
    std::thread thread_;
};

}  // namespace carom::serve
