// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>

namespace carom::motion {

// The sum hi + lo of two doubles, |lo| <= ulp(hi)/2: about 31 digits.
//
// Used where a motion is set up. The invariants that tell how near a rotation is to the separatrix,
// or an inertia to a symmetric one, are small differences of the data; taken in this precision they
// keep all the digits of a double however small they are. Range: neither overflow nor underflow of
// the squares. Needs -ffp-contract=off. Source: Dekker 1971; Knuth, TAOCP 2, 4.2.2.
struct DoubleDouble {
    double hi = 0.0;
    double lo = 0.0;

    constexpr DoubleDouble() = default;
    constexpr DoubleDouble(double value) : hi(value) {}
    constexpr DoubleDouble(double h, double l) : hi(h), lo(l) {}

    explicit operator double() const { return hi + lo; }
    explicit operator long double() const {
        return static_cast<long double>(hi) + static_cast<long double>(lo);
    }
};

// a + b exactly, for |a| >= |b|.
inline DoubleDouble quick_two_sum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
}

// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
    const double s = a + b;
    const double t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

// a b exactly.
inline DoubleDouble two_product(double a, double b) {
    const double p = a * b;
    return {p, std::fma(a, b, -p)};
}

inline DoubleDouble operator-(const DoubleDouble& a) {
    return {-a.hi, -a.lo};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble s = two_sum(a.hi, b.hi);
    const DoubleDouble t = two_sum(a.lo, b.lo);
    const DoubleDouble u = quick_two_sum(s.hi, s.lo + t.hi);
    return quick_two_sum(u.hi, u.lo + t.lo);
}

inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
    return a + (-b);
}

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble p = two_product(a.hi, b.hi);
    return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
    const double q1 = a.hi / b.hi;
    const DoubleDouble r1 = a - b * DoubleDouble(q1);
    const double q2 = r1.hi / b.hi;
    const DoubleDouble r2 = r1 - b * DoubleDouble(q2);
    return quick_two_sum(q1, q2) + DoubleDouble(r2.hi / b.hi);
}

inline bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
inline bool operator>(const DoubleDouble& a, const DoubleDouble& b) {
    return b < a;
}
inline bool is_zero(const DoubleDouble& a) {
    return a.hi == 0.0 && a.lo == 0.0;
}
inline DoubleDouble abs(const DoubleDouble& a) {
    return a.hi < 0.0 ? -a : a;
}

// Square root of a >= 0: two Newton steps on the double root.
inline DoubleDouble sqrt(const DoubleDouble& a) {
    if (!(a.hi > 0.0)) return {};
    DoubleDouble x(std::sqrt(a.hi));
    for (int i = 0; i < 2; ++i)
        x = (x + a / x) * DoubleDouble(0.5);
    return x;
}

}  // namespace carom::motion
