// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/cli/output_file.h"
#include "carom/cli/time_range.h"
#include "carom/record/recording.h"

namespace carom::cli {

enum class SampleFormat : std::uint8_t { json, csv, npz };

// What is to be sampled: these bodies at these times.
struct SampleJob {
    const world::World& world;
    const record::Sampler& sampler;
    const SampleTimes& times;
    const std::vector<world::BodyId>& bodies;
};

// Times in their order, and for each of them the bodies in theirs. Throws CommandError.
void write_samples(SampleFormat format, const SampleJob& job, OutputFile& out);

}  // namespace carom::cli
