// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "carom/record/export_rows.h"
#include "carom/scene/scene.h"
#include "carom/serve/run_data.h"
#include "carom/serve/what_if_limits.h"

namespace carom::serve {

class Collector;

// What a page asked for cannot be done; the message is one clear sentence.
class RequestError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What if another law had held from an event on: which event (its row), and the new law of a pair
// of materials.
struct WhatIf {
    std::uint64_t event = 0;
    std::array<std::string, 2> materials;
    world::ContactLaw law;
};

// From {"event":ROW,"contact":{"materials":[a,b],"law":...,"e":...}}, where the contact is written
// as in recordings and scenes. Throws RequestError.
WhatIf read_what_if(std::string_view text);

// A run and what is needed to do it again.
struct RunOrigin {
    std::shared_ptr<const RunData> data;
    scene::Scene scene;
    record::Header header;
    double duration = 0.0;
    // The last checkpoint before a time; may throw.
    std::function<std::optional<record::StartingPoint>(double)> starting_point;
};

// Another future of a run, computed in a thread of its own.
//
// The run is done again from its last checkpoint to just before the event (between it and the event
// before), with the laws it had; it must tell the same events. From there on it goes on with the
// changed law to the end. The tables begin with those of the run up to then, so that they are a
// whole run. An event at time 0 has no before: then all of it has the changed law.
class WhatIfRun {
public:
    // Throws RequestError when there is no such event or material, or the law cannot be changed.
    // It is computed when it has its turn in the pool, and ends with an error when its own rows
    // have more than `most_row_bytes` or those of all in the pool more than it has.
    WhatIfRun(std::shared_ptr<const RunOrigin> origin, WhatIf wanted,
              std::shared_ptr<WhatIfPool> pool, std::uint64_t most_row_bytes);
    ~WhatIfRun();
    WhatIfRun(const WhatIfRun&) = delete;
    WhatIfRun& operator=(const WhatIfRun&) = delete;

    const std::shared_ptr<RunData>& data() const { return data_; }

private:
    void check_materials() const;
    void choose_moment();
    void work(const std::stop_token& stop);
    void run(const std::stop_token& stop);
    std::vector<std::uint8_t> replay(const std::stop_token& stop) const;
    world::World changed_world() const;
    void copy_past();
    void copy_segments();
    void resume_forced(Collector& collector) const;

    std::shared_ptr<const RunOrigin> origin_;
    WhatIf wanted_;
    RunStatus then_;       // of the run when this began
    double moment_ = 0.0;  // where the new law takes over (s)
    std::optional<record::StartingPoint> start_;
    std::shared_ptr<RunData> data_;
    std::shared_ptr<WhatIfPool> pool_;
    ByteShare share_;
    std::uint64_t most_row_bytes_;
    std::uint64_t copied_ = 0;  // bytes of rows of the first run that are not shared with it
    std::jthread thread_;
};

}  // namespace carom::serve
