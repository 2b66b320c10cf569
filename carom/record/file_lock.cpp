// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/file_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "carom/record/errors.h"

namespace carom::record {
namespace {

[[noreturn]] void fail(const char* what) {
    throw Failure(std::string("cannot ") + what + ": " + std::strerror(errno));
}

struct flock whole_file() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

}  // namespace

FileLock FileLock::lock(const std::filesystem::path& path, int flags) {
    constexpr int k_attempts = 10;
    for (int i = 0; i < k_attempts; ++i) {
        FileLock held(::open(path.c_str(), flags | O_RDWR | O_CLOEXEC, 0666));
        if (held.fd_ < 0) fail("be written");
        struct flock range = whole_file();
        if (fcntl(held.fd_, F_OFD_SETLK, &range) != 0) {
            if (errno != EAGAIN && errno != EACCES) fail("be locked");
            throw Failure("another program is writing it; wait until it has ended");
        }
        // whoever held the lock a moment ago may have given the file another name
        struct stat mine {
        }, there{};
        if (fstat(held.fd_, &mine) == 0 && stat(path.c_str(), &there) == 0 &&
            mine.st_ino == there.st_ino && mine.st_dev == there.st_dev) {
            return held;
        }
    }
    throw Failure("another program is writing it; wait until it has ended");
}

FileLock FileLock::create(const std::filesystem::path& path) {
    return lock(path, O_CREAT);
}

FileLock FileLock::open(const std::filesystem::path& path) {
    return lock(path, 0);
}

FileLock::~FileLock() {
    if (fd_ >= 0) ::close(fd_);
}

void FileLock::sync() const {
    if (fsync(fd_) != 0) fail("be written");
}

std::uint64_t FileLock::size() const {
    struct stat status {};
    if (fstat(fd_, &status) != 0) fail("be written");
    return static_cast<std::uint64_t>(status.st_size);
}

bool is_locked(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    struct flock range = whole_file();
    const bool known = fcntl(fd, F_OFD_GETLK, &range) == 0;
    ::close(fd);
    return known && range.l_type != F_UNLCK;
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace) {
    if (replace) {
        if (std::rename(from.c_str(), to.c_str()) != 0) fail("take its name");
        return;
    }
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
    // file systems that cannot do it in one step
    if (errno == EINVAL || errno == ENOSYS) {
        if (::link(from.c_str(), to.c_str()) == 0) {
            ::unlink(from.c_str());
            return;
        }
        struct stat there {};
        const bool can_link = errno != EPERM && errno != EOPNOTSUPP;
        if (!can_link && lstat(to.c_str(), &there) != 0) return rename_file(from, to, true);
        if (!can_link) errno = EEXIST;
    }
    if (errno == EEXIST) throw Failure("exists already; --force replaces it");
    fail("take its name");
}

}  // namespace carom::record
