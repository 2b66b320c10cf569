// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/run_data.h"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace carom::serve {
namespace {

using Json = nlohmann::ordered_json;

Json audit_json(const std::optional<world::Audit>& audit) {
    if (!audit) return nullptr;
    return {{"energy_start", audit->energy_start},
            {"energy_end", audit->energy_end},
            {"energy_lost", audit->energy_lost},
            {"energy_gained", audit->energy_gained},
            {"energy_driven", audit->driven},
            {"energy_residual", audit->energy_residual},
            {"momentum_residual", audit->momentum_residual},
            {"momentum_scale", audit->momentum_scale},
            {"max_overlap", audit->max_overlap},
            {"force_work_residual", audit->force_work_residual},
            {"force_work_scale", audit->force_work_scale}};
}

// Where the columns of a row of contact forces are, in bytes: it has been shorter.
Json forces_layout() {
    using Row = record::ForceRow;
    return {{"bytes", sizeof(Row)},
            {"columns",
             {{"t0", offsetof(Row, t0)},
              {"t1", offsetof(Row, t1)},
              {"a", offsetof(Row, a)},
              {"b", offsetof(Row, b)},
              {"point", offsetof(Row, point)},
              {"normal", offsetof(Row, normal)},
              {"impulse", offsetof(Row, impulse)},
              {"point_end", offsetof(Row, point_end)},
              {"follows", offsetof(Row, follows)},
              {"acts", offsetof(Row, acts)}}}};
}

}  // namespace

RunData::RunData(std::string description)
    : description_(std::move(description)),
      tables_{RowTable(record::k_row_bytes[0]), RowTable(record::k_row_bytes[1]),
              RowTable(record::k_row_bytes[2]), RowTable(record::k_row_bytes[3])} {}

TableLengths RunData::added() const {
    TableLengths rows{};
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = tables_[i].count();
    return rows;
}

RunStatus RunData::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

void RunData::publish(const RunStatus& status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
}

void RunData::publish_rows(double end) {
    const TableLengths rows = added();
    const std::lock_guard lock(mutex_);
    status_.rows = rows;
    status_.end = end;
}

void RunData::add_forced(const world::Segment& segment) {
    const std::lock_guard lock(mutex_);
    forced_.push_back(segment);
}

std::vector<world::Segment> RunData::forced() const {
    const std::lock_guard lock(mutex_);
    return forced_;
}

std::string meta_text(const RunData& run) {
    const RunStatus status = run.status();
    Json json;
    json["end"] = status.end;
    json["finished"] = status.finished;
    json["running"] = status.running;
    json["error"] = status.error.empty() ? Json() : Json(status.error);
    json["audit"] = audit_json(status.audit);
    for (std::size_t i = 0; i < status.rows.size(); ++i)
        json["counts"][std::string(record::k_table_names[i])] = status.rows[i];
    json["layouts"]["forces"] = forces_layout();
    // one object of both
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.back() = ',';
    return text.append(run.description(), 1);
}

}  // namespace carom::serve
