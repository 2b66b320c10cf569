// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>

#include "carom/scene/fields.h"
#include "carom/scene/mesh_files.h"
#include "carom/shape/shape.h"

namespace carom::scene {

// The table `shape` of a body or swarm, as { type = "sphere", radius = 0.1 }. The types, their keys
// and ranges are those of `carom touch`; carom/shape/shape.h has the frames. Null when something is
// wrong, which the report then says.
std::shared_ptr<const shape::Shape> read_shape(Fields& owner, MeshFiles& files);

// Whether a part is a half-space.
bool has_plane(const shape::Shape& shape);

}  // namespace carom::scene
