// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/json_fields.h"

#include <algorithm>
#include <cmath>

#include "carom/cli/json_text.h"

namespace carom::cli {
namespace {

using Json = nlohmann::json;

Vec3 vector_from(const Json& value, const std::string& path) {
    const bool right =
        value.is_array() && value.size() == 3 &&
        std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); });
    if (!right) fail(path + " must be a list of 3 numbers");
    return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

// How many letters have to change to make one word of another.
std::size_t changes(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, corner + (a[i - 1] == b[j - 1] ? 0 : 1)});
            corner = above;
        }
    }
    return row[b.size()];
}

}  // namespace

JsonFields::JsonFields(const Json& value, std::string path)
    : value_(value), path_(std::move(path)) {
    if (!value.is_object()) {
        fail((path_.empty() ? "a problem" : path_) + " must be an object, { ... }");
    }
}

std::string JsonFields::path_to(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

const Json* JsonFields::find(std::string_view name) {
    asked_.emplace_back(name);
    const auto found = value_.find(name);
    return found == value_.end() ? nullptr : &*found;
}

const Json& JsonFields::need(std::string_view name, const char* what) {
    const Json* found = find(name);
    if (found == nullptr) fail(path_to(name) + " is missing; it must be " + what);
    return *found;
}

bool JsonFields::has(std::string_view name) {
    return find(name) != nullptr;
}

double JsonFields::number(std::string_view name) {
    const Json& value = need(name, "a number");
    if (!value.is_number()) fail(path_to(name) + " must be a number");
    const double number = value.get<double>();
    if (!std::isfinite(number)) fail(path_to(name) + " must be finite");
    return number;
}

std::optional<double> JsonFields::maybe_number(std::string_view name) {
    return has(name) ? std::optional(number(name)) : std::nullopt;
}

std::optional<bool> JsonFields::maybe_flag(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) fail(path_to(name) + " must be true or false");
    return value->get<bool>();
}

std::string JsonFields::text(std::string_view name) {
    const Json& value = need(name, "a text");
    if (!value.is_string()) fail(path_to(name) + " must be a text");
    return value.get<std::string>();
}

Vec3 JsonFields::vector(std::string_view name) {
    return vector_from(need(name, "a list of 3 numbers"), path_to(name));
}

std::optional<Vec3> JsonFields::maybe_vector(std::string_view name) {
    return has(name) ? std::optional(vector(name)) : std::nullopt;
}

std::optional<Mat3> JsonFields::maybe_matrix(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_array() || value->size() != 3) {
        fail(path_to(name) + " must be a list of 3 rows of 3 numbers");
    }
    Mat3 matrix;
    for (int i = 0; i < 3; ++i) {
        matrix.row(i) = vector_from((*value)[static_cast<std::size_t>(i)],
                                    path_to(name) + "[" + std::to_string(i) + "]");
    }
    return matrix;
}

std::vector<Vec3> JsonFields::points(std::string_view name) {
    std::vector<Vec3> out;
    const Json& value = list(name);
    for (std::size_t i = 0; i < value.size(); ++i) {
        out.push_back(vector_from(value[i], path_to(name) + "[" + std::to_string(i) + "]"));
    }
    return out;
}

std::vector<std::string> JsonFields::texts(std::string_view name) {
    std::vector<std::string> out;
    for (const Json& item : list(name)) {
        if (!item.is_string()) fail(path_to(name) + " must be a list of texts");
        out.push_back(item.get<std::string>());
    }
    return out;
}

const Json& JsonFields::list(std::string_view name) {
    const Json& value = need(name, "a list");
    if (!value.is_array() || value.empty()) {
        fail(path_to(name) + " must be a list with at least one element");
    }
    return value;
}

JsonFields JsonFields::object(std::string_view name) {
    return {need(name, "an object, { ... }"), path_to(name)};
}

void JsonFields::finish() const {
    for (const auto& item : value_.items()) {
        if (std::find(asked_.begin(), asked_.end(), item.key()) != asked_.end()) continue;
        std::string_view nearest;
        std::size_t least = 3;
        for (const std::string& name : asked_) {
            const std::size_t n = changes(item.key(), name);
            if (n < least && n < name.size()) {
                least = n;
                nearest = name;
            }
        }
        fail("unknown field " + in_quotes(path_to(item.key())) + did_you_mean(nearest));
    }
}

}  // namespace carom::cli
