// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "carom/world/graph/graph.h"
#include "tests/world/world_support.h"

namespace carom::world_test {

// A graph of a few bodies, for tests of what reads one.
//
//     GraphScene scene(settings, contacts);
//     const BodyId ball = scene.add(...);    // all bodies before the first call of graph()
//     scene.hold(ball, floor);               // their contact is active
//     scene.graph();
//
// Boxes and pairs are those of time 0.
class GraphScene {
public:
    GraphScene(const world::Settings& settings, world::Contacts contacts)
        : settings_(settings), contacts_(std::move(contacts)) {}

    world::BodyId add(const world::BodySpec& spec) {
        bodies_.push_back(world::make_body(spec, contacts_.material(spec.material)));
        return static_cast<world::BodyId>(bodies_.size() - 1);
    }
    world::Graph& graph() {
        if (!graph_) {
            graph_ = std::make_unique<world::Graph>(input());
            graph_->broad_phase().rebuild(0.0);
        }
        return *graph_;
    }
    world::EngineInput input() { return {settings_, contacts_, bodies_, tally_}; }
    const world::Body& body(world::BodyId id) const { return bodies_[id]; }
    world::Tally& tally() { return tally_; }
    const Vec3& gravity() const { return settings_.gravity; }

    // The near pair of two bodies; throws where they are not near.
    std::uint32_t pair(world::BodyId a, world::BodyId b) {
        const std::uint32_t found = graph().broad_phase().find(a, b);
        if (found >= graph().pair_count()) throw std::logic_error("these bodies are not near");
        return found;
    }
    // Their contact is active; the normal is from b to a of the pair.
    std::uint32_t hold(world::BodyId a, world::BodyId b) {
        const std::uint32_t i = pair(a, b);
        graph().pair(i).contact.active = true;
        graph().pair(i).contact.t1 = world::PersistentContact::k_long_ago;
        return i;
    }
    void put_to_sleep(world::BodyId id) {
        motion::State state = graph().track(id).at(0.0);
        state.velocity.setZero();
        state.angular_velocity.setZero();
        graph().track(id).go({0.0, id, world::SegmentKind::asleep, state}, settings_.gravity);
    }

private:
    world::Settings settings_;
    world::Contacts contacts_;
    std::vector<world::Body> bodies_;
    world::Tally tally_;
    std::unique_ptr<world::Graph> graph_;
};

inline constexpr double k_g = 9.81;  // Settings::gravity, m/s^2

inline world::Settings with_gravity(const Vec3& gravity) {
    world::Settings settings;
    settings.gravity = gravity;
    return settings;
}

inline world::BodySpec moving(world::BodySpec spec, const Vec3& velocity,
                              const Vec3& angular_velocity = Vec3::Zero()) {
    spec.velocity = velocity;
    spec.angular_velocity = angular_velocity;
    return spec;
}

// A cube with sides of 1 m, a ball with a radius of 1/4 m: where they touch, they do so exactly.
inline world::BodySpec cube(const Vec3& place, double mass = 1.0) {
    return body("", shape::make_box({1.0, 1.0, 1.0}), at(place), mass);
}
inline world::BodySpec ball(const Vec3& place, double mass = 1.0) {
    return body("", shape::make_sphere(0.25), at(place), mass);
}
inline world::BodySpec fixed(world::BodySpec spec) {
    spec.fixed = true;
    spec.mass.reset();
    return spec;
}

// m v.v / 2 + w.I w / 2, with the moments of the body's own axes.
inline double kinetic_energy(const world::Body& body, const motion::Quat& orientation,
                             const Vec3& v, const Vec3& w) {
    if (body.fixed) return 0.0;
    const Vec3 own = orientation.conjugate() * w;
    return 0.5 * body.mass * v.squaredNorm() + 0.5 * own.dot(body.inverse_inertia.inverse() * own);
}

}  // namespace carom::world_test
