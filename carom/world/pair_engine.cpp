// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/pair_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

std::vector<std::unique_ptr<Mover>> make_movers(const EngineInput& in) {
    std::vector<std::unique_ptr<Mover>> movers;
    movers.reserve(in.bodies.size());
    for (BodyId i = 0; i < in.bodies.size(); ++i) {
        const Body& body = in.bodies[i];
        const SegmentKind kind = body.fixed            ? SegmentKind::given
                                 : body.forces.empty() ? SegmentKind::flight
                                                       : SegmentKind::forced;
        movers.push_back(
            std::make_unique<Mover>(body, Segment{0.0, i, kind, body.first}, in.settings.gravity));
    }
    return movers;
}

std::vector<Mover*> pointers_to(const std::vector<std::unique_ptr<Mover>>& owned) {
    std::vector<Mover*> out;
    out.reserve(owned.size());
    for (const auto& mover : owned)
        out.push_back(mover.get());
    return out;
}

}  // namespace

PairEngine::PairEngine(const EngineInput& input)
    : in_(input),
      gravity_(input.settings.gravity.norm()),
      is_large_(std::count_if(input.bodies.begin(), input.bodies.end(),
                              [](const Body& body) { return !body.fixed; }) >=
                static_cast<std::ptrdiff_t>(k_crowd_begins)),
      owned_(make_movers(input)),
      movers_(pointers_to(owned_)),
      near_(movers_, input.contacts, input.settings.micro, input.settings.gravity) {}

void PairEngine::queue_body(BodyId body) {
    queue_.set(body, movers_[body]->box_until, body);
}

void PairEngine::queue_pair(std::uint32_t i, double t) {
    const Pair& pair = near_[i];
    const EventQueue::Rank rank =
        (EventQueue::Rank{1} << 63U) | (EventQueue::Rank{pair.a} << 31U) | EventQueue::Rank{pair.b};
    queue_.set(slot_of_pair(i), t, rank);
}

void PairEngine::rebuild() {
    queue_.clear();
    near_.rebuild(time_);
    for (const Recent& recent : recent_) {
        const std::uint32_t i = near_.find(recent.a, recent.b);
        if (i >= near_.size()) continue;
        near_[i].last_impact = recent.t;
        near_[i].debt = recent.debt;
        near_[i].bounce = recent.bounce;
        near_[i].closed = recent.closed;
        // what the crowd holds it holds to the end of its step
        const bool crowd = movers_[recent.a]->crowd || movers_[recent.b]->crowd;
        near_[i].crowd_stamp = recent.closed.on && crowd ? crowd_stamp_ : 0;
        if (recent.slap_at < k_forever) {
            near_[i].next = Pair::Next::slap;
            queue_pair(i, recent.slap_at);
        }
    }
    recent_.clear();
    for (BodyId i = 0; i < movers_.size(); ++i)
        queue_body(i);
    for (std::uint32_t i = 0; i < near_.size(); ++i)
        predict(i, time_);
}

bool PairEngine::run(double until, Listener* listener, const StopCheck& stop) {
    // known only while this goes on
    const struct Forget {
        const StopCheck*& known;
        ~Forget() { known = nullptr; }
    } forget{stop_};
    stop_ = &stop;
    while (queue_.first_time() <= until) {
        if (stop && stop()) return false;
        const EventQueue::Slot slot = queue_.first();
        // what was put off by rounding never goes back in time
        time_ = std::max(time_, queue_.first_time());
        if (slot < movers_.size()) {
            const Mover& mover = *movers_[slot];
            if (mover.motion_until <= time_) {
                if (mover.crowd) {
                    step_crowd(time_, listener);
                } else if (mover.lasting()) {
                    step_island(slot, time_, listener);
                } else {
                    go_on(slot, time_, listener);
                }
            } else {
                renew_box(slot, time_);
            }
            continue;
        }
        const auto pair = static_cast<std::uint32_t>(slot - movers_.size());
        switch (near_[pair].next) {
            case Pair::Next::touch:
                touch(pair, time_, listener);
                break;
            case Pair::Next::slap:
                slap(pair, time_, listener);
                break;
            case Pair::Next::look:
                predict(pair, time_);
                break;
        }
    }
    time_ = std::max(time_, until);
    return true;
}

namespace {

// How long two bodies surely stay apart that were so far apart when their odometers read so.
double time_to_meet(const Mover& a, const Mover& b, double t, double clear, double read_a,
                    double read_b) {
    const double left = clear - (a.travelled(t) - read_a) - (b.travelled(t) - read_b);
    if (!(left > 0.0)) return 0.0;
    const double speed = a.speed_bound(t) + b.speed_bound(t);
    const double gain = a.gain + b.gain;
    const double root = speed + std::sqrt(speed * speed + 4.0 * gain * left);
    return root > 0.0 ? 2.0 * left / root : k_forever;
}

}  // namespace

void PairEngine::predict(std::uint32_t i, double t) {
    constexpr long k_steps = 16;
    constexpr double k_sure = 0.999;  // of a distance, whatever rounding does
    // part of the time ahead for which a bound is worth more than a look
    constexpr double k_worth = 0.02;
    Pair& pair = near_[i];
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    // what lasts is seen to by its island
    if (pair.closed.on && pair.next == Pair::Next::slap) return;
    pair.next = Pair::Next::look;
    // what the crowd sees to
    if (pair.crowd_stamp == crowd_stamp_ && (a.crowd || b.crowd)) {
        queue_.remove(slot_of_pair(i));
        return;
    }
    const bool known = pair.clear > 0.0 && t >= pair.clear_time && a.paced && b.paced;
    const double clear = known ? pair.clear : 0.0;
    pair.clear = 0.0;
    if ((pair.closed.on && !a.crowd && !b.crowd) || (a.still() && b.still())) {
        queue_.remove(slot_of_pair(i));
        return;
    }
    const double until = std::min(a.box_until, b.box_until);
    if (!(until > t)) {
        queue_pair(i, t);
        return;
    }
    if (known) {
        const double safe = t + time_to_meet(a, b, t, clear, pair.read_a, pair.read_b);
        if (safe - t >= k_worth * (until - t)) {
            pair.clear = clear;
            queue_pair(i, std::min(safe, until));
            return;
        }
    }
    ++in_.tally.checks;
    const detect::BodyContact found = detect::body_contact(
        a.moving, b.moving, t, until, pair.memory, {.most_steps = k_steps, .leave_first = true});
    if (a.paced && b.paced) {
        pair.clear = k_sure * found.contact.start;
        pair.clear_time = t;
        pair.read_a = a.travelled(t);
        pair.read_b = b.travelled(t);
    }
    pair.part_a = found.part_a;
    pair.part_b = found.part_b;
    pair.normal = found.contact.apart.normal;
    switch (found.contact.kind) {
        case detect::ContactKind::touch:
            pair.next = Pair::Next::touch;
            queue_pair(i, found.contact.t);
            break;
        case detect::ContactKind::overlap:
            settle_overlap(i, t, -found.contact.apart.distance);
            break;
        case detect::ContactKind::none:
        case detect::ContactKind::unsettled:
            queue_pair(i, found.contact.t);
            break;
    }
}

// Rounding can leave two bodies inside each other by some 1e-15 of their coordinates: they hit each
// other now if they approach, else they are looked at again when they have parted.
void PairEngine::settle_overlap(std::uint32_t i, double t, double depth) {
    Pair& pair = near_[i];
    in_.tally.max_overlap = std::max(in_.tally.max_overlap, depth);
    const ContactPoint point = find_contact_point(touch_of(pair, t));
    // where one corner parts another may come down
    double soon = k_forever;
    if (may_last(pair) && !(point.approach_speed > 0.0)) {
        const Inside inside = look_inside(pair, t);
        soon = inside.soon;
        if (inside.fastest.approach_speed > hard_speed(pair)) {
            pair.next = Pair::Next::touch;
            queue_pair(i, t);
            return;
        }
    }
    const bool crowd = movers_[pair.a]->crowd || movers_[pair.b]->crowd;
    if (crowd && !(point.approach_speed > hard_speed(pair))) {
        // the next step of the crowd sees to it
        pair.crowd_stamp = crowd_stamp_;
        queue_.remove(slot_of_pair(i));
        return;
    }
    if (point.approach_speed > 0.0) {
        pair.next = Pair::Next::touch;
        queue_pair(i, t);
        return;
    }
    const double speed = std::max(-point.approach_speed, pair.lasting.hop_speed());
    const double wait = std::min(soon, speed > 0.0 ? 2.0 * depth / speed : 0.0);
    queue_pair(i, std::max(std::nextafter(t, k_forever), t + wait));
}

void PairEngine::predict_all(BodyId body, double t, std::uint32_t but) {
    for (std::size_t k = 0; k < movers_[body]->pairs.size(); ++k) {
        const std::uint32_t pair = movers_[body]->pairs[k];
        if (pair != but) predict(pair, t);
    }
}

void PairEngine::renew_box(BodyId body, double t) {
    fresh_.clear();
    near_.renew(body, t, queue_, fresh_);
    queue_body(body);
    for (const std::uint32_t pair : fresh_)
        predict(pair, t);
}

// A motion under forces has come to its end: another one from there.
void PairEngine::go_on(BodyId body, double t, Listener* listener) {
    const Mover& mover = *movers_[body];
    begin_segment(body, mover.free_kind(), t, mover.at(t), listener);
    moved(body, t);
}

// A body's motion has changed: its box if need be, and its pairs' times.
void PairEngine::moved(BodyId body, double t) {
    if (!near_.still_boxed(body, t)) {
        fresh_.clear();
        near_.renew(body, t, queue_, fresh_);
        queue_body(body);
    }
    predict_all(body, t, k_none);
}

Touch PairEngine::touch_of(const Pair& pair, double t) const {
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    return {{a.body, &a.moving.parts()[pair.part_a], a.at(t)},
            {b.body, &b.moving.parts()[pair.part_b], b.at(t)},
            pair.normal};
}

}  // namespace carom::world
