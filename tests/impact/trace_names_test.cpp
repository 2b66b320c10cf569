// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <set>
#include <string>

#include "carom/impact/routh.h"
#include "carom/impact/trace.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Mode;
using impact::TransitionKind;

TEST(TraceNames, ModesHaveDistinctNames) {
    std::set<std::string> names;
    for (const Mode mode : {Mode::separating, Mode::slide, Mode::stick, Mode::ray,
                            Mode::frictionless, Mode::reverse}) {
        const char* name = impact::mode_name(mode);
        ASSERT_NE(name, nullptr);
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_GT(std::string(name).size(), 2U);
    }
    EXPECT_STREQ(impact::mode_name(Mode::stick), "stick");
    EXPECT_STREQ(impact::mode_name(Mode::slide), "slide");
}

TEST(TraceNames, TransitionsHaveDistinctNames) {
    std::set<std::string> names;
    for (const TransitionKind kind :
         {TransitionKind::maximum_compression, TransitionKind::recompression,
          TransitionKind::slip_to_stick, TransitionKind::stick_to_slip,
          TransitionKind::slip_to_slip, TransitionKind::end}) {
        const char* name = impact::transition_name(kind);
        ASSERT_NE(name, nullptr);
        EXPECT_TRUE(names.insert(name).second) << name;
    }
}

TEST(TraceNames, TerminationsAreSpeltAsInTheInput) {
    using impact::Termination;
    EXPECT_STREQ(impact::termination_name(Termination::stronge), "stronge");
    EXPECT_STREQ(impact::termination_name(Termination::poisson), "poisson");
    EXPECT_STREQ(impact::termination_name(Termination::poisson_first), "poisson-first");
    EXPECT_STREQ(impact::termination_name(Termination::newton), "newton");
}

TEST(Path, KeepsChangesOnly) {
    impact::Path path(Mode::slide);
    path.add(Mode::slide);
    path.add(Mode::stick);
    path.add(Mode::stick);
    path.add(Mode::slide);
    ASSERT_EQ(path.size(), 3U);
    EXPECT_EQ(path[0], Mode::slide);
    EXPECT_EQ(path[1], Mode::stick);
    EXPECT_EQ(path.last(), Mode::slide);
}

TEST(Path, OverflowIsHarmless) {
    impact::Path path;
    EXPECT_EQ(path.size(), 0U);
    for (int i = 0; i < 100; ++i)
        path.add(i % 2 ? Mode::stick : Mode::slide);
    EXPECT_EQ(path.size(), impact::Path::k_capacity);
    EXPECT_EQ(path[15], Mode::stick);
}

TEST(Trace, MarksTheLastSample) {
    impact::Trace trace;
    trace.samples.resize(3);
    trace.mark(TransitionKind::end);
    ASSERT_EQ(trace.transitions.size(), 1U);
    EXPECT_EQ(trace.transitions[0].sample, 2U);
}

}  // namespace
}  // namespace carom::tests
