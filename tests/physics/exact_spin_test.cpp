// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Euler's disk, tops on their tips and cones that roll, against closed forms and reduced equations
// that use nothing of the program.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/physics/exact_contact.h"
#include "tests/physics/reference.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactSpin : public ExactContact {
protected:
    World make_tilted(double mu, double slope) const {  // gravity pulls along x
        world::Settings settings;
        settings.gravity = turned_by(GetParam(), Vec3::UnitZ()) *
                           Vec3(k_gravity * std::sin(slope), 0, -k_gravity * std::cos(slope));
        return World(settings, contacts(0.0, mu));
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactSpin, testing::Values(0.0, 0.0713), name_of_yaw);

// A disk whose axis is raised by psi, its centre at rest: the moment of the floor, m g c_r, turns
// the angular momentum round at W, with the spin s = -W c_r / a of rolling. Without thickness this
// is W^2 = 4 g / a cos psi.
struct EulerDisk {
    double a, h, m, psi;
    double sin = std::sin(psi), cos = std::cos(psi);
    double c_r = a * sin - 0.5 * h * cos, c_z = a * cos + 0.5 * h * sin;
    double I_a = 0.5 * m * a * a, I_t = m * (0.25 * a * a + h * h / 12.0);
    double W = std::sqrt(c_r * m * k_gravity / (I_t * cos * sin - I_a * cos * (sin - c_r / a)));
    double s = -W * c_r / a;
    world::BodySpec spec() const {
        return {.name = "disk",
                .shape = shared(shape::make_cylinder(a, h)),
                .pose = at({0, 0, c_z}, Vec3::UnitY(), 0.5 * pi - psi),
                .angular_velocity = W * Vec3::UnitZ() + s * Vec3(cos, 0, sin),
                .mass = m};
    }
};

TEST_P(ExactSpin, EulersDiskGoesRoundSteadily) {
    for (const auto& [degrees, h] : {std::tuple(50.0, 0.004), std::tuple(75.0, 0.006),
                                     std::tuple(85.0, 0.0005), std::tuple(88.5, 0.0005)}) {
        SCOPED_TRACE(degrees);
        const EulerDisk disk{0.0375, h, 0.4, degrees * k_degree};
        World world = make(0.3);
        const BodyId body = add(world, disk.spec());
        add_plane(world, Vec3::UnitZ());
        Log log;
        double tilt = 0.0, rate = 0.0, off = 0.0;
        for (int k = 1; k <= 20; ++k) {
            const double t = 0.77 * k * 2.0 * pi / disk.W;
            world.run(t, &log);
            const motion::State now = state(world, body);
            const Vec3 axis = now.orientation * Vec3::UnitZ();
            tilt = std::max(tilt, std::abs(std::atan2(std::hypot(axis.x(), axis.y()), axis.z()) /
                                               (0.5 * pi - disk.psi) -
                                           1.0));
            const Vec3 there = turned_by(disk.W * t, Vec3::UnitZ()) * Vec3(disk.cos, 0, disk.sin);
            rate = std::max(rate, (axis - there).norm() / disk.cos / (disk.W * t));
            off = std::max(off, (now.position - Vec3(0, 0, disk.c_z)).norm() / disk.a);
        }
        const std::string name = std::to_string(static_cast<int>(degrees));
        expect_below(("tilt " + name).c_str(), tilt, 1e-6);
        expect_below(("rate " + name).c_str(), rate, 1e-6);
        expect_below(("off its place " + name).c_str(), off, 1e-6);
        expect_exact(world, log);
    }
}

// However it is thrown, no energy comes from anywhere.
TEST_P(ExactSpin, ADiskThatIsSpunNeverGainsEnergy) {
    for (const auto& [degrees, faster, mu, e] :
         {std::tuple(40.0, 0.8, 0.3, 0.0), std::tuple(70.0, 1.1, 0.2, 0.3),
          std::tuple(80.0, 0.5, 0.4, 0.5), std::tuple(60.0, 1.6, 0.1, 0.2)}) {
        SCOPED_TRACE(degrees);
        const EulerDisk disk{0.0375, 0.006, 0.4, degrees * k_degree};
        World world = make(mu, e);
        world::BodySpec spec = disk.spec();
        spec.angular_velocity *= faster;
        spec.velocity = {0.05, -0.1, 0};
        const BodyId body = add(world, spec);
        add_plane(world, Vec3::UnitZ());
        const auto energy = [&] {
            const motion::State s = world.state(body);
            const Vec3 w = s.orientation.conjugate() * s.angular_velocity;
            return 0.5 * disk.m * s.velocity.squaredNorm() + disk.m * k_gravity * s.position.z() +
                   0.5 * (disk.I_t * (w.x() * w.x() + w.y() * w.y()) + disk.I_a * w.z() * w.z());
        };
        const double scale = energy();
        Log log;
        world.run(3.0, &log);
        EXPECT_LT(energy(), scale);
        expect_below("gained by the audit", world.audit().energy_gained / scale, 1e-10);
        expect_balanced(world);
    }
}

// A cone whose half angle is b on a rough plane: its tip stays, the side rolls round it, w =
// -W cot b along the line of contact. T = I_line cot^2 b W^2 / 2, with I_line about that line.
struct RollingCone {
    double r = 0.1, h = 0.3, m = 0.6;
    double b = std::atan(r / h), sin = std::sin(b), cos = std::cos(b);
    double I_line = m * (0.3 * r * r * cos * cos + (0.15 * r * r + 0.6 * h * h) * sin * sin);
    double M = I_line * cos * cos / (sin * sin);
    double lever = 0.75 * h * cos;
    static Vec3 along(double phi) { return {std::cos(phi), std::sin(phi), 0}; }
    Vec3 centre(double phi) const { return 0.75 * h * (cos * along(phi) + sin * Vec3::UnitZ()); }
    Vec3 turning(double rate, double phi) const { return -rate * cos / sin * along(phi); }
    world::BodySpec spec(double phi, double rate) const {
        // its own z goes from the base to the tip
        const motion::Quat turn =
            turned_by(phi, Vec3::UnitZ()) * turned_by(-0.5 * pi - b, Vec3::UnitY());
        return {.name = "cone",
                .shape = shared(shape::make_cone(r, h)),
                .pose = {centre(phi), turn},
                .velocity = rate * lever * Vec3(-std::sin(phi), std::cos(phi), 0),
                .angular_velocity = turning(rate, phi),
                .mass = m};
    }
};

TEST_P(ExactSpin, AConeRollsRoundItsTip) {
    const RollingCone cone;
    const double W = 1.7;
    World world = make(1.0);
    const BodyId body = add(world, cone.spec(0.0, W));
    add_plane(world, Vec3::UnitZ());
    Log log;
    double off = 0.0, turning = 0.0;
    for (const double t : {0.3, 2.0, 7.7, 20.0}) {
        world.run(t, &log);
        const motion::State s = state(world, body);
        off = std::max(off, (s.position - cone.centre(W * t)).norm() / cone.h);
        turning = std::max(turning, (s.angular_velocity - cone.turning(W, W * t)).norm() / W);
    }
    expect_below("off", off, k_exact);
    expect_below("turning", turning, k_exact);
    expect_exact(world, log);
}

// On a slope it swings as a pendulum does: M phi'' = -m g sin(slope) lever sin phi.
TEST_P(ExactSpin, AConeSwingsOnASlope) {
    const RollingCone cone;
    const double slope = 15.0 * k_degree;
    const double pull = cone.m * k_gravity * std::sin(slope) * cone.lever / cone.M;
    using Y = Flow<2>::Y;
    Flow<2> truth(
        [&](const Y& y) {
            return Y{y[1], -pull * std::sin(y[0])};
        },
        {70.0 * k_degree, 0.0});
    World world = make_tilted(1.0, slope);
    const BodyId body = add(world, cone.spec(70.0 * k_degree, 0.0));
    add_plane(world, Vec3::UnitZ());
    Log log;
    double off = 0.0, turning = 0.0;
    for (const double t : {0.4, 1.0, 3.0, 6.0}) {
        world.run(t, &log);
        truth.to(t);
        const motion::State s = state(world, body);
        off = std::max(off, (s.position - cone.centre(truth.y[0])).norm() / cone.h);
        turning =
            std::max(turning, (s.angular_velocity - cone.turning(truth.y[1], truth.y[0])).norm());
    }
    expect_below("off", off, k_exact);
    expect_below("turning", turning, k_exact);
    expect_exact(world, log);
}

// A cone on its tip, which sticks: the heavy top. Leaning by q, spin w_3 about its axis.
struct Top {
    double r = 0.08, h = 0.1, m = 0.3, l = 0.75 * h;
    double I_3 = 0.3 * m * r * r, I_1 = m * (0.15 * r * r + 0.6 * h * h);
    static Vec3 axis(double q, double phi) {
        return {std::sin(q) * std::cos(phi), std::sin(q) * std::sin(phi), std::cos(q)};
    }
    // at phi = 0, turning about the vertical at W
    world::BodySpec spec(double q, double w_3, double W) const {
        const Vec3 d = axis(q, 0.0), w = W * Vec3::UnitZ() + (w_3 - W * std::cos(q)) * d;
        return {.name = "top",
                .shape = shared(shape::make_cone(r, h)),
                .pose = {l * d, turned_by(pi + q, Vec3::UnitY())},
                .velocity = w.cross(l * d),
                .angular_velocity = w,
                .mass = m};
    }
};

TEST_P(ExactSpin, ATopGoesRoundSteadily) {
    const Top top;
    for (const auto& [q, w_3] : {std::pair(0.3, 150.0), std::pair(0.8, 100.0)}) {
        SCOPED_TRACE(q);
        const double a = top.I_1 * std::cos(q), b = top.I_3 * w_3, c = top.m * k_gravity * top.l;
        const double W = 2.0 * c / (b + std::sqrt(b * b - 4.0 * a * c));
        World world = make(2.0);
        const BodyId body = add(world, top.spec(q, w_3, W));
        add_plane(world, Vec3::UnitZ());
        Log log;
        double off = 0.0;
        for (const double t : {0.1, 0.5, 1.5}) {
            world.run(t, &log);
            off = std::max(
                off, (state(world, body).position - top.l * Top::axis(q, W * t)).norm() / top.l);
        }
        expect_below("off", off, k_exact);
        expect_exact(world, log);
    }
}

// Let go with nothing but its spin it nods from q0 down to q1 and back. The numbers are those of
// tests/oracle/top.py: the time of a nod and the angle round the vertical in it, to 30 digits.
TEST_P(ExactSpin, ATopNods) {
    struct Nod {
        double q0, w_3, time, round;
    };
    const Top top;
    for (const Nod& nod :
         {Nod{0.3, 150.0, 0.173415666891451809490634896796, 0.472288473896283028230223307735},
          Nod{0.5, 300.0, 0.0780517717733540621466866598564, 0.101075092768282495935143116037},
          Nod{0.2, 80.0, 0.624896392721911393860341386969, 4.07371085647380434818505144607}}) {
        SCOPED_TRACE(nod.w_3);
        World world = make(2.0);
        const BodyId body = add(world, top.spec(nod.q0, nod.w_3, 0.0));
        add_plane(world, Vec3::UnitZ());
        Log log;
        double off = 0.0, rate = 0.0;
        for (const int k : {1, 2, 5}) {
            world.run(k * nod.time, &log);
            const motion::State s = state(world, body);
            off = std::max(off,
                           (s.position - top.l * Top::axis(nod.q0, k * nod.round)).norm() / top.l);
            rate = std::max(rate, s.velocity.norm() / (top.l * nod.w_3));
        }
        expect_below("off", off, k_exact);
        expect_below("still at the top of a nod", rate, k_exact);
        expect_exact(world, log);
    }
}

// A top with a round tip of radius r, l below its centre of mass, that rolls without slip or slides
// without friction: c = -l d - r z to the contact.
struct RoundTop {
    double r = 0.01, R = 0.04, thick = 0.02, up = 0.05;  // the wheel's middle above the tip's
    double V_s = 4.0 / 3.0 * pi * r * r * r, V_c = pi * R * R * thick, density = 2000.0;
    double m_s = density * V_s, m_c = density * V_c, m = m_s + m_c;
    double l = m_c * up / m;
    double I_3 = 0.4 * m_s * r * r + 0.5 * m_c * R * R;
    double I_1 = m_s * (0.4 * r * r + l * l) +
                 m_c * (0.25 * R * R + thick * thick / 12.0 + (up - l) * (up - l));
    shape::Shape shape() const {
        const std::vector<shape::Placed> parts{{shape::make_sphere(r), at({0, 0, 0})},
                                               {shape::make_cylinder(R, thick), at({0, 0, up})}};
        return shape::make_compound(parts);
    }
    Vec3 contact(const Vec3& d) const { return -l * d - r * Vec3::UnitZ(); }
    using Y = Flow<9>::Y;  // place, axis, angular velocity
    Y rolling(const Y& y) const {
        const Vec3 d(y[3], y[4], y[5]), w(y[6], y[7], y[8]), c = contact(d),
                                                             c_rate = -l * w.cross(d);
        const Mat3 I = I_1 * Mat3::Identity() + (I_3 - I_1) * d * d.transpose();
        const Mat3 J = I + m * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
        const Vec3 g(0, 0, -k_gravity), v = -w.cross(c), d_rate = w.cross(d);
        const Vec3 a =
            J.ldlt().solve(Vec3(-w.cross(Vec3(I * w)) - m * c.cross(Vec3(w.cross(c_rate) + g))));
        return {v[0], v[1], v[2], d_rate[0], d_rate[1], d_rate[2], a[0], a[1], a[2]};
    }
    // The floor pushes straight up with N: l . d'' + g = N / m for the height l d_z + r.
    Y sliding(const Y& y) const {
        const Vec3 d(y[3], y[4], y[5]), w(y[6], y[7], y[8]), c = contact(d), z = Vec3::UnitZ();
        const Mat3 I = I_1 * Mat3::Identity() + (I_3 - I_1) * d * d.transpose();
        const Vec3 arm = I.ldlt().solve(Vec3(c.cross(z)));  // angular acceleration of N = 1
        const Vec3 free = I.ldlt().solve(Vec3(-w.cross(Vec3(I * w))));
        const double lift = (l * arm.cross(d)).z();
        const double without = (l * (free.cross(d) + w.cross(Vec3(w.cross(d))))).z();
        const double N = (k_gravity + without) / (1.0 / m - lift);
        const Vec3 a = free + N * arm, d_rate = w.cross(d);
        return {0.0, 0.0, l * d_rate.z(), d_rate[0], d_rate[1], d_rate[2], a[0], a[1], a[2]};
    }
};

TEST_P(ExactSpin, ATopOnARoundTip) {
    const RoundTop top;
    for (const auto& [name, mu, q, spin] :
         {std::tuple("rolls", 2.0, 0.35, 120.0), std::tuple("slides", 0.0, 0.35, 150.0)}) {
        SCOPED_TRACE(name);
        const Vec3 d = Top::axis(q, 0.0), w = spin * d, c = top.contact(d);
        const bool rolls = mu > 0.0;
        Flow<9> truth([&](const RoundTop::Y& y) { return rolls ? top.rolling(y) : top.sliding(y); },
                      {0, 0, -c.z(), d[0], d[1], d[2], w[0], w[1], w[2]});
        World world = make(mu);
        const motion::Quat lean = turned_by(q, Vec3::UnitY());
        const BodyId body = add(world, {.name = "top",
                                        .shape = shared(top.shape()),
                                        .pose = {Vec3(0, 0, -c.z()) - top.l * d, lean},
                                        .velocity = rolls ? Vec3(-w.cross(c)) : Vec3(0, 0, 0),
                                        .angular_velocity = w,
                                        .density = top.density});
        add_plane(world, Vec3::UnitZ());
        Log log;
        const double t = 1.0;
        world.run(t, &log);
        truth.to(t);
        const auto& y = truth.y;
        const motion::State s = state(world, body);
        expect_below("axis", (s.orientation * Vec3::UnitZ() - Vec3(y[3], y[4], y[5])).norm(),
                     k_exact);
        expect_below("place", (s.position - Vec3(y[0], y[1], y[2])).norm() / top.l, k_exact);
        expect_below("turning", (s.angular_velocity - Vec3(y[6], y[7], y[8])).norm() / spin,
                     k_exact);
        expect_exact(world, log);
    }
}

}  // namespace
}  // namespace carom::tests
