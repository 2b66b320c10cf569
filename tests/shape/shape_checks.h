// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/shape/shape.h"
#include "tests/support/random_problems.h"

namespace carom::tests {

// What a call throws as std::invalid_argument; fails when it does not.
inline std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    ADD_FAILURE() << "was not refused";
    return "";
}

// The message has to contain all of these words.
inline void expect_refusal(const std::function<void()>& call,
                           const std::vector<std::string>& words) {
    const std::string message = refusal(call);
    for (const std::string& word : words)
        EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
}

inline const shape::Polyhedron& body_of(const shape::Shape& shape) {
    return *shape::polyhedron_of(shape.parts.at(0).convex);
}

// Points on a sphere, stretched by a random amount along each axis, turned and shifted.
inline std::vector<Vec3> random_points(Random& random, int count, double thinnest = 0.1) {
    const Vec3 stretch(random.log_uniform(thinnest, 1.0), random.log_uniform(thinnest, 1.0), 1.0);
    const Mat3 R = random.rotation();
    const Vec3 shift = random.normal3();
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
        points.emplace_back(R * stretch.cwiseProduct(random.direction()) + shift);
    return points;
}

inline std::vector<Vec3> box_corners(const Vec3& size) {
    std::vector<Vec3> corners;
    for (unsigned i = 0; i < 8; ++i) {
        corners.emplace_back((i & 1U) != 0 ? size.x() : 0.0, (i & 2U) != 0 ? size.y() : 0.0,
                             (i & 4U) != 0 ? size.z() : 0.0);
    }
    return corners;
}

inline std::vector<Vec3> moved(std::vector<Vec3> points, const Mat3& R, const Vec3& shift) {
    for (Vec3& p : points)
        p = R * p + shift;
    return points;
}

// Points of a prism over a regular polygon.
inline std::vector<Vec3> prism(int sides, double radius, double height) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / sides;
        for (const double z : {-0.5 * height, 0.5 * height})
            points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    return points;
}

// Everything that polyhedron.h promises. `slack` is a fraction of the size.
inline void check_polyhedron(const shape::Polyhedron& body, double slack = 1e-13) {
    using shape::DirectedEdge;
    using shape::Index;
    const double tolerance = slack * body.size();
    const std::size_t V = body.vertices().size();
    const std::size_t E = body.edges().size();
    const std::size_t F = body.faces().size();
    ASSERT_EQ(V + F, E + 2);
    std::vector<int> seen(E, 0);
    for (Index f = 0; f < F; ++f) {
        const auto& face = body.face(f);
        EXPECT_NEAR(face.normal.norm(), 1.0, 1e-15);
        const auto boundary = body.boundary(f);
        ASSERT_GE(boundary.size(), 3U);
        for (std::size_t i = 0; i < boundary.size(); ++i) {
            const DirectedEdge e = boundary[i];
            ++seen[e.edge()];
            EXPECT_EQ(body.left(e), f);
            EXPECT_EQ(body.head(e), body.tail(boundary[(i + 1) % boundary.size()]));
            EXPECT_NEAR(face.normal.dot(body.vertex(body.tail(e))), face.offset, tolerance);
            // counterclockwise and convex: the next edge goes to the left
            const Vec3 inward = body.left_inward(e);
            EXPECT_GT(inward.dot(body.direction(boundary[(i + 1) % boundary.size()])), 0.0);
            EXPECT_NEAR(inward.dot(face.normal), 0.0, 1e-15);
            EXPECT_NEAR(inward.norm(), 1.0, 1e-15);
        }
        for (const Vec3& v : body.vertices())
            EXPECT_LE(face.normal.dot(v) - face.offset, tolerance);
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 2; }));
    for (const auto& edge : body.edges()) {
        const Vec3 along = body.vertex(edge.head) - body.vertex(edge.tail);
        EXPECT_NEAR(along.norm(), edge.length, tolerance);
        EXPECT_LT((along - edge.length * edge.direction).norm(), tolerance);
        EXPECT_NEAR(edge.left_inward.dot(edge.direction), 0.0, 1e-15);
        EXPECT_NEAR(edge.right_inward.dot(edge.direction), 0.0, 1e-15);
        // faces are maximal, and convex across each edge
        EXPECT_LT(edge.right_inward.dot(body.face(edge.left).normal), 0.0);
    }
    std::size_t stars = 0;
    for (Index v = 0; v < V; ++v) {
        const auto star = body.star(v);
        ASSERT_GE(star.size(), 3U);
        stars += star.size();
        std::set<Index> faces;
        for (std::size_t i = 0; i < star.size(); ++i) {
            EXPECT_EQ(body.tail(star[i]), v);
            EXPECT_EQ(body.head(star[i]), body.neighbours(v)[i]);
            EXPECT_EQ(body.left(star[i]), body.right(star[(i + 1) % star.size()]));
            faces.insert(body.left(star[i]));
        }
        EXPECT_EQ(faces.size(), star.size());
    }
    EXPECT_EQ(stars, 2 * E);
}

}  // namespace carom::tests
