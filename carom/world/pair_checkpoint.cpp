// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What the engine keeps in a checkpoint: all that the future depends on. Pairs and their times are
// found anew, by the run that goes on as by the one that is resumed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "carom/world/pair_engine.h"
#include "carom/world/restored_state.h"

namespace carom::world {
namespace {

// Of lasting contact, only where there is any.
void put_form(ByteWriter& out, const Segment& segment) {
    const LastingForm& form = segment.lasting;
    if (segment.kind != SegmentKind::held && segment.kind != SegmentKind::on_plane) return;
    for (const double x : {form.t1, form.power, form.mu, form.mu_roll, form.mu_spin,
                           form.plane.turn_rate, form.plane.time})
        out.put(x);
    for (const Vec3& v :
         {form.a, form.alpha, form.plane.point, form.plane.normal, form.plane.velocity})
        out.put(v);
}

void get_form(ByteReader& in, Segment& segment) {
    LastingForm& form = segment.lasting;
    if (segment.kind != SegmentKind::held && segment.kind != SegmentKind::on_plane) return;
    for (double* x : {&form.t1, &form.power, &form.mu, &form.mu_roll, &form.mu_spin,
                      &form.plane.turn_rate, &form.plane.time})
        *x = in.get<double>();
    for (Vec3* v :
         {&form.a, &form.alpha, &form.plane.point, &form.plane.normal, &form.plane.velocity})
        *v = in.vector();
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

void put_closed(ByteWriter& out, const Closed& closed) {
    out.put(static_cast<std::uint8_t>(closed.on));
    out.put(closed.ended);
    if (!closed.on) return;
    out.put(closed.t0);
    out.put(closed.t1);
    out.put(closed.force);
    out.put(closed.given);
    out.put(static_cast<std::uint8_t>(closed.flies));
    out.put(closed.at_rest);
    out.put(closed.unlike);
    out.put(closed.point);
    out.put(closed.point_end);
    out.put(closed.normal);
    out.put(static_cast<std::uint32_t>(closed.forces.size()));
    for (const PointForce& force : closed.forces) {
        out.put(force.id);
        out.put(force.force);
        out.put(force.gap);
        out.put(static_cast<std::uint8_t>(force.slips));
        out.put(force.arm_a);
        out.put(force.arm_b);
    }
}

Closed get_closed(ByteReader& in) {
    Closed closed;
    closed.on = in.get<std::uint8_t>() != 0;
    closed.ended = in.get<double>();
    if (!closed.on) return closed;
    closed.t0 = in.get<double>();
    closed.t1 = in.get<double>();
    closed.force = in.vector();
    closed.given = in.vector();
    closed.flies = in.get<std::uint8_t>() != 0;
    closed.at_rest = in.vector();
    closed.unlike = in.get<double>();
    closed.point = in.vector();
    closed.point_end = in.vector();
    closed.normal = in.vector();
    const auto count = in.get<std::uint32_t>();
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto id = in.get<std::uint64_t>();
        const Vec3 force = in.vector();
        const auto gap = in.get<double>();
        const bool slips = in.get<std::uint8_t>() != 0;
        const Vec3 arm_a = in.vector();
        closed.forces.push_back({id, force, gap, slips, arm_a, in.vector()});
    }
    return closed;
}

}  // namespace

void PairEngine::save(ByteWriter& out) const {
    out.put(time_);
    out.put(crowd_until_);
    out.put(crowd_length_);
    out.put(static_cast<std::uint32_t>(crowd_disturbed_.size()));
    for (const auto& [id, by] : crowd_disturbed_) {
        out.put(id);
        out.put(by);
    }
    for (const auto& mover : owned_) {
        out.put(static_cast<std::uint8_t>(mover->segment.kind));
        out.put(mover->segment.t0);
        out.put(mover->segment.state);
        put_form(out, mover->segment);
        out.put(mover->step);
        out.put(static_cast<std::uint8_t>(mover->crowd));
        out.put(static_cast<std::uint8_t>(mover->slept_in_crowd));
        out.put(mover->quiet.t);
        out.put(mover->quiet.position);
        for (const double x : mover->quiet.orientation.coeffs())
            out.put(x);
        out.put(static_cast<std::uint32_t>(mover->slept_with.size()));
        for (const BodyId other : mover->slept_with)
            out.put(other);
    }
    std::vector<Recent> recent;
    for (std::uint32_t i = 0; i < near_.size(); ++i) {
        const Pair& pair = near_[i];
        if (!pair.used || !(pair.closed.on || touching_now(pair, time_))) continue;
        const bool slaps = pair.next == Pair::Next::slap;
        recent.push_back({pair.a, pair.b, pair.last_impact, pair.debt, pair.bounce, pair.closed,
                          slaps ? queue_.time_of(slot_of_pair(i)) : k_forever});
    }
    std::sort(recent.begin(), recent.end(), [](const Recent& x, const Recent& y) {
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    out.put(static_cast<std::uint64_t>(recent.size()));
    for (const Recent& r : recent) {
        out.put(r.a);
        out.put(r.b);
        out.put(r.t);
        out.put(r.debt);
        out.put(r.bounce);
        put_closed(out, r.closed);
        out.put(r.slap_at);
    }
}

void PairEngine::load(ByteReader& in) {
    time_ = in.get<double>();
    check_restored_time(time_, k_forever);
    crowd_until_ = in.get<double>();
    crowd_length_ = in.get<double>();
    crowd_stamp_ = 1;
    crowd_.clear();
    const auto body_id = [&] {
        const auto id = in.get<BodyId>();
        if (id >= movers_.size()) throw std::invalid_argument("the checkpoint names no such body");
        return id;
    };
    crowd_disturbed_.clear();
    for (auto left = in.get<std::uint32_t>(); left > 0; --left) {
        const BodyId id = body_id();
        crowd_disturbed_.emplace_back(id, body_id());
    }
    for (BodyId i = 0; i < movers_.size(); ++i) {
        Mover& mover = *movers_[i];
        Segment segment;
        const auto kind = in.get<std::uint8_t>();
        if (kind > static_cast<std::uint8_t>(SegmentKind::on_plane))
            throw std::invalid_argument("the checkpoint holds a motion of no known kind");
        segment.kind = static_cast<SegmentKind>(kind);
        segment.body = i;
        segment.t0 = in.get<double>();
        check_restored_time(segment.t0, time_);
        segment.state = in.state();
        check_restored(segment.state);
        get_form(in, segment);
        mover.crowd = false;
        mover.go(segment, in_.settings.gravity);
        mover.odometer = 0.0;  // the same as in a world that begins here
        mover.step = in.get<double>();
        mover.crowd = in.get<std::uint8_t>() != 0;
        mover.slept_in_crowd = in.get<std::uint8_t>() != 0;
        if (mover.crowd) {
            mover.motion_until = crowd_until_;
            crowd_.push_back(i);
        }
        mover.quiet.t = in.get<double>();
        mover.quiet.position = in.vector();
        for (double& x : mover.quiet.orientation.coeffs())
            x = in.get<double>();
        mover.slept_with.clear();
        const auto count = in.get<std::uint32_t>();
        for (std::uint32_t k = 0; k < count; ++k)
            mover.slept_with.push_back(body_id());
        mover.burst_t = -1.0;
        mover.burst = 0;
    }
    recent_.clear();
    const auto count = in.get<std::uint64_t>();
    for (std::uint64_t k = 0; k < count; ++k) {
        const BodyId a = body_id();
        const BodyId b = body_id();
        Recent recent{a, b, in.get<double>(), in.get<double>(), in.get<double>(), {}, 0.0};
        recent.closed = get_closed(in);
        recent.slap_at = in.get<double>();
        recent_.push_back(std::move(recent));
    }
}

}  // namespace carom::world
