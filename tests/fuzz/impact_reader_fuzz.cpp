// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as the input of `carom impact`. Whatever they are, no exception but ProblemError
// may leave the reader, every line gets an answer, and every answer is one line of valid JSON (so
// without NaN and infinity). A finding aborts with the line on standard error.

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "carom/cli/impact_answer.h"
#include "carom/cli/impact_problem.h"
#include "carom/cli/line_reader.h"
#include "carom/cli/multi_contact_answer.h"
#include "carom/cli/multi_contact_reader.h"
#include "carom/impact/law.h"

namespace {

using namespace carom;

[[noreturn]] void found(const char* what, std::string_view line, std::string_view answer) {
    fmt::print(stderr, "{}\nline: {}\nanswer: {}\n", what, line, answer.substr(0, 2000));
    std::abort();
}

// One line of JSON, an object with an id, all numbers finite.
void check_output(const fmt::memory_buffer& out, std::string_view line) {
    const std::string_view text(out.data(), out.size());
    if (text.empty() || text.find('\n') != text.size() - 1) {
        found("the answer is not one line", line, text);
    }
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) found("the answer is not valid JSON", line, text);
    if (!json.is_object() || !json.contains("id")) found("the answer has no id", line, text);
    if (!json.contains("impulse") && !json.contains("bodies") && !json.contains("answers") &&
        !json.contains("error")) {
        found("the answer says nothing", line, text);
    }
}

void solve(const cli::ImpactProblem& problem, std::string_view line) {
    impact::Trace trace;
    const impact::Outcome outcome =
        impact::resolve(*problem.law, problem.contact, problem.parameters, &trace);
    if (outcome.refusal != nullptr) return;
    // too large for a double: the program says so instead of answering
    if (!outcome.solution.p.allFinite()) return;
    fmt::memory_buffer out;
    cli::write_answer(out, problem, outcome.solution, &trace, true);
    check_output(out, line);
}

// Many contacts at one instant; the bounds on the work are as low as an instrumented build needs.
void solve(cli::MultiContactLine& joint, std::string_view line, bool every_way) {
    impact::SequentialSettings& sequential = joint.settings.sequential;
    sequential.most_rounds = std::min(sequential.most_rounds, 30L);
    joint.settings.coupled.most_pieces = 30;
    joint.settings.simultaneous.most_sweeps = 30;
    fmt::memory_buffer out;
    if (every_way) {
        cli::write_all_multi_contact_answers(out, joint);
    } else {
        try {
            cli::write_multi_contact_answer(
                out, joint,
                impact::resolve_multiple(joint.multiple, joint.problem, joint.settings));
        } catch (const std::invalid_argument& error) {
            if (std::string_view(error.what()).empty()) found("no message", line, "");
            return;
        }
    }
    check_output(out, line);
}

void read_and_solve(std::string_view line, std::size_t number, const cli::ReadOptions& options) {
    fmt::memory_buffer out;
    try {
        if (auto joint = cli::read_multi_contact_line(line, options)) {
            solve(*joint, line, options.every_law);
            return;
        }
        const cli::ImpactProblem problem = cli::read_problem(line, options);
        if (options.every_law) {
            cli::write_all_answers(out, problem);
        } else {
            solve(problem, line);
            return;
        }
    } catch (const cli::ProblemError& error) {
        if (error.message.empty()) found("an error without a message", line, "");
        cli::write_error(out, error, number);
    }
    check_output(out, line);
}

// A file without a name that holds these bytes.
class MemoryFile {
public:
    MemoryFile(const std::uint8_t* data, std::size_t size)
        : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
        if (write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
        lseek(descriptor_, 0, SEEK_SET);
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const MemoryFile file(data, size);
    cli::LineReader reader(file.descriptor());
    cli::ReadOptions every_law;
    every_law.every_law = true;
    while (reader.next()) {
        const std::string_view line = reader.line();
        if (reader.too_long() || reader.number() > 8) break;
        read_and_solve(line, reader.number(), {});
        read_and_solve(line, reader.number(), every_law);
    }
    return 0;
}
