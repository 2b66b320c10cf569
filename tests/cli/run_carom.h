// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace carom::tests {

using Json = nlohmann::json;

// A folder of its own for each test, gone at its end.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string path(std::string_view name) const;
    // Writes a file there and gives its path.
    std::string write(std::string_view name, std::string_view content) const;

private:
    std::string folder_;
};

std::string read_whole(const std::string& path);

// What a run of the program left behind.
struct ProgramRun {
    int exit_code = -1;  // -1 when a signal ended it
    std::string out;
    std::string err;
    long peak_kib = 0;  // largest resident size

    std::vector<std::string> lines() const;  // of out, without their line feeds
    std::vector<Json> answers() const;       // out as JSON Lines; fails the test where it is not
    Json answer() const;                     // the only one
};

struct RunOptions {
    std::string input_file;         // instead of the text given
    std::string output_file;        // instead of a temporary file
    std::string error_file;         // likewise for standard error
    std::size_t address_space = 0;  // bytes; 0 for no limit
    std::size_t file_size = 0;      // most bytes of a file, as on a full disk; 0 for no limit
};

// Runs the program just built. Input and output go through files, so that their size is no matter.
ProgramRun run_carom(const std::vector<std::string>& arguments, std::string_view input = {},
                     const RunOptions& options = {});

// `carom impact` on these lines.
ProgramRun run_impact(std::string_view input, std::vector<std::string> options = {});

// The program that is tested: that of this build, or the one that CAROM_SANITIZED_PROGRAM names.
std::string program_path();

// Whether the program was built with the address sanitizer.
bool is_sanitized();

// Whether the program has its pages; a sanitized one has none.
bool has_pages();

// The list of numbers as doubles.
std::vector<double> numbers(const Json& list);

// A problem every law has the parameters for, with the given K and u as JSON text.
std::string problem_with_everything(std::string_view K, std::string_view u);

}  // namespace carom::tests
