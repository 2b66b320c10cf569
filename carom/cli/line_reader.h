// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

namespace carom::cli {

// Reads a stream line by line in bounded memory. A line longer than the limit is passed over to its
// end and reported as too long, so that the lines after it can still be read.
class LineReader {
public:
    static constexpr std::size_t k_longest = std::size_t{4} << 20;

    explicit LineReader(std::FILE* stream);

    // Moves to the next line; false at the end of the input.
    bool next();

    std::string_view line() const { return line_; }  // without its line feed; valid until next()
    bool too_long() const { return too_long_; }
    std::size_t number() const { return number_; }  // of the line, from 1
    bool failed() const { return failed_; }         // the stream could not be read

private:
    bool fill();

    std::FILE* stream_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::string_view line_;
    std::size_t number_ = 0;
    bool too_long_ = false;
    bool ended_ = false;
    bool failed_ = false;
};

}  // namespace carom::cli
