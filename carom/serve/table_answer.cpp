// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/table_answer.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "carom/serve/brief_rows.h"
#include "carom/serve/what_if.h"

namespace carom::serve {
namespace {

template <class Row>
bool write_brief(const RowTable& table, std::uint64_t first, std::uint64_t end,
                 const Write& write) {
    const auto piece = table.bytes(first * sizeof(Row), (end - first) * sizeof(Row));
    const std::span rows(reinterpret_cast<const Row*>(piece.data()), piece.size() / sizeof(Row));
    std::vector<decltype(brief(rows[0]))> out(rows.size());
    std::transform(rows.begin(), rows.end(), out.begin(),
                   [](const Row& row) { return brief(row); });
    return write(std::as_bytes(std::span(out)));
}

}  // namespace

std::size_t RowRange::row_bytes() const {
    if (!brief) return record::k_row_bytes[static_cast<std::size_t>(table)];
    return table == TableId::events ? sizeof(BriefEvent) : sizeof(BriefSegment);
}

std::optional<std::uint64_t> number_from(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return {};
    return number;
}

std::optional<TableId> table_named(std::string_view name) {
    for (std::size_t i = 0; i < record::k_table_count; ++i) {
        if (record::k_table_names[i] == name) return static_cast<TableId>(i);
    }
    return {};
}

bool has_brief(TableId table) {
    return table == TableId::events || table == TableId::segments;
}

RowRange range_of(TableId table, bool brief, const std::optional<std::string>& from,
                  const std::optional<std::string>& count, std::uint64_t rows) {
    const auto first = from ? number_from(*from) : std::optional<std::uint64_t>(0);
    if (!first || *first > rows)
        throw RequestError("from must be the number of a row, at most " + std::to_string(rows));
    const std::uint64_t left = rows - *first;
    const auto wanted = count ? number_from(*count) : std::optional(left);
    if (!wanted || *wanted > left)
        throw RequestError("count must be a number of rows, at most " + std::to_string(left));
    return {table, brief, *first, *first + *wanted};
}

bool write_rows(const RunData& run, const RowRange& range, std::uint64_t offset,
                std::uint64_t length, const Write& write) {
    const RowTable& table = run.table(range.table);
    if (!range.brief) return write(table.bytes(range.first * table.row_bytes() + offset, length));
    const std::uint64_t first = range.first + offset / range.row_bytes();
    const std::uint64_t end = first + length / range.row_bytes();
    return range.table == TableId::events
               ? write_brief<record::EventRow>(table, first, end, write)
               : write_brief<record::SegmentRow>(table, first, end, write);
}

}  // namespace carom::serve
