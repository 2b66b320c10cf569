// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/record/feed.h"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/support/random_problems.h"

namespace carom::tests {

namespace {

Vec3 somewhere(Random& random) {
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
    return {x, y, random.uniform(-1.0, 1.0)};
}

// Two at each instant.
double time_of(std::uint64_t event) {
    return 0.001 * static_cast<double>(event / 2);
}

}  // namespace

world::Event Feed::event(std::uint64_t i) const {
    Random random(1000 + i);
    world::Event event;
    event.t = time_of(i);
    event.kind = static_cast<world::EventKind>(random.bits() % 6);
    event.law = static_cast<impact::LawId>(random.bits() % 16);
    event.a = static_cast<world::BodyId>(random.bits() % k_bodies);
    const auto b = static_cast<world::BodyId>(random.bits() % (k_bodies + 1));
    event.b = b == k_bodies ? world::k_no_body : b;
    event.point = somewhere(random);
    event.normal = somewhere(random);
    event.u = somewhere(random);
    event.u_after = somewhere(random);
    event.impulse = somewhere(random);
    event.energy_lost = random.uniform(-1.0, 1.0);
    event.restitution = random.uniform();
    return event;
}

world::Segment Feed::segment(std::uint64_t i) const {
    Random random(500'000'000 + i);
    world::Segment segment;
    const bool first = i < k_bodies;
    segment.t0 = first ? 0.0 : time_of((i - k_bodies) / 2);
    segment.body = static_cast<world::BodyId>(first ? i : random.bits() % k_bodies);
    segment.kind = static_cast<world::SegmentKind>(random.bits() % 3);
    segment.state.position = somewhere(random);
    segment.state.orientation.coeffs() << somewhere(random), random.uniform();
    segment.state.velocity = somewhere(random);
    segment.state.angular_velocity = somewhere(random);
    return segment;
}

std::vector<std::uint8_t> Feed::checkpoint(std::uint64_t i) {
    std::vector<std::uint8_t> bytes(100 + i % 1000, static_cast<std::uint8_t>(i));
    std::memcpy(bytes.data(), &i, sizeof i);
    return bytes;
}

record::Header Feed::header() const {
    record::Header header;
    header.scene_name = "scenes/made-up.toml";
    header.scene_text = "title = \"d\u00e9j\u00e0 vu\"\n[simulation]\nduration = 2.5\n";
    header.version = "0.1.0";
    header.duration = 2.5;
    for (std::uint32_t i = 0; i < k_bodies; ++i) {
        header.body_names.push_back("body " + std::string(i, '-') + std::to_string(i));
        header.body_materials.push_back(i == 0 ? "" : "felt");
    }
    return header;
}

world::Settings Feed::settings() const {
    world::Settings settings;
    settings.gravity = {0.1, 0.0, -9.81};
    settings.checkpoint = 0.25;
    return settings;
}

world::Contacts Feed::contacts() const {
    world::Contacts contacts;
    impact::LawParameters parameters;
    parameters.e = 0.7;
    parameters.mu = 0.25;
    parameters.mark(impact::ParameterId::e);
    parameters.mark(impact::ParameterId::mu);
    contacts.set("*", "*", {impact::LawId::routh, parameters});
    contacts.set("felt", "felt", {impact::LawId::micro, parameters});
    contacts.material("felt");
    contacts.material("glass");
    return contacts;
}

world::Audit Feed::audit() const {
    world::Audit audit;
    audit.energy_start = 10.0;
    audit.energy_end = 4.0;
    audit.energy_lost = 6.5;
    audit.energy_gained = 0.25;
    audit.driven = 0.5;
    audit.energy_residual = 1e-15;
    audit.momentum_residual = 2e-16;
    audit.momentum_scale = 3.0;
    audit.max_overlap = 1e-12;
    return audit;
}

world::Tally Feed::tally() const {
    world::Tally tally;
    tally.events = 11;
    tally.impacts = 7;
    tally.micro = 3;
    tally.checks = 1234;
    return tally;
}

void Feed::tell(record::Writer& writer, std::uint64_t from, std::uint64_t to,
                std::uint64_t every) const {
    if (from == 0) {
        for (std::uint64_t i = 0; i < k_bodies; ++i)
            writer.on_segment(segment(i));
    }
    for (std::uint64_t i = from; i < to; ++i) {
        if (every != 0 && i % every == 0 && i != from)
            writer.on_checkpoint(event(i).t, checkpoint(i));
        writer.on_event(event(i));
        writer.on_segment(segment(k_bodies + 2 * i));
        writer.on_segment(segment(k_bodies + 2 * i + 1));
    }
}

void Feed::finish(record::Writer& writer, std::uint64_t events) const {
    writer.finish(event(events).t, audit(), tally());
}

std::uint64_t Feed::next_event(const record::Recording& recording) {
    const record::Recording::Checkpoint checkpoint = recording.last_checkpoint();
    std::uint64_t next = 0;
    if (!checkpoint.bytes.empty()) std::memcpy(&next, checkpoint.bytes.data(), sizeof next);
    EXPECT_EQ(checkpoint.events, next);
    EXPECT_EQ(checkpoint.segments, next == 0 ? 0 : k_bodies + 2 * next);
    if (next != 0) {
        EXPECT_EQ(checkpoint.bytes, Feed::checkpoint(next));
    }
    return next;
}

void Feed::record(const std::filesystem::path& path, std::uint64_t events, std::uint64_t every,
                  const record::Writer::Options& options) const {
    record::Writer writer(path, header(), settings(), contacts(), options);
    tell(writer, 0, events, every);
    finish(writer, events);
}

namespace {

// All numbers of a row, to be compared bit by bit.
std::string bits_of(const world::Event& e) {
    std::string bits(reinterpret_cast<const char*>(&e.t), sizeof e.t);
    for (const Vec3* v : {&e.point, &e.normal, &e.u, &e.u_after, &e.impulse})
        bits.append(reinterpret_cast<const char*>(v->data()), 3 * sizeof(double));
    bits.append(reinterpret_cast<const char*>(&e.energy_lost), sizeof e.energy_lost);
    bits.append(reinterpret_cast<const char*>(&e.restitution), sizeof e.restitution);
    bits += std::to_string(e.a) + ' ' + std::to_string(e.b) + ' ' + world::name_of(e.kind) + ' ';
    return bits += impact::law_info(e.law).name;
}

std::string bits_of(const world::Segment& s) {
    std::string bits(reinterpret_cast<const char*>(&s.t0), sizeof s.t0);
    for (const Vec3* v : {&s.state.position, &s.state.velocity, &s.state.angular_velocity})
        bits.append(reinterpret_cast<const char*>(v->data()), 3 * sizeof(double));
    bits.append(reinterpret_cast<const char*>(s.state.orientation.coeffs().data()),
                4 * sizeof(double));
    return bits += std::to_string(s.body) + ' ' + world::name_of(s.kind);
}

}  // namespace

void Feed::expect_held(const record::Recording& recording) const {
    const std::uint64_t events = recording.progress().events;
    ASSERT_EQ(recording.events().size(), events);
    for (std::uint64_t i = 0; i < events; ++i)
        ASSERT_EQ(bits_of(recording.events()[i]), bits_of(event(i))) << "event " << i;
    const std::uint64_t segments = recording.progress().segments;
    ASSERT_EQ(recording.segments().size(), segments);
    ASSERT_TRUE(events == 0 ? segments == 0 || segments == k_bodies
                            : segments == k_bodies + 2 * events)
        << events << " events, " << segments << " segments";
    for (std::uint64_t i = 0; i < segments; ++i)
        ASSERT_EQ(bits_of(recording.segments()[i]), bits_of(segment(i))) << "segment " << i;
}

RecordTest::RecordTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "carom-record-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = pattern;
}

RecordTest::~RecordTest() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::vector<std::string> RecordTest::files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string read_bytes(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace carom::tests
