// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/line_reader.h"

#include <cstring>

namespace carom::cli {
namespace {

constexpr std::size_t k_chunk = std::size_t{1} << 16;

}  // namespace

LineReader::LineReader(std::FILE* stream) : stream_(stream), buffer_(2 * k_chunk) {}

bool LineReader::fill() {
    if (ended_) return false;
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (buffer_.size() - end_ < k_chunk) buffer_.resize(2 * buffer_.size());
    const std::size_t got = std::fread(buffer_.data() + end_, 1, k_chunk, stream_);
    end_ += got;
    if (got == 0) {
        ended_ = true;
        failed_ = std::ferror(stream_) != 0;
    }
    return got > 0;
}

bool LineReader::next() {
    too_long_ = false;
    std::size_t searched = begin_;
    for (;;) {
        const char* start = buffer_.data() + searched;
        const void* found = std::memchr(start, '\n', end_ - searched);
        if (found != nullptr) {
            const auto at =
                static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
            line_ = too_long_ ? std::string_view{}
                              : std::string_view(buffer_.data() + begin_, at - begin_);
            begin_ = at + 1;
            ++number_;
            return true;
        }
        if (end_ - begin_ > k_longest) {
            // forget what was read of it, but remember that it was there
            too_long_ = true;
            begin_ = end_;
        }
        const std::size_t kept = end_ - begin_;
        if (!fill()) {
            if (kept == 0 && !too_long_) return false;
            line_ =
                too_long_ ? std::string_view{} : std::string_view(buffer_.data() + begin_, kept);
            begin_ = end_;
            ++number_;
            return true;
        }
        searched = begin_ + kept;
    }
}

}  // namespace carom::cli
