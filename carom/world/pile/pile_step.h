// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/math/stop.h"
#include "carom/world/audit.h"
#include "carom/world/graph/graph.h"
#include "carom/world/touch/manifold_batch.h"

namespace carom::world {

// Many bodies in touch, or near those in touch, whose impacts are too many to be resolved one by
// one.
//
// All bodies of a pile get their impulses together, at the start of a step of length h, and fly
// from there to its end: gravity and free rotation are exact, and what rests makes micro-bounces of
// the height g h^2 / 8. With the gap of every point of every near pair, and u the velocity in the
// middle of the flight, v0 + g h / 2 and the impulse,
//     u_n >= -gap / h,    complementary to the normal impulse,
// and Coulomb's cone (cone_solver.h), so that nothing goes through the other. What comes down
// faster than the restitution threshold is left to the law of its pair, at its own time, which cuts
// the step (PileSpan). Or it is brought to its touch at the end of the step, and with the next
// impulse it parts with e times the speed it came with: Newton's restitution, one step late.
// Impulses are reported as the mean forces of their steps. No step adds energy, but for that of the
// micro-bounces (gain_allowed).
//
// Turning bends gaps, and brings other features together than those that the step began with. So
// the pairs for which that can matter are looked at where their bodies will be at the end of the
// flight, and where turning bends a gap upwards in its middle too. Where a gap is below what it may
// be after the time s, its point has to part faster by what is missing:
//     u_n >= u_n now + (gap allowed - gap then) / s,
// and features that were not there before are points from then on. Each correction is a Newton step
// for the gaps at the end; the impulses go on from where they are.
//
// Reads the graph, changes nothing but caches of the contact search: the outcome is committed by
// the simulator.

// A sleeper that is to be woken, and by whom.
struct WakeRequest {
    BodyId body, by;
};

struct PilePairOutcome {
    std::uint32_t pair;
    bool touches;     // has points
    double gap;       // the smallest; of a pair without points: no contact within this, m
    double pressure;  // normal impulse, N s
    double rebound;   // ContactPair::rebound after the step, m/s
    bool covered;     // the step keeps it apart to its end
    Vec3 impulse;     // on a
    Vec3 couple;      // on a, about the centre of pressure, N m s
    Vec3 normal;      // of the last point that presses
    Vec3 point;       // centre of pressure at the start, if there is any pressure
    Vec3 drift;       // how fast that goes along, m/s
    std::size_t first_point, point_count;  // of PileOutcome::points
};
struct PileOutcome {
    double t = 0.0, h = 0.0;
    double whole = 0.0;    // as of PileSpan
    bool is_rest = false;  // as of PileSpan
    double next_length = 0.0;
    double owed = 0.0;  // energy that it takes up of approaches that part with the next step, J
    std::uint64_t restitutions = 0;  // hard approaches that it takes up, to part with the next one
    double credit = 0.0;             // energy that it may take now and later steps give back, J
    double lost = 0.0;               // energy that the impulses took, J
    Vec3 given = Vec3::Zero();       // momentum from bodies that move as they are told, N s
    double driven = 0.0;             // their work, J
    DeepestOverlap overlap;
    std::uint64_t queries = 0;
    std::vector<std::pair<BodyId, motion::State>> bodies;  // as they begin to fly
    std::vector<PilePairOutcome> pairs;
    std::vector<std::uint32_t> by_law;  // pairs of its bodies that the step has not seen to
    std::vector<PointForce> points;
};

// The time that a step goes on for. An impact in its middle cuts a step: what is left of it is one
// of its own, in which only those get impulses that the impact makes get in each other's way.
struct PileSpan {
    double t = 0.0, h = 0.0;
    double whole = 0.0;    // length of the step that this is the rest of, or h
    bool is_rest = false;  // of a step that was cut
    bool by_law = false;   // hard approaches are left to the laws of their pairs
};

// Whether what hits each other in the coming step of a pile does so by its law, at its own time:
// each such time is the beginning of a step of the whole pile.
bool resolves_by_law(const Settings& settings, const Pile& pile);

class PileStepper {
public:
    // What a step may leave of an overlap, in the allowed errors of a gap.
    static constexpr double k_most_left = 1.5;

    PileStepper(const Graph& graph, const StopCheck* const& stop)
        : graph_(graph),
          stop_(stop),
          index_(graph.body_count()),
          searches_(graph.settings().threads) {}

    // The length of the coming step of these bodies: as the last one suggests (0: there was none),
    // within limits, and no longer than what turns fastest allows.
    double length_of(const std::vector<BodyId>& bodies, double suggested) const;

    // Finds the points of a step of these bodies, from t on. Returns the sleepers that something
    // comes down on faster than the restitution threshold: they are to be woken, and all is to be
    // found anew.
    const std::vector<WakeRequest>& look(const std::vector<BodyId>& bodies, const PileSpan& span);
    // Pairs that touch as it begins and approach hard: impacts at this instant. Pre: look() by law.
    const std::vector<std::uint32_t>& hits() const { return hits_; }
    // Finds its impulses; returns the overlap, in sizes, that they would leave and should not.
    double solve();
    // Whether the impulses add energy: sweeps that have not converged can, corrections, and
    // overlaps that part. debt (J): Pile::debt.
    bool adds_energy(double debt);
    // Finds the impulses to rounding instead, without corrections, and no point has to part: those
    // add none. Should they nevertheless, as much of them is given as adds none. Pre: look().
    double solve_without_gain(double debt);
    // The fastest approach that the impulses leave beyond what they should, where, and whether a
    // body that presses on the pile moves as it is told; nothing where none does.
    struct Left {
        double speed = 0.0;  // m/s
        std::uint32_t pair = 0;
        bool driven = false;
    };
    Left approach_left() const;
    // Where the impulses leave a deep overlap sleepers are in the way: the nearest to it, along
    // contacts.
    const std::vector<WakeRequest>& sleepers_in_the_way();
    // The step as it is. Holds until the next look().
    const PileOutcome& outcome();

private:
    static constexpr std::uint32_t k_no_point = ~std::uint32_t{0};
    static constexpr std::uint32_t k_no_search = ~std::uint32_t{0};
    struct PileBody {
        motion::State state;        // at the start of the step
        motion::State middle, end;  // of the step, as its impulses have led so far
        std::uint64_t round = 0;    // of the corrections, in which those were found
        double speed;               // of its fastest place, at most, m/s
        double turn;                // its angle in the step, rad; a ball has none
        Vec3 v, w;                  // in the middle of the flight, of the last correction
        double displacement;        // of its places by corrections since the first, at most, m
        double travelled;           // at the start
        double radius;              // m; infinite: unbounded
        bool bounded, ball;
        bool driven;  // moves as it is told
    };
    // The smallest gap that a correction has seen, and the displacement of the two then; m. And the
    // search that this correction asks for, with the smallest gap that is allowed there, m.
    struct PileLook {
        double gap, displacement;
        std::uint32_t search;
        double allowed;
    };
    struct PilePair {
        std::uint32_t pair;
        std::uint32_t a, b;  // places in the step
        BodyId other;        // the body of the two whose list it is not in
        double size;         // m
        double reach;        // how far apart they can be and touch within the step, m
        double separation;   // no contact within this, m; counts for nothing where there are points
        double least;        // the smallest gap, m
        double rebound;      // m/s
        std::uint32_t first;   // point, the others by PilePoint::next
        std::uint32_t search;  // for the points at the start of the step
        bool by_law;           // approaches hard: hit at its own time, by its law
        bool hard;             // approaches hard, and the step takes it up
        PileLook end, middle;
    };
    // A time of the step at which pairs are looked at, in its length.
    struct PileInstant {
        motion::State PileBody::*then;
        PileLook PilePair::*look;
        double part;
    };
    static const PileInstant k_end_of_step, k_middle_of_step;
    struct PilePoint {
        std::uint64_t id;
        double gap;
        double size;         // of its pair, m
        double rebound;      // speed that it parts with at least, m/s; 0: none
        double target;       // normal velocity that it was to part with before corrections, m/s
        std::uint32_t next;  // of the same pair
    };

    double reach_of(const PileBody& a, const PileBody& b) const;
    std::uint32_t place_of(BodyId id);
    void list_pairs();
    bool is_apart(PilePair& seen, double reach) const;
    void take_points(PilePair& seen);
    // speed: the fastest of what is an impact within the step, m/s, 0: nothing is; touches: it is
    // one now.
    struct Approach {
        double speed;
        bool touches;
    };
    Approach hard_approach(const PilePair& seen, std::span<const ManifoldPoint> manifold) const;
    std::uint32_t add_point(PilePair& seen, const ManifoldPoint& point, const Vec3& place);
    void add_points(PilePair& seen, std::span<const ManifoldPoint> manifold);
    void plan_search(PilePair& seen);
    void warm_start(const PilePair& seen);
    bool lies_under(BodyId id) const;

    double target_velocity(std::size_t point) const;
    double gap_after(double gap, double size, double time) const;
    double overlap_left() const;
    double missing_velocity(std::size_t point) const;

    bool correct(double least, bool slides);
    void find_travel();
    void find_end(std::uint32_t place, BodyId body);
    double bend_of(const PilePair& seen) const;
    bool slides_far(const PilePair& seen) const;
    bool take_fresh(PilePair& seen);
    void plan_looks(PilePair& seen, double enough, bool slides);
    bool take_look(PilePair& seen, const PileInstant& at, double enough);
    void correct_point(PilePair& seen, const ManifoldPoint& point, motion::State PileBody::*then,
                       double missing);

    void give_pair(const PilePair& seen);
    void add_accounts();
    // Of its bodies at the start of the step: kinetic, and that of their micro-bounces; J.
    struct Energies {
        double kinetic, bounces;
    };
    Energies energies() const;
    void give_part(double allowed);
    void note_hops();
    Vec3 drift_of(const PilePair& seen, const Vec3& place) const;

    const Graph& graph_;
    const StopCheck* const& stop_;
    PileSpan span_;
    double t_ = 0.0, h_ = 0.0;
    double scale_ = 0.0;             // of accelerations, m/s^2
    Vec3 half_fall_ = Vec3::Zero();  // what gravity gives in half a step
    double error_ = 0.0;             // overlap that the last step has made, in sizes
    std::uint64_t round_ = 0;
    std::uint64_t queries_ = 0;
    DeepestOverlap overlap_;
    BodyIndex index_;
    std::vector<BodyId> ids_;
    std::vector<PileBody> bodies_;
    std::vector<impact::ConeBody> cone_bodies_;
    std::vector<impact::ConeContact> cone_contacts_;
    std::vector<PilePoint> points_;
    std::vector<PilePair> pairs_;
    std::vector<std::uint32_t> by_law_;  // pairs that the step does not see to
    ManifoldBatch searches_;
    std::vector<std::uint32_t> hits_;
    std::vector<WakeRequest> wakes_;
    impact::ConeSolver cones_;
    PileOutcome out_;
};

}  // namespace carom::world
