// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Events and forces together are all impulses that a body was given: its momentum at any time
// follows from them alone, from gravity, and from its own force fields.
//
// While a body sleeps its momentum is zero, and neither gravity nor the forces that hold it count.
//
// Angular momentum follows too for balls that fly, hit each other, and roll and slide on planes
// without rolling and spinning friction, whose torques are not in the record. Of other bodies an
// event or a force stands for several points, and its torque about the centre is not that of the
// middle of their pressure.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "carom/world/audit.h"
#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using world::ContactForce;
using world::Segment;
using world::SegmentKind;

// What one body was given, in the order of time.
struct Given {
    std::vector<Event> events;
    std::vector<ContactForce> forces;  // in the order of t0
    std::vector<Segment> segments;     // of several at one time the last
};

// All of it as seen from the body: impulses are on it.
std::vector<Given> sort_out(const Log& log, std::size_t bodies) {
    std::vector<Given> all(bodies);
    for (const Event& event : log.events) {
        all[event.a].events.push_back(event);
        if (event.b == world::k_no_body) continue;
        all[event.b].events.push_back(event);
        all[event.b].events.back().impulse *= -1.0;
    }
    for (const ContactForce& force : log.forces) {
        all[force.a].forces.push_back(force);
        all[force.b].forces.push_back(force);
        all[force.b].forces.back().impulse *= -1.0;
    }
    for (const Segment& segment : log.segments) {
        std::vector<Segment>& segments = all[segment.body].segments;
        if (!segments.empty() && segments.back().t0 == segment.t0) segments.pop_back();
        segments.push_back(segment);
    }
    for (Given& given : all) {
        std::stable_sort(given.forces.begin(), given.forces.end(),
                         [](const auto& x, const auto& y) { return x.t0 < y.t0; });
    }
    return all;
}

// A sum of vectors that keeps what rounding would lose, and of their sizes.
class VectorSum {
public:
    void add(const Vec3& v) {
        for (int k = 0; k < 3; ++k)
            sums_[k].add(v[k]);
        sizes_ += v.norm();
    }
    Vec3 value() const { return {sums_[0].value(), sums_[1].value(), sums_[2].value()}; }
    double sizes() const { return sizes_; }

private:
    world::Sum sums_[3];
    double sizes_ = 0.0;
};

// Follows the momentum of one body.
class Balance {
public:
    Balance(const world::Body& body, const Given& given, const Vec3& gravity)
        : body_(body), given_(given), gravity_(gravity) {
        momentum_.add(body.mass * body.first.velocity);
    }

    // The largest difference from the recorded states, relative to the sum of all sizes so far.
    double worst(double end) {
        double worst = 0.0;
        for (std::size_t i = 0; i < given_.segments.size(); ++i) {
            const Segment& segment = given_.segments[i];
            const bool last = i + 1 == given_.segments.size();
            const double until = last ? end : given_.segments[i + 1].t0;
            begin(segment);
            const motion::Motion motion = world::make_motion(body_, segment, gravity_);
            worst = std::max(worst, error(segment, motion, segment.t0));
            // within an exact motion the force is not even
            const bool even =
                segment.kind != SegmentKind::on_plane && segment.kind != SegmentKind::constrained;
            if (even && until > segment.t0)
                worst = std::max(worst, error(segment, motion, 0.5 * (segment.t0 + until)));
            finish(segment, motion, until);
            worst = std::max(worst, error(segment, motion, until));
        }
        return worst;
    }

private:
    // The events until the segment begins, and the forces that ended by then.
    void begin(const Segment& segment) {
        for (; next_event_ < given_.events.size(); ++next_event_) {
            if (given_.events[next_event_].t > segment.t0) break;
            momentum_.add(given_.events[next_event_].impulse);
        }
    }

    // The forces that began with the segment or in it, until t.
    Vec3 pushed(const Segment& segment, double t) const {
        Vec3 sum = Vec3::Zero();
        if (segment.kind == SegmentKind::asleep) return sum;
        for (std::size_t k = next_force_; k < given_.forces.size(); ++k) {
            const ContactForce& force = given_.forces[k];
            if (!(force.t0 < t)) break;
            // who flies has had all of it at the start of its step
            const bool whole = segment.kind == SegmentKind::flight || t >= force.t1;
            sum += (whole ? 1.0 : (t - force.t0) / (force.t1 - force.t0)) * force.impulse;
        }
        return sum;
    }

    Vec3 drawn(const Segment& segment, const motion::Motion& motion, double t) const {
        if (segment.kind == SegmentKind::asleep) return Vec3::Zero();
        if (segment.kind == SegmentKind::forced) {
            return body_.mass * (motion::at(motion, t).velocity - segment.state.velocity);
        }
        return body_.mass * (t - segment.t0) * gravity_;
    }

    void finish(const Segment& segment, const motion::Motion& motion, double until) {
        momentum_.add(pushed(segment, until));
        momentum_.add(drawn(segment, motion, until));
        done_ = until;
        while (next_force_ < given_.forces.size() && given_.forces[next_force_].t0 < until) {
            EXPECT_LE(given_.forces[next_force_].t1, until)
                << "'" << body_.name << "': an interval goes on over the segment that begins then";
            ++next_force_;
        }
    }

    double error(const Segment& segment, const motion::Motion& motion, double t) const {
        Vec3 pushed_since = Vec3::Zero(), drawn_since = Vec3::Zero();
        if (t > done_) {
            pushed_since = pushed(segment, t);
            drawn_since = drawn(segment, motion, t);
        }
        // in flight all of the step's impulse is there from the start
        if (t == segment.t0 && segment.kind == SegmentKind::flight)
            pushed_since = pushed(segment, std::nextafter(t, t + 1.0));
        const Vec3 momentum = momentum_.value() + pushed_since + drawn_since;
        const Vec3 recorded =
            t == segment.t0 ? segment.state.velocity : motion::at(motion, t).velocity;
        // velocities round with those of the body's points, which turn
        const double speed = recorded.norm() + body_.radius * segment.state.angular_velocity.norm();
        const double scale =
            momentum_.sizes() + pushed_since.norm() + drawn_since.norm() + body_.mass * speed;
        const double off = (momentum - body_.mass * recorded).norm();
        return scale > 0.0 ? off / scale : off;
    }

    const world::Body& body_;
    const Given& given_;
    Vec3 gravity_;
    VectorSum momentum_;
    double done_ = -1.0;
    std::size_t next_event_ = 0, next_force_ = 0;
};

motion::State state_at(const world::Body& body, const std::vector<Segment>& segments,
                       const Vec3& gravity, double t) {
    auto after = std::upper_bound(segments.begin(), segments.end(), t,
                                  [](double x, const Segment& s) { return x < s.t0; });
    return motion::at(world::make_motion(body, *std::prev(after), gravity), t);
}

struct Case {
    const char* scene;
    double lasting, micro;  // s that are simulated in the two modes of contact
};

class Momentum : public testing::TestWithParam<std::tuple<Case, world::ContactMode>> {};

TEST_P(Momentum, FollowsFromEventsAndForces) {
    const auto& [of, mode] = GetParam();
    scene::Scene scene = read_scene(of.scene, mode);
    const double wanted = mode == world::ContactMode::lasting ? of.lasting : of.micro;
    const double end = std::min(scene.duration, wanted);
    World world = scene::make_world(scene);
    Log log;
    world.run(end, &log);
    world.tell_forces(log);
    const std::vector<Given> given = sort_out(log, world.body_count());
    double worst = 0.0;
    for (BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        if (body.fixed) continue;
        const double error = Balance(body, given[id], world.settings().gravity).worst(end);
        EXPECT_LT(error, 1e-11) << "'" << body.name << "'";
        worst = std::max(worst, error);
    }
    expect_below("momentum", worst, 1e-11);
}

// Many balls that come down on each other are a pile, whose bodies fly from step to step; some fall
// asleep in it and wake.
TEST(MomentumOfAPile, FollowsFromEventsAndForces) {
    world::Settings with;
    with.checkpoint = 0.25;
    World world(with, contacts(0.3, 0.4));
    add_floor(world);
    for (int side = 0; side < 4; ++side) {
        const double way = side % 2 == 0 ? 0.35 : -0.35;
        const bool along_x = side < 2;
        world.add(
            {.name = "wall " + std::to_string(side),
             .shape = shared(shape::make_box({along_x ? 0.1 : 1.0, along_x ? 1.0 : 0.1, 1.0})),
             .pose = at({along_x ? way : 0.0, along_x ? 0.0 : way, 0.5001}),
             .fixed = true});
    }
    for (int i = 0; i < 80; ++i) {
        const int x = i % 4, y = i / 4 % 4, z = i / 16;
        // no two above each other
        const Vec3 place(0.12 * x - 0.185 + 0.0015 * (i % 7), 0.12 * y - 0.185 + 0.0025 * (i % 5),
                         0.08 + 0.12 * z);
        add_ball(world, ("ball " + std::to_string(i)).c_str(), 0.05, place, Vec3::Zero(), 0.5);
    }
    Log log;
    world.run(0.8, &log);
    world.tell_forces(log);
    const auto flies = [](const ContactForce& force) {
        return force.acts == world::ForceCourse::at_start;
    };
    EXPECT_GT(std::count_if(log.forces.begin(), log.forces.end(), flies), 100);
    const std::vector<Given> given = sort_out(log, world.body_count());
    for (BodyId id = world.find("ball 0"); id < world.body_count(); ++id) {
        const double error = Balance(world.body(id), given[id], with.gravity).worst(0.8);
        EXPECT_LT(error, 1e-11) << world.body(id).name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, Momentum,
    testing::Combine(testing::Values(Case{"bounce", 3.0, 3.0}, Case{"bowling", 4.0, 1.0},
                                     Case{"coins", 2.0, 0.5}, Case{"dice", 3.0, 1.0},
                                     Case{"dominoes", 1.0, 0.1}, Case{"euler-disk", 1.0, 0.3},
                                     Case{"gas", 0.2, 0.2}, Case{"marbles-spheres", 1.0, 0.5},
                                     Case{"marbles", 1.0, 0.5}, Case{"masse", 1.0, 0.3},
                                     Case{"particle-floor", 3.0, 3.0}, Case{"pencil", 2.0, 1.0},
                                     Case{"platter", 11.0, 1.0}, Case{"pool-break", 3.0, 0.5},
                                     Case{"ramp-slide", 2.0, 1.0}, Case{"ramp-stick", 10.0, 1.0},
                                     Case{"superball", 0.45, 0.45}, Case{"tumble", 100.0, 100.0}),
                     testing::Values(world::ContactMode::micro, world::ContactMode::lasting)),
    [](const auto& one) {
        std::string name = std::string(std::get<0>(one.param).scene) + "_" +
                           world::name_of(std::get<1>(one.param));
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

// Where a force is, at any time of its interval.
Vec3 place_of(const ContactForce& force, double t, const Vec3& moved) {
    if (force.follows == world::ForcePlace::centre_of_a) return force.point + moved;
    const double part = (t - force.t0) / (force.t1 - force.t0);
    return force.point + part * (force.point_end - force.point);
}

// The bowling ball slides on oil, then rolls on dry boards: the force of the lane bears its weight
// all the time it is there, and is under it.
TEST(Places, TheForceOfTheLaneGoesWithTheBall) {
    const Simulated done = simulate(read_scene("bowling", world::ContactMode::lasting));
    const BodyId id = done.world.find("ball");
    const world::Body& ball = done.world.body(id);
    const std::vector<Given> given = sort_out(done.log, done.world.body_count());
    const Vec3 gravity = done.world.settings().gravity;
    double on_lane = 0.0;
    for (const ContactForce& force : done.log.forces) {
        if (force.a != id || force.follows != world::ForcePlace::centre_of_a) continue;
        EXPECT_EQ(force.acts, world::ForceCourse::by_motion);
        on_lane += force.t1 - force.t0;
        // what the closed form takes of the last hop is in it
        const double weight = ball.mass * k_gravity * (force.t1 - force.t0);
        EXPECT_NEAR(force.impulse.z(), weight, 1e-6 * ball.mass) << force.t0;
        const Vec3 c0 = state_at(ball, given[id].segments, gravity, force.t0).position;
        for (const double part : {0.0, 0.25, 0.5, 0.75}) {
            const double t = force.t0 + part * (force.t1 - force.t0);
            const Vec3 c = state_at(ball, given[id].segments, gravity, t).position;
            const Vec3 under = c - ball.radius * force.normal;
            EXPECT_LT((place_of(force, t, c - c0) - under).norm(), 1e-12 * (1.0 + c.norm())) << t;
        }
    }
    EXPECT_GT(on_lane, 2.0);
}

// No place is made up: each is where the two bodies meet, at both ends of its interval.
TEST(Places, AreOnTheBodies) {
    for (const char* name : {"bowling", "coins", "dominoes", "euler-disk", "marbles-spheres",
                             "pool-break", "ramp-slide", "ramp-stick"}) {
        SCOPED_TRACE(name);
        scene::Scene scene = read_scene(name, world::ContactMode::lasting);
        const double end = std::min(scene.duration, 1.0);
        World world = scene::make_world(scene);
        Log log;
        world.run(end, &log);
        world.tell_forces(log);
        ASSERT_FALSE(log.forces.empty());
        const std::vector<Given> given = sort_out(log, world.body_count());
        for (const ContactForce& force : log.forces) {
            const world::Body& a = world.body(force.a);
            EXPECT_FALSE(a.fixed);
            EXPECT_NEAR(force.normal.norm(), 1.0, 1e-12);
            const auto distance = [&](const Vec3& point, double t) {
                const Vec3 c =
                    state_at(a, given[force.a].segments, world.settings().gravity, t).position;
                return (point - c).norm() / a.radius;
            };
            // where nothing presses, the two may be a little apart
            if (force.impulse.isZero(0.0)) {
                EXPECT_LT(distance(force.point, force.t0), 1.1) << a.name << " at " << force.t0;
                continue;
            }
            // a ball is met on its surface, whatever meets it; steps are exact to second order
            const bool ball = world::is_ball(a);
            EXPECT_LT(distance(force.point, force.t0), 1.02) << a.name << " at " << force.t0;
            EXPECT_LT(distance(force.point_end, force.t1), 1.02) << a.name << " at " << force.t1;
            if (ball) {
                EXPECT_GT(distance(force.point, force.t0), 0.98) << a.name << " at " << force.t0;
            }
        }
    }
}

// Of balls, angular momentum too.
class AngularMomentum : public testing::TestWithParam<const char*> {};

TEST_P(AngularMomentum, OfBallsFollowsFromEventsAndForces) {
    scene::Scene scene = read_scene(GetParam(), world::ContactMode::lasting);
    const double end = std::min(scene.duration, 1.2);
    World world = scene::make_world(scene);
    Log log;
    world.run(end, &log);
    world.tell_forces(log);
    const Vec3 gravity = world.settings().gravity;
    const std::vector<Given> given = sort_out(log, world.body_count());
    std::size_t balls = 0;
    for (BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        if (body.fixed || !world::is_ball(body)) continue;
        ++balls;
        const auto centre = [&](double t) {
            return state_at(body, given[id].segments, gravity, t).position;
        };
        VectorSum turned;
        const double moment = body.inertia->tensor()(0, 0);
        turned.add(moment * body.first.angular_velocity);
        for (const Event& event : given[id].events) {
            // sleep takes what is left, and is not asked for here
            ASSERT_NE(event.kind, EventKind::sleep) << body.name;
            turned.add((event.point - centre(event.t)).cross(event.impulse));
        }
        for (const ContactForce& force : given[id].forces)
            turned.add((force.point - centre(force.t0)).cross(force.impulse));
        const Vec3 recorded = moment * world.state(id).angular_velocity;
        EXPECT_LE((turned.value() - recorded).norm(), 1e-10 * turned.sizes()) << body.name;
    }
    EXPECT_GT(balls, 0U);
}

INSTANTIATE_TEST_SUITE_P(Scenes, AngularMomentum,
                         testing::Values("bounce", "superball", "bowling", "platter"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace
}  // namespace carom::tests
