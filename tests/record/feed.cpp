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

world::LastingForm form_of(Random& random, const world::Segment& segment) {
    world::LastingForm form;
    const bool endless = segment.kind == world::SegmentKind::on_plane && random.uniform() < 0.5;
    if (!endless) form.t1 = segment.t0 + random.uniform(0.001, 1.0);
    form.a = somewhere(random);
    form.alpha = somewhere(random);
    form.power = random.uniform(-1.0, 1.0);
    form.plane.point = somewhere(random);
    form.plane.normal = somewhere(random);
    form.plane.velocity = somewhere(random);
    form.plane.turn_rate = random.uniform(-1.0, 1.0);
    form.plane.time = random.uniform();
    form.mu = random.uniform();
    form.mu_roll = random.uniform();
    form.mu_spin = random.uniform();
    return form;
}

// Makes a list as long as it has to be.
template <class Item, class Make>
void extend(std::vector<Item>& list, std::uint64_t length, Make&& make) {
    while (list.size() < length)
        list.push_back(make(list.size()));
}

bool is_lasting(const world::Segment& segment) {
    return segment.kind == world::SegmentKind::held || segment.kind == world::SegmentKind::on_plane;
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
    const bool alone =
        event.kind == world::EventKind::sleep || event.kind == world::EventKind::wake;
    event.b = b == k_bodies && alone ? world::k_no_body : b;
    // a body does not meet itself
    if (!alone && (b == event.a || b == k_bodies)) event.b = (event.a + 1) % k_bodies;
    if (alone && b == event.a) event.b = world::k_no_body;
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
    segment.kind = static_cast<world::SegmentKind>(random.bits() % 6);
    segment.state.position = somewhere(random);
    segment.state.orientation.coeffs() << somewhere(random), random.uniform();
    segment.state.velocity = somewhere(random);
    segment.state.angular_velocity = somewhere(random);
    if (is_lasting(segment)) segment.lasting = form_of(random, segment);
    return segment;
}

world::ContactForce Feed::force(std::uint64_t i) const {
    Random random(900'000'000 + i);
    world::ContactForce force;
    force.t1 = time_of(3 * i);
    force.t0 = force.t1 * random.uniform();
    force.a = static_cast<world::BodyId>(random.bits() % k_bodies);
    force.b = (force.a + 1) % k_bodies;
    force.point = somewhere(random);
    force.normal = somewhere(random);
    force.impulse = somewhere(random);
    force.point_end = somewhere(random);
    force.follows = static_cast<world::ForcePlace>(random.bits() % 2);
    force.acts = static_cast<world::ForceCourse>(random.bits() % 3);
    return force;
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
    const impact::LawParameters parameters{.e = 0.7, .mu = 0.25};
    contacts.set("*", "*", impact::LawChoice{impact::LawId::routh, parameters});
    world::ContactLaw felt = impact::LawChoice{impact::LawId::micro, parameters};
    felt.rolling_friction = 0.001;
    felt.spinning_friction = 0.0002;
    contacts.set("felt", "felt", felt);
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
    audit.force_work_residual = -2e-5;
    audit.force_work_scale = 7.0;
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

void Feed::know(std::uint64_t events) const {
    extend(events_, events, [&](std::uint64_t i) { return event(i); });
    extend(segments_, k_bodies + 2 * events, [&](std::uint64_t i) { return segment(i); });
    extend(forces_, forces_before(events), [&](std::uint64_t i) { return force(i); });
}

void Feed::tell(record::Writer& writer, std::uint64_t from, std::uint64_t to,
                std::uint64_t every) const {
    know(from);
    if (from == 0) {
        for (std::uint64_t i = 0; i < k_bodies; ++i)
            writer.on_segment(segments_[i]);
    }
    for (std::uint64_t i = from; i < to; ++i) {
        know(i + 1);
        if (every != 0 && i % every == 0 && i != from)
            writer.on_checkpoint(events_[i].t, checkpoint(i));
        if (i % 3 == 0) writer.on_force(forces_[i / 3]);
        writer.on_event(events_[i]);
        writer.on_segment(segments_[k_bodies + 2 * i]);
        writer.on_segment(segments_[k_bodies + 2 * i + 1]);
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
    EXPECT_EQ(checkpoint.forces, forces_before(next));
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

void append(std::string& bits, std::initializer_list<double> numbers) {
    for (const double x : numbers)
        bits.append(reinterpret_cast<const char*>(&x), sizeof x);
}

void append(std::string& bits, std::initializer_list<const Vec3*> vectors) {
    for (const Vec3* v : vectors)
        bits.append(reinterpret_cast<const char*>(v->data()), 3 * sizeof(double));
}

}  // namespace

std::string bits_of(const world::Event& e) {
    std::string bits;
    append(bits, {&e.point, &e.normal, &e.u, &e.u_after, &e.impulse});
    append(bits, {e.t, e.energy_lost, e.restitution});
    bits += std::to_string(e.a) + ' ' + std::to_string(e.b) + ' ' + world::name_of(e.kind) + ' ';
    return bits += impact::law_info(e.law).name;
}

std::string bits_of(const world::ContactForce& f) {
    std::string bits;
    append(bits, {&f.point, &f.normal, &f.impulse, &f.point_end});
    append(bits, {f.t0, f.t1});
    bits += std::to_string(f.a) + ' ' + std::to_string(f.b) + ' ' + world::name_of(f.follows) + ' ';
    return bits += world::name_of(f.acts);
}

std::string bits_of(const world::Segment& s) {
    std::string bits;
    const motion::Quat& q = s.state.orientation;
    append(bits, {&s.state.position, &s.state.velocity, &s.state.angular_velocity});
    append(bits, {s.t0, q.w(), q.x(), q.y(), q.z()});
    const world::LastingForm& form = s.lasting;
    append(bits, {&form.a, &form.alpha});
    append(bits, {&form.plane.point, &form.plane.normal, &form.plane.velocity});
    append(bits, {form.t1, form.power, form.plane.turn_rate, form.plane.time});
    append(bits, {form.mu, form.mu_roll, form.mu_spin});
    return bits += std::to_string(s.body) + ' ' + world::name_of(s.kind);
}

namespace {

// Expects that the first `count` that were told are held, and no others. `bits` are those of what
// was told, as far as they are known.
template <class Item>
void expect_same(const char* what, const std::vector<Item>& held, std::uint64_t count,
                 const std::vector<Item>& told, std::vector<std::string>& bits) {
    ASSERT_EQ(held.size(), count) << what;
    extend(bits, count, [&](std::uint64_t i) { return bits_of(told[i]); });
    for (std::uint64_t i = 0; i < count; ++i)
        ASSERT_EQ(bits_of(held[i]), bits[i]) << what << ' ' << i;
}

}  // namespace

void Feed::expect_held(const record::Recording& recording) const {
    const std::uint64_t events = recording.progress().events;
    const std::uint64_t segments = recording.progress().segments;
    const std::uint64_t forces = recording.progress().forces;
    ASSERT_TRUE(events == 0 ? segments == 0 || segments == k_bodies
                            : segments == k_bodies + 2 * events)
        << events << " events, " << segments << " segments";
    // a commit may come between a force and its event
    ASSERT_TRUE(forces == forces_before(events) || forces == forces_before(events + 1))
        << events << " events, " << forces << " forces";
    know(events + 1);
    expect_same("event", recording.events(), events, events_, event_bits_);
    expect_same("segment", recording.segments(), segments, segments_, segment_bits_);
    expect_same("force", recording.forces(), forces, forces_, force_bits_);
    const auto lasting =
        std::count_if(recording.segments().begin(), recording.segments().end(), is_lasting);
    EXPECT_EQ(recording.progress().lasting, static_cast<std::uint64_t>(lasting));
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
