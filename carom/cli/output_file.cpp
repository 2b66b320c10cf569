// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/json_text.h"
#include "carom/cli/names.h"
#include "carom/cli/say.h"

namespace carom::cli {

void check_new_file(const std::string& path, bool force, const std::string& input) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (path == "-") {
        refuse(
            "-: a recording cannot be written to standard output: it must be a file that can be "
            "read and written anywhere; give its name with -o");
    }
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        refuse(fmt::format("{}: is a folder; give the name of a file in it", path));
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        refuse(fmt::format("{}: is not a regular file; give another name", path));
    }
    if (fs::equivalent(path, input, error)) {
        refuse(fmt::format("{}: is the file that is read; give another name with -o", path));
    }
    if (fs::exists(status) && !force) {
        refuse(fmt::format(
            "{}: exists already; give another name with -o, or --force to replace it", path));
    }
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error)) {
        refuse(fmt::format("{}: there is no folder {}; make it first", path, folder.string()));
    }
}

OutputFile::OutputFile(std::string path, bool force, const std::string& input)
    : path_(path == "-" ? std::string() : std::move(path)), force_(force) {
    if (path_.empty()) {
        file_ = stdout;
        return;
    }
    check_new_file(path_, force_, input);
    watch_.emplace([this] { return make_temporary(); });
    if (file_ != nullptr) return;
    const int why = errno;
    refuse(fmt::format("{}: cannot be written: {}", path_, std::strerror(why)));
}

std::string OutputFile::make_temporary() {
    temporary_ = path_ + ".XXXXXX";
    const int descriptor = mkstemp(temporary_.data());
    if (descriptor < 0) return {};
    file_ = fdopen(descriptor, "wb");
    if (file_ == nullptr) {
        const int why = errno;
        ::close(descriptor);
        unlink(temporary_.c_str());
        errno = why;
        return {};
    }
    // as if it had been created in the usual way
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return temporary_;
}

OutputFile::~OutputFile() {
    if (path_.empty() || file_ == nullptr) return;
    std::fclose(file_);
    unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return;
    give_up(fmt::format("{}: cannot be written: {}", path_.empty() ? "standard output" : path_,
                        std::strerror(errno)));
}

void OutputFile::finish() {
    if (path_.empty()) return;
    const bool written =
        std::fflush(file_) == 0 && std::ferror(file_) == 0 && fsync(fileno(file_)) == 0;
    const int why = errno;
    if (!written) give_up(fmt::format("{}: cannot be written: {}", path_, std::strerror(why)));
    std::fclose(file_);
    file_ = nullptr;
    // somebody may have put a file there in the meantime
    const int renamed =
        force_ ? std::rename(temporary_.c_str(), path_.c_str())
               : renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
    if (renamed == 0) return;
    const int failure = errno;
    // not every file system can refuse to replace
    if (!force_ && failure == EINVAL && std::rename(temporary_.c_str(), path_.c_str()) == 0) return;
    unlink(temporary_.c_str());
    give_up(fmt::format("{}: cannot be put there: {}", path_, std::strerror(failure)));
}

std::string known_ending(const std::string& path, std::span<const std::string> known,
                         std::string_view remedy) {
    if (path.empty() || path == "-") return {};
    std::string ending = std::filesystem::path(path).extension().string();
    if (ending.empty() || std::find(known.begin(), known.end(), ending) != known.end())
        return ending;
    refuse(fmt::format("{}: unknown ending {}{}{}{}", path, in_quotes(ending),
                       which_there_are(ending, known, "endings"), remedy.empty() ? "" : "; ",
                       remedy));
}

bool flush_output() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
    say("carom: the output cannot be written: {}\n", std::strerror(errno));
    return false;
}

}  // namespace carom::cli
