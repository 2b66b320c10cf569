// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/audit.h"

#include <cmath>

namespace carom::world {

void Sum::add(double x) {
    const double sum = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
}

Sum Sum::from(double head, double rest) {
    Sum sum;
    sum.sum_ = head;
    sum.rest_ = rest;
    return sum;
}

void Tally::save(ByteWriter& out) const {
    for (const std::uint64_t count :
         {events, impacts, micro, checks, pile_restitutions, substituted})
        out.put(count);
    const auto put = [&](const Sum& sum) {
        out.put(sum.head());
        out.put(sum.rest());
    };
    put(energy_lost);
    put(energy_gained);
    put(driven);
    put(pushed);
    for (int i = 0; i < 3; ++i)
        put(given[i]);
    for (int i = 0; i < 3; ++i)
        put(weighed[i]);
    put(contact_work);
    put(force_work);
    put(force_work_size);
    out.put(overlap.depth);
    out.put(overlap.relative);
}

void Tally::load(ByteReader& in) {
    for (std::uint64_t* count :
         {&events, &impacts, &micro, &checks, &pile_restitutions, &substituted})
        *count = in.get<std::uint64_t>();
    const auto get = [&](Sum& sum) {
        const double head = in.get<double>();
        sum = Sum::from(head, in.get<double>());
    };
    get(energy_lost);
    get(energy_gained);
    get(driven);
    get(pushed);
    for (int i = 0; i < 3; ++i)
        get(given[i]);
    for (int i = 0; i < 3; ++i)
        get(weighed[i]);
    get(contact_work);
    get(force_work);
    get(force_work_size);
    overlap.depth = in.get<double>();
    overlap.relative = in.get<double>();
}

}  // namespace carom::world
