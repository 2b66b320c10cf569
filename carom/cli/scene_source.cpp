// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/scene_source.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "carom/cli/command_error.h"

namespace carom::cli {

void set_run_time(scene::Scene& scene, double duration) {
    if (!scene.own_checkpoint) scene.settings.checkpoint = duration / scene::k_default_checkpoints;
}

std::optional<double> recorded_checkpoint(const std::string& settings) {
    const auto json = nlohmann::json::parse(settings, nullptr, false);
    if (!json.is_object() || !json.contains("checkpoint") || !json["checkpoint"].is_number())
        return {};
    const double interval = json["checkpoint"].get<double>();
    return interval >= 0.0 ? std::optional(interval) : std::nullopt;
}

record::Header header_of(const scene::Scene& scene, const world::World& world, double duration) {
    record::Header header;
    header.scene_name = scene.name;
    header.scene_text = scene.text;
    header.scene_folder = scene.folder;
    header.version = CAROM_VERSION;
    header.duration = duration;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        header.body_names.push_back(body.name);
        header.body_materials.push_back(world.contacts().name(body.material));
    }
    return header;
}

scene::Scene scene_of(const record::Header& header) {
    return scene::read_scene_text(header.scene_text, header.scene_name,
                                  std::filesystem::path(header.scene_folder));
}

world::World world_of(const scene::Scene& scene, const record::Header& header) {
    world::World world = scene::make_world(scene);
    bool same = world.body_count() == header.body_names.size();
    for (world::BodyId id = 0; same && id < world.body_count(); ++id)
        same = world.body(id).name == header.body_names[id];
    if (!same) {
        refuse(
            fmt::format("the scene in the recording ({}) no longer has the same bodies; it was "
                        "made by carom {}, this is " CAROM_VERSION,
                        header.scene_name, header.version));
    }
    return world;
}

}  // namespace carom::cli
