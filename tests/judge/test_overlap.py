# SPDX-License-Identifier: Apache-2.0
"""Unit tests of overlap.py against closed forms: /usr/bin/python3 -m unittest in this folder."""

import math
import unittest

import numpy as np

import overlap
from overlap import Part, body_depth, depth, grow, rotation

UNTURNED = np.eye(3)


def about(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return rotation([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])


def at(x, y, z, rot=UNTURNED):
    return np.array([x, y, z], float), rot


def cube_hull(a):
    return Part("hull", vertices=np.array([[x, y, z] for x in (-a, a) for y in (-a, a) for z in (-a, a)]))


class Base(unittest.TestCase):
    def same(self, got, expected, tol=1e-6):
        low, high = got
        self.assertAlmostEqual(low, expected, delta=tol)
        self.assertAlmostEqual(high, expected, delta=tol)

    def apart(self, got):
        self.assertLessEqual(got[1], 0)


class Closed(Base):
    def test_spheres(self):
        self.same(depth(Part("sphere", 1.0), at(0, 0, 0), Part("sphere", 0.5), at(1.2, 0, 0)), 0.3)
        self.same(depth(Part("sphere", 1.0), at(0, 0, 0), Part("sphere", 0.5), at(0, 2, 0)), -0.5)

    def test_sphere_and_box(self):
        box, ball = Part("box", size=(2, 4, 6)), Part("sphere", 0.5)
        self.same(depth(ball, at(1.4, 0, 0), box, at(0, 0, 0)), 0.1)
        self.same(depth(box, at(0, 0, 0), ball, at(1.3, 2.3, 0)), 0.5 - math.hypot(0.3, 0.3))
        self.same(depth(box, at(0, 0, 0), ball, at(0.9, 0, 0)), 0.6)

    def test_sphere_and_cylinder_and_cone(self):
        cylinder, ball = Part("cylinder", 1.0, 2.0), Part("sphere", 0.5)
        self.same(depth(cylinder, at(0, 0, 0), ball, at(1.2, 0, 1.2)), 0.5 - math.hypot(0.2, 0.2))
        self.same(depth(cylinder, at(0, 0, 0), ball, at(0, 0, 1.3)), 0.2)
        cone = Part("cone", 1.0, 4.0)
        self.same(depth(cone, at(0, 0, 0), ball, at(0, 0, 3.2)), 0.3)
        self.same(depth(cone, at(0, 0, 0), ball, at(0.5, 0, -1.4)), 0.1)

    def test_planes(self):
        floor = Part("plane")
        turn = about((1, 0, 0), 0.3)
        self.same(depth(Part("cylinder", 0.5, 2.0), at(0, 0, 1, turn), floor, at(0, 0, 0)),
                  math.cos(0.3) + 0.5 * math.sin(0.3) - 1)
        self.same(depth(Part("cone", 0.5, 2.0), at(0, 0, 0.45), floor, at(0, 0, 0)), 0.05)
        self.same(depth(Part("cone", 0.5, 2.0), at(0, 0, 1.4, about((1, 0, 0), math.pi)), floor, at(0, 0, 0)), 0.1)
        self.same(depth(floor, at(0, 0, 0), Part("capsule", 0.2, 1.0), at(0, 0, 0.1)), 0.6)
        slope = Part("plane", normal=(0, 0.6, 0.8))
        self.same(depth(Part("sphere", 1.0), at(0, 0, 1), slope, at(0, 0, 0)), 0.2)

    def test_boxes(self):
        cube = Part("box", size=(2, 2, 2))
        self.same(depth(cube, at(0, 0, 0), cube, at(1.9, 0.5, 0.3)), 0.1)
        a, b = about((1, 0, 0), math.pi / 4), about((0, 1, 0), math.pi / 4)
        self.same(depth(cube, at(0, 0, 0, a), cube, at(0, 0, 2 * math.sqrt(2) - 0.2, b)), 0.2)
        self.same(depth(cube, at(0, 0, 0), cube, at(0, 0, 0)), 2.0)


class Grown(Base):
    def test_agrees_with_closed_forms(self):
        rng = np.random.default_rng(1)
        ball = Part("sphere", 0.7)
        parts = (Part("box", size=(1, 2, 3)), Part("cylinder", 0.6, 1.5), Part("cone", 0.8, 1.5), Part("capsule", 0.4, 1.2))
        seen = 0
        for n in range(80):
            part, rot = parts[n % 4], rotation(rng.normal(size=4))
            pose = rng.normal(size=3) * 0.7, rot
            exact = depth(part, pose, ball, at(0, 0, 0))[0]
            low, high = grow(part, pose, ball, at(0, 0, 0))
            if exact > 1e-9:
                seen += 1
                self.assertAlmostEqual(low, exact, delta=1e-6)
                self.assertAlmostEqual(high, exact, delta=1e-6)
            else:
                self.assertLessEqual(low, 1e-9)
        self.assertGreater(seen, 30)

    def test_boxes_as_hulls(self):
        rng = np.random.default_rng(2)
        for _ in range(60):
            pose = rng.normal(size=3), rotation(rng.normal(size=4))
            exact = depth(Part("box", size=(2, 2, 2)), pose, Part("box", size=(1, 1, 1)), at(0, 0, 0))[0]
            low, high = depth(cube_hull(1.0), pose, cube_hull(0.5), at(0, 0, 0))
            if exact > 1e-9:
                self.same((low, high), exact)
            else:
                self.assertLessEqual(low, 1e-9)

    def test_capsules(self):
        rod = Part("capsule", 0.25, 2.0)
        crossed = about((1, 0, 0), math.pi / 2)
        self.same(depth(rod, at(0, 0, 0), rod, at(0.4, 0, 0, crossed)), 0.1, 1e-6)
        self.same(depth(rod, at(0, 0, 0), rod, at(0.45, 0, 0.3)), 0.05, 1e-6)
        self.same(depth(rod, at(0, 0, 0), rod, at(0.2, 0, 2.3)), 0.5 - math.hypot(0.2, 0.3), 1e-6)
        self.apart(depth(rod, at(0, 0, 0), rod, at(0.4, 0, 2.4)))

    def test_capsule_and_box(self):
        rod, box = Part("capsule", 0.25, 2.0), Part("box", size=(4, 4, 1))
        self.same(depth(rod, at(0, 0, 1.7), box, at(0, 0, 0)), 0.05, 1e-6)
        lying = about((1, 0, 0), math.pi / 2)
        self.same(depth(rod, at(0, 0, 0.7, lying), box, at(0, 0, 0)), 0.05, 1e-6)
        self.same(depth(rod, at(2.1, 0, 0.65, lying), box, at(0, 0, 0)), 0.25 - math.hypot(0.1, 0.15), 1e-6)

    def test_cylinders(self):
        coin = Part("cylinder", 1.0, 0.2)
        self.same(depth(coin, at(0, 0, 0), coin, at(0.3, 0, 0.199)), 0.001, 1e-6)
        self.same(depth(coin, at(0, 0, 0), coin, at(0, 0, 0.15)), 0.05, 1e-6)
        self.same(depth(coin, at(0, 0, 0), coin, at(1.95, 0, 0.02)), 0.05, 1e-6)
        log = Part("cylinder", 0.5, 4.0)
        crossed = about((1, 0, 0), math.pi / 2)
        self.same(depth(log, at(0, 0, 0), log, at(0.98, 0, 0, crossed)), 0.02, 1e-6)

    def test_cone_on_box(self):
        cone, box = Part("cone", 0.5, 2.0), Part("box", size=(3, 3, 1))
        self.same(depth(cone, at(0, 0, 0.98), box, at(0, 0, 0)), 0.02, 1e-6)
        upside = about((1, 0, 0), math.pi)
        self.same(depth(cone, at(0.2, 0, 1.97, upside), box, at(0, 0, 0)), 0.03, 1e-6)

    def test_small_on_large(self):
        grain, slab = Part("cylinder", 1e-3, 1e-3), Part("box", size=(10, 10, 1))
        self.same(depth(grain, at(0.3, 0.2, 0.5 + 0.5e-3 - 1e-6), slab, at(0, 0, 0)), 1e-6, 1e-9)

    def test_compound(self):
        bell = [Part("sphere", 0.5, position=np.array([s, 0, 0])) for s in (-1.0, 1.0)]
        turned = about((0, 0, 1), math.pi / 2)
        self.same(body_depth(bell, at(0, 0, 0), bell, at(1, 0.6, 0, turned)), 0.6)
        self.apart(body_depth(bell, at(0, 0, 0), bell, at(0, 1.6, 0, turned)))


class Certified(Base):
    def test_bounds_enclose_sampled_minimum(self):
        rng = np.random.default_rng(3)
        directions = rng.normal(size=(1, 4000, 3))
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        parts = (Part("cylinder", 0.6, 1.5), Part("cone", 0.8, 1.5), Part("capsule", 0.4, 1.2),
                 Part("hull", vertices=rng.normal(size=(9, 3))), Part("box", size=(1, 2, 0.5)))
        for _ in range(25):
            a, b = rng.choice(5, 2)
            pose_a = rng.normal(size=3) * 0.4, rotation(rng.normal(size=4))
            pose_b = rng.normal(size=3) * 0.4, rotation(rng.normal(size=4))
            low, high = depth(parts[a], pose_a, parts[b], pose_b)
            arrays = [v[None] for v in (*pose_a, *pose_b)]
            sampled = overlap._spread(parts[a], *arrays[:2], parts[b], *arrays[2:], directions).min()
            self.assertLessEqual(low, high)
            if high > 0:
                self.assertLess(high - low, 1e-5)
                self.assertLess(low, sampled + 1e-9)
                self.assertGreater(low, sampled - 0.1)


if __name__ == "__main__":
    unittest.main()
