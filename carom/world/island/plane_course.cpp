// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/island/plane_course.h"

#include <cmath>

#include "carom/world/island/island_tolerances.h"
#include "carom/world/touch/plane_under.h"

namespace carom::world {

std::optional<PlaneCourse> find_plane_course(const Graph& graph, const Component& component,
                                             double t) {
    if (component.bodies.size() != 1 || component.pairs.size() != 1) return std::nullopt;
    const BodyId id = component.bodies[0];
    const ContactPair& pair = graph.pair(component.pairs[0]);
    const BodyTrack& track = graph.track(id);
    const BodyTrack& under = graph.track(pair.other(id));
    const motion::State state = track.at(t);
    const std::optional<PlaneUnder> plane =
        plane_under(*track.body, state, *under.body, under.moving, t);
    if (!plane) return std::nullopt;
    LastingForm form;
    form.plane = plane->plane;
    form.mu = pair.mu();
    form.mu_roll = pair.law->rolling_friction;
    form.mu_spin = pair.law->spinning_friction;
    const Vec3& gravity = graph.settings().gravity;
    const motion::SphereContact contact = sphere_contact(*track.body, form, gravity);
    if (!motion::is_pressed(contact)) return std::nullopt;
    const Vec3& n = form.plane.normal;
    const double lift = n.dot(state.velocity - form.plane.velocity);
    const double speed = std::sqrt(graph.acceleration_scale(component.bodies) * track.body->radius);
    if (std::abs(lift) > k_island_tolerances.balance_speed * speed) return std::nullopt;
    const motion::SphereOnPlane course(contact, state, t);
    const bool rests = course.phase() == motion::SphereOnPlane::Phase::resting && under.body->still;
    form.t1 = plane->leaves(course, *under.body, t);
    if (!(form.t1 > t) && !rests) return std::nullopt;
    PlaneCourse out{{t, id, SegmentKind::on_plane, state, form},
                    pair.a == id ? n : Vec3(-n),
                    course.contact_at(t).point,
                    rests};
    return out;
}

}  // namespace carom::world
