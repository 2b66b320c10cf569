// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string_view>
#include <vector>

#include "carom/scene/scene.h"

namespace carom::scene {

// Where something stands in a scene; line and column from 1.
struct Place {
    int line = 0, column = 0;
};

// Collects what is wrong while reading goes on.
class Report {
public:
    // The message becomes one line.
    void add(const Place& place, std::string_view message);
    bool empty() const { return problems_.empty(); }
    std::size_t count() const { return problems_.size() + left_out_; }
    // In the order of places, at most k_most_problems, with a last line that says how many more.
    std::vector<Problem> take();

private:
    std::vector<Problem> problems_;
    std::size_t left_out_ = 0;
};

}  // namespace carom::scene
