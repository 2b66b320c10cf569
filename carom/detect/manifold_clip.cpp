// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/manifold_clip.h"

#include <algorithm>
#include <cmath>

namespace carom::detect {
namespace {

// A side of a polygon: inward unit normal and offset, seen along z.
struct Side {
    double x, y, offset;
    Code code;
    double at(double px, double py) const { return x * px + y * py - offset; }
};

Side side_of(const Outline& polygon, int i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec3& p = polygon.corner[k];
    const Vec3& q = polygon.corner[i + 1 < polygon.count ? k + 1 : 0];
    const double dx = q.x() - p.x();
    const double dy = q.y() - p.y();
    const double inverse = 1.0 / std::sqrt(dx * dx + dy * dy);
    Side s{-dy * inverse, dx * inverse, 0.0, polygon.edge[k]};
    s.offset = s.x * p.x() + s.y * p.y();
    return s;
}

// Where the way from a place at `in` to one at `out` < -border leaves a side: on it, or on its
// border if the place inside is in between.
double leaving(double in, double out, double border) {
    return (in > 0.0 ? in : in + border) / (in - out);
}

// A corner of the common part of two polygons, the line that leads on from it and the one that led
// to it: that of A from its corner i, or that of B, numbered after those of A.
struct Corner {
    double x, y;
    int line, before;
};

class Clipping {
public:
    Clipping(const Outline& A, const Outline& B, double border) : A_(A), B_(B), border_(border) {
        count_ = A.count;
        for (int i = 0; i < count_; ++i) {
            const Vec3& p = A.corner[static_cast<std::size_t>(i)];
            now_[static_cast<std::size_t>(i)] = {p.x(), p.y(), i, 0};
        }
    }

    // Sutherland and Hodgman's way: A cut by one side of B after the other.
    void run(Candidates& out) {
        for (int i = 0; i < B_.count && count_ > 0; ++i)
            cut(side_of(B_, i), A_.count + i);
        for (int i = 0; i < count_; ++i)
            at(i).before = at(i > 0 ? i - 1 : count_ - 1).line;
        merge();
        for (int i = 0; i < count_; ++i)
            put(at(i), out);
    }

private:
    Corner& at(int i) { return now_[static_cast<std::size_t>(i)]; }

    void cut(const Side& side, int line) {
        std::array<double, k_room> inside;
        bool all = true;
        for (int i = 0; i < count_; ++i) {
            const double x = side.at(at(i).x, at(i).y);
            inside[static_cast<std::size_t>(i)] = x;
            all = all && x >= -border_;
        }
        if (all) return;
        std::array<Corner, k_room> kept;
        int count = 0;
        for (int i = 0; i < count_; ++i) {
            const int next = i + 1 < count_ ? i + 1 : 0;
            const Corner& p = at(i);
            const Corner& q = at(next);
            const double at_p = inside[static_cast<std::size_t>(i)];
            const double at_q = inside[static_cast<std::size_t>(next)];
            const bool p_in = at_p >= -border_;
            const bool q_in = at_q >= -border_;
            if (p_in) kept[static_cast<std::size_t>(count++)] = p;
            if (p_in == q_in) continue;
            const double s =
                p_in ? leaving(at_p, at_q, border_) : 1.0 - leaving(at_q, at_p, border_);
            kept[static_cast<std::size_t>(count++)] = {p.x + s * (q.x - p.x), p.y + s * (q.y - p.y),
                                                       p_in ? line : p.line, 0};
        }
        count_ = count;
        std::copy_n(kept.begin(), count, now_.begin());
    }

    bool of_a(int line) const { return line < A_.count; }
    // 0 for a vertex of A, 1 for one of B, 2 for a crossing.
    int rank(const Corner& c) const {
        return of_a(c.line) != of_a(c.before) ? 2 : of_a(c.line) ? 0 : 1;
    }
    // Whether two corners fall together in rounding; the better one then becomes the first.
    bool merged(Corner& first, const Corner& second) const {
        const double near = 4.0 * border_;
        if (!(std::abs(first.x - second.x) <= near && std::abs(first.y - second.y) <= near)) {
            return false;
        }
        if (rank(second) < rank(first)) first = second;
        return true;
    }
    void merge() {
        int count = 0;
        for (int i = 0; i < count_; ++i) {
            const Corner c = at(i);
            if (count == 0 || !merged(at(count - 1), c)) at(count++) = c;
        }
        while (count > 1 && merged(at(0), at(count - 1)))
            --count;
        count_ = count;
    }

    void put(const Corner& c, Candidates& out) const {
        const auto a = static_cast<std::size_t>(of_a(c.line) ? c.line : c.before);
        const auto b = static_cast<std::size_t>(
            (of_a(c.line) && !of_a(c.before) ? c.before : c.line) - A_.count);
        switch (rank(c)) {
            case 0: {
                const Vec3& x = A_.corner[a];
                out.put(x, B_.lifted(x.x(), x.y()), A_.vertex[a], 0);
                break;
            }
            case 1: {
                const Vec3& x = B_.corner[b];
                out.put(A_.lifted(x.x(), x.y()), x, 0, B_.vertex[b]);
                break;
            }
            default: {
                // lines that run along each other to rounding may cross twice
                const bool again = out.has(point_id(A_.edge[a], B_.edge[b]));
                out.put(A_.lifted(c.x, c.y), B_.lifted(c.x, c.y), again ? A_.vertex[a] : A_.edge[a],
                        B_.edge[b]);
            }
        }
    }

    static constexpr std::size_t k_room = 2 * k_outline_corners + 2;
    const Outline& A_;
    const Outline& B_;
    double border_;
    int count_;
    std::array<Corner, k_room> now_;
};

void cut_by_polygon(const Outline& polygon, const Vec3& p, const Vec3& q, double border,
                    Span& span) {
    for (int i = 0; i < polygon.count; ++i) {
        const Side side = side_of(polygon, i);
        const double at_p = side.at(p.x(), p.y());
        const double at_q = side.at(q.x(), q.y());
        if (at_p < -border && at_q < -border) {
            span.high = -1.0;
            return;
        }
        if (at_p < -border) {
            const double s = 1.0 - leaving(at_q, at_p, border);
            if (s > span.low) {
                span.low = s;
                span.cut_low = side.code;
            }
        } else if (at_q < -border) {
            const double s = leaving(at_p, at_q, border);
            if (s < span.high) {
                span.high = s;
                span.cut_high = side.code;
            }
        }
    }
}

void cut_by_disc(const Outline& disc, const Vec3& p, const Vec3& q, double border, Span& span) {
    const Vec3 from = disc.lifted(p.x(), p.y()) - disc.center;
    const Vec3 way = disc.lifted(q.x(), q.y()) - disc.center - from;
    const double a = way.squaredNorm();
    const double b = from.dot(way);
    const double reach = disc.radius + border;
    const double c = from.squaredNorm() - disc.radius * disc.radius;
    const double root = b * b - a * c;
    if (!(root > 0.0) || !(a > 0.0)) {
        span.high = -1.0;
        return;
    }
    const double low = (-b - std::sqrt(root)) / a;
    const double high = (-b + std::sqrt(root)) / a;
    if (from.squaredNorm() > reach * reach && low > span.low) {
        span.low = low;
        span.cut_low = edge_code(disc.first);
    }
    if ((from + way).squaredNorm() > reach * reach && high < span.high) {
        span.high = high;
        span.cut_high = edge_code(disc.first + 1);
    }
}

}  // namespace

Span span_above(const Outline& area, const Vec3& p, const Vec3& q, double border) {
    Span span;
    if (area.kind == Outline::Kind::disc) {
        cut_by_disc(area, p, q, border, span);
    } else {
        cut_by_polygon(area, p, q, border, span);
    }
    return span;
}

namespace {

// Whether a polygon lies inside the other one, so far that none of their lines run together.
bool is_inside(const Outline& inner, const Outline& outer, double border) {
    for (int i = 0; i < outer.count; ++i) {
        const Side side = side_of(outer, i);
        for (int k = 0; k < inner.count; ++k) {
            const Vec3& p = inner.corner[static_cast<std::size_t>(k)];
            if (!(side.at(p.x(), p.y()) > 4.0 * border)) return false;
        }
    }
    return true;
}

// The corners of B, which lies inside A.
void put_corners(const Outline& B, const Outline& A, Candidates& out) {
    for (int i = 0; i < B.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const Vec3& x = B.corner[k];
        out.put(A.lifted(x.x(), x.y()), x, 0, B.vertex[k]);
    }
}

}  // namespace

void polygon_on_polygon(const Outline& A, const Outline& B, double border, Candidates& out) {
    // to cut a polygon by many sides takes long, to see that it need not be cut does not
    constexpr int k_many = 8;
    if (B.count > k_many && is_inside(B, A, border)) {
        put_corners(B, A, out);
    } else {
        Clipping(A, B, border).run(out);
    }
}

}  // namespace carom::detect
