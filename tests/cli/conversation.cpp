// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/cli/conversation.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/cli/run_carom.h"

namespace carom::tests {

Conversation::Conversation(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program_path()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    child_ = fork();
    if (child_ == 0) {
        if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0) _exit(126);
        execv(pointers.front(), pointers.data());
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    if (child_ < 0) throw std::runtime_error("no child");
    to_child_ = in[1];
    from_child_ = out[0];
}

Conversation::~Conversation() {
    if (to_child_ >= 0) {
        kill(child_, SIGKILL);
        end();
    }
    close(from_child_);
}

void Conversation::write(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t written = ::write(to_child_, text.data(), text.size());
        ASSERT_GT(written, 0) << "the program does not read";
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::optional<std::string> Conversation::read_line() {
    constexpr int k_patience = 10'000;  // milliseconds
    for (;;) {
        if (const std::size_t at = read_.find('\n'); at != std::string::npos) {
            std::string line = read_.substr(0, at);
            read_.erase(0, at + 1);
            return line;
        }
        pollfd answers{from_child_, POLLIN, 0};
        if (poll(&answers, 1, k_patience) <= 0) return {};
        char piece[4096];
        const ssize_t got = ::read(from_child_, piece, sizeof piece);
        if (got <= 0) return {};
        read_.append(piece, static_cast<std::size_t>(got));
    }
}

int Conversation::end() {
    close(to_child_);
    to_child_ = -1;
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace carom::tests
