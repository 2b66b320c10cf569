// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace carom::cli {
namespace {

constexpr std::size_t k_chunk = std::size_t{1} << 16;

// Whether a read would have to wait for whoever writes the input.
bool would_wait(int descriptor) {
    pollfd input{descriptor, POLLIN, 0};
    return poll(&input, 1, 0) == 0;
}

// read(), begun again when a signal comes in between.
ssize_t read_some(int descriptor, char* to, std::size_t size) {
    for (;;) {
        const ssize_t got = ::read(descriptor, to, size);
        if (got >= 0 || errno != EINTR) return got;
    }
}

}  // namespace

LineReader::LineReader(int descriptor, BeforeWait before_wait)
    : descriptor_(descriptor), before_wait_(std::move(before_wait)), buffer_(2 * k_chunk) {}

bool LineReader::fill() {
    if (ended_) return false;
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (buffer_.size() - end_ < k_chunk) buffer_.resize(2 * buffer_.size());
    if (before_wait_ && would_wait(descriptor_) && !before_wait_()) {
        ended_ = true;
        return false;
    }
    const ssize_t got = read_some(descriptor_, buffer_.data() + end_, k_chunk);
    if (got > 0) end_ += static_cast<std::size_t>(got);
    ended_ = got <= 0;
    failed_ = got < 0;
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
