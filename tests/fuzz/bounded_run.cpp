// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/fuzz/bounded_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace carom::fuzz {
namespace {

// The deepest overlap, in radii of the smallest body: what every run promises (docs/simulation.md).
constexpr double k_overlap = 1e-3;
// Of energy and momentum, relative to the sum of what was added up.
constexpr double k_balance = 1e-6;

// Ends a run that has gone on for long enough.
struct Enough {};

class Judge : public world::Listener {
public:
    Judge(const RunBounds& bounds, std::size_t bodies, const std::string& text)
        : bounds_(bounds), last_(bodies, -std::numeric_limits<double>::infinity()), text_(text) {}

    void on_event(const world::Event& event) override {
        if (bounds_.judge && !std::isfinite(event.t)) found("an event without a time", text_);
        if (bounds_.judge && event.t < last_event_) found("an event before the last one", text_);
        last_event_ = event.t;
        if (++events_ > bounds_.events) throw Enough{};
    }
    void on_segment(const world::Segment& segment) override {
        if (segment.body >= last_.size()) found("a motion of no body", text_);
        if (bounds_.judge) {
            if (!std::isfinite(segment.t0)) found("a motion without a time", text_);
            if (!(segment.t0 >= last_[segment.body])) found("a motion goes back in time", text_);
            last_[segment.body] = segment.t0;
        }
        if (++segments_ > bounds_.segments) throw Enough{};
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

void judge_end(const world::World& world, const std::string& text) {
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

}  // namespace

void found(const char* what, const std::string& more) {
    std::fprintf(stderr, "%s\n%s\n", what, more.c_str());
    std::abort();
}

bool is_finite(const motion::State& state) {
    return state.position.allFinite() && state.velocity.allFinite() &&
           state.orientation.coeffs().allFinite() && state.angular_velocity.allFinite();
}

void run_bounded(world::World& world, const RunBounds& bounds, const std::string& text) {
    Judge judge(bounds, world.body_count(), text);
    try {
        world.run(world.time() + std::min(bounds.duration, travel_time(world)), &judge);
    } catch (const Enough&) {
        return;
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') found("an error without a message", text);
        return;
    } catch (const std::runtime_error& error) {
        if (error.what()[0] == '\0') found("an error without a message", text);
        return;
    }
    if (bounds.judge) judge_end(world, text);
}

}  // namespace carom::fuzz
