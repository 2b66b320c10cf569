// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/json_out.h"

#include <cmath>
#include <iterator>

#include "carom/cli/impact_answer.h"

namespace carom::cli {

void JsonOut::before(std::string_view name) {
    if (!first_) out_.push_back(',');
    first_ = false;
    if (name.empty()) return;
    write_string(out_, name);
    out_.push_back(':');
}

void JsonOut::open(std::string_view name, char bracket) {
    before(name);
    out_.push_back(bracket);
    first_ = true;
}

void JsonOut::close(char bracket) {
    out_.push_back(bracket);
    first_ = false;
}

void JsonOut::put(double value) {
    // adding zero makes -0 a 0
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(out_), "{}", value + 0.0);
    } else {
        fmt::format_to(std::back_inserter(out_), "null");
    }
}

void JsonOut::number(std::string_view name, double value) {
    before(name);
    put(value);
}

void JsonOut::count(std::string_view name, std::uint64_t value) {
    before(name);
    fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonOut::flag(std::string_view name, bool value) {
    before(name);
    fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonOut::text(std::string_view name, std::string_view value) {
    before(name);
    write_string(out_, value);
}

void JsonOut::vector(std::string_view name, const Vec3& v) {
    before(name);
    for (int i = 0; i < 3; ++i) {
        out_.push_back(i == 0 ? '[' : ',');
        put(v[i]);
    }
    out_.push_back(']');
}

void JsonOut::quaternion(std::string_view name, const Eigen::Quaterniond& q) {
    before(name);
    char mark = '[';
    for (const double value : {q.w(), q.x(), q.y(), q.z()}) {
        out_.push_back(mark);
        put(value);
        mark = ',';
    }
    out_.push_back(']');
}

void JsonOut::null(std::string_view name) {
    before(name);
    fmt::format_to(std::back_inserter(out_), "null");
}

void JsonOut::json(std::string_view name, std::string_view text) {
    before(name);
    out_.append(text.data(), text.data() + text.size());
}

void JsonOut::element(std::string_view text) {
    before({});
    write_string(out_, text);
}

void put_csv_text(fmt::memory_buffer& out, std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out.append(text.data(), text.data() + text.size());
        return;
    }
    out.push_back('"');
    for (const char c : text) {
        if (c == '"') out.push_back('"');
        out.push_back(c);
    }
    out.push_back('"');
}

void put_csv_number(fmt::memory_buffer& out, double value) {
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(out), "{}", value + 0.0);
}

void put_csv_vector(fmt::memory_buffer& out, const Vec3& v) {
    for (int i = 0; i < 3; ++i) {
        out.push_back(',');
        put_csv_number(out, v[i]);
    }
}

}  // namespace carom::cli
