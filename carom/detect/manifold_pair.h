// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>

#include "carom/detect/manifold.h"
#include "carom/detect/manifold_body.h"
#include "carom/detect/manifold_patch.h"

namespace carom::detect {

// For manifold.cpp: the manifold of two bodies that are not balls, seen from the middle of A along
// the axes of the world. The memory is in their order.
//
// The ways to the normal, each tried when the one before has no certain answer:
//     faces       a face or cap next to the last normal. Its plane bounds the distance from below,
//                 the least gap of its patch from above: where they agree nothing else is needed;
//     edges       the last two edges, if the normal across them supports both bodies there;
//     shifting    for a little overlap: the normal of the bodies when they are moved apart along
//                 it, a fixed point;
//     separation  anything.
// Bodies that overlap have several normals that lead out, one of them the shortest way, and a thin
// body has others that are not much longer. The first three ways follow the last normal, which may
// be that of another pose: each shows that there is no shorter way than its own, or gives up.
class ManifoldPair {
public:
    ManifoldPair(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                 const shape::Pose& pose_B, double within, PairMemory& memory, Manifold& out);

    void find();
    // B is a half-space.
    void on_plane(const shape::HalfSpace& plane);

private:
    // A face or cap near the last normal, on either body, and how far the other is in front of it.
    struct Front {
        bool of_b = false;
        Vec3 n = Vec3::Zero();  // from B to A
        double gap = -std::numeric_limits<double>::infinity();
        Piece piece;
    };
    Front front_of_b(const Vec3& near);
    Front front_of_a(const Vec3& near);
    bool try_front(const Front& f);

    // True when all is done.
    bool by_faces();
    bool by_edges();
    bool by_shifting();
    void by_separation();
    bool is_least(const Separation& s, const Vec3& shift, double depth) const;
    bool known_least(double depth) const;

    // The patch along a normal that is known, and the closest points if it does not hold them,
    // which are seen from A's middle.
    struct Closest {
        Vec3 a, b;
        double gap;
        Feature of_a, of_b;
    };
    void along(const Vec3& n, const Closest& closest);
    // The two outlines along it; empty where a point meets an edge or a point and no patch is to be
    // had.
    void outlines(const Vec3& n, const Mat3& T, const Closest& closest, Outline& a, Outline& b);
    void patch(const Outline& a, const Outline& b, const Mat3& T, Candidates& all) const;
    void give(const Candidates& all, const Mat3& T);

    void remember(const Vec3& n);
    void remember_vertices();
    double rounding() const;
    double negligible() const;

    const shape::Pose& pose_A_;
    const shape::Pose& pose_B_;
    PlacedBody A_, B_;
    double within_;
    double best_front_ = -std::numeric_limits<double>::infinity();
    // the depth of separation() once it was asked
    double least_depth_ = -std::numeric_limits<double>::infinity();
    // a normal was found that may not be the least way out
    bool doubted_ = false;
    PairMemory& memory_;
    Manifold& out_;
};

}  // namespace carom::detect
