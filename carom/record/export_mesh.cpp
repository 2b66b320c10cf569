// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/export_mesh.h"

#include <cmath>
#include <numbers>

#include "carom/record/export_shapes.h"

namespace carom::record {
namespace {

constexpr int k_around = 48;   // steps about an axis: a multiple of eight, for the eighths
constexpr int k_quarter = 12;  // steps from an equator to a pole

Vec3 around(int step) {
    const double angle = 2.0 * std::numbers::pi * (step % k_around) / k_around;
    return {std::cos(angle), std::sin(angle), 0.0};
}

// Puts parts together in the frame of the shape.
class Builder {
public:
    explicit Builder(TriangleMesh& mesh) : mesh_(mesh) {}
    void place(const shape::Pose& pose) { pose_ = pose; }

    std::uint32_t vertex(const Vec3& position, const Vec3& normal) {
        mesh_.positions.push_back(pose_.apply(position));
        mesh_.normals.push_back(pose_.rotate(normal).normalized());
        return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool other = false) {
        auto& list = other ? mesh_.other_triangles : mesh_.triangles;
        list.insert(list.end(), {a, b, c});
    }
    // A ring of vertices about z, the last at the place of the first.
    std::uint32_t ring(double radius, double z, double normal_out, double normal_up) {
        std::uint32_t first = 0;
        for (int i = 0; i <= k_around; ++i) {
            const Vec3 out = around(i);
            const std::uint32_t v = vertex(radius * out + Vec3(0.0, 0.0, z),
                                           normal_out * out + Vec3(0.0, 0.0, normal_up));
            if (i == 0) first = v;
        }
        return first;
    }
    // Between two rings, the second above the first. A ring at a pole makes no triangles there.
    void band(std::uint32_t below, std::uint32_t above, bool pole_below, bool pole_above,
              int shade = 0) {
        for (std::uint32_t i = 0; i < k_around; ++i) {
            const bool other =
                shade != 0 && (static_cast<int>(i) / (k_around / 4) + shade) % 2 == 0;
            if (!pole_below) triangle(below + i, below + i + 1, above + i, other);
            if (!pole_above) triangle(below + i + 1, above + i + 1, above + i, other);
        }
    }
    // A flat disk, up or down.
    void disk(double radius, double z, bool up) {
        const Vec3 normal(0.0, 0.0, up ? 1.0 : -1.0);
        const std::uint32_t centre = vertex({0.0, 0.0, z}, normal);
        const std::uint32_t first = ring(radius, z, 0.0, normal.z());
        for (std::uint32_t i = 0; i < k_around; ++i) {
            const std::uint32_t a = first + i, b = first + i + 1;
            up ? triangle(centre, a, b) : triangle(centre, b, a);
        }
    }
    // Rings from one latitude to another, in steps of a quarter circle, about (0, 0, z).
    void dome(double radius, double z, int from, int to, bool shaded) {
        std::uint32_t below = 0;
        for (int i = from; i <= to; ++i) {
            const double angle = 0.5 * std::numbers::pi * i / k_quarter;
            const double c = i == -k_quarter || i == k_quarter ? 0.0 : std::cos(angle);
            const double s = std::sin(angle);
            const std::uint32_t above = ring(radius * c, z + radius * s, c, s);
            if (i > from)
                band(below, above, i - 1 == -k_quarter, i == k_quarter,
                     shaded ? (i > 0 ? 1 : 2) : 0);
            below = above;
        }
    }
    void polyhedron(const shape::Polyhedron& solid) {
        for (shape::Index f = 0; f < solid.faces().size(); ++f) {
            const auto boundary = solid.boundary(f);
            std::vector<std::uint32_t> corners;
            for (const shape::DirectedEdge edge : boundary)
                corners.push_back(vertex(solid.vertex(solid.tail(edge)), solid.face(f).normal));
            for (std::size_t i = 1; i + 1 < corners.size(); ++i)
                triangle(corners[0], corners[i], corners[i + 1]);
        }
    }
    void square(const Vec3& normal, double reach) {
        const Vec3 side = normal.unitOrthogonal(), other = normal.cross(side);
        const std::uint32_t a = vertex(reach * (-side - other), normal);
        vertex(reach * (side - other), normal);
        vertex(reach * (side + other), normal);
        vertex(reach * (other - side), normal);
        triangle(a, a + 1, a + 2);
        triangle(a, a + 2, a + 3);
    }

private:
    TriangleMesh& mesh_;
    shape::Pose pose_;
};

struct Build {
    Builder& to;
    double plane_reach;

    void operator()(const shape::Sphere& sphere) const {
        to.dome(sphere.radius, 0.0, -k_quarter, k_quarter, true);
    }
    void operator()(const shape::HalfSpace& plane) const { to.square(plane.normal, plane_reach); }
    void operator()(const shape::Box& box) const { to.polyhedron(*box.polyhedron); }
    void operator()(const shape::Hull& hull) const { to.polyhedron(*hull.polyhedron); }
    void operator()(const shape::Capsule& capsule) const {
        const double z = capsule.half_length;
        to.dome(capsule.radius, -z, -k_quarter, 0, false);
        to.band(to.ring(capsule.radius, -z, 1.0, 0.0), to.ring(capsule.radius, z, 1.0, 0.0), false,
                false);
        to.dome(capsule.radius, z, 0, k_quarter, false);
    }
    void operator()(const shape::Cylinder& cylinder) const {
        const double z = cylinder.half_height;
        to.disk(cylinder.radius, -z, false);
        to.band(to.ring(cylinder.radius, -z, 1.0, 0.0), to.ring(cylinder.radius, z, 1.0, 0.0),
                false, false);
        to.disk(cylinder.radius, z, true);
    }
    void operator()(const shape::Cone& cone) const {
        const double base = -0.25 * cone.height, apex = 0.75 * cone.height;
        to.disk(cone.radius, base, false);
        // the normal is across the slope, at the apex too
        to.band(to.ring(cone.radius, base, cone.height, cone.radius),
                to.ring(0.0, apex, cone.height, cone.radius), false, true);
    }
};

}  // namespace

TriangleMesh mesh_of(const shape::Shape& shape, double plane_reach) {
    TriangleMesh mesh;
    Builder builder(mesh);
    for (const shape::Part& part : shape.parts) {
        builder.place(part.pose);
        std::visit(Build{builder, plane_reach}, part.convex);
    }
    return mesh;
}

}  // namespace carom::record
