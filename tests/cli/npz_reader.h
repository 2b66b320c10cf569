// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace carom::tests {

// An array of an NPZ file, read by hand.
struct NpyArray {
    std::string type;  // as "<f8"
    std::vector<std::size_t> shape;
    std::vector<double> values;  // of "<f8"
    std::string bytes;           // of other types
};

// Reads the archive by its directory, and expects that it is what ZIP and NumPy say it must be:
// stored files dated 1980-01-01, right checksums, local headers that agree, NPY version 1.0.
std::map<std::string, NpyArray> read_npz(const std::string& path);

}  // namespace carom::tests
