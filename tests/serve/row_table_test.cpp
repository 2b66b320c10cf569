// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/row_table.h"

#include <gtest/gtest.h>

namespace carom::serve {
namespace {

struct Row {
    std::uint64_t number, square;
};

void fill(RowTable& table, std::uint64_t until) {
    while (table.count() < until) {
        const Row row{table.count(), table.count() * table.count()};
        table.append(&row);
    }
}

void expect_squares(const RowTable& table, std::uint64_t count) {
    ASSERT_EQ(table.count(), count);
    for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(table.row<Row>(i).number, i);
        ASSERT_EQ(table.row<Row>(i).square, i * i);
    }
    // in pieces, as it is sent
    std::uint64_t at = 0, pieces = 0;
    for (; at < count * sizeof(Row); ++pieces)
        at += table.bytes(at, count * sizeof(Row) - at).size();
    EXPECT_EQ(at, count * sizeof(Row));
    EXPECT_EQ(pieces, (count + RowTable::k_block_rows - 1) / RowTable::k_block_rows);
}

TEST(RowTable, RowsAreFoundAcrossBlocks) {
    for (const std::uint64_t count :
         {std::uint64_t{0}, std::uint64_t{1}, RowTable::k_block_rows - 1, RowTable::k_block_rows,
          2 * RowTable::k_block_rows + 5}) {
        RowTable table(sizeof(Row));
        fill(table, count);
        expect_squares(table, count);
    }
}

TEST(RowTable, ATableThatBeginsAsAnotherGoesItsOwnWay) {
    RowTable first(sizeof(Row));
    fill(first, 2 * RowTable::k_block_rows + 100);
    for (const std::uint64_t shared :
         {std::uint64_t{0}, std::uint64_t{7}, RowTable::k_block_rows, RowTable::k_block_rows + 1,
          2 * RowTable::k_block_rows + 100}) {
        RowTable second(sizeof(Row));
        second.begin_with(first, shared);
        ASSERT_EQ(second.count(), shared);
        const Row other{1, 2};
        second.append(&other);
        EXPECT_EQ(second.row<Row>(shared).square, 2U);
        for (std::uint64_t i = 0; i < shared; ++i)
            ASSERT_EQ(second.row<Row>(i).square, i * i);
        expect_squares(first, 2 * RowTable::k_block_rows + 100);
    }
}

TEST(RowTable, RoomForManyRowsLiesTogether) {
    RowTable table(sizeof(Row));
    fill(table, RowTable::k_block_rows - 3);
    std::uint64_t rows = 0;
    table.extend(10, rows);
    EXPECT_EQ(rows, 3U);
    table.extend(10, rows);
    EXPECT_EQ(rows, 10U);
    EXPECT_EQ(table.count(), RowTable::k_block_rows + 10);
}

}  // namespace
}  // namespace carom::serve
