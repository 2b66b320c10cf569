// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Where a tracked contact point is, and how it moves.

#include "carom/world/constrained/contact_track.h"

#include <cmath>
#include <limits>

namespace carom::world {
namespace {

using Locus = ContactLocus;

struct Placed {
    Vec3 x, t, k;  // the point, its first and second derivative by the parameter
};

Placed place(const Locus& locus, double s, const motion::State& body) {
    const auto& q = body.orientation;
    switch (locus.kind) {
        case Locus::Kind::line: {
            const Vec3 t = q * locus.axis;
            return {body.position + q * locus.at + s * t, t, Vec3::Zero()};
        }
        case Locus::Kind::circle: {
            const Vec3 side = locus.axis.cross(locus.zero);
            const double c = std::cos(s), d = std::sin(s);
            const Vec3 out = locus.size * (q * (c * locus.zero + d * side));
            const Vec3 along = locus.size * (q * (c * side - d * locus.zero));
            return {body.position + q * locus.at + out, along, -out};
        }
        default:
            return {body.position + q * locus.at, Vec3::Zero(), Vec3::Zero()};
    }
}

Vec3 velocity_of(const motion::State& body, const Vec3& x) {
    return body.velocity + body.angular_velocity.cross(Vec3(x - body.position));
}

// The closest points of two loci: (x_a - x_b) is perpendicular to both tangents.
struct Closest {
    Placed a, b;
    double s_a, s_b;
    Mat2 inverse;  // of the second derivatives of half the squared distance
};

Mat2 hessian(const Placed& a, const Placed& b) {
    const Vec3 apart = a.x - b.x;
    Mat2 h;
    h(0, 0) = a.t.isZero(0.0) ? 1.0 : a.t.squaredNorm() + apart.dot(a.k);
    h(1, 1) = b.t.isZero(0.0) ? 1.0 : b.t.squaredNorm() - apart.dot(b.k);
    h(0, 1) = h(1, 0) = -a.t.dot(b.t);
    return h;
}

Closest closest(const ContactTrack& track, const motion::State& a, const motion::State& b) {
    constexpr int k_most = 30;
    constexpr double k_done = 4.0 * k_ulp;
    Closest c;
    c.s_a = track.s_a;
    c.s_b = track.s_b;
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < k_most; ++i) {
        c.a = place(track.a, c.s_a, a);
        c.b = place(track.b, c.s_b, b);
        const Vec3 apart = c.a.x - c.b.x;
        const Vec2 slope(apart.dot(c.a.t), -apart.dot(c.b.t));
        c.inverse = hessian(c.a, c.b).inverse();
        const Vec2 step = -c.inverse * slope;
        const double size =
            std::max(std::abs(step.x()) * c.a.t.norm(), std::abs(step.y()) * c.b.t.norm());
        const double scale = (c.a.x - a.position).norm() + (c.b.x - b.position).norm();
        if (!(size > k_done * scale) || (i > 3 && !(size < 0.5 * last))) break;
        last = size;
        c.s_a += step.x();
        c.s_b += step.y();
    }
    return c;
}

// How fast the parameters of the closest points change.
Vec2 parameter_rates(const Closest& c, const motion::State& a, const motion::State& b) {
    const Vec3 apart = c.a.x - c.b.x;
    const Vec3 u = velocity_of(a, c.a.x) - velocity_of(b, c.b.x);
    const Vec2 drift(u.dot(c.a.t) + apart.dot(a.angular_velocity.cross(c.a.t)),
                     -u.dot(c.b.t) - apart.dot(b.angular_velocity.cross(c.b.t)));
    return -c.inverse * drift;
}

// A point with its velocity.
struct Moving {
    Vec3 x, rate;
};

// The point of a circle that lies lowest above a plane with the normal m.
Moving lowest(const Locus& circle, const motion::State& body, const Vec3& m, const Vec3& m_rate) {
    const Vec3 axis = body.orientation * circle.axis;
    const Vec3 axis_rate = body.angular_velocity.cross(axis);
    const double along = m.dot(axis);
    const Vec3 level = m - along * axis;
    const double size = level.norm();
    const Vec3 up = level / size;
    const Vec3 level_rate =
        m_rate - (m_rate.dot(axis) + m.dot(axis_rate)) * axis - along * axis_rate;
    const Vec3 up_rate = (level_rate - level_rate.dot(up) * up) / size;
    const Vec3 centre = body.position + body.orientation * circle.at;
    return {centre - circle.size * up, velocity_of(body, centre) - circle.size * up_rate};
}

// How far inside the face a place is, and how fast that changes.
void bound_by_face(const ContactTrack& track, const motion::State& body, ContactState& out) {
    const shape::Convex& convex = track.face_part->convex();
    if (std::holds_alternative<shape::HalfSpace>(convex)) return;
    const shape::Pose& part = track.face_part->in_body();
    const auto back = body.orientation.conjugate();
    const Vec3 y = part.apply_inverse(back * Vec3(out.x - body.position));
    const auto rate = [&] {
        return part.rotate_inverse(back * Vec3(out.x_rate - velocity_of(body, out.x)));
    };
    if (const shape::Polyhedron* hull = shape::polyhedron_of(convex)) {
        const Vec3* nearest = nullptr;
        for (const shape::DirectedEdge e : hull->boundary(track.face.index)) {
            const Vec3& inward = hull->left_inward(e);
            const double inside = inward.dot(y - hull->vertex(hull->tail(e)));
            if (inside >= out.inside) continue;
            out.inside = inside;
            nearest = &inward;
        }
        if (nearest != nullptr) out.inside_rate = nearest->dot(rate());
        return;
    }
    const auto* cylinder = std::get_if<shape::Cylinder>(&convex);
    const double radius =
        cylinder != nullptr ? cylinder->radius : std::get<shape::Cone>(convex).radius;
    const double away = y.head<2>().norm();
    if (radius - away >= out.inside) return;
    out.inside = radius - away;
    out.inside_rate = away > 0.0 ? -y.head<2>().dot(rate().head<2>()) / away : 0.0;
}

void bound_by_line(const Locus& locus, double s, double rate, ContactState& out) {
    if (locus.kind != Locus::Kind::line) return;
    if (s - locus.low < out.inside) {
        out.inside = s - locus.low;
        out.inside_rate = rate;
    }
    if (locus.high - s < out.inside) {
        out.inside = locus.high - s;
        out.inside_rate = -rate;
    }
}

bool by_plane(const ContactTrack& track) {
    return track.normal == ContactTrack::Normal::plane_a ||
           track.normal == ContactTrack::Normal::plane_b;
}

ContactState on_plane(const ContactTrack& track, const motion::State& a, const motion::State& b) {
    const bool of_b = track.normal == ContactTrack::Normal::plane_b;
    const motion::State& carrier = of_b ? b : a;
    const motion::State& mover = of_b ? a : b;
    const Locus& locus = of_b ? track.a : track.b;
    const Vec3 m = carrier.orientation * track.plane_normal;
    const Vec3 m_rate = carrier.angular_velocity.cross(m);
    ContactState out{};
    out.s_a = track.s_a;
    out.s_b = track.s_b;
    out.inside = std::numeric_limits<double>::infinity();
    Moving core;
    if (track.crossing) {
        const Closest c = closest(track, a, b);
        const Vec2 rates = parameter_rates(c, a, b);
        const Placed& mine = of_b ? c.a : c.b;
        const double rate = of_b ? rates.x() : rates.y();
        core = {mine.x, velocity_of(mover, mine.x) + rate * mine.t};
        out.s_a = c.s_a;
        out.s_b = c.s_b;
        bound_by_line(track.a, c.s_a, rates.x(), out);
        bound_by_line(track.b, c.s_b, rates.y(), out);
    } else if (locus.kind == Locus::Kind::circle) {
        core = lowest(locus, mover, m, m_rate);
    } else {
        const Vec3 x = mover.position + mover.orientation * locus.at;
        core = {x, velocity_of(mover, x)};
    }
    const Vec3 foot = carrier.position + carrier.orientation * track.plane_at;
    out.gap = m.dot(core.x - foot) - locus.radius;
    out.x = core.x - locus.radius * m;
    out.x_rate = core.rate - locus.radius * m_rate;
    out.n = of_b ? m : Vec3(-m);
    out.n_rate = of_b ? m_rate : Vec3(-m_rate);
    if (!track.crossing && !locus.cut) bound_by_face(track, carrier, out);
    return out;
}

ContactState between_loci(const ContactTrack& track, const motion::State& a,
                          const motion::State& b) {
    const Closest c = closest(track, a, b);
    const Vec2 rates = parameter_rates(c, a, b);
    const Vec3 apart = c.a.x - c.b.x;
    const Vec3 b_rate = velocity_of(b, c.b.x) + rates.y() * c.b.t;
    ContactState out{};
    out.s_a = c.s_a;
    out.s_b = c.s_b;
    if (track.normal == ContactTrack::Normal::apart) {
        const Vec3 apart_rate = velocity_of(a, c.a.x) + rates.x() * c.a.t - b_rate;
        const double distance = apart.norm();
        out.n = apart / distance;
        out.n_rate = (apart_rate - out.n.dot(apart_rate) * out.n) / distance;
        out.gap = distance - track.a.radius - track.b.radius;
    } else {
        const Vec3 cross = track.sign * c.a.t.cross(c.b.t);
        const Vec3 a_turn = a.angular_velocity.cross(c.a.t) + rates.x() * c.a.k;
        const Vec3 b_turn = b.angular_velocity.cross(c.b.t) + rates.y() * c.b.k;
        const Vec3 cross_rate = track.sign * (a_turn.cross(c.b.t) + c.a.t.cross(b_turn));
        const double size = cross.norm();
        out.n = cross / size;
        out.n_rate = (cross_rate - out.n.dot(cross_rate) * out.n) / size;
        out.gap = out.n.dot(apart);
    }
    out.x = c.b.x + track.b.radius * out.n;
    out.x_rate = b_rate + track.b.radius * out.n_rate;
    out.inside = std::numeric_limits<double>::infinity();
    bound_by_line(track.a, c.s_a, rates.x(), out);
    bound_by_line(track.b, c.s_b, rates.y(), out);
    return out;
}

}  // namespace

ContactState contact_state(const ContactTrack& track, const motion::State& a,
                           const motion::State& b) {
    return by_plane(track) ? on_plane(track, a, b) : between_loci(track, a, b);
}

bool is_same(const ContactTrack& a, const ContactTrack& b, double size) {
    constexpr double k_same = 1e-9;
    const auto same = [&](const ContactLocus& x, const ContactLocus& y) {
        return x.kind == y.kind && (x.at - y.at).norm() <= k_same * size && x.size == y.size &&
               (x.axis - y.axis).norm() <= k_same;
    };
    return a.normal == b.normal && a.crossing == b.crossing && same(a.a, b.a) && same(a.b, b.b);
}

bool is_same_place(const ContactState& a, const ContactState& b, double size) {
    // in size, and rad; larger: a point next to one that carries comes down unseen by as much as
    // their product
    constexpr double k_apart = 1e-8, k_tilt = 0.1;
    return (a.x - b.x).norm() <= k_apart * size && (a.n - b.n).norm() <= k_tilt;
}

}  // namespace carom::world
