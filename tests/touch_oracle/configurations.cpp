// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "core.h"
#include "random.h"

namespace touch_oracle {

namespace {

Vec3 scaled(const Vec3& v, const Vec3& by) {
    return {v.x * by.x, v.y * by.y, v.z * by.z};
}

std::vector<Vec3> hull_points(Random& random, const Proportions& p) {
    std::vector<Vec3> points;
    const Vec3 half = p.relative * (p.scale / 2);
    if (p.boxy) {
        for (int i = 0; i < 8; ++i) {
            points.push_back(
                scaled({(i & 1) ? 1.0 : -1.0, (i & 2) ? 1.0 : -1.0, (i & 4) ? 1.0 : -1.0}, half));
        }
        return points;
    }
    const int count = random.whole(0, 9) == 0 ? random.whole(30, 60) : random.whole(4, 20);
    const Vec3 origin = p.off_centre ? scaled(random.direction(), half) * 0.3 : Vec3();
    for (int attempt = 0;; ++attempt) {
        points.clear();
        for (int i = 0; i < count; ++i) {
            points.push_back(scaled(random.direction() * random.uniform(0.8, 1.0), half) + origin);
        }
        // not too flat for its proportions
        Shape shape;
        shape.kind = Kind::hull;
        shape.points = points;
        if (mass_properties(shape).mass > 0.03 * 8.0 * half.x * half.y * half.z) return points;
        if (attempt > 1000) throw std::runtime_error("no hull with enough volume was found");
    }
}

// How the two shapes lie when a stands above b, along z.
struct Arrangement {
    Quat a, b;
    Vec3 aside;  // of a, in sizes
};

Arrangement arrange(Random& random, Setting setting, const Shape& a, const Shape& b) {
    const auto corner = [](const Shape& s) {
        if (s.kind == Kind::box) return s.size;
        if (s.kind == Kind::hull) return s.points[7] - s.points[0];
        return Vec3(s.radius, 0.0, s.kind == Kind::cone ? 0.0 : s.height);
    };
    const double eighth = std::numbers::pi / 4;
    const Vec3 up(0.0, 0.0, 1.0);
    const Vec3 little(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.0);
    switch (setting) {
        case Setting::parallel_faces:
            return {turn(up, random.chance(0.5) ? 0.0 : random.uniform(-1.0, 1.0)), {}, little};
        case Setting::crossing_edges:
            return {turn(Vec3(1, 0, 0), eighth), turn(Vec3(0, 1, 0), eighth), little};
        case Setting::vertex_on_edge:
            return {
                turn_between(corner(a), -up), turn(Vec3(0, 1, 0), eighth), {0.0, little.y, 0.0}};
        case Setting::vertex_on_face:
            return {turn_between(corner(a), -up), turn_between(Vec3(0, 0, corner(b).z), up),
                    little};
        default:
            return {random.orientation(), random.orientation(), {}};
    }
}

}  // namespace

std::string name(Setting setting) {
    static const std::array<const char*, 9> names{
        "random",  "parallel_faces", "crossing_edges", "vertex_on_edge", "vertex_on_face",
        "needles", "flat",           "near_touching",  "far_apart"};
    return names[static_cast<std::size_t>(setting)];
}

Shape shape_of(Random& random, Kind kind, const Proportions& p) {
    Shape shape;
    shape.kind = kind;
    const Vec3& r = p.relative;
    switch (kind) {
        case Kind::sphere:
            shape.radius = p.scale / 2;
            break;
        case Kind::plane:
            shape.normal = random.direction();
            break;
        case Kind::box:
            shape.size = r * p.scale;
            break;
        case Kind::capsule:  // a plate of it is a thin stick
            shape.radius = p.scale / 2 * std::min(r.y, r.z);
            shape.height = p.scale * r.x;
            break;
        case Kind::cylinder:
        case Kind::cone:  // a needle of it is one along z
            shape.radius = p.scale / 2 * r.y;
            shape.height = p.scale * (r.y < 0.1 ? r.x : r.z);
            break;
        case Kind::hull:
            shape.points = hull_points(random, p);
            break;
    }
    return shape;
}

Shape random_shape(std::uint64_t seed, Kind kind) {
    Random random(seed);
    Proportions p;
    p.scale = random.log_uniform(0.05, 5.0);
    p.relative = {1.0, random.log_uniform(0.1, 1.0), random.log_uniform(0.1, 1.0)};
    return shape_of(random, kind, p);
}

Configuration random_configuration(std::uint64_t seed, Setting setting, Kind kind_a, Kind kind_b) {
    if (kind_a == Kind::plane && kind_b == Kind::plane) {
        throw std::invalid_argument("at most one of the shapes may be a plane");
    }
    Random random(seed);
    const auto draw = [&](Kind kind) {
        Proportions p;
        p.scale = random.log_uniform(0.1, 10.0);
        p.relative = {1.0, random.log_uniform(0.3, 1.0), random.log_uniform(0.3, 1.0)};
        if (setting == Setting::needles) p.relative = {1.0, 1e-3, random.log_uniform(1e-4, 1e-2)};
        if (setting == Setting::flat) p.relative = {1.0, 1.0, random.log_uniform(1e-5, 1e-2)};
        p.boxy = setting == Setting::parallel_faces || setting == Setting::crossing_edges ||
                 setting == Setting::vertex_on_edge || setting == Setting::vertex_on_face;
        return shape_of(random, kind, p);
    };
    Configuration c{seed, setting, draw(kind_a), draw(kind_b), {}, {}};
    const auto reach = [](const Shape& shape) {
        const Core core(shape);
        return core.is_plane() ? 0.0 : static_cast<double>(core.reach(Vec()) + core.radius());
    };
    const double smaller = kind_a == Kind::plane   ? reach(c.b)
                           : kind_b == Kind::plane ? reach(c.a)
                                                   : std::min(reach(c.a), reach(c.b));
    const double size = reach(c.a) + reach(c.b);
    const Arrangement arrangement = arrange(random, setting, c.a, c.b);
    const Quat common = random.chance(0.4) ? Quat{} : random.orientation();
    c.pose_a.orientation = common * arrangement.a;
    c.pose_b.orientation = common * arrangement.b;
    const bool featured = arrangement.aside.norm() > 0.0;
    const Vec3 way = featured ? rotated(common, {0.0, 0.0, 1.0}) : random.direction();
    if (kind_b == Kind::plane)
        c.b.normal = rotated({common.w, -common.x, -common.y, -common.z}, way);
    if (kind_a == Kind::plane)
        c.a.normal = rotated({common.w, -common.x, -common.y, -common.z}, -way);
    if (kind_b == Kind::plane) c.pose_b.orientation = common;
    if (kind_a == Kind::plane) c.pose_a.orientation = common;
    c.pose_b.position = random.direction() * (size * random.uniform(0.0, 2.0));
    c.pose_a.position =
        c.pose_b.position + way * (1.5 * size) + rotated(common, arrangement.aside) * smaller;
    // then along the normal to the gap that is wanted, which leaves the normal as it is
    const double gap = setting == Setting::far_apart       ? random.log_uniform(10.0, 1e4)
                       : setting == Setting::near_touching ? random.log_uniform(1e-9, 1e-6)
                                                           : random.log_uniform(1e-9, 1e-1);
    const Distance now = distance(c.a, c.pose_a, c.b, c.pose_b);
    const double closer = static_cast<double>(now.lower) - gap * size;
    c.pose_a.position += Vec3(now.normal) * -closer;
    return c;
}

}  // namespace touch_oracle
