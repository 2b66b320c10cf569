// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Bodies that overlap by a little have many normals that lead out of each other, and for thin ones
// a wrong one is only as long as they are thick, which is in reach of a manifold. Whatever it
// remembers, a manifold has to show the least of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "carom/detect/penetration.h"
#include "carom/shape/bounds.h"
#include "tests/detect/manifold_checks.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using detect::Manifold;
using detect::PairMemory;
using shape::Convex;
using shape::Pose;
using shape::Quat;

constexpr double k_size = 0.2;  // of the largest body

struct Placed {
    Convex convex;
    Pose pose;
    Vec3 farthest(const Vec3& n) const {
        if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
            const Vec3 d = pose.rotate_inverse(n);
            Vec3 best = body->vertex(0);
            for (const Vec3& v : body->vertices())
                if (v.dot(d) > best.dot(d)) best = v;
            return pose.apply(best);
        }
        return pose.apply(shape::support_point(convex, pose.rotate_inverse(n)));
    }
    Vec3 axis(int i) const { return pose.rotate(Vec3::Unit(i)); }
};

// How far A has to go along n to be free of B.
double way_out(const Placed& a, const Placed& b, const Vec3& n) {
    return n.dot(b.farthest(n) - a.farthest(-n));
}

// The least way out over both senses of the normals of faces and of what is across two edges. For
// polyhedra there is no other.
class Directions {
public:
    Directions(const Placed& a, const Placed& b) : a_(a), b_(b) {}

    double least() const { return least_; }
    const Vec3& normal() const { return normal_; }

    void offer(const Vec3& n) {
        for (const double sign : {1.0, -1.0}) {
            const double way = way_out(a_, b_, sign * n);
            if (way >= least_) continue;
            least_ = way;
            normal_ = sign * n;
        }
    }
    void offer_flat_pieces(const Placed& body) {
        if (const shape::Polyhedron* p = shape::polyhedron_of(body.convex)) {
            for (const auto& face : p->faces())
                offer(body.pose.rotate(face.normal));
        } else {
            offer(body.axis(2));
        }
    }
    void offer_crossings() {
        for (const Vec3& u : lines(a_)) {
            for (const Vec3& v : lines(b_)) {
                const Vec3 across = u.cross(v);
                if (across.norm() > 1e-7) offer(across.normalized());
            }
        }
    }
    // All around, then downhill from the best.
    void offer_sphere(int count) {
        for (int i = 0; i < count; ++i) {
            const double z = 1.0 - (2.0 * i + 1.0) / count;
            const double angle = std::numbers::pi * (3.0 - std::sqrt(5.0)) * i;
            const double r = std::sqrt(1.0 - z * z);
            offer({r * std::cos(angle), r * std::sin(angle), z});
        }
        for (const Placed* body : {&a_, &b_}) {
            for (int i = 0; i < 400; ++i) {
                const double angle = 2.0 * std::numbers::pi * i / 400;
                offer(body->pose.rotate({std::cos(angle), std::sin(angle), 0.0}));
            }
        }
        for (double step = 0.05; step > 1e-9; step *= 0.5) {
            for (int i = 0; i < 8; ++i) {
                const Vec3 n = normal_;
                const Vec3 u = n.unitOrthogonal();
                const double angle = 0.25 * std::numbers::pi * i;
                offer(
                    (n + step * (std::cos(angle) * u + std::sin(angle) * n.cross(u))).normalized());
            }
        }
    }

private:
    static std::vector<Vec3> lines(const Placed& body) {
        std::vector<Vec3> out;
        if (const shape::Polyhedron* p = shape::polyhedron_of(body.convex)) {
            for (const auto& edge : p->edges())
                out.push_back(body.pose.rotate(edge.direction));
        } else {
            out.push_back(body.axis(2));
        }
        return out;
    }

    const Placed& a_;
    const Placed& b_;
    double least_ = std::numeric_limits<double>::infinity();
    Vec3 normal_ = Vec3::UnitZ();
};

double least_way_out(const Placed& a, const Placed& b) {
    Directions all(a, b);
    all.offer_flat_pieces(a);
    all.offer_flat_pieces(b);
    all.offer_crossings();
    const bool round =
        shape::polyhedron_of(a.convex) == nullptr || shape::polyhedron_of(b.convex) == nullptr;
    if (round) all.offer_sphere(500);
    return all.least();
}

class LeastWayOut : public testing::Test {
protected:
    struct Meeting {
        Placed a, b;
        double thin;   // the least extent of both
        double reach;  // of the manifold: that of a world
        double depth;
    };

    // A body 0.05 to 0.2 m wide, and its thickness.
    struct Body {
        Convex convex;
        double thin;
    };
    Body box() {
        const double thin = 0.1 * random_.log_uniform(0.01, 1.0);
        Vec3 size(random_.uniform(0.05, 0.2), random_.uniform(0.05, 0.2), thin);
        if (random_.bits() % 4 == 0) size.y() = thin * random_.uniform(1.0, 2.0);
        std::swap(size.z(), size[static_cast<Eigen::Index>(random_.bits() % 3)]);
        return {only_part(shape::make_box(size)), size.minCoeff()};
    }
    Body coin() {
        const double radius = random_.uniform(0.03, 0.1);
        const double height = 0.1 * random_.log_uniform(0.01, 3.0);
        return {only_part(shape::make_cylinder(radius, height)), std::min(2.0 * radius, height)};
    }
    Body needle() {
        const double radius = 0.1 * random_.log_uniform(0.005, 0.1);
        return {only_part(shape::make_cylinder(radius, random_.uniform(0.05, 0.2))), 2.0 * radius};
    }
    Body cone() {
        const double radius = 0.1 * random_.log_uniform(0.1, 1.0);
        const double height = 0.1 * random_.log_uniform(0.01, 1.0);
        return {only_part(shape::make_cone(radius, height)), std::min(2.0 * radius, height)};
    }
    Body capsule() {
        const double radius = 0.1 * random_.log_uniform(0.005, 0.5);
        return {only_part(shape::make_capsule(radius, random_.uniform(0.05, 0.2))), 2.0 * radius};
    }
    Body hull() {
        const double thin = 0.1 * random_.log_uniform(0.01, 1.0);
        std::vector<Vec3> points;
        const int count = 5 + static_cast<int>(random_.bits() % 10);
        // a prism, or points on an ellipsoid
        const bool prism = random_.bits() % 2 == 0;
        for (int i = 0; i < count; ++i) {
            const Vec3 d = random_.direction();
            if (prism) {
                const Vec2 on = 0.1 * d.head<2>().normalized();
                points.emplace_back(on.x(), on.y(), 0.5 * thin);
                points.emplace_back(on.x(), on.y(), -0.5 * thin);
            } else {
                points.emplace_back(Vec3(0.1, 0.08, 0.5 * thin).cwiseProduct(d));
            }
        }
        return {only_part(shape::make_hull(points)), thin};
    }
    Body of_kind(char kind) {
        switch (kind) {
            case 'b':
                return box();
            case 'c':
                return coin();
            case 'n':
                return needle();
            case 'k':
                return cone();
            case 'p':
                return capsule();
            default:
                return hull();
        }
    }

    // Any turn, or one that leaves the axes of the bodies parallel or nearly so.
    Quat turn() {
        switch (random_.bits() % 4) {
            case 0:
                return Quat(random_.rotation());
            case 1:
                return Quat(
                    Eigen::AngleAxisd(random_.uniform(0.0, 6.0),
                                      Vec3::Unit(static_cast<Eigen::Index>(random_.bits() % 3))));
            default: {
                const Quat about(
                    Eigen::AngleAxisd(random_.uniform(0.0, 6.0),
                                      Vec3::Unit(static_cast<Eigen::Index>(random_.bits() % 3))));
                const Quat tilt(
                    Eigen::AngleAxisd(random_.log_uniform(1e-10, 1e-2), random_.direction()));
                return tilt * about;
            }
        }
    }

    // Two bodies side by side, along an axis of either or any direction, that overlap by 1e-6 to
    // 1e-3 of the thinner one.
    Meeting meeting(const Body& one, const Body& other) {
        Meeting m{{one.convex, {}}, {other.convex, {}}, 0.0, 0.0, 0.0};
        m.thin = std::min(one.thin, other.thin);
        m.depth = m.thin * random_.log_uniform(1e-6, 1e-3);
        m.reach = random_.bits() % 2 == 0 ? 0.01 : 0.1 * m.thin;
        m.a.pose.orientation = Quat(random_.rotation());
        m.b.pose.orientation = m.a.pose.orientation * turn();
        m.a.pose.position = 0.3 * random_.normal3();
        const int i = static_cast<int>(random_.bits() % 3);
        const Vec3 way = random_.bits() % 3 == 0   ? random_.direction()
                         : random_.bits() % 2 == 0 ? m.a.axis(i)
                                                   : m.b.axis(i);
        const Vec3 beside =
            random_.bits() % 2 == 0 ? Vec3(0.05 * random_.direction()) : Vec3(Vec3::Zero());
        m.b.pose.position = m.a.pose.position + 0.7 * way + beside;
        // a gap along the normal is shut by a way along it
        PairMemory memory;
        const auto s = detect::separation(m.a.convex, m.a.pose, m.b.convex, m.b.pose, memory);
        m.b.pose.position += (s.distance + m.depth) * s.normal;
        return m;
    }

    // A memory that has nothing to do with the pose: fresh, of any direction, of an axis, or of a
    // manifold that was found elsewhere.
    PairMemory memory_of_another_pose(const Meeting& m) {
        PairMemory memory;
        switch (random_.bits() % 4) {
            case 0:
                break;
            case 1:
                memory.normal_A = random_.direction();
                break;
            case 2: {
                const Placed& body = random_.bits() % 2 == 0 ? m.a : m.b;
                const double sign = random_.bits() % 2 == 0 ? 1.0 : -1.0;
                memory.normal_A =
                    m.a.pose.rotate_inverse(sign * body.axis(static_cast<int>(random_.bits() % 3)));
                break;
            }
            default: {
                Pose elsewhere = m.b.pose;
                elsewhere.position = m.a.pose.position + 0.05 * random_.direction();
                if (random_.bits() % 2 == 0) elsewhere.orientation = Quat(random_.rotation());
                manifold_of(m.a.convex, m.a.pose, m.b.convex, elsewhere, m.reach, memory);
            }
        }
        return memory;
    }

    void expect_least(const Meeting& m, PairMemory& memory) {
        const double least = least_way_out(m.a, m.b);
        const Manifold found =
            manifold_of(m.a.convex, m.a.pose, m.b.convex, m.b.pose, m.reach, memory);
        ASSERT_GE(found.count, 1);
        const double rounding = detect::k_border * k_size;
        const double allowed = least + detect::k_least_depth * std::abs(least) + rounding;
        // faces that are nearly level keep the normal of one
        EXPECT_LE(way_out(m.a, m.b, found.normal), allowed + detect::k_face * m.reach)
            << "along " << found.normal.transpose();
        // a place a little beyond the border counts as on a face, and is as high as its plane
        // there, which is the more the steeper the face and the sharper its corner
        constexpr double k_steep = 50.0;
        EXPECT_LE(-least_gap(found), allowed + k_steep * rounding)
            << "along " << found.normal.transpose();
    }

    void try_kinds(const std::string& kinds, int count) {
        for (int i = 0; i < count; ++i) {
            const Body one = of_kind(kinds[random_.bits() % kinds.size()]);
            const Body other = of_kind(kinds[random_.bits() % kinds.size()]);
            for (int k = 0; k < 4; ++k) {
                Meeting m = meeting(one, other);
                SCOPED_TRACE(std::to_string(i) + '/' + std::to_string(k) + ' ' +
                             shape::name_of(m.a.convex) + ' ' + shape::name_of(m.b.convex) +
                             " thin " + std::to_string(m.thin) + " depth " +
                             std::to_string(1e6 * m.depth) + "e-6");
                PairMemory memory = memory_of_another_pose(m);
                expect_least(m, memory);
                follow(m, memory);
                if (HasFailure()) return;
            }
        }
    }

    // On from a pose with the memory of it: sliding and turning by little.
    void follow(Meeting& m, PairMemory& memory) {
        const Vec3 slide = 0.01 * m.thin * random_.direction();
        const Quat turn(Eigen::AngleAxisd(1e-4, random_.direction()));
        for (int step = 0; step < 4; ++step) {
            m.a.pose.position += slide;
            m.a.pose.orientation = turn * m.a.pose.orientation;
            // still overlapping by as much
            PairMemory fresh;
            const auto s = detect::separation(m.a.convex, m.a.pose, m.b.convex, m.b.pose, fresh);
            m.b.pose.position += (s.distance + m.depth) * s.normal;
            expect_least(m, memory);
        }
    }

    Random random_{20261118};
};

// Two plates lie on a floor and press their sides together. What is remembered is up, the way out
// over the plate's thickness.
TEST_F(LeastWayOut, OfPlatesSideBySide) {
    const Convex plate = only_part(shape::make_box({0.1, 0.08, 0.004}));
    for (const double turned : {0.0, 1e-9, 1e-5, 0.06, 1.2}) {
        for (const double depth : {1e-8, 3.2e-5, 1e-4}) {
            for (const Vec3& last : {Vec3(Vec3::UnitZ()), Vec3(-Vec3::UnitZ()), Vec3(0, 1, 0)}) {
                Meeting m{
                    {plate, {}}, {plate, pose_at({0.2, 0.01, 0.0}, turned)}, 0, 0.0064, depth};
                PairMemory memory;
                const auto s = detect::separation(plate, m.a.pose, plate, m.b.pose, memory);
                m.b.pose.position += (s.distance + depth) * s.normal;
                memory.normal_A = last;
                for (int again = 0; again < 2; ++again) {
                    const Manifold found =
                        manifold_of(plate, m.a.pose, plate, m.b.pose, m.reach, memory);
                    EXPECT_NEAR(least_gap(found), -depth, 1e-12) << turned;
                    EXPECT_NEAR(found.normal.dot(s.normal), 1.0, 1e-9) << turned;
                }
            }
        }
    }
}

TEST_F(LeastWayOut, OfThinBoxes) {
    try_kinds("b", 600);
}

TEST_F(LeastWayOut, OfThinHulls) {
    try_kinds("hb", 150);
}

TEST_F(LeastWayOut, OfCoinsAndNeedles) {
    try_kinds("cnb", 60);
    try_kinds("cnh", 30);
}

TEST_F(LeastWayOut, OfConesAndCapsules) {
    try_kinds("kpbc", 60);
    try_kinds("kph", 30);
}

}  // namespace
}  // namespace carom::tests
