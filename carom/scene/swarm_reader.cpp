// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/swarm_reader.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/scene/shape_reader.h"
#include "carom/scene/swarm.h"
#include "carom/scene/words.h"
#include "carom/shape/bounds.h"
#include "carom/shape/describe.h"

namespace carom::scene {
namespace {

struct Swarm {
    ReadBody one;  // what all of them have in common; its name is the prefix
    std::uint64_t count = 0, seed = 0;
    Aabb box;
    double speed = 0.0;
};

void check_plane(Fields& fields, const world::BodySpec& spec) {
    if (!spec.shape || !has_plane(*spec.shape)) return;
    fields.report().add(fields.place_of_value("shape"),
                        fields.what() +
                            " has a plane, which has no mass; its bodies must be such "
                            "that can move");
}

bool read_box(Fields& fields, Aabb& box) {
    const auto low = fields.vector("low", k_any, Need::must);
    const auto high = fields.vector("high", k_any, Need::must);
    if (!low || !high) return false;
    for (int i = 0; i < 3; ++i) {
        if ((*low)[i] < (*high)[i]) continue;
        fields.wrong("high", "is " + shape::describe(*high) + "; each of its numbers must be " +
                                 "larger than that of low, " + shape::describe(*low));
        return false;
    }
    box = {*low, *high};
    return true;
}

void read_common(Fields& fields, MeshFiles& files, Swarm& swarm) {
    world::BodySpec& spec = swarm.one.spec;
    if (auto name = fields.name("name", Need::must)) {
        spec.name = std::move(*name);
        fields.call("swarm " + in_quotes(spec.name));
    }
    spec.shape = read_shape(fields, files);
    check_plane(fields, spec);
    spec.material = read_material(fields);
    const MassFields mass = read_mass(fields);
    spec.mass = mass.mass;
    spec.density = mass.density;
    swarm.one.place = swarm.one.position_place = fields.place();
    swarm.one.name_place = fields.place_of_value("name");
    swarm.one.material_place = fields.place_of_value("material");
}

// The numbers that are missing stay 0.
void read_numbers(Fields& fields, std::size_t most, Swarm& swarm) {
    constexpr auto k_most_seed = std::numeric_limits<std::int64_t>::max();
    const auto count =
        fields.integer("count", 1, static_cast<std::int64_t>(most), Need::must).value_or(0);
    swarm.count = static_cast<std::uint64_t>(count);
    swarm.seed = static_cast<std::uint64_t>(fields.integer("seed", 0, k_most_seed).value_or(1));
    swarm.speed = fields.number("speed", k_not_negative).value_or(0.0);
    if (swarm.count == 1 && swarm.speed > 0.0) {
        fields.wrong("speed",
                     "is not zero, but one body alone cannot balance its own momentum; "
                     "make count 2 or more, or use [[body]]");
    }
}

void add_bodies(const Swarm& swarm, const Lattice& lattice, std::vector<ReadBody>& bodies) {
    const std::vector<Vec3> velocities = maxwell_velocities(swarm.count, swarm.speed, swarm.seed);
    const std::size_t width = std::max<std::size_t>(4, std::to_string(swarm.count).size());
    bodies.reserve(bodies.size() + swarm.count);
    for (std::uint64_t k = 0; k < swarm.count; ++k) {
        const std::string number = std::to_string(k + 1);
        ReadBody& body = bodies.emplace_back(swarm.one);
        body.spec.name.append("-").append(width - number.size(), '0').append(number);
        body.spec.pose.position = lattice.position(k);
        body.spec.velocity = velocities[k];
    }
}

// The first of them stands for all.
bool can_be(Swarm& swarm, const Fields& fields, Report& report) {
    try {
        world::make_body(swarm.one.spec, 0);
        swarm.one.whole = true;
    } catch (const std::invalid_argument& error) {
        report.add(swarm.one.place, fields.what() + ": " + error.what());
    }
    return swarm.one.whole;
}

}  // namespace

void read_swarm(const toml::table& table, std::size_t number, std::size_t most, MeshFiles& files,
                Report& report, std::vector<ReadBody>& bodies) {
    const std::size_t before = report.count();
    Fields fields(table, "swarm " + std::to_string(number), report);
    Swarm swarm;
    read_common(fields, files, swarm);
    read_numbers(fields, most, swarm);
    const bool placed = read_box(fields, swarm.box);
    fields.finish();
    if (!placed || report.count() != before || !can_be(swarm, fields, report)) return;

    const Lattice lattice(swarm.box, shape::bounding_box(*swarm.one.spec.shape, shape::Pose{}),
                          swarm.count);
    if (!lattice.fits()) {
        fields.wrong("count", "is " + std::to_string(swarm.count) + ", but only " +
                                  shape::describe(lattice.capacity()) +
                                  " fit on a cubic lattice between low and high; make the box "
                                  "larger or the bodies smaller or fewer");
        return;
    }
    if (bodies.size() + swarm.count > most) {
        fields.wrong("count", "is " + std::to_string(swarm.count) + ", but a scene may have " +
                                  std::to_string(most) + " bodies at most, and " +
                                  std::to_string(bodies.size()) + " came before");
        return;
    }
    add_bodies(swarm, lattice, bodies);
}

}  // namespace carom::scene
