# SPDX-License-Identifier: Apache-2.0
"""Random scenes for the judge: scene(seed) gives the same TOML text for the same seed.

Each scene belongs to a family (`family(seed)`); the seed chooses sizes from 1 mm to 10 m, e from 0 to 1, mu
from 0 to 3, gravity or none where the family allows it, the method for impacts at one instant, the mode of
contact, masses, speeds and spins. Bodies never overlap at the start: they are placed by their exact measures
(stacks, rows) or in cells of a grid that are wider than their bounding spheres. The law is always routh. All
scenes last 3 s.
"""

import math
import random

from scene_parts import DURATION, Scene, _drop, _gap, _round, _shape, _speed, _table, _turn, _vector

# --- families -------------------------------------------------------------------------------------------


def stack(scene):
    """Bodies of different size on top of each other, some to the side."""
    rng, s, z = scene.rng, scene.size, 0.0
    scene.floor()
    kind = rng.choice(["box", "cylinder", "mixed"])
    gap, shift = _gap(rng, s), rng.choice([0, 0, 0.1]) * s
    push = _speed(rng, s) * rng.choice([0, 0.2])
    for i in range(rng.randint(2, 12)):
        h = _round(s * rng.choice([0.2, 0.5, 1]))
        round_one = kind == "cylinder" or (kind == "mixed" and rng.random() < 0.5)
        shape = {"type": "cylinder", "radius": 0.5 * s, "height": h} if round_one else {"type": "box", "size": [s, s, h]}
        z += gap
        scene.add(shape, [_round(rng.uniform(-shift, shift)), 0, z + 0.5 * h], velocity=[push, 0, 0])
        z += h


def column(scene):
    """Equal boxes exactly above each other, 2 to 60."""
    rng, s = scene.rng, scene.size
    scene.floor()
    size = [s, rng.choice([s, 2 * s]), _round(s * rng.choice([0.25, 1, 1]))]
    gap, lift = _gap(rng, s), rng.choice([0, 0, 0.5, 3]) * s
    speed = [_speed(rng, s) * rng.choice([0, 0, 0.2]), 0, 0]
    for i in range(rng.choice([2, 3, 5, 8, 12, 20, 30, 45, 60])):
        scene.add({"type": "box", "size": size}, [0, 0, lift + i * (size[2] + gap) + 0.5 * size[2]], velocity=speed)


def heap(scene):
    scene.floor()
    _drop(scene, scene.rng.randint(4, 40), None)


def bin_of_balls(scene):
    rng, s = scene.rng, scene.size
    scene.floor()
    half = 3.2 * s * rng.choice([2, 2.2, 3])
    for normal in ([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]):
        scene.wall(normal, [-half * n for n in normal])
    _drop(scene, rng.randint(5, 60), ["sphere"])


def rods(scene):
    scene.floor()
    _drop(scene, scene.rng.randint(2, 20), [scene.rng.choice(["rod", "capsule", "cylinder"])])


def plates(scene):
    """Flat boxes that lie, slide into each other and fall on each other."""
    rng, s = scene.rng, scene.size
    scene.floor()
    h = _round(s * rng.choice([0.02, 0.1]))
    speed = _speed(rng, s)
    for i in range(rng.randint(2, 8)):
        lift = rng.choice([0, 0, 1e-6, 0.3]) * s
        scene.add({"type": "box", "size": [s, s, h]}, [1.5 * s * i, 0, 0.5 * h + lift], velocity=[-speed if i else speed, 0, 0])
    for i in range(rng.randint(0, 5)):
        scene.add({"type": "box", "size": [s, s, h]}, [1.5 * s * i, 0, s + 0.5 * h], angular_velocity=_vector(rng, 2))


def coins(scene):
    rng, s = scene.rng, scene.size
    scene.floor()
    h = _round(s * rng.choice([0.05, 0.2]))
    coin = {"type": "cylinder", "radius": s, "height": h}
    for i in range(rng.randint(1, 6)):  # a pile
        scene.add(coin, [0, 0, (i + 0.5) * h])
    for i in range(rng.randint(1, 5)):  # on their edge: rolling and spinning
        more = {"axis": [1, 0, 0], "angle": 90}
        scene.add(coin, [3 * s * (i + 1), 0, s + rng.choice([0, 0.2]) * s], velocity=[_speed(rng, s) * rng.choice([-1, 1, 0]), 0, 0],
                  angular_velocity=[0, 0, _round(rng.choice([0, 5, 30]))], **more)
    for i in range(rng.randint(0, 5)):
        scene.add(coin, [-3 * s * (i + 1), 0, 2 * s], velocity=_vector(rng, _speed(rng, s)), **_turn(rng))


def cones(scene):
    rng, s = scene.rng, scene.size
    scene.floor()
    cone = {"type": "cone", "radius": s, "height": _round(s * rng.choice([0.5, 1, 3]))}
    for i in range(rng.randint(1, 8)):
        x = 6 * s * i
        how = rng.choice(["base", "apex", "drop", "slide"])
        h = cone["height"]
        if how in ("base", "slide"):
            scene.add(cone, [x, 0, 0.25 * h], velocity=[_speed(rng, s) if how == "slide" else 0, 0, 0])
        elif how == "apex":
            scene.add(cone, [x, 0, 0.75 * h + _gap(rng, s)], axis=[1, 0, 0], angle=180, angular_velocity=[0, 0, rng.choice([0, 20])])
        else:
            scene.add(cone, [x, 0, 2.5 * h + s], angular_velocity=_vector(rng, 5), **_turn(rng))


def log_pile(scene):
    """Capsules or cylinders that lie in crossed layers, exactly touching or nearly."""
    rng, s = scene.rng, scene.size
    scene.floor()
    shape = rng.choice([{"type": "capsule", "radius": 0.25 * s, "length": 2 * s}, {"type": "cylinder", "radius": 0.25 * s, "height": 2 * s}])
    gap = _gap(rng, s)
    for layer in range(rng.randint(1, 8)):
        axis = [1, 0, 0] if layer % 2 else [0, 1, 0]
        for k in (-0.7, 0.7):
            side = [k * s, 0] if layer % 2 else [0, k * s]
            scene.add(shape, side + [0.25 * s + layer * (0.5 * s + gap)], axis=axis, angle=90)


def hulls(scene):
    scene.floor()
    _drop(scene, scene.rng.randint(2, 15), ["hull"])


def compounds(scene):
    scene.floor()
    _drop(scene, scene.rng.randint(2, 12), ["compound"])


def dominoes(scene):
    rng, s = scene.rng, scene.size
    scene.floor()
    pitch = _round(s * rng.choice([0.3, 0.5, 0.7]))
    for i in range(rng.randint(3, 25)):
        scene.add({"type": "box", "size": [0.15 * s, 0.5 * s, s]}, [i * pitch, 0, 0.5 * s])
    scene.add({"type": "sphere", "radius": 0.12 * s}, [-0.5 * s, 0, 0.85 * s], velocity=[_round(2 * math.sqrt(9.81 * s)), 0, 0])


def pyramid(scene):
    rng, s = scene.rng, scene.size
    scene.floor()
    rows, gap = rng.randint(2, 8), rng.choice([0.0, 1e-6 * s, 0.02 * s])
    shape = rng.choice([{"type": "box", "size": [s, s, s]}, {"type": "cylinder", "radius": 0.5 * s, "height": s}])
    for row in range(rows):
        for i in range(rows - row):
            scene.add(shape, [(i + 0.5 * row) * (s + gap), 0, (row + 0.5) * s])
    if rng.random() < 0.5:
        scene.add({"type": "sphere", "radius": 0.5 * s}, [-3 * s, 0, 0.6 * s * rows], velocity=[_speed(rng, s), 0, 0])


def cradle(scene):
    """A row of touching balls or cubes, hit by one to three of them."""
    rng, s = scene.rng, scene.size
    scene.gravity = rng.random() < 0.5
    if scene.gravity:
        scene.floor()
    shape = rng.choice([{"type": "sphere", "radius": 0.5 * s}] * 2 + [{"type": "box", "size": [s, s, s]}])
    gap, count = rng.choice([0.0, 0.0, 1e-9 * s, 1e-3 * s]), rng.randint(2, 10)
    for i in range(count):
        scene.add(shape, [i * (s + gap), 0, 0.5 * s])
    for i in range(rng.randint(1, 3)):
        scene.add(shape, [-2 * s - i * (s + gap), 0, 0.5 * s], velocity=[_round(rng.uniform(0.5, 5) * s), 0, 0])


def at_wall(scene):
    """Bodies thrown at a wall: a half-space, or a thin fixed plate."""
    rng, s = scene.rng, scene.size
    scene.gravity = rng.random() < 0.5
    if scene.gravity:
        scene.floor()
    if rng.random() < 0.5:
        scene.wall([-1, 0, 0], [5 * s, 0, 0])
    else:
        thick = 0.01 * s
        scene.add({"type": "box", "size": [thick, 40 * s, 40 * s]}, [5 * s, 0, 20 * s], fixed=True)
    speed = _round(s * 10 ** rng.uniform(-1, 3))
    for i in range(rng.randint(1, 8)):
        scene.add(_shape(rng, s), [0, 3.2 * s * (i - 3), 2 * s + s * rng.random()], velocity=[speed, 0, _round(rng.gauss(0, 0.1) * speed)],
                  angular_velocity=_vector(rng, rng.choice([0, 1, 20])), **_turn(rng))


def at_each_other(scene):
    """Free bodies only, no gravity."""
    rng, s = scene.rng, scene.size
    scene.gravity = False
    aligned, kinds = rng.random() < 0.4, rng.choice([["cube"], ["sphere"], ["cube", "plate"], None, None])
    for i in range(rng.randint(2, 6)):
        more = {} if aligned else _turn(rng)
        side = 0 if aligned else 0.3 * s
        scene.add(_shape(rng, s, kinds), [3.2 * s * i, _round(rng.uniform(-side, side)), 0], velocity=[-1.5 * s * i + 2 * s, 0, 0],
                  angular_velocity=_vector(rng, 0 if aligned else rng.choice([0, 1, 10])), **more)


def moving(scene):
    """Planes that move, turntables, paddles."""
    rng, s = scene.rng, scene.size
    how = rng.choice(["lift", "belt", "table", "paddle", "push"])
    speed = _speed(rng, s) * 0.3
    if how == "lift":
        scene.floor(velocity=[0, 0, rng.choice([-1, 1]) * speed])
    elif how == "belt":
        scene.floor(velocity=[speed, 0, 0])
    elif how == "table":
        scene.add({"type": "cylinder", "radius": 20 * s, "height": s}, [0, 0, -0.5 * s], fixed=True, angular_velocity=[0, 0, _round(rng.uniform(-5, 5))])
    elif how == "paddle":
        scene.floor()
        scene.add({"type": "box", "size": [30 * s, 0.5 * s, 20 * s]}, [0, -10 * s, 10.001 * s], fixed=True, angular_velocity=[0, 0, _round(rng.uniform(0.1, 2))])
    else:
        scene.floor()
        scene.wall([1, 0, 0], [-10 * s, 0, 0], velocity=[speed, 0, 0])
    if rng.random() < 0.4:
        for i in range(rng.randint(1, 6)):
            scene.add({"type": "box", "size": [s, s, s]}, [0, 0, (i + 0.5) * s])
    else:
        _drop(scene, rng.randint(1, 12), None)


def between_walls(scene):
    """A body between two walls that it touches or nearly touches; one wall may go away."""
    rng, s = scene.rng, scene.size
    scene.gravity = rng.random() < 0.5
    if scene.gravity:
        scene.floor()
    gap = _gap(rng, s)
    shape, half = rng.choice([({"type": "sphere", "radius": 0.5 * s}, 0.5 * s), ({"type": "box", "size": [s, s, s]}, 0.5 * s),
                              ({"type": "cylinder", "radius": 0.5 * s, "height": s}, 0.5 * s)])
    count = rng.randint(1, 3)
    scene.wall([1, 0, 0], [-half, 0, 0])
    leave = rng.choice([0, 0, 0.1, 1]) * s
    scene.wall([-1, 0, 0], [half + (count - 1) * s + gap * (count + 1), 0, 0], velocity=[leave, 0, 0])
    for i in range(count):
        scene.add(shape, [i * (s + gap) + 0.5 * gap, 0, rng.choice([0.5, 0.5, 2]) * s],
                  velocity=[_speed(rng, s) * rng.choice([0, 1, -1]), _speed(rng, s) * 0.1, 0], angular_velocity=_vector(rng, rng.choice([0, 0, 5])))


def aligned(scene):
    """Cubes side by side with level faces, and one that hits or lands on them."""
    rng, s = scene.rng, scene.size
    scene.gravity = rng.random() < 0.6
    if scene.gravity:
        scene.floor()
    gap = rng.choice([0.0, 0.0, 1e-9 * s, 1e-4 * s])
    nx, ny, nz = rng.choice([(3, 1, 1), (3, 3, 1), (2, 2, 2), (4, 1, 3)])
    for x in range(nx):
        for y in range(ny):
            for z in range(nz):
                scene.add({"type": "box", "size": [s, s, s]}, [x * (s + gap), y * (s + gap), (z + 0.5) * s + z * gap])
    where, speed = rng.choice([([-2 * s, 0, 0.5 * s], [2, 0, 0]), ([0.5 * s, 0, (nz + 2) * s], [0, 0, -2]), ([-2 * s, 0.5 * s, s], [3, 0, 0])])
    scene.add({"type": "box", "size": [s, s, s]}, where, velocity=[_round(v * s) for v in speed])


def ramp(scene):
    rng, s = scene.rng, scene.size
    t = math.radians(rng.choice([5, 15, 30, 45]))
    scene.wall([round(math.sin(t), 12), 0, round(math.cos(t), 12)], [0, 0, 0])
    n = (math.sin(t), 0, math.cos(t))
    for i in range(rng.randint(1, 6)):
        lift = 0.5 * s + rng.choice([0.001, 0.01, 0.5]) * s
        place = [n[0] * lift, 2 * s * i, n[2] * lift]
        shape = rng.choice([{"type": "box", "size": [s, s, s]}, {"type": "cylinder", "radius": 0.5 * s, "height": s}, {"type": "sphere", "radius": 0.5 * s}])
        scene.add(shape, place, axis=[0, 1, 0], angle=math.degrees(t), velocity=[0, rng.choice([0, 1, -1]) * _speed(rng, s), 0])


def gas(scene):
    """No gravity, six walls."""
    rng, s = scene.rng, scene.size
    scene.gravity = False
    side, width = rng.choice([2, 3]), 3.2 * s
    half = width * side / 2
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = [sign if k == axis else 0.0 for k in range(3)]
            scene.wall(normal, [-half * n for n in normal])
    kinds = rng.choice([["sphere"], ["cube"], None])
    cells = [(x, y, z) for x in range(side) for y in range(side) for z in range(side)]
    for x, y, z in cells[: rng.randint(2, len(cells))]:
        scene.add(_shape(rng, s, kinds), [width * (c - side / 2 + 0.5) for c in (x, y, z)], velocity=_vector(rng, s), **_turn(rng))


def heavy_on_light(scene):
    """Mass ratios up to ten thousand, the heavy one on top."""
    rng, s = scene.rng, scene.size
    scene.weights = False
    scene.floor()
    ratio = rng.choice([10, 100, 1e3, 1e4])
    low = rng.choice(["box", "ball", "posts"])
    top = {"type": "box", "size": [2 * s, 2 * s, 0.5 * s]}
    if low == "box":
        scene.add({"type": "box", "size": [s, s, s]}, [0, 0, 0.5 * s], mass=1.0)
    elif low == "ball":
        scene.add({"type": "sphere", "radius": 0.5 * s}, [0, 0, 0.5 * s], mass=1.0)
    else:
        for x in (-0.7, 0.7):
            for y in (-0.7, 0.7):
                scene.add({"type": "cylinder", "radius": 0.2 * s, "height": s}, [x * s, y * s, 0.5 * s], mass=1.0)
    scene.add(top, [0, 0, 1.25 * s + rng.choice([0, 0, 0.5]) * s], mass=ratio)
    for body in scene.bodies:
        body.pop("density", None)


FAMILIES = [stack, column, heap, bin_of_balls, rods, plates, coins, cones, log_pile, hulls, compounds, dominoes, pyramid, cradle,
            at_wall, at_each_other, moving, between_walls, aligned, ramp, gas, heavy_on_light]


def family(seed):
    """The name of the family of a seed."""
    return FAMILIES[seed % len(FAMILIES)].__name__


def _finish_masses(scene):
    for body in scene.bodies:
        if "mass" in body:
            body.pop("density", None)


def scene(seed):
    """The scene of a seed as TOML."""
    rng = random.Random(seed)
    made = Scene(rng)
    FAMILIES[seed % len(FAMILIES)](made)
    _finish_masses(made)
    settings = {"duration": DURATION}
    if not made.gravity:
        settings["gravity"] = [0, 0, 0]
    settings["multiple"] = rng.choice(["sequential"] * 8 + ["coupled", "simultaneous", "simultaneous"])
    settings["contact"] = rng.choice(["lasting"] * 6 + ["micro"])
    if rng.random() < 0.1:
        settings["sleep"] = False
    law = {"law": "routh", "e": rng.choice([0.0, 1.0, _round(rng.random(), 2), _round(rng.random(), 2), _round(rng.random() * 0.5, 2)]),
           "mu": rng.choice([0.0, _round(rng.random(), 2), _round(rng.random(), 2), _round(rng.uniform(1, 3), 2), 3.0])}
    tables = [_table("", {"title": "%s, seed %d" % (family(seed), seed)}).lstrip(), _table("[simulation]", settings), _table("[[contact]]", law)]
    return "\n".join(tables + [_table("[[body]]", body) for body in made.bodies])


if __name__ == "__main__":
    import sys

    if len(sys.argv) != 2:
        sys.exit("usage: random_scenes.py SEED")
    print(scene(int(sys.argv[1])), end="")
