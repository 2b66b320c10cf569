// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/micro/micro_contact.h"

#include <stdexcept>
#include <string>

#include "carom/world/micro/face_turn.h"

namespace carom::world {
namespace {

Event event_of(const ContactPair& pair, const Vec3& point, const Vec3& normal, double t) {
    Event event;
    event.t = t;
    event.kind = EventKind::micro;
    event.a = pair.a;
    event.b = pair.b;
    event.point = point;
    event.normal = normal;
    return event;
}

}  // namespace

MicroOutcome resolve_micro_contact(const ContactPair& pair, const Touch& touch,
                                   const ContactPoint& at, double t) {
    const impact::BodyPair before = make_pair(touch, at.point);
    const impact::FramedContact framed = impact::make_contact(before);
    Resolved resolved{};
    try {
        resolved =
            resolve_micro(framed.contact, *pair.law, pair.micro.hop_speed(), pair.energy_to_repay);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("at " + std::to_string(t) + " s, '" + touch.a.body->name +
                                 "' and '" + touch.b.body->name + "': " + error.what());
    }
    const Vec3 p_W = framed.R_CW.transpose() * resolved.p;
    const impact::BodyPair after = impact::apply_impulse(before, p_W);
    const Vec3 u_after = framed.contact.u + framed.contact.K * resolved.p;
    const double u_n = framed.contact.u.z();
    MicroOutcome out{event_of(pair, at.point, touch.normal, t), touch.a.state, touch.b.state};
    out.event.law = resolved.law;
    out.event.u = framed.R_CW.transpose() * framed.contact.u;
    out.event.u_after = framed.R_CW.transpose() * u_after;
    out.event.impulse = p_W;
    out.event.energy_lost = -impact::energy_change(framed.contact, resolved.p);
    out.event.restitution = u_n != 0.0 ? -u_after.z() / u_n : 0.0;
    out.a.velocity = after.A.v;
    out.a.angular_velocity = after.A.w;
    out.b.velocity = after.B.v;
    out.b.angular_velocity = after.B.w;
    return out;
}

std::optional<MicroOutcome> turn_round_on_face(const ContactPair& pair, const Touch& touch,
                                               const Vec3& gravity, double t) {
    if (touch.a.body->still == touch.b.body->still) return std::nullopt;
    const bool swapped = touch.a.body->still;
    const Touch seen = swapped ? Touch{touch.b, touch.a, -touch.normal} : touch;
    const auto turn =
        turn_on_face(seen, *pair.law, gravity, pair.micro.hop_speed(), pair.energy_to_repay);
    if (!turn) return std::nullopt;
    MicroOutcome out{event_of(pair, turn->point, touch.normal, t), touch.a.state, touch.b.state};
    motion::State& after = swapped ? out.b : out.a;
    after.velocity = turn->v;
    after.angular_velocity = turn->w;
    const double sign = swapped ? -1.0 : 1.0;
    out.event.law = impact::LawId::micro;
    out.event.u = sign * velocity_at(seen.a.state, turn->point);
    out.event.u_after = sign * velocity_at(after, turn->point);
    out.event.impulse = sign * turn->impulse;
    out.event.energy_lost = turn->energy_lost;
    const double u_n = out.event.u.dot(out.event.normal);
    out.event.restitution = u_n != 0.0 ? -out.event.u_after.dot(out.event.normal) / u_n : 0.0;
    return out;
}

}  // namespace carom::world
