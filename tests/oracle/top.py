# SPDX-License-Identifier: Apache-2.0
"""A cone that spins on its tip: the time of a nod and the angle that it goes round in it.

The heavy symmetric top with a fixed point, let go with nothing but its spin: with u = cos(lean)
    u'^2 = b (u0 - u) (1 - u^2) - s^2 (u0 - u)^2
has the roots u0 (the start) and u1 < u0 (the lowest lean), between which it nods. Both quadratures
are taken after u = middle + half sin(x), which leaves nothing singular. Printed with 30 digits;
tests/physics/exact_spin_test.cpp holds them.
"""

from mpmath import cos, mp, mpf, pi, quad, sin, sqrt

mp.dps = 50

G = mpf("9.81")
R, H, M = mpf("0.08"), mpf("0.1"), mpf("0.3")
LEVER = H * 3 / 4
I3 = M * R**2 * 3 / 10
I1 = M * (R**2 * 3 / 20 + H**2 * 3 / 5)


def nod(q0, w3):
    """Time and angle of one nod from rest of the axis at the lean q0."""
    u0 = cos(mpf(q0))
    s = I3 * mpf(w3) / I1  # spin's part: phi' = s (u0 - u) / (1 - u^2)
    b = 2 * M * G * LEVER / I1  # u'^2 = b (u0 - u) (1 - u^2) - s^2 (u0 - u)^2
    # (1 - u^2) b = s^2 (u0 - u): b u^2 - s^2 u + s^2 u0 - b = 0, the root in (-1, u0)
    u1 = (s**2 - sqrt(s**4 - 4 * b * (s**2 * u0 - b))) / (2 * b)
    u2 = (s**2 + sqrt(s**4 - 4 * b * (s**2 * u0 - b))) / (2 * b)
    middle, half = (u0 + u1) / 2, (u0 - u1) / 2

    # (u0 - u) (u - u1) = half^2 cos^2 x, and b (1 - u^2) - s^2 (u0 - u) = b (u - u1) (u2 - u)
    def rate(x):
        return 1 / sqrt(b * (u2 - middle - half * sin(x)))

    def turn(x):
        u = middle + half * sin(x)
        return rate(x) * s * (u0 - u) / (1 - u**2)

    ends = [-pi / 2, 0, pi / 2]
    return 2 * quad(rate, ends), 2 * quad(turn, ends)


if __name__ == "__main__":
    for q0, w3 in (("0.3", "150"), ("0.5", "300"), ("0.2", "80")):
        time, angle = nod(q0, w3)
        mp.dps = 30
        print(f"lean {q0} spin {w3}: time {time} angle {angle}")
        mp.dps = 50
