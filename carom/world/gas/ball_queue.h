// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace carom::world {

// One time for each of a fixed number of balls, and the least of them.
//
// A tree in which each node is the least of eight children that lie in one cache line. Setting a
// time costs a line or two unless the ball was or becomes the first of many: then one line a level,
// log8 N of them. Equal times are ordered by the ball's number. Nothing is moved or allocated after
// reset(). Times may be infinite, not NaN.
class BallQueue {
public:
    static constexpr double k_never = std::numeric_limits<double>::infinity();

    struct First {
        double time;
        std::uint32_t ball;
    };

    // All balls at k_never.
    void reset(std::size_t count) {
        lines_.clear();
        begins_.fill(0);
        levels_ = 0;
        std::size_t total = 0;
        for (std::size_t nodes = std::max<std::size_t>(count, 1);; nodes = (nodes + 7) / 8) {
            begins_[levels_++] = total;
            total += (nodes + 7) / 8;
            if (nodes <= 8) break;
        }
        lines_.resize(total);
    }

    double time(std::uint32_t ball) const { return lines_[ball / 8].t[ball % 8]; }

    void set(std::uint32_t ball, double time) {
        std::size_t node = ball;
        double least = time;
        for (std::size_t level = 0;; ++level) {
            const std::size_t up = node / 8;
            Line& line = lines_[begins_[level] + up];
            const double old = line.t[node % 8];
            line.t[node % 8] = least;
            if (level + 1 == levels_) return;
            const double parent = lines_[begins_[level + 1] + up / 8].t[up % 8];
            if (!(least < parent)) {
                if (old > parent) return;
                least = least_of(line);
                if (least == parent) return;
            }
            node = up;
        }
    }

    First first() const {
        std::size_t node = 0;
        const double time = least_of(lines_.back());
        for (std::size_t level = levels_; level-- > 0;)
            node = 8 * node + place_of(lines_[begins_[level] + node], time);
        return {time, static_cast<std::uint32_t>(node)};
    }

    std::size_t bytes() const { return lines_.capacity() * sizeof(Line); }

private:
    struct alignas(64) Line {
        std::array<double, 8> t;
        Line() { t.fill(k_never); }
    };

    static double least_of(const Line& line) {
        const auto& t = line.t;
        const double a = std::min(std::min(t[0], t[1]), std::min(t[2], t[3]));
        const double b = std::min(std::min(t[4], t[5]), std::min(t[6], t[7]));
        return std::min(a, b);
    }

    // The first place that holds the time; pre: one does. Without branches: which one is anyone's
    // guess.
    static std::size_t place_of(const Line& line, double time) {
        unsigned found = 0;
#if defined(__SSE2__)
        const __m128d wanted = _mm_set1_pd(time);
        for (unsigned i = 0; i < 8; i += 2) {
            const __m128d two = _mm_load_pd(&line.t[i]);
            found |= static_cast<unsigned>(_mm_movemask_pd(_mm_cmpeq_pd(two, wanted))) << i;
        }
#else
        for (unsigned i = 0; i < 8; ++i)
            found |= static_cast<unsigned>(line.t[i] == time) << i;
#endif
        return static_cast<std::size_t>(std::countr_zero(found));
    }

    std::vector<Line> lines_;  // the balls', then each level above, one line last
    std::array<std::size_t, 24> begins_{};
    std::size_t levels_ = 0;
};

}  // namespace carom::world
