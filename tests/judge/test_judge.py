# SPDX-License-Identifier: Apache-2.0
"""Unit tests of judge.py on made-up recordings, and of random_scenes.py: /usr/bin/python3 -m unittest in this folder."""

import tomllib
import types
import unittest

import numpy as np

import judge
import random_scenes
from overlap import Part

BODY = [("name", "S8"), ("fixed", "u4"), ("mass", "f8"), ("center", "f8", 3), ("inertia", "f8", (3, 3)), ("radius", "f8"),
        ("velocity", "f8", 3), ("angular_velocity", "f8", 3)]


def made_up(positions, velocities, gravity=(0, 0, 0), floor=False):
    """A recording of unit balls at given places [T,B,3]; with a floor, it is the last body."""
    pos, v = np.array(positions, float), np.array(velocities, float)
    balls = pos.shape[1]
    count = balls + floor
    bodies = np.zeros(count, BODY)
    bodies["name"] = [b"b%d" % i for i in range(count)]
    bodies["mass"], bodies["radius"], bodies["inertia"] = 1.0, 1.0, 0.4 * np.eye(3)
    parts = {i: [Part("sphere", 1.0)] for i in range(balls)}
    if floor:
        bodies["fixed"][balls], bodies["mass"][balls], bodies["radius"][balls] = 1, 0.0, np.inf
        parts[balls] = [Part("plane")]
        pos = np.concatenate([pos, np.zeros((len(pos), 1, 3))], axis=1)
        v = np.concatenate([v, np.zeros((len(v), 1, 3))], axis=1)
    rot = np.broadcast_to(np.eye(3), pos.shape + (3,)).copy()
    return types.SimpleNamespace(bodies=bodies, parts=parts, free=bodies["fixed"] == 0, t=np.arange(len(pos), dtype=float), pos=pos, rot=rot,
                                 v=v, w=np.zeros_like(v), center=pos, settings={"gravity": gravity, "contact": "lasting", "micro": 0.003})


class Judge(unittest.TestCase):
    def test_overlap_is_seen(self):
        rec = made_up([[[0, 0, 0], [3, 0, 0]], [[0, 0, 0], [1.95, 0, 0]], [[0, 0, 0], [2.5, 0, 0]]], np.zeros((3, 2, 3)))
        bad, = judge.check_overlap(rec)
        self.assertAlmostEqual(bad.size, 0.05)
        self.assertIn("t = 1 s", bad.text)

    def test_touching_is_good(self):
        rec = made_up([[[0, 0, 1], [2, 0, 1]]], np.zeros((1, 2, 3)), floor=True)
        self.assertEqual(judge.check_overlap(rec), [])

    def test_below_the_floor(self):
        bad, = judge.check_overlap(made_up([[[0, 0, 0.9]]], np.zeros((1, 1, 3)), floor=True))
        self.assertAlmostEqual(bad.size, 0.1)

    def test_energy(self):
        fall = lambda speed: made_up([[[0, 0, 11]], [[0, 0, 1]]], [[[0, 0, 0]], [[0, 0, -speed]]], (0, 0, -10), True)
        exact = np.sqrt(200.0)
        self.assertEqual(judge.check_energy(fall(exact)), [])
        self.assertEqual(judge.check_energy(fall(0.5 * exact)), [])
        self.assertEqual(judge.check_energy(fall(1.1 * exact))[0].kind, "energy")
        self.assertEqual(judge.check_energy(fall(1.0001 * exact))[0].kind, "small")

    def test_momentum(self):
        places = [[[0, 0, 0], [3, 0, 0]]] * 2
        self.assertEqual(judge.check_momentum(made_up(places, [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0]]])), [])
        self.assertEqual(len(judge.check_momentum(made_up(places, [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [1.001, 0, 0]]]))), 1)
        turned = judge.check_momentum(made_up(places, [[[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 0]]]))
        self.assertIn("angular", turned[0].text)


class Scenes(unittest.TestCase):
    def test_same_seed_same_scene(self):
        for seed in range(44):
            self.assertEqual(random_scenes.scene(seed), random_scenes.scene(seed))

    def test_range(self):
        seen_e, seen_mu, counts = set(), set(), []
        for seed in range(300):
            made = tomllib.loads(random_scenes.scene(seed))
            self.assertEqual(made["simulation"]["duration"], 3.0)
            seen_e.add(made["contact"][0]["e"])
            seen_mu.add(made["contact"][0]["mu"])
            counts.append(len(made["body"]))
        self.assertLessEqual({0.0, 1.0}, seen_e)
        self.assertLessEqual({0.0, 3.0}, seen_mu)
        self.assertGreaterEqual(max(counts), 45)
        self.assertLessEqual(max(counts), 70)


if __name__ == "__main__":
    unittest.main()
