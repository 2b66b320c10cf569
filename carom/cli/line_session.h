// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "carom/cli/json_text.h"
#include "carom/cli/line_reader.h"

namespace carom::cli {

// A command that answers problems line by line: reads files or standard input, hands every line
// that is not blank to answer(), writes what that puts into the buffer, and counts what went wrong.
// Wrong lines are answered too, as JSON in their place or on standard error beside a table. Answers
// are sent when the buffer is full, and whenever no further input is waiting to be read.
class LineSession {
public:
    // command: as in "carom impact".
    LineSession(const char* command, bool as_table) : command_(command), as_table_(as_table) {}
    virtual ~LineSession() = default;
    LineSession(const LineSession&) = delete;
    LineSession& operator=(const LineSession&) = delete;

    // Goes through the files, or standard input when there are none; returns the exit code.
    int run(const std::vector<std::string>& files);

protected:
    // Answers a line into buffer(). Throws ProblemError for a line that is no valid problem.
    virtual void answer(std::string_view line, std::size_t number) = 0;
    // What is written when all lines are answered.
    virtual void finish() {}

    fmt::memory_buffer& buffer() { return buffer_; }
    void write(const std::string& text) { buffer_.append(text.data(), text.data() + text.size()); }
    bool as_table() const { return as_table_; }
    // For a valid problem that could not be solved.
    void unsolved(const std::string& id, std::string message, std::size_t line);

private:
    // True, and a message, for a recording or a scene.
    bool is_of_another_kind(const std::string& name) const;
    bool run_stream(const std::string& name);
    bool run_lines(int descriptor, const std::string& file);
    void answer_line(const LineReader& reader);
    void report(ProblemError error, std::size_t line);
    bool flush();  // hands the buffer to standard output
    bool send();   // and that to whoever reads it

    const char* command_;
    bool as_table_;
    std::string file_;
    bool write_failed_ = false;
    fmt::memory_buffer buffer_;
    std::size_t lines_ = 0;
    std::size_t invalid_ = 0;
    std::size_t unsolved_ = 0;
};

}  // namespace carom::cli
