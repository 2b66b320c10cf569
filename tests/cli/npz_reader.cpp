// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/cli/npz_reader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <regex>

#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

// Little-endian, `count` bytes at `at`.
std::uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = count; i-- > 0;)
        value = value << 8U | static_cast<unsigned char>(bytes.at(at + i));
    return value;
}

// CRC-32 bit by bit, as its definition has it.
std::uint32_t slow_crc(const std::string& bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            const std::uint32_t in = static_cast<unsigned char>(c) >> bit & 1U;
            const bool flip = ((crc ^ in) & 1U) != 0;
            crc >>= 1U;
            if (flip) crc ^= 0xEDB88320U;
        }
    }
    return ~crc;
}

NpyArray read_npy(const std::string& file) {
    NpyArray array;
    EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length = number_at(file, 8, 2);
    EXPECT_EQ((10 + length) % 64, 0U);
    const std::string header = file.substr(10, length);
    EXPECT_EQ(header.back(), '\n');
    std::smatch found;
    const std::regex form(
        R"(\{'descr': '([^']*)', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n)");
    if (!std::regex_match(header, found, form)) {
        ADD_FAILURE() << "not an NPY header: " << header;
        return array;
    }
    array.type = found[1];
    const std::string shape = found[2];
    const std::regex one("[0-9]+");
    std::size_t count = 1;
    for (std::sregex_iterator i(shape.begin(), shape.end(), one), end; i != end; ++i) {
        array.shape.push_back(std::stoul(i->str()));
        count *= array.shape.back();
    }
    if (array.shape.size() == 1) {
        EXPECT_EQ(shape.back(), ',');
    }
    array.bytes = file.substr(10 + length);
    if (array.type == "<f8") {
        EXPECT_EQ(array.bytes.size(), 8 * count);
        array.values.resize(array.bytes.size() / 8);
        std::memcpy(array.values.data(), array.bytes.data(), 8 * array.values.size());
    }
    return array;
}

}  // namespace

std::map<std::string, NpyArray> read_npz(const std::string& path) {
    const std::string zip = read_whole(path);
    std::map<std::string, NpyArray> arrays;
    const std::size_t end = zip.size() - 22;
    EXPECT_EQ(number_at(zip, end, 4), 0x06054b50U);
    const std::size_t entries = number_at(zip, end + 10, 2);
    std::size_t at = number_at(zip, end + 16, 4);
    EXPECT_EQ(at + number_at(zip, end + 12, 4), end);
    for (std::size_t i = 0; i < entries; ++i) {
        EXPECT_EQ(number_at(zip, at, 4), 0x02014b50U);
        EXPECT_EQ(number_at(zip, at + 10, 2), 0U) << "stored";
        EXPECT_EQ(number_at(zip, at + 12, 4), 0x00210000U) << "1980-01-01 00:00";
        const std::uint32_t crc = number_at(zip, at + 16, 4), size = number_at(zip, at + 24, 4);
        const std::size_t name_length = number_at(zip, at + 28, 2);
        const std::size_t local = number_at(zip, at + 42, 4);
        const std::string name = zip.substr(at + 46, name_length);
        EXPECT_EQ(number_at(zip, local, 4), 0x04034b50U);
        EXPECT_EQ(zip.substr(local + 8, 18), zip.substr(at + 10, 18)) << "both headers agree";
        EXPECT_EQ(zip.substr(local + 30, name_length), name);
        const std::string file = zip.substr(local + 30 + name_length, size);
        EXPECT_EQ(slow_crc(file), crc) << name;
        EXPECT_EQ(name.substr(name.size() - 4), ".npy");
        arrays[name.substr(0, name.size() - 4)] = read_npy(file);
        at += 46 + name_length;
    }
    EXPECT_EQ(at, end);
    return arrays;
}

}  // namespace carom::tests
