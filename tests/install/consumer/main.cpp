// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <carom/impact/routh.h>
#include <carom/world/world.h>

#include <cmath>
#include <cstdio>
#include <memory>

namespace {

// A ball dropped from 1 m onto a floor with e = 0.5 rises to 0.25 m.
bool bounces() {
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
    return std::abs(world.state(id).position.z() - 0.35) < 1e-12;
}

}  // namespace

// A ball with backspin on a table: it grips, and rolls away with the speed that rolling leaves it.
int main() {
    const carom::Mat3 K = carom::Vec3(3.5, 3.5, 1.0).asDiagonal();
    const carom::impact::Contact contact{K, carom::Vec3(-3.0, 0.0, -5.0)};
    const auto solution = carom::impact::routh(contact, {.e = 0.5, .mu = 0.4});
    const carom::Vec3 after = contact.u + contact.K * solution.p;
    std::printf("p = %g %g %g\n", solution.p.x(), solution.p.y(), solution.p.z());
    const bool right = std::abs(after.x()) < 1e-12 && std::abs(after.z() - 2.5) < 1e-12;
    return right && bounces() ? 0 : 1;
}
