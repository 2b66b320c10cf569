// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "carom/cli/removed_by_signal.h"

namespace carom::cli {

// What a command writes: standard output, or a file that appears whole or not at all. It is written
// under a temporary name beside its place and renamed by finish(); without that nothing is left,
// also when a signal of RemovedBySignal ends the program.
class OutputFile {
public:
    // An empty path or "-" is standard output. Throws CommandError: a file that exists is refused
    // without force, and so is a place that cannot be written to, and the file that is read.
    OutputFile(std::string path, bool force, const std::string& input);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Throws CommandError when it cannot be written.
    void write(std::string_view bytes);
    void finish();

private:
    // Makes the temporary file; its path, or nothing when it cannot be made.
    std::string make_temporary();

    std::string path_;
    std::string temporary_;
    bool force_;
    std::FILE* file_ = nullptr;
    std::optional<RemovedBySignal> watch_;
};

// Refuses a path where a file may not be put: standard output ("-"), a folder, a device, one in a
// folder that does not exist, the file that is read (`input`, which need not be there), or, without
// force, one that is already there. Throws CommandError.
void check_new_file(const std::string& path, bool force, const std::string& input);

// The ending of a file's name, as ".csv"; empty for a name without one and for standard output.
// Throws CommandError with the list of `known` endings when there is another; `remedy` is what else
// may be done, as "--format says the format of any other name".
std::string known_ending(const std::string& path, std::span<const std::string> known,
                         std::string_view remedy);

}  // namespace carom::cli
