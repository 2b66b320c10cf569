// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What the bodies are: /bodies, /shapes and /hull_vertices, by our reader and by HDF5 alone.

#include <hdf5.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include "carom/shape/mass_properties.h"
#include "tests/record/feed.h"

namespace carom::tests {
namespace {

using record::PartType;
using record::RecordedBody;
using record::RecordedPart;
using record::Recording;
using record::Writer;

std::shared_ptr<const shape::Shape> shared(shape::Shape shape) {
    return std::make_shared<const shape::Shape>(std::move(shape));
}

const std::vector<Vec3> k_corners{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.1}};

world::Contacts contacts() {
    world::ContactLaw law;
    law.parameters.e = 0.5;
    law.parameters.mu = 0.3;
    world::Contacts all;
    all.set("*", "*", law);
    all.material("wood");
    return all;
}

// One body of each kind of part, and one of two parts.
world::World make_world() {
    world::Settings settings;
    settings.checkpoint = 0.05;
    world::World world(settings, contacts());
    world.add({.name = "floor", .shape = shared(shape::make_half_space({0, 0, 2})), .fixed = true});
    const auto hull = shared(shape::make_hull(k_corners));
    world.add({.name = "hull",
               .shape = hull,
               .material = "wood",
               .pose = {{1, 0, 0.02}, Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Vec3::UnitX()))},
               .velocity = {1, 2, -0.5},
               .angular_velocity = {4, 5, 6},
               .mass = 2.5});
    world.add({.name = "hull again", .shape = hull, .pose = {{1, 0, 1}, {1, 0, 0, 0}}});
    world.add({.name = "ball",
               .shape = shared(shape::make_sphere(0.1)),
               .pose = {{3, 0, 0.1}, {1, 0, 0, 0}}});
    const std::array<shape::Placed, 2> parts{
        shape::Placed{shape::make_capsule(0.1, 0.4), {{0, 0, 0}, {1, 0, 0, 0}}},
        shape::Placed{shape::make_box({0.2, 0.3, 0.4}), {{0, 0.5, 0}, {0.6, 0, 0.8, 0}}}};
    world.add({.name = "hammer",
               .shape = shared(shape::make_compound(parts)),
               .pose = {{5, 0, 0.31}, {1, 0, 0, 0}}});
    world.add({.name = "drum",
               .shape = shared(shape::make_cylinder(0.2, 0.6)),
               .pose = {{7, 0, 0.3}, {1, 0, 0, 0}}});
    world.add({.name = "top",
               .shape = shared(shape::make_cone(0.2, 0.8)),
               .pose = {{9, 0, 0.21}, {1, 0, 0, 0}}});
    return world;
}

record::Header header_of(const world::World& world) {
    record::Header header;
    header.scene_name = "bodies";
    header.duration = 0.2;
    for (const world::Body& body : world.bodies()) {
        header.body_names.push_back(body.name);
        header.body_materials.push_back(world.contacts().name(body.material));
    }
    return header;
}

class BodiesTest : public RecordTest {
protected:
    void record(const std::string& name) {
        world::World world = make_world();
        Writer writer(file(name), header_of(world), world, {});
        world.run(0.2, &writer);
        writer.finish(0.2, world.audit(), world.tally());
    }
};

TEST_F(BodiesTest, AreWhatTheRunHasUsed) {
    record("a.h5");
    const world::World world = make_world();
    const std::vector<RecordedBody> bodies = Recording(file("a.h5")).read_bodies();
    ASSERT_EQ(bodies.size(), world.body_count());
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        const RecordedBody& held = bodies[id];
        SCOPED_TRACE(body.name);
        EXPECT_EQ(held.name, body.name);
        EXPECT_EQ(held.material, world.contacts().name(body.material));
        EXPECT_EQ(held.fixed, body.fixed);
        EXPECT_EQ(held.mass, body.mass);
        EXPECT_EQ(held.center, body.center);
        EXPECT_EQ(held.inertia, body.inertia ? body.inertia->tensor() : Mat3(Mat3::Zero()));
        EXPECT_EQ(held.radius, body.radius);
        EXPECT_EQ(held.pose.position, world.pose(id).position);
        EXPECT_EQ(held.pose.orientation.coeffs(), world.pose(id).orientation.coeffs());
        EXPECT_EQ(held.velocity, body.first.velocity);
        EXPECT_EQ(held.angular_velocity, body.first.angular_velocity);
        ASSERT_EQ(held.parts.size(), body.shape->parts.size());
        for (std::size_t k = 0; k < held.parts.size(); ++k) {
            const shape::Part& part = body.shape->parts[k];
            EXPECT_STREQ(name_of(held.parts[k].type), shape::name_of(part.convex));
            EXPECT_EQ(held.parts[k].pose.position, part.pose.position);
            EXPECT_EQ(held.parts[k].pose.orientation.coeffs(), part.pose.orientation.coeffs());
        }
    }
    EXPECT_TRUE(std::isinf(bodies[0].radius));
    EXPECT_EQ(bodies[0].parts[0].normal, Vec3::UnitZ());
    EXPECT_EQ(bodies[1].parts[0].vertices, k_corners);
    EXPECT_EQ(bodies[2].parts[0].vertices, k_corners);
    EXPECT_EQ(bodies[3].parts[0].radius, 0.1);
    EXPECT_NEAR(bodies[3].mass, 1000.0 * 4.0 / 3.0 * std::numbers::pi * 1e-3, 1e-12);
    const std::vector<RecordedPart>& hammer = bodies[4].parts;
    EXPECT_EQ(hammer[0].type, PartType::capsule);
    EXPECT_EQ(hammer[0].radius, 0.1);
    EXPECT_EQ(hammer[0].length, 0.4);
    EXPECT_EQ(hammer[1].size, Vec3(0.2, 0.3, 0.4));
    EXPECT_EQ(hammer[1].pose.position, Vec3(0, 0.5, 0));
    EXPECT_EQ(bodies[5].parts[0].length, 0.6);
    EXPECT_EQ(bodies[6].parts[0].length, 0.8);
}

// By name and with nothing of ours, as other programs read them.
TEST_F(BodiesTest, AreReadByName) {
    record("a.h5");
    const hid_t from = H5Fopen(file("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const auto length_of = [&](const char* name) {
        const hid_t set = H5Dopen2(from, name, H5P_DEFAULT), space = H5Dget_space(set);
        hsize_t length = 0;
        H5Sget_simple_extent_dims(space, &length, nullptr);
        H5Sclose(space);
        H5Dclose(set);
        return length;
    };
    EXPECT_EQ(length_of("/bodies"), 7U);
    EXPECT_EQ(length_of("/shapes"), 8U);
    EXPECT_EQ(length_of("/hull_vertices"), 4U) << "two bodies of one shape have them once";
    struct Row {
        double mass;
        double inertia[3][3];
        char name[16];
    };
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Row));
    const hsize_t square[] = {3, 3};
    const hid_t tensor = H5Tarray_create2(H5T_NATIVE_DOUBLE, 2, square);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 16);
    H5Tset_cset(text, H5T_CSET_UTF8);
    H5Tinsert(type, "mass", offsetof(Row, mass), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "inertia", offsetof(Row, inertia), tensor);
    H5Tinsert(type, "name", offsetof(Row, name), text);
    Row rows[7];
    const hid_t set = H5Dopen2(from, "/bodies", H5P_DEFAULT);
    EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows), 0);
    EXPECT_EQ(rows[1].mass, 2.5);
    EXPECT_STREQ(rows[1].name, "hull");
    EXPECT_STREQ(rows[4].name, "hammer");
    EXPECT_EQ(rows[3].inertia[2][2], make_world().body(3).inertia->tensor()(2, 2));
    EXPECT_EQ(rows[0].mass, 0.0);
    H5Dclose(set);
    for (const hid_t made : {type, tensor, text})
        H5Tclose(made);
    H5Fclose(from);
}

TEST_F(BodiesTest, TheSameRunHasTheSameBytes) {
    record("a.h5");
    record("b.h5");
    EXPECT_TRUE(read_bytes(file("a.h5")) == read_bytes(file("b.h5")));
}

// They are there from the beginning: also when the run was stopped, in the middle of an event too,
// and resumed.
TEST_F(BodiesTest, ARunThatWasStoppedAnywhereIsGoneOnWith) {
    record("whole.h5");
    const std::uint64_t whole = Recording(file("whole.h5")).digest();
    long questions = 0;
    make_world().run(0.2, nullptr, [&] {
        ++questions;
        return false;
    });
    int inside = 0, between = 0;
    for (long n = 1; n < questions; n += 1 + questions / 25) {
        SCOPED_TRACE(n);
        const std::filesystem::path path = file(std::to_string(n) + ".h5");
        double reached = 0.0;
        {
            world::World world = make_world();
            Writer writer(path, header_of(world), world, {});
            long asked = 0;
            // in two pieces, as programs run
            try {
                if (world.run(0.07, &writer, [&] { return ++asked == n; }))
                    world.run(0.2, &writer, [&] { return ++asked == n; });
                ++between;
            } catch (const Stopped&) {
                ++inside;
            }
            reached = world.time();
            writer.leave();
        }
        {
            const Recording recording(path);
            EXPECT_FALSE(recording.progress().finished);
            EXPECT_LE(recording.progress().time, reached);
            EXPECT_EQ(recording.read_bodies().size(), 7U);
            // no event is half told: the segments that it begins are there
            for (const world::Event& event : recording.events())
                EXPECT_LE(event.t, recording.progress().time);
        }
        world::World world = make_world();
        const Recording::Checkpoint checkpoint = Recording(path).last_checkpoint();
        if (!checkpoint.bytes.empty()) world.restore(checkpoint.bytes);
        Writer writer = Writer::resume(path);
        world.run(0.2, &writer);
        writer.finish(0.2, world.audit(), world.tally());
        EXPECT_EQ(Recording(path).digest(), whole);
    }
    EXPECT_GT(between, 1);
    EXPECT_GT(inside, 1);
}

TEST_F(BodiesTest, AWriterThatWasLeftTakesNothingMore) {
    world::World world = make_world();
    Writer writer(file("a.h5"), header_of(world), world, {});
    world.run(0.1, &writer);
    writer.leave();
    EXPECT_NE(error_of([&] { writer.commit(0.1); }).find("left unfinished"), std::string::npos);
    EXPECT_EQ(Recording(file("a.h5")).progress().time, 0.1);
}

// As h5py sees them, where there is one.
TEST_F(BodiesTest, InPython) {
    const std::string python = "/usr/bin/python3 -c ";
    if (std::system((python + "'import h5py' 2>/dev/null").c_str()) != 0)
        GTEST_SKIP() << "python3-h5py is not installed";
    record("a.h5");
    std::ofstream(file("read.py")) << R"(
import h5py, sys
f = h5py.File(sys.argv[1], "r")
bodies, shapes = f["bodies"][:], f["shapes"][:]
names = [name.decode() for name in bodies["name"]]
assert names[:2] == ["floor", "hull"], names
assert bodies["mass"][1] == 2.5 and bodies["inertia"].shape == (7, 3, 3)
types = h5py.check_enum_dtype(f["shapes"].dtype["type"])
assert types["hull"] == 6, types
hull = shapes[shapes["body"] == 1][0]
first = int(hull["first_vertex"])
corners = f["hull_vertices"][first:first + int(hull["vertices"])]
assert corners.shape == (4, 3) and corners[1, 0] == 0.3, corners
forces = f["forces"]
assert h5py.check_enum_dtype(forces.dtype["follows"]) == {"line": 0, "centre-of-a": 1}
)";
    const std::string command =
        "/usr/bin/python3 " + file("read.py").string() + " " + file("a.h5").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace carom::tests
