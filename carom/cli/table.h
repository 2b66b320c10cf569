// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

namespace carom::cli {

// A plain text table with columns as wide as they need to be.
class Table {
public:
    explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    // The table with a rule under its header; lines end without trailing blanks.
    std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

// A number for people: six significant digits, exact zeros as 0.
std::string short_number(double value);

// A time in seconds for people: nine significant digits, so that 20.60000000000001 is "20.6 s".
std::string seconds_text(double t);

}  // namespace carom::cli
