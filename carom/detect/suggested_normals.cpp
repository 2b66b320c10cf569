// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/suggested_normals.h"

#include <cmath>
#include <vector>

#include "carom/detect/core.h"

namespace carom::detect {
namespace {

// What a body's surface is like near its support point: flat pieces and straight lines.
struct Surface {
    std::vector<Vec3> normals;
    std::vector<Vec3> lines;
};

void add_polyhedron(const shape::Polyhedron& body, const Vec3& towards, Surface& out) {
    const shape::Index v = body.support(towards);
    for (const shape::DirectedEdge e : body.star(v)) {
        out.normals.push_back(body.face(body.left(e)).normal);
        out.lines.push_back(body.direction(e));
    }
}

// The surface of a body towards a direction, in its own frame.
Surface surface_towards(const shape::Convex& convex, const Vec3& towards) {
    Surface out;
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        add_polyhedron(*body, towards, out);
    } else if (std::holds_alternative<shape::Capsule>(convex)) {
        out.lines.emplace_back(Vec3::UnitZ());
    } else if (std::holds_alternative<shape::Cylinder>(convex)) {
        out.lines.emplace_back(Vec3::UnitZ());
        out.normals.emplace_back(Vec3::UnitZ());
        // the side's own normal nearest to the direction
        const double across = towards.head<2>().norm();
        if (across > 0.0) {
            out.normals.emplace_back(towards.x() / across, towards.y() / across, 0.0);
        }
    } else if (const auto* cone = std::get_if<shape::Cone>(&convex)) {
        out.normals.emplace_back(Vec3::UnitZ());
        const double across = towards.head<2>().norm();
        if (across > 0.0) {
            const double x = towards.x() / across;
            const double y = towards.y() / across;
            const double slant = std::hypot(cone->radius, cone->height);
            out.lines.emplace_back(x * cone->radius / slant, y * cone->radius / slant,
                                   -cone->height / slant);
            out.normals.emplace_back(x * cone->height / slant, y * cone->height / slant,
                                     cone->radius / slant);
        }
    }
    return out;
}

}  // namespace

void for_suggested_normals(const shape::Convex& A, const shape::Convex& B,
                           const shape::Pose& B_in_A, const Vec3& near,
                           const std::function<void(const Vec3&)>& visit) {
    const Surface a = surface_towards(A, -near);
    Surface b = surface_towards(B, B_in_A.rotate_inverse(near));
    for (Vec3& n : b.normals)
        n = B_in_A.rotate(n);
    for (Vec3& d : b.lines)
        d = B_in_A.rotate(d);
    const auto offer = [&](const Vec3& n) { visit(n.dot(near) >= 0.0 ? n : Vec3(-n)); };
    for (const Vec3& n : a.normals)
        offer(n);
    for (const Vec3& n : b.normals)
        offer(n);
    for (const Vec3& d : a.lines) {
        for (const Vec3& e : b.lines) {
            const Vec3 n = d.cross(e);
            const double sine = n.norm();
            if (sine > 1e-6) offer(n / sine);
        }
    }
}

}  // namespace carom::detect
