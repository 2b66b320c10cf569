// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "touch_oracle.h"

// First contacts of random_problem(0), random_problem(1), ... as first_touch_generate.cpp has
// stored them, a line each:
//
//     code touch T SIZE                of the contact
//     code apart DISTANCE SIZE         distance at the end, where nothing touches
//     code close SIZE                  within rounding of a contact: nobody can tell
//
// The code is that of the problem's own numbers, since a C library whose sine differs in the last
// bit makes another problem of the same seed; such an answer is not used.
namespace touch_oracle {

enum class Verdict { touch, apart, close };

struct StoredTouch {
    std::uint32_t code = 0;
    Verdict verdict = Verdict::close;
    double value = 0.0;  // t, or the distance at the end
    double size = 0.0;
};

// A contact within rounding of none, or the other way round.
inline bool too_close_to_call(const Touch& truth) {
    return !truth.touches && truth.smallest_distance < 1e-13 * truth.size;
}

// FNV-1a over the bits of everything that the answer depends on.
class ProblemCode {
public:
    explicit ProblemCode(const Problem& problem) {
        add(problem.until);
        add(problem.a);
        add(problem.b);
    }
    std::uint32_t value() const { return hash_; }

private:
    void add(double x) {
        unsigned char bytes[sizeof x];
        std::memcpy(bytes, &x, sizeof x);
        for (const unsigned char byte : bytes)
            hash_ = (hash_ ^ byte) * 16777619U;
    }
    void add(const Vec3& v) {
        for (const double x : {v.x, v.y, v.z})
            add(x);
    }
    void add(const Body& body) {
        const Shape& shape = body.shape;
        add(static_cast<double>(shape.kind));
        add(shape.radius);
        add(shape.height);
        add(shape.size);
        add(shape.normal);
        for (const Vec3& point : shape.points)
            add(point);
        const Motion& m = body.motion;
        for (const Vec3* v :
             {&m.position, &m.velocity, &m.angular_velocity, &m.gravity, &m.centre_of_mass})
            add(*v);
        for (const double x : {m.orientation.w, m.orientation.x, m.orientation.y, m.orientation.z})
            add(x);
        add(m.fixed ? 1.0 : 0.0);
        for (const auto& row : m.inertia) {
            for (const double x : row)
                add(x);
        }
    }
    std::uint32_t hash_ = 2166136261U;
};

inline StoredTouch to_store(const Problem& problem, const Touch& truth) {
    StoredTouch stored{ProblemCode(problem).value(), Verdict::close, 0.0, truth.size};
    if (too_close_to_call(truth)) return stored;
    stored.verdict = truth.touches ? Verdict::touch : Verdict::apart;
    stored.value = truth.touches ? truth.t : truth.distance_at_until;
    return stored;
}

// The line of each seed from 0 on.
inline std::vector<StoredTouch> read_stored_touches(const std::string& path) {
    std::ifstream in(path);
    std::vector<StoredTouch> all;
    std::string verdict;
    StoredTouch one;
    while (in >> std::hex >> one.code >> std::dec >> verdict) {
        one.verdict = verdict == "touch"   ? Verdict::touch
                      : verdict == "apart" ? Verdict::apart
                                           : Verdict::close;
        one.value = 0.0;
        if (one.verdict != Verdict::close) in >> one.value;
        in >> one.size;
        all.push_back(one);
    }
    if (all.empty()) throw std::runtime_error("no stored contacts in " + path);
    return all;
}

}  // namespace touch_oracle
