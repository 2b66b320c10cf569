// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/region_curves.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/math/spd3.h"

namespace carom::impact {
namespace {

constexpr double k_turn = 2.0 * std::numbers::pi;

// The ellipsoid {p : u_f.K^-1 u_f = 2 E0}, u_f = u + K p, is the unit sphere mapped by this.
struct Ellipsoid {
    Vec3 centre;
    Mat3 map;

    explicit Ellipsoid(const Contact& contact) {
        centre = -math::solve_spd3(contact.K, contact.u);
        const double radius = std::sqrt(-contact.u.dot(centre));
        // K = L L^T; p = centre + L^-T radius n
        const Mat3 L = contact.K.llt().matrixL();
        map = radius * L.transpose().triangularView<Eigen::Upper>().solve(Mat3::Identity().eval());
    }
    Vec3 at(const Vec3& n) const { return centre + map * n; }
};

Vec3 on_sphere(double polar, double azimuth) {
    return {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
            std::cos(polar)};
}

}  // namespace

RegionCurves region_curves(const Contact& contact, double mu, int resolution) {
    RegionCurves curves;
    const Ellipsoid ellipsoid(contact);
    const int lines = std::max(6, resolution / 6);

    for (int i = 0; i < lines; ++i) {
        std::vector<Vec3> meridian;
        for (int j = 0; j <= resolution; ++j) {
            meridian.push_back(
                ellipsoid.at(on_sphere(k_turn * j / resolution, 0.5 * k_turn * i / lines)));
        }
        curves.ellipsoid.push_back(std::move(meridian));
    }

    // u_z = 0 on the ellipsoid: the great circle across m = map^T K_z
    const Vec3 m = (ellipsoid.map.transpose() * contact.K.col(2)).normalized();
    const Vec3 a = m.unitOrthogonal();
    const Vec3 b = m.cross(a);
    for (int j = 0; j <= resolution; ++j) {
        const double angle = k_turn * j / resolution;
        curves.maximum_compression.push_back(
            ellipsoid.at(std::cos(angle) * a + std::sin(angle) * b));
    }

    // the line of sticking: final velocities along the normal, from end to end of the ellipsoid
    const Vec3 along = math::solve_spd3(contact.K, Vec3::UnitZ());
    const double half = std::sqrt(-contact.u.dot(ellipsoid.centre) / along.z());
    curves.sticking = {ellipsoid.centre - half * along, ellipsoid.centre,
                       ellipsoid.centre + half * along};

    // the cone up to the top of the ellipsoid, and where it cuts it
    const double top = std::max(0.0, ellipsoid.centre.z() + ellipsoid.map.row(2).norm());
    for (int j = 0; j <= resolution; ++j) {
        const double angle = k_turn * j / resolution;
        const Vec3 edge(mu * std::cos(angle), mu * std::sin(angle), 1.0);
        curves.cone_rim.push_back(top * edge);
        const double s = -2.0 * contact.u.dot(edge) / edge.dot(contact.K * edge);
        curves.cone_on_ellipsoid.push_back(std::max(0.0, s) * edge);
        if (j < resolution && j % std::max(1, resolution / lines) == 0) {
            curves.cone_lines.push_back({Vec3::Zero(), top * edge});
        }
    }
    return curves;
}

}  // namespace carom::impact
