// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/scene/scene.h"
#include "carom/shape/bounds.h"
#include "carom/shape/mass_properties.h"

namespace carom::tests {
namespace {

using scene::read_scene_text;
using scene::Scene;

const std::string k_scene_start = "[simulation]\nduration = 1\n[[contact]]\ne = 0.5\nmu = 0.3\n";

Scene with_shape(const std::string& shape, const std::string& more = "") {
    return read_scene_text(k_scene_start + "[[body]]\nname = \"b\"\nshape = " + shape + "\n" + more,
                           "t");
}

double volume(const Scene& scene) {
    return shape::mass_properties(*scene.bodies.at(0).shape, shape::Density{1.0}).volume;
}

TEST(ReadScene, PlatterOfTheDesign) {
    const Scene scene = read_scene_text(R"(
title = "A ball on a spinning platter"
expect = "it circles"
[simulation]
duration = 10.0
gravity = [0, 0, -9.81]
[[contact]]
materials = ["*", "*"]
law = "routh"
e = 0.5
mu = 1.0
[[body]]
name = "platter"
shape = { type = "cylinder", radius = 1.0, height = 0.05 }
material = "felt"
position = [0, 0, -0.025]
fixed = true
angular_velocity = [0, 0, 2]
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.05 }
mass = 1.0
position = [0.5, 0, 0.05]
velocity = [1, 2, 3]
)",
                                        "platter.toml");
    EXPECT_EQ(scene.name, "platter.toml");
    EXPECT_EQ(scene.title, "A ball on a spinning platter");
    EXPECT_EQ(scene.expect, "it circles");
    EXPECT_TRUE(scene.text.starts_with("\ntitle"));
    EXPECT_EQ(scene.folder, std::filesystem::current_path().string());
    EXPECT_EQ(scene.duration, 10.0);
    EXPECT_EQ(scene.settings.gravity, Vec3(0, 0, -9.81));
    EXPECT_EQ(scene.settings.checkpoint, 0.5);
    EXPECT_TRUE(scene.settings.sleep);
    ASSERT_EQ(scene.bodies.size(), 2U);
    const world::BodySpec& platter = scene.bodies[0];
    EXPECT_EQ(platter.name, "platter");
    EXPECT_EQ(platter.material, "felt");
    EXPECT_TRUE(platter.fixed);
    EXPECT_EQ(platter.pose.position, Vec3(0, 0, -0.025));
    EXPECT_EQ(platter.angular_velocity, Vec3(0, 0, 2));
    const world::BodySpec& ball = scene.bodies[1];
    EXPECT_EQ(ball.material, "default");
    EXPECT_EQ(ball.mass, 1.0);
    EXPECT_FALSE(ball.density.has_value());
    EXPECT_FALSE(ball.fixed);
    EXPECT_EQ(ball.velocity, Vec3(1, 2, 3));

    world::World world = scene::make_world(scene);
    EXPECT_EQ(world.body_count(), 2U);
    EXPECT_EQ(world.state(world.find("ball")).position, Vec3(0.5, 0, 0.05));
    const world::ContactLaw* law = world.contacts().find(0, 1);
    ASSERT_NE(law, nullptr);
    EXPECT_EQ(law->law, impact::LawId::routh);
    EXPECT_EQ(law->parameters.mu, 1.0);
}

TEST(ReadScene, SettingsAndTheirDefaults) {
    const std::string body = "[[body]]\nname='b'\nshape={type='sphere',radius=1}\n";
    const Scene plain = read_scene_text("[simulation]\nduration = 4\n" + body, "t");
    EXPECT_EQ(plain.settings.gravity, world::Settings{}.gravity);
    EXPECT_EQ(plain.settings.micro, world::Settings{}.micro);
    EXPECT_EQ(plain.settings.checkpoint, 4.0 / 20.0);
    const Scene given = read_scene_text(
        "[simulation]\nduration = 4\ngravity = [1, 2, 3]\nmicro = 0.01\nsleep = false\n"
        "checkpoint = 0\n" +
            body,
        "t");
    EXPECT_EQ(given.settings.gravity, Vec3(1, 2, 3));
    EXPECT_EQ(given.settings.micro, 0.01);
    EXPECT_FALSE(given.settings.sleep);
    EXPECT_EQ(given.settings.checkpoint, 0.0);
}

TEST(ReadScene, ShapesHaveTheirVolumes) {
    const double pi = std::numbers::pi;
    EXPECT_NEAR(volume(with_shape("{type='sphere',radius=2}")), 32.0 / 3.0 * pi, 1e-13 * 34);
    EXPECT_NEAR(volume(with_shape("{type='box',size=[1,2,3]}")), 6.0, 1e-14);
    EXPECT_NEAR(volume(with_shape("{type='capsule',radius=1,length=3}")), 13.0 / 3.0 * pi, 2e-14);
    EXPECT_NEAR(volume(with_shape("{type='cylinder',radius=2,height=3}")), 12.0 * pi, 4e-14);
    EXPECT_NEAR(volume(with_shape("{type='cone',radius=2,height=3}")), 4.0 * pi, 2e-14);
    const char* tetrahedron = "{type='hull',points=[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}";
    EXPECT_NEAR(volume(with_shape(tetrahedron)), 1.0 / 6.0, 1e-15);
}

TEST(ReadScene, CompoundsAsInlineTablesAndAsSections) {
    const Scene one = with_shape(
        "{type='compound',parts=[{type='sphere',radius=1,position=[2,0,0]},"
        "{shape={type='box',size=[2,4,6]},axis=[0,0,3],angle=90}]}");
    const Scene two = read_scene_text(k_scene_start +
                                          "[[body]]\nname = 'b'\n[body.shape]\ntype = 'compound'\n"
                                          "[[body.shape.parts]]\ntype = 'sphere'\nradius = 1\n"
                                          "position = [2, 0, 0]\n"
                                          "[[body.shape.parts]]\ntype = 'box'\nsize = [2, 4, 6]\n"
                                          "orientation = [0.70710678118654757, 0, 0, "
                                          "0.70710678118654757]\n",
                                      "t");
    for (const Scene* scene : {&one, &two}) {
        const shape::Shape& shape = *scene->bodies[0].shape;
        ASSERT_EQ(shape.parts.size(), 2U);
        const Aabb box = shape::bounding_box(shape, {});
        EXPECT_NEAR(box.low.x(), -2.0, 1e-14);  // the box is turned: 4 along x
        EXPECT_NEAR(box.high.x(), 3.0, 1e-14);  // the ball
        EXPECT_NEAR(box.high.y(), 1.0, 1e-14);
        EXPECT_NEAR(box.high.z(), 3.0, 1e-14);
    }
}

TEST(ReadScene, OrientationOfABody) {
    const Scene scene = with_shape("{type='box',size=[1,2,3]}", "axis = [1, 1, 1]\nangle = 120\n");
    // a third of a turn about the diagonal takes x to y
    EXPECT_LT((scene.bodies[0].pose.orientation * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(ReadScene, FixedBodiesMoveAsTheyAreTold) {
    const Scene scene = with_shape("{type='box',size=[1,2,3]}",
                                   "fixed = true\npivot = [1, 0, 0]\nvelocity = [0, 0, 1]\n"
                                   "angular_velocity = [0, 0, 2]\n");
    EXPECT_EQ(scene.bodies[0].pivot, Vec3(1, 0, 0));
    const world::Body body = world::make_body(scene.bodies[0], 0);
    ASSERT_TRUE(body.prescribed != nullptr);
    // v + w x (x - pivot) with x - pivot = (-1, 0, 0)
    EXPECT_LT((body.first.velocity - Vec3(0, -2, 1)).norm(), 1e-15);
}

TEST(ReadScene, EveryParameterOfALaw) {
    const std::string body = "[[body]]\nname='b'\nshape={type='sphere',radius=1}\n";
    Scene scene = read_scene_text(
        "[simulation]\nduration = 1\n[[contact]]\nmaterials = ['*', 'default']\nlaw = 'micro'\n"
        "mu = 0.25\ne = 0.5\nthreshold = 0.125\nfallback = 'composite'\nsigma = 0.75\net = -0.5\n"
        "termination = 'newton'\n" +
            body,
        "t");
    const world::MaterialId id = scene.contacts.material("default");
    const world::ContactLaw* rule = scene.contacts.find(id, id);
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->law, impact::LawId::micro);
    EXPECT_EQ(rule->parameters.mu, 0.25);
    EXPECT_EQ(rule->parameters.e, 0.5);
    EXPECT_EQ(rule->parameters.threshold, 0.125);
    EXPECT_EQ(rule->parameters.fallback, impact::LawId::composite);
    EXPECT_EQ(rule->parameters.sigma, 0.75);
    EXPECT_EQ(rule->parameters.et, -0.5);
    EXPECT_EQ(rule->parameters.termination, impact::Termination::newton);

    const Scene vector = read_scene_text(
        "[simulation]\nduration = 1\n[[contact]]\nlaw = 'region-projected'\nmu = 0.25\n"
        "P = [1, 2, 3]\n[[contact]]\nmaterials = ['default', 'default']\nlaw = 'particle'\n"
        "e = 1\nmu = 0.5\nreversal = true\n" +
            body,
        "t");
    EXPECT_EQ(vector.contacts.rule_count(), 2U);
}

// Both bodies are fixed, or there is only one: nothing can meet, and no rule is needed.
TEST(ReadScene, RulesOnlyForWhatCanMeet) {
    const std::string start = "[simulation]\nduration = 1\n";
    const std::string shape = "shape = { type = 'sphere', radius = 1 }\n";
    EXPECT_NO_THROW(read_scene_text(start + "[[body]]\nname = 'a'\n" + shape, "t"));
    EXPECT_NO_THROW(read_scene_text(start + "[[body]]\nname = 'a'\nfixed = true\n" + shape +
                                        "[[body]]\nname = 'b'\nfixed = true\n"
                                        "position = [0, 0, 9]\n" +
                                        shape,
                                    "t"));
}

TEST(ReadScene, MeshFilesBesideTheScene) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "carom_scene_test";
    fs::create_directories(folder / "parts");
    std::ofstream(folder / "parts" / "t.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                                 "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::ofstream(folder / "s.toml")
        << k_scene_start
        << "[[body]]\nname = 'a'\nshape = { type = 'mesh', file = 'parts/t.obj' }\n"
        << "[[body]]\nname = 'b'\nshape = { type = 'hull', file = 'parts/t.obj' }\n"
        << "position = [2, 0, 0]\n"
        << "[[body]]\nname = 'c'\nshape = { type = 'mesh', pieces = ['parts/t.obj'] }\n"
        << "position = [4, 0, 0]\n";
    const Scene scene = scene::read_scene(folder / "s.toml");
    EXPECT_EQ(scene.folder, folder.lexically_normal().string());
    EXPECT_NEAR(volume(scene), 1.0 / 6.0, 1e-6);
    EXPECT_EQ(scene.bodies[0].shape, scene.bodies[1].shape);  // read once
    EXPECT_EQ(scene.bodies[2].shape->parts.size(), 1U);
    // and again from what a recording keeps
    const Scene again = read_scene_text(scene.text, scene.name, fs::path(scene.folder));
    EXPECT_EQ(volume(again), volume(scene));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace carom::tests
