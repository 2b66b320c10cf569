// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <carom/record/recording.h>

#include <filesystem>
#include <memory>

// A ball falls and bounces; the run is written to a file and read back.
int main() {
    using namespace carom;
    world::Contacts contacts;
    contacts.set("*", "*", impact::law::frictionless({.e = 0.8}));
    world::World world({}, contacts);
    world::BodySpec ball;
    ball.name = "ball";
    ball.shape = std::make_shared<const shape::Shape>(shape::make_sphere(0.1));
    ball.pose.position = {0.0, 0.0, 1.1};
    ball.mass = 1.0;
    world.add(ball);
    world::BodySpec floor;
    floor.name = "floor";
    floor.shape = std::make_shared<const shape::Shape>(shape::make_half_space(Vec3::UnitZ()));
    floor.fixed = true;
    world.add(floor);
    const std::filesystem::path path = "bounce.carom";
    record::Header header;
    header.duration = 1.0;
    header.body_names = {"ball", "floor"};
    header.body_materials = {"default", "default"};
    record::Writer writer(path, header, world, {.force = true});
    world.run(1.0, &writer);
    writer.finish(1.0, world.audit(), world.tally());
    const record::Recording recording(path);
    return recording.progress().finished && recording.events().size() == world.tally().events ? 0
                                                                                              : 1;
}
