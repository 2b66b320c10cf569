// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The heights of a polyhedron's vertices above a face, against all of them one by one.

#include "carom/world/constrained/hull_over_face.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "carom/detect/body_contact.h"
#include "carom/motion/accelerated.h"

namespace carom::world {
namespace {

class HullOverFaceTest : public testing::Test {
protected:
    double any() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
    Vec3 vector() { return {any(), any(), any()}; }
    motion::State state() {
        motion::State out;
        out.position = vector();
        out.orientation =
            motion::Quat(Eigen::Vector4d(any(), any(), any(), 1.5 + any())).normalized();
        out.velocity = vector();
        out.angular_velocity = vector();
        return out;
    }

    shape::Shape random_hull() {
        std::vector<Vec3> corners;
        for (int k = 0; k < 200; ++k)
            corners.push_back(vector().normalized());
        return shape::make_hull(corners);
    }

    // A contact in one vertex on the upper face of the box.
    ConstrainedPoint point(bool hull_is_a) const {
        ConstrainedPoint p{};
        p.track.normal = hull_is_a ? ContactTrack::Normal::plane_b : ContactTrack::Normal::plane_a;
        const shape::Polyhedron& box = *shape::polyhedron_of(in_box_.parts()[0].convex());
        for (shape::Index f = 0; f < box.faces().size(); ++f)
            if (box.face(f).normal.z() > 0.5) p.track.face = {detect::FeatureKind::face, f};
        p.track.face_part = &in_box_.parts()[0];
        p.track.plane_normal = Vec3::UnitZ();
        p.track.plane_at = box.face(p.track.face.index).offset * Vec3::UnitZ();
        p.track.id = hull_is_a ? std::uint64_t{11} << 16U : 11U;  // vertex 5
        p.mode = PointMode::slides;
        return p;
    }

    std::mt19937 random_{3};
    shape::Shape hull_ = random_hull(), box_ = shape::make_box(Vec3(3.0, 2.0, 1.0));
    motion::Motion still_ = motion::Accelerated{};
    detect::MovingBody in_hull_{hull_, Vec3::Zero(), still_}, in_box_{box_, Vec3::Zero(), still_};
};

TEST_F(HullOverFaceTest, HeightsAndAllThatAreBelowOne) {
    for (int n = 0; n < 60; ++n) {
        const bool hull_is_a = n % 2 == 0;
        const ConstrainedPoint p = point(hull_is_a);
        const detect::MovingBody& a = hull_is_a ? in_hull_ : in_box_;
        const detect::MovingBody& b = hull_is_a ? in_box_ : in_hull_;
        std::optional<HullOverFace> over = HullOverFace::of({&p, 1}, a, b);
        ASSERT_TRUE(over);
        EXPECT_TRUE(over->is_vertex(p.track.id, 5));
        EXPECT_FALSE(over->is_vertex(p.track.id, 6));
        const motion::State hull = state(), box = state();
        const motion::State& at_a = hull_is_a ? hull : box;
        const motion::State& at_b = hull_is_a ? box : hull;
        const HullOverFace::Instant now = over->at(at_a, at_b);
        const shape::Polyhedron& body = *shape::polyhedron_of(in_hull_.parts()[0].convex());
        const auto height = [&](shape::Index v) {
            const Vec3 x = in_hull_.parts()[0].pose(hull).apply(body.vertex(v));
            return (box.orientation.conjugate() * (x - box.position)).z() - p.track.plane_at.z();
        };
        const double limit = any();
        std::vector<shape::Index> below;
        double lowest = height(0);
        for (shape::Index v = 0; v < body.vertices().size(); ++v) {
            EXPECT_NEAR(over->height(now, v), height(v), 1e-14);
            EXPECT_NEAR(over->height_at(v, at_a, at_b).value, height(v), 1e-14);
            EXPECT_NEAR(contact_state(over->track_of(v), at_a, at_b).gap, height(v), 1e-14);
            lowest = std::min(lowest, height(v));
            if (height(v) < limit) below.push_back(v);
        }
        EXPECT_NEAR(over->lowest(now), lowest, 1e-14);
        HullOverFace::Found found;
        over->find_below(now, limit, found);
        std::sort(found.list.begin(), found.list.end());
        EXPECT_EQ(found.list, below);
    }
}

// The plane turns with its body too.
TEST_F(HullOverFaceTest, Rates) {
    const ConstrainedPoint p = point(true);
    const std::optional<HullOverFace> over = HullOverFace::of({&p, 1}, in_hull_, in_box_);
    const auto moved = [](const motion::State& s, double t) {
        motion::State out = s;
        out.position += t * s.velocity;
        out.orientation = motion::rotation_by(t * s.angular_velocity) * s.orientation;
        return out;
    };
    const motion::State a = state(), b = state();
    constexpr double k_step = 1e-5;
    for (shape::Index v = 0; v < 20; ++v) {
        const double slope = (over->height_at(v, moved(a, k_step), moved(b, k_step)).value -
                              over->height_at(v, moved(a, -k_step), moved(b, -k_step)).value) /
                             (2.0 * k_step);
        EXPECT_NEAR(over->height_at(v, a, b).rate, slope, 1e-8);
    }
}

// Three points that carry hold a body level; two do not, nor three on a line, nor open ones.
TEST_F(HullOverFaceTest, HeldLevel) {
    std::vector<ConstrainedPoint> points(3, point(true));
    const auto place = [&](std::size_t k, const Vec3& x) {
        points[k].track.a.kind = ContactLocus::Kind::point;
        points[k].track.a.at = x;
    };
    place(0, Vec3(0.0, 0.0, -1.0));
    place(1, Vec3(0.5, 0.0, -1.0));
    place(2, Vec3(0.0, 0.5, -1.0));
    const auto held = [&](std::size_t count) {
        const std::span<const ConstrainedPoint> some(points.data(), count);
        return HullOverFace::of(some, in_hull_, in_box_)->is_held_level(some, 1.0);
    };
    EXPECT_TRUE(held(3));
    EXPECT_FALSE(held(2));
    points[2].mode = PointMode::open;
    EXPECT_FALSE(held(3));
    points[2].mode = PointMode::sticks;
    place(2, Vec3(1.0, 0.0, -1.0));
    EXPECT_FALSE(held(3));
}

// Contacts that vertices alone do not tell about.
TEST_F(HullOverFaceTest, OtherContacts) {
    std::vector<ConstrainedPoint> points(2, point(true));
    EXPECT_TRUE(HullOverFace::of(points, in_hull_, in_box_));
    EXPECT_FALSE(HullOverFace::of({}, in_hull_, in_box_));
    points[1].track.face.index ^= 1U;
    EXPECT_FALSE(HullOverFace::of(points, in_hull_, in_box_));
    points[1] = points[0];
    points[1].track.normal = ContactTrack::Normal::across;
    EXPECT_FALSE(HullOverFace::of(points, in_hull_, in_box_));
}

}  // namespace
}  // namespace carom::world
