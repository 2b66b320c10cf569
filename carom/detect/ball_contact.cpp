// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/ball_contact.h"

#include <array>
#include <cmath>
#include <limits>

#include "carom/detect/tolerances.h"
#include "carom/math/polynomial.h"

namespace carom::detect {
namespace {

// A centre on a parabola from t0 on: c + v d + a d^2/2.
struct Parabola {
    Vec3 c, v, a;
};

std::optional<Parabola> parabola(const MovingPart& part, double t0) {
    if (const auto* flight = std::get_if<motion::Ballistic>(&part.motion())) {
        return Parabola{flight->position_at(t0), flight->velocity_at(t0), flight->gravity()};
    }
    if (const auto* sphere = std::get_if<motion::SphereOnPlane>(&part.motion())) {
        const auto acceleration = sphere->constant_acceleration();
        if (!acceleration) return std::nullopt;
        const motion::SphereOnPlane::Centre centre = sphere->centre_at(t0);
        return Parabola{centre.position, centre.velocity, *acceleration};
    }
    if (const auto* given = std::get_if<motion::Prescribed>(&part.motion())) {
        const bool circles =
            given->spin() > 0.0 && (!given->cosine().isZero(0.0) || !given->sine().isZero(0.0));
        if (circles) return std::nullopt;
        return Parabola{given->position_at(t0), given->axis_velocity(), Vec3::Zero()};
    }
    return std::nullopt;
}

const shape::Sphere* centred_ball(const MovingPart& part) {
    return part.reach() == 0.0 ? std::get_if<shape::Sphere>(&part.convex()) : nullptr;
}

// The first d in (0, length] at which a polynomial that starts positive comes down to zero.
template <std::size_t size>
double first_crossing(const std::array<double, size>& a, double length) {
    const auto roots = math::polynomial_crossings(a, 0.0, length);
    if (roots.count > 0) return roots.x[0];
    return math::evaluate_polynomial(a, length).value <= 0.0 ? length : k_never;
}

// The coefficients of the quartic lose digits over a long flight; the distance itself does not.
double polished(const Vec3& C, const Vec3& V, const Vec3& A, double radii, double d) {
    for (int i = 0; i < 3; ++i) {
        const Vec3 apart = C + d * (V + 0.5 * d * A);
        const double distance = apart.norm();
        const double closing = apart.dot(V + d * A) / distance;
        if (!(closing < 0.0)) break;
        d -= (distance - radii) / closing;
    }
    return d;
}

double balls(const Parabola& a, const Parabola& b, double radii, double length) {
    const Vec3 C = a.c - b.c;
    const Vec3 V = a.v - b.v;
    const Vec3 A = a.a - b.a;
    const double distance = C.norm();
    // |C|^2 - R^2 without its cancellation
    const double gap = (distance - radii) * (distance + radii);
    if (A.isZero(0.0)) {
        const double half_b = C.dot(V);
        if (half_b >= 0.0) return k_never;
        const double vv = V.squaredNorm();
        // the square of the miss distance compared with R: half_b^2 - vv gap
        const double miss = C.cross(V).squaredNorm();
        const double square = vv * radii * radii - miss;
        if (square < 0.0) return k_never;
        const double d = gap / (-half_b + std::sqrt(square));
        return d <= length ? d : k_never;
    }
    const double d = first_crossing<5>(
        {gap, 2.0 * C.dot(V), V.squaredNorm() + C.dot(A), V.dot(A), 0.25 * A.squaredNorm()},
        length);
    return d < k_never ? polished(C, V, A, radii, d) : d;
}

// A gap that rounding can make of a touch.
double touching(double radius, const Vec3& c) {
    return 8.0 * k_tolerances.rounding * (radius + 2.0 * c.cwiseAbs().maxCoeff());
}

// When a ball that leaves a plane with this speed is back, from a gap of about zero. One that
// rounding has put below it, and that does not rise so far, has not left it.
double falls_back(double gap, double speed, double pull, double length) {
    if (!(pull < 0.0)) return k_never;
    const double square = speed * speed - 2.0 * pull * gap;
    if (square < 0.0) return 0.0;
    const double d = (speed + std::sqrt(square)) / -pull;
    return d <= length ? d : k_never;
}

}  // namespace

std::optional<double> ball_contact(const MovingPart& a, const MovingPart& b, double t0,
                                   double until, bool leave_first) {
    const bool swapped = centred_ball(a) == nullptr;
    const MovingPart& ball_part = swapped ? b : a;
    const MovingPart& other = swapped ? a : b;
    const shape::Sphere* ball = centred_ball(ball_part);
    if (ball == nullptr) return std::nullopt;
    const auto pa = parabola(ball_part, t0);
    const auto pb = parabola(other, t0);
    if (!pa || !pb) return std::nullopt;
    if (const auto* plane = std::get_if<shape::HalfSpace>(&other.convex())) {
        const shape::Pose pose = other.pose(motion::at(other.motion(), t0));
        const Vec3 n = pose.rotate(plane->normal);
        const double gap = n.dot(pa->c - pose.position) - ball->radius;
        const double speed = n.dot(pa->v - pb->v);
        const double pull = n.dot(pa->a - pb->a);
        if (leave_first && speed > 0.0 && std::abs(gap) <= touching(ball->radius, pa->c)) {
            return t0 + falls_back(gap, speed, pull, until - t0);
        }
        if (!(gap > 0.0)) return std::nullopt;
        return t0 + first_crossing<3>({gap, speed, 0.5 * pull}, until - t0);
    }
    const shape::Sphere* second = centred_ball(other);
    if (second == nullptr) return std::nullopt;
    const double radii = ball->radius + second->radius;
    const Vec3 C = pa->c - pb->c;
    const double distance = C.norm();
    // on equal parabolas balls that part do not meet again
    const bool part = leave_first && C.dot(pa->v - pb->v) > 0.0 && pa->a == pb->a;
    if (part && std::abs(distance - radii) <= touching(radii, pa->c)) return k_never;
    if (!(distance > radii)) return std::nullopt;
    return t0 + balls(*pa, *pb, radii, until - t0);
}

}  // namespace carom::detect
