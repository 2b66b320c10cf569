// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace carom::serve {

// Rows of fixed length that one thread adds at the end while others read. They lie in blocks that
// never move, so that readers need no copies: what was added before the writer told them about it
// stays as it is.
class RowTable {
public:
    static constexpr std::uint64_t k_block_rows = 8192;

    explicit RowTable(std::size_t row_bytes) : row_bytes_(row_bytes) {}

    std::size_t row_bytes() const { return row_bytes_; }

    // For the writer only.
    std::uint64_t count() const { return count_; }
    void append(const void* row);
    // Room for up to `most` rows that lie together, to be filled; `rows` becomes how many.
    // They count from now on.
    std::byte* extend(std::uint64_t most, std::uint64_t& rows);
    // Begins with the first `rows` of another table, whole blocks of which are shared. Pre: empty.
    void begin_with(const RowTable& other, std::uint64_t rows);

    // For everybody: the bytes of rows from byte `offset` on, at most `size` of them, as many as
    // lie together. Pre: all of them were added.
    std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t size) const;
    // One row. Row has the layout of the table's rows.
    template <class Row>
    const Row& row(std::uint64_t i) const {
        return *reinterpret_cast<const Row*>(bytes(i * row_bytes_, row_bytes_).data());
    }

    // Calls use(i, row) for the rows from `first` to before `end`.
    template <class Row, class Use>
    void for_each(std::uint64_t first, std::uint64_t end, Use&& use) const {
        while (first < end) {
            const auto piece = bytes(first * row_bytes_, (end - first) * row_bytes_);
            const Row* rows = reinterpret_cast<const Row*>(piece.data());
            const std::uint64_t count = piece.size() / row_bytes_;
            for (std::uint64_t i = 0; i < count; ++i)
                use(first + i, rows[i]);
            first += count;
        }
    }

private:
    using Block = std::shared_ptr<std::byte[]>;
    void add_block();

    std::size_t row_bytes_;
    std::uint64_t count_ = 0;
    mutable std::mutex mutex_;  // of the list of blocks
    std::vector<Block> blocks_;
};

}  // namespace carom::serve
