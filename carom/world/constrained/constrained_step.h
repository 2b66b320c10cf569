// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carom/math/stop.h"
#include "carom/motion/dense_piece.h"
#include "carom/world/constrained/constrained_contact.h"
#include "carom/world/constrained/constrained_system.h"
#include "carom/world/constrained/step_landing.h"
#include "carom/world/constrained/step_stages.h"
#include "carom/world/graph/graph.h"
#include "carom/world/island/island_step.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {

// What became of a component.
enum class ConstrainedResult : std::uint8_t {
    moves,   // it follows its equations of motion until t + h
    rests,   // it does not move, and nothing will
    lands,   // a point that touches comes down: an impact is due now
    refused  // it is not for this stepper: a contact that it cannot follow, or no answer
};

// One step of bodies in lasting contact along the exact equations of motion (constrained_system.h).
//
// While the kinds of contact stay the same the accelerations are a smooth function of the state.
// They are integrated by collocation: polynomials of degree 8 for centre and quaternion, which
// satisfy the equations at the seven places of Lobatto's rule (motion/lobatto.h), so that the end
// of a step is of order 12. The accelerations there are found by iteration; the directions of slow
// slips, which settle fast, by Newton's method. How far the polynomials are from the equations
// between the places controls the length (constrained_tolerances.h); at the end positions and
// velocities are put back onto the conditions, which moves them by less than that error. The
// polynomials are the motion (motion/dense_piece.h), and the step ends where a kind changes,
// located on them to rounding:
//     a force leaves its cone (a contact opens, a slip begins), a slip ends,
//     a point comes to the end of its face or edge, another point comes down.
//
// Reads the graph, changes nothing but caches of the contact search.
class ConstrainedStepper {
public:
    // Of how many free bodies it follows the motion.
    static constexpr std::size_t k_most_bodies = 24;

    ConstrainedStepper(const Graph& graph, const StopCheck* const& stop)
        : graph_(graph), stop_(stop), index_(graph.body_count()) {}

    // wedged: impacts at this instant did not take up the approach; what is slow of it goes with
    // the step.
    ConstrainedResult step(const Component& component, double t, bool may_rest, bool wedged);
    // Of the last step that moves or rests; holds until the next call.
    const IslandOutcome& outcome() const { return out_; }
    // The pair that lands, where and how fast.
    std::uint32_t landing_pair() const { return landing_pair_; }
    ContactPoint landing() const { return {landing_point_, landing_speed_}; }
    const Vec3& landing_normal() const { return landing_normal_; }

private:
    static constexpr std::size_t k_stages = StepStages::k_count;

    using Contact = ConstrainedContact;

    // reading the graph (constrained_step.cpp)
    bool take(const Component& component, double t);
    void take_body(BodyId id, double t);
    bool take_points(std::uint32_t pair, double t);
    bool take_doubtful();
    bool sort_out_moving(bool wedged);
    void find_landing_point();
    bool recall_modes(double t);
    bool rests() const;
    double first_length(bool goes_on) const;

    // integrating (constrained_integrate.cpp)
    void place_kinematic(double t);
    bool evaluate(double t);
    bool finish_step(double t, double h);
    double defect(double t, double h);
    double integrate(double t, double h, bool goes_on);
    void predict(double t, double h, bool goes_on);
    double until_slips_end() const;
    void set_states(double t);

    // events (constrained_events.cpp)
    double first_change(double t, double h);
    double change_between(double t, double low, double high);
    bool holds_at(double t);
    void note_margins(std::vector<double>& margins) const;

    // results (constrained_outcome.cpp)
    void note_place(Contact& contact, std::size_t stage) const;
    void note_stage(std::size_t stage);
    void note_start();
    bool is_open(const Contact& contact) const;
    void note_power(std::vector<double>& power) const;
    void give(double t, double h);
    void give_flight(double t);
    void give_rest(double t);
    void give_points(const Contact& contact);
    bool is_loose(const Contact& contact) const;
    void give_contacts(double h);
    void balance_courses(double t, double h);
    void give_bodies(double t, double h);

    const Graph& graph_;
    const StopCheck* const& stop_;
    BodyIndex index_;
    const Component* component_ = nullptr;
    ConstrainedSystem system_;
    std::size_t free_count_ = 0;  // the free bodies come first
    std::vector<BodyId> ids_;
    static constexpr std::uint32_t k_no_contact_ = std::numeric_limits<std::uint32_t>::max();
    std::vector<Contact> contacts_;
    std::vector<motion::State> before_;  // velocities not yet projected
    std::vector<MovingState> start_, middle_, end_;
    std::array<std::vector<double>, k_stages> margins_;      // note_margins()
    std::array<std::vector<double>, k_stages> stage_power_;  // by free body, W
    std::vector<motion::DensePiece> pieces_;
    std::vector<ManifoldPoint> manifold_;
    // Points that cannot be followed, of which pair.
    struct Doubtful {
        std::uint32_t pair;
        ManifoldPoint point;
    };
    std::vector<Doubtful> doubtful_;
    StepStages stages_{system_, [this](double t) { return evaluate(t); },
                       [this](std::size_t stage) { note_stage(stage); }};
    StepLanding landing_{graph_, system_, pieces_};
    double next_length_ = 0.0;
    double allowed_ = 0.0;  // relative error of the step
    bool changes_ = false;  // the step ends where a kind of contact changes
    std::uint32_t landing_pair_ = 0;
    double landing_speed_ = 0.0;
    Vec3 landing_point_ = Vec3::Zero(), landing_normal_ = Vec3::UnitZ();
    IslandOutcome out_;
};

}  // namespace carom::world
