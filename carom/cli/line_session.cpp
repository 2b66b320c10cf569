// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/line_session.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "carom/cli/commands.h"
#include "carom/cli/impact_answer.h"
#include "carom/cli/input_kind.h"
#include "carom/cli/progress_bar.h"
#include "carom/cli/say.h"

namespace carom::cli {

int LineSession::run(const std::vector<std::string>& given) {
    std::vector<std::string> files = given;
    if (files.empty()) {
        files.emplace_back("-");
        if (isatty(STDIN_FILENO) != 0) {
            say("one problem a line, as JSON; Ctrl-D ends ('{} --help')\n", command_);
        }
    }
    for (const std::string& name : files) {
        if (name != "-" && is_of_another_kind(name)) return k_bad_input;
        errno = 0;
        if (!run_stream(name)) {
            const int reason = errno;
            say("{}: {}: {}\n", command_, write_failed_ ? "the output cannot be written" : name,
                reason != 0 ? std::strerror(reason) : "cannot be read");
            const bool wrong_name = reason == ENOENT || reason == EISDIR || reason == ENOTDIR;
            return wrong_name && !write_failed_ ? k_bad_input : k_failed;
        }
    }
    finish();
    if (!flush() || !flush_output()) {
        say("{}: the output could not be written\n", command_);
        return k_failed;
    }
    if (invalid_ + unsolved_ > 0) {
        say("{}: {} of {} not solved\n", command_, invalid_ + unsolved_,
            counted(lines_, "problem", "problems"));
    }
    return invalid_ > 0 ? k_bad_input : (unsolved_ > 0 ? k_failed : k_done);
}

bool LineSession::is_of_another_kind(const std::string& name) const {
    constexpr const char* k_wanted = "a file of problems (JSON Lines)";
    std::string what;
    if (looks_like_recording(name)) {
        what = recording_not(name, k_wanted);
    } else if (looks_like_scene(name)) {
        what = scene_not(name, k_wanted);
    }
    if (!what.empty()) say("{}: {}: {}\n", command_, name, what);
    return !what.empty();
}

bool LineSession::run_stream(const std::string& name) {
    if (name == "-") return run_lines(STDIN_FILENO, {});
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"),
                                                               &std::fclose);
    return file != nullptr && run_lines(fileno(file.get()), name);
}

bool LineSession::run_lines(int descriptor, const std::string& file) {
    constexpr std::size_t k_flush = std::size_t{1} << 16;
    file_ = file;
    // whoever waits for an answer before writing the next problem gets it now
    LineReader reader(descriptor, [this] { return send(); });
    while (reader.next()) {
        answer_line(reader);
        if (buffer_.size() > k_flush && !flush()) return false;
    }
    return !write_failed_ && !reader.failed() && flush();
}

void LineSession::answer_line(const LineReader& reader) {
    if (reader.too_long()) {
        ++lines_;
        ++invalid_;
        report({"null", fmt::format("the line is longer than {} bytes", LineReader::k_longest)},
               reader.number());
        return;
    }
    if (reader.line().find_first_not_of(" \t\r") == std::string_view::npos) return;
    ++lines_;
    try {
        answer(reader.line(), reader.number());
    } catch (const ProblemError& error) {
        ++invalid_;
        report(error, reader.number());
    }
}

void LineSession::unsolved(const std::string& id, std::string message, std::size_t line) {
    ++unsolved_;
    report({id, std::move(message)}, line);
}

void LineSession::report(ProblemError error, std::size_t line) {
    error.file = file_;
    if (as_table_) {
        say("{}:{}: {}\n", file_.empty() ? "-" : file_, line, error.message);
    } else {
        write_error(buffer_, error, line);
    }
}

bool LineSession::flush() {
    const std::size_t size = buffer_.size();
    const bool written = std::fwrite(buffer_.data(), 1, size, stdout) == size;
    buffer_.clear();
    write_failed_ = write_failed_ || !written;
    return written;
}

bool LineSession::send() {
    const bool sent = flush() && std::fflush(stdout) == 0;
    write_failed_ = write_failed_ || !sent;
    return sent;
}

}  // namespace carom::cli
