// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/live_run.h"

#include <exception>
#include <new>

#include "carom/serve/run_loop.h"

namespace carom::serve {

LiveRun::LiveRun(world::World world, double duration, std::optional<record::Writer> writer,
                 std::shared_ptr<RunData> data)
    : world_(std::move(world)),
      duration_(duration),
      writer_(std::move(writer)),
      data_(std::move(data)),
      collector_(*data_, world_.bodies(), world_.settings().gravity,
                 writer_ ? &*writer_ : nullptr) {
    try {
        world_.run(0.0, &collector_);
    } catch (const std::invalid_argument&) {
        if (writer_) writer_->discard();
        throw;
    }
    RunStatus status;
    status.running = true;
    data_->publish(status);
    collector_.commit(0.0);
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

LiveRun::~LiveRun() {
    stop();
}

void LiveRun::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void LiveRun::work(const std::stop_token& stop) {
    std::string error;
    try {
        run(stop);
    } catch (const std::bad_alloc&) {
        error = "not enough memory";
    } catch (const std::exception& failure) {
        error = failure.what();
    }
    RunStatus status = data_->status();
    status.running = false;
    status.error = error;
    data_->publish(status);
}

void LiveRun::run(const std::stop_token& stop) {
    const auto commit = [this] { collector_.commit(world_.time()); };
    try {
        if (!run_in_pieces(world_, duration_, &collector_, stop, commit)) {
            if (writer_) writer_->leave();
            return;
        }
    } catch (const record::RecordError&) {
        throw;
    } catch (const std::exception&) {
        // a jam: what came before it is worth keeping
        if (writer_) writer_->commit(world_.time());
        commit();
        throw;
    }
    world_.tell_forces(collector_);
    commit();
    RunStatus status = data_->status();
    status.finished = true;
    status.audit = world_.audit();
    if (writer_) writer_->finish(duration_, *status.audit, world_.tally());
    data_->publish(status);
}

}  // namespace carom::serve
