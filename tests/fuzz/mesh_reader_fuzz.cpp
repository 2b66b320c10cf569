// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a mesh file. The first byte chooses the format, the rest is the file. Whatever
// they are, the answer is std::invalid_argument with a message, or a shape that keeps its promises:
// finite, closed, convex, and with a mass unless it is too thin for one. A finding aborts.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>

#include "carom/shape/bounds.h"
#include "carom/shape/mass_properties.h"
#include "carom/shape/mesh.h"

// Assimp loses a few hundred bytes of each broken STL file it gives up on; that is its own
// business.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libassimp\n";
}

namespace {

using namespace carom;

[[noreturn]] void found(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void check_polyhedron(const shape::Polyhedron& body) {
    const auto euler = static_cast<long>(body.vertices().size()) -
                       static_cast<long>(body.edges().size()) +
                       static_cast<long>(body.faces().size());
    if (euler != 2) found("a piece breaks Euler's formula");
    for (const shape::Polyhedron::Face& face : body.faces()) {
        if (!(std::abs(face.normal.norm() - 1.0) < 1e-12)) found("a normal is not unit");
        const double inside = face.offset - face.normal.dot(body.interior());
        if (!(inside >= 0.0)) found("a face turns its back on the body");
    }
    for (const shape::Polyhedron::Edge& edge : body.edges()) {
        if (!(edge.length > 0.0)) found("an edge has no length");
    }
}

void check_shape(const shape::Shape& shape) {
    if (shape.parts.empty()) found("a shape without parts");
    for (const shape::Part& part : shape.parts) {
        const shape::Polyhedron* body = shape::polyhedron_of(part.convex);
        if (body == nullptr) found("a piece that is not a hull");
        check_polyhedron(*body);
    }
    if (!std::isfinite(shape::radius_about(shape, Vec3::Zero()))) found("an infinite piece");
    try {
        const shape::MassProperties mass = shape::mass_properties(shape, shape::Mass{1.0});
        if (!(mass.volume > 0.0) || !mass.center.allFinite()) found("a piece without a volume");
    } catch (const std::invalid_argument&) {
        // too thin or too large
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* k_formats[] = {"obj", "stl", "ply", "gltf", "glb"};
    if (size == 0) return 0;
    const char* format = k_formats[data[0] % std::size(k_formats)];
    try {
        check_shape(shape::read_mesh_memory(std::as_bytes(std::span(data + 1, size - 1)), format));
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') found("an error without a message");
    }
    return 0;
}
