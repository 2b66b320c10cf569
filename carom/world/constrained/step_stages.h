// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "carom/motion/dense_piece.h"
#include "carom/motion/lobatto.h"
#include "carom/world/constrained/constrained_system.h"
#include "carom/world/event.h"

namespace carom::world {

// The stages of a step of exact motion: accelerations at Lobatto's places that satisfy the
// equations of motion with the motion that they give (docs/theory/constrained.md). They are found
// by iteration; the directions of slips that settle fast within the step by Newton's method.
class StepStages {
public:
    static constexpr std::size_t k_count = motion::lobatto::k_count;

    // evaluate puts what moves as it is told to its place at a time and solves the system, whose
    // free bodies come first; note is called with the system as it stands at each stage but the
    // first.
    StepStages(ConstrainedSystem& system, std::function<bool(double)> evaluate,
               std::function<void(std::size_t)> note)
        : system_(system), evaluate_(std::move(evaluate)), note_(std::move(note)) {}

    // A step from here on. Pre: the system as it stands there; the states live until the next call.
    void begin(std::span<const MovingState> start);
    // Where the search begins: with the accelerations at the start; with a polynomial; with the
    // stages that were found last, for a step of the length `last`.
    void predict();
    void predict(std::size_t body, const motion::DensePiece& before, double t, double h);
    void predict_from_last(double last, double h);
    // Solves for the stages, from those that are there. False where that does not come to an end.
    bool solve(double t, double h);
    MovingState at(std::size_t body, std::size_t stage, double h) const;
    // How far pieces are from the equations of motion at a time between the stages, as the largest
    // change of velocity, relative to speeds. Pre: the system stands there, evaluated.
    double defect(std::span<const motion::DensePiece> pieces, double time, double h);

private:
    using Six = Eigen::Matrix<double, 6, 1>;    // of the centre and of the rotation
    using Seven = Eigen::Matrix<double, 7, 1>;  // of the centre and of the quaternion
    // How slips answer: the turn of each by a change of velocities, and what the accelerations gain
    // by a unit of turn.
    struct SlipAnswers {
        struct Turn {
            Vec3 across, arm_a, arm_b;
        };
        std::vector<Turn> turn;  // by slip
        std::vector<Six> gain;   // by slip, then by body
    };

    static Seven second_of(const motion::State& state, const Vec3& a, const Vec3& alpha);
    motion::State state_at(std::size_t body, std::size_t stage, double h) const;
    double sweep(double t, double h, bool gains);
    double speed_unit(std::size_t body) const;
    double spin_unit(std::size_t body) const;

    void find_stiff_slips(double h);
    bool note_answers(SlipAnswers& answers, bool gains);
    double turn_by(const SlipAnswers& answers, std::size_t slip, std::span<const Six> change) const;
    std::span<const Six> gain_of(const SlipAnswers& answers, std::size_t slip) const;
    void relax_slips(double h);
    bool relax_slips(std::vector<Six>& left, double lasts);

    ConstrainedSystem& system_;
    std::function<bool(double)> evaluate_;
    std::function<void(std::size_t)> note_;
    std::span<const MovingState> start_;
    std::vector<std::array<Seven, k_count>> second_;  // derivatives at the stages, by body
    std::array<std::vector<Six>, k_count> left_;      // that the equations leave, by body
    std::array<std::vector<motion::State>, k_count> states_;
    std::vector<double> slip_start_;            // of points, m/s
    std::vector<std::size_t> stiff_;            // points
    std::array<SlipAnswers, k_count> answers_;  // by stage
};

}  // namespace carom::world
