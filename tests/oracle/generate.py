# SPDX-License-Identifier: Apache-2.0
"""Writes vectors/<law>.jsonl next to this file: hard problems with confirmed answers.

Usage: generate.py [NAME ...]     (NAME: file names without .jsonl; default: all)
Seeds are fixed, so a run always writes the same files. A case whose answer is uncertain, or is not
confirmed by the second formulation, is left out and reported on standard error.
"""
import json
import math
import pathlib
import random
import sys
import time

import algebraic
import compliant
import kinematic
import problems
from common import Matrix, Uncertain, exact, norm
from confirm import confirm
from laws import solve

HERE = pathlib.Path(__file__).resolve().parent


def ratio(p):
    """|p_t|/pz as mpf, or None when pz <= 0."""
    return norm(p[:-1]) / p[-1] if p[-1] > 0 else None


def edge_ratio(law, K, u, e, et, eta2):
    """The mu at which the law changes between stick and slip for this problem."""
    M, v = Matrix(K), exact(u)
    found = None
    if law in ("whittaker", "anitescu-potra"):
        rest = 0 if law == "anitescu-potra" else exact(e)
        found = ratio(M.inverse([-v[0], -v[1], -(1 + rest) * v[2]]))
    elif law == "micro":
        found = ratio(M.inverse([-x for x in v]))
    elif law == "chatterjee-ruina":
        found = ratio(algebraic.chatterjee_ruina(K, u, e, et, 1e9))
    elif law == "compliant":
        return norm(v[:2]) / (eta2 * abs(v[2]))
    return problems.stick_ratio(K) if found is None else found


def three_d(law, seed, fields, extra=None, skip=()):
    """Problems of a 3D law from the common list. fields(rng, tag, k) gives its own parameters."""
    rng = random.Random(seed)
    cases = problems.base(rng) + (extra(rng) if extra else [])
    out = []
    for k, (tag, K, u, mu, e) in enumerate(cases):
        if tag in skip:
            continue
        own = fields(rng, tag, k)
        if tag == "stick_edge":
            eta2 = compliant.eta2_of(own["nu"]) if "nu" in own else exact(own.get("eta2", 1.0))
            mu = float(exact(mu) * edge_ratio(law, K, u, e, own.get("et", 0.0), eta2))
            if mu == 0:
                continue
        P = {"law": law, "mu": mu, "e": e}
        P.update(own)
        P = {key: x for key, x in P.items() if x is not None}
        P["K"], P["u"] = K, u
        if "scale_threshold" in P:
            P["threshold"] = P.pop("scale_threshold") * abs(u[2])
        out.append((tag, P))
    return out


def routh_cases(rule, seed):
    def extra(rng):
        out = []
        for _ in range(2):
            K, mu, th = problems.jam(rng)
            out.append(("grazing", K, problems.velocity(rng, 1.0, 0.0, th), mu, round(rng.uniform(0.2, 0.9), 6)))
        for e in (1.0, 0.95, 0.9, 0.7):            # a short first decompression
            K, u, mu = problems.multi_phase(rng, 0.9, 0.995)
            out.append(("multi_phase", K, u, mu, e))
        out.append(("grazing", problems.two_body(rng, 0.1), problems.velocity(rng, 1.0, 0.0), 0.3, 0.5))
        return out
    return three_d("routh", seed, lambda rng, tag, k: {"termination": rule}, extra)


def several_extra(law):
    """Problems with more than one Whittaker solution; for Anitescu-Potra also the raised expansion."""
    def extra(rng):
        out = []
        for kind in ("stick", "stick", "stick", "slip", "slip", "slip"):
            def keep(K, u, mu, e):
                try:
                    found = kinematic.whittaker_all(K, u, 0 if law == "anitescu-potra" else e, mu)
                except Uncertain:
                    return False
                return len(found) > 1 and found[0][0] == kind
            K, u, mu, e = problems.several(rng, keep)
            out.append(("several", K, u, mu, e))
        if law == "anitescu-potra":
            def raised(K, u, mu, e):
                info = {}
                try:
                    kinematic.anitescu_potra(K, u, e, mu, info)
                except Uncertain:
                    return False
                return info["raised"]
            out += [("raised", *problems.several(rng, raised)) for _ in range(3)]
        return out
    return extra


def et_of(rng, tag, k):
    return {"et": (-1.0, 1.0, 0.0)[k % 3] if k % 7 == 0 else round(rng.uniform(-1, 1), 6)}


def composite_fields(rng, tag, k):
    own = et_of(rng, tag, k)
    own["sigma"] = (0.0, 1.0)[k % 2] if k % 11 == 0 else round(rng.random(), 6)
    rule = ("poisson", "poisson", "stronge", None, "newton", "poisson-first")[k % 6]
    return dict(own, termination=rule)


def micro_fields(rng, tag, k):
    own = {}
    if k % 4:
        own["scale_threshold"] = (0.5, 1.0, 2.0)[k % 3]
    kind = k % 6
    if kind == 1:
        own.update(fallback="routh", termination="stronge")
    elif kind == 2:
        own["fallback"] = "whittaker"
    elif kind == 3:
        own["fallback"] = "smith"
    elif kind == 4:
        own.update(fallback="chatterjee-ruina", et=round(rng.uniform(-1, 1), 6))
    elif kind == 5:
        own.update(fallback="routh", termination="poisson")
    return own


def micro_extra(rng):
    out = []
    for _ in range(10):
        u = problems.velocity(rng, rng.uniform(0, 0.5), rng.uniform(0.5, 2))
        out.append(("generic", problems.two_body(rng, 0.5), u, round(rng.uniform(0.5, 1.5), 6), 0.5))
    return out


def compliant_fields(rng, tag, k):
    if k % 2:
        return {"nu": round(rng.uniform(0, 0.5), 6)}
    return {"eta2": rng.uniform(0.6, 1.8)}


def compliant_extra(rng):
    out = []
    for R in (1e2, 1e3, 1e4, 1e5, 1e6, 1e6):
        mu = round(rng.uniform(0.2, 1.0), 6)
        out.append(("grazing_stiff", problems.two_body(rng), problems.velocity(rng, 1.0, 1 / (R * mu * 1.2)), mu,
                    round(rng.uniform(0.3, 0.9), 6)))
    for tag, ut, mu in (("slip_throughout", 2.0, 0.1), ("stick_slip", 0.6, 0.4), ("initial_stick", 0.1, 0.8)):
        out += [(tag, problems.two_body(rng), problems.velocity(rng, ut, 1.0), mu, round(rng.uniform(0.4, 0.9), 6))
                for _ in range(4)]
    out += [("e_small", problems.two_body(rng), problems.velocity(rng), 0.5, 0.05) for _ in range(3)]
    out += [("mu_large", problems.two_body(rng), problems.velocity(rng), mu, 0.6) for mu in (3.0, 10.0, 30.0)]
    return out


def brach_cases(seed):
    fields = lambda rng, tag, k: {"mu": None, "mu2": 0.0 if tag == "mu_zero" else round(rng.uniform(-0.4, 0.9), 6),
                                  "mu3": 0.0 if tag == "mu_zero" else round(rng.uniform(-0.5, 0.5), 6)}
    return three_d("brach", seed, fields, None, ("zero_tangential", "mu_huge", "stick_edge", "near_ray"))


def region_cases(law, seed):
    def fields(rng, tag, k):
        if law == "region-spherical":
            angles = ((0.0, 0.0), (math.pi, 0.0), (math.pi / 2, math.pi))[k % 3] if k % 9 == 0 else \
                (round(rng.uniform(0, math.pi), 6), round(rng.uniform(-math.pi, math.pi), 6))
            rho = (0.0, 1.0)[k % 2] if k % 5 == 0 else round(rng.random(), 6)
            return {"e": None, "psi1": angles[0], "psi2": angles[1], "rho": rho}
        return {"e": None, "P": [rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0.3, 1)]}
    out = three_d(law, seed, fields, None, ("mu_zero", "stick_edge", "near_ray", "e_zero", "e_one"))
    if law == "region-projected":
        for k, (tag, P) in enumerate(out):        # bring P to the size of the impulses, some inside the region
            size = (0.05, 0.5, 2.0)[k % 3] * abs(P["u"][2]) / P["K"][2][2]
            P["P"] = [x * size for x in P["P"]]
            if k % 3 == 0:
                P["P"][2] += 1.4 * abs(P["u"][2]) / P["K"][2][2]
    return out


def flat_cases(law, seed):
    """2D problems from the xz part of the common list."""
    rng, out = random.Random(seed), []
    for k, (tag, K, u, mu, e) in enumerate(problems.base(rng)):
        if tag in ("near_ray", "multi_phase", "planar3d"):
            tag = "generic"
            u = [u[0], u[1], -abs(u[0]) * rng.uniform(0.2, 2)]
        ux = math.copysign(math.hypot(u[0], u[1]), u[0])
        K2, u2 = [[K[0][0], K[0][2]], [K[0][2], K[2][2]]], [ux, u[2]]
        if tag in ("jam", "grazing") and k % 2:       # turn the slip towards b: h < 0 where mu allows it
            K2[0][1] = K2[1][0] = math.copysign(min(0.95 * math.sqrt(K[0][0] * K[2][2]), abs(K[0][2]) * 3), ux)
            mu = round(1.2 * K2[1][1] / abs(K2[0][1]), 6)
        P = {"law": law, "mu": mu, "e": e}
        if law == "pfeiffer-glocker":
            P.update(nu=round(rng.random(), 6), et=0.0 if k % 8 == 0 else round(rng.random(), 6))
        if tag == "stick_edge":
            (a, b), (_, d) = exact(K2)
            critical = abs(b) / a
            if law == "pfeiffer-glocker" or k % 2:
                vx, vz = exact(u2)
                px, pz = (-d * vx + b * vz), (b * vx - a * vz)
                critical = abs(px) / pz if pz > 0 else critical
            P["mu"] = float(exact(mu) * critical)
        P["K"], P["u"] = K2, u2
        out.append((tag, P))
    return out


def isotropic_cases(law, seed):
    """particle: K = I/m. bilinear: K with eigen-directions n and u_t, exact in doubles."""
    rng, out = random.Random(seed), []
    kinds = (["generic"] * 16 + ["grazing"] * 6 + ["zero_tangential"] * 4 + ["tiny_tangential"] * 4 + ["mu_zero"] * 2
             + ["mu_huge"] * 4 + ["e_zero"] * 4 + ["e_one"] * 4 + ["stick_edge"] * 12 + ["separating"] * 2)
    for k, tag in enumerate(kinds):
        a, d, c = (rng.uniform(0.2, 8) for _ in range(3))
        u = problems.velocity(rng)
        shape = k % 3 if law == "bilinear" else 3
        K = [[a, 0.0, 0.0], [0.0, a, 0.0], [0.0, 0.0, c]]
        if tag == "grazing":
            u[2] = -(1e-6, 1e-9)[k % 2] * math.hypot(u[0], u[1])
        if tag == "tiny_tangential":
            u[0], u[1] = u[0] * 1e-9, u[1] * 1e-9
        if shape == 1:
            K[1][1] = d
            u[k % 2] = 0.0
        elif shape == 2:
            o = 0.7 * a * rng.uniform(-1, 1)
            K[0][1] = K[1][0] = o
            u[1] = math.copysign(u[0], u[1])
        elif shape == 3:
            K[2][2] = a
        if tag == "zero_tangential":
            u[0] = u[1] = 0.0
        if tag == "separating":
            u[2] = -u[2]
        e = {"e_zero": 0.0, "e_one": 1.0}.get(tag, round(rng.random(), 6))
        mu = {"mu_zero": 0.0, "mu_huge": (1e3, 1e6)[k % 2]}.get(tag, round(rng.uniform(0.05, 1.5), 6))
        P = {"law": law, "mu": mu, "e": e}
        P["et" if law == "bilinear" else "reversal"] = round(rng.uniform(-1, 1), 6) if law == "bilinear" else bool(k % 2)
        P["K"], P["u"] = K, u
        if tag == "stick_edge":
            full = solve(dict(P, mu=1e9, reversal=False))
            P["mu"] = float(exact((1 - 1e-6, 1 + 1e-6, 1 - 1e-3)[k // 2 % 3]) * ratio(full))
        out.append((tag, P))
    return out


def files():
    """name -> list of (tag, problem), made when asked."""
    none = lambda rng, tag, k: {}
    frictionless = lambda rng, tag, k: {"mu": None}
    return {
        "frictionless": lambda: three_d("frictionless", 101, frictionless, None,
                                        ("mu_zero", "mu_huge", "stick_edge", "near_ray")),
        "particle": lambda: isotropic_cases("particle", 102),
        "routh_stronge": lambda: routh_cases("stronge", 103),
        "routh_poisson": lambda: routh_cases("poisson", 104),
        "routh_poisson_first": lambda: routh_cases("poisson-first", 105),
        "routh_newton": lambda: routh_cases("newton", 106),
        "planar": lambda: flat_cases("planar", 107),
        "whittaker": lambda: three_d("whittaker", 108, none, several_extra("whittaker")),
        "smith": lambda: three_d("smith", 109, none),
        "pfeiffer_glocker": lambda: flat_cases("pfeiffer-glocker", 110),
        "anitescu_potra": lambda: three_d("anitescu-potra", 111, none, several_extra("anitescu-potra")),
        "bilinear": lambda: isotropic_cases("bilinear", 112),
        "brach": lambda: brach_cases(113),
        "region_spherical": lambda: region_cases("region-spherical", 114),
        "region_projected": lambda: region_cases("region-projected", 115),
        "chatterjee_ruina": lambda: three_d("chatterjee-ruina", 116, et_of),
        "composite": lambda: three_d("composite", 117, composite_fields),
        "micro": lambda: three_d("micro", 118, micro_fields, micro_extra),
        "compliant": lambda: three_d("compliant", 119, compliant_fields, compliant_extra),
    }


def rounded(p):
    """Doubles, with the noise of exact zeros removed."""
    top = max(abs(x) for x in p)
    return [0.0 if abs(x) <= top * exact(1e-33) else float(x) for x in p]


def write(name, cases):
    start, lines, kept, dropped = time.time(), [], {}, {}
    for k, (tag, P) in enumerate(cases):
        info = {}
        try:
            p = solve(P, info)
            why = confirm(P, p)
        except (Uncertain, ValueError, ZeroDivisionError) as problem:
            why = "%s: %s" % (type(problem).__name__, problem)
        if why is None and info.get("solutions", 1) > 1:
            kept["*several solutions"] = kept.get("*several solutions", 0) + 1
            sys.stderr.write("  note %s %d %s: solutions %s\n" % (name, k, tag, info["kinds"]))
        if why is None and info.get("raised"):
            kept["*raised"] = kept.get("*raised", 0) + 1
        if why:
            dropped[tag] = dropped.get(tag, 0) + 1
            sys.stderr.write("  dropped %s %d %s: %s\n" % (name, k, tag, why))
            continue
        kept[tag] = kept.get(tag, 0) + 1
        case = {"problem": dict(id=k, **P), "expect": {"p": rounded(p)}, "tag": tag}
        lines.append(json.dumps(case))
    path = HERE / "vectors" / (name + ".jsonl")
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    print("%-20s %3d lines %3d kB %6.1f s  dropped %s" % (name, len(lines), path.stat().st_size // 1000,
                                                        time.time() - start, dropped or "none"), flush=True)
    print("    " + ", ".join("%s %d" % x for x in sorted(kept.items())), flush=True)


def main():
    table = files()
    for name in sys.argv[1:] or table:
        write(name, table[name]())


if __name__ == "__main__":
    main()
