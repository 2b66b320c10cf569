// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/sample_writer.h"

#include <fmt/format.h>

#include <string>

#include "carom/cli/command_error.h"
#include "carom/cli/json_out.h"
#include "carom/cli/npz.h"

namespace carom::cli {
namespace {

// A body at a time, as users are told: the pose of the shape's frame.
struct Sample {
    double t;
    const std::string& name;
    shape::Pose pose;
    Vec3 velocity, angular_velocity;
};

template <class Visit>
void for_each_sample(const SampleJob& job, Visit&& visit) {
    for (std::uint64_t i = 0; i < job.times.size(); ++i) {
        const double t = job.times[i];
        for (const world::BodyId id : job.bodies) {
            const world::Body& body = job.world.body(id);
            const motion::State state = job.sampler.at(id, t);
            visit(Sample{t, body.name, world::frame_pose(body, state), state.velocity,
                         state.angular_velocity});
        }
    }
}

void put_json(fmt::memory_buffer& buffer, const Sample& s) {
    JsonOut out(buffer);
    out.begin();
    out.number("t", s.t);
    out.text("body", s.name);
    out.vector("position", s.pose.position);
    out.quaternion("orientation", s.pose.orientation);
    out.vector("velocity", s.velocity);
    out.vector("angular_velocity", s.angular_velocity);
    out.end();
    out.end_line();
}

void put_csv(fmt::memory_buffer& buffer, const Sample& s) {
    put_csv_number(buffer, s.t);
    buffer.push_back(',');
    put_csv_text(buffer, s.name);
    put_csv_vector(buffer, s.pose.position);
    buffer.push_back(',');
    put_csv_number(buffer, s.pose.orientation.w());
    put_csv_vector(buffer, s.pose.orientation.vec());
    put_csv_vector(buffer, s.velocity);
    put_csv_vector(buffer, s.angular_velocity);
    buffer.push_back('\n');
}

void write_lines(SampleFormat format, const SampleJob& job, OutputFile& out) {
    constexpr std::size_t k_flush = std::size_t{1} << 16;
    fmt::memory_buffer buffer;
    const auto drain = [&] {
        out.write({buffer.data(), buffer.size()});
        buffer.clear();
    };
    if (format == SampleFormat::csv) {
        out.write("t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
    }
    for_each_sample(job, [&](const Sample& sample) {
        format == SampleFormat::json ? put_json(buffer, sample) : put_csv(buffer, sample);
        if (buffer.size() > k_flush) drain();
    });
    drain();
}

void write_npz(const SampleJob& job, OutputFile& out) {
    constexpr std::uint64_t k_numbers = 13;  // of one sample
    const std::uint64_t T = job.times.size(), B = job.bodies.size();
    if (T > k_most_npz_bytes / (sizeof(double) * (k_numbers * B + 1))) {
        refuse(
            fmt::format("{} times of {} bodies are more than the 4 GiB that an npz file can "
                        "have; sample fewer, or write csv",
                        T, B));
    }
    std::vector<double> times, position, orientation, velocity, angular_velocity;
    for (auto* list : {&position, &velocity, &angular_velocity})
        list->reserve(3 * T * B);
    orientation.reserve(4 * T * B);
    for (std::uint64_t i = 0; i < T; ++i)
        times.push_back(job.times[i]);
    const auto put = [](std::vector<double>& list, const Vec3& v) {
        for (int i = 0; i < 3; ++i)
            list.push_back(v[i] + 0.0);  // adding zero makes -0 a 0
    };
    for_each_sample(job, [&](const Sample& sample) {
        put(position, sample.pose.position);
        orientation.push_back(sample.pose.orientation.w() + 0.0);
        put(orientation, sample.pose.orientation.vec());
        put(velocity, sample.velocity);
        put(angular_velocity, sample.angular_velocity);
    });
    std::vector<std::string> names;
    for (const world::BodyId id : job.bodies)
        names.push_back(job.world.body(id).name);

    NpzWriter npz(out);
    const std::uint64_t line[] = {T}, vectors[] = {T, B, 3}, quaternions[] = {T, B, 4};
    npz.add("t", line, times);
    npz.add("bodies", names);
    npz.add("position", vectors, position);
    npz.add("orientation", quaternions, orientation);
    npz.add("velocity", vectors, velocity);
    npz.add("angular_velocity", vectors, angular_velocity);
    npz.finish();
}

}  // namespace

void write_samples(SampleFormat format, const SampleJob& job, OutputFile& out) {
    if (format == SampleFormat::npz) {
        write_npz(job, out);
    } else {
        write_lines(format, job, out);
    }
}

}  // namespace carom::cli
