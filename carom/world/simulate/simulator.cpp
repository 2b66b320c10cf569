// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/simulator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace carom::world {

Simulator::Simulator(const EngineInput& input)
    : in_(input),
      graph_(input),
      ledger_(input),
      schedule_(graph_, ledger_),
      commit_(graph_, schedule_, ledger_, work_),
      cluster_(graph_, stop_),
      islands_(graph_, stop_),
      constrained_(graph_, stop_),
      piles_(graph_, stop_),
      pile_rest_(graph_, stop_) {}

void Simulator::rebuild() {
    schedule_.rebuild(time_);
    work_.clear();
    for (const SavedPair& saved : saved_) {
        const std::uint32_t i = graph_.broad_phase().find(saved.a, saved.b);
        if (i >= graph_.pair_count()) continue;
        ContactPair& pair = graph_.pair(i);
        pair.last_impact = saved.last_impact;
        pair.energy_to_repay = saved.energy_to_repay;
        pair.rebound = saved.rebound;
        pair.reference_speed = saved.reference_speed;
        pair.last_interval = saved.last_interval;
        pair.contact = saved.contact;
        // what a pile holds it holds to the end of its step
        const bool in_pile = graph_.track(saved.a).in_pile() || graph_.track(saved.b).in_pile();
        if (saved.contact.active && in_pile) pair.covered_until = k_forever;
        if (saved.landing < k_forever) schedule_.landing_at(i, saved.landing);
    }
    saved_.clear();
    for (std::uint32_t i = 0; i < graph_.pair_count(); ++i)
        schedule_.predict(i, time_);
}

bool Simulator::run(double until, Listener* listener, const StopCheck& stop) {
    // known only while this goes on
    const struct Forget {
        const StopCheck*& known;
        Ledger& ledger;
        ~Forget() {
            known = nullptr;
            ledger.report_to(nullptr);
        }
    } forget{stop_, ledger_};
    stop_ = &stop;
    ledger_.report_to(listener);
    while (schedule_.first_time() <= until) {
        if (stop && stop()) return false;
        take(schedule_.first());
        // all that touch at this instant take part in the steps that follow
        while (schedule_.first_time() <= time_ && schedule_.first().kind == NextKind::touch) {
            check_stop(stop_);
            take(schedule_.first());
        }
        work_off(time_);
        ledger_.end_instant();
    }
    time_ = std::max(time_, until);
    return true;
}

void Simulator::take(const NextEvent& event) {
    // what was put off by rounding never goes back in time
    time_ = std::max(time_, event.t);
    switch (event.kind) {
        case NextKind::box_ends:
            schedule_.renew_box(event.body, time_);
            break;
        case NextKind::motion_ends: {
            const BodyTrack& track = graph_.track(event.body);
            if (track.in_pile()) {
                step_pile(track.pile, time_);
            } else if (track.in_contact()) {
                step(event.body, time_);
            } else {
                // a motion under forces goes on with another piece
                commit_.begin_segment(event.body, track.free_kind(), time_, track.at(time_));
                work_.changed(event.body);
            }
            break;
        }
        case NextKind::query:
            schedule_.predict(event.pair, time_);
            break;
        case NextKind::touch:
            on_touch(event.pair, time_);
            break;
        case NextKind::landing:
            on_landing(event.pair, time_);
            break;
    }
}

void Simulator::wake_all(double t) {
    while (work_.has_wake()) {
        const WorkList::Wake next = work_.next_wake();
        if (graph_.track(next.body).asleep()) wake(next.body, next.by, t);
    }
}

void Simulator::work_off(double t) {
    for (;;) {
        wake_all(t);
        if (work_.has_step()) {
            const BodyId body = work_.next_step();
            const BodyTrack& track = graph_.track(body);
            if (track.pending) {
                step(body, t);
            } else if (track.in_pile() && graph_.piles().at(track.pile).is_cut) {
                step_pile(track.pile, t);
            }
        } else if (work_.has_changed()) {
            schedule_.body_changed(work_.next_changed(), t);
        } else {
            return;
        }
    }
}

// Zeno guard: impacts of one body at one instant come to an end, or the run does.
void Simulator::guard_against_endless(const ContactPair& pair, double t) {
    for (const BodyId id : {pair.a, pair.b}) {
        BodyTrack& track = graph_.track(id);
        if (track.body->fixed) continue;
        const double instant = 64.0 * (std::nextafter(t, k_forever) - t);
        if (t - track.guard_t > instant) {
            track.guard_t = t;
            track.guard_count = 0;
        }
        if (++track.guard_count <= in_.settings.most_at_once) continue;
        throw std::runtime_error(
            "at " + std::to_string(t) + " s '" + track.body->name + "' is hit more than " +
            std::to_string(in_.settings.most_at_once) + " times at one instant, last with '" +
            graph_.track(pair.other(id)).body->name +
            "': the impacts do not come to an end; try a larger restitution or a larger micro");
    }
}

void Simulator::tell_forces(Listener& listener) const {
    for (const std::uint32_t i : graph_.active_pairs())
        if (time_ > graph_.pair(i).contact.t0)
            listener.on_force(commit_.force_until(graph_.pair(i), time_));
}

ForceWork::Work Simulator::open_work() const {
    ForceWork::Work sum;
    for (const std::uint32_t i : graph_.active_pairs()) {
        const ForceWork::Work work = ledger_.work().of(commit_.force_until(graph_.pair(i), time_));
        sum.on_free += work.on_free;
        sum.size += work.size;
    }
    return sum;
}

}  // namespace carom::world
