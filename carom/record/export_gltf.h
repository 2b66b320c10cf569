// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "carom/record/recording.h"

namespace carom::record {

struct GltfOptions {
    double from = 0.0, to = 0.0;      // s, of the recording; the animation begins at 0
    std::optional<double> tolerance;  // m; see default_tolerance
    bool binary = true;               // GLB, else JSON with the data inside
    std::string title;                // of the scene
};

// What is in the file.
struct GltfSummary {
    double tolerance = 0.0;  // m
    std::size_t nodes = 0;   // bodies
    std::size_t moving = 0;  // of them animated
    std::size_t keys = 0;
};

// Writes a recording as animated glTF 2.0: a node for each body, with the mesh of its true shape
// (mesh_of) in the colour of its material (material_colours), below a root that turns z up into y
// up. Animated nodes have linear samplers for translation and rotation, whose keys keep every
// point of a body within the tolerance of its true place (keys_of). Throws std::invalid_argument
// for a tolerance or times that make no sense.
GltfSummary write_gltf(const world::World& world, const std::vector<world::Segment>& segments,
                       const GltfOptions& options, std::ostream& out);

// 1e-4 of the size of the box in which the free bodies move during that time, but not more than a
// hundredth of the smallest one's radius.
double default_tolerance(const world::World& world, const std::vector<world::Segment>& segments,
                         double from, double to);

}  // namespace carom::record
