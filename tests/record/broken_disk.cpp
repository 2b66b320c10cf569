// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/record/broken_disk.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

namespace carom::tests {
namespace {

constexpr std::uint64_t k_never = std::numeric_limits<std::uint64_t>::max();

struct Plan {
    std::uint64_t writes = 0;
    std::uint64_t fails_from = k_never;
    int error = 0;
    std::uint64_t trouble_at = k_never;
    Trouble trouble = Trouble::none;
};
Plan g_plan;

void die() {
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

// Counts one write; true when it must fail.
bool count_write() {
    ++g_plan.writes;
    if (g_plan.writes == g_plan.trouble_at && g_plan.trouble == Trouble::kill) die();
    return g_plan.writes >= g_plan.fails_from;
}

}  // namespace

void fail_writes_from(std::uint64_t nth, int error) {
    g_plan = {};
    g_plan.fails_from = nth;
    g_plan.error = error;
}

void trouble_at(std::uint64_t nth, Trouble trouble) {
    g_plan = {};
    g_plan.trouble_at = nth;
    g_plan.trouble = trouble;
}

void mend_disk() {
    g_plan = {};
}

std::uint64_t writes_so_far() {
    return g_plan.writes;
}

namespace {

// A kill ends a write between two pages of memory only.
size_t first_pages(size_t size, off_t offset) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t end = static_cast<size_t>(offset) + size;
    const size_t boundary = (end - 1) / page * page;
    return boundary > static_cast<size_t>(offset) ? boundary - static_cast<size_t>(offset) : 0;
}

ssize_t do_pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    if (count_write()) {
        errno = g_plan.error;
        return -1;
    }
    const bool part = g_plan.writes == g_plan.trouble_at && g_plan.trouble == Trouble::kill_within;
    const ssize_t done =
        syscall(SYS_pwrite64, fd, bytes, part ? first_pages(size, offset) : size, offset);
    if (part) die();
    return done;
}

int do_ftruncate(int fd, off_t size) {
    if (count_write()) {
        errno = g_plan.error;
        return -1;
    }
    return static_cast<int>(syscall(SYS_ftruncate, fd, size));
}

}  // namespace
}  // namespace carom::tests

// in place of those of the C library
extern "C" ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return carom::tests::do_pwrite(fd, bytes, size, offset);
}

extern "C" int ftruncate(int fd, off_t size) noexcept {
    return carom::tests::do_ftruncate(fd, size);
}
