// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

#include "pile_scene.h"

namespace carom::bench {
namespace {

constexpr int k_most_contacts = 8;

// What the callback of the collision phase needs, and the deepest contact of the step.
struct Step {
    dWorldID world;
    dJointGroupID joints;
    double mu, e;
    double deepest;
};

void touch(void* data, dGeomID a, dGeomID b) {
    Step& step = *static_cast<Step*>(data);
    const dBodyID body_a = dGeomGetBody(a);
    const dBodyID body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    std::array<dContact, k_most_contacts> contacts{};
    const int count = dCollide(a, b, k_most_contacts, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
        dContact& contact = contacts[static_cast<std::size_t>(i)];
        step.deepest = std::max(step.deepest, static_cast<double>(contact.geom.depth));
        contact.surface.mode = dContactBounce | dContactApprox1;
        contact.surface.mu = step.mu;
        contact.surface.bounce = step.e;
        contact.surface.bounce_vel = 0.0;
        dJointAttach(dJointCreateContact(step.world, step.joints, &contact), body_a, body_b);
    }
}

class Simulation {
public:
    explicit Simulation(const PileScene& scene) {
        dInitODE2(0);
        world_ = dWorldCreate();
        space_ = dHashSpaceCreate(nullptr);
        joints_ = dJointGroupCreate(0);
        dWorldSetGravity(world_, 0, 0, -9.81);
        dWorldSetERP(world_, 0.2);
        dWorldSetCFM(world_, 1e-10);
        add_bin(scene);
        for (const PileBody& body : scene.bodies)
            add_body(scene, body);
    }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;
    ~Simulation() {
        dJointGroupDestroy(joints_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
        dCloseODE();
    }

    // Returns the deepest contact.
    double advance(const PileScene& scene, double h) {
        Step step{world_, joints_, scene.mu, scene.e, 0.0};
        dSpaceCollide(space_, &step, touch);
        dWorldQuickStep(world_, h);
        dJointGroupEmpty(joints_);
        return step.deepest;
    }
    double kinetic() const {
        double sum = 0.0;
        for (const dBodyID body : bodies_) {
            const dReal* v = dBodyGetLinearVel(body);
            dMass mass;
            dBodyGetMass(body, &mass);
            sum += 0.5 * mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
        return sum;
    }

private:
    void add_bin(const PileScene& scene) {
        const double w = scene.width;
        const double t = scene.wall;
        const double h = scene.height;
        const auto wall = [&](double sx, double sy, double sz, double x, double y, double z) {
            dGeomSetPosition(dCreateBox(space_, sx, sy, sz), x, y, z);
        };
        wall(w + 2 * t, w + 2 * t, t, 0, 0, -0.5 * t);
        for (const double side : {-1.0, 1.0}) {
            wall(t, w + 2 * t, h, side * 0.5 * (w + t), 0, 0.5 * h);
            wall(w, t, h, 0, side * 0.5 * (w + t), 0.5 * h);
        }
    }
    void add_body(const PileScene& scene, const PileBody& from) {
        const dBodyID body = dBodyCreate(world_);
        dMass mass;
        dGeomID geom = nullptr;
        if (from.sphere) {
            dMassSetSphere(&mass, scene.density, 0.5 * scene.size);
            geom = dCreateSphere(space_, 0.5 * scene.size);
        } else {
            dMassSetBox(&mass, scene.density, scene.size, scene.size, scene.size);
            geom = dCreateBox(space_, scene.size, scene.size, scene.size);
        }
        dBodySetMass(body, &mass);
        dGeomSetBody(geom, body);
        dBodySetPosition(body, from.position.x(), from.position.y(), from.position.z());
        const double s = std::sin(0.5 * from.angle);
        const dQuaternion q = {std::cos(0.5 * from.angle), s * from.axis.x(), s * from.axis.y(),
                               s * from.axis.z()};
        dBodySetQuaternion(body, q);
        bodies_.push_back(body);
    }

    dWorldID world_ = nullptr;
    dSpaceID space_ = nullptr;
    dJointGroupID joints_ = nullptr;
    std::vector<dBodyID> bodies_;
};

}  // namespace

PileResult run_ode(const PileScene& scene, double duration, double step) {
    Simulation simulation(scene);
    PileResult result;
    const long steps = std::lround(duration / step);
    const std::clock_t start = std::clock();
    const auto began = std::chrono::steady_clock::now();
    for (long k = 0; k < steps; ++k)
        result.overlap = std::max(result.overlap, simulation.advance(scene, step));
    result.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    result.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    result.kinetic = simulation.kinetic();
    return result;
}

}  // namespace carom::bench
