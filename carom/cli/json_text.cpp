// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace carom::cli {
namespace {

using Json = nlohmann::json;

// How deep lists and objects are nested, at most; brackets inside strings count too.
int nesting(std::string_view line) {
    int depth = 0;
    int most = 0;
    for (const char c : line) {
        if (c == '[' || c == '{') most = std::max(most, ++depth);
        if (c == ']' || c == '}') --depth;
    }
    return most;
}

// Watches for keys that come twice in one object.
class UniqueKeys {
public:
    bool operator()(int /*depth*/, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) {
            open_.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            open_.pop_back();
        } else if (event == Json::parse_event_t::key) {
            const std::string key = value.get<std::string>();
            if (!open_.back().insert(key).second) fail(in_quotes(key) + " is given twice");
        }
        return true;
    }

private:
    std::vector<std::set<std::string>> open_;
};

[[noreturn]] void explain(const Json::parse_error& error, std::string_view line) {
    // the library quotes what it read; keep what a person reads of it
    constexpr std::size_t k_longest = 200;
    std::string text = error.what();
    if (const std::size_t at = text.find("syntax error"); at != std::string::npos) {
        text.erase(0, at);
    }
    if (text.size() > k_longest) text = text.substr(0, k_longest) + "...";
    const bool no_number = line.find("NaN") != std::string_view::npos ||
                           line.find("Infinity") != std::string_view::npos;
    fail("not valid JSON at column " + std::to_string(error.byte) + ": " + text +
         (no_number ? "; NaN and Infinity are no JSON numbers" : ""));
}

}  // namespace

void fail(std::string message) {
    throw ProblemError{"null", std::move(message)};
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t k_longest = 60;
    if (text.size() <= k_longest) return "'" + std::string(text) + "'";
    return "'" + std::string(text.substr(0, k_longest)) + "...'";
}

std::string did_you_mean(std::string_view nearest) {
    return nearest.empty() ? std::string() : "; did you mean " + in_quotes(nearest) + "?";
}

Json parse_line(std::string_view line, bool unique) {
    constexpr int k_deepest = 100;
    if (const std::size_t at = line.find('\0'); at != std::string_view::npos) {
        fail("not valid JSON at column " + std::to_string(at + 1) + ": a zero byte");
    }
    if (nesting(line) > k_deepest) fail("JSON nested too deeply to be a problem");
    try {
        if (!unique) return Json::parse(line.begin(), line.end());
        return Json::parse(line.begin(), line.end(), UniqueKeys());
    } catch (const Json::parse_error& error) {
        explain(error, line);
    } catch (const Json::out_of_range&) {
        fail("a number is too large; it must be finite");
    }
}

std::string id_of(const Json& problem) {
    if (!problem.is_object()) fail("a problem must be a JSON object");
    const auto id = problem.find("id");
    if (id == problem.end()) return "null";
    if (id->is_structured()) fail("id must be a number or a string");
    return id->dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom::cli
