// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <chrono>
#include <ctime>
#include <memory>
#include <string>

#include "carom/world/world.h"
#include "pile_scene.h"

namespace carom::bench {
namespace {

world::World make_world(const PileScene& scene, int threads) {
    world::Settings settings;
    settings.contact = world::ContactMode::lasting;
    settings.threads = threads;
    world::Contacts contacts;
    contacts.set("*", "*", impact::law::routh({.e = scene.e, .mu = scene.mu}));
    world::World world(settings, contacts);
    const auto fixed = [&](const char* name, const Vec3& size, const Vec3& position) {
        world::BodySpec spec;
        spec.name = name;
        spec.shape = std::make_shared<const shape::Shape>(shape::make_box(size));
        spec.pose.position = position;
        spec.fixed = true;
        world.add(spec);
    };
    const double w = scene.width;
    const double t = scene.wall;
    const double h = scene.height;
    fixed("floor", {w + 2 * t, w + 2 * t, t}, {0, 0, -0.5 * t});
    fixed("east", {t, w + 2 * t, h}, {0.5 * (w + t), 0, 0.5 * h});
    fixed("west", {t, w + 2 * t, h}, {-0.5 * (w + t), 0, 0.5 * h});
    fixed("north", {w, t, h}, {0, 0.5 * (w + t), 0.5 * h});
    fixed("south", {w, t, h}, {0, -0.5 * (w + t), 0.5 * h});
    const auto sphere = std::make_shared<const shape::Shape>(shape::make_sphere(0.5 * scene.size));
    const auto cube =
        std::make_shared<const shape::Shape>(shape::make_box(Vec3::Constant(scene.size)));
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const PileBody& body = scene.bodies[i];
        world::BodySpec spec;
        spec.name = "body-" + std::to_string(i + 1);
        spec.shape = body.sphere ? sphere : cube;
        spec.density = scene.density;
        spec.pose.position = body.position;
        spec.pose.orientation = Eigen::AngleAxisd(body.angle, body.axis);
        world.add(spec);
    }
    return world;
}

}  // namespace

PileResult run_carom(const PileScene& scene, double duration, int threads) {
    world::World world = make_world(scene, threads);
    PileResult result;
    const std::clock_t start = std::clock();
    const auto began = std::chrono::steady_clock::now();
    world.run(duration);
    result.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    result.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    result.overlap = world.audit().max_overlap;
    for (world::BodyId i = 0; i < world.body_count(); ++i) {
        if (world.body(i).fixed) continue;
        result.asleep += world.asleep(i) ? 1 : 0;
        const motion::State s = world.state(i);
        result.kinetic += 0.5 * world.body(i).mass * s.velocity.squaredNorm();
    }
    return result;
}

}  // namespace carom::bench
