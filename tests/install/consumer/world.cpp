// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <carom/world/world.h>

#include <cmath>
#include <memory>

// A ball dropped from 1 m onto a floor with e = 0.5 rises to 0.25 m.
int main() {
    using namespace carom;
    world::Contacts contacts;
    contacts.set("*", "*", impact::law::routh({.e = 0.5, .mu = 0.0}));
    world::World world({}, contacts);
    world::BodySpec ball;
    ball.name = "ball";
    ball.shape = std::make_shared<const shape::Shape>(shape::make_sphere(0.1));
    ball.pose.position = {0.0, 0.0, 1.1};
    ball.mass = 1.0;
    const world::BodyId id = world.add(ball);
    world::BodySpec floor;
    floor.name = "floor";
    floor.shape = std::make_shared<const shape::Shape>(shape::make_half_space(Vec3::UnitZ()));
    floor.fixed = true;
    world.add(floor);
    // down in sqrt(2/g), up in half of that
    world.run(1.5 * std::sqrt(2.0 / 9.81));
    return std::abs(world.state(id).position.z() - 0.35) < 1e-12 ? 0 : 1;
}
