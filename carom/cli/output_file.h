// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace carom::cli {

// What a command writes: standard output, or a file that appears whole or not at all. It is written
// under a temporary name beside its place and renamed by finish(); without that nothing is left.
class OutputFile {
public:
    // An empty path or "-" is standard output. Throws CommandError: a file that exists is refused
    // without force, and so is a place that cannot be written to.
    OutputFile(std::string path, bool force);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Throws CommandError when it cannot be written.
    void write(std::string_view bytes);
    void finish();

private:
    std::string path_;
    std::string temporary_;
    bool force_;
    std::FILE* file_ = nullptr;
};

// Refuses a path where a file may not be put: a folder, a device, one in a folder that does not
// exist, or, without force, one that is already there. Throws CommandError.
void check_new_file(const std::string& path, bool force);

}  // namespace carom::cli
