// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <carom/impact/law_choice.h>

#include <cmath>

// A ball with backspin on a table: it grips, and rolls away with the speed that rolling leaves it.
int main() {
    using namespace carom;
    const impact::Contact contact{Vec3(3.5, 3.5, 1.0).asDiagonal(), Vec3(-3.0, 0.0, -5.0)};
    const Vec3 p = impact::routh(contact, {.e = 0.5, .mu = 0.4}).p;
    const Vec3 after = contact.u + contact.K * p;
    const bool grips = std::abs(after.x()) < 1e-12 && std::abs(after.z() - 2.5) < 1e-12;
    // the same law, chosen for later
    const impact::LawChoice choice = impact::law::routh({.e = 0.5, .mu = 0.4});
    return grips && impact::resolve(choice, contact).solution.p == p ? 0 : 1;
}
