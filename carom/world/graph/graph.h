// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "carom/world/engine.h"
#include "carom/world/graph/body_index.h"
#include "carom/world/graph/broad_phase.h"

namespace carom::world {

// The free bodies that hang together by active contacts, and those contacts, in the order of their
// numbers. Sleepers of a pile are left out: what touches one takes the steps of a pile.
struct Component {
    std::vector<BodyId> bodies;
    std::vector<std::uint32_t> pairs;
    BodyId sleeper = k_no_body;  // one that is to be woken first
    bool touches_pile = false;   // a body of a pile, or a sleeper of one
};

// Many bodies that take their steps together (pile/).
struct Pile {
    std::vector<BodyId> bodies;  // by number; those that have left have another BodyTrack::pile
    double until = 0.0;          // its step ends
    double began = 0.0;          // its step began
    bool is_cut = false;         // by an impact at this instant: its rest is to begin
    double length = 0.0;         // that its last step suggests for the next, s; 0: none
    // Energy that its steps have gained and not lost since; negative: that the last step has taken
    // up of approaches that part with the next one. J
    double debt = 0.0;
    double overlap = 0.0;    // the deepest at the start of its last step, in L of the pair
    std::uint32_t cuts = 0;  // how often impacts have cut the step
    struct Disturbed {
        BodyId body, by;
    };
    std::vector<Disturbed> disturbed;  // sleepers that wake with the next step
};

// Bodies are nodes, near pairs are edges; an edge with an active contact connects its bodies.
// Components, the bodies that wake together and the bodies that sleep together are queries here.
class Graph {
public:
    explicit Graph(const EngineInput& input);

    std::size_t body_count() const { return tracks_.size(); }
    BodyTrack& track(BodyId id) { return *tracks_[id]; }
    const BodyTrack& track(BodyId id) const { return *tracks_[id]; }
    std::size_t pair_count() const { return near_.size(); }
    ContactPair& pair(std::uint32_t i) { return near_[i]; }
    const ContactPair& pair(std::uint32_t i) const { return near_[i]; }
    BroadPhase& broad_phase() { return near_; }
    const BroadPhase& broad_phase() const { return near_; }

    // The lowest name that no pile has.
    PileId free_pile_name() const;
    std::map<PileId, Pile>& piles() { return piles_; }
    const std::map<PileId, Pile>& piles() const { return piles_; }

    const Settings& settings() const { return settings_; }
    double gravity() const { return gravity_; }  // m/s^2
    // The acceleration (m/s^2) that lasting contact of these bodies is measured by: that of
    // gravity; without, what their own motion makes, |w|^2 r + |v - mean v|^2 / r at most. With L
    // a length, sqrt(L / a) is a time and sqrt(a L) a speed that matter; the time is 1e3 s at most.
    double acceleration_scale(std::span<const BodyId> bodies) const;

    // Whether contact of the two can last: neither has forces of its own, and it is not made of
    // micro-collisions, which there are with gravity only.
    bool can_last(const ContactPair& pair) const;
    bool before(std::uint32_t x, std::uint32_t y) const;  // in the order of their bodies
    std::vector<std::uint32_t> active_pairs() const;
    bool has_active_contact(BodyId id) const;
    bool touches_sleeper(BodyId id) const;  // with an active contact
    // Whether the two have hit each other so lately that they count as touching (micro-collisions).
    bool touched_lately(const ContactPair& pair, double t) const;

    void find_component(BodyId first, Component& out);
    // The awake free bodies that hang together by near pairs whose contact can last and that the
    // caller does not know to be far: swept boxes of huge or fast bodies reach far around them.
    using IsFar = std::function<bool(const ContactPair&)>;
    void find_near_component(BodyId first, std::vector<BodyId>& out, const IsFar& is_far = {});
    // A sleeper and all that sleep in touch with it, whoever else they slept with.
    std::vector<BodyId> sleepers_with(BodyId first);
    // The free bodies that touched the first one lately, itself included; false when one of them
    // has not been quiet for long enough or touches a moving body.
    bool find_quiet(BodyId first, double t, std::vector<BodyId>& out) const;

private:
    const Settings& settings_;
    double gravity_;
    std::vector<std::unique_ptr<BodyTrack>> owned_;
    std::vector<BodyTrack*> tracks_;
    BroadPhase near_;
    BodyIndex seen_;
    std::map<PileId, Pile> piles_;
};

}  // namespace carom::world
