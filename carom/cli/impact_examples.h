// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>
#include <string_view>

namespace carom::cli {

// A telling impact: what it shows, and the problem as a line for `carom impact`.
struct ImpactExample {
    std::string_view title;
    std::string_view point;
    std::string_view line;
};

std::span<const ImpactExample> impact_examples();

}  // namespace carom::cli
