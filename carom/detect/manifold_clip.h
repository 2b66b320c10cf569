// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/manifold_patch.h"

namespace carom::detect {

// For manifold_patch.cpp: outlines cut by each other, seen along z. A place that is outside by no
// more than `border` is inside. What leaves an outline is cut on its border line itself, but for
// lines that run within `border` of it, which are cut where they leave that strip.

// The corners of the common part of two polygons; B may be the whole plane.
void polygon_on_polygon(const Outline& A, const Outline& B, double border, Candidates& out);

// The part of the way from p (0) to q (1) that is above an area, and the features of the area that
// cut it off; 0 where nothing does. Of a disc: its first edge where the way enters, the second
// where it leaves.
struct Span {
    double low = 0.0, high = 1.0;
    Code cut_low = 0, cut_high = 0;
    bool empty() const { return !(low <= high); }
};
Span span_above(const Outline& area, const Vec3& p, const Vec3& q, double border);

}  // namespace carom::detect
