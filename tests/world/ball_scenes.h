// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "carom/shape/shape.h"
#include "carom/world/body.h"
#include "carom/world/contacts.h"
#include "carom/world/gas/ball_engine.h"
#include "carom/world/settings.h"
#include "tests/support/random_problems.h"

namespace carom::tests {

// Balls and walls without gravity, for tests and benchmarks of gases.
struct BallScene {
    world::Settings settings;
    world::Contacts contacts;
    std::vector<world::Body> bodies;

    explicit BallScene(const world::ContactLaw& law) {
        settings.gravity.setZero();
        contacts.material("default");
        contacts.set("*", "*", law);
    }

    void add_ball(double radius, double mass, const Vec3& position, const Vec3& velocity,
                  const Vec3& spin = Vec3::Zero()) {
        if (!ball_ || radius != ball_radius_) {
            ball_ = std::make_shared<const shape::Shape>(shape::make_sphere(radius));
            ball_radius_ = radius;
        }
        world::BodySpec spec;
        spec.name = "ball " + std::to_string(bodies.size());
        spec.shape = ball_;
        spec.mass = mass;
        spec.pose.position = position;
        spec.velocity = velocity;
        spec.angular_velocity = spin;
        bodies.push_back(world::make_body(spec, 0));
    }

    void add_wall(const Vec3& normal, const Vec3& point) {
        world::BodySpec spec;
        spec.name = "wall " + std::to_string(bodies.size());
        spec.shape = std::make_shared<const shape::Shape>(shape::make_half_space(normal));
        spec.fixed = true;
        spec.pose.position = point;
        bodies.push_back(world::make_body(spec, 0));
    }

    // The six walls of the box from 0 to width.
    void add_box(double width) {
        for (int k = 0; k < 3; ++k) {
            add_wall(Vec3::Unit(k), Vec3::Zero());
            add_wall(-Vec3::Unit(k), Vec3::Constant(width));
        }
    }

private:
    std::shared_ptr<const shape::Shape> ball_;
    double ball_radius_ = 0.0;
};

// A scene in the engine, from the start. The scene outlives it.
struct BallRun {
    explicit BallRun(const BallScene& scene)
        : engine({scene.settings, scene.contacts, scene.bodies, tally}) {
        engine.rebuild();
    }
    world::Tally tally;
    world::BallEngine engine;
};

inline world::ContactLaw frictionless_law(double e) {
    return impact::law::frictionless({.e = e});
}

// At least `count` places of a face-centred cubic lattice that fills the cube from low to high.
inline std::vector<Vec3> lattice(std::size_t count, double low, double high) {
    int cells = 1;
    while (4 * static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells) *
               static_cast<std::size_t>(cells) <
           count)
        ++cells;
    const double side = (high - low) / (cells - 0.5);
    const Vec3 base[4] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
    std::vector<Vec3> places;
    for (int x = 0; x < cells; ++x) {
        for (int y = 0; y < cells; ++y) {
            for (int z = 0; z < cells; ++z) {
                for (const Vec3& b : base)
                    places.push_back(Vec3::Constant(low) + side * (Vec3(x, y, z) + b));
            }
        }
    }
    return places;
}

// A gas of balls of radius 1/2 and mass 1 that fills a part phi of a box of six walls, kT = 1.
inline std::pair<BallScene, double> gas(std::size_t count, double phi, const world::ContactLaw& law,
                                        std::uint64_t seed) {
    BallScene scene(law);
    Random random(seed);
    const double width = std::cbrt(static_cast<double>(count) * std::numbers::pi / (6.0 * phi));
    const std::vector<Vec3> places = lattice(count, 0.5, width - 0.5);
    // spread what is left out evenly
    for (std::size_t i = 0; i < count; ++i)
        scene.add_ball(0.5, 1.0, places[i * places.size() / count], random.normal3());
    scene.add_box(width);
    return {std::move(scene), width};
}

}  // namespace carom::tests
