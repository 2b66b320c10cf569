// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>

#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// Directions in which two touching bodies may separate best, judged by their surfaces near an
// approximate normal `near` (from B to A, in A's frame): normals of faces, caps and bases, and
// cross products of straight edges, axes and generators. Each is handed to `visit` as a unit vector
// turned to the side of `near`.
void for_suggested_normals(const shape::Convex& A, const shape::Convex& B,
                           const shape::Pose& B_in_A, const Vec3& near,
                           const std::function<void(const Vec3&)>& visit);

}  // namespace carom::detect
