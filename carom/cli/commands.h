// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

namespace carom::cli {

// Exit codes of the program.
inline constexpr int k_done = 0;
inline constexpr int k_failed = 1;
inline constexpr int k_bad_input = 2;

// `carom laws`: the laws, their parameters, ranges and sources.
struct LawsOptions {
    bool json = false;
    bool markdown = false;  // the table of the README
    std::string law;        // only this one, in full
};
int run_laws(const LawsOptions& options);

// `carom impact`: solves impacts, JSON Lines in and out.
struct ImpactOptions {
    std::vector<std::string> files;  // none: standard input
    std::string law;
    bool all = false;
    bool trace = false;
    bool region = false;
    bool json = false;
    bool table = false;
    bool examples = false;
};
int run_impact(const ImpactOptions& options);

// `carom touch`: when, where and how two moving bodies first touch, JSON Lines in and out.
struct TouchOptions {
    std::vector<std::string> files;  // none: standard input
    bool json = false;
    bool table = false;
    long steps = 1'000'000;  // most steps of one search
};
int run_touch(const TouchOptions& options);

// Writes out what standard output still holds; false, and a message, when it cannot be written.
bool flush_output();

}  // namespace carom::cli
