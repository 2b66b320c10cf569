// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "core.h"

#include <algorithm>
#include <stdexcept>

namespace touch_oracle {

namespace {

void require_positive(double x, const char* what) {
    if (!(x > 0.0) || !std::isfinite(x)) {
        throw std::invalid_argument(std::string(what) + " must be positive and finite");
    }
}

}  // namespace

std::string name(Kind kind) {
    static const std::array<const char*, 7> names{"sphere",   "plane", "box", "capsule",
                                                  "cylinder", "cone",  "hull"};
    return names[static_cast<std::size_t>(kind)];
}

Core::Core(const Shape& shape) {
    const Real h = Real(shape.height);
    switch (shape.kind) {
        case Kind::sphere:
            require_positive(shape.radius, "the radius of a sphere");
            points_ = {Vec()};
            radius_ = Real(shape.radius);
            round_ = true;
            break;
        case Kind::capsule:
            require_positive(shape.radius, "the radius of a capsule");
            require_positive(shape.height, "the height of a capsule");
            points_ = {Vec(0, 0, -h / 2), Vec(0, 0, h / 2)};
            radius_ = Real(shape.radius);
            round_ = true;
            break;
        case Kind::box:
            require_positive(shape.size.x, "the size of a box");
            require_positive(shape.size.y, "the size of a box");
            require_positive(shape.size.z, "the size of a box");
            for (int i = 0; i < 8; ++i) {
                points_.emplace_back(Real(shape.size.x) * ((i & 1) ? 0.5L : -0.5L),
                                     Real(shape.size.y) * ((i & 2) ? 0.5L : -0.5L),
                                     Real(shape.size.z) * ((i & 4) ? 0.5L : -0.5L));
            }
            break;
        case Kind::hull:
            if (shape.points.size() < 4) throw std::invalid_argument("a hull needs four points");
            for (const Vec3& p : shape.points)
                points_.emplace_back(p);
            break;
        case Kind::cylinder:
        case Kind::cone:
            require_positive(shape.radius, "the radius of a cylinder or cone");
            require_positive(shape.height, "the height of a cylinder or cone");
            form_ = shape.kind == Kind::cone ? Form::cone : Form::cylinder;
            disc_ = Real(shape.radius);
            low_ = shape.kind == Kind::cone ? -h / 4 : -h / 2;
            high_ = low_ + h;
            round_ = true;
            break;
        case Kind::plane:
            if (!(shape.normal.norm() > 0.0)) {
                throw std::invalid_argument("the normal of a plane must not be zero");
            }
            form_ = Form::half_space;
            normal_ = Vec(shape.normal).unit();
            break;
    }
}

Real Core::reach(const Vec& from) const {
    Real reach = 0.0L;
    if (form_ == Form::points) {
        for (const Vec& p : points_)
            reach = std::max(reach, (p - from).norm());
        return reach;
    }
    const Real across = std::hypot(from.x, from.y);
    const Real base = std::hypot(disc_ + across, low_ - from.z);
    const Real top = std::hypot((form_ == Form::cylinder ? disc_ : 0.0L) + across, high_ - from.z);
    return std::max(base, top);
}

}  // namespace touch_oracle
