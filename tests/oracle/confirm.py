# SPDX-License-Identifier: Apache-2.0
"""Second opinions. confirm(problem, p) returns None, or why the answer must be left out.

incremental law: crude backward-Euler march (branches) and another order and tolerance (digits);
planar: the closed form; also the 3D law in a plane. Whittaker and Anitescu-Potra: the convex
fixed-pz rule at the answer. Smith: a search for all solutions, which must hold this one, and a finer
continuation. Regions: membership, and the boundary where it must be met.
Chatterjee-Ruina: the closed form. Compliant: return-mapping march, and other orders and switch.
"""
from mpmath import mp, mpf

import collocation
import compliant
import kinematic
import marching
import routh
import smith
from algebraic import chatterjee_ruina
from common import Matrix, Uncertain, dot, exact, norm

DIGITS_AGREE = mpf(10) ** -13


def distance(p, q):
    scale = max(abs(x) for x in q)
    return max(abs(x - y) for x, y in zip(p, q)) / (scale if scale else 1)


def march_agrees(run, steps, p, bound):
    """The march, extrapolated from two step sizes, comes within bound of p; refined twice if not."""
    p, miss = [float(x) for x in p], None
    for n in (steps, 6 * steps, 24 * steps):
        a, b = run(n), run(2 * n)
        if a is None or b is None:
            return "march did not end"
        miss = min(distance([2 * y - x for x, y in zip(a, b)], p), distance(b, p))
        if miss < bound:
            return None
    return "march differs by %.1e" % miss


def routh_(P, p, rule):
    keep = routh.ORDER, routh.DIGITS, routh.RAY, routh.TAIL
    routh.ORDER, routh.DIGITS, routh.RAY, routh.TAIL = 27, 29, mpf(10) ** -27, mpf(10) ** -28
    try:
        q = routh.resolve(P["K"], P["u"], P["mu"], P["e"], rule)
    finally:
        routh.ORDER, routh.DIGITS, routh.RAY, routh.TAIL = keep
    if distance(q, p) > DIGITS_AGREE:
        return "two tolerances differ by %s" % mp.nstr(distance(q, p), 2)
    run = lambda n: marching.incremental(P["K"], P["u"], P["mu"], P["e"], rule, float(p[2]), n)
    return march_agrees(run, 4000, p, 2e-4)


def planar_(P, p):
    (kxx, kxz), (_, kzz) = exact(P["K"])
    (ux, uz), mu, e = exact(P["u"]), exact(P["mu"]), exact(P["e"])
    u0 = (ux, uz)
    Wc = Wd = mpf(0)
    s, done = mp.sign(ux), False
    stage = 4
    if s != 0:
        kx, kz = kxz - s * mu * kxx, kzz - s * mu * kxz
        if s * kx >= 0:
            stage = 5
        else:
            uo = uz - kz * ux / kx
            if uo <= 0:
                Wc, ux, uz = -ux * uz / kx + kz * ux ** 2 / (2 * kx ** 2), mpf(0), uo
            elif uo < -e * uz:
                Wc, Wd, ux, uz = -uz ** 2 / (2 * kz), uo ** 2 / (2 * kz), mpf(0), uo
            else:
                ux, uz, done = ux - (1 + e) * kx * uz / kz, -e * uz, True
    if not done:
        if stage == 4:
            if abs(kxz) <= mu * kxx:
                kx, kz = mpf(0), kzz - kxz ** 2 / kxx
            else:
                s = mp.sign(kxz)
                kx, kz = kxz - s * mu * kxx, kzz - s * mu * kxz
        if uz < 0:
            Wc -= uz ** 2 / (2 * kz)
        final = mp.sqrt(2 * kz * (-e * e * Wc - Wd) + max(uz, mpf(0)) ** 2)
        ux, uz = ux + kx / kz * (final - uz), final
    dx, dz = ux - u0[0], uz - u0[1]
    det = kxx * kzz - kxz ** 2
    q = [(kzz * dx - kxz * dz) / det, (kxx * dz - kxz * dx) / det]
    return None if distance(p, q) < DIGITS_AGREE else "closed form differs by %s" % mp.nstr(distance(p, q), 2)


def stage(M, u, target, mu, p):
    """p is the fixed-pz answer for its own pz and gives u_z = target."""
    free = [u[i] + M.b[i] * p[2] for i in range(2)]
    pt = kinematic.fixed_pz(M, mu, free, p[2])
    uz = u[2] + dot(M.K[2], p)
    miss = max(norm([pt[0] - p[0], pt[1] - p[1]]) / norm(p), abs(uz - target) / (abs(u[2]) + M.size * norm(p)))
    return None if miss < mpf(10) ** -20 else "fixed-pz rule differs by %s" % mp.nstr(miss, 2)


def whittaker_(P, p):
    u = exact(P["u"])
    return stage(Matrix(P["K"]), u, -exact(P["e"]) * u[2], exact(P["mu"]), p)


def anitescu_(P, p):
    M, u, mu, e = Matrix(P["K"]), exact(P["u"]), exact(P["mu"]), exact(P["e"])
    first = kinematic.whittaker(P["K"], P["u"], 0, P["mu"])
    why = stage(M, u, mpf(0), mu, first)
    if why:
        return why
    rest = [x - y for x, y in zip(p, first)]
    after = [x + y for x, y in zip(u, M.apply(first))]
    if e == 0:
        return None if norm(rest) == 0 else "no expansion expected"
    if abs(rest[2] / (e * first[2]) - 1) < mpf(10) ** -30:
        return stage(M, after, after[2] + dot(M.K[2], rest), mu, rest)
    return stage(M, after, mpf(0), mu, rest)


def smith_(P, p):
    if norm(exact(P["u"])[:2]) == 0:
        return whittaker_(P, p)
    if P["mu"] == 0:
        return None
    found = smith.smith_all(P["K"], P["u"], P["e"], P["mu"])
    if not found:
        return "search finds no Smith solution"
    nearest = min(distance(p, q) for q in found)
    if nearest > DIGITS_AGREE:
        return "search differs by %s" % mp.nstr(nearest, 2)
    fine = smith.smith(P["K"], P["u"], P["e"], P["mu"], 3)
    return None if distance(p, fine) < DIGITS_AGREE else "finer continuation differs"


def region_(P, p):
    M, u, mu = Matrix(P["K"]), exact(P["u"]), exact(P["mu"])
    scale = norm(p) * (norm(u) + M.size * norm(p))
    slack = [-(dot(u, p) + dot(p, M.apply(p)) / 2) / scale,
             (u[2] + dot(M.K[2], p)) / (norm(u) + M.size * norm(p)),
             (mu * p[2] - norm(p[:2])) / (norm(p) * (1 + mu)), p[2] / norm(p)]
    if min(slack) < -mpf(10) ** -30:
        return "outside the region by %s" % mp.nstr(min(slack), 2)
    inside = P.get("rho", 1) < 1 if "rho" in P else distance(p, exact(P["P"])) < mpf(10) ** -30
    if not inside and min(slack) > mpf(10) ** -30:
        return "not on the boundary"
    return None


def ruina_(P, p):
    M, u = Matrix(P["K"]), exact(P["u"])
    e, et, mu = exact(P["e"]), exact(P["et"]), exact(P["mu"])
    one = -u[2] / M.k33
    two = mp.lu_solve(mp.matrix(M.K), mp.matrix([-x for x in u]))
    kappa = 1 + et
    if kappa * mp.hypot(two[0], two[1]) > mu * ((1 + e) * one + kappa * (two[2] - one)):
        kappa = mu * (1 + e) * one / (mp.hypot(two[0], two[1]) - mu * (two[2] - one))
    q = [kappa * two[0], kappa * two[1], (1 + e) * one + kappa * (two[2] - one)]
    return None if distance(p, q) < DIGITS_AGREE else "closed form differs"


def compliant_(P, p):
    eta2 = compliant.eta2_of(P["nu"]) if "nu" in P else mpf(P["eta2"])
    keep = compliant.ORDER, compliant.DIGITS, compliant.STIFF, collocation.N, compliant.END
    compliant.ORDER, compliant.DIGITS, compliant.STIFF, collocation.N, compliant.END = 25, 23, 35, 25, mpf(10) ** -19
    try:
        q = compliant.resolve(P["K"], P["u"], P["mu"], P["e"], eta2)
    finally:
        compliant.ORDER, compliant.DIGITS, compliant.STIFF, collocation.N, compliant.END = keep
    if distance(p, q) > mpf(10) ** -12:
        return "two tolerances differ by %s" % mp.nstr(distance(p, q), 2)
    if P["mu"] == 0:
        return None
    run = lambda n: marching.compliant(P["K"], P["u"], P["mu"], P["e"], float(eta2), n)
    return march_agrees(run, 10000, p, 1e-5)


def confirm(P, p):
    """None when a second formulation agrees."""
    if all(x == 0 for x in p):
        return None
    law = P["law"]
    try:
        if law == "routh":
            return routh_(P, p, P.get("termination", "stronge"))
        if law == "composite":
            rule = P.get("termination", "poisson")
            q = routh.resolve(P["K"], P["u"], P["mu"], P["e"], rule)
            why = routh_(P, q, rule)
            return why or ruina_(P, chatterjee_ruina(P["K"], P["u"], P["e"], P["et"], P["mu"]))
        if law == "micro":
            M, u = Matrix(P["K"]), exact(P["u"])
            after = [x + y for x, y in zip(u, M.apply(p))]
            if norm([x + y for x, y in zip(u, after)]) < mpf(10) ** -25 * norm(u):
                return None
            inner = dict(P, law=P.get("fallback", "routh"))
            if inner["law"] == "routh":
                inner.setdefault("termination", "poisson")
            return confirm(inner, p)
        second = {"planar": planar_, "whittaker": whittaker_, "anitescu-potra": anitescu_, "smith": smith_,
                  "region-spherical": region_, "region-projected": region_, "chatterjee-ruina": ruina_,
                  "compliant": compliant_}.get(law)
        return second(P, p) if second else None
    except Uncertain as why:
        return "second opinion: %s" % why
