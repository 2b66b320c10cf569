// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The shortest simulation: build a world, run it, ask it.
//
// A ball falls from 1 m on a floor with restitution 0.8. It lands after sqrt(2 h / g), and the top
// of its first bounce is 0.8^2 h. There is no time step: the world goes from event to event, so
// that both numbers come out to rounding.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "carom/world/world.h"

namespace {

// Examples are tests too: a wrong number ends the program with 1.
void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "not as expected: %s\n", what);
    std::exit(1);
}

}  // namespace

int main() {
    using namespace carom;

    // what happens when things touch: a law and its parameters, here the same for everything
    world::Contacts contacts;
    contacts.set("*", "*", impact::law::routh({.e = 0.8, .mu = 0.3}));

    // the bodies; SI units, z is up, gravity is 9.81 downwards unless settings say otherwise
    world::World world(world::Settings{}, contacts);
    const auto share = [](shape::Shape s) {
        return std::make_shared<const shape::Shape>(std::move(s));
    };
    world::BodySpec floor;
    floor.name = "floor";
    floor.shape = share(shape::make_half_space(Vec3::UnitZ()));
    floor.fixed = true;
    world.add(floor);
    const double radius = 0.05;
    const double height = 1.0;
    world::BodySpec spec;
    spec.name = "ball";
    spec.shape = share(shape::make_sphere(radius));
    spec.pose.position = Vec3(0.0, 0.0, radius + height);
    spec.mass = 1.0;
    const world::BodyId ball = world.add(spec);

    // run to the top of the first bounce: the fall, and 0.8 times as long upwards
    const double fall = std::sqrt(2.0 * height / 9.81);
    world.run(fall);
    std::printf("at %.6f s the ball is %.3e m above the floor\n", world.time(),
                world.state(ball).position.z() - radius);
    world.run(1.8 * fall);
    const double top = world.state(ball).position.z() - radius;
    std::printf("at %.6f s it is at %.15f m, the top of its bounce\n", world.time(), top);
    check(std::abs(top - 0.64 * height) < 1e-12, "the height of the bounce is 0.8^2 h");
    check(world.tally().impacts == 1, "one impact so far");

    // every run keeps accounts: energy at the start and now, and what impacts took
    const world::Audit audit = world.audit();
    std::printf("energy: %.6f J at the start, %.6f J now, %.6f J lost, %.1e J unaccounted for\n",
                audit.energy_start, audit.energy_end, audit.energy_lost, audit.energy_residual);
    check(std::abs(audit.energy_residual) < 1e-12 * audit.energy_start, "the balance closes");
    check(std::abs(audit.energy_lost - 0.36 * 9.81 * height) < 1e-12, "1 - e^2 of it is lost");
    return 0;
}
