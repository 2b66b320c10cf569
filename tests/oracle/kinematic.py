# SPDX-License-Identifier: Apache-2.0
"""Laws that prescribe the final normal velocity: Whittaker, Anitescu-Potra, Pfeiffer-Glocker.

Whittaker: all slip solutions at once, as the unit roots of the degree-4 polynomial in z = exp(i th)
of (s_.u0t) h - (1+e) u0z f (mpmath.polyroots), each checked on the real equation and tested for
h > 0 and u_ft.c >= 0; stick wins, else the smallest pz. `whittaker_all` returns every solution.
Anitescu-Potra: Whittaker with e = 0, then the convex fixed-pz rule solved in the eigenbasis of M2.
"""
from mpmath import mp, mpf

from common import Matrix, Uncertain, cross2, dot, exact, norm, secular

ZERO = [mpf(0)] * 3
SURE = mpf(10) ** -15        # a branch test closer than this to its edge is not trusted


def fixed_pz(M, mu, free, pz):
    """p_t of the convex friction problem for a given pz; free = tangential velocity without p_t."""
    stick = M.m2_inverse(free)
    if norm(stick) <= mu * pz:
        return [-stick[0], -stick[1]]
    if mu * pz == 0:
        return [mpf(0), mpf(0)]
    _, c = secular(M, mu * pz, free)
    return [-mu * pz * c[0], -mu * pz * c[1]]


def laurent_product(A, B):
    out = {}
    for i, x in A.items():
        for j, y in B.items():
            out[i + j] = out.get(i + j, 0) + x * y
    return out


def laurent_sum(*terms):
    out = {}
    for scale, A in terms:
        for i, x in A.items():
            out[i] = out.get(i, 0) + scale * x
    return out


COS = {1: mpf(1) / 2, -1: mpf(1) / 2}
SIN = {1: mp.mpc(0, -0.5), -1: mp.mpc(0, 0.5)}


def unit_roots(A):
    """Angles of the roots on the unit circle of a real trigonometric polynomial of degree <= 2."""
    top = max(abs(x) for x in A.values())
    if top == 0:
        raise Uncertain("identically zero")
    coeffs = [A.get(k, mpf(0)) for k in (2, 1, 0, -1, -2)]
    while abs(coeffs[0]) < top * mpf(10) ** -36:
        coeffs = coeffs[1:]
    while abs(coeffs[-1]) < top * mpf(10) ** -36:
        coeffs = coeffs[:-1]
    if len(coeffs) < 2:
        return []
    roots = mp.polyroots(coeffs, maxsteps=500, extraprec=400)
    angles = []
    for z in roots:
        off = abs(mp.log(abs(z)))
        if off < mpf(10) ** -22:
            angles.append(mp.arg(z))
        elif off < mpf(10) ** -11:
            raise Uncertain("nearly double root")
    return angles


def whittaker_all(K, u, e, mu):
    """Every solution as (kind, p), stick first."""
    M, u, e, mu = Matrix(K), exact(u), exact(e), exact(mu)
    found = []
    stick = M.inverse([-u[0], -u[1], -(1 + e) * u[2]])
    edge = norm(stick[:2]) - mu * stick[2]
    if abs(edge) < SURE * norm(stick) and edge != 0:
        raise Uncertain("stick at the edge of the cone")
    if stick[2] >= 0 and edge <= 0:
        found.append(("stick", stick))
    h = laurent_sum((M.k33, {0: mpf(1)}), (-mu * M.b[0], COS), (-mu * M.b[1], SIN))
    turn = laurent_sum((-u[0], SIN), (u[1], COS))
    cc, ss, cs = laurent_product(COS, COS), laurent_product(SIN, SIN), laurent_product(COS, SIN)
    f = laurent_sum((-M.b[0], SIN), (M.b[1], COS),
                    (mu * (M.M2[0][0] - M.M2[1][1]), cs), (-mu * M.M2[0][1], cc), (mu * M.M2[0][1], ss))
    for th in unit_roots(laurent_sum((mpf(1), laurent_product(turn, h)), (-(1 + e) * u[2], f))):
        c = [mp.cos(th), mp.sin(th)]
        rate = M.h(mu, c)
        if rate <= 0:
            continue
        pz = -(1 + e) * u[2] / rate
        p = [-mu * pz * c[0], -mu * pz * c[1], pz]
        after = [x + y for x, y in zip(u, M.apply(p))]
        along, scale = dot(after[:2], c), norm(u) + M.size * norm(p)
        if abs(cross2(c, after)) > mpf(10) ** -25 * scale:
            raise Uncertain("slip root is not accurate")
        if abs(along) < SURE * scale:
            raise Uncertain("slip solution at the edge of stick")
        if along > 0:
            found.append(("slip", p))
    return found


def whittaker(K, u, e, mu, info=None):
    if exact(u)[2] >= 0:
        return ZERO
    if exact(mu) == 0:
        return [mpf(0), mpf(0), -(1 + exact(e)) * exact(u)[2] / exact(K)[2][2]]
    found = whittaker_all(K, u, e, mu)
    if info is not None:
        info["solutions"] = len(found)
        info["kinds"] = [kind for kind, _ in found]
    if not found:
        raise Uncertain("no Whittaker solution")
    if found[0][0] == "stick":
        return found[0][1]
    return min((p for _, p in found), key=lambda p: p[2])


def anitescu_potra(K, u, e, mu, info=None):
    M, uu, e, mu = Matrix(K), exact(u), exact(e), exact(mu)
    if uu[2] >= 0:
        return ZERO
    own = {}
    first = whittaker(K, u, 0, mu, own)
    if info is not None:
        info.update(own)
        info["raised"] = False
    if e == 0:
        return first
    after = [x + y for x, y in zip(uu, M.apply(first))]
    if own.get("kinds", ["slip"])[0] == "stick":
        after[0] = after[1] = mpf(0)
    after[2] = mpf(0)
    pz = e * first[2]
    pt = fixed_pz(M, mu, [after[i] + M.b[i] * pz for i in range(2)], pz)
    final = dot(M.b, pt) + M.k33 * pz
    if abs(final) < SURE * M.k33 * pz:
        raise Uncertain("u_fz of the expansion is a tie")
    if final < 0:
        if info is not None:
            info["raised"] = True
        pz, pt = _raise_to_rest(M, mu, after, pz)
    return [first[0] + pt[0], first[1] + pt[1], first[2] + pz]


def _raise_to_rest(M, mu, after, least):
    """Smallest pz > least with u_fz = 0: slip has h(th) = 0 and pz = -s_.u/f; or stick."""
    found = []
    q = M.m2_inverse(M.b)
    stick_pz = dot(q, after[:2]) / (M.k33 - dot(M.b, q))
    w = M.m2_inverse([after[i] + M.b[i] * stick_pz for i in range(2)])
    if stick_pz > least and norm(w) <= mu * stick_pz:
        found.append((stick_pz, [-w[0], -w[1]]))
    spread = mp.acos(M.k33 / (mu * norm(M.b)))
    middle = mp.atan2(M.b[1], M.b[0])
    for th in (middle - spread, middle + spread):
        c = [mp.cos(th), mp.sin(th)]
        f = M.f(mu, c)
        pz = -cross2(c, after) / f
        if pz > least and dot(after[:2], c) + pz * M.g(mu, c) >= 0:
            found.append((pz, [-mu * pz * c[0], -mu * pz * c[1]]))
    if not found:
        raise Uncertain("expansion never separates")
    return min(found, key=lambda x: x[0])


def pfeiffer_glocker(K, u, e, mu, nu, et):
    """2D, the project's reconstruction of the law (et >= 0 only)."""
    (kxx, kxz), (_, kzz) = exact(K)
    (ux, uz), e, mu, nu, et = exact(u), exact(e), exact(mu), exact(nu), exact(et)
    if et < 0:
        raise Uncertain("negative et")
    if uz >= 0:
        return [mpf(0), mpf(0)]
    # compression: every solution of u_z = 0 with Coulomb friction
    found = []
    det = kxx * kzz - kxz ** 2
    px, pz = (-kzz * ux + kxz * uz) / det, (kxz * ux - kxx * uz) / det
    if pz >= 0 and abs(px) <= mu * pz:
        found.append((px, pz))
    for s in (-1, 1):
        rate = kzz - s * mu * kxz
        if rate > 0:
            pz = -uz / rate
            if s * (ux + pz * (kxz - s * mu * kxx)) > 0:
                found.append((-s * mu * pz, pz))
    if len(found) != 1:
        raise Uncertain("compression has %d solutions" % len(found))
    ptC, pzC = found[0]
    side = mpf(-1) if ptC < 0 else mpf(1)
    kxz_, uxC = side * kxz, side * (ux + kxx * ptC + kxz * pzC)
    ptC *= side
    pzE, low, vs = e * pzC, e * et * ptC, nu * et * abs(ux)
    v = uxC + kxz_ * pzE
    s0, s1 = -v / kxx, (vs - v) / kxx
    if s0 >= low:
        ptE = min(s0, mu * pzE)
    elif low <= s1:
        ptE = low
    else:
        ptE = max(s1, -mu * pzE)
    if kxz_ * ptE + kzz * pzE < 0 and pzE > 0:
        raise Uncertain("expansion ends approaching: the text gives no rule")
    return [side * (ptC + ptE), pzC + pzE]
