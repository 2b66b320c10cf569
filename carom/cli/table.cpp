// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace carom::cli {

std::string Table::text() const {
    std::vector<std::size_t> width(rows_.front().size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size() && i < width.size(); ++i) {
            width[i] = std::max(width[i], row[i].size());
        }
    }
    std::string out;
    const auto line = [&](const std::vector<std::string>& row) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool last = i + 1 == row.size();
            text += last ? row[i] : fmt::format("{:<{}}  ", row[i], width[i]);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    };
    line(rows_.front());
    std::vector<std::string> rule;
    rule.reserve(width.size());
    for (const std::size_t w : width)
        rule.emplace_back(w, '-');
    line(rule);
    for (std::size_t i = 1; i < rows_.size(); ++i)
        line(rows_[i]);
    return out;
}

std::string short_number(double value) {
    if (value == 0.0) return "0";
    return fmt::format("{:.6g}", value);
}

std::string seconds_text(double t) {
    return fmt::format("{:.9g} s", t + 0.0);
}

}  // namespace carom::cli
