// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <hdf5.h>

#include <cmath>
#include <limits>

#include "carom/record/superblock.h"
#include "tests/record/feed.h"
#include "tests/support/random_problems.h"

// HDF5 loses memory when it finds a file damaged.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libhdf5\n";
}

namespace carom::tests {
namespace {

using record::Recording;
using record::Writer;

// All that can be read of a recording; what is wrong with it, if anything.
std::string read_all(const std::filesystem::path& path) {
    return error_of([&] {
        const Recording recording(path);
        recording.events();
        recording.segments();
        recording.forces();
        recording.last_checkpoint();
        recording.digest();
    });
}

// Values that Bob Jenkins prints for his hash.
TEST(Superblock, HasTheRightChecksum) {
    const auto hash = [](std::string_view text) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
        return record::lookup3({bytes, text.size()});
    };
    EXPECT_EQ(hash(""), 0xdeadbeefU);
    EXPECT_EQ(hash("Four score and seven years ago"), 0x17770551U);
}

TEST_F(RecordTest, OtherFilesAreRefused) {
    const auto told = [&](const std::string& what) { return file("a.h5").string() + ": " + what; };
    EXPECT_EQ(read_all(file("a.h5")), told("cannot be read: No such file or directory"));
    EXPECT_EQ(read_all(folder()), folder().string() + ": is a folder, not a recording");
    for (const char* text : {"", "\x89HDF", "hello, I am a text and no recording"}) {
        write_bytes(file("a.h5"), text);
        EXPECT_EQ(read_all(file("a.h5")), told("is no recording: not an HDF5 file"));
        EXPECT_EQ(error_of([&] { Writer::resume(file("a.h5")); }),
                  told("is no recording: not an HDF5 file"));
    }
    H5Fclose(H5Fcreate(file("b.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_EQ(read_all(file("b.h5")),
              file("b.h5").string() + ": an HDF5 file, but no recording of Carom");
}

TEST_F(RecordTest, AnotherVersionOfTheFormatIsRefused) {
    feed_.record(file("a.h5"), 10, 0, {});
    const hid_t plain = H5Fopen(file("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(plain, "format_version", H5P_DEFAULT);
    const std::uint32_t later = 7;
    H5Awrite(attribute, H5T_NATIVE_UINT32, &later);
    H5Aclose(attribute);
    H5Fclose(plain);
    EXPECT_EQ(read_all(file("a.h5")),
              file("a.h5").string() +
                  ": has version 7 of the format of recordings; this Carom reads versions 1 to 4");
}

TEST_F(RecordTest, AFileThatWasCutShortIsRefused) {
    feed_.record(file("whole.h5"), 600, 100, {.commit_events = 50});
    {
        Writer writer(file("part.h5"), feed_.header(), feed_.settings(), feed_.contacts(),
                      {.commit_events = 50});
        feed_.tell(writer, 0, 600, 100);
        // as a killed program leaves it
        write_bytes(file("killed.h5"), read_bytes(file("part.h5")));
    }
    EXPECT_EQ(read_all(file("killed.h5")), "");
    for (const char* name : {"whole.h5", "killed.h5"}) {
        const std::string whole = read_bytes(file(name));
        for (int i = 0; i < 200; ++i) {
            const std::size_t size = whole.size() * static_cast<std::size_t>(i) / 200;
            write_bytes(file("a.h5"), whole.substr(0, size));
            const std::string error = read_all(file("a.h5"));
            // a killed file may end behind its last commit
            if (error.empty()) {
                EXPECT_STREQ(name, "killed.h5");
                feed_.expect_held(Recording(file("a.h5")));
            }
        }
        write_bytes(file("a.h5"), whole.substr(0, whole.size() / 2));
        const std::string error = read_all(file("a.h5"));
        EXPECT_NE(error.find("is cut short: " + std::to_string(whole.size() / 2) + " bytes"),
                  std::string::npos)
            << error;
    }
}

// Bytes that were changed anywhere: a RecordError or a good read, never a crash.
TEST_F(RecordTest, DamagedBytesDoNoHarm) {
    feed_.record(file("whole.h5"), 60, 20, {.commit_events = 16});
    const std::string whole = read_bytes(file("whole.h5"));
    Random random(11);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string bytes = whole;
        // the first kilobytes are the dense ones: half of the damage goes there
        const std::size_t range =
            i % 2 == 0 ? whole.size() : std::min<std::size_t>(8192, whole.size());
        const int changes = 1 + static_cast<int>(random.bits() % 3);
        for (int k = 0; k < changes; ++k)
            bytes[random.bits() % range] ^= static_cast<char>(1 + random.bits() % 255);
        write_bytes(file("a.h5"), bytes);
        const std::string error = read_all(file("a.h5"));
        if (error.empty()) continue;
        ++refused;
        // what HDF5 calls its insides is for nobody who wants to read a recording
        for (const char* inside : {"metadata", "checksum", "eof", "sblock", "B-tree", "signature",
                                   "object header", "heap", "cache", "dataspace"}) {
            EXPECT_EQ(error.find(inside), std::string::npos) << error;
        }
    }
    EXPECT_GT(refused, 500);
}

class ImpossibleRowsTest : public RecordTest {
protected:
    // What reading says when the run has told this besides an ordinary event and segment.
    template <class Item>
    std::string told(const Item& item) {
        const std::string name = std::to_string(++count_);
        Writer writer(file(name), feed_.header(), feed_.settings(), feed_.contacts(), {});
        writer.on_event(feed_.event(0));
        writer.on_segment(feed_.segment(0));
        tell(writer, item);
        writer.finish(1.0, {});
        return read_all(file(name));
    }
    template <class Item>
    void expect_refused(const Item& item, const char* why) {
        const std::string error = told(item);
        EXPECT_NE(error.find(why), std::string::npos) << error << ", not " << why;
    }
    // The first ordinary segment of this kind.
    world::Segment one_of(world::SegmentKind kind) const {
        for (std::uint64_t i = 0;; ++i) {
            if (feed_.segment(i).kind == kind) return feed_.segment(i);
        }
    }

private:
    static void tell(Writer& writer, const world::Event& event) { writer.on_event(event); }
    static void tell(Writer& writer, const world::Segment& segment) { writer.on_segment(segment); }
    static void tell(Writer& writer, const world::ContactForce& force) { writer.on_force(force); }

    int count_ = 0;
};

TEST_F(ImpossibleRowsTest, OfEvents) {
    EXPECT_EQ(told(feed_.event(0)), "");
    world::Event event = feed_.event(0);
    event.a = Feed::k_bodies;
    expect_refused(event, "a body that is not there");
    // only sleep and wake may be of one body alone
    event.a = 0;
    event.b = world::k_no_body;
    for (int kind = 0; kind < 6; ++kind) {
        event.kind = static_cast<world::EventKind>(kind);
        if (kind < 4) {
            expect_refused(event, "no second body");
        } else {
            EXPECT_EQ(told(event), "");
        }
    }
    event = feed_.event(0);
    event.b = event.a;
    expect_refused(event, "a body with itself");
    event = feed_.event(0);
    event.kind = static_cast<world::EventKind>(77);
    expect_refused(event, "of no known kind");
    event = feed_.event(0);
    event.law = static_cast<impact::LawId>(99);
    expect_refused(event, "no known law");
    event = feed_.event(0);
    event.t = std::nan("");
    expect_refused(event, "no time");
}

TEST_F(ImpossibleRowsTest, OfSegments) {
    EXPECT_EQ(told(feed_.segment(0)), "");
    world::Segment segment = feed_.segment(0);
    segment.body = Feed::k_bodies;
    expect_refused(segment, "a body that is not there");
    segment = feed_.segment(0);
    segment.state.velocity.y() = std::nan("");
    expect_refused(segment, "no finite state");
    segment = feed_.segment(0);
    segment.kind = static_cast<world::SegmentKind>(9);
    expect_refused(segment, "of no known kind");
}

TEST_F(ImpossibleRowsTest, OfLastingContact) {
    constexpr double k_inf = std::numeric_limits<double>::infinity();
    const world::Segment held = one_of(world::SegmentKind::held);
    const world::Segment rolling = one_of(world::SegmentKind::on_plane);
    EXPECT_EQ(told(held), "");
    EXPECT_EQ(told(rolling), "");
    world::Segment segment = rolling;
    segment.lasting.t1 = k_inf;
    EXPECT_EQ(told(segment), "");
    segment.lasting.t1 = std::nan("");
    expect_refused(segment, "no finite motion");
    segment = held;
    segment.lasting.t1 = k_inf;
    expect_refused(segment, "no finite motion");
    segment.lasting.t1 = segment.t0;
    expect_refused(segment, "no finite motion");
    segment = held;
    segment.lasting.alpha.z() = k_inf;
    expect_refused(segment, "no finite motion");
    segment = rolling;
    segment.lasting.plane.normal.x() = std::nan("");
    expect_refused(segment, "no finite motion");
    segment = rolling;
    segment.lasting.mu_spin = k_inf;
    expect_refused(segment, "no finite motion");
}

TEST_F(ImpossibleRowsTest, OfForces) {
    EXPECT_EQ(told(feed_.force(1)), "");
    world::ContactForce force = feed_.force(1);
    force.b = world::k_no_body;
    expect_refused(force, "no second body");
    force.b = Feed::k_bodies;
    expect_refused(force, "a body that is not there");
    force.b = force.a;
    expect_refused(force, "a body with itself");
    force = feed_.force(1);
    force.t0 = 2.0 * force.t1;
    expect_refused(force, "no time");
    force = feed_.force(1);
    force.impulse.x() = std::nan("");
    expect_refused(force, "not finite");
    force = feed_.force(1);
    force.point_end.z() = std::nan("");
    expect_refused(force, "not finite");
    force = feed_.force(1);
    force.follows = static_cast<world::ForcePlace>(2);
    expect_refused(force, "no known kind");
    force = feed_.force(1);
    force.acts = static_cast<world::ForceCourse>(3);
    expect_refused(force, "no known kind");
}

}  // namespace
}  // namespace carom::tests
