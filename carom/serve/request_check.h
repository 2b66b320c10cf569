// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <string_view>

namespace carom::serve {

// Whether an address is the machine's own: localhost, 127.x.x.x, ::1.
bool is_loopback(std::string_view host);

// Decides which requests are for this server. A page of another site must not reach it by a name
// that leads here (DNS rebinding), nor read or change anything from there.
class RequestCheck {
public:
    // The address that the server listens on, as the user gave it, and its port.
    RequestCheck(std::string host, int port);

    // Whether a Host header means this server: a name or address of the machine's own, with the
    // port; where the server listens beyond the machine, also the given name, the machine's name
    // and addresses in numbers.
    bool host_is_ours(std::string_view host_header) const;
    // Whether an Origin header is that of a page from this server, reached under that Host.
    bool origin_is_ours(std::string_view origin, std::string_view host_header) const;

private:
    std::string host_;
    std::string machine_;  // its name
    std::string port_;     // ":1234"
    bool local_;           // listens on the machine only
};

}  // namespace carom::serve
