// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/http_server.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace carom::serve {
namespace {

[[noreturn]] void cannot_listen(const std::string& host, int port, const std::string& why) {
    throw ServeError("cannot listen on " + host +
                     (port != 0 ? " port " + std::to_string(port) : std::string()) + ": " + why +
                     "; give another with --host or --port");
}

int port_of(int socket) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
    if (address.ss_family == AF_INET6)
        return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
    return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

// A listening socket at one of the addresses of a name; -1 and errno when there is none.
int listen_at(const addrinfo* addresses) {
    constexpr int k_backlog = 64, k_yes = 1;
    int failure = EADDRNOTAVAIL;
    for (const addrinfo* one = addresses; one != nullptr; one = one->ai_next) {
        const int fd = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (fd < 0) {
            failure = errno;
            continue;
        }
        // a port of a server that has ended is free at once; one that is in use is not
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &k_yes, sizeof k_yes);
        if (bind(fd, one->ai_addr, one->ai_addrlen) == 0 && listen(fd, k_backlog) == 0) return fd;
        failure = errno;
        ::close(fd);
    }
    errno = failure;
    return -1;
}

}  // namespace

HttpServer::HttpServer(const std::string& host, int port, const HttpLimits& limits)
    : limits_(limits) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int unknown = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (unknown != 0) cannot_listen(host, port, gai_strerror(unknown));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, &freeaddrinfo);
    listening_ = listen_at(addresses.get());
    if (listening_ < 0) cannot_listen(host, port, std::strerror(errno));
    port_ = port_of(listening_);
    if (pipe2(wake_, O_CLOEXEC) != 0) {
        const int failure = errno;
        ::close(listening_);
        cannot_listen(host, port, std::strerror(failure));
    }
}

HttpServer::~HttpServer() {
    const char byte = 0;
    while (write(wake_[1], &byte, 1) < 0 && errno == EINTR) {
    }
    if (thread_.joinable()) thread_.join();
    {
        const std::lock_guard lock(mutex_);
        for (Client& client : clients_) {
            if (client.socket >= 0) shutdown(client.socket, SHUT_RDWR);
        }
    }
    for (Client& client : clients_)
        client.thread.join();
    for (const int fd : {listening_, wake_[0], wake_[1]})
        ::close(fd);
}

void HttpServer::start(const RequestHandler& handler) {
    thread_ = std::thread([this, &handler] { accept_clients(handler); });
}

void HttpServer::accept_clients(const RequestHandler& handler) {
    for (;;) {
        pollfd pollers[2] = {{listening_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
        if (poll(pollers, 2, -1) < 0 && errno != EINTR) return;
        if (pollers[1].revents != 0) return;
        if (pollers[0].revents == 0) continue;
        const int socket = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket >= 0) {
            take(socket, handler);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // the client stays in the queue until files are free again
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

void HttpServer::take(int socket, const RequestHandler& handler) {
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (!make_room()) {
        constexpr std::string_view k_full =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\n"
            "Connection: close\r\n\r\n";
        send(socket, k_full.data(), k_full.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        ::close(socket);
        return;
    }
    const std::lock_guard lock(mutex_);
    Client& client = clients_.emplace_back();
    client.socket = socket;
    client.waiting_since = Clock::now().time_since_epoch().count();
    try {
        client.thread = std::thread([this, &client, socket, &handler] {
            try {
                Connection(socket, handler, limits_, client.waiting_since).serve();
            } catch (const std::exception&) {
                // no memory to answer: the client sees that the connection is closed
            }
            close(client);
        });
    } catch (const std::system_error&) {
        // no thread to be had
        ::close(socket);
        clients_.pop_back();
    }
}

// Under the lock, so that nobody cuts off another connection that has got the same number.
void HttpServer::close(Client& client) {
    const std::lock_guard lock(mutex_);
    ::close(client.socket);
    client.socket = -1;
}

void HttpServer::remove_ended() {
    std::list<Client> ended;
    {
        const std::lock_guard lock(mutex_);
        for (auto client = clients_.begin(); client != clients_.end();) {
            const auto next = std::next(client);
            if (client->socket < 0) ended.splice(ended.end(), clients_, client);
            client = next;
        }
    }
    for (Client& client : ended)
        client.thread.join();
}

// Whether another connection may begin.
bool HttpServer::make_room() {
    for (int tries = 0; tries < 100; ++tries) {
        remove_ended();
        {
            const std::lock_guard lock(mutex_);
            if (clients_.size() < limits_.connections) return true;
            Client* longest = nullptr;
            bool one_ends = false;
            for (Client& client : clients_) {
                if (client.socket < 0) one_ends = true;
                if (client.socket < 0 || client.waiting_since == 0) continue;
                if (longest == nullptr || client.waiting_since < longest->waiting_since)
                    longest = &client;
            }
            if (longest != nullptr && !one_ends) shutdown(longest->socket, SHUT_RDWR);
            if (longest == nullptr && !one_ends) return false;
        }
        // a thread whose connection was cut off ends at once
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

}  // namespace carom::serve
