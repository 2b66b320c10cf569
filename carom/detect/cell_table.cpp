// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/cell_table.h"

#include <cassert>

namespace carom::detect {

void CellTable::resize_slots(std::size_t slots) {
    slots_.assign(slots, {0, k_none});
    mask_ = slots - 1;
    limit_ = slots / 2 + slots / 8;  // full beyond: long probe sequences
    cells_.reserve(limit_);
}

void CellTable::clear(int top) {
    std::fill(slots_.begin(), slots_.end(), Slot{0, k_none});
    cells_.clear();
    chunks_.clear();
    free_chunk_ = k_none;
    top_ = top;
}

void CellTable::reserve(std::size_t cells) {
    if (cells > limit_) make_room(cells - cells_.size());
}

// A new cell without ids or relations. There must be room.
std::uint32_t CellTable::create(const CellKey& key, std::size_t slot, std::uint64_t hashed) {
    const auto index = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back(
        {key.x, key.y, key.z, static_cast<std::int16_t>(key.level), 0, 0, k_none, {}, {}});
    slots_[slot] = {static_cast<std::uint32_t>(hashed >> 32), index};
    return index;
}

// Makes the cell known to its parent, and that to its own, until one that is known already.
void CellTable::link_ancestors(CellKey key) {
    while (key.level < top_) {
        const auto bit =
            static_cast<std::uint8_t>(1U << ((key.x & 1) + 2 * (key.y & 1) + 4 * (key.z & 1)));
        key = key.parent();
        const std::uint64_t hashed = hash(key);
        const std::size_t slot = locate(key, hashed);
        const bool known = slots_[slot].cell != k_none;
        const std::uint32_t index = known ? slots_[slot].cell : create(key, slot, hashed);
        cells_[index].children = static_cast<std::uint8_t>(cells_[index].children | bit);
        if (known) return;
    }
}

// Drops the empty cells and makes the table large enough for `extra` new ones.
void CellTable::make_room(std::size_t extra) {
    std::size_t kept = 0, live = 0;
    for (Cell& cell : cells_) {
        if (cell.count > 0 || cell.children != 0) ++kept;
        if (cell.count == 0) continue;
        cell.children = 0;
        cells_[live++] = cell;
    }
    cells_.resize(live);
    std::size_t slots = slots_.size();
    while (slots / 2 + slots / 8 < 2 * kept + extra)
        slots *= 2;
    resize_slots(slots);
    for (std::uint32_t i = 0; i < live; ++i) {
        const std::uint64_t hashed = hash(cells_[i].key());
        slots_[locate(cells_[i].key(), hashed)] = {static_cast<std::uint32_t>(hashed >> 32), i};
    }
    for (std::size_t i = 0; i < live; ++i)
        link_ancestors(cells_[i].key());
}

void CellTable::add(const CellKey& key, Id id, std::uint64_t code) {
    assert(key.level <= top_);
    const std::uint64_t hashed = hash(key);
    std::size_t slot = locate(key, hashed);
    std::uint32_t index = slots_[slot].cell;
    if (index == k_none) {
        const auto chain = static_cast<std::size_t>(top_ - key.level) + 1;
        if (cells_.size() + chain > limit_) {
            make_room(chain);
            slot = locate(key, hashed);
        }
        // the cleaning may have brought it back as an ancestor
        index = slots_[slot].cell;
        if (index == k_none) {
            index = create(key, slot, hashed);
            link_ancestors(key);
        }
    }
    push(cells_[index], id, code);
}

void CellTable::push(Cell& cell, Id id, std::uint64_t code) {
    if (cell.count < Cell::k_inline) {
        cell.ids[cell.count] = id;
        cell.codes[cell.count++] = code;
        return;
    }
    const std::uint32_t at = (cell.count - Cell::k_inline) % Chunk::k_size;
    if (at == 0) {
        std::uint32_t fresh = free_chunk_;
        if (fresh == k_none) {
            fresh = static_cast<std::uint32_t>(chunks_.size());
            chunks_.push_back({});
        } else {
            free_chunk_ = chunks_[fresh].next;
        }
        chunks_[fresh].next = cell.overflow;
        cell.overflow = fresh;
    }
    chunks_[cell.overflow].ids[at] = id;
    chunks_[cell.overflow].codes[at] = code;
    ++cell.count;
}

CellTable::Place CellTable::find_in(Cell& cell, Id id) {
    const std::uint32_t here = std::min(cell.count, Cell::k_inline);
    for (std::uint32_t i = 0; i < here; ++i) {
        if (cell.ids[i] == id) return {&cell.ids[i], &cell.codes[i]};
    }
    assert(cell.count > Cell::k_inline);
    std::uint32_t fill = first_fill(cell.count);
    std::uint32_t at = cell.overflow;
    while (true) {
        assert(at != k_none);
        Chunk& chunk = chunks_[at];
        for (std::uint32_t i = 0; i < fill; ++i) {
            if (chunk.ids[i] == id) return {&chunk.ids[i], &chunk.codes[i]};
        }
        fill = Chunk::k_size;
        at = chunk.next;
    }
}

void CellTable::recode(const CellKey& key, Id id, std::uint64_t code) {
    const std::uint32_t index = slots_[locate(key, hash(key))].cell;
    assert(index != k_none);
    *find_in(cells_[index], id).code = code;
}

// The last entry takes the place of the one that goes.
void CellTable::remove(const CellKey& key, Id id) {
    const std::uint32_t index = slots_[locate(key, hash(key))].cell;
    assert(index != k_none);
    Cell& cell = cells_[index];
    const Place place = find_in(cell, id);
    if (cell.count <= Cell::k_inline) {
        --cell.count;
        *place.id = cell.ids[cell.count];
        *place.code = cell.codes[cell.count];
        return;
    }
    const std::uint32_t fill = first_fill(cell.count);
    Chunk& first = chunks_[cell.overflow];
    *place.id = first.ids[fill - 1];
    *place.code = first.codes[fill - 1];
    --cell.count;
    if (fill > 1) return;
    const std::uint32_t emptied = cell.overflow;
    cell.overflow = first.next;
    first.next = free_chunk_;
    free_chunk_ = emptied;
}

}  // namespace carom::detect
