// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/body_tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "carom/record/layout.h"
#include "carom/record/row_vectors.h"

namespace carom::record {
namespace {

constexpr char k_what[] = "be written";
constexpr char k_read[] = "read the bodies";

// ---- the types of the rows ----

Handle text_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, k_what);
    check(H5Tset_size(type, length), k_what);
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), k_what);
    check(H5Tset_cset(type, H5T_CSET_UTF8), k_what);
    return type;
}

Handle body_type(std::size_t name_length, std::size_t material_length) {
    const hid_t f8 = H5T_IEEE_F64LE, u4 = H5T_STD_U32LE;
    const hsize_t square[] = {3, 3};
    const Handle tensor(H5Tarray_create2(f8, 2, square), H5Tclose, k_what);
    const Handle name = text_type(name_length), material = text_type(material_length);
    const std::size_t size = sizeof(BodyRow);
    return compound(size + name_length + material_length,
                    {{"name", size, name},
                     {"material", size + name_length, material},
                     {"fixed", offsetof(BodyRow, fixed), u4},
                     {"mass", offsetof(BodyRow, mass), f8},
                     {"center", offsetof(BodyRow, center), f8, 3},
                     {"inertia", offsetof(BodyRow, inertia), tensor},
                     {"radius", offsetof(BodyRow, radius), f8},
                     {"position", offsetof(BodyRow, position), f8, 3},
                     {"orientation", offsetof(BodyRow, orientation), f8, 4},
                     {"velocity", offsetof(BodyRow, velocity), f8, 3},
                     {"angular_velocity", offsetof(BodyRow, angular_velocity), f8, 3},
                     {"parts", offsetof(BodyRow, parts), u4},
                     {"first_part", offsetof(BodyRow, first_part), H5T_STD_U64LE}});
}

Handle shape_type() {
    Handle type(H5Tenum_create(H5T_STD_U32LE), H5Tclose, k_what);
    for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(PartType::hull); ++i)
        check(H5Tenum_insert(type, name_of(static_cast<PartType>(i)), &i), k_what);
    const hid_t f8 = H5T_IEEE_F64LE, u8 = H5T_STD_U64LE;
    return compound(sizeof(ShapeRow), {{"body", offsetof(ShapeRow, body), H5T_STD_U32LE},
                                       {"type", offsetof(ShapeRow, type), type},
                                       {"radius", offsetof(ShapeRow, radius), f8},
                                       {"length", offsetof(ShapeRow, length), f8},
                                       {"size", offsetof(ShapeRow, size), f8, 3},
                                       {"normal", offsetof(ShapeRow, normal), f8, 3},
                                       {"position", offsetof(ShapeRow, position), f8, 3},
                                       {"orientation", offsetof(ShapeRow, orientation), f8, 4},
                                       {"first_vertex", offsetof(ShapeRow, first_vertex), u8},
                                       {"vertices", offsetof(ShapeRow, vertices), u8}});
}

Handle vertex_type() {
    const hsize_t three = 3;
    return {H5Tarray_create2(H5T_IEEE_F64LE, 1, &three), H5Tclose, k_what};
}

// ---- writing ----

void write_rows(hid_t file, const char* name, const Handle& type, std::uint64_t count,
                const void* rows) {
    const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, k_what);
    check(H5Pset_obj_track_times(list, false), k_what);
    const hsize_t length = count;
    const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, k_what);
    const Handle made(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose,
                      k_what);
    if (count > 0) check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows), k_what);
}

BodyRow to_row(const world::Body& body, std::uint64_t first_part) {
    BodyRow row{};
    row.mass = body.mass;
    put(row.center, body.center);
    if (body.inertia) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                row.inertia[3 * i + j] = body.inertia->tensor()(i, j);
    }
    row.radius = body.radius;
    const shape::Pose frame = world::frame_pose(body, body.first);
    put(row.position, frame.position);
    put(row.orientation, frame.orientation);
    put(row.velocity, body.first.velocity);
    put(row.angular_velocity, body.first.angular_velocity);
    row.fixed = body.fixed ? 1 : 0;
    row.parts = static_cast<std::uint32_t>(body.shape->parts.size());
    row.first_part = first_part;
    return row;
}

// The parameters that a part of this type has; all others stay zero.
struct Parameters {
    ShapeRow& row;

    void operator()(const shape::Sphere& sphere) const {
        row.type = static_cast<std::uint32_t>(PartType::sphere);
        row.radius = sphere.radius;
    }
    void operator()(const shape::HalfSpace& plane) const {
        row.type = static_cast<std::uint32_t>(PartType::plane);
        put(row.normal, plane.normal);
    }
    void operator()(const shape::Box& box) const {
        row.type = static_cast<std::uint32_t>(PartType::box);
        put(row.size, 2.0 * box.half);
    }
    void operator()(const shape::Capsule& capsule) const {
        row.type = static_cast<std::uint32_t>(PartType::capsule);
        row.radius = capsule.radius;
        row.length = 2.0 * capsule.half_length;
    }
    void operator()(const shape::Cylinder& cylinder) const {
        row.type = static_cast<std::uint32_t>(PartType::cylinder);
        row.radius = cylinder.radius;
        row.length = 2.0 * cylinder.half_height;
    }
    void operator()(const shape::Cone& cone) const {
        row.type = static_cast<std::uint32_t>(PartType::cone);
        row.radius = cone.radius;
        row.length = cone.height;
    }
    void operator()(const shape::Hull&) const {
        row.type = static_cast<std::uint32_t>(PartType::hull);
    }
};

// Parts and vertices of all bodies. Hulls that are the same one have their vertices once.
struct Shapes {
    std::vector<ShapeRow> rows;
    std::vector<Vec3> vertices;
    std::map<const shape::Polyhedron*, std::uint64_t> first;

    void add(std::uint32_t body, const shape::Part& part) {
        ShapeRow& row = rows.emplace_back();
        row.body = body;
        std::visit(Parameters{row}, part.convex);
        put(row.position, part.pose.position);
        put(row.orientation, part.pose.orientation);
        const auto* hull = std::get_if<shape::Hull>(&part.convex);
        if (hull == nullptr) return;
        const std::span<const Vec3> corners = hull->polyhedron->vertices();
        const auto [at, fresh] = first.try_emplace(hull->polyhedron.get(), vertices.size());
        if (fresh) vertices.insert(vertices.end(), corners.begin(), corners.end());
        row.first_vertex = at->second;
        row.vertices = corners.size();
    }
};

// ---- reading ----

void expect(bool right) {
    if (!right)
        throw Failure("the tables of bodies are not as they should be: the file is damaged");
}

// An open dataset of rows of one type.
struct Rows {
    Handle set, type;
    std::uint64_t count;
    std::size_t size;

    Rows(hid_t file, const char* name, std::uint64_t file_bytes) {
        expect(H5Lexists(file, name, H5P_DEFAULT) > 0);
        set = Handle(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, k_read);
        type = Handle(H5Dget_type(set), H5Tclose, k_read);
        const Handle space(H5Dget_space(set), H5Sclose, k_read);
        hsize_t length = 0;
        expect(H5Sget_simple_extent_ndims(space) == 1);
        check(H5Sget_simple_extent_dims(space, &length, nullptr), k_read);
        count = length;
        size = H5Tget_size(type);
        expect(size > 0 && count <= file_bytes / size);
    }
    std::vector<char> read() const {
        std::vector<char> bytes(static_cast<std::size_t>(count) * size);
        if (count > 0)
            check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), k_read);
        return bytes;
    }
};

// The length of a text of a row.
std::size_t text_length(const Handle& type, const char* name) {
    expect(H5Tget_class(type) == H5T_COMPOUND);
    const int at = H5Tget_member_index(type, name);
    expect(at >= 0);
    const Handle member(H5Tget_member_type(type, static_cast<unsigned>(at)), H5Tclose, k_read);
    expect(H5Tget_class(member) == H5T_STRING && H5Tis_variable_str(member) == 0);
    return H5Tget_size(member);
}

std::string text(const char* from, std::size_t length) {
    while (length > 0 && from[length - 1] == '\0')
        --length;
    return {from, length};
}

std::vector<Vec3> read_vertices(hid_t file, std::uint64_t file_bytes) {
    const Rows rows(file, k_hull_vertices, file_bytes);
    expect(H5Tequal(rows.type, vertex_type()) > 0);
    const std::vector<char> bytes = rows.read();
    std::vector<Vec3> vertices(static_cast<std::size_t>(rows.count));
    if (!vertices.empty()) std::memcpy(vertices.front().data(), bytes.data(), bytes.size());
    return vertices;
}

RecordedPart to_part(const ShapeRow& row, const std::vector<Vec3>& vertices) {
    expect(row.type <= static_cast<std::uint32_t>(PartType::hull));
    expect(row.first_vertex <= vertices.size() &&
           row.vertices <= vertices.size() - row.first_vertex);
    RecordedPart part;
    part.type = static_cast<PartType>(row.type);
    part.radius = row.radius;
    part.length = row.length;
    part.size = vector(row.size);
    part.normal = vector(row.normal);
    part.pose = {vector(row.position), orientation(row.orientation)};
    const auto first = vertices.begin() + static_cast<std::ptrdiff_t>(row.first_vertex);
    part.vertices.assign(first, first + static_cast<std::ptrdiff_t>(row.vertices));
    return part;
}

RecordedBody to_body(const BodyRow& row) {
    RecordedBody body;
    body.fixed = row.fixed != 0;
    body.mass = row.mass;
    body.center = vector(row.center);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            body.inertia(i, j) = row.inertia[3 * i + j];
    body.radius = row.radius;
    body.pose = {vector(row.position), orientation(row.orientation)};
    body.velocity = vector(row.velocity);
    body.angular_velocity = vector(row.angular_velocity);
    return body;
}

}  // namespace

const char* name_of(PartType type) {
    constexpr const char* k_names[] = {"sphere",   "plane", "box", "capsule",
                                       "cylinder", "cone",  "hull"};
    return k_names[static_cast<std::size_t>(type)];
}

void write_bodies(hid_t file, std::span<const world::Body> bodies,
                  const std::vector<std::string>& materials) {
    std::size_t name_length = 1, material_length = 1;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        name_length = std::max(name_length, bodies[i].name.size());
        material_length = std::max(material_length, materials[i].size());
    }
    // rows are kept at multiples of eight bytes
    const auto rounded = [](std::size_t length) { return (length + 7) / 8 * 8; };
    name_length = rounded(name_length);
    material_length = rounded(material_length);
    const std::size_t size = sizeof(BodyRow) + name_length + material_length;
    std::vector<char> rows(size * bodies.size(), '\0');
    Shapes shapes;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyRow row = to_row(bodies[i], shapes.rows.size());
        char* at = rows.data() + i * size;
        std::memcpy(at, &row, sizeof row);
        bodies[i].name.copy(at + sizeof row, name_length);
        materials[i].copy(at + sizeof row + name_length, material_length);
        for (const shape::Part& part : bodies[i].shape->parts)
            shapes.add(static_cast<std::uint32_t>(i), part);
    }
    write_rows(file, k_bodies, body_type(name_length, material_length), bodies.size(), rows.data());
    write_rows(file, k_shapes, shape_type(), shapes.rows.size(), shapes.rows.data());
    write_rows(file, k_hull_vertices, vertex_type(), shapes.vertices.size(),
               shapes.vertices.data());
}

std::vector<RecordedBody> read_bodies(hid_t file, std::uint64_t file_bytes) {
    const Rows rows(file, k_bodies, file_bytes);
    const std::size_t name_length = text_length(rows.type, "name");
    const std::size_t material_length = text_length(rows.type, "material");
    expect(same_fields(rows.type, body_type(name_length, material_length)));
    const Rows shapes(file, k_shapes, file_bytes);
    expect(same_fields(shapes.type, shape_type()));
    const std::vector<char> parts = shapes.read(), bytes = rows.read();
    const std::vector<Vec3> vertices = read_vertices(file, file_bytes);
    std::vector<RecordedBody> bodies;
    for (std::uint64_t i = 0; i < rows.count; ++i) {
        const char* at = bytes.data() + i * rows.size;
        BodyRow row;
        std::memcpy(&row, at, sizeof row);
        RecordedBody& body = bodies.emplace_back(to_body(row));
        body.name = text(at + sizeof row, name_length);
        body.material = text(at + sizeof row + name_length, material_length);
        expect(row.first_part <= shapes.count && row.parts <= shapes.count - row.first_part);
        for (std::uint64_t k = row.first_part; k < row.first_part + row.parts; ++k) {
            ShapeRow part;
            std::memcpy(&part, parts.data() + k * sizeof part, sizeof part);
            expect(part.body == i);
            body.parts.push_back(to_part(part, vertices));
        }
    }
    return bodies;
}

}  // namespace carom::record
