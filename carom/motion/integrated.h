// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "carom/motion/dense_piece.h"
#include "carom/motion/force_field.h"
#include "carom/motion/principal_inertia.h"
#include "carom/motion/state.h"

namespace carom::motion {

struct IntegrationTolerances {
    // error of one step over the largest distance, speed and spin of the motion so far; ten times
    // larger takes two thirds of the steps and loses one digit
    double relative = 1e-13;
    // a motion that needs more steps is refused; one that would need ten times as many, judged by
    // its last steps, after a fiftieth of them
    std::size_t most_steps = 1'000'000;
};

// The motion of a rigid body or a particle under forces that leave no closed form, over [t0, t1].
//
//     m c'' = F,   I w' + w x I w = torque (world axes),   q' = w q / 2.
//
// Integrated when it is made, by Dormand and Prince's pair of orders 5 and 4 with steps adapted to
// the tolerance; each step becomes a piece with quintics for the centre and the quaternion (see
// dense_piece.h), and the step is also cut until the defect of these quintics in its middle is
// within 30 tolerances. The pieces are the motion: velocity and angular velocity are their exact
// derivatives, and they join twice continuously. Looked up by bisection, O(log n).
// Range: finite data, t1 > t0, forces smooth on the way. Copies share the pieces.
// Source: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19.
class Integrated {
public:
    static Integrated body(const State& state, double mass, const PrincipalInertia& inertia,
                           const std::vector<ForceField>& fields, double t0, double t1,
                           const IntegrationTolerances& tolerances = {});
    // No rotation; a spring pulls at the centre.
    static Integrated particle(const Vec3& position, const Vec3& velocity, double mass,
                               const std::vector<ForceField>& fields, double t0, double t1,
                               const IntegrationTolerances& tolerances = {});

    // A motion that is known already: pieces that follow each other, the last of which ends at
    // `end`.
    static Integrated of_pieces(std::vector<DensePiece> pieces, double end) {
        return {std::move(pieces), end};
    }

    // For t in [start_time(), end_time()], or outside by a few ulp; otherwise
    // std::invalid_argument.
    State at(double t) const { return piece_at(t).at(t); }
    Vec3 position_at(double t) const { return piece_at(t).position_at(t); }

    double start_time() const;
    double end_time() const { return end_; }
    const std::vector<DensePiece>& pieces() const { return *pieces_; }
    // The piece that holds t, and where it ends.
    std::size_t index_at(double t) const;
    double end_of(std::size_t index) const;

private:
    Integrated(std::vector<DensePiece> pieces, double end);
    const DensePiece& piece_at(double t) const { return (*pieces_)[index_at(t)]; }

    std::shared_ptr<const std::vector<DensePiece>> pieces_;
    double end_ = 0.0;
};

}  // namespace carom::motion
