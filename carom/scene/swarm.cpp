// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/swarm.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/world/audit.h"

namespace carom::scene {
namespace {

// A row that fits to rounding does fit; ten times larger would let bodies overlap by as much.
constexpr double k_slack = 1e-12;
constexpr double k_most_cells = 0x1.0p53;

// Cells along each axis with a gap between bodies.
Vec3 cells(const Vec3& box, const Vec3& body, double gap) {
    return ((1.0 + k_slack) * box.array() / (body.array() + gap)).floor().min(k_most_cells);
}

double count_of(const Vec3& cells) {
    return std::min(k_most_cells, cells.x() * cells.y() * cells.z());
}

// The largest gap that leaves enough cells.
double largest_gap(const Vec3& box, const Vec3& body, double count) {
    double enough = 0.0;
    double too_much = 2.0 * box.maxCoeff();
    // ends when there is no number between the two
    while (true) {
        const double middle = enough + 0.5 * (too_much - enough);
        if (!(middle > enough && middle < too_much)) return enough;
        // a gap far below the bodies' own size is as good as none
        if (too_much < k_slack * body.minCoeff()) return enough;
        (count_of(cells(box, body, middle)) >= count ? enough : too_much) = middle;
    }
}

class Generator {
public:
    explicit Generator(std::uint64_t seed) : state_(seed) {}

    // In (0, 1].
    double uniform() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        z ^= z >> 31U;
        return static_cast<double>((z >> 11U) + 1) * 0x1.0p-53;
    }
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }

private:
    std::uint64_t state_;
};

Vec3 mean(const std::vector<Vec3>& velocities) {
    world::Sum sums[3];
    for (const Vec3& v : velocities) {
        for (int i = 0; i < 3; ++i)
            sums[i].add(v[i]);
    }
    return Vec3(sums[0].value(), sums[1].value(), sums[2].value()) /
           static_cast<double>(velocities.size());
}

double root_mean_square(const std::vector<Vec3>& velocities) {
    world::Sum sum;
    for (const Vec3& v : velocities)
        sum.add(v.squaredNorm());
    return std::sqrt(sum.value() / static_cast<double>(velocities.size()));
}

}  // namespace

Lattice::Lattice(const Aabb& box, const Aabb& body, std::uint64_t count)
    : box_(box), offset_(-0.5 * (body.low + body.high)), count_(count) {
    const Vec3 sides = box.high - box.low;
    const Vec3 size = body.high - body.low;
    capacity_ = count_of(cells(sides, size, 0.0));
    if (!fits()) return;
    const Vec3 along = cells(sides, size, largest_gap(sides, size, static_cast<double>(count)));
    for (int i = 0; i < 3; ++i)
        cells_[i] = static_cast<std::uint64_t>(along[i]);
}

Vec3 Lattice::position(std::uint64_t k) const {
    // the k-th of count among all cells; in floating point, since the product may be large
    const double all = static_cast<double>(cells_[0]) * static_cast<double>(cells_[1]) *
                       static_cast<double>(cells_[2]);
    const double share = all / static_cast<double>(count_);
    auto cell = static_cast<std::uint64_t>(static_cast<double>(k) * share);
    Vec3 position;
    for (int i = 0; i < 3; ++i) {
        const double part =
            (static_cast<double>(cell % cells_[i]) + 0.5) / static_cast<double>(cells_[i]);
        position[i] = box_.low[i] + part * (box_.high[i] - box_.low[i]) + offset_[i];
        cell /= cells_[i];
    }
    return position;
}

std::vector<Vec3> maxwell_velocities(std::uint64_t count, double rms, std::uint64_t seed) {
    std::vector<Vec3> velocities(count, Vec3::Zero());
    if (count < 2 || !(rms > 0.0)) return velocities;
    Generator generator(seed);
    for (Vec3& v : velocities) {
        for (int i = 0; i < 3; ++i)
            v[i] = generator.normal();
    }
    const Vec3 drift = mean(velocities);
    for (Vec3& v : velocities)
        v -= drift;
    const double scale = rms / root_mean_square(velocities);
    for (Vec3& v : velocities)
        v *= scale;
    // what rounding has left
    const Vec3 rest = mean(velocities);
    for (Vec3& v : velocities)
        v -= rest;
    return velocities;
}

}  // namespace carom::scene
