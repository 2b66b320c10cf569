// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One rebuild and one search for all pairs, to be counted in instructions:
//     valgrind --tool=callgrind build/release/bench/bench_broad_once BODIES RATIO [setup]
// BODIES balls fill a fifth of a cube, their sizes spread over 1 : RATIO. With "setup" it ends
// before the broad phase begins: the difference of both counts is the broad phase.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "carom/detect/swept_hash.h"
#include "tests/support/random_problems.h"

int main(int argc, char** argv) {
    using namespace carom;
    using detect::SweptHash;
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_broad_once BODIES RATIO [setup]\n");
        return 2;
    }
    const auto n = static_cast<SweptHash::Id>(std::strtoul(argv[1], nullptr, 10));
    const double ratio = std::strtod(argv[2], nullptr);
    tests::Random random(77001 + n);
    std::vector<double> radius(n);
    double volume = 0.0;
    for (double& r : radius) {
        r = random.log_uniform(0.5, 0.5 * ratio);
        volume += 4.0 / 3.0 * std::numbers::pi * r * r * r;
    }
    const double width = std::cbrt(volume / 0.2);
    std::vector<SweptHash::Entry> entries;
    for (SweptHash::Id id = 0; id < n; ++id) {
        const Vec3 at(random.uniform(0.0, width), random.uniform(0.0, width),
                      random.uniform(0.0, width));
        const Vec3 end = at + 0.25 * random.normal3();
        const Vec3 reach = Vec3::Constant(radius[id]);
        entries.push_back({id, {at.cwiseMin(end) - reach, at.cwiseMax(end) + reach}});
    }
    if (argc > 3) return 0;
    SweptHash hash;
    hash.rebuild(entries);
    std::vector<SweptHash::Pair> pairs;
    hash.pairs(pairs);
    std::printf("%zu pairs\n", pairs.size());
    return 0;
}
