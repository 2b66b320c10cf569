// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/world/world.h"

namespace carom::tests {

using world::BodyId;
using world::Event;
using world::EventKind;
using world::World;

inline constexpr double k_gravity = 9.81;

std::shared_ptr<const shape::Shape> shared(shape::Shape shape);
shape::Pose at(const Vec3& position);
shape::Pose at(const Vec3& position, const Vec3& axis, double angle);  // rad

// One law for every pair.
world::Contacts contacts(double e, double mu, const char* law = "routh");
world::Settings settings(double micro = 0.003);
world::Settings weightless();

BodyId add_floor(World& world);  // z = 0
BodyId add_ball(World& world, const char* name, double radius, const Vec3& position,
                const Vec3& velocity, double mass);

// Keeps everything that is told.
class Log : public world::Listener {
public:
    void on_event(const Event& event) override { events.push_back(event); }
    void on_segment(const world::Segment& segment) override { segments.push_back(segment); }
    void on_force(const world::ContactForce& force) override { forces.push_back(force); }

    std::vector<Event> of(EventKind kind) const;
    std::vector<Event> between(BodyId a, BodyId b, EventKind kind) const;

    std::vector<Event> events;
    std::vector<world::Segment> segments;
    std::vector<world::ContactForce> forces;
};

// Every bit of what was told: times, kinds, bodies, impulses and states.
std::uint64_t hash(const Log& log);
// Every bit of where all bodies are and how they move.
std::uint64_t hash(const World& world);

// Holds the relative error, which is also noted under this name, to the tolerance.
void expect_close(const char* what, double measured, double exact, double tolerance);
// The same for a magnitude that should be nought.
void expect_below(const char* what, double measured, double limit);

// The promises that hold for every run: energy and momentum balance to 1e-12 of what was turned
// over, no overlap beyond 1e-9 of the smallest body unless something else is said.
void expect_balanced(const World& world, double overlap = 1e-9);

// A scene of the folder scenes/ and the world it makes.
struct Simulated {
    scene::Scene scene;
    World world;
    Log log;
};
Simulated simulate(scene::Scene scene);
scene::Scene read_scene(const std::string& name, world::ContactMode contact);

// What scenes promise they keep however contact that lasts is simulated.
class Scene : public testing::TestWithParam<world::ContactMode> {
protected:
    static scene::Scene read(const std::string& name) { return read_scene(name, GetParam()); }
    static Simulated run(const std::string& name) { return simulate(read(name)); }
    // The same with coarser micro-collisions, where the usual ones take long.
    static Simulated run(const std::string& name, double coarse) {
        scene::Scene scene = read(name);
        if (GetParam() == world::ContactMode::micro) scene.settings.micro = coarse;
        return simulate(std::move(scene));
    }
    // Steps of lasting contact may overlap, by so much of the smallest body.
    static void balanced(const World& world, double steps) {
        expect_balanced(world, GetParam() == world::ContactMode::lasting ? steps : 1e-9);
    }
};

// The angle between the body's axis, given in its own frame, and another direction (rad).
double angle_between(const World& world, BodyId body, const Vec3& own_axis, const Vec3& direction);

}  // namespace carom::tests
