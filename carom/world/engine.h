// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/math/stop.h"
#include "carom/world/audit.h"
#include "carom/world/body.h"
#include "carom/world/byte_stream.h"
#include "carom/world/contacts.h"
#include "carom/world/event.h"
#include "carom/world/force_work.h"
#include "carom/world/settings.h"

namespace carom::world {

// What an engine works on; the world owns it.
struct EngineInput {
    const Settings& settings;
    const Contacts& contacts;
    std::span<const Body> bodies;
    Tally& tally;
};

// A way to run a world. There are two: Simulator takes any bodies, BallEngine only balls without
// gravity and forces between still planes, a few hundred thousand of them if need be. Which one is
// used follows from settings and bodies (BallEngine::fits). Both resolve a single impact by the law
// of its pair, and the events of such runs are the same but for rounding. Impacts at one instant
// BallEngine takes one after another, and it knows neither micro-collisions nor sleep.
class Engine {
public:
    virtual ~Engine() = default;
    // Finds the first events from where the bodies are at time().
    virtual void rebuild() = 0;
    // Goes on to `until` >= time(), without checkpoints. Every body's state is then that of
    // `until`, but motions are not begun anew there. When the check says stop it returns false
    // between two events, with time() that of the last one; inside an event it throws Stopped, and
    // can only be loaded from a checkpoint then.
    virtual bool run(double until, Listener* listener, const StopCheck& stop = {}) = 0;
    virtual double time() const = 0;
    virtual motion::State state(BodyId body) const = 0;
    virtual bool asleep(BodyId body) const = 0;
    // What each body does now: its segment as it was reported to listeners.
    virtual Segment segment(BodyId body) const = 0;
    // The forces of lasting contacts since they were last reported, until now. Nothing changes.
    virtual void tell_forces(Listener&) const {}
    // The work of those forces.
    virtual ForceWork::Work open_work() const { return {}; }
    // All that rebuild() cannot find by itself.
    virtual void save(ByteWriter& out) const = 0;
    virtual void load(ByteReader& in) = 0;
};

}  // namespace carom::world
