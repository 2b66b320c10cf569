// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/cli/json_fields.h"
#include "carom/motion/motion.h"
#include "carom/shape/shape.h"

namespace carom::cli {

// A body as it is written in problems and scenes.
struct ReadBody {
    shape::Shape shape;
    Vec3 center = Vec3::Zero();  // of mass, in the shape's frame
    motion::Motion motion;
};

// {"type":"box","size":[...]} and the like; see `carom touch --help`.
shape::Shape read_shape(JsonFields fields);

// {"shape":{...},"motion":{...}} from time 0 on.
ReadBody read_body(JsonFields fields);

}  // namespace carom::cli
