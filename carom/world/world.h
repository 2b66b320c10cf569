// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "carom/math/stop.h"
#include "carom/world/audit.h"
#include "carom/world/body.h"
#include "carom/world/contacts.h"
#include "carom/world/event.h"
#include "carom/world/settings.h"

namespace carom::world {

// Bodies that fly, hit each other, slide, roll and rest. Impacts are impulses by the law of their
// pair. Lasting contact has forces: in closed form for a sphere on a plane, by the equations of
// motion for a few bodies in contact, by time steps for many (docs/simulation.md). If
// Settings::contact says so, it is a sequence of small impacts instead.
//
//     World world(settings, contacts);
//     const BodyId ball = world.add({.name = "ball", .shape = ..., .mass = 1.0, ...});
//     world.add({.name = "floor", .shape = ..., .fixed = true});
//     world.run(5.0);
//     world.state(ball).position;
//
// Time begins at 0. Bodies are added before the first run. Same calls, same bits; run(1) run(2) is
// the same as run(2).
//
// Threads. Distinct worlds may be used on distinct threads at once, also if they share shapes. Of
// one world, const calls may be made on several threads at once, but none while another call that
// is not const goes on; listeners and stop checks are called on the thread that runs. With
// Settings::threads a run uses threads of its own besides, for which all this holds too.
class World {
public:
    World(const Settings& settings, Contacts contacts);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // Throws std::invalid_argument with what is wrong; the message begins with the body's name. No
    // two bodies may have the same name, but for bodies without one.
    BodyId add(const BodySpec& spec);

    // Goes on to the given time, which must be finite and not before time(): else
    // std::invalid_argument. Before the first event every pair of materials that could meet must
    // have a law and no two bodies may overlap: std::invalid_argument too. std::runtime_error when
    // impacts at one instant do not end, or when bodies that move as they are told leave no room
    // for what is between them.
    //
    // `stop` is asked before each event and again and again inside long ones. When it says so
    // before an event the run ends there: false is returned, time() is that of the last event, and
    // the world can go on as if nothing had been. Inside an event Stopped is thrown: the event is
    // given up half done, and the world is of no use any more but to be destroyed. What was
    // reported to listeners after their last on_whole() or on_checkpoint() does not count then.
    bool run(double until, Listener* listener = nullptr, const StopCheck& stop = {});

    // Reports the forces of lasting contacts that are still going on, from where they were last
    // reported until now: for the end of a run. Changes nothing.
    void tell_forces(Listener& listener) const;

    // From a checkpoint of a world with the same settings, contacts and bodies. Throws
    // std::invalid_argument when the bytes are not such.
    void restore(std::span<const std::uint8_t> bytes);

    double time() const;
    std::size_t body_count() const { return bodies().size(); }
    // These take the number of a body, as add() gave it. std::out_of_range for any other, and for
    // k_no_body, which find() gives for a name that no body has.
    const Body& body(BodyId id) const;
    // Of the centre of mass, now.
    motion::State state(BodyId id) const;
    shape::Pose pose(BodyId id) const;  // of the shape's frame, now
    bool asleep(BodyId id) const;

    std::span<const Body> bodies() const;
    BodyId find(std::string_view name) const;  // k_no_body when there is none

    const Settings& settings() const;
    const Contacts& contacts() const;
    const Tally& tally() const;
    Audit audit() const;

private:
    void check_id(BodyId id) const;
    void check_time(double until) const;
    void prepare();
    bool run_from_checkpoint_to_checkpoint(double until, Listener* listener, const StopCheck& stop);
    std::vector<std::uint8_t> checkpoint() const;
    void read_checkpoint(std::span<const std::uint8_t> bytes);

    // The engine points into it, so that it stays where it is when the world moves.
    struct Inside;
    std::unique_ptr<Inside> in_;
};

// Two bodies that overlap where they are first placed.
struct Overlap {
    BodyId a, b;
    double depth;  // m
};
// All of them, deepest first. Overlaps of less than 1e-9 of the smaller body's radius do not count.
std::vector<Overlap> find_overlaps(std::span<const Body> bodies);

}  // namespace carom::world
