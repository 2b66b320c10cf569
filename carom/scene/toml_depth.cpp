// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/toml_depth.h"

namespace carom::scene {
namespace {

// Goes through a text letter by letter and counts lines and columns.
class Walk {
public:
    explicit Walk(std::string_view text) : text_(text) {}

    bool done() const { return at_ >= text_.size(); }
    char now() const { return text_[at_]; }
    bool sees(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
    Place place() const { return place_; }

    void step() {
        const auto code = static_cast<unsigned char>(text_[at_++]);
        if (code == '\n') {
            ++place_.line;
            place_.column = 1;
        } else if ((code & 0xc0U) != 0x80U) {
            // bytes after the first of a letter do not count
            ++place_.column;
        }
    }
    void step(std::size_t count) {
        for (std::size_t i = 0; i < count && !done(); ++i)
            step();
    }

    void skip_comment() {
        while (!done() && now() != '\n')
            step();
    }

    // From the opening quote to behind the closing one; a string of one line ends with the line.
    void skip_string() {
        const char quote = now();
        const std::string_view thrice = quote == '"' ? "\"\"\"" : "'''";
        const bool long_one = sees(thrice);
        step(long_one ? 3 : 1);
        while (!done()) {
            if (long_one ? sees(thrice) : now() == quote || now() == '\n') break;
            step(quote == '"' && now() == '\\' ? 2 : 1);
        }
        step(long_one ? 3 : 1);
        // a long one may end with quotes of its own
        while (long_one && !done() && now() == quote)
            step();
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    Place place_{1, 1};
};

// What can stand between the dots of a key, besides strings.
bool goes_on(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == ' ' || c == '\t' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::optional<Place> find_deep_key(std::string_view text) {
    Walk walk(text);
    int dots = 0;
    while (!walk.done()) {
        const char c = walk.now();
        if (c == '"' || c == '\'') {
            walk.skip_string();
            continue;
        }
        if (c == '#') {
            walk.skip_comment();
            dots = 0;
            continue;
        }
        if (c == '.') {
            if (++dots > k_most_dots) return walk.place();
        } else if (!goes_on(c)) {
            dots = 0;
        }
        walk.step();
    }
    return std::nullopt;
}

}  // namespace carom::scene
