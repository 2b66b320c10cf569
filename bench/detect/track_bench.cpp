// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Closest features under coherent motion: the time of one query that starts from the last one's
// features, for pairs of hulls from 32 to 5000 faces, beside FCL's GJK on the same poses. In one
// run, with the ratios at the end:
//     build/release/bench/bench_track
//
// The motion: sizes are 1. Both bodies turn by half a degree a query about axes of their own; B
// goes round a flat loop beside A, half a per cent of the size a query, so that the gap changes
// between 5 % and about 100 %. After 720 queries all is as at the start, and the walk goes on.
//
// FCL: the narrow phase alone (no broad phase, no dispatch). Three forms:
//     indep   its own GJK (GST_INDEP), guess cached from query to query;
//     turned  the same with the sign of the cached guess turned before each query. FCL 0.7 stores
//             the vector from the origin and searches along it, away from the origin; turned, it
//             starts at the last closest vertex;
//     libccd  GJK of libccd (GST_LIBCCD), which climbs over edges but has no cache.
// Each has the loosest tolerance of 1e-3, 1e-4 ... 1e-14 with which all distances agree with ours
// to 1e-6 of the distance ("disagree" is the largest relative difference). A form that reaches this
// with no tolerance is timed with its best one and left out of the ratio, which is against the
// fastest of the others. The program fails if there is none.
//
// "fresh" is the part of the queries that ended at other features than the query before.
//
// In CMake: find_package(fcl REQUIRED) and target_link_libraries(bench_track PRIVATE fcl).

#include <benchmark/benchmark.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "carom/detect/separation.h"
#include "tests/support/random_problems.h"

namespace {

using namespace carom;
using shape::Convex;
using shape::Pose;
using shape::Quat;

constexpr int k_queries = 720;
constexpr double k_least_gap = 0.05;
constexpr double k_agree = 1e-6;
constexpr int k_repetitions = 5;  // the fastest counts

// Points spread evenly over an ellipsoid about 1 across, each a little off its place: the hull has
// 2 n - 4 triangles.
Convex make_pebble(int faces, std::uint64_t seed) {
    tests::Random random(seed);
    const int n = (faces + 4) / 2;
    const double turn = std::numbers::pi * (3.0 - std::sqrt(5.0));
    const double spacing = std::sqrt(4.0 * std::numbers::pi / n);
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / n;
        const double r = std::sqrt(1.0 - z * z);
        const Vec3 even(r * std::cos(turn * i), r * std::sin(turn * i), z);
        const Vec3 off = (even + 0.15 * spacing * random.normal3()).normalized();
        points.push_back(Vec3(0.5, 0.47, 0.44).cwiseProduct(off));
    }
    return shape::make_hull(points).parts.front().convex;
}

struct Pair {
    std::string name;
    Convex A, B;
    std::vector<Pose> pose_A, pose_B;
};

detect::Separation query(const Pair& pair, std::size_t i, detect::PairMemory& memory) {
    return detect::separation(pair.A, pair.pose_A[i], pair.B, pair.pose_B[i], memory);
}

// The loop with its centre at a distance `away`.
void set_poses(Pair& pair, double away) {
    const Vec3 axis_A = Vec3(1.0, 2.0, -1.0).normalized();
    const Vec3 axis_B = Vec3(-2.0, 1.0, 1.5).normalized();
    pair.pose_A.clear();
    pair.pose_B.clear();
    for (int i = 0; i < k_queries; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / k_queries;
        pair.pose_A.push_back({Vec3::Zero(), Quat(Eigen::AngleAxisd(angle, axis_A))});
        const Vec3 at(away - 0.475 * std::cos(angle), 0.6 * std::sin(angle),
                      0.25 * std::sin(angle));
        pair.pose_B.push_back({at, Quat(Eigen::AngleAxisd(angle, axis_B))});
    }
}

// Shifts the loop until the least gap is k_least_gap.
Pair make_pair(const std::string& name, const Convex& A, const Convex& B) {
    Pair pair{name, A, B, {}, {}};
    double away = 2.5;
    for (int pass = 0; pass < 8; ++pass) {
        set_poses(pair, away);
        detect::PairMemory memory;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < k_queries; ++i)
            least = std::min(least, query(pair, i, memory).distance);
        if (std::abs(least - k_least_gap) < 1e-3) break;
        away += k_least_gap - least;
    }
    return pair;
}

void run_track(benchmark::State& state, const Pair& pair) {
    detect::PairMemory memory;
    double most = 0.0;
    double fresh = 0.0;
    detect::Separation last = query(pair, k_queries - 1, memory);
    for (std::size_t i = 0; i < k_queries; ++i) {
        const detect::Separation s = query(pair, i, memory);
        if (!(s.a == last.a && s.b == last.b)) fresh += 1.0;
        most = std::max(most, s.distance);
        last = s;
    }
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(query(pair, i, memory));
        if (++i == k_queries) i = 0;
    }
    state.counters["gap_max"] = most;
    state.counters["fresh"] = fresh / k_queries;
}

void run_cold(benchmark::State& state, const Pair& pair) {
    std::size_t i = 0;
    for (auto _ : state) {
        detect::PairMemory memory;
        benchmark::DoNotOptimize(query(pair, i, memory));
        if (++i == k_queries) i = 0;
    }
}

// The same bodies and poses as FCL wants them.
template <class Shape>
struct Peer {
    Shape A, B;
    std::vector<fcl::Transform3d> pose_A, pose_B;
    std::vector<double> right;  // the distances by separation()
};

fcl::Convexd to_fcl(const shape::Hull& hull) {
    const shape::Polyhedron& body = *hull.polyhedron;
    const auto vertices =
        std::make_shared<std::vector<Vec3>>(body.vertices().begin(), body.vertices().end());
    const auto faces = std::make_shared<std::vector<int>>();
    for (shape::Index f = 0; f < body.faces().size(); ++f) {
        faces->push_back(static_cast<int>(body.boundary(f).size()));
        for (const shape::DirectedEdge e : body.boundary(f))
            faces->push_back(static_cast<int>(body.tail(e)));
    }
    return {vertices, static_cast<int>(body.faces().size()), faces, true};
}
fcl::Boxd to_fcl(const shape::Box& box) {
    return fcl::Boxd(2.0 * box.half);
}

fcl::Transform3d to_fcl(const Pose& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = pose.orientation.toRotationMatrix();
    t.translation() = pose.position;
    return t;
}

template <class Body>
auto make_peer(const Pair& pair) {
    using Shape = decltype(to_fcl(std::get<Body>(pair.A)));
    Peer<Shape> peer{to_fcl(std::get<Body>(pair.A)), to_fcl(std::get<Body>(pair.B)), {}, {}, {}};
    detect::PairMemory memory;
    for (std::size_t i = 0; i < k_queries; ++i) {
        peer.pose_A.push_back(to_fcl(pair.pose_A[i]));
        peer.pose_B.push_back(to_fcl(pair.pose_B[i]));
        peer.right.push_back(query(pair, i, memory).distance);
    }
    return peer;
}

struct Indep {
    explicit Indep(double tolerance) {
        gjk.gjk_tolerance = tolerance;
        gjk.enable_cached_guess = true;
    }
    void prepare() {}
    fcl::detail::GJKSolver_indep<double> gjk;
};
struct Turned : Indep {
    using Indep::Indep;
    void prepare() { gjk.cached_guess = -gjk.cached_guess; }
};
struct Libccd {
    explicit Libccd(double tolerance) { gjk.distance_tolerance = tolerance; }
    void prepare() {}
    fcl::detail::GJKSolver_libccd<double> gjk;
};

// -1 where FCL finds none.
template <class Solver, class Shape>
double fcl_query(const Peer<Shape>& peer, std::size_t i, Solver& solver) {
    double distance = -1.0;
    Vec3 a, b;
    solver.prepare();
    solver.gjk.shapeDistance(peer.A, peer.pose_A[i], peer.B, peer.pose_B[i], &distance, &a, &b);
    benchmark::DoNotOptimize(a);
    benchmark::DoNotOptimize(b);
    return distance;
}

// The largest relative difference from our distances, over two rounds.
template <class Solver, class Shape>
double disagreement(const Peer<Shape>& peer, double tolerance) {
    Solver solver(tolerance);
    double worst = 0.0;
    for (std::size_t i = 0; i < 2 * k_queries; ++i) {
        const double right = peer.right[i % k_queries];
        const double d = fcl_query(peer, i % k_queries, solver);
        worst = std::max(worst, std::abs(d - right) / right);
    }
    return worst;
}

// The loosest tolerance that agrees to k_agree, or the one that agrees best.
struct Accuracy {
    double tolerance = 0.0;
    double disagree = std::numeric_limits<double>::infinity();
};

template <class Solver, class Shape>
Accuracy loosest_tolerance(const Peer<Shape>& peer) {
    Accuracy best;
    for (double tolerance = 1e-3; tolerance > 0.5e-14; tolerance /= 10.0) {
        const double worst = disagreement<Solver>(peer, tolerance);
        if (worst < best.disagree) best = {tolerance, worst};
        if (worst <= k_agree) break;
    }
    return best;
}

template <class Solver, class Body>
void run_fcl(benchmark::State& state, const Pair& pair) {
    const auto peer = make_peer<Body>(pair);
    static std::map<std::string, Accuracy> known;  // the same in each repetition
    if (!known.contains(pair.name)) known[pair.name] = loosest_tolerance<Solver>(peer);
    const Accuracy accuracy = known[pair.name];
    Solver solver(accuracy.tolerance);
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(fcl_query(peer, i, solver));
        if (++i == k_queries) i = 0;
    }
    state.counters["tolerance"] = accuracy.tolerance;
    state.counters["disagree"] = accuracy.disagree;
}

const std::vector<int> k_faces = {32, 162, 1000, 5000};

std::string hulls_of(int faces) {
    return "hull_" + std::to_string(faces);
}

// Shows the fastest repetition of each and the ratios at the end.
class RatioReporter : public benchmark::ConsoleReporter {
public:
    RatioReporter() : ConsoleReporter(OO_None) {}
    void ReportRuns(const std::vector<Run>& runs) override {
        const Run* best = nullptr;
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            if (best == nullptr || run.GetAdjustedCPUTime() < best->GetAdjustedCPUTime()) {
                best = &run;
            }
        }
        if (best == nullptr) return;
        Run shown = *best;
        shown.run_name.min_time.clear();
        shown.run_name.repetitions.clear();
        const auto disagree = shown.counters.find("disagree");
        if (disagree == shown.counters.end() || disagree->second.value <= k_agree) {
            times_[shown.benchmark_name()] = shown.GetAdjustedCPUTime();
        }
        if (disagree != shown.counters.end()) {
            bool& agreed = agreed_[shown.benchmark_name().substr(shown.benchmark_name().find('/'))];
            agreed = agreed || disagree->second.value <= k_agree;
        }
        ConsoleReporter::ReportRuns({shown});
    }
    void Finalize() override {
        std::printf("\n%-12s %10s %10s %10s %12s\n", "pair", "track ns", "cold ns", "FCL ns",
                    "FCL/track");
        double least = std::numeric_limits<double>::infinity();
        double most = 0.0;
        double ratio = least;
        for (const int faces : k_faces) {
            const std::string name = hulls_of(faces);
            const double track = time("track/" + name);
            least = std::min(least, track);
            most = std::max(most, track);
            ratio = std::fmin(ratio, row(name));
        }
        row("box_box");
        std::printf("\nslowest over fastest size, tracking hulls: %.2f (at most 2 wanted)\n",
                    most / least);
        std::printf("FCL over tracking, least of the hulls: %.2f (at least 3 wanted)\n", ratio);
    }

    // Whether each pair given to FCL has a form that agrees.
    bool agreed() const {
        return std::all_of(agreed_.begin(), agreed_.end(), [](const auto& p) { return p.second; });
    }

private:
    double time(const std::string& name) const {
        const auto it = times_.find(name);
        return it == times_.end() ? std::numeric_limits<double>::quiet_NaN() : it->second;
    }
    double row(const std::string& name) const {
        double peer = std::numeric_limits<double>::quiet_NaN();
        for (const std::string form : {"indep/", "turned/", "libccd/"})
            peer = std::fmin(peer, time("fcl_" + form + name));
        const double track = time("track/" + name);
        std::printf("%-12s %10.0f %10.0f %10.0f %12.2f\n", name.c_str(), track,
                    time("cold/" + name), peer, peer / track);
        return peer / track;
    }

    std::map<std::string, double> times_;
    std::map<std::string, bool> agreed_;  // of pairs
};

using Run = void (*)(benchmark::State&, const Pair&);

void add(const std::string& kind, const Pair& pair, Run run) {
    benchmark::RegisterBenchmark((kind + "/" + pair.name).c_str(),
                                 [&pair, run](benchmark::State& s) { run(s, pair); })
        ->Repetitions(k_repetitions)
        ->MinTime(0.1);
}

template <class Body>
void add_fcl(const Pair& pair) {
    add("fcl_indep", pair, run_fcl<Indep, Body>);
    add("fcl_turned", pair, run_fcl<Turned, Body>);
    add("fcl_libccd", pair, run_fcl<Libccd, Body>);
}

Convex only_part(const shape::Shape& shape) {
    return shape.parts.front().convex;
}

std::vector<Pair> make_pairs() {
    std::vector<Pair> pairs;
    for (const int faces : k_faces)
        pairs.push_back(make_pair(hulls_of(faces), make_pebble(faces, 1), make_pebble(faces, 2)));
    const Convex box = only_part(shape::make_box({0.7, 0.55, 0.45}));
    const Convex cylinder = only_part(shape::make_cylinder(0.3, 0.8));
    const Convex cone = only_part(shape::make_cone(0.35, 0.7));
    const Convex capsule = only_part(shape::make_capsule(0.2, 0.6));
    pairs.push_back(make_pair("box_box", box, only_part(shape::make_box({0.5, 0.8, 0.35}))));
    pairs.push_back(make_pair("cylinder_box", cylinder, box));
    pairs.push_back(make_pair("cone_cylinder", cone, cylinder));
    pairs.push_back(make_pair("capsule_hull_1000", capsule, make_pebble(1000, 1)));
    return pairs;
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    const std::vector<Pair> pairs = make_pairs();
    for (const Pair& pair : pairs) {
        add("track", pair, run_track);
        add("cold", pair, run_cold);
        const bool hulls = std::holds_alternative<shape::Hull>(pair.A);
        if (hulls) add_fcl<shape::Hull>(pair);
        if (pair.name == "box_box") add_fcl<shape::Box>(pair);
    }
    RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    if (reporter.agreed()) return 0;
    std::fprintf(stderr, "FCL's distances do not agree with ours to %g\n", k_agree);
    return 1;
}
