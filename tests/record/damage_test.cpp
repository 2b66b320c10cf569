// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <hdf5.h>

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
                  ": has version 7 of the format of recordings; this Carom reads version 1");
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
        EXPECT_NE(read_all(file("a.h5")).find("cut short"), std::string::npos)
            << read_all(file("a.h5"));
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
        if (!read_all(file("a.h5")).empty()) ++refused;
    }
    EXPECT_GT(refused, 500);
}

TEST_F(RecordTest, ImpossibleRowsAreRefused) {
    const auto with = [&](const char* name, world::Event event, world::Segment segment) {
        Writer writer(file(name), feed_.header(), feed_.settings(), feed_.contacts(), {});
        writer.on_event(event);
        writer.on_segment(segment);
        writer.finish(1.0, {});
        return read_all(file(name));
    };
    EXPECT_EQ(with("0", feed_.event(0), feed_.segment(0)), "");
    world::Event event = feed_.event(0);
    event.a = Feed::k_bodies;
    EXPECT_NE(with("1", event, feed_.segment(0)).find("a body that is not there"),
              std::string::npos);
    event = feed_.event(0);
    event.kind = static_cast<world::EventKind>(77);
    EXPECT_NE(with("2", event, feed_.segment(0)).find("of no known kind"), std::string::npos);
    event = feed_.event(0);
    event.law = static_cast<impact::LawId>(99);
    EXPECT_NE(with("3", event, feed_.segment(0)).find("no known law"), std::string::npos);
    event = feed_.event(0);
    event.t = std::nan("");
    EXPECT_NE(with("4", event, feed_.segment(0)).find("no time"), std::string::npos);
    world::Segment segment = feed_.segment(0);
    segment.body = Feed::k_bodies;
    EXPECT_NE(with("5", feed_.event(0), segment).find("a body that is not there"),
              std::string::npos);
    segment = feed_.segment(0);
    segment.state.velocity.y() = std::nan("");
    EXPECT_NE(with("6", feed_.event(0), segment).find("no finite state"), std::string::npos);
    segment = feed_.segment(0);
    segment.kind = static_cast<world::SegmentKind>(9);
    EXPECT_NE(with("7", feed_.event(0), segment).find("of no known kind"), std::string::npos);
}

}  // namespace
}  // namespace carom::tests
