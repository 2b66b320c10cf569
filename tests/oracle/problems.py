# SPDX-License-Identifier: Apache-2.0
"""Deterministic hard problems: (tag, K, u, mu, e) with K and u exact doubles.

K is built from two bodies (masses, inertias, lever arms), or with a prescribed condition number in
a random orientation, or with the motion confined to a plane; it is exactly symmetric.
"""
import math

from common import Matrix, exact, norm
from kinematic import COS, SIN, laurent_product, laurent_sum, unit_roots
from marching import _friction

PAPER_K = [[20.0, -23.0, 4.0], [-23.0, 31.0, -7.0], [4.0, -7.0, 4.0]]


def rotation(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    n = math.sqrt(sum(x * x for x in q))
    w, x, y, z = (v / n for v in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def turned(diagonal, R):
    return [[sum(R[i][k] * diagonal[k] * R[j][k] for k in range(3)) for j in range(3)] for i in range(3)]


def symmetric(A):
    n = len(A)
    return [[A[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]


def body_term(rng, arm):
    """1/m I - r~ I^-1 r~ of a random box-like body."""
    m = math.exp(rng.uniform(-1.6, 2.0))
    side = [rng.uniform(0.15, 1.2) for _ in range(3)]
    inertia = [m / 12 * (side[(i + 1) % 3] ** 2 + side[(i + 2) % 3] ** 2) for i in range(3)]
    J = turned([1 / x for x in inertia], rotation(rng))
    r = [rng.uniform(-arm, arm) for _ in range(3)]
    S = [[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]]
    T = [[sum(S[i][k] * J[k][l] * S[j][l] for k in range(3) for l in range(3)) for j in range(3)] for i in range(3)]
    return [[T[i][j] + (1 / m if i == j else 0) for j in range(3)] for i in range(3)]


def two_body(rng, arm=0.8):
    A, B = body_term(rng, arm), body_term(rng, arm)
    return symmetric([[A[i][j] + B[i][j] for j in range(3)] for i in range(3)])


def conditioned(rng, cond):
    """K with eigenvalues s, s*cond^-a, s/cond in a random orientation."""
    s, a = rng.uniform(1, 10), rng.random()
    return symmetric(turned([s, s * cond ** -a, s / cond], rotation(rng)))


def in_plane(rng):
    K = two_body(rng)
    K[0][1] = K[1][0] = K[1][2] = K[2][1] = 0.0
    return K


def velocity(rng, tangential=None, normal=None, angle=None):
    r = rng.uniform(0.1, 2.0) if tangential is None else tangential
    z = rng.uniform(0.1, 2.0) if normal is None else normal
    th = rng.uniform(-math.pi, math.pi) if angle is None else angle
    return [r * math.cos(th), r * math.sin(th), -z]


def rays(K, mu):
    """[(angle, attracting)] of constant sliding."""
    M, mu = Matrix(K), exact(mu)
    cc, ss, cs = laurent_product(COS, COS), laurent_product(SIN, SIN), laurent_product(COS, SIN)
    f = laurent_sum((-M.b[0], SIN), (M.b[1], COS), (mu * (M.M2[0][0] - M.M2[1][1]), cs),
                    (-mu * M.M2[0][1], cc), (mu * M.M2[0][1], ss))
    out = []
    for th in unit_roots(f):
        c = [math.cos(th), math.sin(th)]
        out.append((float(th), bool(M.f_theta(mu, exact(c)) < 0)))
    return sorted(out)


def jam(rng):
    """K, mu and an angle with h < 0."""
    while True:
        K, mu = two_body(rng, 1.2), round(rng.uniform(0.4, 1.8), 6)
        b = math.hypot(K[0][2], K[1][2])
        if mu * b > 1.1 * K[2][2]:
            spread = math.acos(K[2][2] / (mu * b))
            return K, mu, math.atan2(K[1][2], K[0][2]) + rng.uniform(-0.9, 0.9) * spread


def profile(K, mu, th, steps=1500):
    """First maximum and the minimum after it of uz - u0z along the slip from r = 1 (doubles)."""
    (a, o, b1), (_, d, b2), (_, _, k) = K
    x, y = math.cos(th), math.sin(th)
    dt = 0.1 / ((1 + mu) * max(a, d, k))
    uz, peak, low, seen = 0.0, 0.0, None, False
    for _ in range(steps):
        r = math.hypot(x, y)
        h = k - mu * (b1 * x + b2 * y) / r
        if h < 0:
            seen = True
        elif not seen:
            peak = uz
        if seen:
            if low is not None and h > 0:
                break
            low = uz
        x2, y2 = x + dt / 2 * (r * b1 - mu * (a * x + o * y)), y + dt / 2 * (r * b2 - mu * (o * x + d * y))
        r2 = math.hypot(x2, y2)
        uz += dt * (k * r2 - mu * (b1 * x2 + b2 * y2))
        x, y = x + dt * (r2 * b1 - mu * (a * x2 + o * y2)), y + dt * (r2 * b2 - mu * (o * x2 + d * y2))
        if math.hypot(x, y) < 1e-6:
            break
    return (peak, low) if seen else None


def multi_phase(rng, least=0.2, most=0.9):
    """K, u, mu whose uz crosses zero three times (Stronge, e large).

    -u0z lies between the minimum and the first maximum of the profile; near the maximum the first
    decompression is short.
    """
    while True:
        K, mu = two_body(rng, 1.2), round(rng.uniform(0.4, 1.8), 6)
        b = math.hypot(K[0][2], K[1][2])
        if mu * b <= 1.02 * K[2][2]:
            continue
        for _ in range(4):
            th = rng.uniform(-math.pi, math.pi)
            if K[2][2] - mu * (K[0][2] * math.cos(th) + K[1][2] * math.sin(th)) <= 0:
                continue
            found = profile(K, mu, th)
            if not found:
                continue
            peak, low = found
            low = max(low, 0.0)
            if peak - low < 1e-3 * peak or peak <= 0:
                continue
            r = rng.uniform(0.5, 2)
            return K, velocity(rng, r, r * (low + rng.uniform(least, most) * (peak - low)), th), mu


def around_paper(rng):
    K = symmetric([[x * (1 + rng.uniform(-0.01, 0.01)) for x in row] for row in PAPER_K])
    th = math.atan2(-780, 630) + rng.uniform(-0.01, 0.01)
    return K, velocity(rng, 1002.6, rng.uniform(0.1, 0.35), th), round(0.5 + rng.uniform(-0.01, 0.01), 6)


def first_peak(K, u, mu):
    """First local maximum of uz - u0z over pz under the implicit fixed-pz rule (doubles), or None."""
    M2 = [K[0][:2], K[1][:2]]
    unit = math.hypot(u[0], u[1]) / max(K[0][0], K[1][1]) / (1 + mu) / 20
    last = 0.0
    for k in range(1, 400):
        pz = unit * k
        px, py = _friction(M2, (u[0] + K[0][2] * pz, u[1] + K[1][2] * pz), mu * pz)
        gain = K[2][0] * px + K[2][1] * py + K[2][2] * pz
        if gain < last:
            return last
        last = gain
    return None


def several(rng, keep):
    """K, u, mu, e near such a maximum for which keep(K, u, mu, e) holds."""
    while True:
        if rng.random() < 0.5:
            K, u, mu = around_paper(rng)
        else:
            K, mu = two_body(rng, 1.2), round(rng.uniform(0.4, 1.5), 6)
            u = velocity(rng, 1.0)
            if mu * math.hypot(K[0][2], K[1][2]) < K[2][2]:
                continue
        peak = first_peak(K, u, mu)
        if peak:
            u[2], e = -peak * rng.uniform(0.4, 0.999), round(rng.uniform(0.0, 1.0), 6)
            if keep(K, u, mu, e):
                return K, u, mu, e


def stick_ratio(K):
    M = Matrix(K)
    return norm(M.stick_direction())


def base(rng):
    """The common list: (tag, K, u, mu, e)."""
    mu = lambda: round(rng.uniform(0.1, 1.5), 6)
    e = lambda: round(rng.uniform(0.1, 0.95), 6)
    out = [("generic", two_body(rng), velocity(rng), mu(), e()) for _ in range(14)]
    for ratio in (1e-6, 1e-9):
        out += [("grazing", two_body(rng), velocity(rng, 1.0, ratio), mu(), e()) for _ in range(2)]
        for _ in range(2):
            K, m, th = jam(rng)
            out.append(("grazing", K, velocity(rng, 1.0, ratio, th), m, e()))
    for _ in range(2):
        K, m, th = jam(rng)
        out.append(("jam", K, velocity(rng, 1.0, rng.uniform(0.05, 0.5), th), m, e()))
    for k in range(4):
        K = two_body(rng)
        m = round(float(stick_ratio(K)) * (0.6 if k % 2 else 1.5), 6)
        out.append(("zero_tangential", K, [0.0, 0.0, -rng.uniform(0.1, 2)], m, e()))
        m = round(float(stick_ratio(K)) * (1.5 if k % 2 else 0.6), 6)
        out.append(("tiny_tangential", K, velocity(rng, 1e-9), m, e()))
    out += [("mu_zero", two_body(rng), velocity(rng), 0.0, e()) for _ in range(2)]
    out += [("mu_huge", two_body(rng), velocity(rng), m, e()) for m in (1e3, 1e3, 1e6, 1e6)]
    out += [("e_zero", two_body(rng), velocity(rng), mu(), 0.0) for _ in range(4)]
    out += [("e_one", two_body(rng), velocity(rng), mu(), 1.0) for _ in range(4)]
    for k, factor in enumerate((1 - 1e-6, 1 + 1e-6, 1 - 1e-3) * 2):
        K = two_body(rng)
        u = velocity(rng, 0.0 if k == 3 else 0.2, 1.5)
        out.append(("stick_edge", K, u, factor, e()))      # mu is filled in per law
    for k in range(8):
        if k == 0:
            out.append(("multi_phase", PAPER_K, [630.0, -780.0, -0.22], 0.5, 0.9))
        else:
            K, u, m = around_paper(rng) if k < 4 else multi_phase(rng)
            out.append(("multi_phase", K, u, m, round(rng.uniform(0.8, 1.0), 6)))
    for delta in (0.0, 1e-8, -1e-8):
        K, m = two_body(rng), mu()
        for wanted in (True, False):
            th = next(a for a, attracting in rays(K, m) if attracting == wanted)
            out.append(("near_ray", K, velocity(rng, angle=th + delta), m, e()))
    for cond in (1e4, 1e6, 1e8):
        out += [("stiff", conditioned(rng, cond), velocity(rng), mu(), e()) for _ in range(2)]
    for _ in range(2):
        u = velocity(rng)
        out.append(("separating", two_body(rng), [u[0], u[1], -u[2]], mu(), e()))
    for _ in range(3):
        out.append(("planar3d", in_plane(rng), velocity(rng, angle=0.0), mu(), e()))
    return out
