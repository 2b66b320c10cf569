// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/vclip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "carom/detect/segments.h"

namespace carom::detect {
namespace {

using shape::Polyhedron;

enum class Step { on, done, overlap };

// x_other = R x + t for the points of one body as the other sees them.
struct Frame {
    Mat3 R;
    Vec3 t;
    Vec3 point(const Vec3& x) const { return R * x + t; }
};

// An edge clipped by a region: the part [low, high] of it that is inside, and the neighbours across
// the planes that cut it.
struct Clip {
    double low = 0.0, high = 1.0;
    Feature across_low, across_high;
    bool cut_low = false, cut_high = false;
    bool excluded = false;  // by one plane: across_low is its neighbour
    bool empty() const { return low > high; }

    void plane(const Vec3& normal, const Vec3& anchor, Feature neighbour, const Vec3& tail,
               const Vec3& head) {
        if (excluded) return;
        const double at_tail = normal.dot(tail - anchor);
        const double at_head = normal.dot(head - anchor);
        if (at_tail < 0.0 && at_head < 0.0) {
            excluded = true;
            across_low = across_high = neighbour;
        } else if (at_tail < 0.0) {
            const double x = at_tail / (at_tail - at_head);
            if (x > low) {
                low = x;
                across_low = neighbour;
                cut_low = true;
            }
        } else if (at_head < 0.0) {
            const double x = at_tail / (at_tail - at_head);
            if (x < high) {
                high = x;
                across_high = neighbour;
                cut_high = true;
            }
        }
    }
};

// The most violated plane of a region.
struct Violation {
    double worst = 0.0;
    Feature neighbour;
    void plane(const Vec3& normal, const Vec3& anchor, Feature across, const Vec3& x) {
        const double inside = normal.dot(x - anchor);
        if (inside < worst) {
            worst = inside;
            neighbour = across;
        }
    }
    bool any() const { return worst < 0.0; }
};

double face_distance(const Polyhedron& body, Index f, const Vec3& x) {
    const auto& face = body.face(f);
    return face.normal.dot(x - body.vertex(body.tail(body.boundary(f)[0])));
}
template <class Body>
double face_distance(const Body& /*body*/, Index /*f*/, const Vec3& /*x*/) {
    return 0.0;
}
Vec3 face_normal(const Polyhedron& body, Index f) {
    return body.face(f).normal;
}
template <class Body>
Vec3 face_normal(const Body& /*body*/, Index /*f*/) {
    return Vec3::Zero();
}

// The slope of the distance from a neighbour (vertex or face) along an edge with direction u, at x.
template <class Body>
double slope_from(const Body& body, Feature neighbour, const Vec3& x, const Vec3& u) {
    if (neighbour.kind == FeatureKind::vertex) return u.dot(x - vertex_of(body, neighbour.index));
    const double along = u.dot(face_normal(body, neighbour.index));
    return face_distance(body, neighbour.index, x) >= 0.0 ? along : -along;
}

// Turns a feature to its neighbour where the distance still falls beyond a cut; true if it did.
template <class Slope>
bool leave(Feature& feature, const Clip& clip, Slope&& slope) {
    if (clip.excluded) {
        feature = clip.across_low;
        return true;
    }
    if (clip.cut_low && slope(clip.low, clip.across_low) > 0.0) {
        feature = clip.across_low;
        return true;
    }
    if (clip.cut_high && slope(clip.high, clip.across_high) < 0.0) {
        feature = clip.across_high;
        return true;
    }
    if (clip.empty()) {
        // outside by two planes together: rounding hides the slope
        feature = clip.across_low;
        return true;
    }
    return false;
}

// One side of the walk: whether the feature of body P may stay, given the other body's feature in
// P's frame.
template <class P>
struct Side {
    const P& body;
    Feature& feature;

    bool vertex_left_by_vertex(const Vec3& x) {
        Violation v;
        vertex_planes(body, feature.index,
                      [&](const Vec3& n, const Vec3& a, Feature f) { v.plane(n, a, f, x); });
        return take(v);
    }
    bool edge_left_by_vertex(const Vec3& x) {
        Violation v;
        const auto add = [&](const Vec3& n, const Vec3& a, Feature f) { v.plane(n, a, f, x); };
        edge_end_planes(body, feature.index, add);
        edge_face_planes(body, feature.index, add);
        return take(v);
    }
    bool face_left_by_vertex(const Vec3& x) {
        Violation v;
        face_planes(body, feature.index,
                    [&](const Vec3& n, const Vec3& a, Feature f) { v.plane(n, a, f, x); });
        return take(v);
    }
    // Leaves a vertex for its steepest edge against n, if one goes that way.
    bool descends(const Vec3& n) {
        // level edges stay level in either body's frame
        constexpr double k_level = 1e-14;
        Violation v;
        v.worst = -k_level;
        // the inner side of a vertex's planes is against its edges
        const Vec3 x = vertex_of(body, feature.index) - n;
        vertex_planes(body, feature.index,
                      [&](const Vec3& m, const Vec3& a, Feature f) { v.plane(m, a, f, x); });
        if (!(v.worst < -k_level)) return false;
        return take(v);
    }
    bool vertex_left_by_edge(const Vec3& tail, const Vec3& head) {
        Clip clip;
        vertex_planes(body, feature.index, [&](const Vec3& n, const Vec3& a, Feature f) {
            clip.plane(n, a, f, tail, head);
        });
        const Vec3 u = head - tail;
        const Vec3& v = vertex_of(body, feature.index);
        return leave(feature, clip,
                     [&](double x, Feature /*f*/) { return u.dot(tail + x * u - v); });
    }
    bool edge_left_by_edge(const Vec3& tail, const Vec3& head) {
        const Vec3 u = head - tail;
        const auto slope = [&](double x, Feature f) {
            return slope_from(body, f, Vec3(tail + x * u), u);
        };
        Clip clip;
        const auto cut = [&](const Vec3& n, const Vec3& a, Feature f) {
            clip.plane(n, a, f, tail, head);
        };
        const Index e = feature.index;
        edge_end_planes(body, e, cut);
        if (leave(feature, clip, slope)) return true;
        // what the ends have cut off needs no second look
        clip.cut_low = clip.cut_high = false;
        edge_face_planes(body, e, cut);
        return leave(feature, clip, slope);
    }

private:
    bool take(const Violation& v) {
        if (v.any()) feature = v.neighbour;
        return v.any();
    }
};

template <class P, class Q>
class Walk {
public:
    Walk(const P& p, const Q& q, const Frame& q_in_p, const Frame& p_in_q, FeaturePair& features)
        : p_(p), q_(q), q_in_p_(q_in_p), p_in_q_(p_in_q), pair_(features) {}

    VclipResult run() {
        constexpr int k_most = 400;
        for (int i = 0; i < k_most; ++i) {
            const Step step = next();
            if (step == Step::on) continue;
            VclipResult result = step == Step::done ? closest() : overlapping();
            if (!(result.distance > 0.0)) result.overlap = true;
            result.steps = i;
            return result;
        }
        VclipResult result = overlapping();
        result.settled = false;
        result.steps = k_most;
        return result;
    }

private:
    using Kind = FeatureKind;

    Step next() {
        Side<P> a{p_, pair_.a};
        Side<Q> b{q_, pair_.b};
        const Kind ka = pair_.a.kind;
        const Kind kb = pair_.b.kind;
        if (ka == Kind::vertex && kb == Kind::vertex) return vertex_vertex(a, b);
        if (ka == Kind::vertex && kb == Kind::edge) return vertex_edge(a, b, p_in_q_, q_in_p_);
        if (ka == Kind::edge && kb == Kind::vertex) return vertex_edge(b, a, q_in_p_, p_in_q_);
        if (ka == Kind::edge && kb == Kind::edge) return edge_edge(a, b);
        if (ka == Kind::vertex && kb == Kind::face) return vertex_face(a, b, p_in_q_);
        if (ka == Kind::face && kb == Kind::vertex) return vertex_face(b, a, q_in_p_);
        if (ka == Kind::edge && kb == Kind::face) return edge_face(a, b, p_in_q_);
        if (ka == Kind::face && kb == Kind::edge) return edge_face(b, a, q_in_p_);
        // two faces: start from a vertex of one
        if constexpr (std::is_same_v<P, Polyhedron>) {
            pair_.a = {Kind::vertex, p_.tail(p_.boundary(pair_.a.index)[0])};
        }
        return Step::on;
    }

    Step vertex_vertex(Side<P>& a, Side<Q>& b) {
        const Vec3 x = p_in_q_.point(vertex_of(p_, a.feature.index));
        if (b.vertex_left_by_vertex(x)) return Step::on;
        const Vec3 y = q_in_p_.point(vertex_of(q_, b.feature.index));
        if (a.vertex_left_by_vertex(y)) return Step::on;
        return Step::done;
    }

    // The vertex is body V's, the edge body E's; v_in_e takes V's points to E's frame.
    template <class V, class E>
    static Step vertex_edge(Side<V>& v, Side<E>& e, const Frame& v_in_e, const Frame& e_in_v) {
        const Vec3 x = v_in_e.point(vertex_of(v.body, v.feature.index));
        const EdgeEnds ends = ends_of(e.body, e.feature.index);
        if (e.edge_left_by_vertex(x)) return Step::on;
        const Vec3 tail = e_in_v.point(vertex_of(e.body, ends.tail));
        const Vec3 head = e_in_v.point(vertex_of(e.body, ends.head));
        return v.vertex_left_by_edge(tail, head) ? Step::on : Step::done;
    }

    Step edge_edge(Side<P>& a, Side<Q>& b) {
        const EdgeEnds ea = ends_of(p_, a.feature.index);
        const EdgeEnds eb = ends_of(q_, b.feature.index);
        if (a.edge_left_by_edge(q_in_p_.point(vertex_of(q_, eb.tail)),
                                q_in_p_.point(vertex_of(q_, eb.head)))) {
            return Step::on;
        }
        return b.edge_left_by_edge(p_in_q_.point(vertex_of(p_, ea.tail)),
                                   p_in_q_.point(vertex_of(p_, ea.head)))
                   ? Step::on
                   : Step::done;
    }

    template <class V, class F>
    static Step vertex_face(Side<V>& v, Side<F>& f, const Frame& v_in_f) {
        const Vec3 x = v_in_f.point(vertex_of(v.body, v.feature.index));
        if (f.face_left_by_vertex(x)) return Step::on;
        const double height = face_distance(f.body, f.feature.index, x);
        if (!(height > 0.0)) return leave_local_minimum(f, x);
        // an edge that leads down to the face?
        const Vec3 n = v_in_f.R.transpose() * face_normal(f.body, f.feature.index);
        return v.descends(n) ? Step::on : Step::done;
    }

    // The vertex lies behind the face: go to the face it is farthest in front of, if any.
    template <class F>
    static Step leave_local_minimum(Side<F>& f, const Vec3& x) {
        if constexpr (std::is_same_v<F, Polyhedron>) {
            double best = 0.0;
            for (Index i = 0; i < f.body.faces().size(); ++i) {
                const double d = face_distance(f.body, i, x);
                if (d <= best) continue;
                best = d;
                f.feature = {Kind::face, i};
            }
            return best > 0.0 ? Step::on : Step::overlap;
        }
        return Step::overlap;
    }

    template <class E, class F>
    static Step edge_face(Side<E>& e, Side<F>& f, const Frame& e_in_f) {
        const EdgeEnds ends = ends_of(e.body, e.feature.index);
        const Vec3 tail = e_in_f.point(vertex_of(e.body, ends.tail));
        const Vec3 head = e_in_f.point(vertex_of(e.body, ends.head));
        const Vec3 u = head - tail;
        Clip clip;
        const Index face = f.feature.index;
        face_planes(f.body, face, [&](const Vec3& n, const Vec3& a, Feature g) {
            clip.plane(n, a, g, tail, head);
        });
        if (clip.excluded || clip.empty()) {
            f.feature = nearest_edge_of_face(f.body, face, tail, head);
            return Step::on;
        }
        const double low = face_distance(f.body, face, Vec3(tail + clip.low * u));
        const double high = face_distance(f.body, face, Vec3(tail + clip.high * u));
        if (low * high <= 0.0) return Step::overlap;
        const double along = u.dot(face_normal(f.body, face));
        if ((low > 0.0 ? along : -along) >= 0.0) {
            if (clip.cut_low) {
                f.feature = clip.across_low;
            } else {
                e.feature = {Kind::vertex, ends.tail};
            }
        } else if (clip.cut_high) {
            f.feature = clip.across_high;
        } else {
            e.feature = {Kind::vertex, ends.head};
        }
        return Step::on;
    }

    template <class F>
    static Feature nearest_edge_of_face(const F& body, Index face, const Vec3& tail,
                                        const Vec3& head) {
        Feature best{Kind::edge, 0};
        double least = std::numeric_limits<double>::infinity();
        face_planes(body, face, [&](const Vec3& /*n*/, const Vec3& /*a*/, Feature edge) {
            const EdgeEnds ends = ends_of(body, edge.index);
            const double d = closest_on_segments(vertex_of(body, ends.tail),
                                                 vertex_of(body, ends.head), tail, head)
                                 .squared;
            if (d < least) {
                least = d;
                best = edge;
            }
        });
        return best;
    }

    static VclipResult overlapping() {
        VclipResult r{};
        r.settled = true;
        r.overlap = true;
        return r;
    }

    // The closest points of the final pair, in P's frame.
    VclipResult closest() const {
        VclipResult r{};
        r.settled = true;
        const Kind ka = pair_.a.kind;
        const Kind kb = pair_.b.kind;
        if (kb == Kind::face) {
            const Vec3 n = q_in_p_.R * face_normal(q_, pair_.b.index);
            r.point_a = vertex_of(p_, pair_.a.index);
            r.distance = face_distance(q_, pair_.b.index, p_in_q_.point(r.point_a));
            r.normal = n;
            r.point_b = r.point_a - r.distance * n;
            return r;
        }
        if (ka == Kind::face) {
            const Vec3 n = face_normal(p_, pair_.a.index);
            r.point_b = q_in_p_.point(vertex_of(q_, pair_.b.index));
            r.distance = face_distance(p_, pair_.a.index, r.point_b);
            r.normal = -n;
            r.point_a = r.point_b - r.distance * n;
            return r;
        }
        const auto [a0, a1] = span_of(p_, pair_.a);
        auto [b0, b1] = span_of(q_, pair_.b);
        b0 = q_in_p_.point(b0);
        b1 = q_in_p_.point(b1);
        const SegmentPoints s = closest_on_segments(a0, a1, b0, b1);
        r.point_a = s.on_first;
        r.point_b = s.on_second;
        const bool crossing = ka == Kind::edge && kb == Kind::edge;
        const Vec3 across =
            crossing ? (a1 - a0).normalized().cross((b1 - b0).normalized()) : Vec3(Vec3::Zero());
        const Unit apart = direction_apart(s, across);
        r.normal = apart.direction;
        r.distance = apart.length;
        return r;
    }

    template <class Body>
    static std::pair<Vec3, Vec3> span_of(const Body& body, Feature f) {
        if (f.kind == Kind::vertex) return {vertex_of(body, f.index), vertex_of(body, f.index)};
        const EdgeEnds ends = ends_of(body, f.index);
        return {vertex_of(body, ends.tail), vertex_of(body, ends.head)};
    }

    const P& p_;
    const Q& q_;
    Frame q_in_p_, p_in_q_;
    FeaturePair& pair_;
};

Frame inverse(const Frame& f) {
    return {f.R.transpose(), -(f.R.transpose() * f.t)};
}

constexpr auto k_identity = [] { return Frame{Mat3::Identity(), Vec3::Zero()}; };

}  // namespace

VclipResult vclip(const Polyhedron& A, const Polyhedron& B, const shape::Pose& B_in_A,
                  FeaturePair& features) {
    const Frame frame{B_in_A.orientation.toRotationMatrix(), B_in_A.position};
    return Walk<Polyhedron, Polyhedron>(A, B, frame, inverse(frame), features).run();
}

VclipResult vclip(const Polyhedron& A, const SegmentBody& B_in_A, FeaturePair& features) {
    return Walk<Polyhedron, SegmentBody>(A, B_in_A, k_identity(), k_identity(), features).run();
}

VclipResult vclip(const Polyhedron& A, const PointBody& B_in_A, FeaturePair& features) {
    return Walk<Polyhedron, PointBody>(A, B_in_A, k_identity(), k_identity(), features).run();
}

}  // namespace carom::detect
