// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <chrono>
#include <string>

namespace carom::tests {

// A connection to a port of this machine, through which a test sends what no library would.
class RawClient {
public:
    explicit RawClient(int port);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    // False when the server has closed the connection.
    bool send(const std::string& bytes) const;
    // Says that nothing more will come.
    void end_sending() const;
    // All that comes until the server closes the connection; what came so far when it does not
    // within the time, and `closed()` is false then.
    std::string rest(std::chrono::milliseconds most = std::chrono::seconds(30));
    bool closed() const { return closed_; }

private:
    int fd_;
    bool closed_ = false;
};

// How many answers there are in what a server sent, and whether one of them has the status.
int answers_in(const std::string& text);
bool has_status(const std::string& text, int status);

}  // namespace carom::tests
