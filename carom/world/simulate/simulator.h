// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

#include "carom/world/cluster/cluster.h"
#include "carom/world/constrained/constrained_step.h"
#include "carom/world/engine.h"
#include "carom/world/graph/graph.h"
#include "carom/world/island/island_step.h"
#include "carom/world/pile/pile_step.h"
#include "carom/world/simulate/commit.h"
#include "carom/world/simulate/ledger.h"
#include "carom/world/simulate/schedule.h"
#include "carom/world/simulate/work_list.h"
#include "carom/world/sleep/pile_rest.h"

namespace carom::world {

// The engine for any bodies: one loop, small steppers, one commit.
//
//     take the earliest event of the schedule;
//     a stepper or resolver reads the bodies and contacts that it concerns, and gives an outcome;
//     commit it; what follows at the same instant is on the work list, which is worked off before
//     time goes on.
//
// What happens to bodies that hang together depends on them alone.
class Simulator : public Engine {
public:
    explicit Simulator(const EngineInput& input);

    void rebuild() override;
    bool run(double until, Listener* listener, const StopCheck& stop = {}) override;
    double time() const override { return time_; }
    motion::State state(BodyId body) const override { return graph_.track(body).at(time_); }
    bool asleep(BodyId body) const override { return graph_.track(body).asleep(); }
    Segment segment(BodyId body) const override { return graph_.track(body).segment; }
    void tell_forces(Listener& listener) const override;
    ForceWork::Work open_work() const override;
    void save(ByteWriter& out) const override;
    void load(ByteReader& in) override;

private:
    // What a checkpoint keeps of a pair.
    struct SavedPair {
        BodyId a, b;
        double last_impact;
        double energy_to_repay;
        double rebound;
        double reference_speed, last_interval;
        PersistentContact contact;
        double landing;
    };

    void load_track(BodyId body, ByteReader& in);
    void take(const NextEvent& event);
    void wake_all(double t);
    void work_off(double t);
    void guard_against_endless(const ContactPair& pair, double t);

    // touches (on_touch.cpp)
    void on_touch(std::uint32_t pair, double t);
    void resolve_touch(std::uint32_t pair, double t);
    void resolve_micro_touch(std::uint32_t pair, const Touch& touch, const ContactPoint& at,
                             double t);
    void hit(std::uint32_t pair, const ContactPoint& at, double t);
    void wake_hit(const ClusterOutcome& outcome, double t);
    void begin_lasting(std::uint32_t pair, const ContactPoint& at, double t);
    void on_landing(std::uint32_t pair, double t);
    void land_slowly(std::uint32_t pair, const ContactPoint& at, double t);
    bool touch_in_pile(std::uint32_t pair, double t);

    // steps (on_step.cpp)
    void step(BodyId first, double t);
    void step_island(double t);
    bool step_exactly(double t);
    bool follow_plane(double t);
    bool may_sleep(double t) const;
    void sleep_island(double t);

    // piles (on_pile.cpp)
    void begin_pile(double t);
    void step_pile(PileId name, double t);
    std::vector<PileId> form_piles(PileId name, double t);
    void release(const std::vector<BodyId>& bodies, double t);
    void rest_pile(Pile& pile, double t);
    void hit_in_pile(const std::vector<std::uint32_t>& pairs, double t, bool plastic);
    void take_pile_step(Pile& pile, double t);
    void wake_into_pile(BodyId first, BodyId by, PileId name, double t);

    // sleep (on_sleep.cpp)
    void wake(BodyId first, BodyId by, double t);
    bool fall_asleep_alone(const ContactPair& pair, const Touch& touch, double t);
    void fall_asleep_together(BodyId first, double t);

    EngineInput in_;
    const StopCheck* stop_ = nullptr;  // of the run at hand
    double time_ = 0.0;
    Graph graph_;
    Ledger ledger_;
    Schedule schedule_;
    WorkList work_;
    Commit commit_;
    Cluster cluster_;
    IslandStepper islands_;
    ConstrainedStepper constrained_;
    PileStepper piles_;
    PileRest pile_rest_;
    Component component_;  // at hand
    std::vector<ManifoldPoint> manifold_;
    std::vector<PointForce> points_;
    std::vector<std::size_t> begins_;
    std::vector<SavedPair> saved_;  // for rebuild()
};

}  // namespace carom::world
