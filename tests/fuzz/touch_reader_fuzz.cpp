// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a line of `carom touch`. Whatever they are, no exception but ProblemError may
// leave the reader, and it has a message. Small problems are searched too, with few steps: a finite
// answer has to be in time, with a unit normal. Mesh files are not opened: lines that may name one
// are left out. A finding aborts with the line on standard error.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "carom/cli/json_text.h"
#include "carom/cli/touch_problem.h"
#include "carom/detect/body_contact.h"
#include "carom/shape/polyhedron.h"

namespace {

using namespace carom;

[[noreturn]] void found(const char* what, std::string_view line) {
    std::fprintf(stderr, "%s\nline: %.*s\n", what, static_cast<int>(line.size()), line.data());
    std::abort();
}

bool holds(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

// Letters may also be written as \uXXXX.
bool may_name_a_file(std::string_view line) {
    return holds(line, "file") || holds(line, "pieces") || holds(line, "\\u");
}

bool is_small(const cli::ReadBody& body) {
    constexpr std::size_t k_most_parts = 6;
    constexpr std::size_t k_most_points = 200;
    if (body.shape.parts.size() > k_most_parts) return false;
    std::size_t points = 0;
    for (const shape::Part& part : body.shape.parts) {
        const shape::Polyhedron* hull = shape::polyhedron_of(part.convex);
        if (hull != nullptr) points += hull->vertices().size();
    }
    return points <= k_most_points;
}

void check_contact(const detect::ContactTime& contact, double until, std::string_view line) {
    const detect::Separation& s = contact.apart;
    const bool in_time = contact.t >= 0.0 && contact.t <= until;
    if (contact.kind == detect::ContactKind::unsettled) {
        if (!in_time) found("the search gave up at no time", line);
        return;
    }
    // numbers that overflow when they are squared have no answer, and the command says so
    const Vec3 points = s.point_a + s.point_b;
    if (!std::isfinite(contact.t + s.distance + points.sum() + s.normal.sum())) return;
    if (contact.kind == detect::ContactKind::none) return;
    if (!in_time) found("a contact at no time", line);
    if (!(std::abs(s.normal.norm() - 1.0) < 1e-9)) found("the normal is not unit", line);
}

void search(const cli::TouchProblem& problem, std::string_view line) {
    constexpr double k_longest = 10.0;
    if (problem.until > k_longest || !is_small(problem.a) || !is_small(problem.b)) return;
    const detect::MovingBody a(problem.a.shape, problem.a.center, problem.a.motion);
    const detect::MovingBody b(problem.b.shape, problem.b.center, problem.b.motion);
    detect::ContactSearch few;
    few.most_steps = 50;
    detect::BodyMemory memory;
    check_contact(detect::body_contact(a, b, 0.0, problem.until, memory, few).contact,
                  problem.until, line);
}

// Where numbers begin in a line.
std::vector<std::size_t> number_starts(std::string_view line) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const bool after = line[i - 1] == '[' || line[i - 1] == ',' || line[i - 1] == ':';
        const bool digit = (line[i] >= '0' && line[i] <= '9') || line[i] == '-';
        if (after && digit) starts.push_back(i);
    }
    return starts;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Half of the changes put another number in the place of one, which leaves the line a problem.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
    static constexpr const char* k_numbers[] = {
        "0",    "1",     "-1",    "0.5",    "2",      "3.7",    "-0.25", "10",    "1e-9",
        "1e-3", "1e5",   "-1e12", "1e20",   "-1e60",  "1e100",  "1e155", "1e308", "-1e308",
        "0.9",  "1e-20", "1e-60", "1e-160", "1e-300", "5e-324", "500",   "90",    "45"};
    std::minstd_rand random(seed);
    const std::string line(reinterpret_cast<const char*>(data), size);
    const std::vector<std::size_t> starts = number_starts(line);
    if (starts.empty() || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::size_t from = starts[random() % starts.size()];
    const std::size_t to = std::min(line.find_first_of(",]}", from), size);
    const std::string changed =
        line.substr(0, from) + k_numbers[random() % std::size(k_numbers)] + line.substr(to);
    if (changed.size() > most) return size;
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    if (may_name_a_file(line)) return 0;
    try {
        search(cli::read_touch_problem(line), line);
    } catch (const cli::ProblemError& error) {
        if (error.message.empty()) found("an error without a message", line);
    }
    return 0;
}
