// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/world/body.h"
#include "carom/world/constrained/constraint_rows.h"
#include "carom/world/constrained/contact_track.h"

namespace carom::world {

// What a point of a lasting contact does while the kinds of contact stay the same.
enum class PointMode : std::uint8_t {
    open,    // carries nothing
    slides,  // carries, with friction against its slip
    sticks   // carries, and does not slip: it holds or rolls
};

struct ConstrainedBody {
    const Body* body;
    motion::State state;
    Vec3 a = Vec3::Zero(),
         alpha = Vec3::Zero();  // accelerations; of a kinematic body as prescribed
};

struct ConstrainedPoint {
    std::uint32_t a, b;     // bodies
    std::uint32_t contact;  // the caller's name for it
    ContactTrack track;
    double mu;
    double size;  // radius of the smaller free body, m
    PointMode mode = PointMode::open;
    Vec3 slip = Vec3::Zero();       // unit; the direction of the slip at the start of the step
    Vec3 along = Vec3::Zero();      // unit; that friction is against now
    bool small = false;             // the slip
    Vec3 force = Vec3::Zero();      // on a, N
    Vec3 reference = Vec3::Zero();  // of redundant forces those nearest to these are taken, N
    ContactState at{};
    Vec3 u = Vec3::Zero();           // velocity of a less that of b at x, m/s
    double gap = 0.0;                // to keep, m
    Vec3 correction = Vec3::Zero();  // impulse on a that project_velocities() gave, N s
};

// Bodies in lasting contact as one mechanical system, at one instant.
//
//     m a = m g + F + sum f,    I alpha + w x I w = T + sum r x f,
// with f the forces of the points. With u the velocity of a less that of b at a point x that moves
// with x' over both bodies, and n its normal,
//     u' = a_a + alpha_a x r_a + w_a x (w_a x r_a) + w_a x (x' - v_a(x)) - (the same of b).
// A point that sticks has u' = 0; one that slides has n.u' + n'.u = 0 and f = f_n (n - mu u/|u|).
// Where the slip is small its direction settles within |u| / |u'|, at once beside the motion of the
// bodies: there it is the one that lasts, with u' along it.
// These conditions are linear in f; redundant ones (four corners of a box) have the forces of the
// least norm. Nothing here depends on where the conditions come from: rows of joints fit in.
class ConstrainedSystem {
public:
    std::vector<ConstrainedBody> bodies;
    std::vector<ConstrainedPoint> points;
    Vec3 gravity = Vec3::Zero();
    double scale = 0.0;                      // of accelerations, m/s^2
    double length = 0.0;                     // the radius of the smallest free body, m
    double no_slip = 0.0, small_slip = 0.0;  // slips that count as none, and as small, m/s

    // Forgets what it knew of other bodies and points.
    void begin();
    // Contact states of all points; the free bodies' accelerations as far as contacts do nothing.
    // Pre: the states of all bodies, a of those that are kinematic.
    void look();
    // Forces and accelerations with the modes as they are. Pre: look(). False where they are not
    // finite.
    bool solve();
    // The modes of all points from the contact problem on accelerations, with exact cones (see
    // below). Pre: look(). False where the problem has no answer that was found.
    bool find_modes(const StopCheck* stop);
    // Which slips are small, and the direction that lasts of each; in a step it stays so. Pre:
    // look(), modes.
    void find_small_slips();
    // Whether no point that carries nothing is pressed. Pre: solve().
    bool open_points_stay_open() { return most_pressed() == nullptr; }
    // Whether forces are inside their cones and slips go on as they were. Redundant points that
    // stick may have others than those of the least norm. Pre: solve().
    bool is_valid(const StopCheck* stop);
    // From here on forces may be outside their cones by as much as they are. False where that is
    // too much. Pre: solve().
    bool accept_forces(const StopCheck* stop);
    // Takes off the velocities what breaks the conditions of carrying points; at the start of a
    // step also slow approach of the others, and slips that end; moves bodies so that gaps are
    // those to keep. Pre: look().
    void project_velocities(bool at_start, bool ending_slips);
    void project_positions();

    // u' of a point with the accelerations as they are. Pre: solve().
    Vec3 relative_acceleration(const ConstrainedPoint& point) const;

private:
    struct RowOf {
        std::uint32_t point;
        bool normal;
    };
    void make_rows(bool for_forces, bool at_start, bool ending_slips);
    Vec3 free_acceleration(const ConstrainedPoint& point) const;
    bool solve_rows() { return solver_.solve(row_bodies_, rows_, right_, answer_); }
    Eigen::VectorXd taken_of(const Eigen::VectorXd& forces) const;
    void apply(const Eigen::VectorXd& x, bool to_positions);
    bool drop_pulling();
    ConstrainedPoint* most_pressed();
    bool solve_forces();
    bool steer_slips();
    double sideways(const ConstrainedPoint& point) const;
    bool settle_modes(const StopCheck* stop);
    double outside_cones() const;
    bool forces_inside() const { return outside_cones() <= outside_; }
    bool find_modes_without_slip();
    bool find_modes_by_reference(const StopCheck* stop);
    bool sticking_holds(const StopCheck* stop);
    void set_modes(double slides);
    void set_mode(ConstrainedPoint& point, const impact::ConeContact& solved, double slides,
                  double carries);
    impact::ConeReport solve_cones(bool sticking_only, const StopCheck* stop);

    std::vector<RowBody> row_bodies_;
    std::vector<ConstraintRow> rows_;
    std::vector<RowOf> row_of_;
    RowSolver solver_;
    Eigen::VectorXd right_, answer_;
    double outside_ = 0.0;  // part of the largest force by which one may be outside its cone
    std::vector<Mat3> inverse_inertia_;
    std::vector<Vec3> free_a_, free_alpha_;
    std::vector<impact::ConeBody> cone_bodies_;
    std::vector<impact::ConeContact> cone_contacts_;
    std::vector<std::uint32_t> cone_points_;
    impact::ConeSolver cones_;
};

}  // namespace carom::world
