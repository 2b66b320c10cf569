// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "carom/math/types.h"

namespace carom::cli {

// Writes JSON into a buffer, member by member. Numbers are the shortest that read back to the same
// bits; -0 is written as 0, what is not finite as null.
class JsonOut {
public:
    explicit JsonOut(fmt::memory_buffer& out) : out_(out) {}

    // An object or a list: as an element, or as the member of that name.
    void begin(std::string_view name = {}) { open(name, '{'); }
    void begin_list(std::string_view name = {}) { open(name, '['); }
    void end() { close('}'); }
    void end_list() { close(']'); }
    void end_line() { out_.push_back('\n'); }

    void number(std::string_view name, double value);
    void count(std::string_view name, std::uint64_t value);
    void flag(std::string_view name, bool value);
    void text(std::string_view name, std::string_view value);
    void vector(std::string_view name, const Vec3& v);
    void quaternion(std::string_view name, const Eigen::Quaterniond& q);  // [w,x,y,z]
    void null(std::string_view name);
    // JSON as it is.
    void json(std::string_view name, std::string_view text);
    // Elements of a list.
    void element(std::string_view text);

private:
    void open(std::string_view name, char bracket);
    void close(char bracket);
    void before(std::string_view name);
    void put(double value);

    fmt::memory_buffer& out_;
    bool first_ = true;  // in the innermost object or list
};

// A cell of a CSV line, quoted where it must be.
void put_csv_text(fmt::memory_buffer& out, std::string_view text);
// A number as JsonOut writes it; nothing for what is not finite.
void put_csv_number(fmt::memory_buffer& out, double value);
// The same with a comma in front of each.
void put_csv_vector(fmt::memory_buffer& out, const Vec3& v);

}  // namespace carom::cli
