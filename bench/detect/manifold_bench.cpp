// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The time of one contact patch of bodies at rest, asked again each step from the last one's
// memory:
//     build/release/bench/bench_manifold
//
// A is 0.2 m across and rests on B with a gap of +-1 nm that changes sign from query to query, as
// it does under a solver; 0.1 mm is in reach. "apart" is 50 mm above. Wanted: ball on ball below
// 50 ns, ball on box below 200 ns, box on plane below 300 ns, box on box below 1000 ns.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "carom/detect/manifold.h"

namespace {

using namespace carom;
using shape::Convex;
using shape::Pose;
using shape::Quat;

constexpr double k_within = 1e-4;
constexpr double k_pi = std::numbers::pi;

Convex only_part(const shape::Shape& shape) {
    return shape.parts.front().convex;
}

Pose at(double x, double y, double z, double angle = 0.0, const Vec3& axis = Vec3::UnitZ()) {
    return {{x, y, z}, Quat(Eigen::AngleAxisd(angle, axis))};
}

// Points spread over a ball.
Convex make_pebble(int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / count;
        const double r = std::sqrt(1.0 - z * z);
        const double angle = k_pi * (3.0 - std::sqrt(5.0)) * i;
        points.emplace_back(0.1 * r * std::cos(angle), 0.1 * r * std::sin(angle), 0.1 * z);
    }
    return only_part(shape::make_hull(points));
}

struct Rest {
    std::string name;
    Convex A;
    Pose pose_A;
    Convex B;
    Pose pose_B;
};

void run(benchmark::State& state, const Rest& rest) {
    detect::PairMemory memory;
    detect::Manifold m;
    Pose pose = rest.pose_A;
    double step = 1e-9;
    for (auto _ : state) {
        pose.position.z() = rest.pose_A.position.z() + step;
        step = -step;
        find_manifold(rest.A, pose, rest.B, rest.pose_B, k_within, memory, m);
        benchmark::DoNotOptimize(m);
    }
    state.counters["points"] = m.count;
}

// A pebble on B, wherever they touch.
Rest lowered(const std::string& name, const Convex& A, const Convex& B) {
    Rest rest{name, A, at(0.01, 0.02, 1.0), B, Pose{}};
    detect::PairMemory memory;
    const auto s = separation(rest.A, rest.pose_A, rest.B, rest.pose_B, memory);
    rest.pose_A.position -= s.distance * s.normal;
    return rest;
}

std::vector<Rest> make_rests() {
    const Convex ball = only_part(shape::make_sphere(0.1));
    const Convex box = only_part(shape::make_box({0.2, 0.2, 0.2}));
    const Convex cylinder = only_part(shape::make_cylinder(0.1, 0.2));
    const Convex capsule = only_part(shape::make_capsule(0.1, 0.2));
    const Convex plane = only_part(shape::make_half_space(Vec3::UnitZ()));
    const Convex pebble = make_pebble(60);
    const double edge = 0.1 * std::numbers::sqrt2;
    std::vector<Rest> rests{
        {"ball_ball", ball, at(0, 0, 0.2), ball, Pose{}},
        {"ball_plane", ball, at(0, 0, 0.1), plane, Pose{}},
        {"ball_box", ball, at(0.01, 0.02, 0.2), box, Pose{}},
        {"box_plane", box, at(0, 0, 0.1, 0.1), plane, Pose{}},
        {"box_box", box, at(0.01, 0.02, 0.2, 0.1), box, Pose{}},
        {"box_box_octagon", box, at(0.01, 0.02, 0.2, k_pi / 4.0), box, Pose{}},
        {"box_box_aligned", box, at(0, 0, 0.2), box, Pose{}},
        {"box_box_edges", box, at(0, 0, 2.0 * edge, k_pi / 4.0, Vec3::UnitX()), box,
         at(0, 0, 0, k_pi / 4.0, Vec3::UnitY())},
        {"box_box_apart", box, at(0.01, 0.02, 0.25, 0.1), box, Pose{}},
        {"cylinder_plane", cylinder, at(0, 0, 0.1), plane, Pose{}},
        {"cylinder_box", cylinder, at(0.01, 0.02, 0.2), box, Pose{}},
        {"cylinder_cylinder", cylinder, at(0.01, 0.02, 0.2), cylinder, Pose{}},
        {"cylinder_lying_box", cylinder, at(0, 0, 0.2, k_pi / 2.0, Vec3::UnitY()), box, Pose{}},
        {"capsule_box", capsule, at(0, 0, 0.2, k_pi / 2.0, Vec3::UnitY()), box, Pose{}},
    };
    rests.push_back(lowered("hull_plane", pebble, plane));
    rests.push_back(lowered("hull_box", pebble, box));
    rests.push_back(lowered("hull_hull", pebble, pebble));
    return rests;
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    const std::vector<Rest> rests = make_rests();
    for (const Rest& rest : rests) {
        benchmark::RegisterBenchmark(rest.name.c_str(),
                                     [&rest](benchmark::State& s) { run(s, rest); });
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
