# SPDX-License-Identifier: Apache-2.0
"""The incremental (Routh) law, and the planar law as its two-dimensional case.

Formulation: Cartesian regularised form. With d(tau) = dpz / |v|, v = u_t,

    v' = |v| b - mu M2 v,    p_t' = -mu v,    pz' = |v|,    W' = uz |v|

(uz = u0z + K3.p). v is homogeneous of degree one in itself, no angle appears, the origin is at
tau = infinity. Each step is a Taylor polynomial (order 36, |v| by the series of a square root);
events (uz = 0, the termination target) are isolated on it by Descartes' rule (series.py).
When the direction of v has settled on an attracting ray to 1e-32, or |v| has fallen to 1e-34 of
its start, the remaining motion to the origin is straight and is added exactly.
Straight phases (stick, ray, mu = 0) are polynomials in pz itself and use the same event code.
The planar law is run with straight phases only: another road than the usual closed form.
"""
from mpmath import mp, mpf

from common import Matrix, Uncertain, dot, exact, norm, secular, unit
from series import convolve, first_root, step_length, value

ORDER = 36
DIGITS = 37
RAY = mpf(10) ** -32
TAIL = mpf(10) ** -34


class State:
    """Impulse, velocities and work at the present point of the impact."""

    def __init__(self, u):
        self.p = [mpf(0)] * 3
        self.v = list(u[:2])
        self.uz = u[2]


class Terminator:
    """Accumulates the phases and says where a step ends: at uz = 0, at the stop, or not at all."""

    def __init__(self, rule, e, u0z):
        self.rule, self.e, self.u0z = rule, e, u0z
        self.compressing = True
        self.at_zero = u0z == 0          # uz is exactly 0 at the start of the coming step
        self.Wc = self.Wd = self.pc = self.pd = mpf(0)
        self.first = None                # pz at the first uz = 0
        self.phases = 1
        self.closest = mp.inf            # how near an extremum of uz came to a different history

    def target(self, step):
        """The polynomial whose first upward zero inside a decompression ends the impact."""
        if self.rule == "stronge":
            c = list(step["W"])
            c[0] = self.Wd + self.e ** 2 * self.Wc
        elif self.rule == "poisson":
            c = list(step["pz"])
            c[0] = self.pd - self.e * self.pc
        else:
            c = list(step["uz"])
            c[0] = step["uz"][0] + self.e * self.u0z
        return c

    def scan(self, step, T):
        """(t, stop): the first event in the step and whether it ends the impact."""
        uz = step["uz"]
        head = uz[1:] if self.at_zero else uz
        lead = next((x for x in head if x != 0), mpf(0))
        if lead == 0 or (lead < 0) != self.compressing:
            raise Uncertain("phase and sign of uz disagree")
        t = first_root(uz, T, 1 if self.at_zero else 0)
        end = T if t is None else t
        if self.rule == "poisson-first":
            if self.first is not None:
                c = list(step["pz"])
                c[0] = step["pz"][0] - (1 + self.e) * self.first
                stop = first_root(c, end)
                if stop is not None:
                    return stop, True
        elif not self.compressing:
            stop = first_root(self.target(step), end)
            if stop is not None:
                return stop, True
        return t, False

    def advance(self, step, t, crossing):
        """Book the part [0, t] of the step; True when the impact is over at its end."""
        dW, dp = value(step["W"], t), value(step["pz"], t) - step["pz"][0]
        if self.compressing:
            self.Wc += dW
            self.pc += dp
        else:
            self.Wd += dW
            self.pd += dp
        self.at_zero = crossing
        if crossing:
            self.compressing = not self.compressing
            self.phases += 1
            if self.first is None:
                self.first = value(step["pz"], t)
                # nothing to give back; for `newton` from u0z = 0 the target is this very passage
                return self.e == 0 or (self.rule == "newton" and self.u0z == 0)
        return False


def slip_step(M, mu, state):
    """Taylor polynomials of one step in tau and its length."""
    v, r = [[state.v[0]], [state.v[1]]], [norm(state.v)]
    for n in range(ORDER):
        for i in range(2):
            v[i].append((r[n] * M.b[i] - mu * (M.M2[i][0] * v[0][n] + M.M2[i][1] * v[1][n])) / (n + 1))
        square = sum(mp.fdot(v[i], v[i][::-1]) for i in range(2))
        inner = mp.fdot(r[1:n + 1], r[n:0:-1]) if n >= 1 else mpf(0)
        r.append((square - inner) / (2 * r[0]))
    T = step_length([(v[0], r[0]), (v[1], r[0]), (r, r[0])], DIGITS)
    if T is None:
        raise Uncertain("no motion")
    p = [[state.p[i]] + [-mu * v[i][n] / (n + 1) for n in range(ORDER)] for i in range(2)]
    pz = [state.p[2]] + [r[n] / (n + 1) for n in range(ORDER)]
    uz = [M.b[0] * p[0][n] + M.b[1] * p[1][n] + M.k33 * pz[n] for n in range(ORDER + 1)]
    uz[0] = state.uz
    W = [mpf(0)] + [convolve(uz, r, n) / (n + 1) for n in range(ORDER)]
    return {"px": p[0], "py": p[1], "pz": pz, "uz": uz, "W": W, "v": v}, T


def straight_step(state, slope_t, rate_v, k):
    """A phase with dp/dpz = (slope_t, 1) and dv/dpz = rate_v, in the variable pz."""
    zero = mpf(0)
    return {"px": [state.p[0], slope_t[0], zero], "py": [state.p[1], slope_t[1], zero],
            "pz": [state.p[2], mpf(1), zero], "uz": [state.uz, k, zero],
            "W": [zero, state.uz, k / 2],
            "v": [[state.v[0], rate_v[0], zero], [state.v[1], rate_v[1], zero]]}


def advance_state(state, step, t, crossing):
    state.p = [value(step[name], t) for name in ("px", "py", "pz")]
    state.v = [value(c, t) for c in step["v"]]
    state.uz = mpf(0) if crossing else value(step["uz"], t)


def run_straight(state, stop, slope_t, rate_v, k, length=None):
    """Follow a straight phase; True when the impact ended in it. length None: for ever."""
    done = mpf(0)
    T = length
    if T is None:
        if k <= 0:
            raise Uncertain("endless phase that does not separate")
        T = (abs(state.uz) + abs(stop.u0z) + mp.sqrt(2 * k * abs(stop.Wc)) + k * stop.pc) * 2 / k
        T = T if T > 0 else mpf(1)
    for _ in range(400):
        step = straight_step(state, slope_t, rate_v, k)
        piece = T if length is None else length - done
        t, over = stop.scan(step, piece)
        crossing = t is not None and not over
        t = piece if t is None else t
        finished = stop.advance(step, t, crossing)
        advance_state(state, step, t, crossing)
        if over or finished:
            return True
        done += t
        if length is not None and not crossing:
            return False
        if not crossing:
            T *= 2
    raise Uncertain("straight phase did not end")


def resolve(K, u, mu, e, rule="stronge", info=None):
    """Impulse of the incremental law. info: optional dict that receives path and phase count."""
    M, u, mu, e = Matrix(K), exact(u), exact(mu), exact(e)
    info = {} if info is None else info
    info["path"] = []
    zero = [mpf(0)] * 3
    if u[2] > 0:
        return zero
    state, stop = State(u), Terminator(rule, e, u[2])
    speed = norm(u[:2])
    if u[2] == 0 and (speed == 0 or M.h(mu, unit(u[:2])) >= 0):
        return zero

    def report():
        info["phases"] = stop.phases
        return state.p

    if mu == 0:
        info["path"].append("frictionless")
        run_straight(state, stop, zero[:2], M.b, M.k33)
        return report()
    if speed > 0:
        if _slide(M, mu, state, stop, speed, info):
            return report()
    q = M.stick_direction()
    if norm(q) <= mu:
        info["path"].append("stick")
        info["stick_margin"] = abs(norm(q) / mu - 1)
        run_straight(state, stop, q, zero[:2], M.k33 + dot(M.b, q))
    else:
        info["path"].append("diverge")
        lam, c = secular(M, mu, M.b)
        run_straight(state, stop, [-mu * c[0], -mu * c[1]], [lam * c[0], lam * c[1]], M.h(mu, c))
    return report()


def _slide(M, mu, state, stop, speed, info):
    """Slip until the end (True) or until the origin u_t = 0 (False)."""
    info["path"].append("slide")
    for n in range(20000):
        r, c = norm(state.v), unit(state.v)
        f, ft, g = M.f(mu, c), M.f_theta(mu, c), M.g(mu, c)
        settled = ft < 0 and abs(f) < RAY * abs(ft)
        if settled or f == 0 or (r < TAIL * speed and g < 0):
            info["steps"] = n
            straight = [-mu * c[0], -mu * c[1]]
            rate = [g * c[0], g * c[1]]
            if g < 0:
                over = run_straight(state, stop, straight, rate, M.h(mu, c), -r / g)
                state.v = [mpf(0), mpf(0)]
                return over
            info["path"].append("ray")
            return run_straight(state, stop, straight, rate, M.h(mu, c))
        step, T = slip_step(M, mu, state)
        t, over = stop.scan(step, T)
        crossing = t is not None and not over
        t = T if t is None else t
        finished = stop.advance(step, t, crossing)
        advance_state(state, step, t, crossing)
        if over or finished:
            info["steps"] = n
            return True
    raise Uncertain("too many slip steps")


def planar(K, u, mu, e):
    """The planar law (Stronge) from straight phases."""
    K, u, mu, e = exact(K), exact(u), exact(mu), exact(e)
    (kxx, kxz), (_, kzz) = K
    if u[1] >= 0:
        return [mpf(0), mpf(0)]
    state, stop = State([u[0], mpf(0), u[1]]), Terminator("stronge", e, u[1])
    zero = mpf(0)
    s = mp.sign(u[0])
    if s != 0:
        kx, kz = kxz - s * mu * kxx, kzz - s * mu * kxz
        length = -u[0] / kx if s * kx < 0 else None
        if run_straight(state, stop, [-s * mu, zero], [kx, zero], kz, length):
            return [state.p[0], state.p[2]]
        state.v[0] = zero
    if abs(kxz) <= mu * kxx:
        run_straight(state, stop, [-kxz / kxx, zero], [zero, zero], kzz - kxz ** 2 / kxx)
    else:
        s = mp.sign(kxz)
        run_straight(state, stop, [-s * mu, zero], [kxz - s * mu * kxx, zero], kzz - s * mu * kxz)
    return [state.p[0], state.p[2]]
