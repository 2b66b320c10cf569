# SPDX-License-Identifier: Apache-2.0
"""Smith's law: p_t = -mu pz w(u0t, u_ft), u_fz = -e u0z.

Continuation in pz from 0 with a Newton solve at every step (the Jacobian must keep its sign: a fold
is reported, not jumped); the first u_z = -e u0z, polished at full precision. smith_all searches for
all solutions in the unknown u_ft alone, a different set of equations.
"""
from mpmath import mp, mpf

from common import Matrix, Uncertain, dot, exact, norm
from kinematic import whittaker

ZERO = [mpf(0)] * 3


def smith_w(u0, v):
    a, c = norm(u0), norm(v)
    den = a * a + c * c
    return [(u0[i] * a + v[i] * c) / den for i in range(2)]


def _smith_residual(M, mu, u0, pz, pt):
    v = [u0[i] + M.m2(pt)[i] + M.b[i] * pz for i in range(2)]
    w = smith_w(u0, v)
    return [pt[i] + mu * pz * w[i] for i in range(2)], v, w


def _smith_jacobian(M, mu, u0, pz, v):
    """d residual / d pt = I + mu pz (dw/dv) M2, and dw/dv."""
    c, den = norm(v), dot(u0, u0) + dot(v, v)
    num = [u0[i] * norm(u0) + v[i] * c for i in range(2)]
    dw = [[((c if i == j else 0) + (v[i] * v[j] / c if c else 0)) / den - 2 * num[i] * v[j] / den ** 2
           for j in range(2)] for i in range(2)]
    J = [[(1 if i == j else 0) + mu * pz * dot(dw[i], [M.M2[0][j], M.M2[1][j]]) for j in range(2)]
         for i in range(2)]
    return J, dw


def _solve2(J, r):
    det = J[0][0] * J[1][1] - J[0][1] * J[1][0]
    return [(J[1][1] * r[0] - J[0][1] * r[1]) / det, (J[0][0] * r[1] - J[1][0] * r[0]) / det], det


def _smith_newton(M, mu, u0, pz, pt, limit=12):
    scale = mu * pz + norm(pt)
    for _ in range(limit):
        r, v, _ = _smith_residual(M, mu, u0, pz, pt)
        J, dw = _smith_jacobian(M, mu, u0, pz, v)
        step, det = _solve2(J, r)
        pt = [pt[0] - step[0], pt[1] - step[1]]
        if norm(step) < mp.eps * 1000 * scale:
            return pt, det, J, dw
    return None


def smith(K, u, e, mu, fine=1, info=None):
    """Continuation in pz from 0; the first u_z = -e u0z."""
    M, u, e, mu = Matrix(K), exact(u), exact(e), exact(mu)
    if u[2] >= 0:
        return ZERO
    if mu == 0:
        return [mpf(0), mpf(0), -(1 + e) * u[2] / M.k33]
    u0 = u[:2]
    if norm(u0) == 0:
        return whittaker(K, u, e, mu)
    keep = mp.dps
    mp.dps = 22
    try:
        bracket = _smith_path(M, u, u0, e, mu, fine, info)
    finally:
        mp.dps = keep
    # polish: secant in pz on u_z, each with a full Newton for pt
    (a, pa), (c, pc) = bracket

    def miss(pz, guess):
        out = _smith_newton(M, mu, u0, pz, guess, 30)
        if out is None:
            raise Uncertain("Smith: Newton failed in the polish")
        return (1 + e) * u[2] + dot(M.b, out[0]) + M.k33 * pz, out[0]

    fa, pa = miss(a, pa)
    fc, pc = miss(c, pc)
    for _ in range(200):
        x = a - fa * (c - a) / (fc - fa)
        if not min(a, c) < x < max(a, c) or _ % 3 == 2:
            x = (a + c) / 2
        y = (x - a) / (c - a)
        fx, px = miss(x, [pa[i] + y * (pc[i] - pa[i]) for i in range(2)])
        if (fx > 0) == (fa > 0):
            a, fa, pa = x, fx, px
        else:
            c, fc, pc = x, fx, px
        if fx == 0 or abs(c - a) < 100 * mp.eps * abs(c) or abs(fx) < 100 * mp.eps * abs(u[2]):
            return [px[0], px[1], x]
    raise Uncertain("Smith: polish did not converge")


def _smith_path(M, u, u0, e, mu, fine, info):
    pz, pt = mpf(0), [mpf(0), mpf(0)]
    need = (1 + e) * u[2]
    slope, down = [-mu * u0[i] / norm(u0) for i in range(2)], 0
    uz_slope = M.k33 + dot(M.b, slope)
    step = norm(u0) / ((1 + mu) * M.size) / 50 / fine
    step = min(step, abs(u[2]) / M.k33 / 20 / fine)
    top = mpf(1) / 10 / fine
    for count in range(60000):
        if step < mpf(10) ** -16 * (pz + abs(u[2]) / M.size):
            raise Uncertain("Smith: fold on the path")
        new = pz + step
        guess = [pt[i] + slope[i] * step for i in range(2)]
        out = _smith_newton(M, mu, u0, new, guess, 6)
        if out is None:
            step /= 2
            continue
        q, det, J, dw = out
        if det <= 0:
            step /= 2
            continue
        _, v, w = _smith_residual(M, mu, u0, new, q)
        rhs = [-mu * w[i] - mu * new * dot(dw[i], M.b) for i in range(2)]
        new_slope, _ = _solve2(J, rhs)
        turn = norm([new_slope[i] - slope[i] for i in range(2)])
        if turn > top * (norm(slope) + norm(new_slope) + mpf(10) ** -3 * mu):
            step /= 2
            continue
        new_uz_slope = M.k33 + dot(M.b, new_slope)
        uz = need + dot(M.b, q) + M.k33 * new
        old = need + dot(M.b, pt) + M.k33 * pz
        # a hidden pair of crossings needs an extremum of u_z close to the target inside the step
        if uz < 0 and uz_slope > 0 and new_uz_slope < 0:
            if max(old, uz) + max(uz_slope, -new_uz_slope) * step >= 0:
                step /= 4
                continue
        if uz >= 0:
            if info is not None:
                info["steps"] = count
            return (pz, pt), (new, q)
        pz, pt, slope, uz_slope = new, q, new_slope, new_uz_slope
        step *= mpf(5) / 4
        step = min(step, max(pz, abs(uz) / M.k33) / 8 / fine)
    raise Uncertain("Smith: path too long")


def smith_all(K, u, e, mu, seeds=90):
    """All solutions with pz >= 0 found from many starts, sorted by pz.

    The unknown is v = u_ft: p = K^-1((v, -e u0z) - u0) is linear in v, and the law reads
    p_t (|u0t|^2 + |v|^2) + mu pz (u0t |u0t| + v |v|) = 0, smooth and without denominators.
    """
    M, u, e, mu = Matrix(K), exact(u), exact(e), exact(mu)
    u0, r0 = u[:2], norm(u[:2])
    keep, mp.dps = mp.dps, 30
    try:
        base = M.inverse([-u[0], -u[1], -(1 + e) * u[2]])
        cols = [M.inverse([mpf(1), mpf(0), mpf(0)]), M.inverse([mpf(0), mpf(1), mpf(0)])]

        def residual(v):
            p = [base[i] + cols[0][i] * v[0] + cols[1][i] * v[1] for i in range(3)]
            size = norm(v)
            den, num = r0 * r0 + size * size, [u0[i] * r0 + v[i] * size for i in range(2)]
            r = [p[i] * den + mu * p[2] * num[i] for i in range(2)]
            J = [[cols[j][i] * den + p[i] * 2 * v[j] + mu * cols[j][2] * num[i]
                  + mu * p[2] * ((size if i == j else 0) + (v[i] * v[j] / size if size else 0))
                  for j in range(2)] for i in range(2)]
            return r, J, p

        found = []
        golden = mpf("2.399963229728653")
        reach = r0 + 3 * (1 + e) * abs(u[2]) * norm(M.b) / M.k33
        for k in range(seeds):
            if k < 12:
                v = [(-u0[i] if k % 2 else u0[i]) * (1 + (k - 6) * mpf(10) ** -(k // 2)) for i in range(2)]
            else:
                radius = r0 * mpf(2) ** (k % 9 - 5) if k % 2 else reach * mpf(k) / seeds
                v = [radius * mp.cos(golden * k), radius * mp.sin(golden * k)]
            for _ in range(80):
                r, J, p = residual(v)
                if J[0][0] * J[1][1] == J[0][1] * J[1][0]:
                    break
                s, _det = _solve2(J, r)
                size, cap = norm(s), (norm(v) + r0) / 2
                scale = min(mpf(1), cap / size) if size else mpf(1)
                v = [v[0] - scale * s[0], v[1] - scale * s[1]]
                if size < mpf(10) ** -24 * cap:
                    p = residual(v)[2]
                    if p[2] >= 0 and all(norm([x - y for x, y in zip(p, q)]) > mpf(10) ** -9 * norm(q) for q in found):
                        found.append(p)
                    break
        return sorted(found, key=lambda p: p[2])
    finally:
        mp.dps = keep
