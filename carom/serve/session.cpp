// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>

#include "carom/record/header.h"
#include "carom/serve/description.h"
#include "carom/serve/http_request.h"

namespace carom::serve {

Session::Session(const WhatIfLimits& limits)
    : limits_(limits), rate_(limits.burst, limits.per_second) {}

std::unique_ptr<Session> Session::of_recording(const std::filesystem::path& path,
                                               scene::Scene scene, world::World world,
                                               const WhatIfLimits& limits) {
    std::unique_ptr<Session> session(new Session(limits));
    const record::Recording recording(path);
    const record::Header& header = recording.header();
    session->world_.emplace(std::move(world));
    session->data_ = std::make_shared<RunData>(
        describe_run(scene, *session->world_, header, recording.settings(), recording.contacts()));
    session->feed_ = std::make_unique<RecordingFeed>(path, *session->world_, session->data_);
    session->feed_->update();
    session->origin_ = std::make_shared<RunOrigin>(
        RunOrigin{session->data_, std::move(scene), header, header.duration,
                  [feed = session->feed_.get()](double t) { return feed->starting_point(t); }});
    if (!session->data_->status().finished) {
        session->follower_ =
            std::jthread([raw = session.get()](const std::stop_token& stop) { raw->follow(stop); });
    }
    return session;
}

std::unique_ptr<Session> Session::of_scene(scene::Scene scene, const record::Header& header,
                                           std::optional<record::Writer> writer,
                                           const WhatIfLimits& limits) {
    std::unique_ptr<Session> session(new Session(limits));
    world::World world = scene::make_world(scene);
    session->data_ = std::make_shared<RunData>(
        describe_run(scene, world, header, record::settings_text(world.settings()),
                     record::contacts_text(world.contacts())));
    session->live_ = std::make_unique<LiveRun>(std::move(world), header.duration, std::move(writer),
                                               session->data_);
    session->origin_ = std::make_shared<RunOrigin>(
        RunOrigin{session->data_, std::move(scene), header, header.duration,
                  [live = session->live_.get()](double t) { return live->starting_point(t); }});
    return session;
}

Session::~Session() {
    stop();
}

void Session::stop() {
    follower_.request_stop();
    if (follower_.joinable()) follower_.join();
    {
        const std::lock_guard lock(mutex_);
        futures_.clear();
    }
    if (live_) live_->stop();
}

// A file that cannot be read any more, or was replaced, is told to the page; what was read stays.
void Session::follow(const std::stop_token& stop) {
    constexpr auto k_pause = std::chrono::milliseconds(400);
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested() && !data_->status().finished) {
        wake.wait_for(lock, stop, k_pause, [] { return false; });
        if (stop.stop_requested()) return;
        try {
            feed_->update();
        } catch (const std::exception& error) {
            RunStatus status = data_->status();
            status.running = false;
            status.error = error.what();
            data_->publish(status);
            return;
        }
    }
}

// Memory for another future: the oldest of this run go, while there are any.
void Session::make_room() {
    const SharedBytes& bytes = limits_.pool->row_bytes;
    const std::uint64_t enough = std::min(limits_.row_bytes, bytes.most() / 8);
    while (bytes.free() < enough) {
        std::unique_ptr<WhatIfRun> dropped;  // waits for its end without the lock
        const std::lock_guard lock(mutex_);
        if (futures_.empty()) {
            throw HttpError(503, "other futures of other scenes have taken the " +
                                     std::to_string(bytes.most() >> 20U) +
                                     " MiB that there are for all of them; open other scenes in "
                                     "their place, or ask there again");
        }
        dropped = std::move(futures_.front().run);
        futures_.erase(futures_.begin());
    }
}

std::uint64_t Session::start_what_if(std::string_view request) {
    WhatIf wanted = read_what_if(request);
    if (!rate_.take()) {
        throw HttpError(429,
                        "too many other futures were asked for within a short time; "
                        "wait some seconds");
    }
    make_room();
    auto run =
        std::make_unique<WhatIfRun>(origin_, std::move(wanted), limits_.pool, limits_.row_bytes);
    std::unique_ptr<WhatIfRun> dropped;  // waits for its end without the lock
    const std::lock_guard lock(mutex_);
    if (futures_.size() >= limits_.kept) {
        dropped = std::move(futures_.front().run);
        futures_.erase(futures_.begin());
    }
    futures_.push_back({next_number_++, std::move(run)});
    return futures_.back().number;
}

std::shared_ptr<const RunData> Session::what_if(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    for (const Future& future : futures_) {
        if (future.number == number) return future.run->data();
    }
    return nullptr;
}

}  // namespace carom::serve
