// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <array>
#include <cstring>
#include <latch>
#include <thread>
#include <vector>

#include "carom/impact/multiple/multiple.h"
#include "tests/impact/any_law.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

// Laws and resolutions are pure functions: several threads may solve at once, and each gets the
// bits that one thread alone gets. Run under the thread sanitizer, too (preset tsan). Nothing is
// solved before the threads start, so that they also meet in tables that are made when first used.
namespace carom::tests {
namespace {

constexpr std::size_t k_threads = 4;

// Runs solve(i) for every i below count on each of the threads, and then on this one alone. Every
// thread begins at another place.
template <class Answer, class Solve>
void expect_same_bits(std::size_t count, Solve&& solve) {
    std::array<std::vector<Answer>, k_threads> answers;
    std::latch start(k_threads);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < k_threads; ++k) {
        threads.emplace_back([&, k] {
            std::vector<Answer> own(count);
            start.arrive_and_wait();
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t place = (i + k * count / k_threads) % count;
                own[place] = solve(place);
            }
            answers[k] = std::move(own);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    for (std::size_t i = 0; i < count; ++i) {
        const Answer alone = solve(i);
        for (const std::vector<Answer>& others : answers)
            ASSERT_EQ(others[i], alone) << i;
    }
}

// The numbers of an answer as their bits.
using Bits = std::vector<std::uint64_t>;

void add(Bits& bits, double x) {
    bits.push_back(0);
    std::memcpy(&bits.back(), &x, sizeof x);
}
void add(Bits& bits, const Vec3& v) {
    for (const double x : v)
        add(bits, x);
}

struct Posed {
    const impact::LawInfo* law;
    LawProblem problem;
    bool traced;
};

std::vector<Posed> impacts(Random& random, int of_each_law) {
    std::vector<Posed> all;
    for (int i = 0; i < of_each_law; ++i) {
        for (const impact::LawInfo& law : impact::laws()) {
            Posed posed{&law, {any_contact(random), random_parameters(random)}, i % 4 == 0};
            if (law.plane_only) posed.problem.contact = impact::embed_plane(random_plane(random));
            if (i % 3 == 0) posed.problem.contact.K = Vec3(3.5, 3.5, 1.0).asDiagonal();
            posed.problem.parameters.termination = static_cast<impact::Termination>(i % 4);
            all.push_back(posed);
        }
    }
    return all;
}

Bits answer(const Posed& posed) {
    impact::Trace trace;
    impact::Trace* const path = posed.traced && posed.law->incremental ? &trace : nullptr;
    const auto outcome =
        impact::resolve(*posed.law, posed.problem.contact, posed.problem.parameters, path);
    Bits bits{outcome.refusal == nullptr ? 0U : 1U};
    add(bits, outcome.solution.p);
    add(bits, outcome.solution.history.compression_work);
    for (std::size_t i = 0; i < outcome.solution.path.size(); ++i)
        bits.push_back(static_cast<std::uint64_t>(outcome.solution.path[i]));
    for (const impact::TraceSample& sample : trace.samples) {
        add(bits, sample.p);
        add(bits, sample.u);
    }
    return bits;
}

TEST(Threads, EveryLawGivesTheSameBits) {
    Random random(2701);
    const std::vector<Posed> all = impacts(random, 120);
    expect_same_bits<Bits>(all.size(), [&](std::size_t i) { return answer(all[i]); });
    // and the laws did answer
    std::size_t answered = 0;
    for (const Posed& posed : all)
        answered += answer(posed)[0] == 0U;
    EXPECT_GT(answered, all.size() / 2);
}

TEST(Threads, ManyContactsGiveTheSameBits) {
    Random random(2702);
    std::vector<impact::MultiContactProblem> graphs;
    for (std::size_t i = 0; i < 24; ++i) {
        graphs.push_back(
            random_graph(random, 1 + i % 12, [](impact::MultiContactPoint& contact, Random& r) {
                constexpr std::array k_laws{impact::LawId::frictionless, impact::LawId::routh,
                                            impact::LawId::compliant};
                contact.law = &impact::law_info(k_laws[r.bits() % 3]);
                contact.parameters = random_parameters(r);
                contact.parameters.mu = r.uniform(0.0, 0.8);
            }));
    }
    impact::MultipleSettings settings;
    settings.sequential.most_rounds = 500;
    settings.coupled.most_pieces = 100;
    expect_same_bits<Bits>(3 * graphs.size(), [&](std::size_t i) {
        const auto id = static_cast<impact::MultipleId>(i % 3);
        Bits bits;
        for (const Vec3& p : impact::resolve_multiple(id, graphs[i / 3], settings).impulses_W)
            add(bits, p);
        return bits;
    });
}

}  // namespace
}  // namespace carom::tests
