// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/problem.h"

#include <cmath>

#include "carom/impact/tolerances.h"
#include "carom/math/rotation.h"
#include "carom/math/spd3.h"

namespace carom::impact {
namespace {

Mat3 collision_matrix(const BodyState& body) {
    const Mat3 r = math::cross_matrix(body.r);
    return body.inverse_mass * Mat3::Identity() - r * body.inverse_inertia * r;
}

Vec3 contact_point_velocity(const BodyState& body) {
    return body.v + body.w.cross(body.r);
}

BodyState pushed(const BodyState& body, const Vec3& p_W) {
    BodyState after = body;
    after.v += body.inverse_mass * p_W;
    after.w += body.inverse_inertia * body.r.cross(p_W);
    return after;
}

}  // namespace

FramedContact make_contact(const BodyPair& pair) {
    FramedContact framed;
    framed.R_CW = math::rotation_to_z(pair.normal);
    const Mat3 K_W = collision_matrix(pair.A) + collision_matrix(pair.B);
    const Mat3 K = framed.R_CW * K_W * framed.R_CW.transpose();
    framed.contact.K = 0.5 * (K + K.transpose());
    framed.contact.u =
        framed.R_CW * (contact_point_velocity(pair.A) - contact_point_velocity(pair.B));
    return framed;
}

BodyPair apply_impulse(const BodyPair& pair, const Vec3& p_W) {
    return {pair.normal, pushed(pair.A, p_W), pushed(pair.B, -p_W)};
}

double energy_change(const Contact& contact, const Vec3& p) {
    return contact.u.dot(p) + 0.5 * p.dot(contact.K * p);
}

std::string check_contact(const Contact& contact) {
    const Mat3& K = contact.K;
    if (!K.allFinite()) return "K has an entry that is not a finite number";
    if (!contact.u.allFinite()) return "u has an entry that is not a finite number";
    const double size = K.cwiseAbs().maxCoeff();
    const double skew = (K - K.transpose()).cwiseAbs().maxCoeff();
    if (skew > k_tolerances.symmetry * size) {
        return "K is not symmetric; it must be symmetric positive definite";
    }
    if (!math::is_positive_definite(K, k_tolerances.definiteness)) {
        return "K is not positive definite; it must be symmetric positive definite";
    }
    return {};
}

PlaneView view_as_plane(const Contact& contact) {
    const Mat2 M2 = contact.K.topLeftCorner<2, 2>();
    const Vec2 b = contact.K.block<2, 1>(0, 2);
    const Vec2 slip = contact.u.head<2>();

    PlaneView view;
    if (slip.norm() > 0.0) {
        view.tangent = slip.normalized();
    } else if (b.norm() > 0.0) {
        view.tangent = b.normalized();
    }
    const Vec2& t = view.tangent;
    const Vec2 across(-t.y(), t.x());
    const double limit = k_tolerances.plane * contact.K.cwiseAbs().maxCoeff();
    view.is_plane = std::abs(across.dot(M2 * t)) <= limit && std::abs(across.dot(b)) <= limit;
    view.contact = {t.dot(M2 * t), t.dot(b), contact.K(2, 2), slip.norm(), contact.u.z()};
    return view;
}

Contact embed_plane(const PlaneContact& plane) {
    Contact contact;
    contact.K << plane.Kxx, 0.0, plane.Kxz, 0.0, plane.Kxx, 0.0, plane.Kxz, 0.0, plane.Kzz;
    contact.u = {plane.ux, 0.0, plane.uz};
    return contact;
}

}  // namespace carom::impact
