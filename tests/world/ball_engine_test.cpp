// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/gas/ball_engine.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "carom/world/simulate/simulator.h"
#include "tests/world/ball_scenes.h"

namespace carom::world {
namespace {

using tests::BallRun;
using tests::BallScene;
using tests::frictionless_law;
using tests::Random;

struct Heard : Listener {
    std::vector<Event> events;
    std::vector<Segment> segments;
    void on_event(const Event& event) override { events.push_back(event); }
    void on_segment(const Segment& segment) override { segments.push_back(segment); }
};

// The next impact found by looking at every pair anew, all balls moved at every impact, in extended
// precision; the impact by the general route of two bodies in the world frame.
class Reference {
public:
    using Real = long double;
    using Long3 = Eigen::Matrix<Real, 3, 1>;

    explicit Reference(const BallScene& scene) : scene_(scene) {
        for (const Body& body : scene.bodies) {
            x_.push_back(body.first.position.cast<Real>());
            v_.push_back(body.first.velocity);
            w_.push_back(body.first.angular_velocity);
        }
    }

    struct Impact {
        double t;
        BodyId a, b;
    };

    std::optional<Impact> next() {
        const auto n = static_cast<BodyId>(x_.size());
        Real soonest = std::numeric_limits<Real>::infinity();
        BodyId first = 0, second = 0;
        for (BodyId i = 0; i < n; ++i) {
            for (BodyId j = i + 1; j < n; ++j) {
                const Real d = wait(i, j);
                if (!(d < soonest)) continue;
                soonest = d;
                first = i;
                second = j;
            }
        }
        if (!std::isfinite(soonest)) return std::nullopt;
        t_ += soonest;
        for (BodyId i = 0; i < n; ++i)
            x_[i] += soonest * v_[i].cast<Real>();
        resolve(first, second);
        return Impact{static_cast<double>(t_), first, second};
    }

    const Vec3& velocity(BodyId i) const { return v_[i]; }
    const Vec3& spin(BodyId i) const { return w_[i]; }

private:
    const Body& body(BodyId i) const { return scene_.bodies[i]; }
    Vec3 wall_normal(BodyId i) const {
        return std::get<shape::HalfSpace>(body(i).shape->parts[0].convex).normal;
    }

    Real wait(BodyId i, BodyId j) const {
        constexpr Real k_never = std::numeric_limits<Real>::infinity();
        if (body(i).fixed && body(j).fixed) return k_never;
        if (body(i).fixed) return wait(j, i);
        if (body(j).fixed) {
            const Long3 n = wall_normal(j).cast<Real>();
            const Real rate = n.dot(v_[i].cast<Real>());
            const Real gap = n.dot(x_[i] - x_[j]) - static_cast<Real>(body(i).radius);
            return rate < 0 ? -gap / rate : k_never;
        }
        const Long3 C = x_[i] - x_[j];
        const Long3 V = (v_[i] - v_[j]).cast<Real>();
        const Real R = static_cast<Real>(body(i).radius + body(j).radius);
        const Real b = C.dot(V), square = b * b - V.squaredNorm() * (C.squaredNorm() - R * R);
        if (b >= 0 || square < 0) return k_never;
        return (-b - std::sqrt(square)) / V.squaredNorm();
    }

    impact::BodyState side(BodyId i, const Vec3& r) const {
        if (body(i).fixed) return {};
        return {body(i).inverse_mass, body(i).inverse_inertia, r, v_[i], w_[i]};
    }

    void resolve(BodyId i, BodyId j) {
        if (body(i).fixed) std::swap(i, j);
        const Vec3 n =
            body(j).fixed ? wall_normal(j) : Vec3((x_[i] - x_[j]).normalized().cast<double>());
        const double r_j = body(j).fixed ? 0.0 : body(j).radius;
        const impact::BodyPair pair{n, side(i, -body(i).radius * n), side(j, r_j * n)};
        const impact::FramedContact framed = impact::make_contact(pair);
        const ContactLaw& law = *scene_.contacts.find(0, 0);
        const impact::Outcome outcome =
            impact::resolve(impact::law_info(law.law), framed.contact, law.parameters);
        const impact::BodyPair after =
            impact::apply_impulse(pair, framed.R_CW.transpose() * outcome.solution.p);
        v_[i] = after.A.v;
        w_[i] = after.A.w;
        if (body(j).fixed) return;
        v_[j] = after.B.v;
        w_[j] = after.B.w;
    }

    const BallScene& scene_;
    Real t_ = 0;
    std::vector<Long3> x_;
    std::vector<Vec3> v_, w_;
};

ContactLaw law_of(impact::LawId id, double e, double mu) {
    ContactLaw law = frictionless_law(e);
    law.law = id;
    law.parameters.mu = mu;
    return law;
}

// Balls at random places, not nearer than they may be; sizes spread over 1 : ratio.
BallScene mixture(const ContactLaw& law, std::size_t count, double width, double ratio, bool walls,
                  std::uint64_t seed) {
    BallScene scene(law);
    Random random(seed);
    while (scene.bodies.size() < count) {
        const double r = 0.5 * random.log_uniform(1.0 / ratio, 1.0);
        // one after the other: compilers differ in the order of arguments
        const double z = random.uniform(r, width - r);
        const double y = random.uniform(r, width - r);
        const double x = random.uniform(r, width - r);
        const Vec3 at(x, y, z);
        bool free = true;
        for (const Body& other : scene.bodies)
            free = free && (other.first.position - at).norm() > other.radius + r;
        if (!free) continue;
        const Vec3 w = 2.0 * random.normal3();
        const Vec3 v = random.normal3();
        scene.add_ball(r, 8.0 * r * r * r, at, v, w);
    }
    if (walls) scene.add_box(width);
    return scene;
}

void expect_same_impacts(const BallScene& scene, std::size_t count, const char* what) {
    SCOPED_TRACE(what);
    BallRun run(scene);
    Heard heard;
    Reference reference(scene);
    for (std::size_t k = 0; k < count; ++k) {
        const auto expected = reference.next();
        while (heard.events.size() <= k && run.engine.time() < 1e4)
            run.engine.run(run.engine.time() + 0.05 + 0.01 * run.engine.time(), &heard);
        if (!expected) {
            EXPECT_EQ(heard.events.size(), k);
            return;
        }
        ASSERT_GT(heard.events.size(), k) << "expected an impact at " << expected->t;
        const Event& event = heard.events[k];
        ASSERT_EQ(event.a, expected->a) << k;
        ASSERT_EQ(event.b, expected->b) << k;
        ASSERT_NEAR(event.t, expected->t, 1e-9 * std::max(1.0, expected->t)) << k;
        for (const Segment& s : heard.segments) {
            if (s.t0 != event.t) continue;
            ASSERT_LT((s.state.velocity - reference.velocity(s.body)).norm(), 1e-7) << k;
            ASSERT_LT((s.state.angular_velocity - reference.spin(s.body)).norm(), 1e-6) << k;
        }
    }
}

TEST(BallEngine, MakesTheSameImpactsAsLookingAtEveryPair) {
    using impact::LawId;
    expect_same_impacts(mixture(frictionless_law(1.0), 60, 5.8, 1.0, true, 1), 250, "equal balls");
    expect_same_impacts(mixture(frictionless_law(0.9), 60, 4.2, 3.0, true, 2), 250, "1 : 3");
    expect_same_impacts(mixture(frictionless_law(1.0), 60, 3.0, 20.0, true, 3), 250, "1 : 20");
    expect_same_impacts(mixture(law_of(LawId::routh, 0.9, 0.3), 50, 5.5, 1.0, true, 4), 200,
                        "routh");
    expect_same_impacts(mixture(law_of(LawId::particle, 0.95, 0.5), 50, 4.2, 4.0, true, 5), 200,
                        "particle");
    expect_same_impacts(mixture(law_of(LawId::routh, 1.0, 2.0), 30, 4.2, 2.0, true, 6), 150,
                        "sticking");
}

TEST(BallEngine, MakesTheSameImpactsInOpenSpace) {
    expect_same_impacts(mixture(frictionless_law(1.0), 60, 5.8, 1.0, false, 7), 250, "equal balls");
    expect_same_impacts(mixture(frictionless_law(0.8), 60, 3.5, 5.0, false, 8), 250, "1 : 5");
    // one oblique wall, and a corner of three
    BallScene scene = mixture(frictionless_law(1.0), 40, 4.6, 2.0, false, 9);
    scene.add_wall(Vec3(1.0, 2.0, -0.5).normalized(), Vec3(-2.0, -2.0, 4.0));
    scene.add_wall(Vec3(0.0, 0.3, 1.0).normalized(), Vec3(0.0, 0.0, -3.0));
    scene.add_wall(Vec3(-1.0, 0.0, 0.1).normalized(), Vec3(7.0, 0.0, 0.0));
    expect_same_impacts(scene, 200, "corner");
}

TEST(BallEngine, FindsABallThatComesFromFarAway) {
    BallScene scene(frictionless_law(1.0));
    scene.add_ball(0.5, 1.0, Vec3::Zero(), Vec3::Zero());
    scene.add_ball(0.25, 1.0, Vec3(1e6, 0.3, 0.0), Vec3(-1.0, 0.0, 0.0));
    scene.add_ball(0.5, 1.0, Vec3(5.0, 5.0, 5.0), Vec3(0.0, 0.0, 1e-3));
    BallRun run(scene);
    Heard heard;
    run.engine.run(2e6, &heard);
    ASSERT_EQ(heard.events.size(), 1U);
    // miss distance 0.3, contact at distance 0.75
    EXPECT_NEAR(heard.events[0].t, 1e6 - std::sqrt(0.75 * 0.75 - 0.3 * 0.3), 1e-9);
    EXPECT_NEAR(heard.events[0].normal.y(), -0.3 / 0.75, 1e-9);
}

bool same_bits(const BallScene& scene, const BallRun& p, const BallRun& q) {
    ByteWriter a, b;
    p.engine.save(a);
    q.engine.save(b);
    for (BodyId i = 0; i < scene.bodies.size(); ++i) {
        a.put(p.engine.state(i));
        b.put(q.engine.state(i));
    }
    return a.bytes() == b.bytes() && p.tally.impacts == q.tally.impacts;
}

TEST(BallEngine, GivesTheSameBitsHoweverTheRunIsCut) {
    for (const double ratio : {1.0, 8.0}) {
        const BallScene scene =
            mixture(law_of(impact::LawId::routh, 0.95, 0.3), 80, 6.4, ratio, true, 11);
        BallRun whole(scene), cut(scene), told(scene), rebuilt(scene);
        whole.engine.run(20.0, nullptr);
        for (int k = 1; k <= 97; ++k)
            cut.engine.run(20.0 * k / 97.0, nullptr);
        Heard heard;
        told.engine.run(20.0, &heard);
        for (const double t : {3.0, 11.0, 20.0}) {
            rebuilt.engine.run(t, nullptr);
            rebuilt.engine.rebuild();
        }
        EXPECT_GT(whole.tally.impacts, 500U);
        EXPECT_TRUE(same_bits(scene, whole, cut));
        EXPECT_TRUE(same_bits(scene, whole, told));
        EXPECT_TRUE(same_bits(scene, whole, rebuilt));
        EXPECT_EQ(heard.events.size(), whole.tally.impacts);
    }
}

TEST(BallEngine, GoesOnFromACheckpointWithTheSameBits) {
    const BallScene scene = mixture(law_of(impact::LawId::routh, 0.9, 0.2), 60, 4.2, 3.0, true, 12);
    BallRun whole(scene), resumed(scene);
    whole.engine.run(4.0, nullptr);
    whole.engine.rebuild();
    ByteWriter saved;
    whole.engine.save(saved);
    ByteReader reader(saved.bytes());
    resumed.engine.load(reader);
    EXPECT_EQ(reader.left(), 0U);
    resumed.engine.rebuild();
    resumed.tally = whole.tally;
    whole.engine.run(9.0, nullptr);
    resumed.engine.run(9.0, nullptr);
    EXPECT_TRUE(same_bits(scene, whole, resumed));
    ByteReader shorter(std::span(saved.bytes()).first(100));
    EXPECT_THROW(resumed.engine.load(shorter), std::invalid_argument);
}

TEST(BallEngine, TellsImpactsAndSegmentsThatFitTogether) {
    const BallScene scene = mixture(law_of(impact::LawId::routh, 0.8, 0.4), 40, 4.6, 2.0, true, 13);
    BallRun run(scene);
    Heard heard;
    run.engine.run(3.0, &heard);
    ASSERT_GT(heard.events.size(), 100U);
    EXPECT_EQ(run.tally.events, heard.events.size());
    std::vector<Segment> last;
    for (BodyId i = 0; i < scene.bodies.size(); ++i)
        last.push_back({0.0, i, SegmentKind::flight, scene.bodies[i].first});
    double lost = 0.0, t = 0.0;
    std::size_t next = 0;
    for (const Event& event : heard.events) {
        EXPECT_GE(event.t, t);
        t = event.t;
        lost += event.energy_lost;
        EXPECT_LT(event.a, event.b);
        EXPECT_NEAR(event.normal.norm(), 1.0, 1e-14);
        EXPECT_LT(event.normal.dot(event.u), 1e-12);
        EXPECT_NEAR(event.restitution, 0.8, 1e-6);
        for (const BodyId i : {event.a, event.b}) {
            const Body& body = scene.bodies[i];
            if (body.fixed) continue;
            const Segment& s = heard.segments[next++];
            EXPECT_EQ(s.body, i);
            EXPECT_EQ(s.t0, event.t);
            const motion::State before =
                motion::at(make_motion(body, last[i], Vec3::Zero()), event.t);
            EXPECT_LT((before.position - s.state.position).norm(), 1e-13);
            EXPECT_LT(before.orientation.angularDistance(s.state.orientation), 1e-7);
            const double sign = i == event.a ? 1.0 : -1.0;
            const Vec3 change = body.mass * (s.state.velocity - before.velocity);
            EXPECT_LT((change - sign * event.impulse).norm(), 1e-12);
            EXPECT_NEAR((s.state.position - event.point).norm(), body.radius, 1e-12);
            last[i] = s;
        }
    }
    EXPECT_EQ(next, heard.segments.size());
    EXPECT_NEAR(lost, run.tally.energy_lost.value(), 1e-12);
    for (BodyId i = 0; i < scene.bodies.size(); ++i) {
        const motion::State s =
            motion::at(make_motion(scene.bodies[i], run.engine.segment(i), Vec3::Zero()), 3.0);
        EXPECT_EQ(s.position, run.engine.state(i).position);
        EXPECT_EQ(s.orientation.coeffs(), run.engine.state(i).orientation.coeffs());
    }
}

TEST(BallEngine, TurnsBallsSteadilyThroughFrictionlessImpacts) {
    const BallScene scene = mixture(frictionless_law(1.0), 30, 4.8, 1.0, true, 14);
    BallRun run(scene);
    run.engine.run(7.0, nullptr);
    for (BodyId i = 0; i < 30; ++i) {
        const motion::State& first = scene.bodies[i].first;
        const Vec3 w = first.angular_velocity;
        const motion::Quat turned(Eigen::AngleAxisd(7.0 * w.norm(), w.normalized()));
        EXPECT_LT(run.engine.state(i).orientation.angularDistance(turned * first.orientation),
                  1e-6);
        EXPECT_EQ(run.engine.state(i).angular_velocity, w);
    }
}

TEST(BallEngine, TakesOnlyItsOwnKindOfWorld) {
    BallScene scene = mixture(frictionless_law(1.0), 5, 5.0, 2.0, true, 15);
    EXPECT_TRUE(BallEngine::fits(scene.settings, scene.bodies));
    Settings heavy = scene.settings;
    heavy.gravity = {0.0, 0.0, -1e-30};
    EXPECT_FALSE(BallEngine::fits(heavy, scene.bodies));
    EXPECT_FALSE(BallEngine::fits(scene.settings, std::span(scene.bodies).subspan(5)));
    const auto with = [&](const BodySpec& spec) {
        std::vector<Body> bodies = scene.bodies;
        bodies.push_back(make_body(spec, 0));
        return BallEngine::fits(scene.settings, bodies);
    };
    BodySpec spec;
    spec.shape = std::make_shared<const shape::Shape>(shape::make_box(Vec3::Ones()));
    EXPECT_FALSE(with(spec));
    spec.fixed = true;
    EXPECT_FALSE(with(spec));
    spec.shape = std::make_shared<const shape::Shape>(shape::make_sphere(0.5));
    EXPECT_FALSE(with(spec));
    spec.fixed = false;
    EXPECT_TRUE(with(spec));
    spec.inertia = Mat3(Vec3(0.1, 0.1, 0.11).asDiagonal());
    EXPECT_FALSE(with(spec));
    spec.inertia.reset();
    spec.fixed = true;
    spec.shape = std::make_shared<const shape::Shape>(shape::make_half_space(Vec3::UnitX()));
    EXPECT_TRUE(with(spec));
    spec.velocity = {0.1, 0.0, 0.0};
    EXPECT_FALSE(with(spec));
}

// The engine for any bodies runs the same balls when a body of another shape is in the world. It
// takes its impacts through the general contact frame and all that touch at one instant together,
// so that the two differ by rounding, and by what impacts make of it: in a gas of ten balls a
// difference grows some tenfold with each impact of a ball. The first two impacts of each ball are
// the same to 1e-13 of the time, the first six to 1e-9.
TEST(BallEngine, DiffersFromTheSimulatorByRounding) {
    for (const double e : {1.0, 0.9}) {
        BallScene scene{impact::law::routh({.e = e, .mu = 0.3})};
        Random random(31);
        const auto vector = [&](double size) -> Vec3 {
            const double x = random.uniform(-size, size), y = random.uniform(-size, size);
            return {x, y, random.uniform(-size, size)};
        };
        scene.add_box(6.0);
        for (int k = 0; k < 8; ++k) {
            const Vec3 place(1.5 + 3.0 * (k % 2), 1.5 + 3.0 * (k / 2 % 2), 1.5 + 3.0 * (k / 4));
            scene.add_ball(0.6, 1.0 + 0.1 * k, place, vector(2.0), vector(3.0));
        }
        Heard by_gas, by_simulator;
        BallRun gas(scene);
        gas.engine.run(6.0, &by_gas);
        Tally tally;
        Simulator simulator({scene.settings, scene.contacts, scene.bodies, tally});
        simulator.rebuild();
        simulator.run(6.0, &by_simulator);
        constexpr std::size_t k_first = 8, k_all = 24;
        ASSERT_GE(by_gas.events.size(), k_all);
        ASSERT_GE(by_simulator.events.size(), k_all);
        for (std::size_t k = 0; k < k_all; ++k) {
            const Event& x = by_gas.events[k];
            const Event& y = by_simulator.events[k];
            const double within = k < k_first ? 1e-13 : 1e-9;
            ASSERT_EQ(x.a, y.a) << "impact " << k;
            ASSERT_EQ(x.b, y.b) << "impact " << k;
            EXPECT_NEAR(x.t, y.t, within * x.t) << "impact " << k;
            EXPECT_LE((x.impulse - y.impulse).norm(), within * x.impulse.norm()) << "impact " << k;
        }
    }
}

}  // namespace
}  // namespace carom::world
