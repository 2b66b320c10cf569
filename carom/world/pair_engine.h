// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/impact/multiple/sequential.h"
#include "carom/world/engine.h"
#include "carom/world/island.h"
#include "carom/world/near_pairs.h"

namespace carom::world {

// The engine for any bodies.
//
// One queue holds, for every near pair, a time before which it certainly does not touch (or at
// which it does), and for every body the time at which its swept box ends. The earliest entry is
// taken; only its bodies are looked at. A pair that touches is resolved by the law of its materials
// (lasting.h for contact that lasts), its bodies get new motions from there, and their pairs new
// times. Nothing else changes.
//
// Bodies in lasting contact (settings.h) take steps together, island by island: each has a motion
// until the end of its step, where it counts as one more entry. See pair_island.cpp.
//
// Entries at one time are taken in the order: boxes by body, then pairs by their bodies.
class PairEngine : public Engine {
public:
    explicit PairEngine(const EngineInput& input);

    void rebuild() override;
    bool run(double until, Listener* listener, const StopCheck& stop = {}) override;
    double time() const override { return time_; }
    motion::State state(BodyId body) const override { return movers_[body]->at(time_); }
    bool asleep(BodyId body) const override { return movers_[body]->asleep(); }
    Segment segment(BodyId body) const override { return movers_[body]->segment; }
    void tell_forces(Listener& listener) const override;
    void save(ByteWriter& out) const override;
    void load(ByteReader& in) override;

private:
    struct Recent {
        BodyId a, b;
        double t;
        double debt;
        double bounce;
        Closed closed;
        double slap_at;
    };

    EventQueue::Slot slot_of_pair(std::uint32_t pair) const {
        return static_cast<EventQueue::Slot>(movers_.size()) + pair;
    }
    void queue_body(BodyId body);
    void queue_pair(std::uint32_t pair, double t);

    // Looks for the pair's next touch from t on.
    void predict(std::uint32_t pair, double t);
    void settle_overlap(std::uint32_t pair, double t, double depth);
    void predict_all(BodyId body, double t, std::uint32_t but);
    void renew_box(BodyId body, double t);

    void touch(std::uint32_t pair, double t, Listener* listener);
    bool resolve(std::uint32_t pair, double t, Listener* listener);
    bool turn_round_on_face(Pair& pair, const Touch& touch, double t, Listener* listener);
    Touch touch_of(const Pair& pair, double t) const;
    void count_burst(const Pair& pair, double t);
    void account(const Event& event, const Touch& touch, const Vec3& p_W);
    void tell_event(const Event& event, Listener* listener) const;
    void note_gain(double lost);
    void begin_segment(BodyId body, SegmentKind kind, double t, const motion::State& state,
                       Listener* listener);
    void begin_segment(const Segment& segment, Listener* listener);
    void moved(BodyId body, double t);
    void go_on(BodyId body, double t, Listener* listener);

    void note_quiet(BodyId body, double t, bool micro, const motion::State& state);
    bool fall_asleep_alone(const Pair& pair, const Touch& touch, double t, Listener* listener);
    void fall_asleep_together(BodyId first, double t, Listener* listener);
    bool gather_quiet(BodyId first, double t, std::vector<BodyId>& island) const;
    void fall_asleep(BodyId body, double t, Listener* listener);
    std::vector<BodyId> sleepers_with(BodyId first);
    void tell_wake(BodyId body, BodyId by, double t, Listener* listener);
    void wake(BodyId body, BodyId by, double t, Listener* listener);
    bool touching_now(const Pair& pair, double t) const;

    // pair_group.cpp: impacts at one instant
    struct GroupBody {
        BodyId id;
        bool widened;  // its other contacts are in the group
    };
    struct GroupContact {
        std::uint32_t pair;
        Vec3 point, normal;
        Vec3 u;        // before all of it
        Vec3 impulse;  // so far
        bool closed;
    };
    void begin_group();
    std::uint32_t in_group(BodyId id, double t);
    void add_to_group(std::uint32_t pair, const Vec3& point, const Vec3& normal, double t);
    void add_patch_to_group(std::uint32_t pair, double within, double t);
    void widen_group(double t);
    double group_speed() const;
    void resolve_group(double t);
    void rest_group();
    void apply_group(const std::vector<Vec3>& impulses);
    void tell_group(double t, EventKind kind, Listener* listener);
    void move_group(double t, Listener* listener);
    void hit(std::uint32_t pair, const ContactPoint& at, double t, Listener* listener);

    // pair_lasting.cpp: contact that lasts

    // Part of the time to a corner's touch after which it is looked at again, so as not to come
    // late.
    static constexpr double k_before = 0.98;
    bool may_last(const Pair& pair) const;
    double size_of(const Pair& pair) const;
    double hard_speed(const Pair& pair) const;
    struct Inside {
        ContactPoint fastest;
        double soon;  // s
    };
    Inside look_inside(Pair& pair, double t);
    void begin_lasting(std::uint32_t pair, const ContactPoint& at, double t, Listener* listener);
    void end_lasting(std::uint32_t pair, double t, Listener* listener);
    void tell_lasting(const Pair& pair, EventKind kind, double t, Listener* listener);
    struct Corners {
        double fastest;  // m/s
        double wait;     // s
    };
    Corners look_at_corners(Pair& pair, double t);
    void plan_slaps(double t);
    void slap(std::uint32_t pair, double t, Listener* listener);
    void set_down(std::uint32_t pair, double t, Listener* listener);
    ContactForce force_until(const Pair& pair, double t) const;
    void tell_force(Pair& pair, double t, Listener* listener);
    std::vector<std::uint32_t> closed_pairs() const;
    void tell_forces_of(BodyId body, double t, Listener* listener);
    void close_segment(BodyId body, double t, Listener* listener);
    void pause(BodyId body, double t, const motion::State& state, Listener* listener);

    // pair_island.cpp: steps of islands
    void gather_island(BodyId first, double t, Listener* listener);
    void step_island(BodyId first, double t, Listener* listener);
    void fill_island(double t);
    void publish_island(double t, Listener* listener);
    void predict_island(double t);
    bool rest_island(double t, Listener* listener);
    void sleep_island(double t, Listener* listener);
    bool may_sleep(double t) const;
    bool in_balance(double t, double h) const;
    bool follow_plane(double t, Listener* listener);

    // pair_step.cpp: one of these steps
    // The states of a pair, whose patch is at hand then.
    struct PairStates {
        motion::State a, b;
    };
    PairStates look_at_patch(Pair& pair, double t);
    void look_start(Pair& pair, double t);
    void take_start(Pair& pair, const PairStates& states, double t);
    double first_length() const;
    double solve_island(double t, double h);
    double solve_velocities(double h);
    bool is_slow() const;
    double locate_stop(double t, double h, const impact::ConeSettings& settings);
    impact::ConeSettings cone_settings(double h) const;
    void open_contacts(double t, Listener* listener);
    PointForce* keep_force(const IslandPoint& point, const IslandContact& contact,
                           std::vector<PointForce>& forces) const;
    void keep_forces(double t, double h);
    void keep_place(const IslandContact& contact, Closed& closed) const;

    // Islands that hardly move are solved to rounding up to so many bodies.
    static constexpr std::size_t k_exact_bodies = 100;

    // pair_crowd*.cpp: many bodies in touch. An island becomes a crowd that has more than
    // k_exact_bodies, or k_crowd_begins of which one is not slow (is_crowded); parts of a crowd
    // with fewer than k_crowd_stays are islands again.
    static constexpr std::size_t k_crowd_begins = 40;
    static constexpr std::size_t k_crowd_stays = 3;
    // What a step of it may leave of an overlap, in the allowed errors of a gap.
    static constexpr double k_most_left = 1.5;
    static constexpr std::uint32_t k_no_point = ~std::uint32_t{0};
    struct CrowdBody {
        motion::State state;        // at the start of the step
        motion::State middle, end;  // of the step, as its impulses have led so far
        std::uint64_t round = 0;    // of the corrections, in which those were found
        double speed;               // of its fastest place, at most, m/s
        double turn;                // its angle in the step, rad; a ball has none
        Vec3 v, w;                  // in the middle of the flight, of the last correction
        double strayed;             // how far corrections have led its places from the first, m
        double travelled;           // what its odometer reads at the start
        double radius;              // m; infinite: unbounded
        bool paced, ball;
    };
    // The smallest gap that a correction has seen, and how far the two had strayed then; m.
    struct CrowdLook {
        double gap, strayed;
    };
    struct CrowdPair {
        std::uint32_t pair;
        std::uint32_t a, b;  // places in the step
        BodyId other;        // the body of the two whose list it is not in
        double size;         // m
        double clear;        // no contact within this, m; counts for nothing where there are points
        double least;        // the smallest gap, m
        double bounce;       // as Pair::bounce after the step, m/s
        std::uint32_t first;  // point, the others by CrowdPoint::next
        CrowdLook end, middle;
    };
    // A time of the step at which pairs are looked at, in its length.
    struct CrowdInstant {
        motion::State CrowdBody::*then;
        CrowdLook CrowdPair::*look;
        double part;
    };
    static const CrowdInstant k_end_of_step, k_middle_of_step;
    struct CrowdPoint {
        std::uint64_t id;
        double gap;
        double size;         // of its pair, m
        double bounce;       // speed that it parts with at least, m/s; 0: none
        std::uint32_t next;  // of the same pair
    };
    void begin_crowd(double t, Listener* listener);
    void step_crowd(double t, Listener* listener);
    void gather_crowd(double t, Listener* listener);
    void release(const std::vector<BodyId>& bodies, double t, Listener* listener);
    void rest_crowd(double t, Listener* listener);
    bool is_heavy(BodyId body, const Vec3& force) const;
    bool is_loose(BodyId body) const;
    std::vector<BodyId> quiet_parts();
    bool touches_sleeper(BodyId body) const;
    bool lies_under(BodyId body) const;
    bool is_crowded() const;
    double next_crowd_step() const;
    bool look_crowd(double t, double h, Listener* listener);
    void list_crowd_pairs(double t, double h);
    double most_at_rest(BodyId body) const;
    bool held_up(const Pair& pair) const;
    bool presses_otherwise(const Pair& pair) const;
    void watch_sleeper(Pair& pair, bool carries, double t);
    bool is_held(BodyId body);
    void disturb(const Pair& pair);
    bool is_clear(CrowdPair& seen, double reach);
    void look_at_crowd_pair(CrowdPair& seen, double t, double h);
    void add_crowd_points(CrowdPair& seen, double h);
    void start_from_last(const CrowdPair& seen, double h);
    std::uint32_t add_crowd_point(CrowdPair& seen, const PatchPoint& point, const Vec3& place);
    void wake_into_crowd(BodyId first, BodyId by, double t, Listener* listener);
    static double speed_of(const Body& body, const motion::State& state);
    double crowd_reach(const CrowdBody& a, const CrowdBody& b, double h) const;
    std::uint32_t crowd_index(BodyId id, double t, double h);
    double crowd_least(std::size_t point, double h) const;
    double crowd_gap_after(double gap, double size, double h) const;
    double solve_crowd(double t, double h);
    double solve_crowd_step(double t, Listener* listener);
    double crowd_overlap(double h) const;
    double crowd_missing(std::size_t point) const;
    bool wake_around_jams(double t, double h, Listener* listener);
    // pair_crowd_end.cpp
    bool correct_crowd(double t, double h, double least, bool slides);
    bool slides_far(const CrowdPair& seen, double h) const;
    void find_crowd_ways(double h);
    void find_crowd_end(std::uint32_t place, BodyId body, double t, double h);
    double crowd_bend(const CrowdPair& seen, double h) const;
    bool take_fresh(CrowdPair& seen, double h);
    bool correct_crowd_pair(CrowdPair& seen, const CrowdInstant& at, double t, double h,
                            double enough);
    void correct_crowd_point(CrowdPair& seen, const PatchPoint& point,
                             motion::State CrowdBody::*then, double missing);
    void account_crowd();
    void note_hops(double h);
    void keep_crowd(double t, double h, Listener* listener);
    void keep_crowd_forces(const CrowdPair& seen, double pressure, double t, double h);
    Vec3 crowd_drift(const CrowdPair& seen, const Vec3& place) const;
    void publish_crowd(double t, double h, Listener* listener);
    void end_holding(BodyId body, double t, Listener* listener);
    bool touch_in_crowd(std::uint32_t pair, double t, Listener* listener);

    // Throws Stopped when the run at hand is to stop.
    void check_stop() const { carom::check_stop(stop_); }

    EngineInput in_;
    const StopCheck* stop_ = nullptr;  // of the run at hand
    double gravity_;
    bool is_large_;  // so many free bodies that they can be a crowd; nobody waits for landings then
    std::vector<std::unique_ptr<Mover>> owned_;
    std::vector<Mover*> movers_;
    NearPairs near_;
    EventQueue queue_;
    double time_ = 0.0;
    std::vector<std::uint32_t> fresh_;
    std::vector<Recent> recent_;  // last impacts, for rebuild()
    std::uint64_t mark_ = 0;

    // what is at hand
    std::vector<GroupBody> group_bodies_;
    std::vector<GroupContact> group_;
    impact::JointProblem joint_;
    std::vector<impact::JointBody> group_start_;  // before any impulse
    impact::SequentialSolver sequential_;
    impact::ConeSolver cones_;
    std::vector<PatchPoint> patch_;
    std::vector<PointForce> points_;
    std::vector<BodyId> island_bodies_;
    std::vector<std::uint32_t> island_pairs_;
    bool island_joins_ = false;  // touches the sleepers of a crowd
    Island island_;

    // the crowd: its bodies, until when they fly, and what its step is made of
    std::vector<BodyId> crowd_;
    double crowd_until_ = 0.0;
    double crowd_length_ = 0.0;
    double crowd_error_ = 0.0;  // overlap that the last step has made, in radii
    std::uint64_t crowd_stamp_ = 0;
    std::uint64_t crowd_round_ = 0;
    Vec3 crowd_fall_ = Vec3::Zero();                          // what gravity gives in half a step
    std::vector<std::pair<BodyId, BodyId>> crowd_disturbed_;  // sleepers, and by whom
    std::vector<impact::ConeContact> held_contacts_;
    std::vector<CrowdBody> crowd_movers_;
    std::vector<impact::ConeBody> crowd_bodies_;
    std::vector<impact::ConeContact> crowd_contacts_;
    std::vector<CrowdPoint> crowd_points_;
    std::vector<CrowdPair> crowd_pairs_;
};

}  // namespace carom::world
