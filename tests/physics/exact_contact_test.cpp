// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One free body that slides, rolls and goes round on fixed ones, against closed forms.

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

INSTANTIATE_TEST_SUITE_P(Yaw, ExactContact, k_yaws, name_of_yaw);

TEST_P(ExactContact, ABoxOnIceGoesOnForEver) {
    for (const auto& [v, W, t] : {std::tuple(0.005, 0.0, 1000.0), std::tuple(0.3, 2.5, 20.0)}) {
        SCOPED_TRACE(v);
        const std::string name = W == 0.0 ? " slow" : " spinning";
        World world = make(0.0);
        const BodyId body = add(world, {.name = "box",
                                        .shape = shared(shape::make_box({0.2, 0.1, 0.06})),
                                        .pose = at({0, 0, 0.03}),
                                        .velocity = {v, 0.5 * v, 0},
                                        .angular_velocity = {0, 0, W},
                                        .mass = 1.0});
        add_plane(world, Vec3::UnitZ());
        Log log;
        world.run(t, &log);
        const motion::State s = state(world, body);
        expect_below(("way" + name).c_str(),
                     (s.position - Vec3(v * t, 0.5 * v * t, 0.03)).norm() / (v * t), 1e-9);
        expect_below(("speed" + name).c_str(), (s.velocity - Vec3(v, 0.5 * v, 0)).norm() / v, 1e-9);
        expect_below(("spin" + name).c_str(), (s.angular_velocity - Vec3(0, 0, W)).norm(), 1e-9);
        expect_below(("turned" + name).c_str(),
                     s.orientation.angularDistance(turned_by(W * t, Vec3::UnitZ())), 1e-8);
        expect_exact(world, log);
    }
}

struct Slope {
    explicit Slope(double rise)
        : angle(rise),
          normal(-std::sin(rise), 0, std::cos(rise)),
          up(std::cos(rise), 0, std::sin(rise)) {}
    motion::Quat pose() const { return turned_by(-angle, Vec3::UnitY()); }
    double angle;
    Vec3 normal, up;
};

// Up by v^2 / 2 g (sin + mu cos); then it stays, or comes down at g (sin - mu cos).
TEST_P(ExactContact, ABlockOnARamp) {
    const Slope slope(20.0 * k_degree);
    const double v = 1.7, sin = std::sin(slope.angle), cos = std::cos(slope.angle);
    for (const double mu : {0.0, 0.2, 0.35, 0.38, 0.6}) {
        SCOPED_TRACE(mu);
        World world = make(mu, 0.3);
        const motion::Quat twist = slope.pose() * turned_by(0.4, Vec3::UnitZ());
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(shape::make_box({0.2, 0.15, 0.06})),
                                        .pose = {0.03 * slope.normal, twist},
                                        .velocity = v * slope.up,
                                        .mass = 1.4});
        add_plane(world, slope.normal);
        const double brake = k_gravity * (sin + mu * cos), stop = v / brake;
        const double back = std::max(0.0, k_gravity * (sin - mu * cos));
        Log log;
        double off = 0.0;
        for (const double t : {0.5 * stop, stop, 2.0, 5.0, 20.0}) {
            world.run(t, &log);
            const motion::State s = state(world, body);
            const double after = std::max(0.0, t - stop), before = std::min(t, stop);
            const double way =
                v * before - 0.5 * brake * before * before - 0.5 * back * after * after;
            off = std::max(off, (s.position - 0.03 * slope.normal - way * slope.up).norm() /
                                    std::max(std::abs(way), v * stop));
            off = std::max(off, s.orientation.angularDistance(twist));
        }
        expect_below(("off its place at mu " + std::to_string(mu)).c_str(), off, k_exact);
        expect_exact(world, log);
    }
}

// Rolling needs mu >= tan / (1 + m r^2 / I); else it slides with spin mu g cos m r / I. The
// contact's spin and the centre's way are closed forms in either case.
TEST_P(ExactContact, CylindersAndCapsulesOnARamp) {
    const double r = 0.05, L = 0.3, m = 0.9, t = 2.0;
    const Slope slope(25.0 * k_degree);
    const double sin = std::sin(slope.angle), cos = std::cos(slope.angle);
    const double tube = L / (L + 4.0 * r / 3.0);
    for (const auto& [name, shape, k] :
         {std::tuple("cylinder", shape::make_cylinder(r, L), 0.5),
          std::tuple("capsule", shape::make_capsule(r, L), 0.5 * tube + 0.4 * (1.0 - tube))}) {
        for (const double mu : {1.0, 0.05}) {
            const std::string which = std::string(name) + (mu < 1.0 ? " slides" : " rolls");
            SCOPED_TRACE(which);
            World world = make(mu);
            const motion::Quat level = slope.pose() * turned_by(0.5 * pi, Vec3::UnitX());
            const BodyId body = add(world, {.name = "roller",
                                            .shape = shared(shape),
                                            .pose = {r * slope.normal, level},
                                            .mass = m});
            add_plane(world, slope.normal);
            const bool rolls = mu > std::tan(slope.angle) * k / (1.0 + k);
            const double a = k_gravity * (rolls ? sin / (1.0 + k) : sin - mu * cos);
            const double spin = rolls ? a / r : mu * k_gravity * cos / (k * r);
            Log log;
            world.run(t, &log);
            const motion::State s = state(world, body);
            const Vec3 there = r * slope.normal - 0.5 * a * t * t * slope.up;
            expect_below((which + " way").c_str(), (s.position - there).norm() / (0.5 * a * t * t),
                         k_exact);
            expect_below((which + " speed").c_str(),
                         (s.velocity + a * t * slope.up).norm() / (a * t), k_exact);
            expect_below((which + " spin").c_str(),
                         (s.angular_velocity + spin * t * Vec3::UnitY()).norm() / (spin * t),
                         k_exact);
            expect_exact(world, log);
        }
    }
}

TEST_P(ExactContact, ABlockStaysAtItsPlaceOnATurningTable) {
    const double W = 2.0, r = 0.3;
    for (const auto& [name, table] : {std::pair("cylinder", shape::make_cylinder(1.0, 0.1)),
                                      std::pair("box", shape::make_box({1.2, 1.0, 0.1}))}) {
        SCOPED_TRACE(name);
        World world = make(0.8);
        const motion::Quat twist = turned_by(0.3, Vec3::UnitZ());
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(shape::make_box({0.06, 0.08, 0.04})),
                                        .pose = {{r, 0, 0.02}, twist},
                                        .velocity = {0, W * r, 0},
                                        .angular_velocity = {0, 0, W},
                                        .mass = 1.0});
        add(world, {.name = "table",
                    .shape = shared(table),
                    .pose = at({0, 0, -0.05}),
                    .angular_velocity = {0, 0, W},
                    .fixed = true});
        Log log;
        double off = 0.0, twisted = 0.0;
        for (double t = 0.5; t <= 20.0; t += 0.5) {
            world.run(t, &log);
            const motion::State s = state(world, body);
            const motion::Quat by = turned_by(W * t, Vec3::UnitZ());
            off = std::max(off, (s.position - by * Vec3(r, 0, 0.02)).norm() / r);
            twisted = std::max(twisted, s.orientation.angularDistance(by * twist));
        }
        expect_below((std::string("off on a ") + name).c_str(), off, 1e-9);
        expect_below((std::string("twisted on a ") + name).c_str(), twisted, k_exact);
        expect_exact(world, log);
    }
}

// A disk that leans inward by psi and rolls round a circle of radius rho (of its centre) at rate W
// on its lower rim. With d its axis (outward and up), u in its plane (up and inward), c = -a u -
// h/2 d to the contact, and spin s about d: no slip is s = -W (rho + c_r) / a, and c x F = W z x L
// is one equation for W^2.
TEST_P(ExactContact, ADiskRollsRoundASteadyCircle) {
    const double a = 0.1, h = 0.01, m = 0.5, rho = 0.5;
    for (const double degrees : {10.0, 20.0, 30.0}) {
        SCOPED_TRACE(degrees);
        const double psi = degrees * k_degree, sin = std::sin(psi), cos = std::cos(psi);
        const double I_a = 0.5 * m * a * a, I_t = m * (0.25 * a * a + h * h / 12.0);
        const double c_r = a * sin - 0.5 * h * cos, c_z = -a * cos - 0.5 * h * sin;
        const double per_W2 =
            -I_t * cos * sin + I_a * cos * (sin - (rho + c_r) / a) + c_z * m * rho;
        const double W = std::sqrt(-c_r * m * k_gravity / per_W2), s = -W * (rho + c_r) / a;
        const Vec3 d(cos, 0, sin);
        World world = make(1.0);
        const BodyId body =
            add(world, {.name = "disk",
                        .shape = shared(shape::make_cylinder(a, h)),
                        .pose = {{rho, 0, -c_z}, turned_by(0.5 * pi - psi, Vec3::UnitY())},
                        .velocity = {0, W * rho, 0},
                        .angular_velocity = W * Vec3::UnitZ() + s * d,
                        .mass = m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        double tilt = 0.0, rate = 0.0, off = 0.0;
        for (int k = 1; k <= 30; ++k) {
            const double t = k * (2.0 * pi / 3.0) / W;
            world.run(t, &log);
            const motion::State now = state(world, body);
            const Vec3 axis = now.orientation * Vec3::UnitZ();
            tilt = std::max(tilt,
                            std::abs(std::atan2(axis.z(), std::hypot(axis.x(), axis.y())) - psi));
            rate = std::max(rate, std::abs(now.velocity.norm() / (W * rho) - 1.0));
            const Vec3 there = turned_by(W * t, Vec3::UnitZ()) * Vec3(rho, 0, -c_z);
            off = std::max(off, (now.position - there).norm() / rho);
        }
        const world::Audit audit = world.audit();
        const std::string name = std::to_string(static_cast<int>(degrees));
        expect_below(("tilt " + name).c_str(), tilt, k_exact);
        expect_below(("rate " + name).c_str(), rate, k_exact);
        expect_below(("off its place " + name).c_str(), off, 1e-6);
        expect_below(("energy " + name).c_str(),
                     (audit.energy_end - audit.energy_start) / audit.energy_start, k_exact);
        expect_exact(world, log);
    }
}

// Thrown without spin along the level: it slides at mu g until t = v k / ((1 + k) mu g), k = I / m
// r^2, and rolls at v / (1 + k) from there on, across its axis.
TEST_P(ExactContact, CylindersAndCapsulesSlideToRoll) {
    const double r = 0.05, L = 0.3, v = 1.5, mu = 0.2, t = 2.0;
    const double tube = L / (L + 4.0 * r / 3.0);
    for (const auto& [name, shape, k] :
         {std::tuple("cylinder", shape::make_cylinder(r, L), 0.5),
          std::tuple("capsule", shape::make_capsule(r, L), 0.5 * tube + 0.4 * (1.0 - tube))}) {
        SCOPED_TRACE(name);
        World world = make(mu);
        const BodyId body = add(world, {.name = "roller",
                                        .shape = shared(shape),
                                        .pose = at({0, 0, r}, Vec3::UnitX(), 0.5 * pi),
                                        .velocity = {v, 0, 0},
                                        .mass = 0.9});
        add_plane(world, Vec3::UnitZ());
        Log log;
        world.run(t, &log);
        const double change = v * k / ((1.0 + k) * mu * k_gravity), rolling = v / (1.0 + k);
        const double way = 0.5 * (v + rolling) * change + rolling * (t - change);
        const motion::State s = state(world, body);
        const std::string which = name;
        expect_below((which + " way").c_str(), (s.position - Vec3(way, 0, r)).norm() / way,
                     k_exact);
        expect_close((which + " speed").c_str(), s.velocity.x(), rolling, k_exact);
        expect_close((which + " spin").c_str(), s.angular_velocity.y(), rolling / r, k_exact);
        expect_exact(world, log);
    }
}

// A disk that rolls without slip, of any lean: c to the contact on its lower rim, v = -w x c, and
// (I + m (c^2 - c c^T)) w' = -w x I w - m c x (w x c' + g), about its centre.
struct RollingDisk {
    double a = 0.1, h = 0.01, m = 0.5;
    struct At {
        Vec3 place, axis, w;
    };
    Vec3 contact(const Vec3& d) const {
        const Vec3 u = (Vec3::UnitZ() - d.z() * d).normalized();
        return -a * u - 0.5 * h * d;
    }
    Mat3 inertia(const Vec3& d) const {
        const double I_a = 0.5 * m * a * a, I_t = m * (0.25 * a * a + h * h / 12.0);
        return I_t * Mat3::Identity() + (I_a - I_t) * d * d.transpose();
    }
    At rate(const At& s) const {
        const Vec3 &d = s.axis, c = contact(d), d_rate = s.w.cross(d);
        const double cosine = std::sqrt(1.0 - d.z() * d.z());
        const Vec3 u = (Vec3::UnitZ() - d.z() * d) / cosine;
        const Vec3 u_rate =
            (-d_rate.z() * d - d.z() * d_rate + d.z() * d_rate.z() / cosine * u) / cosine;
        const Vec3 c_rate = -a * u_rate - 0.5 * h * d_rate;
        const Mat3 I = inertia(d),
                   J = I + m * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
        const Vec3 g(0, 0, -k_gravity);
        const Vec3 moment = -s.w.cross(Vec3(I * s.w)) - m * c.cross(Vec3(s.w.cross(c_rate) + g));
        return {-s.w.cross(c), d_rate, J.ldlt().solve(moment)};
    }
    // Runge and Kutta's fourth order.
    At after(At s, double t, int steps) const {
        const double dt = t / steps;
        const auto step = [](const At& x, double by, const At& k) {
            return At{x.place + by * k.place, x.axis + by * k.axis, x.w + by * k.w};
        };
        for (int i = 0; i < steps; ++i) {
            const At k1 = rate(s), k2 = rate(step(s, 0.5 * dt, k1));
            const At k3 = rate(step(s, 0.5 * dt, k2)), k4 = rate(step(s, dt, k3));
            s = step(step(step(step(s, dt / 6.0, k1), dt / 3.0, k2), dt / 3.0, k3), dt / 6.0, k4);
        }
        return s;
    }
};

TEST_P(ExactContact, ADiskWobblesAsItRolls) {
    const RollingDisk disk;
    // lean, spin about the axis and turning about the vertical (rad, rad/s)
    for (const auto& [name, lean, spin, turning] :
         {std::tuple("steep", 0.35, -13.0, 2.5), std::tuple("leaning", 0.6, -9.0, 5.0),
          std::tuple("flat", 1.0, -14.8, 12.7)}) {
        const Vec3 w = turning * Vec3::UnitZ() + spin * Vec3(std::cos(lean), 0, std::sin(lean));
        SCOPED_TRACE(name);
        World world = make(1.0);
        const Vec3 d(std::cos(lean), 0, std::sin(lean)), c = disk.contact(d);
        const RollingDisk::At start{{0, 0, -c.z()}, d, w};
        const BodyId body =
            add(world, {.name = "disk",
                        .shape = shared(shape::make_cylinder(disk.a, disk.h)),
                        .pose = {start.place, turned_by(0.5 * pi - lean, Vec3::UnitY())},
                        .velocity = -w.cross(c),
                        .angular_velocity = w,
                        .mass = disk.m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        const double t = 1.0;
        world.run(t, &log);
        const RollingDisk::At there = disk.after(start, t, 40000);
        const motion::State s = state(world, body);
        const std::string which = name;
        expect_below((which + " way").c_str(), (s.position - there.place).norm() / disk.a, k_exact);
        expect_below((which + " axis").c_str(), (s.orientation * Vec3::UnitZ() - there.axis).norm(),
                     k_exact);
        expect_below((which + " rate").c_str(),
                     (s.angular_velocity - there.w).norm() / there.w.norm(), k_exact);
        expect_exact(world, log);
    }
}

}  // namespace
}  // namespace carom::tests
