# SPDX-License-Identifier: Apache-2.0
"""Laws with a closed form: frictionless, particle, bilinear, Brach, the two region laws and
Chatterjee-Ruina; and the micro-collision impulse.

Where the usual form is a formula, this one is a geometric construction when that is possible:
the cut of the Chatterjee-Ruina line with the friction cone is a root of a quadratic; t_max of the
region is the smallest positive root among the quadratics of ellipsoid and cone and the plane;
K^-1 u is by Cramer's rule. 42 digits, so cond(K) up to 1e20 costs nothing that matters.
"""
from mpmath import mp, mpf

from common import Matrix, Uncertain, dot, exact, norm

ZERO = [mpf(0)] * 3


def frictionless(K, u, e):
    M, u = Matrix(K), exact(u)
    if u[2] >= 0:
        return ZERO
    return [mpf(0), mpf(0), -(1 + exact(e)) * u[2] / M.k33]


def particle(K, u, e, mu, reversal=False):
    """A particle of mass 1/k on a plane: K = I/m."""
    K, u, mu = exact(K), exact(u), exact(mu)
    if any(K[i][j] != (K[2][2] if i == j else 0) for i in range(3) for j in range(3)):
        raise ValueError("K is not I/m")
    if u[2] >= 0:
        return ZERO
    j = -(1 + exact(e)) * u[2] / K[2][2]
    speed = norm(u[:2])
    if speed == 0:
        return [mpf(0), mpf(0), j]
    size = mu * j if reversal else min(mu * j, speed / K[2][2])
    return [-size * u[0] / speed, -size * u[1] / speed, j]


def bilinear(K, u, e, et, mu):
    M, u, mu = Matrix(K), exact(u), exact(mu)
    if u[2] >= 0:
        return ZERO
    j = -(1 + exact(e)) * u[2] / M.k33
    speed = norm(u[:2])
    if speed == 0:
        return [mpf(0), mpf(0), j]
    w = M.m2(u[:2])
    if M.b != [0, 0] or u[0] * w[1] != u[1] * w[0]:
        raise ValueError("normal and slip direction are not eigenvectors of K")
    eigen = dot(u[:2], w) / speed ** 2
    size = min(mu * j, (1 + exact(et)) * speed / eigen)
    return [-size * u[0] / speed, -size * u[1] / speed, j]


def brach(K, u, e, mu2, mu3):
    M, u, mu2, mu3 = Matrix(K), exact(u), exact(mu2), exact(mu3)
    if u[2] >= 0:
        return ZERO
    speed = norm(u[:2])
    if speed == 0:
        raise Uncertain("no slip direction")
    a2 = [-u[0] / speed, -u[1] / speed]
    a3 = [-a2[1], a2[0]]
    ray = [mu2 * a2[0] + mu3 * a3[0], mu2 * a2[1] + mu3 * a3[1], mpf(1)]
    rate = M.apply(ray)[2]               # du_z per unit of pz along the impulse ray
    if rate <= 0:
        raise Uncertain("the ray does not separate the bodies")
    pz = -(1 + exact(e)) * u[2] / rate
    return [pz * x for x in ray]


def quadratic_roots(a, b, c):
    """Real roots of a t^2 + b t + c, stable."""
    if a == 0:
        return [] if b == 0 else [-c / b]
    disc = b * b - 4 * a * c
    if disc < 0:
        return []
    q = -(b + (mp.sqrt(disc) if b >= 0 else -mp.sqrt(disc))) / 2
    return [x for x in ([q / a] + ([c / q] if q != 0 else []))]


def region_limit(M, u, mu, P0, d):
    """Largest t with P0 + t d in the permissible region."""
    hits = []
    velocity = [x + y for x, y in zip(u, M.apply(P0))]
    Kd = M.apply(d)
    # energy: u.P + P.KP/2 = 0
    work = dot(u, P0) + dot(P0, M.apply(P0)) / 2
    hits += [t for t in quadratic_roots(dot(d, Kd) / 2, dot(velocity, d), work) if t > 0]
    # separation: u_z + K3.P = 0
    if Kd[2] < 0:
        hits.append(-velocity[2] / Kd[2])
    # cone: mu^2 pz^2 - |pt|^2 = 0
    hits += [t for t in quadratic_roots(mu ** 2 * d[2] ** 2 - dot(d[:2], d[:2]),
                                        2 * (mu ** 2 * P0[2] * d[2] - dot(P0[:2], d[:2])),
                                        mu ** 2 * P0[2] ** 2 - dot(P0[:2], P0[:2])) if t > 0]
    return min(hits)


def region_spherical(K, u, mu, psi1, psi2, rho):
    M, u, mu, psi1, psi2, rho = Matrix(K), exact(u), exact(mu), exact(psi1), exact(psi2), exact(rho)
    if u[2] >= 0:
        return ZERO
    P0 = [mpf(0), mpf(0), -u[2] / M.k33 * 3 / 2]
    d = [mp.sin(psi1) * mp.cos(psi2), mp.sin(psi1) * mp.sin(psi2), mp.cos(psi1)]
    t = rho * region_limit(M, u, mu, P0, d)
    return [x + t * y for x, y in zip(P0, d)]


def region_projected(K, u, mu, P):
    M, u, mu, P = Matrix(K), exact(u), exact(mu), exact(P)
    if u[2] >= 0:
        return ZERO
    P0 = [mpf(0), mpf(0), -u[2] / M.k33 * 3 / 2]
    d = [x - y for x, y in zip(P, P0)]
    if all(x == 0 for x in d):
        return P0
    t = min(mpf(1), region_limit(M, u, mu, P0, d))
    return [x + t * y for x, y in zip(P0, d)]


def chatterjee_ruina(K, u, e, et, mu):
    M, u, e, et, mu = Matrix(K), exact(u), exact(e), exact(et), exact(mu)
    if u[2] >= 0:
        return ZERO
    base = [mpf(0), mpf(0), -(1 + e) * u[2] / M.k33]
    full = M.inverse([-x for x in u])
    way = [full[0], full[1], full[2] + u[2] / M.k33]     # PII - PI
    kappa = 1 + et
    P = [x + kappa * y for x, y in zip(base, way)]
    if norm(P[:2]) > mu * P[2]:
        # first positive cut of the line base + kappa way with the cone (base is inside it)
        cuts = quadratic_roots(dot(way[:2], way[:2]) - mu ** 2 * way[2] ** 2,
                               -2 * mu ** 2 * base[2] * way[2], -mu ** 2 * base[2] ** 2)
        inside = [k for k in cuts if k >= 0 and base[2] + k * way[2] >= 0]
        if not inside:
            raise Uncertain("line does not leave the cone")
        kappa = min(inside)
        P = [x + kappa * y for x, y in zip(base, way)]
    return P


def micro_impulse(K, u, mu):
    """-2 K^-1 u where it lies in the cone, else None."""
    M, u, mu = Matrix(K), exact(u), exact(mu)
    p = M.inverse([-2 * x for x in u])
    if p[2] < 0 or norm(p[:2]) > mu * p[2]:
        return None
    return p
