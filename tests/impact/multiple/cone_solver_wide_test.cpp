// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/multiple/cone_solver_wide.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/impact/multiple/cone_scenes.h"

// Sweeps four contacts at a time beside a loop over the contacts one by one, and the machine's
// wider registers beside the plain ones.
namespace carom::tests {
namespace {

using namespace impact;
using cone::Mover;
using cone::Row;

struct Packed {
    std::vector<Mover> movers;
    std::vector<Row> rows;
};

// Some contacts press from the start, as those that a last step has left.
Packed pack(const ConeScene& scene, Random& random) {
    Packed out;
    for (const ConeBody& body : scene.bodies) {
        const Mat3& I = body.inverse_inertia_W;
        out.movers.push_back({body.v,
                              body.w,
                              body.inverse_mass,
                              {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}});
    }
    for (std::uint32_t i = 0; i < scene.contacts.size(); ++i) {
        const ConeContact& c = scene.contacts[i];
        Row row{};
        row.a = c.a;
        row.b = c.b;
        row.contact = i;
        row.r_a = c.r_a;
        row.r_b = c.r_b;
        row.n = c.normal;
        row.mu = c.mu;
        row.least = c.least;
        row.plain = true;
        row.drift.setZero();
        EXPECT_TRUE(make_row(row, out.movers[c.a], out.movers[c.b]));
        if (random.uniform(0.0, 1.0) < 0.5) {
            row.p = {0.0, 0.0, 0.01 * random.uniform(0.0, 1.0)};
            row.push(out.movers[c.a], out.movers[c.b], row.p);
        } else {
            row.p.setZero();
        }
        out.rows.push_back(row);
    }
    return out;
}

// The sweep that the header speaks of: those that press first, then the others.
double sweep_one_by_one(Packed& packed, const std::vector<bool>& pressed) {
    double energy = 0.0;
    for (const bool now : {true, false}) {
        for (std::size_t i = 0; i < packed.rows.size(); ++i) {
            if (pressed[i] != now) continue;
            Row& row = packed.rows[i];
            Mover& A = packed.movers[row.a];
            Mover& B = packed.movers[row.b];
            const Vec3 p = cone::solve_row<true>(row, row.p, row.u(A, B));
            const Vec3 step = p - row.p;
            energy += row.energy(step);
            row.p = p;
            row.push(A, B, step);
        }
    }
    return energy;
}

std::vector<bool> pressed_in(const Packed& packed) {
    std::vector<bool> out;
    for (const Row& row : packed.rows)
        out.push_back(!row.p.isZero(0.0));
    return out;
}

double largest_impulse(const Packed& packed) {
    double largest = 0.0;
    for (const Row& row : packed.rows)
        largest = std::max(largest, row.p.norm());
    return largest;
}

class WideSweeps : public testing::TestWithParam<double> {};

TEST_P(WideSweeps, AreThoseOfTheContactsOneByOne) {
    Random random(7301);
    const ConeScene scene = cone_heap(random, 4, 4, GetParam(), 3);
    Packed one = pack(scene, random);
    Packed four = one;
    const std::vector<bool> pressed = pressed_in(one);
    cone::WideRows wide;
    wide.clear(four.movers.size());
    wide.add(four.rows, 0, four.movers);
    wide.begin(four.rows, four.movers);
    for (int k = 0; k < 20; ++k) {
        const double energy = sweep_one_by_one(one, pressed);
        const cone::Change change = wide.sweep(0.0, true, four.rows);
        EXPECT_NEAR(change.energy, energy, 1e-9 * energy) << k;
        EXPECT_GT(energy, 0.0) << k;
    }
    wide.end(four.rows, four.movers);
    const double scale = largest_impulse(one);
    for (std::size_t i = 0; i < one.rows.size(); ++i)
        EXPECT_LT((one.rows[i].p - four.rows[i].p).norm(), 1e-11 * scale) << i;
    for (std::size_t i = 0; i < one.movers.size(); ++i)
        EXPECT_LT((one.movers[i].v - four.movers[i].v).norm(), 1e-11) << i;
}

TEST_P(WideSweeps, GiveTheSameBitsInAnyRegisters) {
    Random random(7302);
    const ConeScene scene = cone_heap(random, 4, 3, GetParam(), 4);
    const Packed start = pack(scene, random);
    std::vector<Packed> answers;
    for (const cone::Registers registers : {cone::Registers::widest, cone::Registers::any}) {
        Packed packed = start;
        cone::WideRows wide(registers);
        wide.clear(packed.movers.size());
        wide.add(packed.rows, 0, packed.movers);
        wide.begin(packed.rows, packed.movers);
        wide.sweep(0.0, true, packed.rows);
        for (int k = 0; k < 30; ++k) {
            wide.extrapolate(0.7);
            wide.sweep(0.7, k % 4 == 0, packed.rows);
        }
        wide.end(packed.rows, packed.movers);
        answers.push_back(packed);
    }
    for (std::size_t i = 0; i < start.rows.size(); ++i)
        EXPECT_EQ(answers[0].rows[i].p, answers[1].rows[i].p) << i;
    for (std::size_t i = 0; i < start.movers.size(); ++i) {
        EXPECT_EQ(answers[0].movers[i].v, answers[1].movers[i].v) << i;
        EXPECT_EQ(answers[0].movers[i].w, answers[1].movers[i].w) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Friction, WideSweeps, testing::Values(0.0, 0.2, 0.8), [](const auto& mu) {
    return "mu_0" + std::to_string(static_cast<int>(10 * mu.param));
});

// What the whole solver makes of them is an answer to the problem, to the tolerance.
TEST(WideSweepsInTheSolver, EndWhereTheConditionsHold) {
    Random random(7303);
    ConeScene scene = cone_heap(random, 3, 3, 0.4, 1);
    ConeSettings settings{20000, 1e-11};
    settings.newton = false;
    const ConeReport report = scene.solve(settings);
    EXPECT_TRUE(report.converged) << report.residual;
    EXPECT_LT(violation(scene), 1e-9);
}

}  // namespace
}  // namespace carom::tests
