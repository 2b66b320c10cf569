// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "carom/math/stop.h"
#include "carom/motion/dense_piece.h"
#include "carom/world/constrained/constrained_contact.h"
#include "carom/world/constrained/constrained_system.h"
#include "carom/world/constrained/step_landing.h"
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
// While the kinds of contact stay the same the accelerations are a smooth function of the state. It
// is integrated by Dormand and Prince's method of order 8, with the error of a step controlled
// (constrained_tolerances.h); at its end positions and velocities are put back onto the conditions,
// which moves them by less than that error. The step becomes one piece of quintics for each body
// (motion/dense_piece.h), and ends where a kind changes, located on the quintics to rounding:
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
    struct Rates {
        Vec3 v, a, alpha;
        Eigen::Vector4d q;
    };
    static constexpr std::size_t k_stages = 12;

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

    // integrating (constrained_integrate.cpp)
    void place_kinematic(double t);
    bool evaluate(double t);
    Rates rates_of(std::size_t body) const;
    double try_step(double t, double h);
    template <std::size_t n>
    static Rates sum_of(const std::array<Rates, k_stages>& k, const std::array<double, n>& weights,
                        std::size_t count);
    motion::State moved(std::size_t body, const Rates& rate, double h) const;
    double error_of(std::size_t body, const std::array<Rates, k_stages>& k, double h) const;
    bool finish_step(double t, double h);
    double defect(double t, double h);
    double first_length(double t) const;
    double integrate(double t, double h);
    void set_states(double t);

    // events (constrained_events.cpp)
    double first_change(double t, double h);
    bool holds_at(double t);

    // results (constrained_outcome.cpp)
    void note_place(Contact& contact, Vec3& point, Vec3& force, Vec3& couple) const;
    void note_start();
    bool is_open(const Contact& contact) const;
    void note_power(std::vector<double>& power) const;
    double energy_added(double h) const;
    void give(double t, double h);
    void give_flight(double t);
    void give_rest(double t);
    void give_points(const Contact& contact);
    void give_contacts(double h);
    void give_courses(double h);
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
    std::vector<motion::State> before_, start_, end_;  // before: velocities not yet projected
    std::vector<Vec3> a_start_, alpha_start_, a_end_, alpha_end_;
    std::vector<std::array<Rates, k_stages>> k_;
    std::vector<Vec3> start_force_;  // of points
    std::array<std::vector<Vec3>, k_stages> stage_force_;
    std::array<std::vector<double>, k_stages> stage_power_;  // by free body, W
    std::vector<motion::DensePiece> pieces_;
    std::vector<ManifoldPoint> manifold_;
    // Points that cannot be followed, of which pair.
    struct Doubtful {
        std::uint32_t pair;
        ManifoldPoint point;
    };
    std::vector<Doubtful> doubtful_;
    StepLanding landing_{graph_, system_, pieces_};
    double next_length_ = 0.0;
    double displacement_ = 0.0;  // of bodies by their conditions at the end, over what is allowed
    double allowed_ = 0.0;       // relative error of the step
    bool changes_ = false;       // the step ends where a kind of contact changes
    std::uint32_t landing_pair_ = 0;
    double landing_speed_ = 0.0;
    Vec3 landing_point_ = Vec3::Zero(), landing_normal_ = Vec3::UnitZ();
    IslandOutcome out_;
};

}  // namespace carom::world
