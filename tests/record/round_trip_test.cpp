// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <hdf5.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/record/feed.h"

namespace carom::tests {
namespace {

using record::Recording;
using record::Writer;

TEST_F(RecordTest, HoldsWhatItWasTold) {
    constexpr std::uint64_t k_rounds = 20'000;
    feed_.record(file("a.h5"), k_rounds, 3000, {});
    const Recording recording(file("a.h5"));
    EXPECT_EQ(recording.progress().events, k_rounds);
    EXPECT_EQ(recording.progress().segments, Feed::k_bodies + 2 * k_rounds);
    EXPECT_EQ(recording.progress().checkpoints, 6U);
    EXPECT_TRUE(recording.progress().finished);
    EXPECT_EQ(recording.progress().time, feed_.event(k_rounds).t);
    EXPECT_EQ(Feed::next_event(recording), 18'000U);
    EXPECT_EQ(recording.last_checkpoint().t, feed_.event(18'000).t);
    feed_.expect_held(recording);
    const auto some = recording.read_events(19'990, 1000);
    ASSERT_EQ(some.size(), 10U);
    EXPECT_EQ(some[3].point, feed_.event(19'993).point);
    EXPECT_TRUE(recording.read_segments(50'000, 1).empty());
}

TEST_F(RecordTest, HoldsTheHeaderAndTheAudit) {
    feed_.record(file("a.h5"), 10, 0, {});
    const Recording recording(file("a.h5"));
    const record::Header held = recording.header(), given = feed_.header();
    EXPECT_EQ(held.scene_name, given.scene_name);
    EXPECT_EQ(held.scene_text, given.scene_text);
    EXPECT_EQ(held.scene_folder, "");
    EXPECT_EQ(held.version, CAROM_VERSION);
    EXPECT_EQ(held.duration, given.duration);
    EXPECT_EQ(held.body_names, given.body_names);
    EXPECT_EQ(held.body_materials, given.body_materials);
    EXPECT_EQ(recording.last_checkpoint().bytes.size(), 0U);
    ASSERT_TRUE(recording.audit() && recording.totals());
    EXPECT_EQ(recording.audit()->energy_start, 10.0);
    EXPECT_EQ(recording.audit()->energy_end, 4.0);
    EXPECT_EQ(recording.audit()->energy_lost, 6.5);
    EXPECT_EQ(recording.audit()->energy_gained, 0.25);
    EXPECT_EQ(recording.audit()->driven, 0.5);
    EXPECT_EQ(recording.audit()->energy_residual, 1e-15);
    EXPECT_EQ(recording.audit()->momentum_residual, 2e-16);
    EXPECT_EQ(recording.audit()->momentum_scale, 3.0);
    EXPECT_EQ(recording.audit()->max_overlap, 1e-12);
    EXPECT_EQ(recording.audit()->force_work_residual, -2e-5);
    EXPECT_EQ(recording.audit()->force_work_scale, 7.0);
    EXPECT_EQ(recording.totals()->events, 11U);
    EXPECT_EQ(recording.totals()->impacts, 7U);
    EXPECT_EQ(recording.totals()->micro, 3U);
    EXPECT_EQ(recording.totals()->checks, 1234U);
}

TEST_F(RecordTest, HoldsEverySettingAndEveryLaw) {
    feed_.record(file("a.h5"), 1, 0, {});
    const Recording recording(file("a.h5"));
    const auto settings = nlohmann::json::parse(recording.settings());
    EXPECT_EQ(settings.at("gravity"), nlohmann::json({0.1, 0.0, -9.81}));
    EXPECT_EQ(settings.at("contact"), "lasting");
    EXPECT_EQ(settings.at("multiple"), "sequential");
    EXPECT_EQ(settings.at("micro"), 0.003);
    EXPECT_EQ(settings.at("sleep"), true);
    EXPECT_EQ(settings.at("checkpoint"), 0.25);
    EXPECT_EQ(settings.at("most_at_once"), 20'000);
    const auto contacts = nlohmann::json::parse(recording.contacts());
    ASSERT_EQ(contacts.size(), 3U);  // felt and felt, felt and glass, glass and glass
    EXPECT_EQ(contacts[0].at("materials"), nlohmann::json({"felt", "felt"}));
    EXPECT_EQ(contacts[0].at("law"), "micro");
    EXPECT_EQ(contacts[0].at("fallback"), "routh");
    EXPECT_EQ(contacts[0].at("termination"), "poisson");
    EXPECT_EQ(contacts[1].at("materials"), nlohmann::json({"felt", "glass"}));
    EXPECT_EQ(contacts[1].at("law"), "routh");
    EXPECT_EQ(contacts[1].at("e"), 0.7);
    EXPECT_EQ(contacts[1].at("mu"), 0.25);
    EXPECT_EQ(contacts[1].at("termination"), "stronge");
    EXPECT_EQ(contacts[0].at("rolling_friction"), 0.001);
    EXPECT_EQ(contacts[0].at("spinning_friction"), 0.0002);
    EXPECT_FALSE(contacts[1].contains("rolling_friction"));
}

TEST_F(RecordTest, AnEmptyRunIsARecordingToo) {
    record::Header nothing;
    {
        Writer writer(file("a.h5"), nothing, {}, {}, {});
        writer.finish(0.0, {});
    }
    const Recording recording(file("a.h5"));
    EXPECT_TRUE(recording.progress().finished);
    EXPECT_TRUE(recording.header().body_names.empty());
    EXPECT_TRUE(recording.events().empty());
    EXPECT_TRUE(recording.segments().empty());
    EXPECT_TRUE(recording.forces().empty());
}

TEST_F(RecordTest, TheSameRunGivesTheSameBytes) {
    feed_.record(file("a.h5"), 5000, 700, {.commit_events = 300});
    // HDF5 would store the second in which it is written
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    feed_.record(file("b.h5"), 5000, 700, {.commit_events = 300});
    EXPECT_TRUE(read_bytes(file("a.h5")) == read_bytes(file("b.h5")));
    EXPECT_EQ(Recording(file("a.h5")).digest(), Recording(file("b.h5")).digest());
}

TEST_F(RecordTest, TheDigestIsOfTheRunNotOfTheCommits) {
    feed_.record(file("a.h5"), 5000, 700, {.commit_events = 300});
    feed_.record(file("b.h5"), 5000, 700, {.commit_events = 5000});
    EXPECT_EQ(Recording(file("a.h5")).digest(), Recording(file("b.h5")).digest());
    feed_.record(file("c.h5"), 5001, 700, {});
    EXPECT_NE(Recording(file("a.h5")).digest(), Recording(file("c.h5")).digest());
}

TEST_F(RecordTest, AFinishedFileOpensWithoutSpecialModes) {
    feed_.record(file("a.h5"), 500, 100, {});
    const hid_t plain = H5Fopen(file("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(plain, 0);
    // by the names of fields alone, as other programs read it
    const hid_t set = H5Dopen2(plain, "/events", H5P_DEFAULT);
    const hid_t time = H5Tcreate(H5T_COMPOUND, sizeof(double));
    H5Tinsert(time, "energy_lost", 0, H5T_NATIVE_DOUBLE);
    std::vector<double> lost(500);
    EXPECT_GE(H5Dread(set, time, H5S_ALL, H5S_ALL, H5P_DEFAULT, lost.data()), 0);
    for (std::size_t i = 0; i < lost.size(); ++i)
        EXPECT_EQ(lost[i], feed_.event(i).energy_lost);
    H5Tclose(time);
    H5Dclose(set);
    H5Fclose(plain);
}

TEST_F(RecordTest, IsReadWhileItIsWritten) {
    Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(),
                  {.commit_events = 100'000});
    EXPECT_EQ(Recording(file("a.h5")).progress().events, 0U);
    feed_.tell(writer, 0, 1000, 0);
    EXPECT_EQ(Recording(file("a.h5")).progress().events, 0U);
    writer.commit(0.25);
    const Recording first(file("a.h5"));
    EXPECT_EQ(first.progress().events, 1000U);
    EXPECT_EQ(first.progress().time, 0.25);
    EXPECT_FALSE(first.progress().finished);
    EXPECT_FALSE(first.audit());
    feed_.tell(writer, 1000, 6000, 0);
    writer.commit(3.0);
    feed_.expect_held(first);  // still what it was
    feed_.expect_held(Recording(file("a.h5")));
    feed_.finish(writer, 6000);
    EXPECT_TRUE(Recording(file("a.h5")).progress().finished);
}

TEST_F(RecordTest, CommitsComeByThemselves) {
    Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(),
                  {.commit_events = 100});
    feed_.tell(writer, 0, 950, 0);
    const Recording recording(file("a.h5"));
    const std::uint64_t held = recording.progress().events;
    EXPECT_GE(held, 850U);
    EXPECT_LT(held, 950U);
    EXPECT_EQ(recording.progress().time, feed_.event(held).t);
    feed_.expect_held(recording);
}

}  // namespace
}  // namespace carom::tests
