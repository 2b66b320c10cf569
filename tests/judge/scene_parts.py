# SPDX-License-Identifier: Apache-2.0
"""What random scenes are made of: shapes, places, gaps, and the text of a scene."""
import math
import random

DURATION = 3.0


# --- writing TOML ---------------------------------------------------------------------------------------


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, dict):
        return "{ " + ", ".join("%s = %s" % (k, _text(v)) for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    return repr(value)


def _table(head, entries):
    return head + "\n" + "".join("%s = %s\n" % (k, _text(v)) for k, v in entries.items())


class Scene:
    """What a family fills in: the bodies, and some settings it insists on."""

    def __init__(self, rng):
        self.rng = rng
        self.bodies = []
        self.gravity = True
        self.weights = rng.random() < 0.2  # very different masses
        self.size = _round(10 ** rng.uniform(-3, 1))

    def add(self, shape, position, **more):
        body = {"name": "b%02d" % len(self.bodies), "shape": shape, "position": [float(x) for x in position]}
        if not more.get("fixed"):
            if self.weights:
                body["mass"] = _round(10 ** self.rng.uniform(-2, 2))
            else:
                body["density"] = 1000
        body.update(more)
        self.bodies.append(body)
        return body

    def floor(self, **more):
        return self.add({"type": "plane"}, [0, 0, 0], fixed=True, **more)

    def wall(self, normal, position, **more):
        return self.add({"type": "plane", "normal": list(normal)}, position, fixed=True, **more)


def _round(x, digits=3):
    """Few digits, so that scenes can be read."""
    return float("%.*g" % (digits, x))


# --- random parts ---------------------------------------------------------------------------------------


def _vector(rng, size):
    return [_round(rng.gauss(0, 1) * size) for _ in range(3)]


def _turn(rng):
    """A random orientation."""
    return {"axis": [_round(rng.gauss(0, 1)) + 0.001 for _ in range(3)], "angle": _round(rng.uniform(0, 360), 4)}


def _speed(rng, size):
    """A speed that suits the size: now and then none or very fast."""
    return _round(math.sqrt(9.81 * size) * rng.choice([0, 0.3, 1, 1, 3, 10]))


def _hull(rng, s):
    points = []
    for _ in range(rng.randint(6, 14)):
        v = [rng.gauss(0, 1) for _ in range(3)]
        n = math.sqrt(sum(x * x for x in v))
        points.append([_round(s * x / n, 6) for x in v])
    points += [[s, 0, 0], [-s, 0, 0], [0, s, 0], [0, -s, 0], [0, 0, s], [0, 0, -s]]
    return {"type": "hull", "points": points}


def _compound(rng, s):
    kind = rng.choice(["bell", "cross", "angle"])
    if kind == "bell":
        parts = [{"type": "sphere", "radius": 0.4 * s, "position": [0, 0, 0.6 * s]},
                 {"type": "sphere", "radius": 0.4 * s, "position": [0, 0, -0.6 * s]},
                 {"type": "cylinder", "radius": 0.1 * s, "height": s}]
    elif kind == "cross":
        parts = [{"type": "box", "size": [1.8 * s, 0.3 * s, 0.3 * s]}, {"type": "box", "size": [0.3 * s, 1.8 * s, 0.3 * s]}]
    else:
        parts = [{"type": "box", "size": [s, 0.3 * s, 0.3 * s], "position": [0.35 * s, 0, 0]},
                 {"type": "box", "size": [0.3 * s, 0.3 * s, s], "position": [0, 0, 0.65 * s]}]
    return {"type": "compound", "parts": parts}


def _shape(rng, s, kinds=None):
    """A shape that fits into a sphere of about 1.4 s about its origin."""
    kind = rng.choice(kinds or ["sphere", "box", "cube", "capsule", "cylinder", "cone", "hull", "compound", "rod", "plate"])
    u = lambda a, b: _round(s * rng.uniform(a, b))
    if kind == "sphere":
        return {"type": "sphere", "radius": u(0.5, 1)}
    if kind == "box":
        return {"type": "box", "size": [u(0.3, 1.4), u(0.3, 1.4), u(0.3, 1.4)]}
    if kind == "cube":
        return {"type": "box", "size": [s, s, s]}
    if kind == "plate":
        return {"type": "box", "size": [u(1, 1.5), u(1, 1.5), u(0.02, 0.1)]}
    if kind == "rod":
        return {"type": "box", "size": [u(0.05, 0.15), u(0.05, 0.15), u(1, 2)]}
    if kind == "capsule":
        return {"type": "capsule", "radius": u(0.1, 0.4), "length": u(0.1, 1)}
    if kind == "cylinder":
        return {"type": "cylinder", "radius": u(0.1, 0.9), "height": u(0.05, 1)}
    if kind == "cone":
        return {"type": "cone", "radius": u(0.3, 0.8), "height": u(0.3, 1)}
    return _hull(rng, s) if kind == "hull" else _compound(rng, s)


def _gap(rng, s):
    """Between neighbours: none, tiny, or something to fall through."""
    return rng.choice([0.0, 0.0, 0.0, 1e-9 * s, 1e-6 * s, 1e-3 * s, 0.05 * s])


def _grid(rng, count, width):
    """Cells of a cubic lattice above the floor, the lowest first."""
    side = rng.choice([1, 2, 2, 3, 4])
    cells = [(x, y, z) for z in range(count) for y in range(side) for x in range(side)][:count]
    return [(width * (x - side / 2 + 0.5), width * (y - side / 2 + 0.5), width * (z + 0.55)) for x, y, z in cells]


def _drop(scene, count, kinds, lift=0.0):
    """Bodies in cells of a grid, turned and thrown at random."""
    rng, s = scene.rng, scene.size
    width = 3.2 * s
    speed = _speed(rng, s) * rng.choice([0, 0.3])
    spin = rng.choice([0, 0, 1, 10]) * math.sqrt(9.81 / s)
    turned = rng.random() < 0.8
    for x, y, z in _grid(rng, count, width):
        more = _turn(rng) if turned else {}
        shape = _shape(rng, s, kinds)
        scene.add(shape, [_round(x, 9), _round(y, 9), _round(z + lift, 9)], velocity=_vector(rng, speed),
                  angular_velocity=_vector(rng, spin), **more)
