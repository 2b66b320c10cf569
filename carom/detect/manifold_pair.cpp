// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/manifold_pair.h"

#include <algorithm>
#include <cmath>

#include "carom/detect/core.h"
#include "carom/detect/penetration.h"
#include "carom/detect/segments.h"
#include "carom/detect/tolerances.h"

namespace carom::detect {
namespace {

using shape::Convex;
using shape::Pose;

// Two normals that differ by less are the same: the gap differs by its square. Larger: the normal
// of overlapping round bodies may be wrong by so much.
constexpr double k_same_normal = 1e-8;
// Faces with a smaller slope against each other are parallel: their edges cross along the normal of
// one of them. Larger: the normal may jump by so much when the face is given up.
constexpr double k_level_slope = 0.02;
// Edges with a smaller sine between them are parallel: their cross product has lost its digits.
// Larger: more pairs of edges go by separation(), which is slower.
constexpr double k_parallel = 1e-4;
// Overlap that needs no proof of being the least, of the smaller body's size: corners that touch
// keep the normal with which they came. Larger: of thinner bodies a wrong normal may be kept.
constexpr double k_negligible = 1e-7;

// A frame that turns z to the normal, its other axes held by those of a body.
Mat3 contact_frame(const Vec3& n, const Mat3& R) {
    Eigen::Index least = 0;
    (R.transpose() * n).cwiseAbs().minCoeff(&least);
    const Vec3 axis = R.col(least);
    const Vec3 x = (axis - n.dot(axis) * n).normalized();
    Mat3 T;
    T.row(0) = x;
    T.row(1) = n.cross(x);
    T.row(2) = n;
    return T;
}

Code code_of(Feature f) {
    switch (f.kind) {
        case FeatureKind::vertex:
            return vertex_code(f.index);
        case FeatureKind::edge:
            return edge_code(f.index);
        default:
            return 0;
    }
}

// Whether a piece lies across the normal, nearly.
bool level(const Outline& o) {
    if (o.area()) return o.kx * o.kx + o.ky * o.ky <= k_level_slope * k_level_slope;
    const Vec3 way = o.corner[1] - o.corner[0];
    return std::abs(way.z()) <= k_level_slope * way.head<2>().norm();
}

bool is_point(Feature f) {
    return f.kind == FeatureKind::vertex || f.kind == FeatureKind::apex ||
           f.kind == FeatureKind::end;
}
bool is_flat(Feature f) {
    return f.kind == FeatureKind::face || f.kind == FeatureKind::cap;
}

void add_vertices(const PlacedBody& body, const Mat3& T, bool body_is_a, const Outline& other,
                  double border, Candidates& all) {
    if (body.polyhedron() == nullptr || body.box() || !other.area()) return;
    facing_vertices(*body.polyhedron(), body.vertex(), T * body.R(), T * body.t(), body_is_a, other,
                    border, all);
}

// What is known of the differences b - a of points of two bodies that overlap by `depth` along the
// normal. The largest of them along a unit vector is how far A has to go that way to be free of B.
//     There is one at `depth` along the normal; and a disc of them across it, of the radius
//     `beside`
// at the height `mean`. So at the angle p to the normal the way out is at least  depth cos p  and
// at least  mean cos p + beside sin p.  By the time the second is as large as the depth the first
// has lost half the square of (depth - mean) / beside.
//     Beyond the right angle it takes a point on the far side: `behind` below zero, and `aside`
// across. A share `far` of it is mixed with the disc such that the way out is at least the depth
// both against the normal and across.
struct Known {
    double depth, mean, beside, behind, aside;

    bool least() const {
        if (!(depth - mean <= k_level_slope * beside && behind >= depth)) return false;
        const double far = 2.0 * depth / (behind + depth);
        return (1.0 - far) * beside - far * aside >= depth;
    }
};

// Whether no normal parts the bodies with less than `depth`, as far as the points in front of a
// face tell: those no higher than `height`. `middle` is a place inside the other body, `sign` the z
// direction that the face looks to.
bool is_least_way_out(const Candidates& all, double height, const Outline& face, double sign,
                      const Vec3& middle, double depth) {
    Vec2 sum = Vec2::Zero();
    double gaps = 0.0;
    int count = 0;
    for (int i = 0; i < all.count(); ++i) {
        if (all[i].gap() > height) continue;
        sum += all[i].a.head<2>();
        gaps += all[i].gap();
        ++count;
    }
    const Vec2 mean = sum / count;
    return Known{depth, -gaps / count, face.inside(mean.x(), mean.y()),
                 sign * (middle.z() - face.height(middle.x(), middle.y())),
                 (middle.head<2>() - mean).norm()}
        .least();
}

// The same by all of the points, or else by the deepest of them.
bool is_least_way_out(const Candidates& all, const Outline& face, double sign, const Vec3& middle,
                      double depth) {
    const double most = all.within();
    if (is_least_way_out(all, most, face, sign, middle, depth)) return true;
    const double deep = all.least() + k_face * most;
    return deep < most && is_least_way_out(all, deep, face, sign, middle, depth);
}

}  // namespace

ManifoldPair::ManifoldPair(const Convex& A, const Pose& pose_A, const Convex& B, const Pose& pose_B,
                           double within, PairMemory& memory, Manifold& out)
    : pose_A_(pose_A),
      pose_B_(pose_B),
      A_(A, pose_A.orientation.toRotationMatrix(), Vec3::Zero(), vertex_at(A, memory.features.a)),
      B_(B, pose_B.orientation.toRotationMatrix(), pose_B.position - pose_A.position,
         vertex_at(B, memory.features.b)),
      within_(within),
      memory_(memory),
      out_(out) {}

void ManifoldPair::find() {
    if (by_faces() || by_edges() || by_shifting()) return;
    by_separation();
}

void ManifoldPair::on_plane(const shape::HalfSpace& plane) {
    const Vec3 n = pose_B_.rotate(plane.normal);
    out_.normal = n;
    const double level = n.dot(B_.t());
    if (n.dot(A_.farthest(-n)) - level > within_) return;
    const Mat3 T = contact_frame(n, A_.R());
    Outline a, b;
    A_.outline(A_.piece(-n), T, -1.0, a);
    b.kind = Outline::Kind::polygon;
    b.k0 = level;
    b.kx = b.ky = 0.0;
    Candidates all(within_);
    const double border = k_border * A_.size();
    facing_patch(a, b, border, all);
    add_vertices(A_, T, true, b, border, all);
    remember_vertices();
    give(all, T);
}

ManifoldPair::Front ManifoldPair::front_of_b(const Vec3& near) {
    Front f;
    f.of_b = true;
    B_.farthest(near);
    f.piece = B_.piece(near);
    if (!f.piece.flat()) return f;
    f.n = B_.rotated(f.piece.normal);
    f.gap = f.n.dot(A_.farthest(-f.n)) - B_.level(f.piece, f.n);
    return f;
}

ManifoldPair::Front ManifoldPair::front_of_a(const Vec3& near) {
    Front f;
    A_.farthest(-near);
    f.piece = A_.piece(-near);
    if (!f.piece.flat()) return f;
    f.n = -A_.rotated(f.piece.normal);
    f.gap = -A_.level(f.piece, -f.n) - f.n.dot(B_.farthest(f.n));
    return f;
}

bool ManifoldPair::by_faces() {
    const Vec3 near = pose_A_.rotate(memory_.normal_A);
    out_.normal = near;
    const Front b = front_of_b(near);
    const Front a = front_of_a(near);
    // faces that lie flat on each other are equally good: do not let rounding choose
    const bool b_first = b.gap >= a.gap - rounding();
    const Front& first = b_first ? b : a;
    best_front_ = std::max(a.gap, b.gap);
    if (first.gap > within_) {
        remember(first.n);
        return true;
    }
    return try_front(first) || try_front(b_first ? a : b);
}

bool ManifoldPair::try_front(const Front& f) {
    if (!(f.gap >= -within_ && f.gap <= within_)) return false;
    const Mat3 T = contact_frame(f.n, A_.R());
    Candidates all(within_);
    Outline a, b;
    if (f.of_b) {
        A_.farthest(-f.n);
        A_.outline(A_.piece(-f.n), T, -1.0, a);
        B_.outline(f.piece, T, 1.0, b);
    } else {
        B_.farthest(f.n);
        A_.outline(f.piece, T, -1.0, a);
        B_.outline(B_.piece(f.n), T, 1.0, b);
    }
    patch(a, b, T, all);
    if (all.count() == 0) return false;
    // above the face, or beside it on a piece that is level with it
    const double unsure = all.least() - f.gap;
    if (unsure > rounding() && !(unsure <= k_face * within_ && level(a) && level(b))) return false;
    if (f.gap < -negligible() && !known_least(-f.gap) &&
        !is_least_way_out(all, f.of_b ? b : a, f.of_b ? 1.0 : -1.0, T * (f.of_b ? A_ : B_).middle(),
                          -f.gap)) {
        doubted_ = true;
        return false;
    }
    remember(f.n);
    remember_vertices();
    give(all, T);
    return true;
}

// The two edges of the last query, if they still are what is closest or deepest.
bool ManifoldPair::by_edges() {
    const Feature ea = memory_.features.a;
    const Feature eb = memory_.features.b;
    if (ea.kind != FeatureKind::edge || eb.kind != FeatureKind::edge) return false;
    if (A_.polyhedron() == nullptr || B_.polyhedron() == nullptr) return false;
    const auto& edge_a = A_.polyhedron()->edge(ea.index);
    const auto& edge_b = B_.polyhedron()->edge(eb.index);
    const Vec3 across = A_.rotated(edge_a.direction).cross(B_.rotated(edge_b.direction));
    const double sine = across.norm();
    if (!(sine > k_parallel)) return false;
    Vec3 n = across / sine;
    if (n.dot(pose_A_.rotate(memory_.normal_A)) < 0.0) n = -n;
    const auto on_a = [&](Index v) { return A_.placed(A_.polyhedron()->vertex(v)); };
    const auto on_b = [&](Index v) { return B_.placed(B_.polyhedron()->vertex(v)); };
    const SegmentPoints p = closest_on_segments(on_a(edge_a.tail), on_a(edge_a.head),
                                                on_b(edge_b.tail), on_b(edge_b.head));
    if (!(p.s > 0.0 && p.s < 1.0 && p.t > 0.0 && p.t < 1.0)) return false;
    if (n.dot(p.on_first - A_.farthest(-n)) > rounding()) return false;
    if (n.dot(B_.farthest(n) - p.on_second) > rounding()) return false;
    const double gap = n.dot(p.on_first - p.on_second);
    if (gap < 0.0 && (gap < -within_ || best_front_ > gap + rounding())) return false;
    if (gap < -negligible()) {
        // both points can go along their edges
        const double along_a = std::min(p.s, 1.0 - p.s) * edge_a.length;
        const double along_b = std::min(p.t, 1.0 - p.t) * edge_b.length;
        const Vec3 to_middle = A_.middle() - p.on_second;
        const double behind = n.dot(to_middle);
        const Known known{-gap, -gap, sine * std::min(along_a, along_b), behind,
                          (to_middle - behind * n).norm()};
        if (!known.least()) {
            doubted_ = true;
            return false;
        }
    }
    remember(n);
    if (gap > within_) return true;
    along(n, {p.on_first, p.on_second, gap, ea, eb});
    return true;
}

// Bodies that overlap a little near the last normal: which normal n do they have when they are
// moved apart along it? Where it is the same n, the overlap along n is stationary. The map
// contracts as the shift over the radius of curvature. That it is the least of several such n has
// to be shown.
bool ManifoldPair::by_shifting() {
    if (doubted_) return false;
    Vec3 n = pose_A_.rotate(memory_.normal_A);
    const auto gap_along = [&] { return n.dot(A_.farthest(-n) - B_.farthest(n)); };
    const double near = gap_along();
    if (near > within_) return true;
    if (!(near < 0.0 && near >= -within_)) return false;
    // the cores of round bodies are still apart
    if (core_radius(A_.convex()) + core_radius(B_.convex()) > within_) return false;
    constexpr int k_most = 8;
    PairMemory memory = memory_;
    for (int i = 0; i < k_most; ++i) {
        const Vec3 shift = 2.0 * within_ * n;
        const Pose apart{pose_A_.position + shift, pose_A_.orientation};
        const Separation s = separation(A_.convex(), apart, B_.convex(), pose_B_, memory);
        if (s.overlap) return false;
        const bool same = (s.normal - n).norm() <= k_same_normal;
        n = s.normal;
        if (!same) continue;
        const double gap = gap_along();
        if (gap < -negligible() && !is_least(s, shift, -gap)) return false;
        memory_ = memory;
        out_.normal = n;
        if (gap > within_) return true;
        along(n,
              {s.point_a - shift - pose_A_.position, s.point_b - pose_A_.position, gap, s.a, s.b});
        return true;
    }
    return false;
}

// Whether the normal of the two closest points, A being moved by `shift`, is the least way out.
// Balls in the bodies that touch their surfaces there from inside make one of the sum of their
// radii among the differences of points; if that is larger than the depth, so is every way out.
bool ManifoldPair::is_least(const Separation& s, const Vec3& shift, double depth) const {
    const double ball = A_.inner_radius(s.point_a - shift - pose_A_.position, -s.normal) +
                        B_.inner_radius(s.point_b - pose_A_.position, s.normal);
    if (ball >= depth) return true;
    if (core_radius(A_.convex()) + core_radius(B_.convex()) > 0.0) return false;
    const Pose B_in_A{pose_A_.rotate_inverse(pose_B_.position - pose_A_.position),
                      pose_A_.orientation.conjugate() * pose_B_.orientation};
    return is_least_depth(A_.convex(), B_.convex(), B_in_A, pose_A_.rotate_inverse(s.normal),
                          depth);
}

void ManifoldPair::by_separation() {
    const Vec3 last = memory_.normal_A;
    const Vec3 near = pose_A_.rotate(last);
    Separation s = separation(A_.convex(), pose_A_, B_.convex(), pose_B_, memory_);
    if (std::abs(s.distance) <= rounding() &&
        near.dot(A_.farthest(-near) - B_.farthest(near)) >= -rounding()) {
        // corners that touch have many normals, and rounding would choose
        s.normal = near;
        memory_.normal_A = last;
    }
    out_.normal = s.normal;
    if (s.a.kind == FeatureKind::edge && s.b.kind == FeatureKind::edge) {
        memory_.features = {s.a, s.b};
    }
    if (s.distance > within_) return;
    least_depth_ = -s.distance;
    // where corners or parallel edges are closest their line is lost in rounding
    if ((doubted_ || (memory_.normal_A - last).norm() > k_same_normal) && by_faces()) return;
    along(s.normal,
          {s.point_a - pose_A_.position, s.point_b - pose_A_.position, s.distance, s.a, s.b});
}

void ManifoldPair::outlines(const Vec3& n, const Mat3& T, const Closest& closest, Outline& a,
                            Outline& b) {
    const Feature of_a = closest.of_a;
    const Feature of_b = closest.of_b;
    if ((is_point(of_a) && !is_flat(of_b)) || (is_point(of_b) && !is_flat(of_a))) return;
    if (of_a.kind == FeatureKind::edge && of_b.kind == FeatureKind::edge) {
        const Vec3 u = A_.rotated(A_.polyhedron()->edge(of_a.index).direction);
        const Vec3 v = B_.rotated(B_.polyhedron()->edge(of_b.index).direction);
        if (!(u.cross(v).norm() > k_parallel)) {
            A_.edge_outline(of_a.index, T, a);
            B_.edge_outline(of_b.index, T, b);
            return;
        }
    }
    A_.farthest(-n);
    B_.farthest(n);
    A_.outline(A_.piece(-n), T, -1.0, a);
    B_.outline(B_.piece(n), T, 1.0, b);
}

void ManifoldPair::along(const Vec3& n, const Closest& closest) {
    const Mat3 T = contact_frame(n, A_.R());
    Candidates all(within_);
    Outline a, b;
    outlines(n, T, closest, a, b);
    patch(a, b, T, all);
    if (!(all.least() <= closest.gap + k_face * within_)) {
        all.put(T * closest.a, T * closest.b, code_of(closest.of_a), code_of(closest.of_b));
    }
    out_.normal = n;
    give(all, T);
}

void ManifoldPair::patch(const Outline& a, const Outline& b, const Mat3& T, Candidates& all) const {
    const double border = k_border * std::min(A_.size(), B_.size());
    facing_patch(a, b, border, all);
    add_vertices(A_, T, true, b, border, all);
    add_vertices(B_, T, false, a, border, all);
}

void ManifoldPair::give(const Candidates& all, const Mat3& T) {
    std::array<int, k_most_points> chosen;
    out_.count = chosen_points(all, chosen);
    for (int i = 0; i < out_.count; ++i) {
        const Candidate& c = all[chosen[static_cast<std::size_t>(i)]];
        out_.points[static_cast<std::size_t>(i)] = {pose_A_.position + T.transpose() * c.a,
                                                    pose_A_.position + T.transpose() * c.b, c.gap(),
                                                    c.id};
    }
}

void ManifoldPair::remember(const Vec3& n) {
    out_.normal = n;
    memory_.normal_A = pose_A_.rotate_inverse(n);
}

void ManifoldPair::remember_vertices() {
    if (A_.polyhedron() != nullptr) memory_.features.a = {FeatureKind::vertex, A_.vertex()};
    if (B_.polyhedron() != nullptr) memory_.features.b = {FeatureKind::vertex, B_.vertex()};
}

bool ManifoldPair::known_least(double depth) const {
    return depth <= (1.0 + k_least_depth) * least_depth_ + rounding();
}

double ManifoldPair::negligible() const {
    return k_negligible * std::min(A_.size(), B_.size());
}

double ManifoldPair::rounding() const {
    return k_tolerances.certificate * (A_.size() + B_.size() + B_.t().norm());
}

}  // namespace carom::detect
