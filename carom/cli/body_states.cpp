// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/body_states.h"

#include "carom/cli/table.h"

namespace carom::cli {
namespace {

std::string list(std::initializer_list<double> numbers) {
    std::string text;
    for (const double number : numbers)
        text += (text.empty() ? "" : ", ") + short_number(number);
    return text;
}

std::string list(const Vec3& v) {
    return list({v.x(), v.y(), v.z()});
}

}  // namespace

std::vector<BodyState> states_of(const world::World& world) {
    std::vector<BodyState> states;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const motion::State state = world.state(id);
        states.push_back({world.body(id).name, world.pose(id), state.velocity,
                          state.angular_velocity, !world.body(id).fixed && world.asleep(id)});
    }
    return states;
}

std::vector<BodyState> states_of(const record::Recording& recording, const world::World& world) {
    const double t = recording.progress().time;
    const record::Sampler sampler(world, recording.segments());
    std::vector<BodyState> states;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        const motion::State state = sampler.at(id, t);
        states.push_back({body.name, world::frame_pose(body, state), state.velocity,
                          state.angular_velocity,
                          sampler.kind_at(id, t) == world::SegmentKind::asleep});
    }
    return states;
}

void write_states(JsonOut& out, const std::vector<BodyState>& states) {
    out.begin_list("states");
    for (const BodyState& state : states) {
        out.begin();
        out.text("body", state.body);
        out.vector("position", state.pose.position);
        out.quaternion("orientation", state.pose.orientation);
        out.vector("velocity", state.velocity);
        out.vector("angular_velocity", state.angular_velocity);
        out.flag("asleep", state.asleep);
        out.end();
    }
    out.end_list();
}

std::string states_text(const std::vector<BodyState>& states) {
    Table table({"body", "position (m)", "orientation (w, x, y, z)", "velocity (m/s)",
                 "angular velocity (rad/s)", "asleep"});
    for (const BodyState& state : states) {
        const Eigen::Quaterniond& q = state.pose.orientation;
        table.add({state.body, list(state.pose.position), list({q.w(), q.x(), q.y(), q.z()}),
                   list(state.velocity), list(state.angular_velocity),
                   state.asleep ? "yes" : "no"});
    }
    return table.text();
}

}  // namespace carom::cli
