// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::scene {

// The pieces that messages are made of.

// 'name', with control characters and what is too long left out.
std::string in_quotes(std::string_view name);

// The known word nearest to a misspelt one: at most a third of its letters changed (two for short
// ones), swapped neighbours counting as one change. Empty when none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);
// "; did you mean 'word'?", or nothing for an empty word.
std::string did_you_mean(std::string_view word);

// "a", "a and b", "a, b and c".
std::string listed(std::span<const std::string_view> words);

// A length as people read it: 12.3 mm.
std::string readable_length(double metres);

}  // namespace carom::scene
