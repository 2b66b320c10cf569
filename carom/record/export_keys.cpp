// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/export_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::record {
namespace {

using shape::Pose;
using shape::Quat;

// Half of the tolerance goes to what lies between keys, half to the keys that are left out.
constexpr double k_share = 0.5;
// Between two keys a body turns by less than this, so that the shortest arc is the right one.
constexpr double k_most_turn = 0.4 * std::numbers::pi;
// How many keys may be left out in a row: what it costs to find them grows with its square.
constexpr std::size_t k_most_left_out = 128;

Pose between(const Pose& a, const Pose& b, double part) {
    return {a.position + part * (b.position - a.position),
            a.orientation.slerp(part, b.orientation)};
}

class KeyFinder {
public:
    KeyFinder(const world::Body& body, const Sampler& sampler, world::BodyId id, const Clip& clip)
        : body_(body),
          sampler_(sampler),
          id_(id),
          clip_(clip),
          reach_(std::isfinite(body.radius) ? body.radius + body.center.norm() : 0.0) {}

    // From float to float, in the order of time.
    void add(float time) {
        if (!keys_.times.empty() && !(time > keys_.times.back())) return;
        const Moment to = at(time);
        if (!keys_.times.empty()) refine(last_, to);
        push(to);
    }
    Keys take() {
        thin_out();
        return std::move(keys_);
    }

private:
    struct Moment {
        float time = 0.0F;
        Pose pose;
        double spin = 0.0;
    };

    Moment at(float time) const {
        const double t = std::clamp(clip_.from + static_cast<double>(time), clip_.from, clip_.to);
        const motion::State state = sampler_.at(id_, t);
        return {time, world::frame_pose(body_, state), state.angular_velocity.norm()};
    }
    void push(const Moment& moment) {
        keys_.times.push_back(moment.time);
        keys_.poses.push_back(moment.pose);
        last_ = moment;
    }
    // How far any point of the body can be from where it should be. `reach` is about the origin of
    // the frame.
    double distance(const Pose& is, const Pose& should) const {
        return (is.position - should.position).norm() +
               reach_ * is.orientation.angularDistance(should.orientation);
    }
    bool good(const Moment& a, const Moment& b) const {
        const float length = b.time - a.time;
        if (static_cast<double>(length) * std::max(a.spin, b.spin) > k_most_turn) return false;
        for (const float part : {0.25F, 0.5F, 0.75F}) {
            const float time = a.time + part * length;
            const double true_part =
                static_cast<double>(time - a.time) / static_cast<double>(length);
            if (distance(between(a.pose, b.pose, true_part), at(time).pose) >
                k_share * clip_.tolerance)
                return false;
        }
        return true;
    }
    void refine(const Moment& a, const Moment& b) {
        const float middle = a.time + 0.5F * (b.time - a.time);
        if (!(a.time < middle && middle < b.time) || good(a, b)) return;
        const Moment half = at(middle);
        refine(a, half);
        push(half);
        refine(half, b);
    }

    // Whether the keys between two tell nothing that these do not.
    bool superfluous(std::size_t from, std::size_t to) const {
        const auto length = static_cast<double>(keys_.times[to] - keys_.times[from]);
        double turn = 0.0;
        for (std::size_t i = from; i < to; ++i)
            turn += keys_.poses[i].orientation.angularDistance(keys_.poses[i + 1].orientation);
        if (turn > k_most_turn) return false;
        for (std::size_t i = from + 1; i < to; ++i) {
            const double part = static_cast<double>(keys_.times[i] - keys_.times[from]) / length;
            if (distance(between(keys_.poses[from], keys_.poses[to], part), keys_.poses[i]) >
                k_share * clip_.tolerance)
                return false;
        }
        return true;
    }
    void thin_out() {
        if (keys_.times.size() < 3) return;
        Keys kept;
        const auto keep = [&](std::size_t i) {
            kept.times.push_back(keys_.times[i]);
            kept.poses.push_back(keys_.poses[i]);
        };
        std::size_t from = 0;
        keep(from);
        while (from + 1 < keys_.times.size()) {
            std::size_t to = from + 1;
            while (to + 1 < keys_.times.size() && to - from < k_most_left_out &&
                   superfluous(from, to + 1))
                ++to;
            keep(to);
            from = to;
        }
        keys_ = std::move(kept);
    }

    const world::Body& body_;
    const Sampler& sampler_;
    world::BodyId id_;
    Clip clip_;
    double reach_;
    Keys keys_;
    Moment last_;
};

// Turns neighbours that are far apart in sign the short way round.
void align(Keys& keys) {
    for (std::size_t i = 1; i < keys.poses.size(); ++i) {
        Quat& q = keys.poses[i].orientation;
        if (keys.poses[i - 1].orientation.dot(q) < 0.0) q.coeffs() = -q.coeffs();
    }
}

bool same(const Pose& a, const Pose& b) {
    return a.position == b.position && a.orientation.coeffs() == b.orientation.coeffs();
}

}  // namespace

Keys keys_of(const world::Body& body, const Sampler& sampler, world::BodyId id,
             const std::vector<double>& segment_starts, const Clip& clip) {
    KeyFinder finder(body, sampler, id, clip);
    finder.add(0.0F);
    if (body.still) return finder.take();
    for (const double t : segment_starts) {
        if (t > clip.from && t < clip.to) finder.add(static_cast<float>(t - clip.from));
    }
    finder.add(static_cast<float>(clip.to - clip.from));
    Keys keys = finder.take();
    align(keys);
    const bool rests = std::all_of(keys.poses.begin(), keys.poses.end(),
                                   [&](const Pose& pose) { return same(pose, keys.poses[0]); });
    if (rests) {
        keys.times.resize(1);
        keys.poses.resize(1);
    }
    return keys;
}

}  // namespace carom::record
