// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Writes first_touch.txt, the oracle's answers that are stored (see stored_touch.h). Not part of
// the build; from the top folder, by hand:
//
//     g++ -std=c++20 -O2 -ffp-contract=off -I. tests/touch_oracle/first_touch_generate.cpp
//         build/release/tests/touch_oracle/libtouch_oracle.a -o generate
//     ./generate 20000 >tests/touch_oracle/first_touch.txt

#include <cstdio>
#include <cstdlib>

#include "tests/touch_oracle/stored_touch.h"

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 0;
    for (long seed = 0; seed < count; ++seed) {
        const auto problem = touch_oracle::random_problem(static_cast<std::uint64_t>(seed));
        const touch_oracle::Touch truth = touch_oracle::first_touch(problem);
        if (!truth.certified) {
            std::fprintf(stderr, "seed %ld is not certified\n", seed);
            return 1;
        }
        const touch_oracle::StoredTouch stored = touch_oracle::to_store(problem, truth);
        std::printf("%08x ", stored.code);
        if (stored.verdict == touch_oracle::Verdict::close) {
            std::printf("close");
        } else {
            const bool touches = stored.verdict == touch_oracle::Verdict::touch;
            std::printf("%s %.15g", touches ? "touch" : "apart", stored.value);
        }
        std::printf(" %.9g\n", stored.size);
    }
    return 0;
}
