// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>

#include "carom/world/cluster/cluster.h"
#include "carom/world/graph/graph.h"
#include "carom/world/island/island_step.h"
#include "carom/world/island/plane_course.h"
#include "carom/world/micro/micro_contact.h"
#include "carom/world/pile/pile_step.h"
#include "carom/world/simulate/ledger.h"
#include "carom/world/simulate/schedule.h"
#include "carom/world/simulate/work_list.h"
#include "carom/world/sleep/pile_rest.h"

namespace carom::world {

// Where outcomes become the world: the only place that begins motions and contacts and reports
// them. What follows at the same instant goes onto the work list. (Who is in which pile, since when
// a body is quiet and how long its last step was the handlers of simulator.h note themselves.)
class Commit {
public:
    Commit(Graph& graph, Schedule& schedule, Ledger& ledger, WorkList& work)
        : graph_(graph), schedule_(schedule), ledger_(ledger), work_(work) {}

    // Motions. end_motion: the body has none until its component has taken a step, which goes onto
    // the work list; its velocity is that of `state` from now on.
    void begin_segment(const Segment& segment);
    void begin_segment(BodyId body, SegmentKind kind, double t, const motion::State& state) {
        begin_segment(Segment{t, body, kind, state});
    }
    void end_motion(BodyId body, double t, const motion::State& state);

    // Contacts. The force of a contact is reported until t.
    void begin_contact(std::uint32_t pair, const Vec3& point, double t);
    void end_contact(std::uint32_t pair, double t);
    void report_force(std::uint32_t pair, double t);
    void report_forces_of(BodyId body, double t);
    // That of an active contact since it was last reported.
    ContactForce force_until(const ContactPair& pair, double t) const;

    // Outcomes. begins: contacts of the cluster that last from here on.
    void cluster(const ClusterOutcome& outcome, double t, EventKind kind,
                 std::span<const std::size_t> begins = {});
    void micro(std::uint32_t pair, const MicroOutcome& outcome, double t);
    void island(const IslandOutcome& outcome);
    void island_forces(const IslandOutcome& outcome);
    void plane_course(std::uint32_t pair, const PlaneCourse& course, double until);
    void plane_contact(std::uint32_t pair, const PlaneCourse& course);
    // The free body of the two that is in no pile joins that of the other.
    void join_pile(const ContactPair& pair, double t);
    // The step of the pile of this body ends at this instant: its rest goes onto the work list.
    void cut_step(BodyId body);
    void pile(Pile& pile, const PileOutcome& outcome, PileRest& rest);

    // Sleep.
    void fall_asleep(BodyId body, double t);
    void wake(BodyId body, BodyId by, double t);

private:
    void end_segment(BodyId body, double t);
    void correct(const IslandOutcome& outcome);
    void sample_overlaps(BodyId body, double t);
    void emit_contact_change(const ContactPair& pair, EventKind kind, double t);
    void add_to_contact(const PilePairOutcome& seen, const PileOutcome& outcome);
    void pile_contact(const PilePairOutcome& seen, const PileOutcome& outcome, Pile& pile,
                      PileRest& rest);

    Graph& graph_;
    Schedule& schedule_;
    Ledger& ledger_;
    WorkList& work_;
    std::vector<std::uint32_t> unsure_;
};

}  // namespace carom::world
