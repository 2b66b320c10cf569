// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace carom::detect {

// A cell of the grid of level l is the half-open cube [x s, (x + 1) s) x ... with s = 2^l.
struct CellKey {
    std::int64_t x, y, z;
    int level;

    CellKey parent() const { return {x >> 1, y >> 1, z >> 1, level + 1}; }
};

// One cache line: which boxes touch the cell, each with a code of 64 bits that the caller gives
// (BoxCode), and which of its eight children exist.
struct alignas(64) Cell {
    static constexpr std::uint32_t k_inline = 2;

    std::int64_t x, y, z;
    std::int16_t level;
    std::uint8_t children;   // bit (x & 1) + 2 (y & 1) + 4 (z & 1) of the child
    std::uint32_t count;     // of ids
    std::uint32_t overflow;  // the first chunk of those beyond the inline ones
    std::uint32_t ids[k_inline];
    std::uint64_t codes[k_inline];

    CellKey key() const { return {x, y, z, level}; }
};
static_assert(sizeof(Cell) == 64);

// The cells that are in use on all levels: a dense array of cells, found by an open-addressing hash
// with linear probing of (tag, index) slots. With every cell all its ancestors up to level `top`
// exist, and know it as a child, so that a search can go down to the finer cells that exist without
// trying those that do not.
//
// A cell that becomes empty stays, since in a moving crowd it is soon used again. When the table is
// full the empty ones are dropped, and the table grows only if that does not free half of it: in a
// steady state nothing is allocated, and the cost of the cleaning per created cell is bounded.
class CellTable {
public:
    using Id = std::uint32_t;
    static constexpr std::uint32_t k_none = 0xffffffffU;

    CellTable() { resize_slots(64); }

    // Forgets all cells, keeps the memory.
    void clear(int top);
    void reserve(std::size_t cells);

    const Cell* find(const CellKey& key) const {
        const std::uint32_t index = slots_[locate(key, hash(key))].cell;
        return index == k_none ? nullptr : &cells_[index];
    }
    const std::vector<Cell>& cells() const { return cells_; }

    // The id must not be in the cell yet; the level is at most top.
    void add(const CellKey& key, Id id, std::uint64_t code);
    // The id must be in the cell.
    void recode(const CellKey& key, Id id, std::uint64_t code);
    void remove(const CellKey& key, Id id);

    // Calls visit(id, code).
    template <class Visit>
    void for_each(const Cell& cell, Visit&& visit) const {
        const std::uint32_t here = std::min(cell.count, Cell::k_inline);
        for (std::uint32_t i = 0; i < here; ++i)
            visit(cell.ids[i], cell.codes[i]);
        if (cell.count > Cell::k_inline) visit_chunks(cell, visit);
    }

private:
    struct Slot {
        std::uint32_t tag, cell;
    };
    // Entries beyond the inline ones, in a list of chunks of which only the first may be part full.
    struct alignas(64) Chunk {
        static constexpr std::uint32_t k_size = 5;
        std::array<std::uint64_t, k_size> codes;
        std::array<Id, k_size> ids;
        std::uint32_t next;
    };

    static std::uint64_t hash(const CellKey& key) {
        std::uint64_t h = static_cast<std::uint64_t>(key.x) * 0x9e3779b97f4a7c15ULL;
        h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(key.y) * 0xc2b2ae3d27d4eb4fULL;
        h = (h ^ (h >> 29)) + static_cast<std::uint64_t>(key.z) * 0x165667b19e3779f9ULL;
        h ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(key.level)) << 40;
        h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9ULL;
        return h ^ (h >> 31);
    }

    // The slot of the key, or the free slot where it would go.
    std::size_t locate(const CellKey& key, std::uint64_t hashed) const {
        const auto tag = static_cast<std::uint32_t>(hashed >> 32);
        std::size_t at = static_cast<std::size_t>(hashed) & mask_;
        while (slots_[at].cell != k_none) {
            if (slots_[at].tag == tag) {
                const Cell& cell = cells_[slots_[at].cell];
                if (cell.x == key.x && cell.y == key.y && cell.z == key.z &&
                    cell.level == key.level) {
                    break;
                }
            }
            at = (at + 1) & mask_;
        }
        return at;
    }

    // The number of ids in the first chunk of a cell that has chunks.
    static std::uint32_t first_fill(std::uint32_t count) {
        return (count - Cell::k_inline - 1) % Chunk::k_size + 1;
    }

    template <class Visit>
    void visit_chunks(const Cell& cell, Visit& visit) const {
        std::uint32_t fill = first_fill(cell.count);
        for (std::uint32_t at = cell.overflow; at != k_none; at = chunks_[at].next) {
            const Chunk& chunk = chunks_[at];
            for (std::uint32_t i = 0; i < fill; ++i) {
                visit(chunk.ids[i], chunk.codes[i]);
            }
            fill = Chunk::k_size;
        }
    }

    void resize_slots(std::size_t slots);
    void make_room(std::size_t extra);
    std::uint32_t create(const CellKey& key, std::size_t slot, std::uint64_t hashed);
    void link_ancestors(CellKey key);
    struct Place {
        Id* id;
        std::uint64_t* code;
    };
    Place find_in(Cell& cell, Id id);
    void push(Cell& cell, Id id, std::uint64_t code);

    std::vector<Slot> slots_;
    std::vector<Cell> cells_;
    std::vector<Chunk> chunks_;
    std::uint32_t free_chunk_ = k_none;
    std::size_t mask_ = 0;
    std::size_t limit_ = 0;  // of cells
    int top_ = 0;
};

}  // namespace carom::detect
