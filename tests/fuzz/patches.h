// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace carom::fuzz {

// Changes good bytes here and there, as a list of patches says, so that most of what a reader
// checks stays right. A patch is a byte (its kind modulo 3), an offset of three bytes (modulo the
// length) and, by kind: 0 one byte to put there; 1 eight bytes to put there; 2 nothing: the end
// comes there.
inline std::vector<std::uint8_t> patched(std::vector<std::uint8_t> bytes,
                                         std::span<const std::uint8_t> patches) {
    while (patches.size() >= 5 && !bytes.empty()) {
        const unsigned kind = patches[0] % 3U;
        const std::size_t offset =
            (patches[1] | (std::size_t{patches[2]} << 8U) | (std::size_t{patches[3]} << 16U)) %
            bytes.size();
        if (kind == 2) {
            bytes.resize(offset);
            patches = patches.subspan(4);
            continue;
        }
        const std::size_t count = std::min({kind == 0 ? std::size_t{1} : std::size_t{8},
                                            patches.size() - 4, bytes.size() - offset});
        std::copy_n(patches.begin() + 4, count, bytes.begin() + static_cast<long>(offset));
        patches = patches.subspan(4 + count);
    }
    return bytes;
}

// The bytes that an input stands for: when its first byte is even, good ones with the rest as a
// list of patches; when it is odd, the rest itself.
inline std::vector<std::uint8_t> bytes_of(std::span<const std::uint8_t> input,
                                          const std::vector<std::uint8_t>& good) {
    const std::span<const std::uint8_t> rest = input.subspan(1);
    if (input[0] % 2 == 0) return patched(good, rest);
    return {rest.begin(), rest.end()};
}

}  // namespace carom::fuzz
