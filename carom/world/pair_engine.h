// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <vector>

#include "carom/world/engine.h"
#include "carom/world/near_pairs.h"

namespace carom::world {

// The engine for any bodies.
//
// One queue holds, for every near pair, a time before which it certainly does not touch (or at
// which it does), and for every body the time at which its swept box ends. The earliest entry is
// taken; only its bodies are looked at. A pair that touches is resolved by the law of its materials
// (lasting.h for contact that lasts), its bodies get new motions from there, and their pairs new
// times. Nothing else changes.
//
// Entries at one time are taken in the order: boxes by body, then pairs by their bodies.
class PairEngine : public Engine {
public:
    explicit PairEngine(const EngineInput& input);

    void rebuild() override;
    void run(double until, Listener* listener) override;
    double time() const override { return time_; }
    motion::State state(BodyId body) const override { return movers_[body]->at(time_); }
    bool asleep(BodyId body) const override { return movers_[body]->asleep(); }
    Segment segment(BodyId body) const override { return movers_[body]->segment; }
    void save(ByteWriter& out) const override;
    void load(ByteReader& in) override;

private:
    struct Recent {
        BodyId a, b;
        double t;
        double debt;
    };

    EventQueue::Slot slot_of_pair(std::uint32_t pair) const {
        return static_cast<EventQueue::Slot>(movers_.size()) + pair;
    }
    void queue_body(BodyId body);
    void queue_pair(std::uint32_t pair, double t);

    // Looks for the pair's next touch from t on.
    void predict(std::uint32_t pair, double t);
    void settle_overlap(std::uint32_t pair, double t, double depth);
    void predict_all(BodyId body, double t, std::uint32_t but);
    void renew_box(BodyId body, double t);

    void touch(std::uint32_t pair, double t, Listener* listener);
    bool resolve(std::uint32_t pair, double t, Listener* listener);
    bool turn_round_on_face(Pair& pair, const Touch& touch, double t, Listener* listener);
    Touch touch_of(const Pair& pair, double t) const;
    void count_burst(const Pair& pair, double t);
    void account(const Event& event, const Touch& touch, const Vec3& p_W);
    void begin_segment(BodyId body, SegmentKind kind, double t, const motion::State& state,
                       Listener* listener);
    void moved(BodyId body, double t);
    void go_on(BodyId body, double t, Listener* listener);

    void note_quiet(BodyId body, double t, bool micro, const motion::State& state);
    bool fall_asleep_alone(const Pair& pair, const Touch& touch, double t, Listener* listener);
    void fall_asleep_together(BodyId first, double t, Listener* listener);
    bool gather_quiet(BodyId first, double t, std::vector<BodyId>& island) const;
    void fall_asleep(BodyId body, double t, Listener* listener);
    void wake(BodyId body, BodyId by, double t, Listener* listener);
    bool touching_now(const Pair& pair, double t) const;

    EngineInput in_;
    double gravity_;
    std::vector<std::unique_ptr<Mover>> owned_;
    std::vector<Mover*> movers_;
    NearPairs near_;
    EventQueue queue_;
    double time_ = 0.0;
    std::vector<std::uint32_t> fresh_;
    std::vector<Recent> recent_;  // last impacts, for rebuild()
};

}  // namespace carom::world
