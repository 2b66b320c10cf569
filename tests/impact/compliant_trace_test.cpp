// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <cstring>

#include "carom/impact/compliant.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::compliant;
using impact::CompliantParameters;
using impact::Contact;
using impact::Mode;
using impact::Trace;
using impact::TransitionKind;

struct TracedImpact {
    Contact contact;
    CompliantParameters law;
    impact::Solution solution;
    Trace trace;
};

TracedImpact random_traced(Random& random, int i) {
    TracedImpact impact{any_contact(random), {0.0, 0.0, 1.0}, {}, {}};
    if (i % 3 == 1) impact.contact.u.head<2>() *= 0.2;
    if (i % 3 == 2) impact.contact.u.z() *= 0.1;
    impact.law = {random.uniform(0.05, 1.0), random.uniform(0.05, 1.5),
                  impact::eta2_of_poisson_ratio(random.uniform(0.0, 0.5))};
    impact.solution = compliant(impact.contact, impact.law, &impact.trace);
    return impact;
}

std::string show_traced(const TracedImpact& impact) {
    return tests::show(impact.contact) + tests::show(impact.law.e, impact.law.mu) +
           "\"eta2\":" + std::to_string(impact.law.eta2);
}

TEST(CompliantTrace, SolutionIsTheSameBitsWithAndWithoutIt) {
    Random random(1611);
    for (int i = 0; i < 600; ++i) {
        const TracedImpact impact = random_traced(random, i);
        const auto bare = compliant(impact.contact, impact.law);
        ASSERT_EQ(std::memcmp(bare.p.data(), impact.solution.p.data(), 3 * sizeof(double)), 0)
            << show_traced(impact);
    }
}

// Contact and spring energies together never grow, but for one thing the law is built on: where
// compression comes again the normal spring goes back to k0 at the same force, so that F^2/(2k)
// takes back what restitution had written off, exactly (1/e^2 - 1) of it.
TEST(CompliantTrace, EnergyNeverGrowsAlongThePath) {
    Random random(1612);
    int recompressions = 0;
    for (int i = 0; i < 500; ++i) {
        const TracedImpact impact = random_traced(random, i);
        const double E0 = contact_energy(impact.contact.K, impact.contact.u);
        std::size_t next = 0;
        double last = E0 * (1.0 + 1e-10);
        for (std::size_t j = 0; j < impact.trace.samples.size(); ++j) {
            const auto& sample = impact.trace.samples[j];
            ASSERT_GE(sample.normal_energy, -1e-12 * E0) << j << show_traced(impact);
            ASSERT_GE(sample.tangential_energy, -1e-12 * E0) << j << show_traced(impact);
            const double kinetic = E0 + impact::energy_change(impact.contact, sample.p);
            const double energy = kinetic + sample.normal_energy + sample.tangential_energy;
            ASSERT_LE(energy, last + 1e-9 * E0) << j << show_traced(impact);
            last = energy;
            const auto& transitions = impact.trace.transitions;
            for (; next < transitions.size() && transitions[next].sample == j; ++next) {
                if (transitions[next].kind != TransitionKind::recompression) continue;
                ++recompressions;
                last += sample.normal_energy * (1.0 / (impact.law.e * impact.law.e) - 1.0);
            }
        }
        ASSERT_LE(last, E0 * (1.0 + 1e-9)) << show_traced(impact);
    }
    EXPECT_GT(recompressions, 0);
}

TEST(CompliantTrace, SamplesObeyMomentumAndSpringsObeyTheCone) {
    Random random(1613);
    for (int i = 0; i < 500; ++i) {
        const TracedImpact impact = random_traced(random, i);
        const auto& samples = impact.trace.samples;
        ASSERT_GE(samples.size(), 2U);
        ASSERT_EQ(samples.front().p, Vec3::Zero());
        ASSERT_LT(relative_error(samples.front().u, impact.contact.u), 1e-12);
        ASSERT_LT(relative_error(samples.back().p, impact.solution.p), 1e-12)
            << show_traced(impact);
        const double scale =
            impact.contact.u.norm() + impact.contact.K.norm() * impact.solution.p.norm();
        const double E0 = contact_energy(impact.contact.K, impact.contact.u);
        bool compressing = true;
        for (std::size_t j = 1; j < samples.size(); ++j) {
            ASSERT_LT((samples[j].u - after(impact.contact, samples[j].p)).norm(), 1e-9 * scale)
                << j << show_traced(impact);
            ASSERT_GE(samples[j].p.z(), samples[j - 1].p.z()) << j << show_traced(impact);
            // kt |d| <= mu F with energies E_t = kt d^2/2 and E_n = F^2/(2 k)
            compressing = samples[j].u.z() < 0.0;
            const double k = compressing ? 1.0 : 1.0 / (impact.law.e * impact.law.e);
            const double F = std::sqrt(2.0 * k * std::max(0.0, samples[j].normal_energy));
            const double Ft =
                std::sqrt(2.0 / impact.law.eta2 * std::max(0.0, samples[j].tangential_energy));
            const double slack = 1e-5 * std::sqrt(2.0 * k * E0);
            if (std::abs(samples[j].u.z()) > 1e-9 * scale) {
                ASSERT_LE(Ft, impact.law.mu * F * (1 + 1e-6) + slack) << j << show_traced(impact);
            }
        }
        ASSERT_NEAR(samples.back().normal_energy, 0.0, 1e-9 * E0) << show_traced(impact);
        ASSERT_NEAR(samples.back().tangential_energy, 0.0, 1e-9 * E0) << show_traced(impact);
    }
}

TEST(CompliantTrace, TransitionsAreLocatedAndMatchThePath) {
    Random random(1614);
    int to_stick = 0;
    int to_slip = 0;
    for (int i = 0; i < 600; ++i) {
        const TracedImpact impact = random_traced(random, i);
        const double scale =
            impact.contact.u.norm() + impact.contact.K.norm() * impact.solution.p.norm();
        std::size_t changes = 0;
        int tops = 0;
        for (const auto& transition : impact.trace.transitions) {
            const auto& at = impact.trace.samples[transition.sample];
            if (transition.kind == TransitionKind::maximum_compression ||
                transition.kind == TransitionKind::recompression) {
                tops += transition.kind == TransitionKind::maximum_compression;
                ASSERT_NEAR(at.u.z(), 0.0, 1e-10 * scale) << show_traced(impact);
            }
            const bool stick = transition.kind == TransitionKind::slip_to_stick;
            const bool slip = transition.kind == TransitionKind::stick_to_slip;
            changes += stick || slip;
            to_stick += stick;
            to_slip += slip;
        }
        ASSERT_EQ(tops, impact.solution.history.compressions) << show_traced(impact);
        ASSERT_EQ(impact.trace.transitions.back().kind, TransitionKind::end) << show_traced(impact);
        ASSERT_EQ(changes + 1, impact.solution.path.size()) << show_traced(impact);
        // with tangential springs and e > 0 the impact ends in slip
        ASSERT_EQ(impact.solution.path.last(), Mode::slide) << show_traced(impact);
    }
    EXPECT_GT(to_stick, 10);
    EXPECT_GT(to_slip, 100);
}

}  // namespace
}  // namespace carom::tests
