// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "carom/cli/command_error.h"

namespace carom::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

using CrcTable = std::array<std::uint32_t, 256>;

constexpr CrcTable make_crc_table() {
    CrcTable table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
        table[i] = value;
    }
    return table;
}
constexpr CrcTable k_crc_table = make_crc_table();

// Little-endian numbers, one after the other.
class Bytes {
public:
    Bytes& u16(std::uint64_t value) { return put(value, 2); }
    Bytes& u32(std::uint64_t value) { return put(value, 4); }
    Bytes& text(std::string_view value) {
        bytes_ += value;
        return *this;
    }
    const std::string& str() const { return bytes_; }

private:
    Bytes& put(std::uint64_t value, int count) {
        for (int i = 0; i < count; ++i)
            bytes_ += static_cast<char>(value >> (8 * i) & 0xFFU);
        return *this;
    }
    std::string bytes_;
};

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
    std::string tuple;
    for (const std::uint64_t n : shape)
        tuple += fmt::format("{}, ", n);
    // "(3,)" but "(3, 2)"
    tuple.erase(tuple.size() - (shape.size() > 1 ? 2 : 1));
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, tuple);
    // the data begin at a multiple of 64 bytes
    constexpr std::size_t k_prefix = 10, k_align = 64;
    while ((k_prefix + text.size() + 1) % k_align != 0)
        text += ' ';
    text += '\n';
    return Bytes().text("\x93NUMPY\x01").text({"\0", 1}).u16(text.size()).text(text).str();
}

// Code points of UTF-8; a byte that does not belong there is U+FFFD.
std::u32string code_points(std::string_view text) {
    std::u32string points;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        char32_t point = length == 1 ? first : first & (0x7FU >> length);
        bool good = first < 0x80 || (first >= 0xC0 && i + length <= text.size());
        for (std::size_t k = 1; good && k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            good = (next & 0xC0U) == 0x80U;
            point = point << 6U | (next & 0x3FU);
        }
        points += good ? point : U'\uFFFD';
        i += good ? length : 1;
    }
    return points;
}

std::string_view bytes_of(const auto& values) {
    const auto all = std::as_bytes(std::span(values));
    return {reinterpret_cast<const char*>(all.data()), all.size()};
}

constexpr std::uint64_t k_version = 20;    // of ZIP that is needed
constexpr std::uint64_t k_date = 0x0021U;  // 1980-01-01

}  // namespace

std::uint32_t crc32(std::uint32_t before, std::string_view bytes) {
    std::uint32_t crc = ~before;
    for (const char c : bytes)
        crc = k_crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (crc >> 8U);
    return ~crc;
}

void NpzWriter::add(std::string_view name, std::span<const std::uint64_t> shape,
                    std::span<const double> values) {
    add_file(name, npy_header("<f8", shape), bytes_of(values));
}

void NpzWriter::add(std::string_view name, std::span<const std::string> texts) {
    std::vector<std::u32string> decoded;
    std::size_t longest = 1;
    for (const std::string& text : texts) {
        decoded.push_back(code_points(text));
        longest = std::max(longest, decoded.back().size());
    }
    std::u32string data;
    for (std::u32string& text : decoded) {
        text.resize(longest, U'\0');
        data += text;
    }
    const std::uint64_t shape[] = {texts.size()};
    add_file(name, npy_header(fmt::format("<U{}", longest), shape), bytes_of(data));
}

void NpzWriter::add_file(std::string_view name, std::string_view header, std::string_view data) {
    const std::uint64_t size = header.size() + data.size();
    if (written_ + size > k_most_npz_bytes) {
        give_up("the arrays are larger than 4 GiB; sample fewer times or bodies, or write CSV");
    }
    Entry entry;
    entry.name = std::string(name) + ".npy";
    entry.crc = crc32(crc32(0, header), data);
    entry.size = static_cast<std::uint32_t>(size);
    entry.offset = static_cast<std::uint32_t>(written_);
    Bytes local;
    local.u32(0x04034b50U).u16(k_version).u16(0).u16(0).u16(0).u16(k_date);
    local.u32(entry.crc).u32(entry.size).u32(entry.size).u16(entry.name.size()).u16(0);
    local.text(entry.name).text(header);
    out_.write(local.str());
    out_.write(data);
    written_ += local.str().size() + data.size();
    entries_.push_back(std::move(entry));
}

void NpzWriter::finish() {
    Bytes directory;
    for (const Entry& entry : entries_) {
        directory.u32(0x02014b50U).u16(k_version).u16(k_version).u16(0).u16(0).u16(0).u16(k_date);
        directory.u32(entry.crc).u32(entry.size).u32(entry.size).u16(entry.name.size());
        directory.u16(0).u16(0).u16(0).u16(0).u32(0).u32(entry.offset).text(entry.name);
    }
    Bytes end;
    end.u32(0x06054b50U).u16(0).u16(0).u16(entries_.size()).u16(entries_.size());
    end.u32(directory.str().size()).u32(written_).u16(0);
    out_.write(directory.str());
    out_.write(end.str());
}

}  // namespace carom::cli
