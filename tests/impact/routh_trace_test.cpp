// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <cstring>

#include "carom/impact/routh.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::Mode;
using impact::routh;
using impact::RouthParameters;
using impact::Termination;
using impact::Trace;
using impact::TransitionKind;

struct TracedRouth {
    Contact contact;
    RouthParameters law;
    impact::Solution solution;
    Trace trace;
};

TracedRouth random_traced_routh(Random& random, int i) {
    TracedRouth impact{
        .contact = any_contact(random),
        .law = {random.uniform(), random.uniform(0.0, 1.5), static_cast<Termination>(i / 4 % 4)},
        .solution = {},
        .trace = {}};
    if (i % 4 == 1) {  // sticks that do not hold
        impact.law.mu = 0.2 * impact.law.mu;
        impact.contact.u.head<2>() *= 0.05;
    }
    if (i % 4 == 3) {
        const auto [contact, mu] = jam_problem(random);
        impact.contact = contact;
        impact.law.mu = mu;
    }
    impact.solution = routh(impact.contact, impact.law, &impact.trace);
    return impact;
}

std::string show_traced(const TracedRouth& impact) {
    return tests::show(impact.contact) + tests::show(impact.law.e, impact.law.mu) +
           impact::termination_name(impact.law.termination);
}

TEST(RouthTrace, SolutionIsTheSameBitsWithAndWithoutIt) {
    Random random(311);
    for (int i = 0; i < 3000; ++i) {
        const TracedRouth impact = random_traced_routh(random, i);
        const auto bare = routh(impact.contact, impact.law);
        ASSERT_EQ(std::memcmp(bare.p.data(), impact.solution.p.data(), 3 * sizeof(double)), 0)
            << show_traced(impact);
        ASSERT_EQ(bare.path.size(), impact.solution.path.size()) << show_traced(impact);
        ASSERT_EQ(bare.history.restitution_work, impact.solution.history.restitution_work);
    }
}

TEST(RouthTrace, BeginsAtRestAndEndsAtTheAnswer) {
    Random random(312);
    for (int i = 0; i < 2000; ++i) {
        const TracedRouth impact = random_traced_routh(random, i);
        const auto& samples = impact.trace.samples;
        ASSERT_GE(samples.size(), 2U) << show_traced(impact);
        ASSERT_EQ(samples.front().p, Vec3::Zero()) << show_traced(impact);
        ASSERT_LT(relative_error(samples.front().u, impact.contact.u), 1e-12)
            << show_traced(impact);
        ASSERT_LT(relative_error(samples.back().p, impact.solution.p), 1e-12)
            << show_traced(impact);
        ASSERT_FALSE(impact.trace.transitions.empty());
        ASSERT_EQ(impact.trace.transitions.back().kind, TransitionKind::end) << show_traced(impact);
        ASSERT_EQ(impact.trace.transitions.back().sample, samples.size() - 1)
            << show_traced(impact);
        const auto& h = impact.solution.history;
        ASSERT_NEAR(samples.back().normal_work, h.compression_work + h.restitution_work,
                    -1e-10 * h.compression_work)
            << show_traced(impact);
    }
}

TEST(RouthTrace, SamplesObeyMomentumAndTheCone) {
    Random random(313);
    for (int i = 0; i < 1000; ++i) {
        const TracedRouth impact = random_traced_routh(random, i);
        const auto& samples = impact.trace.samples;
        const Mat3& K = impact.contact.K;
        double scale = impact.contact.u.norm();
        for (const auto& sample : samples)
            scale = std::max(scale, K.norm() * sample.p.norm());
        for (std::size_t j = 0; j < samples.size(); ++j) {
            const Vec3 u = after(impact.contact, samples[j].p);
            ASSERT_LT((samples[j].u - u).norm(), 1e-11 * scale) << j << show_traced(impact);
            if (j == 0) continue;
            const Vec3 dp = samples[j].p - samples[j - 1].p;
            ASSERT_GE(dp.z(), 0.0) << j << show_traced(impact);
            ASSERT_LE(dp.head<2>().norm(), impact.law.mu * dp.z() + 1e-13 * samples.back().p.norm())
                << j << show_traced(impact);
            // the work of a small piece is between the end velocities times the impulse
            const double work = samples[j].normal_work - samples[j - 1].normal_work;
            const double mean = 0.5 * (samples[j].u.z() + samples[j - 1].u.z()) * dp.z();
            ASSERT_NEAR(work, mean, 0.01 * scale * dp.z() + 1e-13 * scale * samples.back().p.z())
                << j << show_traced(impact);
        }
    }
}

TEST(RouthTrace, TransitionsAreLocated) {
    Random random(314);
    int sticks = 0;
    int rays = 0;
    int recompressions = 0;
    for (int i = 0; i < 3000; ++i) {
        const TracedRouth impact = random_traced_routh(random, i);
        double fastest = 0.0;
        for (const auto& sample : impact.trace.samples) {
            fastest = std::max(fastest, sample.u.norm());
        }
        int tops = 0;
        for (const auto& transition : impact.trace.transitions) {
            ASSERT_LT(transition.sample, impact.trace.samples.size());
            const auto& at = impact.trace.samples[transition.sample];
            switch (transition.kind) {
                case TransitionKind::maximum_compression:
                    ++tops;
                    ASSERT_NEAR(at.u.z(), 0.0, 1e-12 * fastest) << show_traced(impact);
                    break;
                case TransitionKind::recompression:
                    ++recompressions;
                    ASSERT_NEAR(at.u.z(), 0.0, 1e-12 * fastest) << show_traced(impact);
                    break;
                case TransitionKind::slip_to_stick:
                case TransitionKind::slip_to_slip:
                    ++(transition.kind == TransitionKind::slip_to_stick ? sticks : rays);
                    ASSERT_LT(at.u.head<2>().norm(), 1e-12 * fastest) << show_traced(impact);
                    break;
                case TransitionKind::stick_to_slip:
                    FAIL() << "never in Routh's law";
                    break;
                case TransitionKind::end:
                    break;
            }
        }
        ASSERT_GE(tops, 1) << show_traced(impact);
        const bool early = impact.law.termination == Termination::poisson_first ||
                           tops == impact.solution.history.compressions;
        ASSERT_TRUE(early) << tops << show_traced(impact);
    }
    EXPECT_GT(sticks, 100);
    EXPECT_GT(rays, 10);
    EXPECT_GT(recompressions, 0);
}

TEST(RouthTrace, StretchesAreDenseAndSmooth) {
    Random random(315);
    for (int i = 0; i < 500; ++i) {
        TracedRouth impact = random_traced_routh(random, 0);
        const auto& samples = impact.trace.samples;
        std::size_t from = 0;
        for (const auto& transition : impact.trace.transitions) {
            const double length = samples[transition.sample].p.z() - samples[from].p.z();
            if (length > 1e-9 * impact.solution.p.z()) {
                ASSERT_GE(transition.sample - from, 8U) << show_traced(impact);
                for (std::size_t j = from + 1; j <= transition.sample; ++j) {
                    ASSERT_LT(samples[j].p.z() - samples[j - 1].p.z(), 0.35 * length)
                        << j << show_traced(impact);
                }
            }
            from = transition.sample;
        }
    }
}

TEST(RouthTrace, SeparatingLeavesNoPath) {
    Trace trace;
    const auto solution = routh(diagonal_contact(1, 1, 1, {1, 0, 1}), {0.5, 0.5}, &trace);
    EXPECT_EQ(solution.p, Vec3::Zero());
    for (const auto& sample : trace.samples)
        EXPECT_EQ(sample.p, Vec3::Zero());
}

}  // namespace
}  // namespace carom::tests
