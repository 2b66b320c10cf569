# SPDX-License-Identifier: Apache-2.0
"""How deep two shapes overlap, computed from support functions alone.

Method. The depth of two convex shapes A and B is the shortest translation that parts them. It is the
minimum, over unit directions d, of h(d) = max_{a in A} a.d - min_{b in B} b.d, the support function of
the difference A - B. Any direction gives an upper bound of the depth. A lower bound is the distance of
the origin to the surface of a polytope whose corners are points of A - B: it lies inside A - B. The
polytope grows at its face nearest to the origin (the expanding polytope method, with signed distances,
so that it may start beside the origin) until both bounds agree. Pairs with a half-space, of boxes, and of
a sphere with a sphere, box, capsule, cylinder or cone have closed forms. A compound is the union of its
parts; its depth is the largest of any pair of parts. Positive is overlap, negative is apart.

    depth(part_a, pose_a, part_b, pose_b)    -> (lower, upper)       two convex parts
    body_depth(parts_a, pose_a, parts_b, pose_b) -> (lower, upper)   two bodies
    bounds(part_a, pos, rot, part_b, pos, rot)   -> upper bounds for many poses at once, and whether exact

A pose is (position, rotation matrix) of the frame of the part, or of the body, in the world.
"""

import heapq
import math
from dataclasses import dataclass, field

import numpy as np

KINDS = ("sphere", "plane", "box", "capsule", "cylinder", "cone", "hull")


@dataclass
class Part:
    """One convex shape: its kind, its measures, and its place in the frame of its body."""

    kind: str
    radius: float = 0.0
    length: float = 0.0
    size: tuple = (0.0, 0.0, 0.0)
    normal: tuple = (0.0, 0.0, 1.0)
    vertices: np.ndarray = None
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))

    def extent(self):
        """The largest distance of a point from the origin of the part's frame."""
        if self.kind == "plane":
            return math.inf
        if self.kind == "sphere":
            return self.radius
        if self.kind == "box":
            return 0.5 * math.hypot(*self.size)
        if self.kind == "capsule":
            return 0.5 * self.length + self.radius
        if self.kind == "cylinder":
            return math.hypot(0.5 * self.length, self.radius)
        if self.kind == "cone":
            return max(0.75 * self.length, math.hypot(0.25 * self.length, self.radius))
        return float(np.max(np.linalg.norm(self.vertices, axis=1)))


def rotation(q):
    """Rotation matrices of quaternions [..., w x y z]."""
    q = np.asarray(q, float)
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(q.shape[:-1] + (3, 3))


def place(part, pos, rot):
    """The pose of a part in the world from that of its body; many at once."""
    return pos + rot @ part.position, rot @ part.rotation


# --- many poses at once: upper bounds, and closed forms -------------------------------------------------


def reach(part, rot, d):
    """Support values, relative to the part's origin: rot [T,3,3], d [T,K,3] -> [T,K]."""
    if part.kind == "sphere":
        return np.full(d.shape[:2], part.radius)
    local = np.einsum("tij,tki->tkj", rot, d)
    if part.kind == "box":
        return np.abs(local) @ (0.5 * np.asarray(part.size))
    if part.kind == "hull":
        return np.max(local @ part.vertices.T, axis=-1)
    along = local[..., 2]
    across = np.hypot(local[..., 0], local[..., 1])
    if part.kind == "capsule":
        return 0.5 * part.length * np.abs(along) + part.radius * np.linalg.norm(local, axis=-1)
    if part.kind == "cylinder":
        return 0.5 * part.length * np.abs(along) + part.radius * across
    return np.maximum(0.75 * part.length * along, part.radius * across - 0.25 * part.length * along)


def _unit(d):
    """Unit vectors; directions too short to have one become z."""
    size = np.linalg.norm(d, axis=-1, keepdims=True)
    return np.where(size > 1e-9, d / np.where(size > 1e-9, size, 1), np.array([0.0, 0.0, 1.0]))


def _axes(part, rot):
    """Directions that matter for a part by itself: [T,K,3]."""
    if part.kind == "sphere":
        return np.zeros((len(rot), 0, 3))
    axes = np.swapaxes(rot, 1, 2)
    return axes if part.kind in ("box", "hull") else axes[:, 2:3]


def _slants(part, rot, aim):
    """Normals of the side of a body of revolution that face the other body: [T,K,3]."""
    if part.kind not in ("cylinder", "capsule", "cone"):
        return np.zeros((len(rot), 0, 3))
    z = rot[:, :, 2]
    side = _unit(aim - np.sum(aim * z, axis=1, keepdims=True) * z)
    if part.kind == "cone":
        slant = _unit(part.length * side + part.radius * z)
        return np.stack([side, slant], axis=1)
    return side[:, None, :]


def _candidates(part_a, rot_a, part_b, rot_b, aim):
    """Directions in which the two may be apart, both ways round: [T,K,3]."""
    axes_a, axes_b = _axes(part_a, rot_a), _axes(part_b, rot_b)
    cross = np.cross(axes_a[:, :, None, :], axes_b[:, None, :, :]).reshape(len(aim), -1, 3)
    parts = [aim[:, None, :], axes_a, axes_b, cross, _slants(part_a, rot_a, aim), _slants(part_b, rot_b, -aim)]
    d = _unit(np.concatenate(parts, axis=1))
    return np.concatenate([d, -d], axis=1)


def _spread(part_a, pos_a, rot_a, part_b, pos_b, rot_b, d):
    """h(d) for many poses and directions: [T,K]."""
    gap = np.einsum("tj,tkj->tk", pos_a - pos_b, d)
    return reach(part_a, rot_a, d) + reach(part_b, rot_b, -d) + gap


def _polygon_depth(corners, rho, z):
    """Signed depth of points (rho, z), rho >= 0, in a convex polygon given anticlockwise."""
    inside = np.full(rho.shape, np.inf)
    apart = np.full(rho.shape, np.inf)
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
        ex, ey = x1 - x0, y1 - y0
        size = math.hypot(ex, ey)
        inside = np.minimum(inside, (ex * (z - y0) - ey * (rho - x0)) / size)
        s = np.clip(((rho - x0) * ex + (z - y0) * ey) / size**2, 0, 1)
        apart = np.minimum(apart, np.hypot(rho - x0 - s * ex, z - y0 - s * ey))
    return np.where(inside >= 0, inside, -apart)


def _point_depth(part, p):
    """Signed depth of points p [T,3], in the part's frame, in a part that has a closed form."""
    if part.kind == "sphere":
        return part.radius - np.linalg.norm(p, axis=1)
    if part.kind == "box":
        out = np.abs(p) - 0.5 * np.asarray(part.size)
        return np.where(np.all(out <= 0, axis=1), -np.max(out, axis=1), -np.linalg.norm(np.maximum(out, 0), axis=1))
    rho, z, r, h = np.hypot(p[:, 0], p[:, 1]), p[:, 2], part.radius, part.length
    if part.kind == "capsule":
        return r - np.hypot(rho, np.maximum(np.abs(z) - 0.5 * h, 0))
    if part.kind == "cylinder":
        return _polygon_depth([(-r, -h / 2), (r, -h / 2), (r, h / 2), (-r, h / 2)], rho, z)
    return _polygon_depth([(-r, -h / 4), (r, -h / 4), (0.0, 0.75 * h)], rho, z)


def bounds(part_a, pos_a, rot_a, part_b, pos_b, rot_b):
    """Upper bounds of the depth for T poses, whether they are exact, and the directions that gave them."""
    if part_b.kind == "plane":
        n = rot_b @ np.asarray(part_b.normal)
        down = -n[:, None, :]
        low = np.sum((pos_a - pos_b) * n, axis=1)
        return reach(part_a, rot_a, down)[:, 0] - low, True, -n
    if part_a.kind == "plane":
        depths, exact, d = bounds(part_b, pos_b, rot_b, part_a, pos_a, rot_a)
        return depths, exact, -d
    for ball, pos, other, pos_o, rot_o in ((part_b, pos_b, part_a, pos_a, rot_a), (part_a, pos_a, part_b, pos_b, rot_b)):
        if ball.kind == "sphere" and other.kind != "hull":
            local = np.einsum("tij,ti->tj", rot_o, pos - pos_o)
            return _point_depth(other, local) + ball.radius, True, np.zeros((len(pos), 3))
    aim = _unit(pos_b - pos_a)
    d = _candidates(part_a, rot_a, part_b, rot_b, aim)
    values = _spread(part_a, pos_a, rot_a, part_b, pos_b, rot_b, d)
    best = np.argmin(values, axis=1)
    pick = np.arange(len(best))
    # Of two boxes the candidates are all normals of A - B: exact where they overlap, not where apart.
    exact = part_a.kind == "box" and part_b.kind == "box"
    return values[pick, best], exact, d[pick, best]


# --- one pose: both bounds, by a growing polytope ------------------------------------------------------


def _round_support(part, local):
    """The point of a part farthest along a direction, both in the part's frame."""
    x, y, z = local
    if part.kind == "box":
        a, b, c = part.size
        return math.copysign(0.5 * a, x), math.copysign(0.5 * b, y), math.copysign(0.5 * c, z)
    if part.kind == "sphere":
        f = part.radius / math.sqrt(x * x + y * y + z * z)
        return f * x, f * y, f * z
    if part.kind == "capsule":
        f = part.radius / math.sqrt(x * x + y * y + z * z)
        return f * x, f * y, f * z + math.copysign(0.5 * part.length, z)
    across = math.hypot(x, y)
    f = part.radius / across if across > 0 else 0.0
    if part.kind == "cylinder":
        return f * x, f * y, math.copysign(0.5 * part.length, z)
    if 0.75 * part.length * z > part.radius * across - 0.25 * part.length * z:
        return 0.0, 0.0, 0.75 * part.length
    return f * x, f * y, -0.25 * part.length


def _support(part, pos, rot):
    """A function from a direction to the farthest point, in the world."""
    px, py, pz = (float(v) for v in pos)
    if part.kind == "hull":
        corners = [tuple(v) for v in (part.vertices @ rot.T + pos).tolist()]
        return lambda d: max(corners, key=lambda c: c[0] * d[0] + c[1] * d[1] + c[2] * d[2])
    (a, b, c), (e, f, g), (h, i, j) = rot.tolist()

    def farthest(d):
        u, v, w = d
        x, y, z = _round_support(part, (a * u + e * v + h * w, b * u + f * v + i * w, c * u + g * v + j * w))
        return px + a * x + b * y + c * z, py + e * x + f * y + g * z, pz + h * x + i * y + j * z

    return farthest


def _sub(p, q):
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _dot(p, q):
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _cross(p, q):
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


class _Polytope:
    """A convex polytope that grows by points; its faces wait in a queue by their distance to the origin."""

    def __init__(self, corners, size):
        self.points = list(corners)
        self.tiny = 1e-11 * size
        self.size = size
        self.faces = {}
        self.edges = {}  # the face to the left of each edge
        self.queue = []
        self.count = 0
        a, b, c, d = corners
        order = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))
        if _dot(_cross(_sub(b, a), _sub(c, a)), _sub(d, a)) > 0:
            order = tuple((i, k, j) for i, j, k in order)
        for face in order:
            self._add(*face)

    def _add(self, i, j, k):
        p = self.points[i]
        e, f = _sub(self.points[j], p), _sub(self.points[k], p)
        n = _cross(e, f)
        size = math.sqrt(_dot(n, n))
        if size > 1e-11 * self.size * math.sqrt(max(_dot(e, e), _dot(f, f))):
            n = (n[0] / size, n[1] / size, n[2] / size)
            offset = _dot(n, p)
        else:
            n, offset = (0.0, 0.0, 0.0), math.inf  # a face without area
        self.faces[self.count] = (i, j, k, n, offset)
        for edge in ((i, j), (j, k), (k, i)):
            self.edges[edge] = self.count
        heapq.heappush(self.queue, (offset, self.count))
        self.count += 1

    def nearest(self):
        """The face of the least signed distance to the origin."""
        while self.queue[0][1] not in self.faces:
            heapq.heappop(self.queue)
        return self.queue[0][1]

    def _sees(self, p, f):
        """Whether a point is above a face; faces without area go with their neighbours."""
        n, offset = self.faces[f][3:]
        return offset == math.inf or _dot(n, p) - offset > self.tiny

    def insert(self, p, start=None):
        """Adds a point that is above the face `start`, or above any; false when it is above none."""
        if start is None:
            above = [f for f in self.faces if self.faces[f][4] < math.inf and self._sees(p, f)]
            start = above[0] if above else None
        if start is None or not self._sees(p, start):
            return False
        seen, stack, border = {start}, [start], []
        while stack:
            i, j, k = self.faces[stack.pop()][:3]
            for edge in ((i, j), (j, k), (k, i)):
                other = self.edges[edge[1], edge[0]]
                if other in seen:
                    continue
                if self._sees(p, other):
                    seen.add(other)
                    stack.append(other)
                else:
                    border.append((edge, other))
        if len(seen) == len(self.faces):
            return False
        for f in seen:
            del self.faces[f]
        self.points.append(p)
        for (i, j), other in border:
            if other not in seen:
                self._add(i, j, len(self.points) - 1)
        return True


def _first_four(points, size):
    """Four points that span a volume, or None."""
    a = points[0]
    b = max(points, key=lambda p: _dot(_sub(p, a), _sub(p, a)))
    ab = _sub(b, a)
    off_line = lambda p: _dot(_cross(ab, _sub(p, a)), _cross(ab, _sub(p, a)))
    c = max(points, key=off_line)
    n = _cross(ab, _sub(c, a))
    d = max(points, key=lambda p: abs(_dot(n, _sub(p, a))))
    area = math.sqrt(_dot(n, n))
    if area < 1e-12 * size * size or abs(_dot(n, _sub(d, a))) < 1e-12 * size * area:
        return None
    return a, b, c, d


def _seeds(rot_a, rot_b, best):
    """Directions for the first polytope: frames of both, and a small cone about the best one."""
    seeds = [tuple(s * v) for rot in (rot_a, rot_b) for v in rot.T for s in (1.0, -1.0)]
    seeds += [(x, y, z) for x in (0.57, -0.61) for y in (0.59, -0.55) for z in (0.56, -0.6)]
    if best is not None:
        side = np.cross(best, np.eye(3)[np.argmin(np.abs(best))])
        side /= np.linalg.norm(side)
        other = np.cross(best, side)
        for tilt in (1e-4, 0.05):
            seeds += [tuple(best + tilt * (math.cos(t) * side + math.sin(t) * other)) for t in np.arange(0.1, 6.3, 0.7)]
        seeds.append(tuple(best))
    return seeds


def grow(part_a, pose_a, part_b, pose_b, best=None, enough=0.0, most=400, precision=3e-7):
    """(lower, upper) of the depth of two bounded parts; ends early once the depth is surely below `enough`.

    `precision` is the wished difference of the bounds, relative to the extent of the smaller part."""
    small = min(part_a.extent(), part_b.extent())
    size = part_a.extent() + part_b.extent()
    far_a = _support(part_a, np.zeros(3), pose_a[1])
    far_b = _support(part_b, pose_b[0] - pose_a[0], pose_b[1])
    corner = lambda d: _sub(far_a(d), far_b((-d[0], -d[1], -d[2])))
    upper, points = math.inf, []
    for d in _seeds(pose_a[1], pose_b[1], best):
        points.append(corner(d))
        upper = min(upper, _dot(points[-1], d) / math.sqrt(_dot(d, d)))
        if upper < enough:
            return -math.inf, upper
    four = _first_four(points, size)
    if four is None:
        return -math.inf, upper
    polytope = _Polytope(four, size)
    for p in points:
        polytope.insert(p)
    for _ in range(most):
        face = polytope.nearest()
        n, offset = polytope.faces[face][3:]
        p = corner(n)
        upper = min(upper, _dot(p, n))
        if upper < enough or upper - offset <= precision * small or not polytope.insert(p, face):
            break
    return polytope.faces[polytope.nearest()][4], upper


def depth(part_a, pose_a, part_b, pose_b, enough=0.0):
    """(lower, upper) of the depth of two convex parts; where they are apart the lower one may be -inf."""
    a = [np.asarray(v, float)[None] for v in pose_a]
    b = [np.asarray(v, float)[None] for v in pose_b]
    upper, exact, best = bounds(part_a, *a, part_b, *b)
    if exact:
        return float(upper[0]), float(upper[0])
    if upper[0] < enough:
        return -math.inf, float(upper[0])
    lower, closer = grow(part_a, (a[0][0], a[1][0]), part_b, (b[0][0], b[1][0]), best[0], enough)
    closer = min(closer, float(upper[0]))
    return min(lower, closer), closer


def body_depth(parts_a, pose_a, parts_b, pose_b, enough=0.0):
    """(lower, upper) of the deepest overlap of any two parts of two bodies."""
    both = [depth(a, place(a, *pose_a), b, place(b, *pose_b), enough) for a in parts_a for b in parts_b]
    return max(low for low, _ in both), max(high for _, high in both)
