// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/micro/micro_rule.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "carom/math/spd3.h"

namespace carom::world {
namespace {

using impact::LawId;
using impact::ParameterId;

Resolved checked(const impact::Outcome& outcome, LawId law) {
    if (outcome.refusal != nullptr) {
        throw std::runtime_error("the law '" + std::string(impact::law_info(law).name) +
                                 "' does not apply: " + outcome.refusal);
    }
    if (!outcome.solution.p.allFinite()) {
        throw std::runtime_error("the law '" + std::string(impact::law_info(law).name) +
                                 "' gives an impulse that is not finite");
    }
    return {outcome.solution.p, law};
}

constexpr double k_placed = 0.01;  // a first touch that lasts, in the same

// The pair's law, or Routh's where it knows no e, with another restitution.
ContactLaw with_restitution(const ContactLaw& law, double e) {
    ContactLaw other = law;
    if (law.law == LawId::micro) other.law = law.parameters.fallback_law();
    if (!impact::takes(impact::law_info(other.law), ParameterId::e)) other.law = LawId::routh;
    other.parameters.e = e;
    other.parameters.mu = law.parameters.mu.value_or(0.0);
    return other;
}

// The impulse that turns the tangential velocity round and parts with the given speed.
Vec3 turning_impulse(const impact::Contact& contact, double parting) {
    const Vec3& u = contact.u;
    return math::solve_spd3(contact.K, Vec3(-2.0 * u.x(), -2.0 * u.y(), parting - u.z()));
}

bool in_cone(const Vec3& p, double mu) {
    return p.z() > 0.0 && p.head<2>().norm() <= mu * p.z();
}

}  // namespace

double restitution_of(const ContactLaw& law) {
    return law.parameters.e.value_or(0.0);
}

double parting_speed(double restored, double inverse_mass, double hop_speed, double debt) {
    const double square = restored * restored - 2.0 * inverse_mass * debt;
    return std::max(std::sqrt(std::max(0.0, square)), hop_speed);
}

MicroRule::MicroRule(double micro, double gravity, double length) {
    if (!(gravity > 0.0) || !std::isfinite(length)) return;
    hop_speed_ = micro * std::sqrt(gravity * length);
    // twice the time of the longest micro-bounce
    memory_ = 4.0 * k_fastest * hop_speed_ / gravity;
}

bool MicroRule::is_micro(double approach_speed, double since_last) const {
    if (!(approach_speed < k_fastest * hop_speed_)) return false;
    return since_last <= memory_ || approach_speed < k_placed * hop_speed_;
}

Resolved resolve_by_law(const impact::Contact& contact, const ContactLaw& law) {
    const impact::LawInfo& info = impact::law_info(law.law);
    return checked(impact::resolve(info, contact, law.parameters), law.law);
}

Resolved resolve_micro(const impact::Contact& contact, const ContactLaw& law, double hop_speed,
                       double debt) {
    const double approach = -contact.u.z();
    const double parting =
        parting_speed(restitution_of(law) * approach, contact.K(2, 2), hop_speed, debt);
    const Vec3 p = turning_impulse(contact, parting);
    if (in_cone(p, law.parameters.mu.value_or(0.0))) return {p, LawId::micro};
    // too slow an approach is taken as one of the speed of a micro-bounce, with so much less
    // restitution
    impact::Contact floored = contact;
    floored.u.z() = std::min(contact.u.z(), -hop_speed);
    const double e = approach < hop_speed ? approach / hop_speed : parting / approach;
    const ContactLaw used = with_restitution(law, std::clamp(e, 0.0, 1.0));
    return checked(impact::resolve(impact::law_info(used.law), floored, used.parameters), used.law);
}

}  // namespace carom::world
