// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/request_check.h"

#include <arpa/inet.h>
#include <strings.h>
#include <unistd.h>

#include <array>

namespace carom::serve {
namespace {

bool same_word(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// "[::1]" as "::1".
std::string without_brackets(std::string_view host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return std::string(host);
}

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

bool is_loopback(std::string_view host) {
    if (same_word(host, "localhost")) return true;
    const std::string text = without_brackets(host);
    in_addr four{};
    if (inet_pton(AF_INET, text.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24U) == 127U;
    in6_addr six{};
    return inet_pton(AF_INET6, text.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

RequestCheck::RequestCheck(std::string host, int port)
    : host_(std::move(host)), port_(1, ':'), local_(is_loopback(host_)) {
    port_ += std::to_string(port);
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0) machine_ = name.data();
}

bool RequestCheck::host_is_ours(std::string_view host_header) const {
    std::string_view host = host_header;
    if (host.size() > port_.size() && host.ends_with(port_)) {
        host.remove_suffix(port_.size());
    } else if (port_ != ":80") {
        return false;
    }
    if (is_loopback(host)) return true;
    if (local_) return false;
    return same_word(host, host_) || (!machine_.empty() && same_word(host, machine_)) ||
           is_address(without_brackets(host));
}

bool RequestCheck::origin_is_ours(std::string_view origin, std::string_view host_header) const {
    constexpr std::string_view k_scheme = "http://";
    return origin.starts_with(k_scheme) && same_word(origin.substr(k_scheme.size()), host_header);
}

}  // namespace carom::serve
