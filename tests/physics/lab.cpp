// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/physics/lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace carom::tests {
namespace {

// FNV-1a over the bytes of what it is fed.
class Hash {
public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i)
            value_ = (value_ ^ bytes[i]) * 0x100000001b3ULL;
    }
    void add(double x) { add(&x, sizeof x); }
    void add(std::uint32_t x) { add(&x, sizeof x); }
    void add(const Vec3& v) { add(v.data(), 3 * sizeof(double)); }
    void add(const motion::State& s) {
        add(s.position);
        add(s.orientation.coeffs().data(), 4 * sizeof(double));
        add(s.velocity);
        add(s.angular_velocity);
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

void note(const char* what, double value) {
    std::ostringstream text;
    text << value;
    ::testing::Test::RecordProperty(what, text.str());
}

}  // namespace

std::shared_ptr<const shape::Shape> shared(shape::Shape shape) {
    return std::make_shared<const shape::Shape>(std::move(shape));
}

shape::Pose at(const Vec3& position) {
    return {position, Eigen::Quaterniond::Identity()};
}

shape::Pose at(const Vec3& position, const Vec3& axis, double angle) {
    return {position, Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()))};
}

world::Contacts contacts(double e, double mu, const char* law) {
    world::ContactLaw contact;
    const impact::LawInfo& info = *impact::find_law(law);
    contact.law = info.id;
    contact.parameters.e = e;
    if (impact::takes(info, impact::ParameterId::mu)) contact.parameters.mu = mu;
    world::Contacts all;
    all.set("*", "*", contact);
    return all;
}

world::Settings settings(double micro) {
    world::Settings settings;
    settings.gravity = Vec3(0.0, 0.0, -k_gravity);
    settings.contact = world::ContactMode::micro;
    settings.micro = micro;
    return settings;
}

world::Settings weightless() {
    world::Settings settings;
    settings.gravity.setZero();
    return settings;
}

BodyId add_floor(World& world) {
    return world.add(
        {.name = "floor", .shape = shared(shape::make_half_space(Vec3::UnitZ())), .fixed = true});
}

BodyId add_ball(World& world, const char* name, double radius, const Vec3& position,
                const Vec3& velocity, double mass) {
    return world.add({.name = name,
                      .shape = shared(shape::make_sphere(radius)),
                      .pose = at(position),
                      .velocity = velocity,
                      .mass = mass});
}

std::vector<Event> Log::of(EventKind kind) const {
    std::vector<Event> some;
    std::copy_if(events.begin(), events.end(), std::back_inserter(some),
                 [kind](const Event& event) { return event.kind == kind; });
    return some;
}

std::vector<Event> Log::between(BodyId a, BodyId b, EventKind kind) const {
    std::vector<Event> some = of(kind);
    std::erase_if(some, [a, b](const Event& event) {
        return std::minmax(event.a, event.b) != std::minmax(a, b);
    });
    return some;
}

std::uint64_t hash(const Log& log) {
    Hash hash;
    for (const Event& event : log.events) {
        hash.add(event.t);
        hash.add(static_cast<std::uint32_t>(event.kind));
        hash.add(event.a);
        hash.add(event.b);
        hash.add(event.point);
        hash.add(event.impulse);
    }
    for (const world::Segment& segment : log.segments) {
        hash.add(segment.t0);
        hash.add(segment.body);
        hash.add(segment.state);
    }
    return hash.value();
}

std::uint64_t hash(const World& world) {
    Hash hash;
    for (BodyId id = 0; id < world.body_count(); ++id)
        hash.add(world.state(id));
    return hash.value();
}

void expect_close(const char* what, double measured, double exact, double tolerance) {
    const double error = std::abs(measured - exact) / std::abs(exact);
    note(what, error);
    EXPECT_LE(error, tolerance) << what << ": " << measured << " instead of " << exact;
}

void expect_below(const char* what, double measured, double limit) {
    note(what, std::abs(measured));
    EXPECT_LT(std::abs(measured), limit) << what;
}

void expect_balanced(const World& world, double overlap) {
    const world::Audit audit = world.audit();
    double turned = std::abs(audit.energy_start) + std::abs(audit.energy_end) +
                    std::abs(audit.energy_lost) + audit.energy_gained + std::abs(audit.driven);
    double smallest = std::numeric_limits<double>::infinity();
    for (BodyId id = 0; id < world.body_count(); ++id) {
        smallest = std::min(smallest, world.body(id).radius);
        // what went from height into speed, or back
        turned += 0.5 * world.body(id).mass * world.state(id).velocity.squaredNorm();
    }
    constexpr double k_balance = 1e-12;
    note("energy_residual", turned > 0.0 ? std::abs(audit.energy_residual) / turned : 0.0);
    EXPECT_LE(std::abs(audit.energy_residual), k_balance * turned);
    EXPECT_LE(audit.momentum_residual, k_balance * audit.momentum_scale);
    note("overlap", audit.max_overlap / smallest);
    EXPECT_LE(audit.max_overlap, overlap * smallest);
}

scene::Scene read_scene(const std::string& name, world::ContactMode contact) {
    scene::Scene scene = scene::read_scene(CAROM_SOURCE_DIR "/scenes/" + name + ".toml");
    scene.settings.contact = contact;
    return scene;
}

Simulated simulate(scene::Scene scene) {
    World world = scene::make_world(scene);
    Log log;
    world.run(scene.duration, &log);
    return {std::move(scene), std::move(world), std::move(log)};
}

double angle_between(const World& world, BodyId body, const Vec3& own_axis, const Vec3& direction) {
    const Vec3 axis = world.state(body).orientation * own_axis.normalized();
    const Vec3 other = direction.normalized();
    return std::atan2(axis.cross(other).norm(), axis.dot(other));
}

namespace {

std::string name_of_mode(const testing::TestParamInfo<world::ContactMode>& info) {
    return world::name_of(info.param);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Contact, Scene,
                         testing::Values(world::ContactMode::micro, world::ContactMode::lasting),
                         name_of_mode);

}  // namespace carom::tests
