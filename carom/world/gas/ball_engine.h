// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/world/engine.h"
#include "carom/world/gas/ball_grid.h"
#include "carom/world/gas/ball_queue.h"

namespace carom::world {

// Balls in straight flight between still planes: hard-sphere gases.
//
// Model. Without gravity a ball flies as x0 + v (t - t0) from its last impact on, and turns
// steadily. Two balls touch at the smaller root of |C + V d|^2 = R^2, C and V being their relative
// position and velocity at the later of their two t0 and R the sum of their radii:
//     d = (|C|^2 - R^2) / (-C.V + sqrt(V.V R^2 - |C x V|^2)),   C.V < 0,
// a ball and a plane where n.x = offset + r. These times depend on the two segments alone, not on
// when they were computed: the bits of a run depend on no cell, no cut of it into pieces and no
// checkpoint. An impact is resolved by the law of the two materials (impact/law.h). For balls
// K = diag(k_t, k_t, k_n), k_n = 1/m_a + 1/m_b, k_t = k_n + r_a^2/I_a + r_b^2/I_b. The law
// `frictionless` is applied without its frame: the impulse on a is -(1 + e) (C.V) / (k_n C.C) C,
// which keeps the energy for e = 1 however C is rounded.
//
// Algorithm. Balls are filed in cells (ball_grid.h), one grid for each factor of two in radius. A
// ball has one plan, the earliest of: leaving its cell, meeting a wall of its cell, meeting a ball
// of those cells that it could touch before it leaves its own. A queue (ball_queue.h) holds the
// times of the plans. Whoever plans looks at all others that it could meet, so that of every pair
// the one that planned last knows of their meeting; a plan with a ball that has been hit since is
// made anew when its time comes. Only the balls of an event are touched.
//
// Approaches slower than 2e-15 of the balls' own speeds are rounding and do not count. There is no
// micro-collision and no sleep. Rows of impacts that do not end (inelastic collapse) are given up:
// when each of the two balls has had Settings::most_at_once impacts, each within 1e-12 of the time
// in which a ball of mean size and speed flies its radius.
// Sources: Rapaport, J. Comput. Phys. 34 (1980); Lubachevsky, J. Comput. Phys. 94 (1991), one
// event for each ball.
class BallEngine final : public Engine {
public:
    // Whether these bodies are of this kind: no gravity, at least one free body, every free body a
    // ball about its centre of mass with equal moments, every fixed one a plane at rest.
    static bool fits(const Settings& settings, std::span<const Body> bodies);

    // Pre: fits(). The input's parts outlive the engine. Call rebuild() before the first run().
    explicit BallEngine(const EngineInput& input);

    void rebuild() override;
    bool run(double until, Listener* listener, const StopCheck& stop = {}) override;
    double time() const override { return now_; }
    motion::State state(BodyId body) const override;
    bool asleep(BodyId) const override { return false; }
    Segment segment(BodyId body) const override;
    void save(ByteWriter& out) const override;
    void load(ByteReader& in) override;

    // Bytes of all that grows with the number of balls.
    std::size_t bytes() const;

private:
    // All that a search needs of a ball, in one cache line.
    struct alignas(64) Ball {
        Vec3 x, v;  // at t0
        double t0 = 0.0;
        std::uint32_t next = BallGrid::k_end;  // among those that the cell has no place for
        std::uint32_t hits = 0;                // how often it was hit; tells old plans from new
    };
    // What a ball does at its time in the queue: below the number of balls, meet that ball, whose
    // hits must still be `detail`; then the walls; then leave its cell, where detail is twice the
    // axis, and one more if upwards, or 6 just to look again.
    struct Plan {
        std::uint32_t with = 0;
        std::uint32_t detail = 0;
    };
    // What planning and impacts need besides, in another line.
    struct alignas(64) Card {
        double radius = 0.0, inverse_mass = 0.0, inverse_inertia = 0.0;
        BallPlace place;
        Plan plan;
        std::uint32_t body = 0, material = 0;
        std::uint32_t at_once = 0;  // impacts in a row without a flight between them
    };
    // The orientation is kept where the spin last changed.
    struct Spin {
        motion::Quat orientation;
        Vec3 w;
        double t = 0.0;
    };
    struct PairLaw {
        ContactLaw law;
        bool known = false;
        bool frictionless = false;
    };
    // The impact of ball a with b, a ball or a wall.
    struct Meeting {
        std::uint32_t a;
        std::uint32_t b;       // number of the ball; a again with a wall
        const BallWall* wall;  // null for a ball
        Vec3 C;                // from b to a, along the normal, of any length
        double k_n;            // 1/kg
        const PairLaw* law;
    };
    // On a, world frame.
    struct Push {
        Vec3 p;
        double energy_lost;
    };
    struct Way;

    static constexpr std::uint32_t k_leave = BallGrid::k_end;
    static constexpr double k_never = BallQueue::k_never;

    std::uint32_t ball_count() const { return static_cast<std::uint32_t>(balls_.size()); }
    void number_materials();
    void make_grids();
    Aabb middle_box() const;
    void find_first_plans();
    void look_around();
    void file(std::uint32_t i);
    void unfile(std::uint32_t i);

    void fetch_ball(std::uint32_t i) const;
    void fetch_cells(std::uint32_t i) const;
    void fetch_neighbours(std::uint32_t i) const;
    void plan(std::uint32_t i);
    template <bool alike>
    void plan_all_of(std::uint32_t i);
    Way way_ahead(std::uint32_t i) const;
    template <bool alike>
    std::size_t sift(std::uint32_t i, const Way& way, double radius, std::size_t count);
    std::size_t gather(const BallGrid& grid, const Way& way, double reach, std::size_t count);
    double contact_time(const Ball& a, const Ball& b, double radii) const;
    double wall_time(const Ball& a, const BallWall& wall, double radius) const;
    void cross(std::uint32_t i, std::uint32_t side);

    void meet_ball(std::uint32_t i, std::uint32_t j, Listener* listener);
    void meet_wall(std::uint32_t i, const BallWall& wall, Listener* listener);
    const PairLaw& law_of(std::uint32_t material_a, std::uint32_t material_b) const;
    void bring(std::uint32_t i);
    void resolve(const Meeting& meeting, Listener* listener);
    Push push_plainly(const Meeting& meeting);
    Push push_by_law(const Meeting& meeting);
    void turn(std::uint32_t i, const Vec3& change);
    Vec3 contact_velocity(const Meeting& meeting, const Vec3& n) const;
    void tell(const Meeting& meeting, const Vec3& n, const Vec3& u, const Push& push,
              Listener& listener) const;
    const Body& body_of(std::uint32_t ball) const { return input_.bodies[cards_[ball].body]; }
    const Body& second_body(const Meeting& meeting) const;

    EngineInput input_;
    double now_ = 0.0;
    std::vector<Ball> balls_;
    std::vector<Card> cards_;
    std::vector<Spin> spins_;
    std::vector<std::uint32_t> ball_of_;  // by body
    std::vector<BallWall> walls_;
    std::vector<PairLaw> laws_;  // by two materials, numbered as they come
    std::vector<std::uint32_t> material_ids_;
    std::vector<BallGrid> grids_;
    Aabb box_;  // that the grids were made for
    BallQueue queue_;
    std::vector<std::uint32_t> near_;  // for one search
    bool alike_ = true;                // all radii equal
    double largest_radius_ = 0.0;
    double look_ahead_ = 0.0;  // longest way between two looks, with several grids
    double instant_ = 0.0;     // flights shorter than this do not count
    std::uint64_t events_since_look_ = 0;
};

}  // namespace carom::world
