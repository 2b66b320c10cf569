// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// A heap of spheres and cubes in a bin: Carom's lasting contact beside ODE's QuickStep.
//     bench_pile [BODIES [SECONDS [THREADS]]]        100, 3 and 1 without them

#include <cstdio>
#include <cstdlib>

#include "pile_scene.h"

namespace {

void tell(const char* name, const carom::bench::PileResult& result) {
    std::printf("%-22s %9.2f s %9.2f s %12.3g mm %12.3g J %8d\n", name, result.cpu, result.wall,
                1e3 * result.overlap, result.kinetic, result.asleep);
}

}  // namespace

int main(int argc, char** argv) {
    constexpr double k_ode_step = 1.0 / 240.0;
    const int bodies = argc > 1 ? std::atoi(argv[1]) : 100;
    const double duration = argc > 2 ? std::atof(argv[2]) : 3.0;
    const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
    if (bodies < 1 || !(duration > 0.0) || threads < 1) {
        std::fprintf(stderr, "usage: bench_pile [BODIES [SECONDS [THREADS]]], all above zero\n");
        return 2;
    }
    const carom::bench::PileScene scene = carom::bench::make_pile(bodies);
    std::printf("%d bodies, %g s\n%-22s %11s %11s %15s %14s %8s\n", bodies, duration, "", "CPU",
                "wall", "overlap", "kinetic", "asleep");
    const auto ode = carom::bench::run_ode(scene, duration, k_ode_step);
    tell("ODE QuickStep 1/240 s", ode);
    const auto carom = carom::bench::run_carom(scene, duration, threads);
    tell("Carom, lasting", carom);
    std::printf("Carom's CPU time over ODE's: %.2f\n", carom.cpu / ode.cpu);
    return 0;
}
