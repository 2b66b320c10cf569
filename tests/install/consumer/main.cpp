// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <carom/impact/routh.h>

#include <cmath>
#include <cstdio>

// A ball with backspin on a table: it grips, and rolls away with the speed that rolling leaves it.
int main() {
    const carom::Mat3 K = carom::Vec3(3.5, 3.5, 1.0).asDiagonal();
    const carom::impact::Contact contact{K, carom::Vec3(-3.0, 0.0, -5.0)};
    const auto solution = carom::impact::routh(contact, {.e = 0.5, .mu = 0.4});
    const carom::Vec3 after = contact.u + contact.K * solution.p;
    std::printf("p = %g %g %g\n", solution.p.x(), solution.p.y(), solution.p.z());
    const bool right = std::abs(after.x()) < 1e-12 && std::abs(after.z() - 2.5) < 1e-12;
    return right ? 0 : 1;
}
