// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a step leaves: motions, impulses of the contacts over time, and contacts that are open.

#include <algorithm>
#include <cmath>

#include "carom/motion/dormand_prince_8.h"
#include "carom/world/constrained/constrained_step.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

using motion::dormand_prince_8::k_weight;

// Whether a point of a contact is held at a gap that is more than rounding (m). several: free
// bodies; one alone comes down where islands have left it above, and is held where it is inside.
bool is_loose(const ConstrainedSystem& system, const ConstrainedContact& contact, double rounding,
              bool several) {
    const auto end =
        system.points.begin() + static_cast<std::ptrdiff_t>(contact.first + contact.count);
    return std::any_of(end - static_cast<std::ptrdiff_t>(contact.count), end,
                       [&](const ConstrainedPoint& p) {
                           return p.gap < -rounding || (several && p.gap > rounding);
                       });
}

}  // namespace

// Force of a contact and its centre of pressure, as the system stands.
void ConstrainedStepper::note_place(Contact& contact, Vec3& point, Vec3& force,
                                    Vec3& couple) const {
    force.setZero();
    Vec3 sum = Vec3::Zero(), all = Vec3::Zero();
    double pressure = 0.0;
    for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
        const ConstrainedPoint& p = system_.points[k];
        const double pressed = std::max(0.0, p.force.dot(p.at.n));
        force += p.force;
        all += p.at.x / static_cast<double>(contact.count);
        sum += pressed * p.at.x;
        pressure += pressed;
        contact.normal = p.at.n;
        contact.carries = contact.carries || p.mode != PointMode::open;
    }
    point = pressure > 0.0      ? Vec3(sum / pressure)
            : contact.count > 0 ? all
                                : graph_.pair(contact.pair).contact.point;
    couple.setZero();
    for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
        const ConstrainedPoint& p = system_.points[k];
        couple += (p.at.x - point).cross(p.force);
    }
}

void ConstrainedStepper::note_start() {
    start_force_.clear();
    for (const ConstrainedPoint& p : system_.points)
        start_force_.push_back(p.force);
    note_power(stage_power_[0]);
    for (Contact& contact : contacts_)
        note_place(contact, contact.point_start, contact.force_start, contact.couple_start);
    for (Contact& contact : contacts_)
        contact.open = is_open(contact);
}

// A contact that carries nothing is open, unless its points stay where they are.
bool ConstrainedStepper::is_open(const Contact& contact) const {
    if (contact.carries) return false;
    const double parts = k_constrained_tolerances.parts * system_.scale;
    for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
        const ConstrainedPoint& p = system_.points[k];
        if (p.mode != PointMode::open) return false;
        const double away = p.at.n.dot(system_.relative_acceleration(p)) + p.at.n_rate.dot(p.u);
        if (away < parts) return false;
    }
    return true;
}

// The points as the step leaves them: their kinds go on in the next one.
void ConstrainedStepper::give_points(const Contact& contact) {
    for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
        const ConstrainedPoint& p = system_.points[k];
        out_.points.push_back({p.track.id, p.force, p.at.gap, p.mode == PointMode::slides,
                               p.at.x - system_.bodies[p.a].state.position,
                               p.at.x - system_.bodies[p.b].state.position});
    }
}

void ConstrainedStepper::give_contacts(double h) {
    out_.contacts.clear();
    out_.points.clear();
    for (Contact& contact : contacts_) {
        contact.impulse.setZero();
        for (std::size_t k = contact.first; k < contact.first + contact.count; ++k)
            for (std::size_t s = 0; s < k_weight.size(); ++s)
                contact.impulse += h * k_weight[s] * stage_force_[s][k];
        IslandContactOutcome& out = out_.contacts.emplace_back();
        out.pair = contact.pair;
        out.correction = contact.correction;
        out.open = contact.open;
        out.force = h > 0.0 ? Vec3(contact.impulse / h) : contact.force_start;
        out.couple = 0.5 * (contact.couple_start + contact.couple_end);
        out.normal = contact.normal;
        out.has_points = contact.count > 0;
        out.point = contact.point_start;
        out.point_end = contact.point_end;
        out.first_point = out_.points.size();
        const double touching = k_constrained_tolerances.touching * graph_.pair(contact.pair).size;
        out.loose = is_loose(system_, contact, touching, free_count_ > 1);
        if (out.loose || (h > 0.0 && !changes_)) give_points(contact);
        out.point_count = out_.points.size() - out.first_point;
        out.landing = k_forever;
    }
}

// The impulse of each contact as a quartic in s = (t - t0) / h, with the forces at both ends, such
// that for every body the momentum of its quintic is what gravity and the contacts gave it.
void ConstrainedStepper::give_courses(double h) {
    std::vector<std::size_t> loaded;
    for (std::size_t c = 0; c < contacts_.size(); ++c)
        if (contacts_[c].carries) loaded.push_back(c);
    // what is left for the contacts to give: at the end, and in the last coefficient
    const auto count = static_cast<Eigen::Index>(free_count_);
    Eigen::MatrixXd left(count, 6);
    Eigen::MatrixXd laplace = Eigen::MatrixXd::Zero(count, count);
    for (std::size_t i = 0; i < free_count_; ++i) {
        const Body& body = *system_.bodies[i].body;
        Vec3 given = body.mass * (end_[i].velocity - start_[i].velocity - h * system_.gravity);
        for (const std::size_t c : loaded) {
            if (contacts_[c].a == i) given -= contacts_[c].impulse;
            if (contacts_[c].b == i) given += contacts_[c].impulse;
        }
        const Vec3 last = pieces_[i].last_coefficient() * (5.0 * body.mass / h);
        const auto row = static_cast<Eigen::Index>(i);
        left.row(row) << given.transpose(), last.transpose();
        if (!body.forces.empty()) left.row(row).setZero();
    }
    for (const std::size_t c : loaded) {
        const auto a = static_cast<Eigen::Index>(contacts_[c].a);
        const auto b = static_cast<Eigen::Index>(contacts_[c].b);
        if (a < count) laplace(a, a) += 1.0;
        if (b < count) laplace(b, b) += 1.0;
        if (a < count && b < count) laplace(a, b) = laplace(b, a) = laplace(a, b) - 1.0;
    }
    const Eigen::MatrixXd y = laplace.completeOrthogonalDecomposition().solve(left);
    for (const std::size_t c : loaded) {
        Contact& contact = contacts_[c];
        const auto of = [&](std::uint32_t i) -> Eigen::Matrix<double, 1, 6> {
            if (i >= free_count_) return Eigen::Matrix<double, 1, 6>::Zero();
            return y.row(static_cast<Eigen::Index>(i));
        };
        const Eigen::Matrix<double, 1, 6> more = of(contact.a) - of(contact.b);
        contact.impulse += more.head<3>().transpose();
        const Vec3 last = more.tail<3>().transpose();
        const Vec3 first = h * contact.force_start, final = h * contact.force_end;
        IslandContactOutcome& out = out_.contacts[c];
        out.force = contact.impulse / h;
        out.smooth = true;
        out.course = {first, 3.0 * contact.impulse - 2.0 * first - final + last,
                      first + final - 2.0 * contact.impulse - 2.0 * last, last};
    }
}

void ConstrainedStepper::give_bodies(double t, double h) {
    const double t1 = t + h;
    out_.bodies.clear();
    for (std::size_t i = 0; i < free_count_; ++i) {
        const BodyId id = ids_[i];
        const bool held = std::any_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) {
            return !c.open && (c.a == i || c.b == i);
        });
        Segment segment{t, id, held ? SegmentKind::constrained : graph_.track(id).free_kind(),
                        start_[i]};
        if (held) {
            segment.lasting.t1 = t1;
            segment.lasting.a = a_start_[i];
            segment.lasting.alpha = alpha_start_[i];
            segment.lasting.end = end_[i];
            segment.lasting.a_end = a_end_[i];
            segment.lasting.alpha_end = alpha_end_[i];
            for (std::size_t s = 0; s < k_weight.size(); ++s)
                segment.lasting.power += k_weight[s] * stage_power_[s][i];
        }
        const Body& body = *system_.bodies[i].body;
        out_.bodies.push_back(
            {id, held, segment,
             energy(body, before_[i], system_.gravity) - energy(body, start_[i], system_.gravity)});
    }
}

// The power (W) that bodies which move as they are told put into each free one, as the system
// stands.
void ConstrainedStepper::note_power(std::vector<double>& power) const {
    power.assign(free_count_, 0.0);
    for (const ConstrainedPoint& p : system_.points) {
        const bool first = p.a < free_count_;
        const ConstrainedBody& by = system_.bodies[first ? p.b : p.a];
        if (!by.body->fixed || by.body->still) continue;
        power[first ? p.a : p.b] +=
            (first ? 1.0 : -1.0) * p.force.dot(velocity_at(by.state, p.at.x));
    }
}

// Energy that the step puts into its bodies beyond what those that move as they are told do, over
// what is allowed: its conditions are all but singular then, and their forces have no meaning.
double ConstrainedStepper::energy_added(double h) const {
    double added = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < free_count_; ++i) {
        const Body& body = *system_.bodies[i].body;
        if (!body.forces.empty()) return 0.0;
        added += energy(body, end_[i], system_.gravity) - energy(body, start_[i], system_.gravity);
        for (std::size_t s = 0; s < k_weight.size(); ++s)
            added -= h * k_weight[s] * stage_power_[s][i];
        scale += energy(body, start_[i], Vec3::Zero()) +
                 body.mass * (system_.scale * body.radius +
                              system_.gravity.norm() * k_ulp * end_[i].position.norm());
    }
    return added / (k_constrained_tolerances.gain * scale);
}

void ConstrainedStepper::give(double t, double h) {
    out_.t = t;
    out_.exact = true;
    out_.goes_on = !changes_;
    out_.h = (t + h) - t;
    out_.in_balance = false;
    out_.next_step = next_length_;
    out_.left = 0.0;
    out_.overlap = {};
    for (const ConstrainedPoint& p : system_.points)
        out_.overlap.note(-p.gap, p.size);
    give_contacts(out_.h);
    give_courses(out_.h);
    give_bodies(t, out_.h);
}

// Nothing holds anything any more.
void ConstrainedStepper::give_flight(double t) {
    out_.t = t;
    out_.exact = true;
    out_.goes_on = false;
    out_.h = 0.0;
    out_.in_balance = false;
    out_.next_step = 0.0;
    out_.left = 0.0;
    out_.overlap = {};
    for (Contact& contact : contacts_)
        contact.point_end = contact.point_start;
    stage_force_.fill(start_force_);
    give_contacts(0.0);
    out_.bodies.clear();
    for (std::size_t i = 0; i < free_count_; ++i) {
        const BodyId id = ids_[i];
        const Body& body = *system_.bodies[i].body;
        out_.bodies.push_back(
            {id,
             false,
             {t, id, graph_.track(id).free_kind(), start_[i]},
             energy(body, before_[i], system_.gravity) - energy(body, start_[i], system_.gravity)});
    }
}

void ConstrainedStepper::give_rest(double t) {
    out_.t = t;
    out_.exact = true;
    out_.goes_on = false;
    out_.h = 0.0;
    out_.in_balance = true;
    note_start();
    for (Contact& contact : contacts_) {
        contact.point_end = contact.point_start;
        contact.open = false;
    }
    stage_force_.fill(start_force_);
    give_contacts(0.0);
    out_.bodies.clear();
}

}  // namespace carom::world
