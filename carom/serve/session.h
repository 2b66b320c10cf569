// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "carom/serve/live_run.h"
#include "carom/serve/recording_feed.h"
#include "carom/serve/what_if.h"

namespace carom::serve {

// What is looked at: a recording, or a scene that runs, and other futures of it that the page asked
// for. For several threads, but for its making.
class Session {
public:
    // Opens a recording; scene and world are those in it, the world at time 0. One that is not
    // finished is followed while it grows. Throws RecordError.
    static std::unique_ptr<Session> of_recording(const std::filesystem::path& path,
                                                 scene::Scene scene, world::World world,
                                                 const WhatIfLimits& limits = {});
    // Runs a scene, into a recording where a writer is given. The header says what it is.
    static std::unique_ptr<Session> of_scene(scene::Scene scene, const record::Header& header,
                                             std::optional<record::Writer> writer,
                                             const WhatIfLimits& limits = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const std::shared_ptr<const RunData>& data() const { return origin_->data; }
    // Begins another future and gives its number. Throws RequestError, and HttpError: 429 when too
    // many were asked for, 503 when those of other runs leave no memory for it.
    std::uint64_t start_what_if(std::string_view request);
    // Null when there is none of that number any more.
    std::shared_ptr<const RunData> what_if(std::uint64_t number) const;

    // Stops everything that runs, and waits.
    void stop();

private:
    explicit Session(const WhatIfLimits& limits);
    void follow(const std::stop_token& stop);
    void make_room();

    std::shared_ptr<RunOrigin> origin_;
    std::optional<world::World> world_;    // of a recording
    std::unique_ptr<RecordingFeed> feed_;  // of a recording
    std::unique_ptr<LiveRun> live_;        // of a scene
    std::shared_ptr<RunData> data_;
    struct Future {
        std::uint64_t number;
        std::unique_ptr<WhatIfRun> run;
    };
    mutable std::mutex mutex_;  // of the futures
    std::vector<Future> futures_;
    std::uint64_t next_number_ = 1;
    WhatIfLimits limits_;
    RateLimit rate_;
    std::jthread follower_;
};

}  // namespace carom::serve
