// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/math/types.h"

namespace carom::cli {

// The fields of a JSON object on their way into the program. Every question names the field it asks
// for, so that finish() can refuse those nobody asked for. Messages begin with the path of the
// object, as "a.shape.radius"; all are thrown as ProblemError.
class JsonFields {
public:
    JsonFields(const nlohmann::json& value, std::string path);

    const std::string& path() const { return path_; }
    std::string path_to(std::string_view name) const;
    bool has(std::string_view name);

    double number(std::string_view name);  // finite; required
    std::optional<double> maybe_number(std::string_view name);
    std::optional<bool> maybe_flag(std::string_view name);
    std::string text(std::string_view name);
    Vec3 vector(std::string_view name);
    std::optional<Vec3> maybe_vector(std::string_view name);
    std::optional<Mat3> maybe_matrix(std::string_view name);
    std::vector<Vec3> points(std::string_view name);
    std::vector<std::string> texts(std::string_view name);
    const nlohmann::json& list(std::string_view name);  // at least one element
    JsonFields object(std::string_view name);

    // Refuses fields that were not asked for.
    void finish() const;

private:
    const nlohmann::json* find(std::string_view name);
    const nlohmann::json& need(std::string_view name, const char* what);

    const nlohmann::json& value_;
    std::string path_;
    std::vector<std::string> asked_;
};

}  // namespace carom::cli
