// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/ply.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/shape/describe.h"

namespace carom::shape {
namespace {

[[noreturn]] void fail(const std::string& reason) {
    throw std::invalid_argument("this is not a valid .ply mesh: " + reason);
}

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

enum class Format { text, little_endian, big_endian };

struct Property {
    std::string name;
    Type type = Type::float32;
    bool is_list = false;
    Type count_type = Type::uint8;
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;

    // the place of a property, or past the end
    std::size_t find(std::string_view wanted) const {
        const auto at = std::find_if(properties.begin(), properties.end(),
                                     [&](const Property& p) { return p.name == wanted; });
        return static_cast<std::size_t>(at - properties.begin());
    }
};

struct Header {
    Format format = Format::text;
    std::vector<Element> elements;
};

Type to_type(std::string_view word) {
    struct Name {
        std::string_view name, other;
        Type type;
    };
    static constexpr Name k_names[] = {
        {"char", "int8", Type::int8},        {"uchar", "uint8", Type::uint8},
        {"short", "int16", Type::int16},     {"ushort", "uint16", Type::uint16},
        {"int", "int32", Type::int32},       {"uint", "uint32", Type::uint32},
        {"float", "float32", Type::float32}, {"double", "float64", Type::float64}};
    for (const Name& name : k_names) {
        if (word == name.name || word == name.other) return name.type;
    }
    fail("the type '" + std::string(word.substr(0, 20)) + "' is not known");
}

// Reads lines of the header and numbers of the body, never beyond the end.
class Cursor {
public:
    explicit Cursor(std::string_view text) : rest_(text) {}

    std::vector<std::string_view> line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) fail("the header has no end");
        std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        std::vector<std::string_view> words;
        while (true) {
            const std::size_t begin = text.find_first_not_of(k_blank);
            if (begin == std::string_view::npos) return words;
            text.remove_prefix(begin);
            const std::size_t length = std::min(text.find_first_of(k_blank), text.size());
            words.push_back(text.substr(0, length));
            text.remove_prefix(length);
        }
    }

    double number(Format format, Type type) {
        if (format == Format::text) return text_number();
        const bool swap =
            (format == Format::little_endian) != (std::endian::native == std::endian::little);
        switch (type) {
            case Type::int8:
                return binary_number<std::int8_t>(swap);
            case Type::uint8:
                return binary_number<std::uint8_t>(swap);
            case Type::int16:
                return binary_number<std::int16_t>(swap);
            case Type::uint16:
                return binary_number<std::uint16_t>(swap);
            case Type::int32:
                return binary_number<std::int32_t>(swap);
            case Type::uint32:
                return binary_number<std::uint32_t>(swap);
            case Type::float32:
                return binary_number<float>(swap);
            case Type::float64:
                return binary_number<double>(swap);
        }
        fail("a type is not known");
    }

    std::size_t left() const { return rest_.size(); }

private:
    static constexpr std::string_view k_blank = " \t\r\n";

    double text_number() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(k_blank), rest_.size()));
        if (rest_.empty()) fail("it ends too early");
        std::string_view word =
            rest_.substr(0, std::min(rest_.find_first_of(k_blank), rest_.size()));
        rest_.remove_prefix(word.size());
        if (word.front() == '+') word.remove_prefix(1);
        double value = 0.0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size()) {
            fail("'" + std::string(word.substr(0, 20)) + "' is not a number that a double holds");
        }
        return value;
    }

    template <class Number>
    double binary_number(bool swap) {
        char bytes[sizeof(Number)];
        if (rest_.size() < sizeof(Number)) fail("it ends too early");
        std::memcpy(bytes, rest_.data(), sizeof(Number));
        rest_.remove_prefix(sizeof(Number));
        if (swap) std::reverse(std::begin(bytes), std::end(bytes));
        Number value;
        std::memcpy(&value, bytes, sizeof(Number));
        return static_cast<double>(value);
    }

    std::string_view rest_;
};

std::uint64_t to_count(std::string_view word) {
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc{} || end != word.data() + word.size()) {
        fail("'" + std::string(word.substr(0, 20)) + "' is not a count");
    }
    return count;
}

Property to_property(const std::vector<std::string_view>& words) {
    if (words.size() == 5 && words[1] == "list") {
        return {std::string(words[4]), to_type(words[3]), true, to_type(words[2])};
    }
    if (words.size() == 3) return {std::string(words[2]), to_type(words[1]), false, Type::uint8};
    fail("a property is neither 'property TYPE NAME' nor 'property list TYPE TYPE NAME'");
}

Format to_format(const std::vector<std::string_view>& words) {
    if (words.size() == 3 && words[2] == "1.0") {
        if (words[1] == "ascii") return Format::text;
        if (words[1] == "binary_little_endian") return Format::little_endian;
        if (words[1] == "binary_big_endian") return Format::big_endian;
    }
    fail("its format has to be ascii, binary_little_endian or binary_big_endian, version 1.0");
}

Header read_header(Cursor& cursor) {
    const auto magic = cursor.line();
    if (magic.size() != 1 || magic[0] != "ply") fail("it does not start with 'ply'");
    Header header;
    header.format = to_format(cursor.line());
    while (true) {
        const auto words = cursor.line();
        if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
        if (words[0] == "end_header") return header;
        if (words[0] == "element" && words.size() == 3) {
            header.elements.push_back({std::string(words[1]), to_count(words[2]), {}});
        } else if (words[0] == "property" && !header.elements.empty()) {
            header.elements.back().properties.push_back(to_property(words));
        } else {
            fail("its header has a line that begins with '" + std::string(words[0].substr(0, 20)) +
                 "'");
        }
    }
}

// One instance of an element: its scalars, and its lists.
struct Record {
    std::vector<double> scalar;
    std::vector<std::vector<double>> list;
};

void read_record(Cursor& cursor, Format format, const Element& element, Record& record) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const Property& property = element.properties[p];
        if (!property.is_list) {
            record.scalar[p] = cursor.number(format, property.type);
            continue;
        }
        const double count = cursor.number(format, property.count_type);
        // each entry takes a byte at least
        if (!(count >= 0.0) || count != std::floor(count) ||
            count > static_cast<double>(cursor.left())) {
            fail("a list of " + describe(count) + " numbers does not fit into it");
        }
        record.list[p].clear();
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            record.list[p].push_back(cursor.number(format, property.type));
    }
}

void add_vertex(TriangleList& list, const Element& element, const Record& record) {
    Vec3 point;
    int k = 0;
    for (const char* name : {"x", "y", "z"}) {
        const std::size_t at = element.find(name);
        if (at == element.properties.size() || element.properties[at].is_list) {
            fail(std::string("its vertices have no ") + name);
        }
        point[k++] = record.scalar[at];
    }
    if (!point.allFinite()) {
        throw std::invalid_argument("vertex " + std::to_string(list.vertices.size() + 1) +
                                    " is at " + describe(point) +
                                    "; coordinates have to be finite");
    }
    list.vertices.push_back(point);
}

void add_face(TriangleList& list, const Element& element, const Record& record, double vertices) {
    std::size_t at = element.find("vertex_indices");
    if (at == element.properties.size()) at = element.find("vertex_index");
    if (at == element.properties.size() || !element.properties[at].is_list) {
        fail("its faces have no list vertex_indices");
    }
    const std::vector<double>& corners = record.list[at];
    for (const double corner : corners) {
        if (corner >= 0.0 && corner < vertices && corner == std::floor(corner)) continue;
        fail("a face uses vertex " + describe(corner) + ", but there are only " +
             describe(vertices) + ", counted from 0");
    }
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        list.triangles.push_back({static_cast<Index>(corners[0]), static_cast<Index>(corners[i]),
                                  static_cast<Index>(corners[i + 1])});
    }
    if (list.triangles.size() > k_most_triangles) {
        throw std::invalid_argument("the mesh has more than " + std::to_string(k_most_triangles) +
                                    " triangles; give a coarser one");
    }
}

}  // namespace

TriangleList read_ply(std::span<const std::byte> bytes) {
    Cursor cursor({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const Header header = read_header(cursor);
    double vertices = 0.0;
    for (const Element& element : header.elements) {
        if (element.name == "vertex") vertices = static_cast<double>(element.count);
    }
    TriangleList list;
    for (const Element& element : header.elements) {
        // an element without properties takes no bytes, however many there are said to be
        if (element.properties.empty()) continue;
        Record record{std::vector<double>(element.properties.size()),
                      std::vector<std::vector<double>>(element.properties.size())};
        for (std::uint64_t i = 0; i < element.count; ++i) {
            read_record(cursor, header.format, element, record);
            if (element.name == "vertex") add_vertex(list, element, record);
            if (element.name == "face") add_face(list, element, record, vertices);
        }
    }
    if (list.vertices.size() != static_cast<std::size_t>(vertices)) {
        fail("its vertices have no properties, or come twice");
    }
    return list;
}

}  // namespace carom::shape
