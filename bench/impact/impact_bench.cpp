// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// How long one impact takes with each law, and how much faster the incremental laws are than the
// Euler loops of the papers at the step that gives those an error of 1e-4: on every problem, as
// ours is below 1e-9 on every problem, and on half of them. The compliant loop is held on the
// friction cone: as printed it does not converge. Everything in one run:
//     build/release/bench/bench_impact

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "carom/impact/compliant.h"
#include "carom/impact/law.h"
#include "tests/support/euler_loops.h"
#include "tests/support/random_problems.h"

namespace {

using namespace carom;

struct Problem {
    impact::Contact contact;
    impact::LawParameters parameters;
};

// 256 impacts of random bodies; plane and diagonal ones for the laws that need them.
const std::vector<Problem>& problems(impact::LawId law) {
    static std::map<int, std::vector<Problem>> sets;
    const bool diagonal = law == impact::LawId::bilinear;
    const bool plane = law == impact::LawId::planar || law == impact::LawId::pfeiffer_glocker;
    std::vector<Problem>& set = sets[diagonal ? 1 : (plane ? 2 : 0)];
    if (!set.empty()) return set;
    tests::Random random(20240611);
    while (set.size() < 256) {
        Problem problem{tests::random_contact(random), tests::random_parameters(random)};
        Mat3& K = problem.contact.K;
        if (diagonal) {
            K = Vec3(K(0, 0), K(0, 0), K(2, 2)).asDiagonal();
        } else if (plane) {
            problem.contact = impact::embed_plane(
                {K(0, 0), K(0, 2), K(2, 2), problem.contact.u.x(), problem.contact.u.z()});
        }
        if (law == impact::LawId::brach || impact::check_contact(problem.contact).empty()) {
            set.push_back(problem);
        }
    }
    return set;
}

void run_law(benchmark::State& state, const impact::LawInfo& law) {
    const std::vector<Problem>& set = problems(law.id);
    std::size_t i = 0;
    for (auto _ : state) {
        const Problem& problem = set[i++ % set.size()];
        benchmark::DoNotOptimize(impact::resolve(law, problem.contact, problem.parameters));
    }
}

// The problems of the comparison with Euler: moderate friction and restitution, so that every loop
// has something to do.
const std::vector<Problem>& comparison() {
    static std::vector<Problem> set;
    if (!set.empty()) return set;
    tests::Random random(7);
    while (set.size() < 32) {
        Problem problem{tests::random_contact(random), tests::random_parameters(random)};
        problem.parameters.mu = random.uniform(0.1, 1.0);
        problem.parameters.e = random.uniform(0.3, 1.0);
        if (-problem.contact.u.z() > 0.1 * problem.contact.u.norm()) set.push_back(problem);
    }
    return set;
}

using Loop = Vec3 (*)(const Problem&, double);

Vec3 routh_loop(const Problem& p, double step) {
    return tests::routh_euler(p.contact, {*p.parameters.e, *p.parameters.mu}, step);
}
Vec3 compliant_loop(const Problem& p, double step) {
    return tests::compliant_euler(
        p.contact,
        {*p.parameters.e, *p.parameters.mu, impact::eta2_of_poisson_ratio(*p.parameters.nu)}, step,
        true);
}
Vec3 exact(const Problem& p, const impact::LawInfo& law) {
    return impact::resolve(law, p.contact, p.parameters).solution.p;
}

// The number of steps, a power of two, that brings the error of the loop to 1e-4 on this many of
// the problems.
double steps_for_accuracy(const impact::LawInfo& law, Loop loop, std::size_t problems) {
    constexpr double k_most = 1 << 24;
    double steps = 256;
    for (; steps < k_most; steps *= 2) {
        std::size_t right = 0;
        for (const Problem& p : comparison()) {
            const Vec3 truth = exact(p, law);
            if ((loop(p, truth.z() / steps) - truth).norm() <= 1e-4 * truth.norm()) ++right;
        }
        if (right >= problems) break;
    }
    return steps;
}

void run_loop(benchmark::State& state, const impact::LawInfo& law, Loop loop,
              std::size_t problems) {
    const double steps = steps_for_accuracy(law, loop, problems);
    std::vector<double> size;
    for (const Problem& p : comparison())
        size.push_back(exact(p, law).z() / steps);
    std::size_t i = 0;
    for (auto _ : state) {
        const std::size_t k = i++ % size.size();
        benchmark::DoNotOptimize(loop(comparison()[k], size[k]));
    }
    state.counters["steps"] = steps;
}

void run_exact(benchmark::State& state, const impact::LawInfo& law) {
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(exact(comparison()[i++ % comparison().size()], law));
    }
}

// Remembers the times to print ratios at the end.
class RatioReporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            times_[run.benchmark_name()] = run.GetAdjustedCPUTime();
        ConsoleReporter::ReportRuns(runs);
    }
    void Finalize() override {
        std::printf("\n%-34s %12s\n", "faster than the Euler loop", "times");
        for (const std::string law : {"routh", "compliant"}) {
            for (const std::string part : {"every", "half"}) {
                const double ratio =
                    times_["euler/" + law + "/" + part] / times_["against_euler/" + law];
                std::printf("%-34s %12.0f\n", (law + ", 1e-4 on " + part + " problem").c_str(),
                            ratio);
            }
        }
        double slowest = 0.0;
        std::string which;
        for (const impact::LawInfo& law : impact::laws()) {
            const std::string name(law.name);
            const double time = times_["law/" + name];
            if (law.incremental || law.id == impact::LawId::composite ||
                law.id == impact::LawId::micro) {
                continue;
            }
            if (time > slowest) {
                slowest = time;
                which = name;
            }
        }
        std::printf("slowest algebraic law: %s, %.0f ns\n", which.c_str(), slowest);
    }

private:
    std::map<std::string, double> times_;
};

}  // namespace

int main(int argc, char** argv) {
    for (const impact::LawInfo& law : impact::laws()) {
        benchmark::RegisterBenchmark(("law/" + std::string(law.name)).c_str(),
                                     [&law](benchmark::State& s) { run_law(s, law); });
    }
    const impact::LawInfo& routh = impact::law_info(impact::LawId::routh);
    const impact::LawInfo& compliant = impact::law_info(impact::LawId::compliant);
    benchmark::RegisterBenchmark("against_euler/routh",
                                 [&](benchmark::State& s) { run_exact(s, routh); });
    benchmark::RegisterBenchmark("against_euler/compliant",
                                 [&](benchmark::State& s) { run_exact(s, compliant); });
    const auto add_loop = [](const std::string& name, const impact::LawInfo& law, Loop loop) {
        for (const auto& [part, problems] : {std::pair("every", 32), std::pair("half", 16)}) {
            benchmark::RegisterBenchmark(("euler/" + name + "/" + part).c_str(),
                                         [&law, loop, n = problems](auto& s) {
                                             run_loop(s, law, loop, static_cast<std::size_t>(n));
                                         });
        }
    };
    add_loop("routh", routh, routh_loop);
    add_loop("compliant", compliant, compliant_loop);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return 0;
}
