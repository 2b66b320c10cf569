// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/report.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace carom::scene {
namespace {

// What is kept while reading, so that a hopeless file does not fill the memory.
constexpr std::size_t k_most_kept = 100 * k_most_problems;

std::string all_lines(std::string_view name, const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty()) text += '\n';
        text += name;
        if (problem.line > 0) {
            text.append(":").append(std::to_string(problem.line));
            text.append(":").append(std::to_string(problem.column));
        }
        text.append(": ").append(problem.message);
    }
    return text;
}

// Messages of the parser may quote what it found, line breaks included.
std::string one_line(std::string_view message) {
    std::string line;
    for (const char c : message) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\n') {
            line += "\\n";
        } else {
            line += code < 0x20 || code == 0x7f ? '?' : c;
        }
    }
    return line;
}

}  // namespace

SceneError::SceneError(std::string_view name, std::vector<Problem> problems)
    : std::runtime_error(all_lines(name, problems)), problems_(std::move(problems)) {}

void Report::add(const Place& place, std::string_view message) {
    if (problems_.size() == k_most_kept) {
        ++left_out_;
        return;
    }
    problems_.push_back({place.line, place.column, one_line(message)});
}

std::vector<Problem> Report::take() {
    std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    if (problems_.size() > k_most_problems) {
        left_out_ += problems_.size() - k_most_problems;
        problems_.resize(k_most_problems);
        problems_.push_back({0, 0, "and " + std::to_string(left_out_) + " more problems"});
    }
    return std::exchange(problems_, {});
}

}  // namespace carom::scene
