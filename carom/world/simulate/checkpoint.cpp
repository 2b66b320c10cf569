// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What the simulator keeps in a checkpoint: all that the future depends on. Pairs and their times
// are found anew, by the run that goes on as by the one that is resumed.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "carom/world/restored_state.h"
#include "carom/world/simulate/simulator.h"

namespace carom::world {
namespace {

// Of lasting contact, only where there is any.
void put_form(ByteWriter& out, const Segment& segment) {
    const LastingForm& form = segment.lasting;
    if (!is_lasting(segment.kind)) return;
    for (const double x : {form.t1, form.power, form.mu, form.mu_roll, form.mu_spin,
                           form.plane.turn_rate, form.plane.time})
        out.put(x);
    for (const Vec3& v :
         {form.a, form.alpha, form.plane.point, form.plane.normal, form.plane.velocity})
        out.put(v);
    if (segment.kind != SegmentKind::constrained) return;
    out.put(form.end);
    out.put(form.a_end);
    out.put(form.alpha_end);
}

void get_form(ByteReader& in, Segment& segment) {
    LastingForm& form = segment.lasting;
    if (!is_lasting(segment.kind)) return;
    for (double* x : {&form.t1, &form.power, &form.mu, &form.mu_roll, &form.mu_spin,
                      &form.plane.turn_rate, &form.plane.time})
        *x = in.get<double>();
    for (Vec3* v :
         {&form.a, &form.alpha, &form.plane.point, &form.plane.normal, &form.plane.velocity})
        *v = in.vector();
    if (segment.kind == SegmentKind::constrained) {
        form.end = in.state();
        form.a_end = in.vector();
        form.alpha_end = in.vector();
        const bool finite = form.end.position.allFinite() && form.end.velocity.allFinite() &&
                            form.end.angular_velocity.allFinite() &&
                            std::abs(form.end.orientation.squaredNorm() - 1.0) <= 1e-6 &&
                            form.a_end.allFinite() && form.alpha_end.allFinite() &&
                            form.t1 > segment.t0 && std::isfinite(form.t1);
        if (!finite)
            throw std::invalid_argument("the checkpoint holds a contact that no run can have");
    }
    for (const Vec3& v :
         {form.a, form.alpha, form.plane.point, form.plane.normal, form.plane.velocity}) {
        if (!v.allFinite())
            throw std::invalid_argument("the checkpoint holds a contact that no run can have");
    }
    const bool friction = form.mu >= 0.0 && form.mu_roll >= 0.0 && form.mu_spin >= 0.0;
    const bool numbers = std::isfinite(form.power) && std::isfinite(form.plane.turn_rate) &&
                         std::isfinite(form.plane.time) && form.t1 >= segment.t0;
    const bool plane = segment.kind != SegmentKind::on_plane ||
                       std::abs(form.plane.normal.squaredNorm() - 1.0) <= 1e-6;
    if (!friction || !numbers || !plane)
        throw std::invalid_argument("the checkpoint holds a contact that no run can have");
}

void put_contact(ByteWriter& out, const PersistentContact& contact) {
    out.put(static_cast<std::uint8_t>(contact.active));
    out.put(contact.ended);
    if (!contact.active) return;
    out.put(contact.t0);
    out.put(contact.t1);
    out.put(contact.force);
    out.put(contact.given);
    out.put(contact.couple);
    out.put(contact.given_couple);
    out.put(static_cast<std::uint8_t>((contact.exact ? 1U : 0U) | (contact.loose ? 2U : 0U) |
                                      (contact.goes_on ? 4U : 0U)));
    out.put(static_cast<std::uint8_t>(contact.all_at_start));
    out.put(static_cast<std::uint8_t>(contact.smooth));
    if (contact.smooth) {
        out.put(contact.course_t0);
        for (const Vec3& v : contact.course)
            out.put(v);
    }
    out.put(contact.at_rest);
    out.put(contact.unlike_since);
    out.put(contact.point);
    out.put(contact.point_end);
    out.put(contact.normal);
    out.put(static_cast<std::uint32_t>(contact.forces.size()));
    for (const PointForce& force : contact.forces) {
        out.put(force.id);
        out.put(force.force);
        out.put(force.gap);
        out.put(static_cast<std::uint8_t>(force.slips));
        out.put(force.arm_a);
        out.put(force.arm_b);
    }
}

PersistentContact get_contact(ByteReader& in) {
    PersistentContact contact;
    contact.active = in.get<std::uint8_t>() != 0;
    contact.ended = in.get<double>();
    if (!contact.active) return contact;
    contact.t0 = in.get<double>();
    contact.t1 = in.get<double>();
    contact.force = in.vector();
    contact.given = in.vector();
    contact.couple = in.vector();
    contact.given_couple = in.vector();
    const auto flags = in.get<std::uint8_t>();
    contact.exact = (flags & 1U) != 0;
    contact.loose = (flags & 2U) != 0;
    contact.goes_on = (flags & 4U) != 0;
    contact.all_at_start = in.get<std::uint8_t>() != 0;
    contact.smooth = in.get<std::uint8_t>() != 0;
    if (contact.smooth) {
        contact.course_t0 = in.get<double>();
        for (Vec3& v : contact.course)
            v = in.vector();
    }
    contact.at_rest = in.vector();
    contact.unlike_since = in.get<double>();
    contact.point = in.vector();
    contact.point_end = in.vector();
    contact.normal = in.vector();
    const auto count = in.get<std::uint32_t>();
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto id = in.get<std::uint64_t>();
        const Vec3 force = in.vector();
        const auto gap = in.get<double>();
        const bool slips = in.get<std::uint8_t>() != 0;
        const Vec3 arm_a = in.vector();
        contact.forces.push_back({id, force, gap, slips, arm_a, in.vector()});
    }
    return contact;
}

}  // namespace

void Simulator::save(ByteWriter& out) const {
    out.put(time_);
    out.put(static_cast<std::uint32_t>(graph_.piles().size()));
    for (const auto& [name, pile] : graph_.piles()) {
        out.put(name);
        out.put(pile.until);
        out.put(pile.length);
        out.put(pile.began);
        out.put(pile.debt);
        out.put(pile.overlap);
        out.put(pile.cuts);
        out.put(static_cast<std::uint32_t>(pile.disturbed.size()));
        for (const auto& [id, by] : pile.disturbed) {
            out.put(id);
            out.put(by);
        }
    }
    for (BodyId i = 0; i < graph_.body_count(); ++i) {
        const BodyTrack& track = graph_.track(i);
        out.put(static_cast<std::uint8_t>(track.segment.kind));
        out.put(track.segment.t0);
        out.put(track.segment.state);
        put_form(out, track.segment);
        out.put(track.last_step);
        out.put(track.spent_steps);
        out.put(track.fed);
        out.put(static_cast<std::uint32_t>(track.infeasible_steps));
        out.put(track.pile);
        out.put(static_cast<std::uint8_t>(track.slept_in_pile));
        out.put(track.quiet.t);
        out.put(track.quiet.position);
        for (const double x : track.quiet.orientation.coeffs())
            out.put(x);
        out.put(static_cast<std::uint32_t>(track.slept_with.size()));
        for (const BodyId other : track.slept_with)
            out.put(other);
    }
    ledger_.work().save(out);
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < graph_.pair_count(); ++i) {
        const ContactPair& pair = graph_.pair(i);
        // contacts that have just ended are not taken up again at once (resolve_touch)
        constexpr double k_lately = 1.0;  // s
        if (pair.used && (pair.contact.active || graph_.touched_lately(pair, time_) ||
                          pair.contact.ended > time_ - k_lately ||
                          (pair.slow_part > 0.0 && pair.reference_speed > 0.0)))
            pairs.push_back(i);
    }
    std::sort(pairs.begin(), pairs.end(),
              [&](std::uint32_t x, std::uint32_t y) { return graph_.before(x, y); });
    out.put(static_cast<std::uint64_t>(pairs.size()));
    for (const std::uint32_t i : pairs) {
        const ContactPair& pair = graph_.pair(i);
        out.put(pair.a);
        out.put(pair.b);
        out.put(pair.last_impact);
        out.put(pair.energy_to_repay);
        out.put(pair.rebound);
        out.put(pair.reference_speed);
        out.put(pair.last_interval);
        put_contact(out, pair.contact);
        out.put(schedule_.landing_of(i));
    }
}

void Simulator::load(ByteReader& in) {
    const auto body_id = [&] {
        const auto id = in.get<BodyId>();
        if (id >= graph_.body_count())
            throw std::invalid_argument("the checkpoint names no such body");
        return id;
    };
    time_ = in.get<double>();
    check_restored_time(time_, k_forever);
    graph_.piles().clear();
    for (auto left = in.get<std::uint32_t>(); left > 0; --left) {
        Pile& pile = graph_.piles()[in.get<PileId>()];
        pile.until = in.get<double>();
        pile.length = in.get<double>();
        pile.began = in.get<double>();
        pile.debt = in.get<double>();
        pile.overlap = in.get<double>();
        pile.cuts = in.get<std::uint32_t>();
        for (auto count = in.get<std::uint32_t>(); count > 0; --count) {
            const BodyId id = body_id();
            pile.disturbed.push_back({id, body_id()});
        }
    }
    for (BodyId i = 0; i < graph_.body_count(); ++i)
        load_track(i, in);
    std::vector<Segment> now;
    for (BodyId i = 0; i < graph_.body_count(); ++i)
        now.push_back(graph_.track(i).segment);
    ledger_.work().load(in, now);
    saved_.clear();
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
        const BodyId a = body_id();
        const BodyId b = body_id();
        SavedPair saved{a,
                        b,
                        in.get<double>(),
                        in.get<double>(),
                        in.get<double>(),
                        in.get<double>(),
                        in.get<double>(),
                        {},
                        0.0};
        saved.contact = get_contact(in);
        saved.landing = in.get<double>();
        saved_.push_back(std::move(saved));
    }
}

void Simulator::load_track(BodyId i, ByteReader& in) {
    BodyTrack& track = graph_.track(i);
    Segment segment;
    const auto kind = in.get<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(SegmentKind::constrained))
        throw std::invalid_argument("the checkpoint holds a motion of no known kind");
    segment.kind = static_cast<SegmentKind>(kind);
    segment.body = i;
    segment.t0 = in.get<double>();
    check_restored_time(segment.t0, time_);
    segment.state = in.state();
    check_restored(segment.state);
    get_form(in, segment);
    track.go(segment, in_.settings.gravity);
    track.travel_before = 0.0;  // the same as in a world that begins here
    track.pending = false;
    track.last_step = in.get<double>();
    track.spent_steps = in.get<double>();
    track.fed = in.get<double>();
    track.infeasible_steps = static_cast<int>(in.get<std::uint32_t>());
    track.pile = in.get<PileId>();
    track.slept_in_pile = in.get<std::uint8_t>() != 0;
    if (track.in_pile()) {
        const auto pile = graph_.piles().find(track.pile);
        if (pile == graph_.piles().end())
            throw std::invalid_argument("the checkpoint names no such pile");
        track.motion_until = pile->second.until;
        pile->second.bodies.push_back(i);
    }
    track.quiet.t = in.get<double>();
    track.quiet.position = in.vector();
    for (double& x : track.quiet.orientation.coeffs())
        x = in.get<double>();
    track.slept_with.clear();
    for (auto left = in.get<std::uint32_t>(); left > 0; --left) {
        const auto other = in.get<BodyId>();
        if (other >= graph_.body_count())
            throw std::invalid_argument("the checkpoint names no such body");
        track.slept_with.push_back(other);
    }
    track.guard_t = -1.0;
    track.guard_count = 0;
}

}  // namespace carom::world
