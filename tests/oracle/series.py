# SPDX-License-Identifier: Apache-2.0
"""Truncated power series and a root locator that cannot miss a root.

A step of any integration below is a polynomial in the step variable. Events are found on that
polynomial in Bernstein form: no sign variation of the Bernstein coefficients proves that there is
no root in the interval (Descartes), one variation proves exactly one; otherwise the interval is
halved (de Casteljau), left half first. Nothing is ever decided from values at step ends.
"""
from mpmath import mp, mpf

from common import Uncertain

_BINOMIAL = {}


def _binomials(n):
    if n not in _BINOMIAL:
        rows = [[mpf(1)]]
        for i in range(n):
            last = rows[-1]
            rows.append([mpf(1)] + [last[j] + last[j + 1] for j in range(i)] + [mpf(1)])
        _BINOMIAL[n] = rows
    return _BINOMIAL[n]


def convolve(a, c, n):
    """Coefficient n of the product of two series (both known up to n)."""
    return mp.fdot(a[:n + 1], c[n::-1])


def value(c, t):
    out = mpf(0)
    for x in reversed(c):
        out = out * t + x
    return out


def derivative(c):
    return [k * c[k] for k in range(1, len(c))]


def product(a, c):
    n = len(a) - 1
    return [convolve(a, c, k) for k in range(n + 1)]


def combine(*terms):
    """Sum of scalar * series."""
    n = len(terms[0][1])
    return [mp.fsum(s * c[k] for s, c in terms) for k in range(n)]


def step_length(components, digits):
    """Largest t for which the last two terms of every (series, scale) are below 10^-digits * scale."""
    best = None
    for c, scale in components:
        n = len(c) - 1
        for k in (n, n - 1):
            if c[k] != 0 and scale > 0:
                t = mp.exp((mp.log(scale) - mp.log(abs(c[k])) - digits * mp.ln10) / k)
                best = t if best is None else min(best, t)
    return best


def _variations(beta):
    signs = [x > 0 for x in beta if x != 0]
    return sum(1 for x, y in zip(signs, signs[1:]) if x != y)


def first_root(c, T, zeros_at_start=0):
    """Smallest t in (0, T) where the polynomial changes sign, or None.

    zeros_at_start: the number of roots known to sit exactly at t = 0; they are divided out.
    """
    c = c[zeros_at_start:]
    scaled, power = [], mpf(1)
    for x in c:
        scaled.append(x * power)
        power *= T
    if abs(scaled[0]) > mp.fsum(abs(x) for x in scaled[1:]):
        return None
    n = len(c) - 1
    rows = _binomials(n)
    ratio = [scaled[k] / rows[n][k] for k in range(n + 1)]
    beta = [mp.fdot(rows[j][:j + 1], ratio[:j + 1]) for j in range(n + 1)]
    found = _isolate(beta, mpf(0), mpf(1), 0)
    if found is None:
        return None
    left, right = found
    return _polish(scaled, left, right) * T


def _isolate(beta, left, right, depth):
    count = _variations(beta)
    if count == 0:
        return None
    if count == 1:
        return left, right
    if depth > 60:
        raise Uncertain("two events closer than 1e-18 of a step")
    row, first, last = list(beta), [beta[0]], [beta[-1]]
    while len(row) > 1:
        row = [(x + y) / 2 for x, y in zip(row, row[1:])]
        first.append(row[0])
        last.append(row[-1])
    middle = (left + right) / 2
    found = _isolate(first, left, middle, depth + 1)
    if found is None:
        if first[-1] == 0:
            return middle, middle
        found = _isolate(last[::-1], middle, right, depth + 1)
    return found


def _polish(c, left, right):
    """Newton inside a bracket that holds exactly one root."""
    if left == right:
        return left
    slope = derivative(c)
    rising = value(c, right) > 0 if value(c, right) != 0 else value(c, left) < 0
    x = (left + right) / 2
    for _ in range(300):
        y = value(c, x)
        if y == 0:
            return x
        if (y > 0) == rising:
            right = x
        else:
            left = x
        d = value(slope, x)
        new = x - y / d if d != 0 else left
        if not left < new < right:
            new = (left + right) / 2
        if abs(new - x) <= 4 * mp.eps * max(abs(new), mpf(10) ** -60):
            return new
        x = new
    raise Uncertain("event did not converge")
