// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "carom/record/recording.h"
#include "carom/scene/scene.h"
#include "carom/serve/collector.h"
#include "carom/serve/run_data.h"

namespace carom::serve {

// A scene that runs in a thread of its own, seen through `data` while it does, and recorded where a
// writer is given.
class LiveRun {
public:
    // Begins at once. Throws std::invalid_argument for a world that cannot run; nothing is left of
    // its recording then.
    LiveRun(world::World world, double duration, std::optional<record::Writer> writer,
            std::shared_ptr<RunData> data);
    // Stops it.
    ~LiveRun();
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    // Asks it to stop, and waits; what came so far is committed to the recording.
    void stop();

    std::optional<record::StartingPoint> starting_point(double t) const {
        return collector_.checkpoints().before(t);
    }

private:
    void work(const std::stop_token& stop);
    void run(const std::stop_token& stop);

    world::World world_;
    double duration_;
    std::optional<record::Writer> writer_;
    std::shared_ptr<RunData> data_;
    Collector collector_;
    std::jthread thread_;
};

}  // namespace carom::serve
