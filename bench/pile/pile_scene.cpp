// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "pile_scene.h"

#include <cmath>

namespace carom::bench {
namespace {

// A pattern without repetition: fractional parts of multiples of irrational numbers.
double pattern(int i, double irrational) {
    const double x = i * irrational;
    return x - std::floor(x);
}

}  // namespace

PileScene make_pile(int bodies) {
    PileScene scene;
    const double pitch = 1.5 * scene.size;
    const int across = static_cast<int>(scene.width / pitch);
    for (int i = 0; i < bodies; ++i) {
        const int layer = i / (across * across);
        const int row = i / across % across;
        const int column = i % across;
        const auto place = [&](int k, double x) {
            return (k - 0.5 * (across - 1)) * pitch + 0.2 * scene.size * (x - 0.5);
        };
        PileBody body;
        body.sphere = (layer + row + column) % 2 == 0;
        body.position = {place(column, pattern(i, 0.6180339887)),
                         place(row, pattern(i, 0.7548776662)),
                         scene.size + layer * 1.8 * scene.size};
        body.axis = Vec3(pattern(i, 0.5698402910) - 0.5, pattern(i, 0.8191725134) - 0.5,
                         pattern(i, 0.6710436067) - 0.5)
                        .normalized();
        body.angle = 0.6 * pattern(i, 0.4142135624);
        scene.bodies.push_back(body);
    }
    return scene;
}

}  // namespace carom::bench
