// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

// Impact clusters. Speeds are relative to the fastest contact of the cluster; each line says what
// ten times larger does.
struct ClusterTolerances {
    // Approach left by a plastic impulse, and the same in large clusters. Larger: as much more is
    // left to the next step.
    double residual = 1e-9;
    double large_residual = 1e-3;
    // Approach, relative to the first impact, below which a large cluster is resolved by one
    // plastic impulse. Larger: large clusters swallow more of an impact without restitution.
    double large_speed = 0.1;
    // Approach, relative to the first impact, at which a coupled impact that loses energy is over,
    // where micro-bounces are slower still. Larger: as much more goes without restitution.
    double coupled_rest = 1e-4;
};
inline constexpr ClusterTolerances k_cluster_tolerances{};

}  // namespace carom::world
