// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "carom/serve/http_answer.h"
#include "carom/serve/run_data.h"

namespace carom::serve {

// Which rows of a table a request asks for, as docs/viewer-server.md says.
struct RowRange {
    TableId table{};
    bool brief = false;  // as brief_rows.h makes them
    std::uint64_t first = 0, end = 0;

    std::size_t row_bytes() const;
    std::uint64_t bytes() const { return (end - first) * row_bytes(); }
};

// A number as addresses have it, without a sign.
std::optional<std::uint64_t> number_from(const std::string& text);
// "events" and so on.
std::optional<TableId> table_named(std::string_view name);
// Whether there are brief rows of this table.
bool has_brief(TableId table);

// From the parameters of a request, where they were given; `rows` are in the table. Throws
// RequestError.
RowRange range_of(TableId table, bool brief, const std::optional<std::string>& from,
                  const std::optional<std::string>& count, std::uint64_t rows);

// Gives `write` the bytes of the range from byte `offset` on, as many as are ready together, at
// least one row of them and at most `length` bytes. Pre: offset is that of a row when brief, and
// there are bytes left. Returns what `write` does.
bool write_rows(const RunData& run, const RowRange& range, std::uint64_t offset,
                std::uint64_t length, const Write& write);

}  // namespace carom::serve
