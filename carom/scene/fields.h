// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/math/types.h"
#include "carom/scene/report.h"

namespace carom::scene {

// Squares and products of larger numbers would leave the range of a double.
inline constexpr double k_largest = 1e50;

// What a number has to be.
struct Range {
    double least, most;
    bool open;  // least itself is not allowed
    const char* must;
};
inline constexpr Range k_any{-k_largest, k_largest, false, "a number between -1e50 and 1e50"};
inline constexpr Range k_positive{0.0, k_largest, true, "a number larger than 0, at most 1e50"};
inline constexpr Range k_not_negative{0.0, k_largest, false,
                                      "a number of at least 0, at most 1e50"};
// for what looks at numbers itself
inline constexpr Range k_unchecked{-std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::infinity(), false,
                                   "a finite number"};

enum class Need { may, must };

Place place_of(const toml::node& node);
// What stands there, for messages: "a string", "-1", "a list of 2".
std::string describe(const toml::node& node);

// The keys of one table. Every getter that finds something wrong says so in the report and gives
// nothing, so that reading goes on; finish() then adds the keys nobody asked for, and those that
// were needed and are missing (but for a needed one that was only misspelt).
class Fields {
public:
    // `what` is how messages call the table: "body 'ball'"; empty for the whole scene.
    Fields(const toml::table& table, std::string what, Report& report);

    const std::string& what() const { return what_; }
    void call(std::string what) { what_ = std::move(what); }
    Report& report() { return report_; }
    Place place() const { return place_of(table_); }
    // Of the value of that name; of the table when there is none.
    Place place_of_value(std::string_view name) const;

    bool has(std::string_view name);
    // The same without asking: the key stays unknown.
    bool contains(std::string_view name) const { return table_.get(name) != nullptr; }
    // Null when there is none, which is wrong when it is needed; `must` is for that message.
    const toml::node* find(std::string_view name, Need need = Need::may, const char* must = "");

    // What finish() says when there is no such key.
    void require(std::string_view name, std::string message);

    std::optional<double> number(std::string_view name, const Range& range, Need need = Need::may);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                        std::int64_t most, Need need = Need::may);
    std::optional<bool> flag(std::string_view name);
    std::optional<std::string> text(std::string_view name, Need need = Need::may);
    // A text that can name something: not empty, no control characters, at most 200 bytes.
    std::optional<std::string> name(std::string_view name, Need need = Need::may);
    std::optional<Vec3> vector(std::string_view name, const Range& range, Need need = Need::may);
    std::optional<std::vector<double>> numbers(std::string_view name, std::size_t count,
                                               const Range& range, const char* must);
    std::optional<Mat3> matrix(std::string_view name);
    std::optional<std::vector<Vec3>> points(std::string_view name);
    // A needed list of lists of so many numbers; `must` says what would be right.
    std::optional<std::vector<std::vector<double>>> lists(std::string_view name, std::size_t count,
                                                          const char* must);
    std::optional<std::vector<std::string>> texts(std::string_view name, const char* must);
    const toml::table* table(std::string_view name, Need need, const char* must);
    // The tables of a list, [[name]] or [{...}, ...]; `must` says what would be right.
    std::vector<const toml::table*> tables(std::string_view name, Need need, const char* must);

    // "mass of body 'ball'".
    std::string subject(std::string_view name) const;
    // "mass of body 'ball' " + message, at the value.
    void wrong(std::string_view name, std::string_view message);
    // Tells of the keys that nobody asked for, and of those that are missing.
    void finish();

private:
    struct Missing {
        std::string_view name;
        std::string message;
    };
    std::optional<double> number_from(const toml::node& node, const std::string& subject,
                                      const Range& range);
    std::optional<std::vector<double>> numbers_from(const toml::node& node,
                                                    const std::string& subject, std::size_t count,
                                                    const Range& range, const char* must);
    void wrong_kind(const toml::node& node, const std::string& subject, std::string_view must);
    void tell_unknown(const toml::key& key);

    const toml::table& table_;
    std::string what_;
    Report& report_;
    std::vector<std::string_view> asked_;
    std::vector<Missing> missing_;
};

}  // namespace carom::scene
