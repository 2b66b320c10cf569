// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/swept_hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace carom::detect {
namespace {

constexpr double k_fit = 1.0;         // side of the cells over the middle extent, at least
constexpr double k_row = 1.0 / 16.0;  // side of the cells over the largest extent, at least

// floor(log2(x)) for a normal x > 0; not more than the finest level for smaller ones.
int exponent_of(double x) {
    return static_cast<int>((std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff) - 1023;
}

std::string name(SweptHash::Id id) {
    return "id " + std::to_string(id);
}

void check(SweptHash::Id id, const Aabb& box) {
    if (is_valid(box)) return;
    throw std::invalid_argument("the box of " + name(id) +
                                " must be finite, with low <= high along each axis");
}

}  // namespace

// -------------------------------------------------------------------------------- levels

// The level whose cells suit the box, and on which its cells can be numbered.
int SweptHash::fitting_level(const Aabb& box) const {
    double reach = 0.0;
    std::array<double, 3> half{};  // half the extents: these cannot overflow
    for (int i = 0; i < 3; ++i) {
        reach = std::max({reach, std::abs(box.low[i]), std::abs(box.high[i])});
        half[static_cast<std::size_t>(i)] = 0.5 * box.high[i] - 0.5 * box.low[i];
    }
    const double longest = std::max({half[0], half[1], half[2]});
    const double middle =
        std::max(std::min(half[0], half[1]), std::min(std::max(half[0], half[1]), half[2]));
    const int numbered = exponent_of(reach) - 51;
    int level = CellRange::k_finest;
    if (longest > 0.0) {
        level = exponent_of(std::max(k_fit * middle, k_row * longest)) + 2;
    } else if (used_levels_ != 0) {
        level = finest();  // any level suits a point: best one that is there
    } else if (reach > 0.0) {
        level = exponent_of(reach) - 10;
    }
    return std::clamp(std::max(level, numbered), CellRange::k_finest, CellRange::k_coarsest);
}

int SweptHash::level_for(const Aabb& box) const {
    const int level = fitting_level(box);
    return used_levels_ == 0 ? level : std::max(level, top_ - k_depth);
}

int SweptHash::finest() const {
    return top_ - (63 - std::countl_zero(used_levels_));
}

void SweptHash::count_in(int level) {
    ++level_counts_[index_of(level)];
    used_levels_ |= std::uint64_t{1} << index_of(level);
}

void SweptHash::count_out(int level) {
    if (--level_counts_[index_of(level)] > 0) return;
    used_levels_ &= ~(std::uint64_t{1} << index_of(level));
}

void SweptHash::reset_levels(int top) {
    table_.clear(top);
    level_counts_.fill(0);
    used_levels_ = 0;
    top_ = top;
}

// Makes a level possible that may be coarser than all before: then the cells get relations up to
// there, and boxes that are too small by now come up.
void SweptHash::admit(int level) {
    if (used_levels_ == 0) reset_levels(level);
    if (level <= top_) return;
    reset_levels(level);
    for (Id id = 0; id < bodies_.size(); ++id) {
        if (bodies_[id].kind != Kind::box) continue;
        place(id, std::clamp(fitting_level(bodies_[id].box), level - k_depth, level));
    }
}

// -------------------------------------------------------------------------------- changes

void SweptHash::place(Id id, int level) {
    Body& body = bodies_[id];
    body.level = level;
    body.kind = Kind::box;
    count_in(level);
    const CellRange range(body.box, level);
    range.for_each([&](const CellKey& key) { table_.add(key, id, range.code(key)); });
}

void SweptHash::displace(Id id) {
    Body& body = bodies_[id];
    body.kind = Kind::none;
    count_out(body.level);
    const CellRange range(body.box, body.level);
    range.for_each([&](const CellKey& key) { table_.remove(key, id); });
}

const SweptHash::Body& SweptHash::bounded(Id id) const {
    if (!contains(id)) throw std::invalid_argument(name(id) + " must be inserted first");
    if (bodies_[id].kind != Kind::box) {
        throw std::invalid_argument(name(id) + " must be a box, but is a half-space");
    }
    return bodies_[id];
}

const Aabb& SweptHash::box(Id id) const {
    return bounded(id).box;
}

SweptHash::Body& SweptHash::make_body(Id id) {
    if (contains(id)) throw std::invalid_argument(name(id) + " must be new, but is there already");
    if (id >= bodies_.size()) bodies_.resize(std::size_t{id} + 1);
    return bodies_[id];
}

void SweptHash::insert(Id id, const Aabb& box) {
    check(id, box);
    make_body(id).box = box;
    const int level = level_for(box);
    admit(level);
    place(id, level);
    ++bounded_;
}

void SweptHash::insert_unbounded(Id id, const Vec3& normal, double offset) {
    const double size = normal.cwiseAbs().maxCoeff();
    if (!normal.allFinite() || !(size > 0.0) || !std::isfinite(offset)) {
        throw std::invalid_argument(
            "the half-space of " + name(id) +
            " must have a finite normal that is not zero and a finite offset");
    }
    make_body(id).kind = Kind::plane;
    const int down = -std::ilogb(size) - 3;
    Plane plane{id, normal, std::ldexp(offset, down)};
    for (int i = 0; i < 3; ++i)
        plane.normal[i] = std::ldexp(normal[i], down);
    planes_.push_back(plane);
}

void SweptHash::update(Id id, const Aabb& box) {
    const int old_level = bounded(id).level;
    check(id, box);
    const int level = level_for(box);
    Body& body = bodies_[id];
    // one level too coarse is no reason to move
    if (level == old_level || level + 1 == old_level) {
        const CellRange before(body.box, old_level);
        body.box = box;
        move_cells(id, before, CellRange(box, old_level));
        return;
    }
    displace(id);
    body.box = box;
    admit(level);
    place(id, level);
}

void SweptHash::move_cells(Id id, const CellRange& before, const CellRange& after) {
    if (before.same_cells(after)) {
        after.for_each([&](const CellKey& key) { table_.recode(key, id, after.code(key)); });
        return;
    }
    before.for_each([&](const CellKey& key) {
        if (!after.holds(key)) table_.remove(key, id);
    });
    after.for_each([&](const CellKey& key) {
        if (before.holds(key)) {
            table_.recode(key, id, after.code(key));
        } else {
            table_.add(key, id, after.code(key));
        }
    });
}

void SweptHash::remove(Id id) {
    if (contains(id) && bodies_[id].kind == Kind::plane) {
        std::erase_if(planes_, [&](const Plane& plane) { return plane.id == id; });
        bodies_[id].kind = Kind::none;
        return;
    }
    bounded(id);
    displace(id);
    --bounded_;
}

void SweptHash::clear() {
    reset_levels(0);
    bodies_.clear();
    planes_.clear();
    bounded_ = 0;
}

void SweptHash::reserve(std::size_t n) {
    bodies_.reserve(n);
    table_.reserve(4 * n);
}

void SweptHash::rebuild(std::span<const Entry> boxes) {
    std::size_t ids = bodies_.size();
    for (const Entry& entry : boxes) {
        check(entry.id, entry.box);
        ids = std::max(ids, std::size_t{entry.id} + 1);
    }
    std::vector<bool> taken(ids, false);
    for (const Plane& plane : planes_)
        taken[plane.id] = true;
    for (const Entry& entry : boxes) {
        if (taken[entry.id]) {
            throw std::invalid_argument(name(entry.id) + " must be new, but is there already");
        }
        taken[entry.id] = true;
    }
    bodies_.resize(ids);
    for (Body& body : bodies_) {
        if (body.kind == Kind::box) body.kind = Kind::none;
    }
    used_levels_ = 0;
    int top = CellRange::k_finest;
    for (const Entry& entry : boxes)
        top = std::max(top, fitting_level(entry.box));
    reset_levels(top);
    for (const Entry& entry : boxes) {
        bodies_[entry.id].box = entry.box;
        place(entry.id, std::clamp(fitting_level(entry.box), top - k_depth, top));
    }
    bounded_ = boxes.size();
}

}  // namespace carom::detect
