// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One drop, every law: how different are the rebounds?
//
// A box falls on its edge, sliding and turning, with the same e and mu for each law. All laws that
// take just these two parameters are tried; where a law does not apply to a contact, or where it
// makes energy, that is told.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "carom/world/world.h"

namespace {

using namespace carom;

void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "not as expected: %s\n", what);
    std::exit(1);
}

// Keeps the first event.
class First : public world::Listener {
public:
    void on_event(const world::Event& event) override {
        if (!seen) first = event;
        seen = true;
    }
    world::Event first;
    bool seen = false;
};

world::World drop(const impact::LawInfo& law) {
    // a law found while the program runs: what it needs besides e and mu, choose_law refuses
    world::Contacts contacts;
    contacts.set("*", "*", impact::choose_law(law, {.e = 0.5, .mu = 0.9}));
    world::World world(world::Settings{}, contacts);
    world::BodySpec box;
    box.name = "box";
    box.shape = std::make_shared<const shape::Shape>(shape::make_box({0.2, 0.2, 0.1}));
    box.pose.position = Vec3(0.0, 0.0, 0.3);
    box.pose.orientation = Eigen::AngleAxisd(0.5, Vec3::UnitY());
    box.velocity = Vec3(0.3, 0.4, -2.0);
    box.angular_velocity = Vec3(1.0, -4.0, 0.5);
    box.mass = 1.0;
    world.add(box);
    world::BodySpec floor;
    floor.name = "floor";
    floor.shape = std::make_shared<const shape::Shape>(shape::make_half_space(Vec3::UnitZ()));
    floor.fixed = true;
    world.add(floor);
    return world;
}

}  // namespace

int main() {
    std::printf("%-16s %8s %8s %8s %10s\n", "law", "slip", "rebound", "spin", "lost (J)");
    int compared = 0;
    double slowest = 1e9;
    double fastest = 0.0;
    for (const impact::LawInfo& law : impact::laws()) {
        world::World world = [&]() -> world::World {
            try {
                return drop(law);
            } catch (const std::invalid_argument&) {
                return world::World(world::Settings{}, world::Contacts{});  // needs more than e, mu
            }
        }();
        if (world.body_count() == 0) continue;
        First hit;
        try {
            // until just after the first impact
            while (!hit.seen)
                world.run(world.time() + 0.005, &hit);
        } catch (const std::runtime_error& error) {
            std::printf("%-16s %s\n", std::string(law.name).c_str(), error.what());
            continue;
        }
        const world::Event& event = hit.first;
        std::printf("%-16s %8.4f %8.4f %8.3f %10.5f\n", std::string(law.name).c_str(),
                    event.u_after.x(), event.u_after.z(), world.state(0).angular_velocity.y(),
                    event.energy_lost);
        // what every law has to respect: bodies part, and the impulse is in the friction cone
        check(event.u_after.z() >= -1e-12, "bodies part");
        check(event.impulse.head<2>().norm() <= 0.9 * event.impulse.z() * (1.0 + 1e-9), "the cone");
        // energy never grows, but in Whittaker's law, which is known to
        if (law.id != impact::LawId::whittaker)
            check(event.energy_lost >= -1e-12, "no energy is made");
        slowest = std::min(slowest, event.u_after.z());
        fastest = std::max(fastest, event.u_after.z());
        ++compared;
    }
    std::printf("%d laws; the rebound differs by up to %.1f %%\n", compared,
                100.0 * (fastest / slowest - 1.0));
    check(compared >= 6, "several laws take just e and mu");
    check(fastest > 1.01 * slowest, "and they do not agree");
    return 0;
}
