// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom::tests {

// The program with pipes for its standard input and output, as another program drives it: write a
// line, read the answer, write the next.
class Conversation {
public:
    explicit Conversation(const std::vector<std::string>& arguments);
    ~Conversation();
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    void write(std::string_view text) const;
    // The next line of its answers; nothing when it does not come within ten seconds.
    std::optional<std::string> read_line();
    // Ends its input and waits for its end; the exit code.
    int end();

private:
    pid_t child_;
    int to_child_ = -1, from_child_ = -1;
    std::string read_;
};

}  // namespace carom::tests
