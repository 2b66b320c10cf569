// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/scene_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <type_traits>
#include <vector>

#include "carom/record/export_palette.h"
#include "carom/serve/scene_framing.h"

namespace carom::serve {
namespace {

using Json = nlohmann::ordered_json;
using Points = std::vector<Vec3>;

constexpr double k_azimuth = -1.15;   // rad, of the direction from which one looks
constexpr double k_elevation = 0.35;  // rad
constexpr double k_margin = 18.0;     // units of the drawing about the free bodies
constexpr int k_around = 36;          // corners of what is round
constexpr std::size_t k_most_items = 6000;

double rounded(double value) {
    return std::round(10.0 * value) / 10.0;
}

// From the world to the drawing.
class View {
public:
    View() {
        const double c = std::cos(k_elevation), s = std::sin(k_elevation);
        towards_ = {c * std::cos(k_azimuth), c * std::sin(k_azimuth), s};
        right_ = Vec3::UnitZ().cross(towards_).normalized();
        up_ = towards_.cross(right_);
        light_ = (Vec3(-0.3, -0.45, 0.85)).normalized();
    }
    // Makes balls of these radii about these points fill the drawing.
    void frame(const Balls& balls) {
        double x0 = std::numeric_limits<double>::infinity(), x1 = -x0, y0 = x0, y1 = -x0;
        for (const auto& [centre, radius] : balls) {
            x0 = std::min(x0, right_.dot(centre) - radius);
            x1 = std::max(x1, right_.dot(centre) + radius);
            y0 = std::min(y0, up_.dot(centre) - radius);
            y1 = std::max(y1, up_.dot(centre) + radius);
        }
        if (!(x1 > x0)) return;
        scale_ = std::min((k_drawing_width - 2.0 * k_margin) / (x1 - x0),
                          (k_drawing_height - 2.0 * k_margin) / (y1 - y0));
        x_ = 0.5 * (x0 + x1);
        y_ = 0.5 * (y0 + y1);
    }
    double x(const Vec3& p) const {
        return rounded(0.5 * k_drawing_width + scale_ * (right_.dot(p) - x_));
    }
    double y(const Vec3& p) const {
        return rounded(0.5 * k_drawing_height - scale_ * (up_.dot(p) - y_));
    }
    double length(double metres) const { return rounded(scale_ * metres); }
    double depth(const Vec3& p) const { return towards_.dot(p); }
    bool sees(const Vec3& normal) const { return towards_.dot(normal) > 1e-9; }
    double shade(const Vec3& normal) const {
        return rounded(10.0 * std::clamp(0.5 + 0.5 * light_.dot(normal), 0.0, 1.0)) / 10.0;
    }
    double reach() const { return k_drawing_width / scale_; }

private:
    Vec3 towards_, right_, up_, light_;
    double scale_ = 1.0, x_ = 0.0, y_ = 0.0;
};

Vec3 on_circle(double radius, int i, double z) {
    const double angle = 2.0 * std::numbers::pi * i / k_around;
    return {radius * std::cos(angle), radius * std::sin(angle), z};
}

// Adds the items of bodies.
class Painter {
public:
    Painter(const View& view, Json& items) : view_(view), items_(items) {}

    void paint(const world::BodySpec& body, std::size_t colour) {
        colour_ = colour;
        fixed_ = body.fixed;
        std::vector<const shape::Part*> parts;
        for (const shape::Part& part : body.shape->parts)
            parts.push_back(&part);
        std::stable_sort(parts.begin(), parts.end(), [&](const auto* a, const auto* b) {
            return view_.depth(body.pose.apply(a->pose.position)) <
                   view_.depth(body.pose.apply(b->pose.position));
        });
        for (const shape::Part* part : parts) {
            pose_ = shape::compose(body.pose, part->pose);
            std::visit([this](const auto& convex) { paint_part(convex); }, part->convex);
        }
    }
    // The part of a floor about a point.
    void paint_ground(const shape::Pose& pose, const shape::HalfSpace& plane, const Vec3& middle,
                      std::size_t colour) {
        const Vec3 normal = pose.rotate(plane.normal);
        if (normal.z() < 0.5) return;  // a wall or a ceiling would hide what there is
        colour_ = colour;
        fixed_ = true;
        const Vec3 on_plane = middle - normal.dot(middle - pose.position) * normal;
        const Vec3 along = normal.cross(Vec3::UnitY()).normalized();
        const Vec3 across = normal.cross(along);
        Points points;
        for (int i = 0; i < k_around; ++i) {
            const Vec3 p = on_circle(0.62 * view_.reach(), i, 0.0);
            points.push_back(on_plane + p.x() * along + p.y() * across);
        }
        Json& item = add("ground");
        item["points"] = list(points);
    }

private:
    Json& add(const char* kind) {
        items_.push_back({{"kind", kind}, {"colour", colour_}, {"fixed", fixed_}});
        return items_.back();
    }
    Json list(const Points& points) const {
        Json numbers = Json::array();
        for (const Vec3& p : points) {
            numbers.push_back(view_.x(p));
            numbers.push_back(view_.y(p));
        }
        return numbers;
    }
    void paint_ball(const Vec3& centre, double radius) {
        Json& item = add("ball");
        item["at"] = list({centre});
        item["radius"] = view_.length(radius);
    }
    // A polyhedron of so many faces that it looks like a ball.
    static bool is_round(const shape::Polyhedron& body) {
        if (body.faces().size() < 200) return false;
        return std::all_of(body.vertices().begin(), body.vertices().end(), [&](const Vec3& v) {
            return (v - body.interior()).norm() > 0.95 * body.size();
        });
    }
    // In the frame of the part; nothing when one looks at its back.
    void paint_face(Points points, const Vec3& normal) {
        const Vec3 turned = pose_.rotate(normal);
        if (!view_.sees(turned)) return;
        for (Vec3& p : points)
            p = pose_.apply(p);
        Json& item = add("face");
        item["points"] = list(points);
        item["shade"] = view_.shade(turned);
    }
    void paint_polyhedron(const shape::Polyhedron& body) {
        if (is_round(body)) {
            paint_ball(pose_.apply(body.interior()), body.size());
            return;
        }
        for (shape::Index f = 0; f < body.faces().size(); ++f) {
            Points points;
            for (const shape::DirectedEdge edge : body.boundary(f))
                points.push_back(body.vertex(body.tail(edge)));
            paint_face(std::move(points), body.face(f).normal);
        }
    }
    // Between two circles about z, and the disks of those that have a radius.
    void paint_turned(double below, double z_below, double above, double z_above) {
        const double slope = (below - above) / (z_above - z_below);
        for (int i = 0; i < k_around; ++i) {
            const double half = std::numbers::pi * (2 * i + 1) / k_around;
            const Vec3 normal(std::cos(half), std::sin(half), slope);
            paint_face({on_circle(below, i, z_below), on_circle(below, i + 1, z_below),
                        on_circle(above, i + 1, z_above), on_circle(above, i, z_above)},
                       normal.normalized());
        }
        Points top, bottom;
        for (int i = 0; i < k_around; ++i) {
            top.push_back(on_circle(above, i, z_above));
            bottom.push_back(on_circle(below, i, z_below));
        }
        if (above > 0.0) paint_face(top, Vec3::UnitZ());
        if (below > 0.0) paint_face(bottom, -Vec3::UnitZ());
    }
    template <class Convex>
    void paint_part(const Convex& convex) {
        if constexpr (std::is_same_v<Convex, shape::Sphere>) {
            paint_ball(pose_.position, convex.radius);
        } else if constexpr (std::is_same_v<Convex, shape::Capsule>) {
            Json& item = add("capsule");
            item["from"] = list({pose_.apply({0.0, 0.0, -convex.half_length})});
            item["to"] = list({pose_.apply({0.0, 0.0, convex.half_length})});
            item["radius"] = view_.length(convex.radius);
        } else if constexpr (std::is_same_v<Convex, shape::Cylinder>) {
            paint_turned(convex.radius, -convex.half_height, convex.radius, convex.half_height);
        } else if constexpr (std::is_same_v<Convex, shape::Cone>) {
            paint_turned(convex.radius, -0.25 * convex.height, 0.0, 0.75 * convex.height);
        } else if constexpr (!std::is_same_v<Convex, shape::HalfSpace>) {
            paint_polyhedron(*convex.polyhedron);
        }
    }

    const View& view_;
    Json& items_;
    shape::Pose pose_;
    std::size_t colour_ = 0;
    bool fixed_ = false;
};

// Whether a fixed body, whose items are those from `first` on, stands before every free one and in
// the way of some: the front wall of a box is not drawn.
bool hides(const View& view, const Json& items, std::size_t first, const Vec3& centre,
           const Balls& free) {
    double x0 = k_drawing_width, x1 = 0.0, y0 = k_drawing_height, y1 = 0.0;
    for (std::size_t i = first; i < items.size(); ++i) {
        if (!items[i].contains("points")) continue;
        const auto points = items[i]["points"].get<std::vector<double>>();
        for (std::size_t k = 0; k + 1 < points.size(); k += 2) {
            x0 = std::min(x0, points[k]);
            x1 = std::max(x1, points[k]);
            y0 = std::min(y0, points[k + 1]);
            y1 = std::max(y1, points[k + 1]);
        }
    }
    bool hidden = false;
    for (const auto& [place, radius] : free) {
        if (view.depth(place) > view.depth(centre)) return false;
        const double x = view.x(place), y = view.y(place);
        hidden = hidden || (x > x0 && x < x1 && y > y0 && y < y1);
    }
    return hidden;
}

std::vector<std::string> materials_of(const scene::Scene& scene) {
    std::vector<std::string> names;
    for (const world::BodySpec& body : scene.bodies) {
        if (std::find(names.begin(), names.end(), body.material) == names.end())
            names.push_back(body.material);
    }
    return names;
}

}  // namespace

std::string drawing_text(const scene::Scene& scene) {
    View view;
    const Balls free = free_bodies(scene);
    const Balls shown = framed(scene, free);
    view.frame(shown);
    const std::vector<std::string> names = materials_of(scene);
    const auto colour_of = [&](const world::BodySpec& body) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), body.material) -
                                        names.begin());
    };
    Json json = {{"width", k_drawing_width}, {"height", k_drawing_height}};
    for (const record::Colour& colour : record::material_colours(names))
        json["colours"].push_back(colour.hex());
    Json items = Json::array();
    Painter painter(view, items);
    std::vector<const world::BodySpec*> order;
    for (const world::BodySpec& body : scene.bodies) {
        const shape::HalfSpace* plane = half_space_of(body);
        if (plane != nullptr) {
            const shape::Pose pose = shape::compose(body.pose, body.shape->parts.front().pose);
            painter.paint_ground(pose, *plane, box_middle(shown), colour_of(body));
        } else {
            order.push_back(&body);
        }
    }
    // fixed bodies first: what stands on a long one would be hidden by it otherwise
    std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
        if (a->fixed != b->fixed) return a->fixed;
        return view.depth(a->pose.position) < view.depth(b->pose.position);
    });
    for (const world::BodySpec* body : order) {
        if (items.size() >= k_most_items) break;
        const std::size_t before = items.size();
        painter.paint(*body, colour_of(*body));
        if (body->fixed && hides(view, items, before, body->pose.position, free))
            items.erase(items.begin() + static_cast<long>(before), items.end());
    }
    json["items"] = std::move(items);
    return json.dump();
}

}  // namespace carom::serve
