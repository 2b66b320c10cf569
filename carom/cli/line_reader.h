// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace carom::cli {

// Reads an open file or pipe line by line in bounded memory. A line longer than the limit is passed
// over to its end and reported as too long, so that the lines after it can still be read.
//
// The reader takes what has arrived and does not wait for a full buffer: each line is handed out as
// soon as its line feed is there.
class LineReader {
public:
    static constexpr std::size_t k_longest = std::size_t{4} << 20;

    // Called when all that has arrived is read and the next read would have to wait. If it returns
    // false, the reader stops as at the end of the input.
    using BeforeWait = std::function<bool()>;

    // The descriptor stays open and belongs to the caller.
    explicit LineReader(int descriptor, BeforeWait before_wait = {});

    // Moves to the next line; false at the end of the input.
    bool next();

    std::string_view line() const { return line_; }  // without its line feed; valid until next()
    bool too_long() const { return too_long_; }
    std::size_t number() const { return number_; }  // of the line, from 1
    bool failed() const { return failed_; }         // the input could not be read; errno says why

private:
    bool fill();

    int descriptor_;
    BeforeWait before_wait_;
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
