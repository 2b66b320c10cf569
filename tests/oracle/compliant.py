# SPDX-License-Identifier: Apache-2.0
"""The law with normal and tangential compliance (Jia), as a sequence of stick and slip phases.

Stick: the linear time-domain equations p_t' = -kt d, pz' = F, F' = -k uz, d' = u_t, by their Taylor
series in time (entire functions); the stick->slip event is the first root of kt^2 d^2 - mu^2 F^2.
Slip: neither time nor pz but lambda with dpz = y dlambda, y = F^2, which makes everything polynomial
and moves the singular points F = 0 to infinity (e_ = (c, s) = d/|d|):

    y' = -2 k uz y,   u' = y K (-mu e_, 1),   e_' = (kt/mu) (u_t.e_perp) e_perp,   pz' = y.

The start from F = 0 is a regular singular point in pz; its analytic branch is summed as a power
series in pz (slip_start). Where the angle relaxes much faster than the impact proceeds, the slow
branch is followed by collocation (collocation.py) instead. All events (uz = 0, slip velocity = 0,
cone reached, F = 0) are isolated by Descartes' rule on the step polynomials (series.py).
"""
from mpmath import mp, mpf

import collocation
from common import Matrix, Uncertain, dot, exact, norm
from series import convolve, first_root, product, step_length, value

ORDER = 30
DIGITS = 27
END = mpf(10) ** -22         # F^2 relative to its maximum at which the exact tail is added
STIFF = 60                   # ratio of rates above which slip is collocated


def eta2_of(nu):
    nu = exact(nu)
    return (2 - nu) / (2 - 2 * nu)


class Impact:
    def __init__(self, K, u, mu, e, eta2, method):
        self.M, self.mu, self.e = Matrix(K), exact(mu), exact(e)
        self.kt = 1 / exact(eta2)
        self.u = exact(u)
        self.p = [mpf(0)] * 3
        self.F = self.y = mpf(0)
        self.d = [mpf(0)] * 2
        self.c = None                     # slip direction, when slipping
        self.compressing = True
        self.at_zero = False              # uz is exactly 0 now
        self.peak = mpf(0)                # largest F^2 so far
        self.method = method
        self.path = []

    @property
    def k(self):
        return mpf(1) if self.compressing else 1 / self.e ** 2

    def turn(self):
        """uz has just crossed zero. True when the impact ends there (e = 0)."""
        self.u[2] = mpf(0)
        self.at_zero = True
        self.compressing = not self.compressing
        return self.e == 0 and not self.compressing

    def check_phase(self, uz):
        head = uz[1] if self.at_zero else uz[0]
        if head == 0 or (head < 0) != self.compressing:
            raise Uncertain("phase and sign of uz disagree")


# ------------------------------------------------------------------------------- stick
def stick_step(s):
    """Polynomials in time of one stick step."""
    K, kt, k = s.M.K, s.kt, s.k
    u = [[x] for x in s.u]
    d, F, p = [[s.d[0]], [s.d[1]]], [s.F], [[x] for x in s.p]
    for n in range(ORDER):
        force = [-kt * d[0][n], -kt * d[1][n], F[n]]
        for i in range(3):
            u[i].append(dot(K[i], force) / (n + 1))
            p[i].append(force[i] / (n + 1))
        d[0].append(u[0][n] / (n + 1))
        d[1].append(u[1][n] / (n + 1))
        F.append(-k * u[2][n] / (n + 1))
    speed = norm(s.u) + mp.sqrt(s.M.size * max(k, kt)) * (norm(s.d) + s.F)
    T = step_length([(c, speed) for c in u], DIGITS)
    length = speed / mp.sqrt(s.M.size)
    T = min(T, step_length([(c, length) for c in d + [F]], DIGITS))
    return u, d, F, p, T


def run_stick(s, fresh):
    """fresh: the state touches the cone tangentially now (or F = d = 0). True when the impact ended."""
    s.path.append("stick")
    for _ in range(6000):
        u, d, F, p, T = stick_step(s)
        s.check_phase(u[2])
        t_uz = first_root(u[2], T, 1 if s.at_zero else 0)
        limit = T if t_uz is None else t_uz
        straight = all(x == 0 for c in d for x in c)
        t_cone = t_end = None
        if straight:
            if not s.compressing:
                t_end = first_root(F, limit)
        else:
            g = [s.kt ** 2 * (a + b) - s.mu ** 2 * f
                 for a, b, f in zip(product(d[0], d[0]), product(d[1], d[1]), product(F, F))]
            head = g[2] if fresh else g[0]
            if head >= 0:
                raise Uncertain("stick starts outside the cone")
            t_cone = first_root(g, limit, 2 if fresh else 0)
        t = next((x for x in (t_end, t_cone, t_uz) if x is not None), T)
        s.u = [value(c, t) for c in u]
        s.d = [value(c, t) for c in d]
        s.p = [value(c, t) for c in p]
        s.F = value(F, t)
        s.peak = max(s.peak, s.F ** 2)
        s.at_zero = False
        fresh = False
        if t_end is not None:
            return True
        if t_cone is not None:
            s.c = [x / norm(s.d) for x in s.d]
            s.y = s.F ** 2
            return False
        if t_uz is not None and s.turn():
            return True
    raise Uncertain("stick did not end")


# ------------------------------------------------------------------------------- slip
def slip_start(s):
    """Power series in pz of the analytic branch at F = 0 (a regular singular point)."""
    M, mu, a = s.M, s.mu, s.kt / s.mu
    speed = norm(s.u[:2])
    c, n_ = [s.u[0] / speed], [s.u[1] / speed]
    th, u = [mpf(0)], [[s.u[0]], [s.u[1]], [s.u[2]]]
    y = [mpf(0), -2 * s.u[2]]
    for n in range(1, ORDER + 1):
        for i in range(3):
            rate = -mu * (M.K[i][0] * c[n - 1] + M.K[i][1] * n_[n - 1]) + (M.K[i][2] if n == 1 else 0)
            u[i].append(rate / n)
        y.append(-2 * u[2][n] / (n + 1))
        # e_perp without its part from th_n
        cn = -sum(j * th[j] * n_[n - j] for j in range(1, n)) / n
        sn = sum(j * th[j] * c[n - j] for j in range(1, n)) / n
        known = (mp.fsum(-u[0][n - j] * n_[j] + u[1][n - j] * c[j] for j in range(n))
                 - u[0][0] * sn + u[1][0] * cn)
        known = a * known - mp.fsum(y[n + 1 - j] * j * th[j] for j in range(1, n))
        th.append(known / (n * y[1] + a * speed))
        c.append(cn - th[n] * n_[0])
        n_.append(sn + th[n] * c[0])
    y = y[:ORDER + 1]
    pz = [mpf(0), mpf(1)] + [mpf(0)] * (ORDER - 1)
    pt = [[mpf(0)] + [-mu * x[k] / (k + 1) for k in range(ORDER)] for x in (c, n_)]
    T = step_length([(c, mpf(1)), (n_, mpf(1)), (u[0], speed), (u[1], speed), (u[2], abs(s.u[2]))], DIGITS)
    guard = abs(s.u[2]) / (M.k33 + mu * norm(M.b))
    # with a fixed direction (planar motion) the series is exact and uz may vanish just at `guard`
    T = min(T, 4 * guard) if T else guard * mpf(137) / 100
    return {"c": c, "s": n_, "u": u, "y": y, "p": [pt[0], pt[1], pz]}, T


def slip_taylor(s):
    """Polynomials in lambda of one slip step."""
    M, mu, a, k = s.M, s.mu, s.kt / s.mu, s.k
    c, n_, y = [s.c[0]], [s.c[1]], [s.y]
    u, p = [[x] for x in s.u], [[x] for x in s.p]
    across = []
    for n in range(ORDER):
        across.append(a * (convolve(u[1], c, n) - convolve(u[0], n_, n)))
        yc, ys = convolve(y, c, n), convolve(y, n_, n)
        force = [-mu * yc, -mu * ys, y[n]]
        c.append(-convolve(n_, across, n) / (n + 1))
        n_.append(convolve(c[:n + 1], across, n) / (n + 1))
        y.append(-2 * k * convolve(u[2], y, n) / (n + 1))
        for i in range(3):
            u[i].append(dot(M.K[i], force) / (n + 1))
            p[i].append(force[i] / (n + 1))
    speed = norm(s.u)
    T = step_length([(c, mpf(1)), (n_, mpf(1)), (y, s.y)] + [(x, speed) for x in u], DIGITS)
    return {"c": c, "s": n_, "u": u, "y": y, "p": p}, T


def stiffness(s):
    """Rate of the angle over the rate of the impact."""
    fast = s.kt * norm(s.u[:2]) / s.mu
    h = abs(s.M.h(s.mu, s.c)) + s.M.k33 / 10
    return fast / (2 * s.k * abs(s.u[2]) + mp.sqrt(s.k * h * s.y))


def run_slip(s, starting):
    """True when the impact ended, False when stick begins."""
    s.path.append("slip")
    for count in range(30000):
        collocated = False
        if starting:
            step, T = slip_start(s)
        elif s.method == "collocation" or (s.method == "auto" and stiffness(s) > STIFF):
            step, T = collocation.slip_step(s)
            collocated = True
        else:
            step, T = slip_taylor(s)
        uz = step["u"][2]
        s.check_phase(uz)
        t_uz = first_root(uz, T, 1 if s.at_zero else 0)
        limit = T if t_uz is None else t_uz
        t_end = None
        if collocated and not s.compressing:
            t_end = first_root(step["y"], limit)
            limit = limit if t_end is None else t_end
        slide = [x + w + s.mu * s.k / s.kt * z for x, w, z in
                 zip(product(step["u"][0], step["c"]), product(step["u"][1], step["s"]), uz)]
        if slide[0] <= 0:
            raise Uncertain("slip velocity is not positive")
        t_stick = first_root(slide, limit)
        t = next((x for x in (t_stick, t_end, t_uz) if x is not None), T)
        s.u = [value(x, t) for x in step["u"]]
        s.p = [value(x, t) for x in step["p"]]
        c = [value(step["c"], t), value(step["s"], t)]
        s.c = [x / norm(c) for x in c]
        s.y = value(step["y"], t)
        s.peak = max(s.peak, s.y)
        s.at_zero = starting = False
        if t_stick is not None:
            s.F = mp.sqrt(s.y)
            s.d = [s.mu * s.F / s.kt * x for x in s.c]
            return False
        if t_end is not None:
            return True
        if t_uz is not None:
            if s.turn():
                return True
        elif not s.compressing and s.y < END * s.peak:
            _tail(s)
            return True
    raise Uncertain("too many slip steps")


def _tail(s):
    """Exact end of a slip with fixed direction: y falls from a tiny value to 0."""
    h = s.M.h(s.mu, s.c)
    x = s.y / s.k
    root = s.u[2] ** 2 + h * x
    if root <= 0:
        raise Uncertain("compression returns at the very end")
    dpz = x / (s.u[2] + mp.sqrt(root))
    s.p = [s.p[0] - s.mu * s.c[0] * dpz, s.p[1] - s.mu * s.c[1] * dpz, s.p[2] + dpz]


def resolve(K, u, mu, e, eta2, info=None, method="auto"):
    """Impulse of the compliant law. method: auto, taylor or collocation (for slip)."""
    s = Impact(K, u, mu, e, eta2, method)
    if s.u[2] >= 0:
        return [mpf(0)] * 3
    if s.mu == 0:
        return [mpf(0), mpf(0), -(1 + s.e) * s.u[2] / s.M.k33]
    edge = norm(s.u[:2]) * s.kt / (s.mu * abs(s.u[2])) - 1
    if abs(edge) < mpf(10) ** -14:
        raise Uncertain("start at the edge of stick")
    slipping = edge > 0
    starting = True
    for _ in range(200):
        over = run_slip(s, starting) if slipping else run_stick(s, True)
        starting = False
        if over:
            if info is not None:
                info["path"] = s.path
            return s.p
        slipping = not slipping
    raise Uncertain("too many changes between stick and slip")
