// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/fields.h"

#include <algorithm>
#include <cmath>

#include "carom/scene/words.h"
#include "carom/shape/describe.h"

namespace carom::scene {
namespace {

Place to_place(const toml::source_region& region) {
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

std::string at_index(std::string_view name, std::size_t index) {
    return std::string(name) + "[" + std::to_string(index) + "]";
}

bool can_name(const std::string& text) {
    constexpr std::size_t k_longest = 200;
    return !text.empty() && text.size() <= k_longest &&
           std::none_of(text.begin(), text.end(), [](char c) {
               const auto code = static_cast<unsigned char>(c);
               return code < 0x20 || code == 0x7f;
           });
}

}  // namespace

Place place_of(const toml::node& node) {
    return to_place(node.source());
}

std::string describe(const toml::node& node) {
    if (const auto* number = node.as_floating_point()) return shape::describe(number->get());
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (const auto* text = node.as_string()) return "the string " + in_quotes(text->get());
    if (node.is_table()) return "a table";
    if (const auto* list = node.as_array()) {
        if (list->is_array_of_tables()) return "a list of tables";
        return "a list of " + std::to_string(list->size());
    }
    return "a date or time";
}

Fields::Fields(const toml::table& table, std::string what, Report& report)
    : table_(table), what_(std::move(what)), report_(report) {}

Place Fields::place_of_value(std::string_view name) const {
    const toml::node* found = table_.get(name);
    return place_of(found != nullptr ? *found : table_);
}

std::string Fields::subject(std::string_view name) const {
    return what_.empty() ? std::string(name) : std::string(name) + " of " + what_;
}

void Fields::wrong(std::string_view name, std::string_view message) {
    report_.add(place_of_value(name), subject(name) + " " + std::string(message));
}

void Fields::wrong_kind(const toml::node& node, const std::string& subject, std::string_view must) {
    report_.add(place_of(node),
                subject + " is " + describe(node) + "; it must be " + std::string(must));
}

bool Fields::has(std::string_view name) {
    return find(name) != nullptr;
}

const toml::node* Fields::find(std::string_view name, Need need, const char* must) {
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) asked_.push_back(name);
    if (need == Need::must) require(name, subject(name) + " is missing; it must be " + must);
    return table_.get(name);
}

void Fields::require(std::string_view name, std::string message) {
    if (!contains(name)) missing_.push_back({name, std::move(message)});
}

std::optional<double> Fields::number_from(const toml::node& node, const std::string& subject,
                                          const Range& range) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (const auto* integer = node.as_integer()) value = static_cast<double>(integer->get());
    if (const auto* floating = node.as_floating_point()) value = floating->get();
    const bool right = std::isfinite(value) && value <= range.most &&
                       (range.open ? value > range.least : value >= range.least);
    if (right) return value;
    wrong_kind(node, subject, range.must);
    return std::nullopt;
}

std::optional<double> Fields::number(std::string_view name, const Range& range, Need need) {
    const toml::node* node = find(name, need, range.must);
    if (node == nullptr) return std::nullopt;
    return number_from(*node, subject(name), range);
}

std::optional<std::int64_t> Fields::integer(std::string_view name, std::int64_t least,
                                            std::int64_t most, Need need) {
    const std::string must =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    const toml::node* node = find(name, need, must.c_str());
    if (node == nullptr) return std::nullopt;
    const auto* value = node->as_integer();
    if (value != nullptr && value->get() >= least && value->get() <= most) return value->get();
    wrong_kind(*node, subject(name), must);
    return std::nullopt;
}

std::optional<bool> Fields::flag(std::string_view name) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_boolean()) return value->get();
    wrong_kind(*node, subject(name), "true or false");
    return std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view name, Need need) {
    const toml::node* node = find(name, need, "a string");
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_string()) return value->get();
    wrong_kind(*node, subject(name), "a string");
    return std::nullopt;
}

std::optional<std::string> Fields::name(std::string_view name, Need need) {
    std::optional<std::string> value = text(name, need);
    if (!value || can_name(*value)) return value;
    wrong(name,
          "is " + in_quotes(*value) + "; it must have 1 to 200 letters and no control characters");
    return std::nullopt;
}

std::optional<std::vector<double>> Fields::numbers_from(const toml::node& node,
                                                        const std::string& subject,
                                                        std::size_t count, const Range& range,
                                                        const char* must) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() != count) {
        wrong_kind(node, subject, must);
        return std::nullopt;
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        // only the first name is that of a key: "size[1] of the shape"
        std::string element = subject;
        element.insert(std::min(element.find(' '), element.size()), at_index("", i));
        if (const auto value = number_from((*list)[i], element, range)) values.push_back(*value);
    }
    if (values.size() != count) return std::nullopt;
    return values;
}

std::optional<std::vector<double>> Fields::numbers(std::string_view name, std::size_t count,
                                                   const Range& range, const char* must) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    return numbers_from(*node, subject(name), count, range, must);
}

std::optional<Vec3> Fields::vector(std::string_view name, const Range& range, Need need) {
    constexpr const char* k_must = "a list of 3 numbers";
    const toml::node* node = find(name, need, k_must);
    if (node == nullptr) return std::nullopt;
    const auto list = numbers_from(*node, subject(name), 3, range, k_must);
    if (!list) return std::nullopt;
    return Vec3((*list)[0], (*list)[1], (*list)[2]);
}

std::optional<Mat3> Fields::matrix(std::string_view name) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    constexpr const char* k_must = "a list of 3 rows of 3 numbers";
    const toml::array* rows = node->as_array();
    if (rows == nullptr || rows->size() != 3) {
        wrong_kind(*node, subject(name), k_must);
        return std::nullopt;
    }
    Mat3 matrix;
    bool right = true;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto row =
            numbers_from((*rows)[i], subject(at_index(name, i)), 3, k_any, "a row of 3 numbers");
        right = right && row.has_value();
        if (row) matrix.row(static_cast<int>(i)) << (*row)[0], (*row)[1], (*row)[2];
    }
    if (!right) return std::nullopt;
    return matrix;
}

std::optional<std::vector<Vec3>> Fields::points(std::string_view name) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        wrong_kind(*node, subject(name), "a list of points, each of 3 numbers");
        return std::nullopt;
    }
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const auto point =
            numbers_from((*list)[i], subject(at_index(name, i)), 3, k_any, "a point of 3 numbers");
        if (point) points.emplace_back((*point)[0], (*point)[1], (*point)[2]);
    }
    if (points.size() != list->size()) return std::nullopt;
    return points;
}

std::optional<std::vector<std::vector<double>>> Fields::lists(std::string_view name,
                                                              std::size_t count, const char* must) {
    const toml::node* node = find(name, Need::must, must);
    if (node == nullptr) return std::nullopt;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        wrong_kind(*node, subject(name), must);
        return std::nullopt;
    }
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < list->size(); ++i) {
        auto row = numbers_from((*list)[i], subject(at_index(name, i)), count, k_any,
                                count == 2 ? "a list of 2 numbers" : "a list of numbers");
        if (row) rows.push_back(std::move(*row));
    }
    if (rows.size() != list->size()) return std::nullopt;
    return rows;
}

std::optional<std::vector<std::string>> Fields::texts(std::string_view name, const char* must) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        wrong_kind(*node, subject(name), must);
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& element = (*list)[i];
        if (const auto* text = element.as_string()) {
            texts.push_back(text->get());
        } else {
            wrong_kind(element, subject(at_index(name, i)), "a string");
        }
    }
    if (texts.size() != list->size()) return std::nullopt;
    return texts;
}

const toml::table* Fields::table(std::string_view name, Need need, const char* must) {
    const toml::node* node = find(name, need, must);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) wrong_kind(*node, subject(name), must);
    return node->as_table();
}

std::vector<const toml::table*> Fields::tables(std::string_view name, Need need, const char* must) {
    std::vector<const toml::table*> tables;
    const toml::node* node = find(name, need, must);
    if (node == nullptr) return tables;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        wrong_kind(*node, subject(name), must);
        return tables;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& element = (*list)[i];
        if (element.is_table()) {
            tables.push_back(element.as_table());
        } else {
            wrong_kind(element, subject(at_index(name, i)), "a table");
        }
    }
    return tables;
}

void Fields::tell_unknown(const toml::key& key) {
    const std::string_view near = nearest(key.str(), asked_);
    std::string message = "unknown key " + in_quotes(key.str());
    if (!what_.empty()) message += " in " + what_;
    if (near.empty()) {
        message += "; the keys are " + listed(asked_);
    } else {
        message += did_you_mean(near);
        std::erase_if(missing_, [near](const Missing& missing) { return missing.name == near; });
    }
    report_.add(to_place(key.source()), message);
}

void Fields::finish() {
    for (auto&& [key, value] : table_) {
        if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end()) tell_unknown(key);
    }
    for (const Missing& missing : missing_)
        report_.add(place(), missing.message);
    missing_.clear();
}

}  // namespace carom::scene
