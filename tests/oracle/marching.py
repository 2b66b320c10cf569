# SPDX-License-Identifier: Apache-2.0
"""Crude integrations in doubles that need no event logic: they confirm branches, not digits.

incremental: backward Euler in pz; every increment solves the convex friction problem for its own
small pz, so that slip, stick, rays and reversals all come out of one rule.
compliant: small time steps with return mapping: the trial spring displacement d + u_t dt is scaled
back onto the disc of radius mu F/kt when it leaves it; stick and slip are never named.
Both are of first order; two runs are extrapolated.
"""
import math


def _friction(M2, free, weight):
    """p_t minimising the convex increment problem (doubles)."""
    (a, o), (_, d) = M2
    det = a * d - o * o
    sx, sy = (d * free[0] - o * free[1]) / det, (a * free[1] - o * free[0]) / det
    if math.hypot(sx, sy) <= weight:
        return -sx, -sy
    if weight == 0:
        return 0.0, 0.0
    lam = 0.0
    A, D, O = weight * a, weight * d, weight * o
    for _ in range(60):
        q = (A + lam) * (D + lam) - O * O
        cx, cy = ((D + lam) * free[0] - O * free[1]) / q, ((A + lam) * free[1] - O * free[0]) / q
        n = math.hypot(cx, cy)
        # derivative of |c|: -c.(A+lam)^-1 c / |c|
        wx, wy = ((D + lam) * cx - O * cy) / q, ((A + lam) * cy - O * cx) / q
        slope = (cx * wx + cy * wy) / n
        step = (n - 1) * n / slope
        lam = max(0.0, lam + step)
        if abs(step) <= 1e-14 * (lam + abs(A)):
            break
    return -weight * cx / n, -weight * cy / n


def incremental(K, u, mu, e, rule, pz_end, steps=4000):
    """p at the end by backward Euler with steps of pz_end/steps."""
    M2 = [[K[0][0], K[0][1]], [K[1][0], K[1][1]]]
    dz = pz_end / steps
    v, uz, p = [u[0], u[1]], u[2], [0.0, 0.0, 0.0]
    Wc = Wd = pc = pd = 0.0
    first, u0z = None, u[2]
    for _ in range(40 * steps):
        free = (v[0] + K[0][2] * dz, v[1] + K[1][2] * dz)
        px, py = _friction(M2, free, mu * dz)
        new_v = (free[0] + M2[0][0] * px + M2[0][1] * py, free[1] + M2[1][0] * px + M2[1][1] * py)
        new_uz = uz + K[2][0] * px + K[2][1] * py + K[2][2] * dz
        rate = (new_uz - uz) / dz

        def part(x):
            return [p[0] + px * x, p[1] + py * x, p[2] + dz * x]

        start = 0.0
        pieces = [(0.0, 1.0)]
        if (uz < 0) != (new_uz < 0) and uz != 0:
            cut = uz / (uz - new_uz)
            pieces = [(0.0, cut), (cut, 1.0)]
        for start, end in pieces:
            us, ue = uz + rate * dz * start, uz + rate * dz * end
            dW, dp = (us + ue) / 2 * dz * (end - start), dz * (end - start)
            if us + ue < 0:
                Wc += dW
                pc += dp
                if rule == "poisson-first" and first is not None and pc + pd >= (1 + e) * first:
                    return part(1.0)
                continue
            if first is None:
                first = pc
                if e == 0:
                    return part(start)
            if rule == "stronge" and Wd + dW >= -e * e * Wc:
                need = max(0.0, -e * e * Wc - Wd)
                root = math.sqrt(max(0.0, us * us + 2 * rate * need))
                return part(start + (2 * need / (us + root) / dz if us + root > 0 else 0.0))
            if rule == "poisson" and pd + dp >= e * pc:
                return part(start + (e * pc - pd) / dz)
            if rule == "poisson-first" and pc + pd + dp >= (1 + e) * first:
                return part(start + ((1 + e) * first - pc - pd) / dz)
            if rule == "newton" and ue >= -e * u0z:
                return part(start + max(0.0, (-e * u0z - us) / (rate * dz)))
            Wd += dW
            pd += dp
        p = part(1.0)
        v, uz = list(new_v), new_uz
    return None


def compliant(K, u, mu, e, eta2, dt_scale=20000):
    """p at the end by time stepping with return mapping."""
    kt = 1.0 / eta2
    top = max(K[i][i] for i in range(3))
    dt_c = 1.0 / (math.sqrt(top) * dt_scale) * 3
    ux, uy, uz = u
    dx = dy = F = px = py = pz = 0.0
    (a, b, c), (_, d, f), (_, _, g) = K
    for _ in range(400 * dt_scale):
        k, dt = (1.0, dt_c) if uz < 0 else (1 / e ** 2 if e else 0.0, dt_c * max(e, 1e-3))
        if uz >= 0 and e == 0:
            back = uz / (uz - old[2]) if uz > 0 else 0.0
            return [px - back * (px - old[3]), py - back * (py - old[4]), pz - back * (pz - old[5])]
        old = (ux, uy, uz, px, py, pz)
        # half kick of the springs, drift of the velocity, half kick
        for half in (0, 1):
            F += -k * uz * dt / 2
            dx += ux * dt / 2
            dy += uy * dt / 2
            if F <= 0:
                return [px, py, pz]
            size, room = math.hypot(dx, dy), mu * F / kt
            if size > room:
                dx *= room / size
                dy *= room / size
            if half:
                break
            ix, iy, iz = -kt * dx * dt, -kt * dy * dt, F * dt
            px += ix
            py += iy
            pz += iz
            ux += a * ix + b * iy + c * iz
            uy += b * ix + d * iy + f * iz
            uz += c * ix + f * iy + g * iz
    return None
