// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace carom::tests {

// Bodies for 'carom touch'.
inline constexpr const char* k_still_plane = R"({"shape":{"type":"plane"}})";
inline constexpr const char* k_ball_shape = R"({"type":"sphere","radius":0.25})";
inline constexpr const char* k_cube_shape = R"({"type":"box","size":[1,1,1]})";
inline constexpr const char* k_cone_shape = R"({"type":"cone","radius":0.5,"height":1})";

// motion: the fields between its braces.
inline std::string touch_body(std::string_view shape, std::string_view motion = "") {
    return fmt::format(R"({{"shape":{},"motion":{{{}}}}})", shape, motion);
}

}  // namespace carom::tests
