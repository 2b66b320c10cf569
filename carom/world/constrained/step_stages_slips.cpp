// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Slips whose direction settles fast: the equations are stiff in them. Friction of the size f turns
// against a slip u at the rate f k / |u|, with k the inverse mass there.

#include <cmath>

#include "carom/world/constrained/step_stages.h"

namespace carom::world {

namespace lobatto = motion::lobatto;

// Slips that may become so slow within the step that their direction settles at once.
void StepStages::find_stiff_slips(double h) {
    // In accelerations by friction. Larger: more slips are solved for that need not be.
    constexpr double k_soon = 10.0;
    stiff_.clear();
    for (std::size_t k = 0; k < system_.points.size(); ++k) {
        const ConstrainedPoint& p = system_.points[k];
        if (p.mode != PointMode::slides || !(p.mu > 0.0) || p.small) continue;
        if (slip_start_[k] < k_soon * p.mu * system_.scale * h) stiff_.push_back(k);
    }
}

// How the stiff slips answer, as the system stands: how much of a turn a change of velocities is
// and, where gains are asked for, what a unit of turn of each gives to the accelerations.
bool StepStages::note_answers(SlipAnswers& answers, bool gains) {
    const std::size_t count = stiff_.size();
    answers.turn.resize(count);
    for (std::size_t m = 0; m < count; ++m) {
        const ConstrainedPoint& p = system_.points[stiff_[m]];
        const double along = p.u.dot(p.along);
        answers.turn[m] = {p.at.n.cross(p.along) / (along != 0.0 ? along : system_.no_slip),
                           p.at.x - system_.bodies[p.a].state.position,
                           p.at.x - system_.bodies[p.b].state.position};
    }
    if (!gains) return true;
    const std::size_t bodies = start_.size();
    answers.gain.resize(count * bodies);
    for (std::size_t m = 0; m < count; ++m)
        if (!system_.turn_slip(stiff_[m], std::span(answers.gain).subspan(m * bodies, bodies)))
            return false;
    return true;
}

std::span<const StepStages::Six> StepStages::gain_of(const SlipAnswers& answers,
                                                     std::size_t slip) const {
    return std::span<const Six>(answers.gain).subspan(slip * start_.size(), start_.size());
}

// The turn of a stiff slip by changes of the velocities of the free bodies.
double StepStages::turn_by(const SlipAnswers& answers, std::size_t m,
                           std::span<const Six> change) const {
    const ConstrainedPoint& p = system_.points[stiff_[m]];
    const SlipAnswers::Turn& turn = answers.turn[m];
    Vec3 u = Vec3::Zero();
    if (p.a < change.size()) u += change[p.a].head<3>() + change[p.a].tail<3>().cross(turn.arm_a);
    if (p.b < change.size()) u -= change[p.b].head<3>() + change[p.b].tail<3>().cross(turn.arm_b);
    return turn.across.dot(u);
}

// Newton's step in the directions of the stiff slips: z, their turns, of
//     z_j - h sum_l A_jl C_j B_l z_l = h sum_l A_jl C_j R_l,
// with R what the equations leave; then B z is added to it.
void StepStages::relax_slips(double h) {
    const std::size_t m = stiff_.size();
    const auto size = static_cast<Eigen::Index>((k_count - 1) * m);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
    const auto index = [&](std::size_t j, std::size_t k) {
        return static_cast<Eigen::Index>((j - 1) * m + k);
    };
    for (std::size_t j = 1; j < k_count; ++j)
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t l = 1; l < k_count; ++l) {
                const double weight = h * lobatto::k_integral[j][l];
                right(index(j, k)) += weight * turn_by(answers_[j], k, left_[l]);
                for (std::size_t n = 0; n < m; ++n)
                    matrix(index(j, k), index(l, n)) -=
                        weight * turn_by(answers_[j], k, gain_of(answers_[l], n));
            }
    const Eigen::VectorXd z = matrix.partialPivLu().solve(right);
    for (std::size_t l = 1; l < k_count; ++l)
        for (std::size_t n = 0; n < m; ++n)
            for (std::size_t i = 0; i < start_.size(); ++i)
                left_[l][i] += z(index(l, n)) * gain_of(answers_[l], n)[i];
}

// The same of what is left for a time, as the system stands: the mean of what it becomes.
bool StepStages::relax_slips(std::vector<Six>& left, double lasts) {
    const std::size_t m = stiff_.size();
    if (m == 0) return true;
    SlipAnswers& answers = answers_[0];
    if (!note_answers(answers, true)) return false;
    const auto size = static_cast<Eigen::Index>(m);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
    Eigen::VectorXd right(size);
    for (std::size_t k = 0; k < m; ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        right(row) = lasts * turn_by(answers, k, left);
        for (std::size_t n = 0; n < m; ++n)
            matrix(row, static_cast<Eigen::Index>(n)) -=
                lasts * turn_by(answers, k, gain_of(answers, n));
    }
    const Eigen::VectorXd z = matrix.partialPivLu().solve(right);
    for (std::size_t n = 0; n < m; ++n)
        for (std::size_t i = 0; i < left.size(); ++i)
            left[i] += z(static_cast<Eigen::Index>(n)) * gain_of(answers, n)[i];
    return true;
}

}  // namespace carom::world
