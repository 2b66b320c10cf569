// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/detect/swept_hash.h"
#include "carom/world/contacts.h"
#include "carom/world/graph/body_track.h"
#include "carom/world/graph/contact_pair.h"

namespace carom::world {

// The pairs of bodies that could touch soon, and the swept boxes by which they are found.
//
// Each body has a box that holds it for a time in which it goes about as far as its radius, a
// little larger than needed so that small impacts need no new one. Pairs are the bodies whose boxes
// overlap, and every body with an unbounded one. Fixed bodies do not pair with each other.
class BroadPhase {
public:
    BroadPhase(std::span<BodyTrack* const> tracks, const Contacts& contacts, double micro,
               const Vec3& gravity);

    // All boxes and pairs anew.
    void rebuild(double t);
    // A new box for a body. The pairs that came are appended to `fresh`; those that went are gone,
    // and appended to `gone`.
    void renew(BodyId body, double t, std::vector<std::uint32_t>& fresh,
               std::vector<std::uint32_t>& gone);
    // Whether the body's box still holds it, now that its motion has changed; to the end of its
    // step if it is held, for which the box is then good.
    bool is_still_boxed(BodyId body, double t);

    ContactPair& operator[](std::uint32_t i) { return pairs_[i]; }
    const ContactPair& operator[](std::uint32_t i) const { return pairs_[i]; }
    std::size_t size() const { return pairs_.size(); }
    // The pair of two bodies; size() when they are not near.
    std::uint32_t find(BodyId a, BodyId b) const;

private:
    void set_box(BodyId body, double t);
    bool may_meet(BodyId a, BodyId b) const;
    std::uint32_t add(BodyId a, BodyId b, bool permanent);
    void drop(std::uint32_t pair);

    std::span<BodyTrack* const> tracks_;
    const Contacts& contacts_;
    double micro_;
    double gravity_;
    detect::SweptHash hash_;
    std::vector<ContactPair> pairs_;
    std::vector<std::uint32_t> free_;
    std::vector<detect::SweptHash::Id> others_;
};

}  // namespace carom::world
