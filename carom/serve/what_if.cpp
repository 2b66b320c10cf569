// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/what_if.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "carom/record/header.h"
#include "carom/record/layout.h"
#include "carom/scene/words.h"
#include "carom/serve/collector.h"
#include "carom/serve/description.h"
#include "carom/serve/run_loop.h"

namespace carom::serve {
namespace {

using Json = nlohmann::ordered_json;

// The number of rows with time(row) <= t, of rows in the order of time.
template <class Row, class Time>
std::uint64_t rows_until(const RowTable& table, std::uint64_t rows, double t, Time&& time) {
    std::uint64_t low = 0, high = rows;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (time(table.row<Row>(middle)) <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

double time_of(const record::EventRow& row) {
    return row.t;
}

// Hears a run that is done again: it must tell the events of the first time.
class Again : public world::Listener {
public:
    Again(const RowTable& events, std::uint64_t first, std::uint64_t end)
        : events_(events), next_(first), end_(end) {}

    void on_event(const world::Event& event) override {
        const record::EventRow row = record::to_row(event);
        if (next_ == end_) {
            same_ = false;
        } else {
            // the same bits are wanted, and a row has no padding
            const auto& first = events_.row<record::EventRow>(next_);
            // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
            if (std::memcmp(&row, &first, sizeof row) != 0) same_ = false;
        }
        next_ = std::min(next_ + 1, end_);
    }
    void on_checkpoint(double, std::span<const std::uint8_t> bytes) override {
        bytes_.assign(bytes.begin(), bytes.end());
    }
    bool is_same() const { return same_ && next_ == end_; }
    std::vector<std::uint8_t>& bytes() { return bytes_; }

private:
    const RowTable& events_;
    std::uint64_t next_, end_;
    bool same_ = true;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace

WhatIfRun::WhatIfRun(std::shared_ptr<const RunOrigin> origin, WhatIf wanted,
                     std::shared_ptr<WhatIfPool> pool, std::uint64_t most_row_bytes)
    : origin_(std::move(origin)),
      wanted_(std::move(wanted)),
      then_(origin_->data->status()),
      pool_(std::move(pool)),
      share_(pool_->row_bytes),
      most_row_bytes_(most_row_bytes) {
    check_materials();
    choose_moment();
    const world::World world = changed_world();
    Json what_if;
    what_if["event"] = wanted_.event;
    what_if["time"] = moment_;
    what_if["materials"] = wanted_.materials;
    std::string description = describe_run(origin_->scene, world, origin_->header,
                                           record::settings_text(world.settings()),
                                           record::contacts_text(world.contacts()));
    description.back() = ',';
    description +=
        "\"what_if\":" + what_if.dump(-1, ' ', false, Json::error_handler_t::replace) + "}";
    data_ = std::make_shared<RunData>(std::move(description));
    copy_past();
    RunStatus status;
    status.running = true;
    data_->publish(status);
    data_->publish_rows(moment_);
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

WhatIfRun::~WhatIfRun() {
    thread_.request_stop();
}

void WhatIfRun::check_materials() const {
    const std::vector<std::string>& known = origin_->header.body_materials;
    for (const std::string& name : wanted_.materials) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw RequestError("no body is of material " + scene::in_quotes(name) +
                               "; materials must be two of the scene's");
        }
    }
}

// Between the event and the last one before it, and after the checkpoint to start from.
void WhatIfRun::choose_moment() {
    const std::uint64_t rows = then_.rows[static_cast<std::size_t>(TableId::events)];
    if (wanted_.event >= rows) {
        throw RequestError("there is no event " + std::to_string(wanted_.event) + "; there are " +
                           std::to_string(rows));
    }
    const RowTable& events = origin_->data->table(TableId::events);
    const double t = events.row<record::EventRow>(wanted_.event).t;
    if (!(t > 0.0)) return;
    start_ = origin_->starting_point(t);
    double before = start_ ? start_->t : 0.0;
    for (std::uint64_t i = wanted_.event; i > 0; --i) {
        const double earlier = events.row<record::EventRow>(i - 1).t;
        if (earlier < t) {
            before = std::max(before, earlier);
            break;
        }
    }
    moment_ = before + 0.5 * (t - before);
    if (!(moment_ > 0.0 && moment_ < t))
        throw RequestError("the event is too close to the start to go on from before it");
}

// The world of the scene with the changed law.
world::World WhatIfRun::changed_world() const {
    scene::Scene scene = origin_->scene;
    try {
        scene.contacts.set(wanted_.materials[0], wanted_.materials[1], wanted_.law);
    } catch (const std::invalid_argument& error) {
        throw RequestError(error.what());
    }
    return scene::make_world(scene);
}

// All of the first run until the moment.
void WhatIfRun::copy_past() {
    if (moment_ == 0.0) return;
    const auto copy = [&](TableId id, std::uint64_t rows) {
        data_->table(id).begin_with(origin_->data->table(id), rows);
    };
    const RowTable& events = origin_->data->table(TableId::events);
    copy(TableId::events, rows_until<record::EventRow>(events, then_.rows[0], moment_, time_of));
    const RowTable& forces = origin_->data->table(TableId::forces);
    copy(TableId::forces,
         rows_until<record::ForceRow>(forces, then_.rows[3], moment_,
                                      [](const record::ForceRow& row) { return row.t1; }));
    copy_segments();
}

void WhatIfRun::copy_segments() {
    const RowTable& segments = origin_->data->table(TableId::segments);
    const RowTable& lasting = origin_->data->table(TableId::lasting);
    const std::uint64_t rows = then_.rows[1], lasting_rows = then_.rows[2];
    if (origin_->data->forced().empty()) {
        const std::uint64_t count = rows_until<record::SegmentRow>(
            segments, rows, moment_, [](const record::SegmentRow& row) { return row.t0; });
        data_->table(TableId::segments).begin_with(segments, count);
        // those of the segments that were taken
        std::uint64_t low = 0, high = lasting_rows;
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (lasting.row<record::LastingRow>(middle).segment < count) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        data_->table(TableId::lasting).begin_with(lasting, low);
        return;
    }
    // pieces of forced segments come later than what they are between
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < rows; ++i) {
        const auto& row = segments.row<record::SegmentRow>(i);
        const bool has_more = world::is_lasting(static_cast<world::SegmentKind>(row.kind));
        const std::uint64_t more = has_more ? next++ : 0;
        if (row.t0 > moment_) continue;
        if (has_more) {
            record::LastingRow copy = lasting.row<record::LastingRow>(more);
            copy.segment = data_->table(TableId::segments).count();
            data_->table(TableId::lasting).append(&copy);
            copied_ += sizeof copy;
        }
        copied_ += sizeof row;
        data_->table(TableId::segments).append(&row);
    }
}

void WhatIfRun::work(const std::stop_token& stop) {
    if (!pool_->turns.take(stop)) return;
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
    pool_->turns.give_back();
}

// The state at the moment, as bytes. A world writes it at multiples of a setting, which is chosen
// so that the next multiple is the moment. That setting changes nothing before then.
std::vector<std::uint8_t> WhatIfRun::replay(const std::stop_token& stop) const {
    const auto next = static_cast<double>((start_ ? start_->number : 0) + 1);
    scene::Scene scene = origin_->scene;
    scene.settings.checkpoint = moment_ / next;
    const double moment = next * scene.settings.checkpoint;
    world::World world = scene::make_world(scene);
    if (start_) world.restore(start_->bytes);
    const RowTable& events = origin_->data->table(TableId::events);
    Again again(events, start_ ? start_->events : 0, data_->table(TableId::events).count());
    if (!run_in_pieces(world, std::max(moment, moment_), &again, stop, [] {})) return {};
    if (!again.is_same() || again.bytes().empty()) {
        throw std::runtime_error(
            "the scene no longer gives the events of the run, which was made "
            "by carom " +
            origin_->header.version);
    }
    return std::move(again.bytes());
}

// Bodies under forces at the moment go on with their segments: pieces of them are in the tables.
void WhatIfRun::resume_forced(Collector& collector) const {
    const std::vector<world::Segment> forced = origin_->data->forced();
    if (forced.empty()) return;
    struct Last {
        const world::Segment* segment = nullptr;
        double told = 0.0;
        bool in_pieces = false;
    };
    std::vector<Last> last(origin_->header.body_names.size());
    for (const world::Segment& segment : forced) {
        if (segment.t0 <= moment_) last[segment.body].segment = &segment;
    }
    const RowTable& segments = data_->table(TableId::segments);
    const RowTable& lasting = data_->table(TableId::lasting);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < segments.count(); ++i) {
        const auto& row = segments.row<record::SegmentRow>(i);
        const auto kind = static_cast<world::SegmentKind>(row.kind);
        last[row.body].in_pieces = kind == world::SegmentKind::held;
        if (world::is_lasting(kind))
            last[row.body].told = lasting.row<record::LastingRow>(next++).t1;
    }
    for (const Last& body : last) {
        if (body.segment != nullptr && body.in_pieces) collector.resume(*body.segment, body.told);
    }
}

void WhatIfRun::run(const std::stop_token& stop) {
    world::World world = changed_world();
    Collector collector(*data_, world.bodies(), world.settings().gravity);
    share_.use(copied_);
    collector.bound(most_row_bytes_, share_);
    if (moment_ > 0.0) {
        const std::vector<std::uint8_t> bytes = replay(stop);
        if (bytes.empty()) return;
        world.restore(bytes);
        resume_forced(collector);
    }
    const auto commit = [&] { collector.commit(world.time()); };
    if (!run_in_pieces(world, origin_->duration, &collector, stop, commit)) return;
    world.tell_forces(collector);
    commit();
    RunStatus status = data_->status();
    status.finished = true;
    status.audit = world.audit();
    data_->publish(status);
}

}  // namespace carom::serve
