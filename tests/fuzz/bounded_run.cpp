// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/fuzz/bounded_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>

namespace carom::fuzz {
namespace {

// The deepest overlap, in radii of the smallest body: what every run promises (docs/simulation.md).
constexpr double k_overlap = 1e-3;
// Of energy and momentum, relative to the sum of what was added up.
constexpr double k_balance = 1e-6;

class Judge : public world::Listener {
public:
    Judge(const RunBounds& bounds, std::size_t bodies, const std::string& text)
        : bounds_(bounds), last_(bodies, -std::numeric_limits<double>::infinity()), text_(text) {}

    void on_event(const world::Event& event) override {
        if (bounds_.judge && !std::isfinite(event.t)) found("an event without a time", text_);
        if (bounds_.judge && event.t < last_event_) found("an event before the last one", text_);
        last_event_ = event.t;
        ++events_;
    }
    void on_segment(const world::Segment& segment) override {
        if (segment.body >= last_.size()) found("a motion of no body", text_);
        if (bounds_.judge) {
            if (!std::isfinite(segment.t0)) found("a motion without a time", text_);
            if (!(segment.t0 >= last_[segment.body])) found("a motion goes back in time", text_);
            last_[segment.body] = segment.t0;
        }
        ++segments_;
    }
    // So many times as much has been told as is to be.
    double part() const {
        return std::max(static_cast<double>(events_) / static_cast<double>(bounds_.events),
                        static_cast<double>(segments_) / static_cast<double>(bounds_.segments));
    }

private:
    RunBounds bounds_;
    std::vector<double> last_;
    const std::string& text_;
    double last_event_ = -std::numeric_limits<double>::infinity();
    std::size_t events_ = 0, segments_ = 0;
};

// How long no body goes further than so many of its own radii, at the speed that it has and under
// gravity: a world looks at each body again whenever it has moved by some radii, so that ten
// thousand times as far takes ten thousand times as long, which is no finding.
double travel_time(const world::World& world) {
    constexpr double k_radii = 1000.0;
    double shortest = std::numeric_limits<double>::infinity();
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        if (!std::isfinite(body.radius)) continue;
        const motion::State state = world.state(id);
        const double way = k_radii * body.radius;
        const double speed = state.velocity.norm() + body.radius * state.angular_velocity.norm();
        shortest = std::min(shortest, way / speed);
        shortest = std::min(shortest, std::sqrt(way / world.settings().gravity.norm()));
    }
    return shortest;
}

// Of a body so long and thin that its principal moments have nothing in common, the energy of
// rotation is not known to the digits that are asked for here.
bool is_extreme(const world::Body& body) {
    constexpr double k_most_ratio = 1e6;
    const Mat3 moments = body.inertia->tensor();
    return !(moments.diagonal().maxCoeff() <= k_most_ratio * moments.diagonal().minCoeff());
}

void judge_state(const world::World& world, const std::string& text) {
    double smallest = std::numeric_limits<double>::infinity();
    double energies = 0.0;  // sizes of kinetic and potential energies, which may cancel
    bool extreme = false;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const motion::State state = world.state(id);
        if (!is_finite(state)) found("a state that is not finite", text);
        const world::Body& body = world.body(id);
        if (body.fixed) continue;
        smallest = std::min(smallest, body.radius);
        extreme = extreme || is_extreme(body);
        energies += body.mass * (state.velocity.squaredNorm() +
                                 std::abs(world.settings().gravity.dot(state.position)));
    }
    const world::Audit audit = world.audit();
    if (std::isfinite(smallest) && !(audit.max_overlap <= k_overlap * smallest))
        found("an overlap", std::to_string(audit.max_overlap / smallest) + " radii\n" + text);
    const double energy = energies + std::abs(audit.energy_start) + std::abs(audit.energy_end) +
                          std::abs(audit.energy_lost) + audit.energy_gained +
                          std::abs(audit.driven);
    if (std::isfinite(energy) && !extreme &&
        !(std::abs(audit.energy_residual) <= k_balance * energy))
        found("the energy is not in balance", text);
    if (std::isfinite(audit.momentum_scale) && audit.momentum_scale > 0.0 &&
        !(audit.momentum_residual <= k_balance * audit.momentum_scale))
        found("the momentum is not in balance", text);
}

// As many events and segments for so many bodies as take about the time of those of a dozen.
RunBounds for_bodies(RunBounds bounds, std::size_t bodies) {
    constexpr std::size_t k_dozen = 12, k_least_events = 20;
    if (bodies <= k_dozen) return bounds;
    bounds.events = std::max(bounds.events * k_dozen / bodies, k_least_events);
    // each body tells one at the start
    bounds.segments = std::max(bounds.segments * k_dozen / bodies, k_least_events) + bodies;
    return bounds;
}

// Runs until enough was told, in pieces that grow while they tell little and shrink when they tell
// much, and judges the world behind each of them: one that tells far too much is stopped, perhaps
// inside an event, and then there is no state any more.
void run_in_pieces(world::World& world, double until, Judge& judge,
                   const std::function<void()>& judge_world) {
    constexpr double k_first = 1e-3, k_little = 0.02, k_much = 0.2, k_too_much = 2.0;
    const auto too_much = [&judge] { return judge.part() > k_too_much; };
    double step = k_first * (until - world.time());
    bool there = true;
    do {
        const double t = world.time(), before = judge.part();
        const double soonest = std::nextafter(t, std::numeric_limits<double>::infinity());
        there = world.run(std::min(until, std::max(t + step, soonest)), &judge, too_much);
        judge_world();
        const double told = judge.part() - before;
        step *= told < k_little ? 4.0 : told > k_much ? 0.25 : 1.0;
    } while (there && world.time() < until && judge.part() <= 1.0);
}

}  // namespace

void found(const char* what, const std::string& more) {
    std::fprintf(stderr, "%s\n%s\n", what, more.c_str());
    std::abort();
}

bool is_finite(const motion::State& state) {
    return state.position.allFinite() && state.velocity.allFinite() &&
           state.orientation.coeffs().allFinite() && state.angular_velocity.allFinite();
}

bool run_bounded(world::World& world, const RunBounds& given, const std::string& text) {
    const RunBounds bounds = for_bodies(given, world.body_count());
    Judge judge(bounds, world.body_count(), text);
    bool judged = false;
    const auto judge_world = [&] {
        if (bounds.judge) judge_state(world, text);
        judged = bounds.judge;
    };
    try {
        const double until = world.time() + std::min(bounds.duration, travel_time(world));
        run_in_pieces(world, until, judge, judge_world);
    } catch (const Stopped&) {
        // inside an event: what was before it has been judged
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') found("an error without a message", text);
    } catch (const std::runtime_error& error) {
        if (error.what()[0] == '\0') found("an error without a message", text);
    }
    return judged;
}

}  // namespace carom::fuzz
