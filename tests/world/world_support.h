// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/world/world.h"

namespace carom::world_test {

inline std::shared_ptr<const shape::Shape> shared(shape::Shape shape) {
    return std::make_shared<const shape::Shape>(std::move(shape));
}

// One law for all pairs.
inline world::Contacts all_by(const char* law, double e, double mu) {
    world::ContactLaw chosen;
    chosen.law = impact::find_law(law)->id;
    chosen.parameters.e = e;
    chosen.parameters.mu = mu;
    world::Contacts contacts;
    contacts.set("*", "*", chosen);
    return contacts;
}

inline world::Settings by_micro_collisions() {
    world::Settings settings;
    settings.contact = world::ContactMode::micro;
    return settings;
}

inline shape::Pose at(const Vec3& position,
                      const motion::Quat& orientation = motion::Quat::Identity()) {
    return {position, orientation};
}

inline world::BodySpec floor_plane() {
    world::BodySpec spec;
    spec.name = "floor";
    spec.shape = shared(shape::make_half_space(Vec3::UnitZ()));
    spec.fixed = true;
    return spec;
}

inline world::BodySpec body(std::string name, shape::Shape shape, const shape::Pose& pose,
                            double mass = 1.0) {
    world::BodySpec spec;
    spec.name = std::move(name);
    spec.shape = shared(std::move(shape));
    spec.pose = pose;
    spec.mass = mass;
    return spec;
}

// All that a world tells.
struct Log : world::Listener {
    std::vector<world::Event> events;
    std::vector<world::Segment> segments;
    std::vector<world::ContactForce> forces;
    std::vector<std::pair<double, std::vector<std::uint8_t>>> checkpoints;

    void on_event(const world::Event& event) override { events.push_back(event); }
    void on_segment(const world::Segment& segment) override { segments.push_back(segment); }
    void on_force(const world::ContactForce& force) override { forces.push_back(force); }
    void on_checkpoint(double t, std::span<const std::uint8_t> bytes) override {
        checkpoints.emplace_back(t, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    }
};

inline bool same_bits(const motion::State& x, const motion::State& y) {
    return x.position == y.position && x.velocity == y.velocity &&
           x.angular_velocity == y.angular_velocity &&
           x.orientation.coeffs() == y.orientation.coeffs();
}

}  // namespace carom::world_test
