// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/mesh_files.h"

#include <span>
#include <stdexcept>

#include "carom/scene/built_in.h"
#include "carom/scene/words.h"
#include "carom/shape/mesh.h"

namespace carom::scene {

MeshFiles::MeshFiles(const ReadOptions& options)
    : folder_(options.folder),
      allowed_(options.files),
      built_in_(options.folder == std::filesystem::path(k_built_in_folder)) {}

shape::Shape MeshFiles::load(const std::string& name) const {
    if (!allowed_) throw std::invalid_argument("files are not read here");
    if (name.empty() || name.find('\0') != std::string::npos) {
        throw std::invalid_argument(in_quotes(name) + " cannot be the name of a file");
    }
    if (!built_in_) return shape::read_mesh(folder_ / name);
    const BuiltIn* file = find_built_in_file(name);
    if (file == nullptr) {
        throw std::invalid_argument("there is no built-in file " + in_quotes(name));
    }
    const std::string extension = std::filesystem::path(name).extension().string();
    return shape::read_mesh_memory(std::as_bytes(std::span(file->text)), extension);
}

std::shared_ptr<const shape::Shape> MeshFiles::read(const std::string& name) {
    const auto [found, fresh] = known_.try_emplace(name);
    Entry& entry = found->second;
    if (fresh) {
        try {
            entry.shape = std::make_shared<const shape::Shape>(load(name));
        } catch (const std::invalid_argument& error) {
            entry.wrong = error.what();
        } catch (const std::filesystem::filesystem_error& error) {
            entry.wrong = in_quotes(name) + " cannot be read: " + error.code().message();
        }
    }
    if (!entry.shape) throw std::invalid_argument(entry.wrong);
    return entry.shape;
}

std::shared_ptr<const shape::Shape> MeshFiles::turned(std::span<const ProfilePoint> profile,
                                                      std::int64_t sides) {
    std::vector<double> key{static_cast<double>(sides)};
    for (const ProfilePoint& point : profile)
        key.insert(key.end(), {point.radius, point.z});
    std::shared_ptr<const shape::Shape>& known = turned_[std::move(key)];
    if (known == nullptr) {
        known =
            std::make_shared<const shape::Shape>(shape::make_hull(lathe_corners(profile, sides)));
    }
    return known;
}

}  // namespace carom::scene
