# SPDX-License-Identifier: Apache-2.0
"""One door: solve(problem) -> p (list of mpf) for a problem in the format of the vectors."""
from mpmath import mpf

import algebraic
import compliant
import kinematic
import routh
import smith


def solve(problem, info=None):
    law = problem["law"]
    K, u = problem["K"], problem["u"]
    g = problem.get
    if law == "frictionless":
        return algebraic.frictionless(K, u, g("e"))
    if law == "particle":
        return algebraic.particle(K, u, g("e"), g("mu"), g("reversal", False))
    if law == "routh":
        return routh.resolve(K, u, g("mu"), g("e"), g("termination", "stronge"), info)
    if law == "planar":
        return routh.planar(K, u, g("mu"), g("e"))
    if law == "whittaker":
        return kinematic.whittaker(K, u, g("e"), g("mu"), info)
    if law == "smith":
        return smith.smith(K, u, g("e"), g("mu"), 1, info)
    if law == "anitescu-potra":
        return kinematic.anitescu_potra(K, u, g("e"), g("mu"), info)
    if law == "pfeiffer-glocker":
        return kinematic.pfeiffer_glocker(K, u, g("e"), g("mu"), g("nu"), g("et"))
    if law == "bilinear":
        return algebraic.bilinear(K, u, g("e"), g("et"), g("mu"))
    if law == "brach":
        return algebraic.brach(K, u, g("e"), g("mu2"), g("mu3"))
    if law == "region-spherical":
        return algebraic.region_spherical(K, u, g("mu"), g("psi1"), g("psi2"), g("rho"))
    if law == "region-projected":
        return algebraic.region_projected(K, u, g("mu"), g("P"))
    if law == "chatterjee-ruina":
        return algebraic.chatterjee_ruina(K, u, g("e"), g("et"), g("mu"))
    if law == "composite":
        sigma = mpf(g("sigma"))
        a = algebraic.chatterjee_ruina(K, u, g("e"), g("et"), g("mu"))
        b = routh.resolve(K, u, g("mu"), g("e"), g("termination", "poisson"), info)
        return [sigma * x + (1 - sigma) * y for x, y in zip(a, b)]
    if law == "compliant":
        eta2 = compliant.eta2_of(g("nu")) if g("nu") is not None else mpf(g("eta2"))
        return compliant.resolve(K, u, g("mu"), g("e"), eta2, info)
    if law == "micro":
        if u[2] > 0:
            return [mpf(0)] * 3
        limit = g("threshold")
        if limit is None or abs(u[2]) < limit:
            p = algebraic.micro_impulse(K, u, g("mu"))
            if p is not None:
                if info is not None:
                    info["micro"] = True
                return p
        inner = dict(problem, law=g("fallback", "routh"))
        if inner["law"] == "routh":
            inner.setdefault("termination", "poisson")
        return solve(inner, info)
    raise ValueError("unknown law " + law)
