// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a step of an island leaves: motions, forces and their places, contacts that are open, and
// points that are yet to land.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/island/island_step.h"
#include "carom/world/touch/landing.h"
#include "carom/world/touch/touch_tolerances.h"
#include "carom/world/touch/touching.h"

namespace carom::world {

void IslandStepper::give_contacts(double h) {
    out_.contacts.clear();
    out_.points.clear();
    for (const IslandContact& contact : island_.contacts()) {
        IslandContactOutcome& out = out_.contacts.emplace_back();
        out.pair = contact.pair;
        out.force.setZero();
        out.has_points = contact.point_count > 0;
        out.landing = k_forever;
        double least = k_forever;
        bool carries = false, deferred = false;
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = island_.points()[contact.first_point + k];
            least = std::min(least, point.gap_end);
            carries = carries || !point.force.isZero(0.0) || point.left_out;
            deferred = deferred || point.left_out;
            out.normal = point.at.normal;
            out.force += point.force;
        }
        for (std::size_t k = 0; k < contact.end_count && !deferred; ++k) {
            const double gap = island_.end_points()[contact.first_end + k].gap;
            out_.overlap.note(-gap, contact.size);
        }
        out.open = !carries && least > k_touch_tolerances.closed_gap * contact.size;
        out.first_point = out_.points.size();
        out.point_count = contact.end_count;
        for (std::size_t k = 0; k < contact.end_count; ++k) {
            const EndPoint& end = island_.end_points()[contact.first_end + k];
            out_.points.push_back({end.id, Vec3::Zero(), end.gap, false, end.arm_a, end.arm_b});
        }
        give_places(contact, h, out);
    }
}

// Where the force of a point is at the end of the step: at the place of its name, else at the
// nearest, since the lowest place of a rim changes its name on its way. Null where there is none.
PointForce* IslandStepper::end_of(const IslandPoint& point, const IslandContact& contact,
                                  std::size_t first, std::size_t count) {
    if (point.force.isZero(0.0)) return nullptr;
    PointForce* to = nullptr;
    double nearest = k_touch_tolerances.same_place * contact.size;
    const Vec3 arm = point.at.middle() - island_.bodies()[contact.a].middle.position;
    for (std::size_t k = first; k < first + count; ++k) {
        PointForce& end = out_.points[k];
        const double away = end.id == point.at.id ? -1.0 : (end.arm_a - arm).norm();
        if (!(away < nearest)) continue;
        nearest = away;
        to = &end;
    }
    if (to == nullptr) return nullptr;
    to->force += point.force;
    to->slips = to->slips || point.slips;
    return to;
}

// The forces of the points at the end of the step, and the centre of pressure at the start and at
// the end: where it is in the middle of the step, and where its points come from and go to. Where
// nothing presses it is the middle of all points.
void IslandStepper::give_places(const IslandContact& contact, double h, IslandContactOutcome& out) {
    const IslandBody& a = island_.bodies()[contact.a];
    const IslandBody& b = island_.bodies()[contact.b];
    struct Way {
        Vec3 sum = Vec3::Zero();
        double weight = 0.0;
    } from, to;
    Vec3 middle = Vec3::Zero(), all = Vec3::Zero();
    double pressure = 0.0;
    for (std::size_t k = 0; k < contact.point_count; ++k) {
        const IslandPoint& point = island_.points()[contact.first_point + k];
        const Vec3 place = point.at.middle();
        const double pressed = point.force.dot(point.at.normal);
        all += place / static_cast<double>(contact.point_count);
        pressure += pressed;
        middle += pressed * place;
        const auto add = [&](Way& way, const PointForce* other, const Vec3& centre) {
            if (other == nullptr) return;
            way.sum += pressed * (centre + other->arm_a - place);
            way.weight += pressed;
        };
        add(to, end_of(point, contact, out.first_point, out.point_count), a.end.position);
        const auto start = std::find_if(contact.last->begin(), contact.last->end(),
                                        [&](const PointForce& p) { return p.id == point.at.id; });
        add(from, start != contact.last->end() ? &*start : nullptr, a.start.position);
    }
    if (pressure > 0.0) {
        middle /= pressure;
    } else {
        middle = contact.point_count > 0 ? all : graph_.pair(contact.pair).contact.point;
    }
    out.couple.setZero();
    for (std::size_t k = 0; k < contact.point_count; ++k) {
        const IslandPoint& point = island_.points()[contact.first_point + k];
        out.couple += (point.at.middle() - middle).cross(point.force);
    }
    // points that only change their names on the spot go nowhere
    const auto fastest = [](const IslandBody& body) {
        return std::max(speed_bound_of(*body.body, body.start),
                        speed_bound_of(*body.body, body.end));
    };
    const double most = 0.5 * ((out_.t + h) - out_.t) * (fastest(a) + fastest(b));
    const auto mean = [&](const Way& way) {
        Vec3 moved = way.weight > 0.0 ? Vec3(way.sum / way.weight) : Vec3(Vec3::Zero());
        if (moved.norm() > most) moved *= most / moved.norm();
        return moved;
    };
    out.point_end = middle + mean(to);
    out.point = middle + (from.weight > 0.0 ? mean(from) : Vec3(-mean(to)));
}

void IslandStepper::give_bodies(double t, double h) {
    const double t1 = t + h;
    held_.assign(island_.bodies().size(), 0);
    for (std::size_t i = 0; i < out_.contacts.size(); ++i) {
        const IslandContact& contact = island_.contacts()[i];
        if (!out_.contacts[i].open) held_[contact.a] = held_[contact.b] = 1;
    }
    out_.bodies.clear();
    for (std::size_t k = 0; k < component_->bodies.size(); ++k) {
        const BodyId id = component_->bodies[k];
        const IslandBody& body = island_.bodies()[k];
        const bool held = held_[k] != 0;
        Segment segment{t, id, held ? SegmentKind::held : graph_.track(id).free_kind(), body.start};
        if (held) {
            const double length = t1 - t;
            segment.lasting.t1 = t1;
            segment.lasting.a = (body.v1 - body.start.velocity) / length;
            segment.lasting.alpha = (body.w1 - body.start.angular_velocity) / length;
            segment.lasting.power = body.power;
        }
        out_.bodies.push_back({id, held, segment});
    }
    for (std::size_t i = 0; i < out_.contacts.size(); ++i) {
        if (!out_.contacts[i].open)
            out_.contacts[i].landing = find_landing(island_.contacts()[i], t, h);
    }
}

// When points that were left out of the step are to be looked at, s after its start.
double IslandStepper::find_landing(const IslandContact& contact, double t, double h) const {
    // part of a step after which a corner that comes down is looked at, at the earliest
    constexpr double k_soon = 1e-3;
    const double t1 = t + h;
    const double down = k_touch_tolerances.landing_gap * contact.size;
    const auto motion_of = [&](std::uint32_t place) {
        if (place >= out_.bodies.size()) {
            const ContactPair& pair = graph_.pair(contact.pair);
            return graph_.track(place == contact.a ? pair.a : pair.b).motion;
        }
        const IslandBodyOutcome& body = out_.bodies[place];
        return make_motion(*graph_.track(body.id).body, body.segment, graph_.settings().gravity);
    };
    double wait = k_forever;
    for (std::size_t k = 0; k < contact.point_count; ++k) {
        const IslandPoint& point = island_.points()[contact.first_point + k];
        if (!point.left_out) continue;
        const Landing landing(point.at, island_.bodies()[contact.a].middle,
                              island_.bodies()[contact.b].middle);
        const double linear = (point.at.gap + 0.5 * (t1 - t) * point.approach) / point.landing;
        double found = linear;
        if (landing.exact() && k_before_touch * linear < wait)
            found = landing.find(motion_of(contact.a), motion_of(contact.b), t, t + linear, t1,
                                 0.5 * down) -
                    t;
        wait = std::min(wait, k_before_touch * found);
    }
    return wait < t1 - t ? std::max(wait, k_soon * (t1 - t)) : k_forever;
}

}  // namespace carom::world
