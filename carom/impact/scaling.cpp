// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/scaling.h"

#include <cmath>

namespace carom::impact {
namespace {

template <class Values>
auto times_power(const Values& values, int power) {
    return values.unaryExpr([power](double v) { return std::ldexp(v, power); }).eval();
}

int power_of(double size) {
    return size > 0.0 ? std::ilogb(size) : 0;
}

}  // namespace

PowerScale::PowerScale(const Contact& contact)
    : u_power_(power_of(contact.u.cwiseAbs().maxCoeff())),
      K_power_(power_of(contact.K.cwiseAbs().maxCoeff())) {}

Contact PowerScale::scaled(const Contact& contact) const {
    return {times_power(contact.K, -K_power_), times_power(contact.u, -u_power_)};
}

double PowerScale::scaled_velocity(double v) const {
    return std::ldexp(v, -u_power_);
}

Vec3 PowerScale::scaled_impulse(const Vec3& p) const {
    return times_power(p, K_power_ - u_power_);
}

void PowerScale::bring_back(Solution& solution) const {
    const int p_power = u_power_ - K_power_;
    const int work_power = p_power + u_power_;
    solution.p = times_power(solution.p, p_power);
    NormalHistory& h = solution.history;
    h.compression_impulse = std::ldexp(h.compression_impulse, p_power);
    h.restitution_impulse = std::ldexp(h.restitution_impulse, p_power);
    h.compression_work = std::ldexp(h.compression_work, work_power);
    h.restitution_work = std::ldexp(h.restitution_work, work_power);
}

void PowerScale::bring_back(Trace& trace) const {
    const int p_power = u_power_ - K_power_;
    const int work_power = p_power + u_power_;
    for (TraceSample& s : trace.samples) {
        s.p = times_power(s.p, p_power);
        s.u = times_power(s.u, u_power_);
        s.normal_work = std::ldexp(s.normal_work, work_power);
        s.normal_energy = std::ldexp(s.normal_energy, work_power);
        s.tangential_energy = std::ldexp(s.tangential_energy, work_power);
    }
}

}  // namespace carom::impact
