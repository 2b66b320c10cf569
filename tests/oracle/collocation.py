# SPDX-License-Identifier: Apache-2.0
"""One slip step of the compliant law by polynomial collocation in pz, for any stiffness.

In x = pz - pz(start) slip reads  y th' = (kt/mu) u_t.e_perp(th)  with u and y plain integrals of
(cos th, sin th). th is sought as a polynomial of degree N that satisfies this at the N Chebyshev
points of (0, H]. Polynomials follow the smooth branch however fast the angle relaxes, also through
the singular point y = 0 at the end. A step is accepted when the Chebyshev coefficients of th have
died out; otherwise it is halved.
"""
from mpmath import mp, mpf

from common import Uncertain, norm

N = 22
SMALL = mpf(10) ** -21
_TABLES = {}


def tables():
    """Nodes on (0,1], inverse Vandermonde, differentiation matrix (for th(0) = 0)."""
    if N not in _TABLES:
        keep, mp.dps = mp.dps, 80
        x = [(1 - mp.cos(j * mp.pi / N)) / 2 for j in range(N + 1)]
        V = mp.matrix(N + 1, N + 1)
        for i in range(N + 1):
            for j in range(N + 1):
                V[i, j] = x[i] ** j
        inv = V ** -1
        D = mp.matrix(N, N)
        for i in range(N):
            row = [k * x[i + 1] ** (k - 1) if k else mpf(0) for k in range(N + 1)]
            for j in range(N):
                D[i, j] = mp.fdot(row, [inv[k, j + 1] for k in range(N + 1)])
        cheb = [[mp.cos(mp.pi * j * k / N) * (mpf(1) / 2 if j in (0, N) else 1) * 2 / N for j in range(N + 1)]
                for k in range(N + 1)]
        mp.dps = keep
        _TABLES[N] = dict(x=x, inv=[[inv[i, j] for j in range(N + 1)] for i in range(N + 1)], D=D, cheb=cheb)
    return _TABLES[N]


def interpolate(values):
    """Monomial coefficients on [0,1] of the polynomial through the N+1 node values."""
    return [mp.fdot(row, values) for row in tables()["inv"]]


def integral(c, start):
    """Antiderivative, nothing truncated (monomial coefficients need not be small)."""
    return [start] + [x / (k + 1) for k, x in enumerate(c)]


def at_nodes(c):
    out = []
    for x in tables()["x"]:
        y = mpf(0)
        for a in reversed(c):
            y = y * x + a
        out.append(y)
    return out


def paths(s, c, n_, H):
    """u (three polynomials) and y over the scaled step for given direction polynomials."""
    u = []
    for i in range(3):
        rate = [-s.mu * H * (s.M.K[i][0] * a + s.M.K[i][1] * b) for a, b in zip(c, n_)]
        rate[0] += H * s.M.K[i][2]
        u.append(integral(rate, s.u[i]))
    y = integral([-2 * s.k * H * a for a in u[2]], s.y)
    return u, y


def attempt(s, H):
    t = tables()
    a = s.kt / s.mu
    th = [mpf(0)] * (N + 1)
    last = None
    for sweep in range(60):
        cos, sin = [mp.cos(x) for x in th], [mp.sin(x) for x in th]
        cn = [s.c[0] * x - s.c[1] * w for x, w in zip(cos, sin)]
        sn = [s.c[1] * x + s.c[0] * w for x, w in zip(cos, sin)]
        c, n_ = interpolate(cn), interpolate(sn)
        u, y = paths(s, c, n_, H)
        ux, uy, yv = at_nodes(u[0]), at_nodes(u[1]), at_nodes(y)
        A, r = mp.matrix(N, N), mp.matrix(N, 1)
        for i in range(N):
            k = i + 1
            slope = mp.fdot([t["D"][i, j] for j in range(N)], th[1:]) / H
            r[i] = -(yv[k] * slope - a * (uy[k] * cn[k] - ux[k] * sn[k]))
            for j in range(N):
                A[i, j] = yv[k] * t["D"][i, j] / H
            A[i, i] += a * (ux[k] * cn[k] + uy[k] * sn[k])
        try:
            delta = mp.lu_solve(A, r)
        except ZeroDivisionError:
            return None
        size = max(abs(x) for x in delta)
        for i in range(N):
            th[i + 1] += delta[i]
        if max(abs(x) for x in th) > 3 or (last is not None and sweep > 6 and size > last / 2):
            return None
        last = size
        if size < SMALL / 100:
            break
    else:
        return None
    coeffs = [abs(mp.fdot(row, th)) for row in t["cheb"]]
    ragged = max(coeffs[-3:])
    return {"c": c, "s": n_, "u": u, "y": y, "ragged": ragged, "th": th}


def slip_step(s):
    """The step polynomials in x and the length, in the form compliant.run_slip expects."""
    h = s.M.k33 + s.mu * norm(s.M.b)
    uz = abs(s.u[2])
    # about a quarter of the way to the next landmark of the normal motion
    H = (uz + mp.sqrt(s.y * h / s.k)) / h / 2
    H = min(H, norm(s.u[:2]) / (s.M.size * (1 + s.mu)))
    if not s.compressing and uz > 0:
        H = min(H, mpf(6) / 10 * s.y / (2 * s.k * uz) if s.y * h / s.k > uz ** 2 / 100 else H)
    for _ in range(60):
        step = attempt(s, H)
        if step is not None and step["ragged"] < SMALL:
            break
        H /= 2
    else:
        raise Uncertain("collocation did not converge")
    size = 2 * N + 4                     # room for the exact products that the event search forms

    def back(poly):
        return [x / H ** k for k, x in enumerate(poly)] + [mpf(0)] * (size - len(poly))

    zero = [mpf(0)] * (size - 2)
    pt = [[s.p[i]] + [-s.mu * H * x / (k + 1) for k, x in enumerate(step[name])] for i, name in enumerate("cs")]
    return {"c": back(step["c"]), "s": back(step["s"]), "u": [back(x) for x in step["u"]],
            "y": back(step["y"]), "p": [back(pt[0]), back(pt[1]), [s.p[2], mpf(1)] + zero]}, H
