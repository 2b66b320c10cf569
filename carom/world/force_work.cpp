// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/force_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace carom::world {
namespace {

// Motions of one body that are kept: impacts of a body of a pile within one step. More than these,
// and the work of that step's impulse on it is not found, which the residual then shows.
constexpr std::size_t k_most_courses = 64;

// Gauss' rule of three points on [-1, 1].
constexpr std::array<double, 3> k_nodes{-0.7745966692414834, 0.0, 0.7745966692414834};
constexpr std::array<double, 3> k_weights{5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};

template <class F>
auto gauss(double from, double to, F&& f) {
    const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
    auto sum = f(middle);
    sum *= k_weights[1];
    for (const std::size_t k : {std::size_t{0}, std::size_t{2}})
        sum += k_weights[k] * f(middle + half * k_nodes[k]);
    sum *= half;
    return sum;
}

double part_of(const ContactForce& force, double t) {
    return force.t1 > force.t0 ? (t - force.t0) / (force.t1 - force.t0) : 0.0;
}

Vec3 force_at(const ContactForce& force, double t) {
    const Vec3 mean = force.impulse / (force.t1 - force.t0);
    if (force.acts != ForceCourse::by_motion) return mean;
    const double s = part_of(force, t);
    return 6.0 * s * (1.0 - s) * mean + (1.0 - s) * (1.0 - 3.0 * s) * force.force_start +
           s * (3.0 * s - 2.0) * force.force_end;
}

}  // namespace

ForceWork::ForceWork(std::span<const Body> bodies, const Vec3& gravity)
    : bodies_(bodies),
      gravity_(gravity),
      courses_(bodies.size()),
      reported_(bodies.size(), -std::numeric_limits<double>::infinity()) {
    for (BodyId id = 0; id < bodies.size(); ++id)
        begin({0.0, id, SegmentKind::flight, bodies[id].first}, nullptr);
}

void ForceWork::begin(const Segment& segment, const motion::State* before) {
    if (bodies_[segment.body].fixed) return;
    std::vector<Course>& courses = courses_[segment.body];
    if (before == nullptr || reported_[segment.body] == segment.t0) {
        courses.resize(1);  // written over below
    } else {
        if (courses.size() == k_most_courses) courses.erase(courses.begin());
        courses.emplace_back();
    }
    const motion::State& old = before != nullptr ? *before : segment.state;
    Course& last = courses.back();
    last.segment = segment;
    last.v_before = old.velocity;
    last.w_before = old.angular_velocity;
}

// The last that began at t or before.
const ForceWork::Course& ForceWork::course_at(BodyId body, double t) const {
    const std::vector<Course>& courses = courses_[body];
    std::size_t k = courses.size() - 1;
    while (k > 0 && courses[k].segment.t0 > t)
        --k;
    return courses[k];
}

ForceWork::Place ForceWork::place_at(BodyId body, double t, Made& made) const {
    const Course& course = course_at(body, t);
    const Segment& segment = course.segment;
    const motion::State& s = segment.state;
    const double d = t - segment.t0;
    switch (segment.kind) {
        case SegmentKind::asleep:
            return {s.position, Vec3::Zero(), Vec3::Zero()};
        case SegmentKind::held: {
            const Vec3& a = segment.lasting.a;
            return {s.position + d * (s.velocity + 0.5 * d * a), s.velocity + d * a,
                    s.angular_velocity + d * segment.lasting.alpha};
        }
        default: {
            // its force acts in a jump or by its motion
            if (made.course != &course) {
                made.course = &course;
                made.motion.emplace(make_motion(bodies_[body], segment, gravity_));
            }
            const motion::State now = motion::at(*made.motion, t);
            return {now.position, now.velocity, now.angular_velocity};
        }
    }
}

// The mean of before and after.
ForceWork::Place ForceWork::place_in_jump(BodyId body, double t) const {
    const Course& course = course_at(body, t);
    Made made;
    if (course.segment.t0 != t) return place_at(body, t, made);
    const motion::State& after = course.segment.state;
    return {after.position, 0.5 * (course.v_before + after.velocity),
            0.5 * (course.w_before + after.angular_velocity)};
}

double ForceWork::of_jump(const ContactForce& force, BodyId body) const {
    const Place at = place_in_jump(body, force.t0);
    return force.impulse.dot(at.v + at.w.cross(force.point - at.c)) + force.couple.dot(at.w);
}

double ForceWork::of_even(const ContactForce& force, BodyId body) const {
    const double length = force.t1 - force.t0;
    if (!(length > 0.0)) return of_jump(force, body);
    if (course_at(body, force.t0).segment.kind == SegmentKind::asleep &&
        courses_[body].back().segment.kind == SegmentKind::asleep)
        return 0.0;
    Made made;
    const auto power = [&](double t) {
        const Place at = place_at(body, t, made);
        const Vec3 p = force.point + part_of(force, t) * (force.point_end - force.point);
        const Vec3 u = at.v + at.w.cross(p - at.c);
        return force_at(force, t).dot(u) + force.couple.dot(at.w) / length;
    };
    double sum = 0.0, from = force.t0;
    for (const Course& course : courses_[body]) {
        const double to = course.segment.t0;
        if (!(to > from && to < force.t1)) continue;
        sum += gauss(from, to, power);
        from = to;
    }
    return sum + gauss(from, force.t1, power);
}

// The sphere is a. Pieces shrink towards both ends, where slip that dies away turns fastest.
double ForceWork::of_motion(const ContactForce& force) const {
    constexpr int k_pieces = 24;
    const Segment& segment = course_at(force.a, force.t0).segment;
    if (segment.kind != SegmentKind::on_plane) return of_even(force, force.a);
    const motion::Motion motion = make_motion(bodies_[force.a], segment, gravity_);
    const auto* course = std::get_if<motion::SphereOnPlane>(&motion);
    using Four = Eigen::Matrix<double, 4, 1>;  // impulse and work
    // from the centre to the point where it touches
    const double first_t = std::max(force.t0, segment.t0);
    const Vec3 arm = course->contact_at(first_t).point - course->centre_at(first_t).position;
    const auto rates = [&](double t) {
        const auto [contact, v, w] = course->working_at(t);
        const Vec3 F = contact.normal_force + contact.friction;
        Four out;
        out << F, F.dot(v + w.cross(arm)) + contact.torque.dot(w);
        return out;
    };
    Four sum = Four::Zero();
    const auto at = [&](int k) {
        const double x = static_cast<double>(k) / k_pieces;
        return force.t0 + (force.t1 - force.t0) * x * x * (3.0 - 2.0 * x);
    };
    for (int k = 0; k < k_pieces; ++k)
        sum += gauss(at(k), at(k + 1), rates);
    // what was taken from the velocity where the motion began
    const Vec3 rest = force.impulse - sum.head<3>();
    const motion::State first = motion::at(motion, first_t);
    const bool begins = segment.t0 == force.t0;
    const Vec3 v = begins ? Vec3(0.5 * (segment.state.velocity + first.velocity)) : first.velocity;
    return sum[3] + rest.dot(v + first.angular_velocity.cross(force.point - first.position));
}

ForceWork::Work ForceWork::of(const ContactForce& force) const {
    Work work;
    const auto add = [&](BodyId body, double sign) {
        if (bodies_[body].fixed) return;
        double found = 0.0;
        if (force.acts == ForceCourse::at_start) {
            found = of_jump(force, body);
        } else if (force.acts == ForceCourse::by_motion && body == force.a) {
            found = of_motion(force);
        } else {
            found = of_even(force, body);
        }
        work.on_free += sign * found;
        work.size += std::abs(found);
    };
    add(force.a, 1.0);
    add(force.b, -1.0);
    return work;
}

// Of motions before the last one only those of piles are kept: flights.
void ForceWork::save(ByteWriter& out) const {
    for (const std::vector<Course>& courses : courses_) {
        out.put(static_cast<std::uint32_t>(courses.size()));
        for (const Course& course : courses) {
            out.put(course.v_before);
            out.put(course.w_before);
            if (&course == &courses.back()) continue;
            out.put(course.segment.t0);
            out.put(course.segment.state);
        }
    }
}

void ForceWork::load(ByteReader& in, std::span<const Segment> now) {
    for (BodyId id = 0; id < courses_.size(); ++id) {
        const auto count = in.get<std::uint32_t>();
        if (count > k_most_courses || (count == 0) != bodies_[id].fixed)
            throw std::invalid_argument("the checkpoint holds motions that no run can have");
        courses_[id].resize(count);
        for (Course& course : courses_[id]) {
            course.v_before = in.vector();
            course.w_before = in.vector();
            course.segment = now[id];
            if (&course == &courses_[id].back()) continue;
            const auto t0 = in.get<double>();
            course.segment = {t0, id, SegmentKind::flight, in.state()};
        }
    }
}

}  // namespace carom::world
