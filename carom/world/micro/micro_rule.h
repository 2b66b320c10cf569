// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>

#include "carom/impact/problem.h"
#include "carom/world/contacts.h"
#include "carom/world/event.h"

namespace carom::world {

// Contact that lasts, as a sequence of micro-collisions.
//
// Nothing is declared to rest, slide or roll. With L the radius of the smaller free body,
//     v = micro sqrt(g L)
// is the speed of the smallest micro-bounces. A pair that touches again within the time of a few of
// them is in lasting contact; its impacts slower than 4 v are micro-collisions: with s the approach
// speed, they part with max(e s, v). The tangential velocity is turned round exactly
// (impact/micro.h) where the impulse for all this lies in the friction cone, so that a block on a
// ramp does not creep; else the pair's own law is used, with the restitution that gives that speed.
//
// So a sequence of ever smaller bounces ends in micro-bounces of the constant height v^2 / 2g =
// micro^2 L / 2, which lose nothing, and their mean impulse is the contact force. An approach
// slower than v gains the little that keeps micro-bounces from vanishing. What a pair has gained
// so, and not lost since, is its energy to repay (debt): faster micro-collisions pay it back, by
// parting slower, though never slower than v.
//
// A first touch that is not followed by another keeps its law whatever its speed, but for touches
// slower than v / 100: bodies placed in contact are in lasting contact at once. Without gravity
// there are no micro-collisions.
// Source: Mirtich and Canny, section 4.5; the smallest micro-bounce and the memory of the last
// impact are our own.
class MicroRule {
public:
    // The fastest micro-collision, in speeds of a micro-bounce: the restitution threshold.
    static constexpr double k_fastest = 4.0;

    MicroRule() = default;
    MicroRule(double micro, double gravity, double length);

    // Whether an approach with this speed, so long after the last impact, is a micro-collision.
    bool is_micro(double approach_speed, double since_last) const;
    // v, the speed of a micro-bounce
    double hop_speed() const { return hop_speed_; }
    // How long after an impact the pair still counts as touching.
    double memory() const { return memory_; }

private:
    double hop_speed_ = 0.0;
    double memory_ = 0.0;
};

// The law's e; 0 for a law without one.
double restitution_of(const ContactLaw& law);
// The speed with which a micro-collision parts: what restitution leaves, less the energy to repay,
// and at least that of a micro-bounce. inverse_mass is that of the contact along the normal.
double parting_speed(double restored, double inverse_mass, double hop_speed, double debt);

// What an impact does, in the contact frame.
struct Resolved {
    Vec3 p;
    impact::LawId law;
};

// The impulse of one impact by the law of the pair. Throws std::runtime_error with the reason when
// the law does not apply to this contact.
Resolved resolve_by_law(const impact::Contact& contact, const ContactLaw& law);
// The impulse of a micro-collision; debt: the energy to repay, J.
Resolved resolve_micro(const impact::Contact& contact, const ContactLaw& law, double hop_speed,
                       double debt);

}  // namespace carom::world
