// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/scene/lathe.h"
#include "carom/scene/scene.h"
#include "carom/shape/shape.h"

namespace carom::scene {

// The mesh files that a scene names, each read once: bodies with the same file share a shape. So do
// those turned on the same lathe.
class MeshFiles {
public:
    explicit MeshFiles(const ReadOptions& options);

    // `name` is a path from the scene's folder, or absolute; in the built-in folder the name of a
    // built-in file. Throws std::invalid_argument.
    std::shared_ptr<const shape::Shape> read(const std::string& name);

    // The hull of a profile turned round z (lathe.h); bodies with the same one share a shape too.
    // Throws std::invalid_argument.
    std::shared_ptr<const shape::Shape> turned(std::span<const ProfilePoint> profile,
                                               std::int64_t sides);

private:
    struct Entry {
        std::shared_ptr<const shape::Shape> shape;
        std::string wrong;  // when there is no shape
    };
    shape::Shape load(const std::string& name) const;

    std::filesystem::path folder_;
    bool allowed_, built_in_;
    std::map<std::string, Entry> known_;
    std::map<std::vector<double>, std::shared_ptr<const shape::Shape>> turned_;
};

}  // namespace carom::scene
