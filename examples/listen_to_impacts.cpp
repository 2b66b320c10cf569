// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Listening: a world tells a listener everything that happens, as it happens.
//
// A box is dropped on a floor and comes to rest. The listener sums the impulses between them: those
// of impacts, and those of the forces while contact lasts. Since the box begins and ends at rest,
// all that the floor gave it is what gravity took from it until it fell asleep: m g t.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "carom/world/world.h"

namespace {

using namespace carom;

void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "not as expected: %s\n", what);
    std::exit(1);
}

// Override what you want to know; the rest does nothing.
class Summer : public world::Listener {
public:
    explicit Summer(world::BodyId body) : body_(body) {}

    void on_event(const world::Event& event) override {
        if (event.kind == world::EventKind::sleep && event.a == body_) asleep_at = event.t;
        // the impulse of an event is that on its body a, and zero where there was none
        impulse += event.a == body_ ? event.impulse : Vec3(-event.impulse);
        if (event.kind == world::EventKind::impact) ++impacts;
        hardest = std::max(hardest, event.impulse.norm());
    }
    void on_force(const world::ContactForce& force) override {
        impulse += force.a == body_ ? force.impulse : Vec3(-force.impulse);
        held += force.t1 - force.t0;
    }

    Vec3 impulse = Vec3::Zero();
    long impacts = 0;
    double hardest = 0.0;
    double held = 0.0;
    double asleep_at = -1.0;

private:
    world::BodyId body_;
};

}  // namespace

int main() {
    world::Contacts contacts;
    contacts.set("*", "*", impact::law::routh({.e = 0.4, .mu = 0.5}));

    world::World world(world::Settings{}, contacts);
    world::BodySpec floor;
    floor.name = "floor";
    floor.shape = std::make_shared<const shape::Shape>(shape::make_half_space(Vec3::UnitZ()));
    floor.fixed = true;
    world.add(floor);
    world::BodySpec spec;
    spec.name = "box";
    spec.shape = std::make_shared<const shape::Shape>(shape::make_box({0.2, 0.15, 0.1}));
    spec.pose.position = Vec3(0.0, 0.0, 0.5);
    spec.pose.orientation = Eigen::AngleAxisd(0.7, Vec3(1.0, 2.0, 0.5).normalized());
    spec.mass = 2.0;
    const world::BodyId box = world.add(spec);

    Summer summer(box);
    world.run(5.0, &summer);
    check(world.asleep(box), "the box comes to rest");

    const double weight = 2.0 * 9.81 * summer.asleep_at;
    std::printf("%ld impacts, the hardest with %.3f N s; the floor held the box for %.3f s\n",
                summer.impacts, summer.hardest, summer.held);
    std::printf("the floor gave the box %.9f N s; its weight took %.9f N s in %.3f s\n",
                summer.impulse.z(), weight, summer.asleep_at);
    // what it still had when it fell asleep is tiny, and in the audit
    check(std::abs(summer.impulse.z() - weight) < 1e-2 * weight, "impulses balance the weight");
    check(summer.impulse.head<2>().norm() < 1e-2 * weight, "and nothing is left sideways");
    check(summer.impacts >= 3, "it bounced");
    return 0;
}
