# SPDX-License-Identifier: Apache-2.0
"""Shared small tools of the reference: precision, 2x2 and 3x3 algebra, scalar roots.

Everything is mpmath at DPS digits. Inputs are doubles and are taken exactly (mpf(float)).
Conventions: contact frame (t, t, n), u = u0 + K p, blocks M2 = K[0:2,0:2], b = K[0:2,2], k33.
`Uncertain` is raised wherever an answer would rest on a tie or on a near tangency: such a case
must be left out of the vectors, never guessed.
"""
from mpmath import mp, mpf

DPS = 42
mp.dps = DPS


class Uncertain(Exception):
    """The case is too close to a tie between branches (or did not converge)."""


def exact(x):
    """A number, or nested lists of numbers, as exact mpf."""
    if isinstance(x, (list, tuple)):
        return [exact(y) for y in x]
    return mpf(x)


class Matrix:
    """The collision matrix with its blocks."""

    def __init__(self, K):
        K = exact(K)
        if any(K[i][j] != K[j][i] for i in range(3) for j in range(3)):
            raise ValueError("K is not symmetric")
        self.K = K
        self.M2 = [[K[0][0], K[0][1]], [K[0][1], K[1][1]]]
        self.b = [K[0][2], K[1][2]]
        self.k33 = K[2][2]
        self.det2 = K[0][0] * K[1][1] - K[0][1] ** 2
        if K[0][0] <= 0 or self.det2 <= 0 or det3(K) <= 0:
            raise ValueError("K is not positive definite")
        self.size = max(abs(x) for row in K for x in row)

    def m2(self, v):
        return [self.M2[0][0] * v[0] + self.M2[0][1] * v[1],
                self.M2[1][0] * v[0] + self.M2[1][1] * v[1]]

    def m2_inverse(self, v):
        (a, c), (_, d) = self.M2
        return [(d * v[0] - c * v[1]) / self.det2, (a * v[1] - c * v[0]) / self.det2]

    def apply(self, p):
        return [dot(row, p) for row in self.K]

    def inverse(self, v):
        """K^-1 v by Cramer's rule (exact enough at this precision for any sane K)."""
        d = det3(self.K)
        out = []
        for j in range(3):
            A = [[v[i] if k == j else self.K[i][k] for k in range(3)] for i in range(3)]
            out.append(det3(A) / d)
        return out

    def stick_direction(self):
        """q with dp_t/dpz = q while sticking."""
        w = self.m2_inverse(self.b)
        return [-w[0], -w[1]]

    # the three slip functions of the angle, for the unit vector c
    def g(self, mu, c):
        return dot(self.b, c) - mu * dot(c, self.m2(c))

    def f(self, mu, c):
        s = [-c[1], c[0]]
        return dot(self.b, s) - mu * dot(s, self.m2(c))

    def f_theta(self, mu, c):
        s = [-c[1], c[0]]
        return -self.g(mu, c) - mu * dot(s, self.m2(s))

    def h(self, mu, c):
        return self.k33 - mu * dot(self.b, c)


def det3(A):
    return (A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1])
            - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0])
            + A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]))


def dot(a, c):
    return mp.fdot(a, c)


def norm(v):
    return mp.sqrt(dot(v, v))


def cross2(a, c):
    return a[0] * c[1] - a[1] * c[0]


def unit(v):
    n = norm(v)
    return [v[0] / n, v[1] / n]


def bracketed_root(fun, a, c, fa=None, fc=None):
    """Root of a function that changes sign once in [a, c]: Ridders' method with bisection."""
    fa = fun(a) if fa is None else fa
    fc = fun(c) if fc is None else fc
    if fa == 0:
        return a
    if fc == 0:
        return c
    if (fa > 0) == (fc > 0):
        raise Uncertain("no sign change")
    for _ in range(400):
        m = (a + c) / 2
        fm = fun(m)
        if fm == 0:
            return m
        x = m + (m - a) * mp.sign(fa - fc) * fm / mp.sqrt(fm * fm - fa * fc)
        fx = fun(x)
        if fx == 0:
            return x
        points = sorted([(a, fa), (m, fm), (x, fx), (c, fc)])
        for (l, fl), (r, fr) in zip(points, points[1:]):
            if (fl > 0) != (fr > 0):
                a, fa, c, fc = l, fl, r, fr
                break
        if abs(c - a) <= mp.eps * 8 * max(abs(a), abs(c)):
            return (a + c) / 2
    raise Uncertain("root did not converge")


def secular(M, weight, v):
    """lam > 0 and the unit c with (lam I + weight M2) c = v, given |M2^-1 v| > weight.

    Solved in the eigenbasis of M2, where |c|^2 is a sum of two squares falling with lam.
    """
    (a, o), (_, d) = M.M2
    phi = mp.atan2(2 * o, a - d) / 2
    e1 = [mp.cos(phi), mp.sin(phi)]
    e2 = [-e1[1], e1[0]]
    m1, m2 = dot(e1, M.m2(e1)), dot(e2, M.m2(e2))
    v1, v2 = dot(e1, v), dot(e2, v)

    def excess(lam):
        return mp.sqrt((v1 / (lam + weight * m1)) ** 2 + (v2 / (lam + weight * m2)) ** 2) - 1

    lam = bracketed_root(excess, mpf(0), norm(v))
    c1, c2 = v1 / (lam + weight * m1), v2 / (lam + weight * m2)
    return lam, unit([c1 * e1[0] + c2 * e2[0], c1 * e1[1] + c2 * e2[1]])
