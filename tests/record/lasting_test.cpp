// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Lasting contact in recordings: the segments with their forms, the forces, and states from them.

#include <hdf5.h>

#include <cmath>

#include "tests/record/feed.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using record::Recording;
using record::Sampler;
using record::Writer;

const Vec3 k_gravity(0.0, 0.0, -9.81);

world::Body ball(double radius) {
    world::BodySpec spec;
    spec.name = "ball";
    spec.shape = std::make_shared<const shape::Shape>(shape::make_sphere(radius));
    return world::make_body(spec, 0);
}

world::Body brick() {
    world::BodySpec spec;
    spec.name = "brick";
    spec.shape = std::make_shared<const shape::Shape>(shape::make_box({0.1, 0.2, 0.4}));
    return world::make_body(spec, 0);
}

void expect_same(const motion::State& a, const motion::State& b) {
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.orientation.coeffs(), b.orientation.coeffs());
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.angular_velocity, b.angular_velocity);
}

class LastingTest : public RecordTest {
protected:
    // The same segments, out of a file.
    std::vector<world::Segment> through_file(const std::vector<world::Segment>& segments) {
        record::Header header;
        header.body_names = {"ball", "brick"};
        header.body_materials = {"", ""};
        Writer writer(file("a.h5"), header, {}, {}, {});
        for (const world::Segment& segment : segments)
            writer.on_segment(segment);
        writer.finish(segments.back().t0, {});
        return Recording(file("a.h5")).segments();
    }
};

// A ball on a plane from change-over to change-over, until nothing ends it for some seconds.
std::vector<world::Segment> course_of(const world::Body& body, world::Segment segment) {
    std::vector<world::Segment> segments{segment};
    motion::SphereOnPlane course(world::sphere_contact(body, segment.lasting, k_gravity),
                                 segment.state, segment.t0);
    constexpr double k_long = 5.0;
    for (int i = 0; i < 6 && course.valid_until() < segment.t0 + k_long; ++i) {
        course = course.next();
        segment.t0 = course.start_time();
        segment.state = course.at(segment.t0);
        segments.push_back(segment);
    }
    return segments;
}

// Thrown without spin along a level plane, a ball slides until t = 2 v / (7 mu g) and rolls on with
// 5/7 of its speed.
TEST_F(LastingTest, ABallThatSlidesAndRollsIsSampledExactly) {
    constexpr double k_radius = 0.1, k_mu = 0.2, k_speed = 3.5;
    const std::vector<world::Body> bodies{ball(k_radius), brick()};
    world::Segment first;
    first.kind = world::SegmentKind::on_plane;
    first.state.position = {0.0, 0.0, k_radius};
    first.state.orientation = motion::Quat::Identity();
    first.state.velocity = {k_speed, 0.0, 0.0};
    first.lasting.mu = k_mu;
    const std::vector<world::Segment> segments = course_of(bodies[0], first);
    ASSERT_EQ(segments.size(), 2U);
    const std::vector<world::Segment> read = through_file(segments);
    const Sampler sampler(bodies, k_gravity, read);
    const double rolls = 2.0 * k_speed / (7.0 * k_mu * 9.81);
    EXPECT_NEAR(read[1].t0, rolls, 1e-14);
    for (int i = 0; i <= 300; ++i) {
        const double t = 0.01 * i;
        const world::Segment& told = segments[t < segments[1].t0 ? 0 : 1];
        const motion::State state = sampler.at(0, t);
        expect_same(state, motion::at(world::make_motion(bodies[0], told, k_gravity), t));
        const double slide = std::min(t, rolls);
        const double x =
            k_speed * slide - 0.5 * k_mu * 9.81 * slide * slide + 5.0 / 7.0 * k_speed * (t - slide);
        EXPECT_NEAR(state.position.x(), x, 1e-13);
        EXPECT_NEAR(state.position.z(), k_radius, 1e-15);
        if (t > rolls) {
            EXPECT_NEAR(state.angular_velocity.y(), 5.0 / 7.0 * k_speed / k_radius, 1e-12);
        }
    }
}

// Planes that move, turn and lean, all frictions: every number of the form has to come back.
TEST_F(LastingTest, SpheresOnAnyPlaneAreSampledToTheBit) {
    Random random(21);
    const std::vector<world::Body> bodies{ball(0.1), brick()};
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE("plane " + std::to_string(i));
        world::Segment first;
        first.kind = world::SegmentKind::on_plane;
        first.t0 = random.uniform();
        motion::SupportPlane& plane = first.lasting.plane;
        plane.point = random.normal3();
        plane.normal = (Vec3(0.0, 0.0, 3.0) + random.normal3().cwiseMin(1.0).cwiseMax(-1.0));
        plane.normal.normalize();
        plane.turn_rate = i % 2 == 0 ? random.uniform(-2.0, 2.0) : 0.0;
        plane.velocity = random.normal3();
        plane.time = first.t0 - random.uniform();
        first.lasting.mu = random.uniform(0.05, 0.5);
        first.lasting.mu_roll = i % 3 == 0 ? random.uniform(0.0, 0.002) : 0.0;
        first.lasting.mu_spin = random.uniform(0.0, 0.002);
        const Vec3 along = random.normal3();
        const Vec3& n = plane.normal;
        const Vec3 base = plane.point + (first.t0 - plane.time) * plane.velocity;
        first.state.position = base + (along - along.dot(n) * n) + 0.1 * n;
        first.state.orientation = motion::Quat(random.rotation());
        const Vec3 slip = random.normal3();
        first.state.velocity = plane.velocity + slip - slip.dot(n) * n;
        first.state.angular_velocity = 10.0 * random.normal3();
        const std::vector<world::Segment> segments = course_of(bodies[0], first);
        const std::vector<world::Segment> read = through_file(segments);
        const Sampler sampler(bodies, k_gravity, read);
        std::filesystem::remove(file("a.h5"));
        for (std::size_t k = 0; k < segments.size(); ++k) {
            const motion::Motion motion = world::make_motion(bodies[0], segments[k], k_gravity);
            const double end = std::min(motion::valid_until(motion), segments[k].t0 + 1.0);
            const double length = end - segments[k].t0;
            for (const double part : {0.0, 0.3, 0.9}) {
                const double t = segments[k].t0 + part * length;
                expect_same(sampler.at(0, t), motion::at(motion, t));
            }
        }
    }
}

TEST_F(LastingTest, StepsOfAnIslandAreSampledToTheBit) {
    Random random(22);
    const std::vector<world::Body> bodies{ball(0.3), brick()};
    std::vector<world::Segment> segments;
    double t = 0.0;
    for (int i = 0; i < 400; ++i) {
        const double next = t + random.uniform(0.001, 0.01);
        for (world::BodyId body = 0; body < 2; ++body) {
            world::Segment segment;
            segment.t0 = t;
            segment.body = body;
            segment.kind =
                random.uniform() < 0.8 ? world::SegmentKind::held : world::SegmentKind::flight;
            segment.state = {random.normal3(), motion::Quat(random.rotation()), random.normal3(),
                             random.normal3()};
            if (segment.kind == world::SegmentKind::held) {
                segment.lasting.t1 = next;
                segment.lasting.a = random.normal3();
                segment.lasting.alpha = random.normal3();
                segment.lasting.power = random.normal();
            }
            segments.push_back(segment);
        }
        t = next;
    }
    const std::vector<world::Segment> read = through_file(segments);
    const Sampler sampler(bodies, k_gravity, read);
    for (const world::Segment& told : segments) {
        const double at = told.t0 + 0.0005;
        const motion::State state = sampler.at(told.body, at);
        EXPECT_EQ(sampler.kind_at(told.body, at), told.kind);
        expect_same(state, motion::at(world::make_motion(bodies[told.body], told, k_gravity), at));
        if (told.kind != world::SegmentKind::held) continue;
        const double d = at - told.t0;
        const Vec3 there =
            told.state.position + d * told.state.velocity + 0.5 * d * d * told.lasting.a;
        EXPECT_LT((state.position - there).norm(), 1e-15);
    }
}

TEST_F(LastingTest, AnyPieceOfTheSegmentsHasItsForms) {
    feed_.record(file("a.h5"), 9000, 0, {});
    const Recording recording(file("a.h5"));
    EXPECT_GT(recording.progress().lasting, 5000U);
    Random random(23);
    const std::uint64_t all = recording.progress().segments;
    for (int i = 0; i < 30; ++i) {
        const std::uint64_t first = random.bits() % all;
        const std::uint64_t count = i % 2 == 0 ? 1 + random.bits() % 3 : 9000;
        const auto some = recording.read_segments(first, count);
        ASSERT_EQ(some.size(), std::min(count, all - first));
        for (std::size_t k = 0; k < some.size(); k += 1 + some.size() / 50)
            ASSERT_EQ(bits_of(some[k]), bits_of(feed_.segment(first + k))) << first + k;
    }
    const auto some = recording.read_forces(2990, 5);
    ASSERT_EQ(some.size(), 5U);
    EXPECT_EQ(some[3].impulse, feed_.force(2993).impulse);
    EXPECT_TRUE(recording.read_forces(3000, 1).empty());
}

// A field of some rows, by its name alone, as other programs read and write it.
class Column {
public:
    Column(const std::filesystem::path& path, const char* table, const char* field, hid_t type)
        : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)),
          set_(H5Dopen2(file_, table, H5P_DEFAULT)),
          row_(H5Tcreate(H5T_COMPOUND, H5Tget_size(type))) {
        H5Tinsert(row_, field, 0, type);
    }
    ~Column() {
        H5Tclose(row_);
        H5Dclose(set_);
        H5Fclose(file_);
    }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    void read(void* values) {
        EXPECT_GE(H5Dread(set_, row_, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    }
    void write(const void* values) {
        EXPECT_GE(H5Dwrite(set_, row_, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    }
    hsize_t bytes() { return H5Dget_storage_size(set_); }

private:
    hid_t file_, set_, row_;
};

TEST_F(LastingTest, ForcesAreThereByName) {
    feed_.record(file("a.h5"), 300, 0, {});
    std::vector<double> ends(100), impulses(300);
    Column(file("a.h5"), "/forces", "t1", H5T_NATIVE_DOUBLE).read(ends.data());
    const hsize_t three = 3;
    const hid_t vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
    Column(file("a.h5"), "/forces", "impulse", vector).read(impulses.data());
    H5Tclose(vector);
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(ends[i], feed_.force(i).t1);
        EXPECT_EQ(impulses[3 * i + 2], feed_.force(i).impulse.z());
    }
}

TEST_F(LastingTest, FormsThatDoNotBelongAreRefused) {
    feed_.record(file("a.h5"), 300, 0, {});
    const std::uint64_t rows = Recording(file("a.h5")).progress().lasting;
    std::vector<std::uint64_t> numbers(rows);
    Column(file("a.h5"), "/lasting", "segment", H5T_NATIVE_UINT64).read(numbers.data());
    for (const std::size_t row : {std::size_t{0}, std::size_t{77}, numbers.size() - 1}) {
        std::vector<std::uint64_t> wrong = numbers;
        wrong[row] += 1;
        Column(file("a.h5"), "/lasting", "segment", H5T_NATIVE_UINT64).write(wrong.data());
        const std::string error = error_of([&] { Recording(file("a.h5")).segments(); });
        EXPECT_NE(error.find("/lasting"), std::string::npos) << error;
        EXPECT_NE(error.find("damaged"), std::string::npos) << error;
    }
    Column(file("a.h5"), "/lasting", "segment", H5T_NATIVE_UINT64).write(numbers.data());
    feed_.expect_held(Recording(file("a.h5")));
    // a segment that is none of lasting contact any more, though it has a form
    std::vector<std::uint32_t> kinds(Recording(file("a.h5")).progress().segments);
    const hid_t kind = H5Tenum_create(H5T_NATIVE_UINT32);
    for (std::uint32_t k = 0; k < 7; ++k)
        H5Tenum_insert(kind, world::name_of(static_cast<world::SegmentKind>(k)), &k);
    Column(file("a.h5"), "/segments", "kind", kind).read(kinds.data());
    kinds[numbers.back()] = static_cast<std::uint32_t>(world::SegmentKind::flight);
    Column(file("a.h5"), "/segments", "kind", kind).write(kinds.data());
    H5Tclose(kind);
    EXPECT_NE(error_of([&] { Recording(file("a.h5")).segments(); }).find("damaged"),
              std::string::npos);
}

TEST_F(LastingTest, WithoutLastingContactTheTablesAreEmpty) {
    {
        Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(), {});
        for (std::uint64_t i = 0; i < 100; ++i) {
            world::Segment segment = feed_.segment(i);
            segment.t0 = 0.0;
            segment.kind = world::SegmentKind::flight;
            writer.on_segment(segment);
        }
        writer.finish(0.0, {});
    }
    EXPECT_EQ(Recording(file("a.h5")).segments().size(), 100U);
    EXPECT_EQ(Recording(file("a.h5")).progress().lasting, 0U);
    for (const char* table : {"/lasting", "/forces"})
        EXPECT_EQ(Column(file("a.h5"), table, "t1", H5T_NATIVE_DOUBLE).bytes(), 0U) << table;
}

// Where nothing happens but steps of islands, the recording keeps up all the same.
TEST_F(LastingTest, CommitsComeWithoutEvents) {
    Writer writer(file("a.h5"), feed_.header(), feed_.settings(), feed_.contacts(),
                  {.commit_events = 100});
    const auto step = [&](int i) {
        const double t = 0.01 * i;
        for (world::BodyId body = 0; body < 3; ++body) {
            world::Segment segment = feed_.segment(body);
            segment.kind = world::SegmentKind::held;
            segment.t0 = t;
            segment.lasting.t1 = t + 0.01;
            writer.on_segment(segment);
        }
        writer.on_force({t - 0.01, t, 0, 1, Vec3::Zero(), Vec3::UnitZ(), Vec3::UnitZ()});
    };
    for (int i = 1; i <= 500; ++i)
        step(i);
    const Recording recording(file("a.h5"));
    EXPECT_GE(recording.progress().lasting, 1400U);
    EXPECT_GE(recording.progress().time, 4.7);
    // all of an instant or nothing
    EXPECT_EQ(recording.progress().lasting, 3 * recording.progress().forces);
    EXPECT_LT(recording.segments().back().t0, recording.progress().time);
}

}  // namespace
}  // namespace carom::tests
