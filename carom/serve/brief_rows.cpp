// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/brief_rows.h"

#include <cmath>

namespace carom::serve {
namespace {

double dot(const double (&a)[3], const double (&b)[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

BriefEvent brief(const record::EventRow& row) {
    return {row.t,
            row.a,
            row.b,
            row.kind,
            row.law,
            -dot(row.u, row.normal),
            std::sqrt(dot(row.impulse, row.impulse)),
            row.energy_lost};
}

BriefSegment brief(const record::SegmentRow& row) {
    return {row.t0, row.body, row.kind};
}

}  // namespace carom::serve
