// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <algorithm>
#include <cstdlib>
#include <numbers>
#include <stdexcept>

#include "core.h"
#include "random.h"

namespace touch_oracle {

namespace {

constexpr double k_fall = 9.81;

// the radius about the centre of mass that holds the shape
double reach(const Body& body) {
    const Core core(body.shape);
    if (core.is_plane()) return 0.0;
    return static_cast<double>(core.reach(Vec(body.motion.centre_of_mass)) + core.radius());
}

Body body_of(Random& random, const Shape& shape) {
    Body body;
    body.shape = shape;
    if (shape.kind == Kind::plane) {
        body.motion.fixed = true;
        return body;
    }
    const MassProperties m = mass_properties(shape);
    const double density = random.log_uniform(100.0, 10000.0);
    body.mass = density * m.mass;
    body.motion.centre_of_mass = m.centre;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            body.motion.inertia[i][j] = density * m.inertia[i][j];
    }
    body.motion.orientation = random.orientation();
    return body;
}

// What the families differ in.
struct Plan {
    double least_spin = 0.0, most_spin = 10.0;
    double least_time = 0.3, most_time = 2.0;    // until the bodies are to meet
    double least_sizes = 1.5, most_sizes = 6.0;  // how far apart they start
    double gravity = 0.5;                        // how often
    bool b_fixed = false;
    double b_spin = 0.0;  // of a fixed b
    Proportions a, b;
};

Proportions proportions(Random& random) {
    Proportions p;
    p.scale = random.log_uniform(0.05, 5.0);
    p.relative = {1.0, random.log_uniform(0.3, 1.0), random.log_uniform(0.3, 1.0)};
    return p;
}

void thin(Random& random, Plan& plan) {
    Proportions& plate = random.chance(0.5) ? plan.a : plan.b;
    Proportions& pellet = &plate == &plan.a ? plan.b : plan.a;
    plate.scale = random.log_uniform(0.3, 3.0);
    plate.relative = {1.0, 1.0, random.log_uniform(1e-4, 1e-2)};
    pellet.scale = plate.scale * random.log_uniform(0.005, 0.2);
}

Plan plan_of(Random& random, Family family) {
    Plan plan;
    plan.a = proportions(random);
    plan.b = proportions(random);
    plan.b_fixed = random.chance(0.3);
    switch (family) {
        case Family::both_tumble:
            plan.least_spin = 5.0;
            plan.most_spin = 30.0;
            plan.b_fixed = false;
            break;
        case Family::fast_spin:
            plan.least_spin = 100.0;
            plan.most_spin = 500.0;
            plan.least_time = 0.05;
            plan.most_time = 0.5;
            plan.b_spin = random.chance(0.5) ? 300.0 : 0.0;
            break;
        case Family::fast_thin:
            thin(random, plan);
            plan.most_spin = 100.0;
            break;
        case Family::slow_far: {
            const double speed = random.log_uniform(1e-3, 1e-2);  // sizes a second
            const double sizes = random.log_uniform(5.0, 100.0);
            plan.least_sizes = plan.most_sizes = sizes;
            plan.least_time = plan.most_time = sizes / speed;
            plan.most_spin = random.chance(0.3) ? 0.0 : random.log_uniform(0.1, 3.0) * speed;
            plan.gravity = 0.0;
            break;
        }
        case Family::platter:
            plan.b_fixed = true;
            plan.b_spin = 20.0;
            break;
        case Family::long_flight:
            plan.least_time = 10.0;
            plan.most_time = 60.0;
            plan.least_sizes = 20.0;
            plan.most_sizes = 200.0;
            plan.most_spin = 3.0;
            break;
        default:
            break;
    }
    return plan;
}

void give_spin(Random& random, const Plan& plan, Body& body, bool fixed) {
    if (body.shape.kind == Kind::plane) return;
    body.motion.fixed = fixed;
    const double spin = fixed ? plan.b_spin : random.uniform(plan.least_spin, plan.most_spin);
    body.motion.angular_velocity = random.direction() * spin;
}

// Places the body so that its centre (of mass, or its frame if it is fixed) is at `there` at
// `time`.
void arrive(Body& body, const Vec3& there, double time) {
    Motion& m = body.motion;
    Vec3 start = there - m.velocity * time;
    if (!m.fixed) start = start - m.gravity * (time * time / 2);
    m.position = m.fixed ? start : start - rotated(m.orientation, m.centre_of_mass);
}

Vec3 centre(const Body& body) {
    const Motion& m = body.motion;
    return m.fixed ? m.position : m.position + rotated(m.orientation, m.centre_of_mass);
}

double size_of(const Problem& p) {
    return reach(p.a) + reach(p.b);
}

// Two bodies on their way to meet at `time`; false where they would overlap at the start.
bool meet(Random& random, const Plan& plan, Problem& p) {
    const bool a_plane = p.a.shape.kind == Kind::plane, b_plane = p.b.shape.kind == Kind::plane;
    const bool b_fixed = b_plane || (plan.b_fixed && !a_plane);
    give_spin(random, plan, p.a, a_plane);
    give_spin(random, plan, p.b, b_fixed);
    const double size = size_of(p);
    double time = random.log_uniform(plan.least_time, plan.most_time * 1.000001);
    const double sizes = random.uniform(plan.least_sizes, plan.most_sizes);
    if (p.family == Family::fast_thin) time = sizes * size / random.uniform(50.0, 200.0);
    const bool hit = random.chance(0.62) && p.family != Family::graze;
    p.until = time * (hit ? random.uniform(1.1, 1.6) : random.uniform(0.6, 1.6));
    const double speed = sizes * size / time;
    const Vec3 way = random.direction();
    const Vec3 drift = random.direction() * (speed * random.uniform(0.0, 0.5));
    if (random.chance(plan.gravity)) {
        const Vec3 g(0.0, 0.0, -k_fall);
        if (!a_plane) p.a.motion.gravity = g;
        if (!b_fixed && random.chance(0.8)) p.b.motion.gravity = g;
    }
    const Vec3 place = random.direction() * (size * random.uniform(0.0, 3.0));
    if (a_plane || b_plane) {
        Body& plane = a_plane ? p.a : p.b;
        Body& body = a_plane ? p.b : p.a;
        plane.shape.normal = (way + random.direction() * 0.5).unit();
        plane.motion.position = place;
        body.motion.velocity = (-way) * speed + drift - body.motion.gravity * time;
        const double depth = hit ? -random.uniform(0.0, 0.5) : random.uniform(0.5, 2.0);
        arrive(body, place + plane.shape.normal * (depth * size), time);
        return plane.shape.normal.dot(centre(body) - place) > 1.05 * size;
    }
    p.b.motion.velocity = b_fixed ? Vec3() : drift - p.b.motion.gravity * time;
    p.a.motion.velocity = (b_fixed ? Vec3() : drift) - p.a.motion.gravity * time - way * speed;
    const double aside = hit ? random.uniform(0.0, 0.25) : random.uniform(0.6, 2.0);
    arrive(p.b, place, time);
    arrive(p.a, place + random.direction() * (aside * size), time);
    return (centre(p.a) - centre(p.b)).norm() > 1.05 * size;
}

// Thrown up from b, or a plane, and falling back.
void throw_up(Random& random, Problem& p) {
    const bool swap = p.a.shape.kind == Kind::plane;
    Body& ball = swap ? p.b : p.a;
    Body& floor = swap ? p.a : p.b;
    floor.motion.fixed = true;
    if (floor.shape.kind == Kind::plane) {
        floor.shape.normal = (Vec3(0, 0, 1) + random.direction() * random.uniform(0, 0.3)).unit();
    } else {
        floor.motion.angular_velocity = random.direction() * random.uniform(0.0, 5.0);
    }
    ball.motion.gravity = {0.0, 0.0, -k_fall};
    ball.motion.angular_velocity = random.direction() * random.uniform(0.0, 15.0);
    const double size = size_of(p);
    const double height = size * random.uniform(1.1, 3.0);
    const double up = std::sqrt(k_fall * size) * random.uniform(0.5, 3.0);
    ball.motion.velocity = Vec3(0.0, 0.0, up) + random.direction() * (0.05 * up);
    arrive(ball, {random.uniform(-0.3, 0.3) * size, random.uniform(-0.3, 0.3) * size, height}, 0.0);
    const double back = (up + std::sqrt(up * up + 2 * k_fall * height)) / k_fall;
    p.until = back * random.uniform(0.8, 1.3);
}

// Faces parallel, axes along the frame's, no spin or one about the way down.
void line_up(Random& random, Problem& p) {
    const double quarter = std::numbers::pi / 2;
    for (Body* body : {&p.a, &p.b}) {
        const Vec3 axis(random.chance(0.5) ? 1.0 : 0.0, 1.0, 0.0);
        const bool straight = random.chance(0.7) || axis.x > 0.0;
        body->motion.orientation = straight ? Quat{} : turn(Vec3(0, 1, 0), quarter);
        if (body->shape.kind != Kind::plane) continue;
        body->motion.orientation = {};
        body->shape.normal = {0.0, 0.0, body == &p.a ? -1.0 : 1.0};
    }
    const bool a_plane = p.a.shape.kind == Kind::plane;
    Body& mover = a_plane ? p.b : p.a;
    (a_plane ? p.a : p.b).motion.fixed = true;
    const double side = a_plane ? -1.0 : 1.0;
    const double size = size_of(p);
    const double start = size * random.uniform(1.1, 3.0);
    const int shift = random.whole(0, 3);
    const Vec3 to_side(shift == 1 || shift == 3 ? 0.125 * size : 0.0,
                       shift >= 2 ? 0.125 * size : 0.0, 0.0);
    arrive(mover, to_side + Vec3(0.0, 0.0, side * start), 0.0);
    if (random.chance(0.6)) mover.motion.gravity = {0.0, 0.0, -side * k_fall};
    if (random.chance(0.3)) mover.motion.angular_velocity = {0.0, 0.0, random.uniform(-9.0, 9.0)};
    if (mover.motion.gravity.norm() == 0.0 || random.chance(0.5)) {
        mover.motion.velocity = {0.0, 0.0, -side * size * random.uniform(0.5, 2.0)};
    }
    p.until = random.uniform(0.5, 2.0) * std::sqrt(size);
}

// Shifts the moving body so that its closest pass has the wanted gap, or dips in by it.
void graze(Random& random, Problem& p) {
    const double size = size_of(p);
    const double wanted = random.log_uniform(1e-6, 1e-2) * size * (random.chance(0.5) ? 1 : -1);
    for (int i = 0; i < 3; ++i) {
        const Touch touch = first_touch(p);
        if (touch.touches) break;
        const double t = touch.t_of_smallest;
        const Moved a = moved(p.a.motion, t), b = moved(p.b.motion, t);
        const auto pose = [](const Moved& m) {
            const QuatR& q = m.orientation;
            return Pose{Vec3(m.position),
                        {static_cast<double>(q.w), static_cast<double>(q.x),
                         static_cast<double>(q.y), static_cast<double>(q.z)}};
        };
        const Distance d = distance(p.a.shape, pose(a), p.b.shape, pose(b));
        const Vec3 shift = Vec3(d.normal) * (touch.smallest_distance - wanted);
        if (p.a.shape.kind == Kind::plane) {
            p.b.motion.position += shift;
        } else {
            p.a.motion.position += -shift;
        }
    }
}

}  // namespace

std::string name(Family family) {
    static const std::array<const char*, 10> names{
        "generic", "both_tumble", "fast_spin", "fast_thin",  "slow_far",
        "graze",   "platter",     "boomerang", "degenerate", "long_flight"};
    return names[static_cast<std::size_t>(family)];
}

Problem random_problem(std::uint64_t seed, Family family, Kind a, Kind b) {
    if (a == Kind::plane && b == Kind::plane) {
        throw std::invalid_argument("at most one of the shapes may be a plane");
    }
    Random random(seed);
    for (int attempt = 0; attempt < 200; ++attempt) {
        Problem p{seed, family, {}, {}, 1.0};
        Plan plan = plan_of(random, family);
        if (family == Family::degenerate) {
            plan.a.boxy = plan.b.boxy = true;
            plan.a.off_centre = plan.b.off_centre = false;
        }
        p.a = body_of(random, shape_of(random, a, plan.a));
        p.b = body_of(random, shape_of(random, b, plan.b));
        if (family == Family::degenerate) {
            line_up(random, p);
        } else if (family == Family::boomerang) {
            throw_up(random, p);
        } else if (!meet(random, plan, p)) {
            continue;
        }
        if (family == Family::graze) {
            graze(random, p);
            const Pose at_a{p.a.motion.position, p.a.motion.orientation};
            const Pose at_b{p.b.motion.position, p.b.motion.orientation};
            if (distance(p.a.shape, at_a, p.b.shape, at_b).overlap) continue;
        }
        return p;
    }
    throw std::runtime_error("no problem of this family was found");
}

Problem random_problem(std::uint64_t seed) {
    const std::uint64_t kinds = k_kinds.size(), families = k_families.size();
    std::uint64_t pair = seed / families % (kinds * kinds - 1);
    if (pair >= kinds + 1) ++pair;  // plane against plane is left out
    return random_problem(seed, k_families[seed % families], k_kinds[pair / kinds],
                          k_kinds[pair % kinds]);
}

Touch first_touch(const Problem& problem, const Options& options) {
    return first_touch(problem.a.shape, problem.a.motion, problem.b.shape, problem.b.motion,
                       problem.until, options);
}

}  // namespace touch_oracle
