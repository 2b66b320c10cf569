// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

namespace carom::record {

// Keeps a second writer away from a file: a lock of the open file (fcntl, F_OFD_SETLK) that goes
// with the process however it ends. HDF5's own lock is of no use here, since HDF5 gives it up in
// order to let readers in. Readers need no lock.
class FileLock {
public:
    FileLock() = default;
    // The file, made empty if it is not there. Throws Failure when another holds it or it cannot be
    // written.
    static FileLock create(const std::filesystem::path& path);
    // An existing file.
    static FileLock open(const std::filesystem::path& path);
    FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileLock();

    int fd() const { return fd_; }
    // Waits until all that was written is on the disk.
    void sync() const;
    // The file's size now, bytes.
    std::uint64_t size() const;

private:
    explicit FileLock(int fd) : fd_(fd) {}
    static FileLock lock(const std::filesystem::path& path, int flags);

    int fd_ = -1;
};

// Whether somebody holds a FileLock on it.
bool is_locked(const std::filesystem::path& path);

// Gives a file another name. Without `replace` an existing file of that name is left alone and
// Failure thrown.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace);

}  // namespace carom::record
