// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <concepts>

namespace carom::impact {

// A value without a default. A list of parameters that leaves one out, as in
// routh(contact, {.e = 0.5}), does not compile, while a plain double would quietly be zero.
template <class T>
class Required {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): it stands for the value
    template <std::convertible_to<T> From>
    constexpr Required(const From& value) : value_(value) {}
    // Of its parts, as in {.P = {0.0, 0.1, 1.0}}.
    template <class... Parts>
    requires(sizeof...(Parts) > 1 &&
             std::constructible_from<T, const Parts&...>) constexpr Required(const Parts&... parts)
        : value_(parts...) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr operator const T&() const { return value_; }

private:
    T value_;
};

}  // namespace carom::impact
