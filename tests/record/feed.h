// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "carom/record/recording.h"

namespace carom::tests {

// A run that never happened: events, segments and forces made up from their numbers alone, so that
// any writer can be told the same, from the start or from a checkpoint on, and what a recording
// must hold is known without one.
class Feed {
public:
    static constexpr std::uint32_t k_bodies = 5;

    world::Event event(std::uint64_t i) const;
    // Segments 2 i and 2 i + 1 are those of event i, after the first ones of the bodies.
    world::Segment segment(std::uint64_t i) const;
    // Force i ends with event 3 i, and is told right before it.
    world::ContactForce force(std::uint64_t i) const;
    // How many forces come before event i and the force that ends with it.
    static std::uint64_t forces_before(std::uint64_t i) { return (i + 2) / 3; }
    static std::vector<std::uint8_t> checkpoint(std::uint64_t i);

    record::Header header() const;
    world::Settings settings() const;
    world::Contacts contacts() const;
    world::Audit audit() const;
    world::Tally tally() const;

    // Tells events [from, to) as a world would, with a checkpoint before each event whose number
    // is a multiple of `every` but for `from` itself.
    void tell(record::Writer& writer, std::uint64_t from, std::uint64_t to,
              std::uint64_t every) const;
    void finish(record::Writer& writer, std::uint64_t events) const;
    // The number of the event that comes after a checkpoint's bytes; none: 0.
    static std::uint64_t next_event(const record::Recording& recording);

    // A whole recording in one go.
    void record(const std::filesystem::path& path, std::uint64_t events, std::uint64_t every,
                const record::Writer::Options& options) const;

    // Expects that the recording holds just the first events and what belongs to them.
    void expect_held(const record::Recording& recording) const;

private:
    // Makes sure that these events are known, and all that is told before and with them.
    void know(std::uint64_t events) const;

    // What was made already, for tests that tell the same again and again.
    mutable std::vector<world::Event> events_;
    mutable std::vector<world::Segment> segments_;
    mutable std::vector<world::ContactForce> forces_;
    mutable std::vector<std::string> event_bits_, segment_bits_, force_bits_;
};

// All numbers, to be compared bit by bit.
std::string bits_of(const world::Event& event);
std::string bits_of(const world::Segment& segment);
std::string bits_of(const world::ContactForce& force);

// A folder of its own for each test, removed with it.
class RecordTest : public testing::Test {
protected:
    RecordTest();
    ~RecordTest() override;

    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    const std::filesystem::path& folder() const { return folder_; }
    // The names of all files in the folder, in order.
    std::vector<std::string> files() const;

    Feed feed_;

private:
    std::filesystem::path folder_;
};

std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, const std::string& bytes);

// What a RecordError says; empty when there is none.
template <class Work>
std::string error_of(Work&& work) {
    try {
        work();
    } catch (const record::RecordError& error) {
        return error.what();
    }
    return {};
}

}  // namespace carom::tests
