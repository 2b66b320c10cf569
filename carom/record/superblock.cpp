// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/superblock.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "carom/record/errors.h"

namespace carom::record {
namespace {

constexpr std::array<std::uint8_t, 8> k_signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
// places in the superblock
constexpr std::size_t k_version = 8, k_offset_size = 9, k_length_size = 10, k_flags = 11;
constexpr std::size_t k_extension = 20, k_end_of_file = 28, k_checksum = 44;

std::uint32_t number_at(std::span<const std::uint8_t> bytes, std::size_t place) {
    std::uint32_t number = 0;
    if (place < bytes.size())
        std::memcpy(&number, bytes.data() + place, std::min<std::size_t>(4, bytes.size() - place));
    return number;
}

[[noreturn]] void fail() {
    throw Failure(std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace

std::uint32_t lookup3(std::span<const std::uint8_t> bytes) {
    const auto start = 0xdeadbeefU + static_cast<std::uint32_t>(bytes.size());
    std::uint32_t a = start, b = start, c = start;
    // x is freed of y, turned, and y renewed by z
    const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t z, int turn) {
        x = (x - y) ^ std::rotl(y, turn);
        y += z;
    };
    std::size_t place = 0;
    for (; bytes.size() - place > 12; place += 12) {
        a += number_at(bytes, place);
        b += number_at(bytes, place + 4);
        c += number_at(bytes, place + 8);
        mix(a, c, b, 4);
        mix(b, a, c, 6);
        mix(c, b, a, 8);
        mix(a, c, b, 16);
        mix(b, a, c, 19);
        mix(c, b, a, 4);
    }
    if (place == bytes.size()) return c;
    a += number_at(bytes, place);
    b += number_at(bytes, place + 4);
    c += number_at(bytes, place + 8);
    const auto finish = [](std::uint32_t& x, std::uint32_t y, int turn) {
        x = (x ^ y) - std::rotl(y, turn);
    };
    finish(c, b, 14);
    finish(a, c, 11);
    finish(b, a, 25);
    finish(c, b, 16);
    finish(a, c, 4);
    finish(b, a, 14);
    finish(c, b, 24);
    return c;
}

bool Superblock::has_signature() const {
    return std::equal(k_signature.begin(), k_signature.end(), bytes.begin());
}

bool Superblock::is_known() const {
    return has_signature() && bytes[k_version] == 3 && bytes[k_offset_size] == 8 &&
           bytes[k_length_size] == 8 &&
           number_at(bytes, k_checksum) == lookup3(std::span(bytes).first(k_checksum));
}

bool Superblock::open_sign() const {
    return bytes[k_flags] != 0;
}

std::uint64_t Superblock::end_of_file() const {
    std::uint64_t end = 0;
    std::memcpy(&end, bytes.data() + k_end_of_file, sizeof end);
    return end;
}

void Superblock::close(std::uint64_t end_of_file) {
    bytes[k_flags] = 0;
    std::memcpy(bytes.data() + k_end_of_file, &end_of_file, sizeof end_of_file);
    const std::uint32_t checksum = lookup3(std::span(bytes).first(k_checksum));
    std::memcpy(bytes.data() + k_checksum, &checksum, sizeof checksum);
}

// An object header of version 2 (section IV.A.1.b): signature, version, flags, four times, the size
// of what follows, the messages, checksum.
void forget_times(int fd) {
    constexpr std::array<std::uint8_t, 5> k_object{'O', 'H', 'D', 'R', 2};
    constexpr std::size_t k_object_flags = 5, k_times = 6, k_size = 22;
    constexpr std::uint8_t k_has_times = 0x20, k_has_limits = 0x10, k_size_of_size = 0x03;
    Superblock superblock;
    if (pread(fd, superblock.bytes.data(), superblock.bytes.size(), 0) !=
        static_cast<ssize_t>(superblock.bytes.size())) {
        fail();
    }
    std::uint64_t place = 0;
    std::memcpy(&place, superblock.bytes.data() + k_extension, sizeof place);
    if (!superblock.is_known() || place == std::numeric_limits<std::uint64_t>::max()) return;
    // the size of the messages in one byte, which is what few messages have
    std::array<std::uint8_t, k_size + 1 + 255 + 4> all{};
    const ssize_t got = pread(fd, all.data(), all.size(), static_cast<off_t>(place));
    if (got < static_cast<ssize_t>(k_size) + 1) return;
    if (!std::equal(k_object.begin(), k_object.end(), all.begin())) return;
    if ((all[k_object_flags] & (k_has_times | k_has_limits | k_size_of_size)) != k_has_times)
        return;
    const std::size_t end = k_size + 1 + all[k_size];
    if (static_cast<std::size_t>(got) < end + 4) return;
    const std::span<std::uint8_t> object(all.data(), end + 4);
    if (number_at(object, end) != lookup3(object.first(end))) return;
    std::fill_n(object.begin() + k_times, k_size - k_times, std::uint8_t{0});
    const std::uint32_t checksum = lookup3(object.first(end));
    std::memcpy(object.data() + end, &checksum, sizeof checksum);
    if (pwrite(fd, object.data(), object.size(), static_cast<off_t>(place)) !=
        static_cast<ssize_t>(object.size())) {
        fail();
    }
}

void close_for_killed(int fd) {
    Superblock superblock;
    struct stat status {};
    if (pread(fd, superblock.bytes.data(), superblock.bytes.size(), 0) !=
            static_cast<ssize_t>(superblock.bytes.size()) ||
        fstat(fd, &status) != 0) {
        fail();
    }
    if (!superblock.is_known())
        throw Failure("is damaged: its first bytes are not as they should be");
    const std::uint64_t end = static_cast<std::uint64_t>(status.st_size) + k_largest_chunk;
    superblock.close(end);
    if (ftruncate(fd, static_cast<off_t>(end)) != 0) fail();
    if (pwrite(fd, superblock.bytes.data(), superblock.bytes.size(), 0) !=
        static_cast<ssize_t>(superblock.bytes.size())) {
        fail();
    }
}

}  // namespace carom::record
