// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>

namespace touch_oracle {

// Three numbers, of double for what comes in and goes out, of Real for what is computed.
using Real = long double;
// For the last digits: 113 bits, in software.
__extension__ typedef __float128 Quad;

inline double square_root(double x) {
    return std::sqrt(x);
}
inline Real square_root(Real x) {
    return std::sqrt(x);
}
inline Quad square_root(Quad x) {
    if (!(x > 0)) return 0;
    const Quad root = static_cast<Quad>(std::sqrt(static_cast<Real>(x)));
    return root > 0 ? (root + x / root) / 2 : root;
}

template <typename T>
struct Vector {
    T x{}, y{}, z{};

    Vector() = default;
    Vector(T x_in, T y_in, T z_in) : x(x_in), y(y_in), z(z_in) {}
    template <typename U>
    explicit Vector(const Vector<U>& v)
        : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}

    T dot(const Vector& v) const { return x * v.x + y * v.y + z * v.z; }
    Vector cross(const Vector& v) const {
        return {y * v.z - z * v.y, z * v.x - x * v.z, x * v.y - y * v.x};
    }
    T norm() const { return square_root(dot(*this)); }
    Vector unit() const { return *this * (T(1) / norm()); }
    Vector operator+(const Vector& v) const { return {x + v.x, y + v.y, z + v.z}; }
    Vector operator-(const Vector& v) const { return {x - v.x, y - v.y, z - v.z}; }
    Vector operator-() const { return {-x, -y, -z}; }
    Vector operator*(T s) const { return {x * s, y * s, z * s}; }
    Vector& operator+=(const Vector& v) { return *this = *this + v; }
};
template <typename T>
Vector<T> operator*(T s, const Vector<T>& v) {
    return v * s;
}

using Vec3 = Vector<double>;
using Vec = Vector<Real>;

// w + x i + y j + z k
template <typename T>
struct Quaternion {
    T w{1}, x{}, y{}, z{};

    Quaternion operator*(const Quaternion& q) const {
        return {w * q.w - x * q.x - y * q.y - z * q.z, w * q.x + x * q.w + y * q.z - z * q.y,
                w * q.y - x * q.z + y * q.w + z * q.x, w * q.z + x * q.y - y * q.x + z * q.w};
    }
    T norm() const { return square_root(w * w + x * x + y * y + z * z); }
    Quaternion conjugate() const { return {w, -x, -y, -z}; }
    Quaternion unit() const {
        const T s = T(1) / norm();
        return {w * s, x * s, y * s, z * s};
    }
};
using Quat = Quaternion<double>;
using QuatR = Quaternion<Real>;

inline QuatR to_real(const Quat& q) {
    return {Real(q.w), Real(q.x), Real(q.y), Real(q.z)};
}

// the rotation by |v| radians about v
inline QuatR turned_by(const Vec& v) {
    const Real angle = v.norm();
    const Real s = angle > 0.0L ? std::sin(angle / 2) / angle : 0.5L;
    return {std::cos(angle / 2), v.x * s, v.y * s, v.z * s};
}

struct Matrix {
    Vec rows[3];

    static Matrix of(const QuatR& unit) {
        const auto& [w, x, y, z] = unit;
        return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
    }
    template <typename T>
    Vector<T> operator*(const Vector<T>& v) const {
        return {Vector<T>(rows[0]).dot(v), Vector<T>(rows[1]).dot(v), Vector<T>(rows[2]).dot(v)};
    }
    // the transposed matrix times v
    template <typename T>
    Vector<T> back(const Vector<T>& v) const {
        return Vector<T>(rows[0]) * v.x + Vector<T>(rows[1]) * v.y + Vector<T>(rows[2]) * v.z;
    }
};

// where a shape's frame lies in the world: x_W = R x + p
struct Placement {
    Matrix R = Matrix::of({});
    Vec p;

    template <typename T>
    Vector<T> operator()(const Vector<T>& x) const {
        return R * x + Vector<T>(p);
    }
};

}  // namespace touch_oracle
