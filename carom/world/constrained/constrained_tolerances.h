// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

// Exact motions of bodies in lasting contact. L is the radius of the smaller free body, g the scale
// of accelerations, so that sqrt(L / g) is a time and sqrt(g L) a speed; each line says what ten
// times larger does.
struct ConstrainedTolerances {
    // Error of one step, relative to sizes and speeds of the motion. Larger: two thirds of the
    // steps, one digit less.
    double relative = 1e-12;
    // The same while a slip is small: no more than the slip that counts as none. Larger: a slip
    // ends in another direction, with a velocity that is off by as much.
    double while_slip_is_small = 1e-10;
    // Gap up to which a point touches, in L. Larger: a point that comes down is down that early.
    double touching = 1e-9;
    // Overlap, in L, that steps of islands left and that they see to. Larger: it is held as it is,
    // and grows where both kinds of step take turns.
    double overlap = 1e-6;
    // The same of contacts that are loose: as deep as islands let them become.
    double loose_overlap = 1e-3;
    // By how much, in L, bodies may be deeper in each other within a step, by their distance, than
    // at its start; and those of loose contacts. Larger: what comes down unseen is seen that late.
    double deeper = 1e-8;
    double loose_deeper = 1e-5;
    // Overlap at the end of a step, in L, beyond which a point has come down within it. Larger: as
    // much deeper.
    double landed = 1e-12;
    // Way beyond the end of a face or an edge, in L, on which a point is still on it. Larger: it is
    // carried as much farther out.
    double beyond = 1e-9;
    // Speed of a point that touches, in sqrt(g L), below which it comes down, or is kicked up, by
    // less than the gap at which it touches: it is taken off the velocities. Larger: blocks that
    // rock rattle less long before they are at rest, and lose as much more energy at their end.
    double approach = 4e-5;
    // The same of bodies that are wedged, so that plastic impulses leave some of it. Larger: faster
    // approach is taken up so.
    double wedged = 0.5;
    // Slip, in sqrt(g L), that counts as none. Larger: slips end that much sooner.
    double slip = 1e-9;
    // Slip, in sqrt(g L), below which its direction is the one that lasts. Larger: the direction of
    // friction is as much less exact while a slip begins or ends.
    double small_slip = 1e-5;
    // Force, in the weight of the smaller body, below which a point carries nothing; acceleration,
    // in g, below which it does not slip or part. Larger: as much is overlooked.
    double carries = 1e-9;
    double parts = 1e-9;
    // By how much a force may be outside its cone, relative to the largest, before the kinds of
    // contact are found anew. Larger: slips begin and contacts end that much later.
    double outside = 1e-8;
    // Step of the problem that finds the kinds of contact, in sqrt(L / g). Larger: slips that would
    // end in that time end at once.
    double moment = 1e-6;
    // First, longest and shortest step, in sqrt(L / g), and the largest turn in one (rad). Larger:
    // more tries; later looks at what comes down; more trust in what the manifold at the end of a
    // step shows.
    double first_step = 0.01;
    double longest_step = 2.0;
    double shortest_step = 1e-12;
    double longest_turn = 0.3;
    // Bodies whose exact steps cover less than this on average, in sqrt(L / g), and have done so
    // for so many steps, go on with one step of an island: slips that turn ever faster, edges that
    // land one after the other. Larger: that happens to slower changes; it is seen that much later.
    double pays = 1e-5;
    double patience = 200.0;
    // The same of several free bodies, whose steps take longer: while they rattle on each other,
    // steps of islands go on.
    double several_pays = 1e-2;
    double several_patience = 50.0;
    // Energy, in the kinetic energy and m g L of the bodies, that a step may add. Larger: steps
    // whose conditions are all but singular pass.
    double gain = 1e-9;
    // Speed, in sqrt(g L), and acceleration, in g, below which bodies rest. Larger: what begins to
    // move very slowly is held.
    double rest_speed = 1e-8;
    double rest_acceleration = 1e-8;
};
inline constexpr ConstrainedTolerances k_constrained_tolerances{};

}  // namespace carom::world
