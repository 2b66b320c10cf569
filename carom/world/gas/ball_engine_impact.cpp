// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What happens when a ball meets a ball or a wall.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "carom/math/rotation.h"
#include "carom/motion/free_rotation.h"
#include "carom/world/gas/ball_engine.h"

namespace carom::world {

const BallEngine::PairLaw& BallEngine::law_of(std::uint32_t material_a,
                                              std::uint32_t material_b) const {
    const PairLaw& law = laws_[material_a * material_ids_.size() + material_b];
    if (!law.known) {
        throw std::invalid_argument("the materials '" +
                                    input_.contacts.name(material_ids_[material_a]) + "' and '" +
                                    input_.contacts.name(material_ids_[material_b]) +
                                    "' have no law for their contact; give them one");
    }
    return law;
}

// To the time of the event, with a word on how long the flight was.
void BallEngine::bring(std::uint32_t i) {
    Ball& ball = balls_[i];
    const double flight = now_ - ball.t0;
    ball.x += flight * ball.v;
    ball.t0 = now_;
    ++ball.hits;
    std::uint32_t& at_once = cards_[i].at_once;
    at_once = flight <= instant_ + 4e-16 * now_ ? at_once + 1 : 0;
}

void BallEngine::meet_ball(std::uint32_t i, std::uint32_t j, Listener* listener) {
    // in one order, whoever planned it: rounding depends on it
    if (j < i) std::swap(i, j);
    bring(i);
    bring(j);
    const Card& a = cards_[i];
    const Card& b = cards_[j];
    const Vec3 C = balls_[i].x - balls_[j].x;
    const double radii = a.radius + b.radius;
    const double distance2 = C.squaredNorm();
    if (distance2 < radii * radii)
        input_.tally.overlap.note(radii - std::sqrt(distance2), std::min(a.radius, b.radius));
    resolve({i, j, nullptr, C, a.inverse_mass + b.inverse_mass, &law_of(a.material, b.material)},
            listener);
}

void BallEngine::meet_wall(std::uint32_t i, const BallWall& wall, Listener* listener) {
    bring(i);
    const Card& a = cards_[i];
    input_.tally.overlap.note(a.radius + wall.offset - wall.normal.dot(balls_[i].x), a.radius);
    resolve({i, i, &wall, wall.normal, a.inverse_mass, &law_of(a.material, wall.material)},
            listener);
}

void BallEngine::resolve(const Meeting& meeting, Listener* listener) {
    Tally& tally = input_.tally;
    ++tally.events;
    ++tally.impacts;
    Vec3 n = Vec3::Zero(), u = Vec3::Zero();
    if (listener != nullptr) {
        n = meeting.C.normalized();
        u = contact_velocity(meeting, n);
    }
    const Push push = meeting.law->frictionless ? push_plainly(meeting) : push_by_law(meeting);
    if (push.energy_lost != 0.0) tally.energy_lost.add(push.energy_lost);
    tally.pushed.add(push.p.norm());
    if (meeting.wall != nullptr) {
        for (int k = 0; k < 3; ++k)
            tally.given[k].add(push.p[k]);
    }
    if (listener != nullptr) tell(meeting, n, u, push, *listener);

    const std::uint64_t most = input_.settings.most_at_once;
    if (cards_[meeting.a].at_once > most && cards_[meeting.b].at_once > most) {
        std::ostringstream out;
        out.precision(17);
        out << "the bodies '" << body_of(meeting.a).name << "' and '" << second_body(meeting).name
            << "' hit each other again and again in no time, at t = " << now_
            << " s: an inelastic collapse, or a ball caught between far heavier ones; a larger e, "
               "or masses less different, would part them";
        throw std::runtime_error(out.str());
    }
}

BallEngine::Push BallEngine::push_plainly(const Meeting& meeting) {
    Ball& a = balls_[meeting.a];
    const Vec3& C = meeting.C;
    const double e = meeting.law->law.parameters.e.value_or(0.0);
    Vec3 V = a.v;
    if (meeting.wall == nullptr) V -= balls_[meeting.b].v;
    const double approach = C.dot(V);
    if (approach >= 0.0) return {Vec3::Zero(), 0.0};
    const double per_length = -approach / (meeting.k_n * C.squaredNorm());
    const Vec3 p = ((1.0 + e) * per_length) * C;
    a.v += cards_[meeting.a].inverse_mass * p;
    if (meeting.wall == nullptr) balls_[meeting.b].v -= cards_[meeting.b].inverse_mass * p;
    return {p, -0.5 * (1.0 - e * e) * approach * per_length};
}

BallEngine::Push BallEngine::push_by_law(const Meeting& meeting) {
    // gains smaller than this part of the work are rounding
    constexpr double k_rounding = 1e-13;
    const Card& a = cards_[meeting.a];
    const Vec3 n = meeting.C.normalized();
    const Mat3 R_CW = math::rotation_to_z(n);
    double k_t = meeting.k_n + a.radius * a.radius * a.inverse_inertia;
    if (meeting.wall == nullptr) {
        const Card& b = cards_[meeting.b];
        k_t += b.radius * b.radius * b.inverse_inertia;
    }
    impact::Contact contact;
    contact.K = Vec3(k_t, k_t, meeting.k_n).asDiagonal();
    contact.u = R_CW * contact_velocity(meeting, n);
    const impact::LawInfo& law = impact::law_info(meeting.law->law.law);
    const impact::Outcome outcome = impact::resolve(law, contact, meeting.law->law.parameters);
    if (outcome.refusal != nullptr) {
        throw std::runtime_error("the impact of '" + body_of(meeting.a).name + "' and '" +
                                 second_body(meeting).name + "': the law '" +
                                 std::string(law.name) + "' " + outcome.refusal);
    }
    const Vec3& p = outcome.solution.p;
    const double lost = -impact::energy_change(contact, p);
    if (-lost > k_rounding * std::abs(contact.u.dot(p))) input_.tally.energy_gained.add(-lost);

    const Vec3 p_W = R_CW.transpose() * p;
    const Vec3 twist = n.cross(p_W);
    balls_[meeting.a].v += a.inverse_mass * p_W;
    turn(meeting.a, -a.radius * a.inverse_inertia * twist);
    if (meeting.wall == nullptr) {
        const Card& b = cards_[meeting.b];
        balls_[meeting.b].v -= b.inverse_mass * p_W;
        turn(meeting.b, -b.radius * b.inverse_inertia * twist);
    }
    return {p_W, lost};
}

// Changes the spin; the orientation is then kept from here on.
void BallEngine::turn(std::uint32_t i, const Vec3& change) {
    if (change.isZero(0.0)) return;
    Spin& spin = spins_[i];
    spin.orientation =
        motion::FreeRotation::steady(spin.orientation, spin.w, spin.t).orientation_at(now_);
    spin.t = now_;
    spin.w += change;
}

// Of a's contact point minus b's, world frame.
Vec3 BallEngine::contact_velocity(const Meeting& meeting, const Vec3& n) const {
    const Vec3 turning = cards_[meeting.a].radius * spins_[meeting.a].w;
    if (meeting.wall != nullptr) return balls_[meeting.a].v - turning.cross(n);
    const Vec3 both = turning + cards_[meeting.b].radius * spins_[meeting.b].w;
    return balls_[meeting.a].v - balls_[meeting.b].v - both.cross(n);
}

const Body& BallEngine::second_body(const Meeting& meeting) const {
    return meeting.wall != nullptr ? input_.bodies[meeting.wall->body] : body_of(meeting.b);
}

void BallEngine::tell(const Meeting& meeting, const Vec3& n, const Vec3& u, const Push& push,
                      Listener& listener) const {
    Event event;
    event.t = now_;
    event.kind = EventKind::impact;
    event.law = meeting.law->law.law;
    event.a = cards_[meeting.a].body;
    event.b = meeting.wall != nullptr ? meeting.wall->body : cards_[meeting.b].body;
    event.point = balls_[meeting.a].x - cards_[meeting.a].radius * n;
    event.normal = n;
    event.u = u;
    event.u_after = contact_velocity(meeting, n);
    event.impulse = push.p;
    event.energy_lost = push.energy_lost;
    const double approach = n.dot(u);
    event.restitution = approach != 0.0 ? -n.dot(event.u_after) / approach : 0.0;
    // of two balls the one with the lower number is a; of a ball and a wall the ball
    if (meeting.wall == nullptr && event.b < event.a) event = seen_from_other(event);
    listener.on_event(event);
    for (const BodyId body : {event.a, event.b}) {
        if (!input_.bodies[body].fixed) listener.on_segment(segment(body));
    }
}

}  // namespace carom::world
