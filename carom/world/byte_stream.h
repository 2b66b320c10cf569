// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "carom/math/types.h"
#include "carom/motion/state.h"

namespace carom::world {

// Numbers to bytes and back, little-endian as the machines we run on, for checkpoints.
class ByteWriter {
public:
    template <class T>
    requires std::is_arithmetic_v<T>
    void put(T value) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        std::memcpy(bytes_.data() + at, &value, sizeof(T));
    }
    void put(const Vec3& v) {
        for (int i = 0; i < 3; ++i)
            put(v[i]);
    }
    void put(const motion::State& s) {
        put(s.position);
        for (const double x :
             {s.orientation.w(), s.orientation.x(), s.orientation.y(), s.orientation.z()})
            put(x);
        put(s.velocity);
        put(s.angular_velocity);
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

// Throws std::invalid_argument where the bytes end too early.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    template <class T>
    requires std::is_arithmetic_v<T> T get() {
        if (left_.size() < sizeof(T)) throw std::invalid_argument("the checkpoint ends too early");
        T value;
        std::memcpy(&value, left_.data(), sizeof(T));
        left_ = left_.subspan(sizeof(T));
        return value;
    }
    Vec3 vector() {
        const double x = get<double>(), y = get<double>(), z = get<double>();
        return {x, y, z};
    }
    motion::State state() {
        motion::State s;
        s.position = vector();
        const double w = get<double>(), x = get<double>(), y = get<double>(), z = get<double>();
        s.orientation = motion::Quat(w, x, y, z);
        s.velocity = vector();
        s.angular_velocity = vector();
        return s;
    }
    std::size_t left() const { return left_.size(); }

private:
    std::span<const std::uint8_t> left_;
};

}  // namespace carom::world
