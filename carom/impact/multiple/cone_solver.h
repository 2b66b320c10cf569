// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/impact/multiple/cone_solver_newton.h"
#include "carom/impact/multiple/cone_solver_row.h"
#include "carom/impact/multiple/cone_solver_wide.h"
#include "carom/math/stop.h"
#include "carom/math/types.h"

namespace carom::impact {

// Many frictional contacts as one problem of velocities, with exact Coulomb cones.
//
// A body has velocity v and angular velocity w (world frame). One that impulses cannot move has
// zero inverse mass and inertia and keeps them; an inverse inertia that is zero along an axis is a
// body that impulses cannot turn about it.
struct ConeBody {
    Vec3 v = Vec3::Zero();
    Vec3 w = Vec3::Zero();
    double inverse_mass = 0.0;
    Mat3 inverse_inertia_W = Mat3::Zero();

    // Of its place at r from the centre of mass.
    Vec3 velocity_at(const Vec3& r) const { return v + w.cross(r); }
};

// A hinge holds the relative velocity at its point at zero with any impulse.
enum class ConeKind : std::uint8_t { contact, ball_joint };

// A contact point: r_a and r_b point to it from the bodies' centres of mass, the unit normal is
// from b to a, the impulse is that on a; all in the world frame. With u = v_a + w_a x r_a - v_b -
// w_b x r_b + drift after the impulses and z along the normal,
//     p_z >= floor, u_z >= least, and one of the two is an equality;
//     |p_t| <= mu p_z, and where u_t is not zero p_t = -mu p_z u_t / |u_t|.
// That is Coulomb's law as it stands (maximum dissipation), not the associated cone, in which a
// sliding contact would lift off. A hinge has no use for mu, least and floor, and takes the normal
// only for its frame.
struct ConeContact {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Vec3 r_a = Vec3::Zero();
    Vec3 r_b = Vec3::Zero();
    Vec3 normal = Vec3::UnitZ();
    double mu = 0.0;
    double least = 0.0;           // m/s; below zero: a gap that may still close
    double floor = 0.0;           // N s; above zero: an impulse that acts in any case
    Vec3 drift = Vec3::Zero();    // m/s; what else there is of u
    Vec3 impulse = Vec3::Zero();  // in: where to start from, for example the last step's; out
    ConeKind kind = ConeKind::contact;
};

// most_sweeps bounds the work: a Newton step counts as the sweeps it costs. tolerance (m/s) is that
// of the residual; ten times larger: fewer sweeps, ten times as much creep. Where the search gets
// stuck above it (redundant contacts that slide have a whole family of answers), a residual up to
// `enough` (m/s) ends it; ten times larger: friction of such contacts as much less exact. Without
// newton there are only sweeps, in which the direction of each slide makes one step. local (m/s) is
// for resume: above zero, it first works only where conditions are broken by more, and on from
// there to the neighbours of what changes by more; ten times larger: as much less is carried on.
struct ConeSettings {
    int most_sweeps = 200;
    double tolerance = 1e-9;
    double enough = 0.0;
    bool newton = true;
    double local = 0.0;
    const StopCheck* stop = nullptr;  // asked with every sweep and Newton step; Stopped is thrown
};

// residual (m/s): the largest violation of the conditions above, measured afresh at the end. With k
// the normal and s the mean tangential entry of the contact's own collision matrix, that of the
// normal is |min(k (p_z - floor), u_z - least)|, that of the tangent the distance of s p_t from
// what s p_t - u_t is clipped to by the circle of radius s mu p_z; that of a hinge is |u|.
struct ConeReport {
    int sweeps = 0;
    int newton_steps = 0;
    double residual = 0.0;
    bool converged = false;
};

// Solves by sweeps of exact one-contact solutions, each in turn with all others held (nonlinear
// block Gauss-Seidel), driven on by conjugate directions of the sweeps' changes (Silcowitz, Niebe
// and Erleben 2010), which are dropped whenever a sweep changes more than the last. Every sweep
// ends inside all cones. What has not converged after a few sweeps goes on with semismooth Newton
// steps (cone_solver_newton.h) where most_sweeps allows their cost, and in hard cases with proximal
// problems (there too), in turn with more sweeps: stacks and small heaps then converge to rounding,
// also where contacts are redundant and their impulses not unique; large heaps are left to the
// sweeps.
//
// A solution need not be unique, nor does one exist for every problem (friction can jam); then
// most_sweeps end the search, and the report says what is left. A contact of two bodies that cannot
// move has no impulse and no part in the residual. Without least > 0 and floors no answer gains
// kinetic energy beyond residual times impulses. Contacts of one pair of bodies should follow one
// another.
//
// Keeps its workspace: no allocation once the largest problem has been seen. Same input, same bits.
// Throws std::invalid_argument for unknown bodies, negative friction, normals that are not of unit
// length and numbers that are not finite; bodies and contacts are then unchanged.
class ConeSolver {
public:
    ConeReport solve(std::span<ConeBody> bodies, std::span<ConeContact> contacts,
                     const ConeSettings& settings);
    // Goes on from the last answer when only `least` has changed since, and contacts have been
    // appended, whose impulses start from zero: the bodies are those of the last call, and the
    // velocities that it was given count. Sweeps alone, without a look at what is left: the
    // residual is not measured. What a few contacts have to mend among many costs as much as their
    // surroundings, where settings.local says so; if that does not end soon all are swept.
    ConeReport resume(std::span<ConeBody> bodies, std::span<ConeContact> contacts,
                      const ConeSettings& settings);

private:
    // The budget, in sweeps, and what has come of it.
    struct Work {
        double left;
        double residual;
        int sweeps, newton_steps;

        void spend(int count) {
            left -= count;
            sweeps += count;
        }
    };

    void order_contacts(std::span<const ConeContact> contacts);
    void take_bodies(std::span<const ConeBody> bodies);
    void take_contacts(std::span<const ConeContact> contacts);
    bool take_contact(const ConeContact& contact, std::uint32_t place, cone::Row& row) const;
    ConeReport give(std::span<ConeBody> bodies, std::span<ConeContact> contacts,
                    const ConeSettings& settings, const Work& work) const;
    double settle();
    void widen(std::size_t first);
    cone::Change sweep(double beta);
    void extrapolate(double beta);
    int iterate(double tolerance, int most);
    int iterate_wide(double tolerance, int most);
    void link_rows();
    bool relax(double change);
    void keep_if_best(Work& work, double residual);
    void return_to_best(Work& work);
    void polish(const ConeSettings& settings, double cost, Work& work);
    void approach(double tolerance, double cost, Work& work);
    void search(const ConeSettings& settings, Work& work);

    std::size_t taken_ = 0;  // contacts
    bool rough_ = false;     // one step for the direction of each slide in a sweep
    bool wide_ok_ = false;   // rough, and nothing but plain contacts
    std::vector<std::uint32_t> order_;
    std::vector<cone::Mover> movers_;
    std::vector<cone::Row> rows_;
    cone::WideRows wide_;
    std::vector<std::uint32_t> linked_from_, linked_;  // rows of each body that can move
    std::vector<std::uint8_t> due_;                    // rows to be solved again
    std::vector<cone::Twist> start_, before_, direction_;
    std::vector<Vec3> best_;
    bool at_best_ = false;  // rows and bodies are as best_ says
    const StopCheck* stop_ = nullptr;
    cone::Newton newton_;
};

}  // namespace carom::impact
