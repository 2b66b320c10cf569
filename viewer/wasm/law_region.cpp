// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The permissible region of impulse space as curves, for the page to draw.

#include <vector>

#include "carom/impact/permissible.h"
#include "carom/impact/region_curves.h"
#include "exports.h"
#include "law_problem.h"

namespace carom::page {
namespace {

// Curves one after the other, each as its number of points and then the points.
struct Drawing {
    std::vector<double> numbers;

    void add(const Vec3& point) { numbers.insert(numbers.end(), point.data(), point.data() + 3); }
    void add(const std::vector<Vec3>& curve) {
        numbers.push_back(static_cast<double>(curve.size()));
        for (const Vec3& point : curve)
            add(point);
    }
    void add(const std::vector<std::vector<Vec3>>& curves) {
        numbers.push_back(static_cast<double>(curves.size()));
        for (const std::vector<Vec3>& curve : curves)
            add(curve);
    }
};

Drawing& last_drawing() {
    static Drawing drawing;
    return drawing;
}

}  // namespace
}  // namespace carom::page

using namespace carom;

// The numbers are: P_I, P_II, P_largest_e (3 each), contact_energy, largest_kinematic_e; then the
// curves maximum_compression, cone_rim, cone_on_ellipsoid, sticking; then the lists of curves
// ellipsoid, cone_lines. Fails for a contact that no law takes or that does not approach.
CAROM_EXPORT(laws_region)
(const double* K, const double* u, double mu, int resolution)->const double* {
    page::Drawing& drawing = page::last_drawing();
    drawing.numbers.clear();
    const impact::Contact contact{page::matrix(K), Vec3(u[0], u[1], u[2])};
    const std::string wrong = impact::check_contact(contact);
    if (!wrong.empty()) page::fail(wrong);
    if (!(contact.u.z() < 0.0)) page::fail("the bodies do not approach: there is no region");
    const impact::RegionLandmarks marks = impact::region_landmarks(contact, mu);
    const impact::RegionCurves curves = impact::region_curves(contact, mu, resolution);
    drawing.add(marks.P_I);
    drawing.add(marks.P_II);
    drawing.add(marks.P_largest_e);
    drawing.numbers.push_back(marks.contact_energy);
    drawing.numbers.push_back(marks.largest_kinematic_e);
    drawing.add(curves.maximum_compression);
    drawing.add(curves.cone_rim);
    drawing.add(curves.cone_on_ellipsoid);
    drawing.add(curves.sticking);
    drawing.add(curves.ellipsoid);
    drawing.add(curves.cone_lines);
    return drawing.numbers.data();
}
