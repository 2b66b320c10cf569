// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/row_table.h"

#include <algorithm>
#include <cstring>

namespace carom::serve {

void RowTable::add_block() {
    Block block(new std::byte[k_block_rows * row_bytes_]);
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
}

void RowTable::append(const void* row) {
    std::uint64_t rows = 0;
    std::memcpy(extend(1, rows), row, row_bytes_);
}

std::byte* RowTable::extend(std::uint64_t most, std::uint64_t& rows) {
    const std::uint64_t in_block = count_ % k_block_rows;
    // only the writer changes the list, so that it may read it without the lock
    if (count_ / k_block_rows == blocks_.size()) add_block();
    rows = std::min(most, k_block_rows - in_block);
    std::byte* room = blocks_.back().get() + in_block * row_bytes_;
    count_ += rows;
    return room;
}

void RowTable::begin_with(const RowTable& other, std::uint64_t rows) {
    const std::uint64_t whole = rows / k_block_rows;
    {
        const std::scoped_lock lock(mutex_, other.mutex_);
        blocks_.assign(other.blocks_.begin(),
                       other.blocks_.begin() + static_cast<std::ptrdiff_t>(whole));
        count_ = whole * k_block_rows;
    }
    const std::uint64_t left = (rows - count_) * row_bytes_;
    if (left == 0) return;
    const auto rest = other.bytes(count_ * row_bytes_, left);
    std::uint64_t added = 0;
    std::memcpy(extend(rows - count_, added), rest.data(), rest.size());
}

std::span<const std::byte> RowTable::bytes(std::uint64_t offset, std::uint64_t size) const {
    const std::uint64_t block_bytes = k_block_rows * row_bytes_;
    const std::uint64_t in_block = offset % block_bytes;
    const std::lock_guard lock(mutex_);
    return {blocks_[static_cast<std::size_t>(offset / block_bytes)].get() + in_block,
            static_cast<std::size_t>(std::min(size, block_bytes - in_block))};
}

}  // namespace carom::serve
