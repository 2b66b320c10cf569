// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/input_kind.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "carom/cli/command_error.h"
#include "carom/scene/built_in.h"

namespace carom::cli {
namespace {

namespace fs = std::filesystem;

// The beginning of a file; empty for what is no ordinary file.
std::string first_bytes(const std::string& path, std::size_t most) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return {};
    std::string bytes(most, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(most));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool is_built_in(const std::string& name) {
    std::error_code error;
    return !fs::exists(name, error) && scene::find_built_in(name) != nullptr;
}

}  // namespace

bool looks_like_recording(const std::string& path) {
    constexpr std::string_view k_signature = "\x89HDF\r\n\x1a\n";
    return first_bytes(path, k_signature.size()) == k_signature;
}

bool looks_like_scene(const std::string& path) {
    if (is_built_in(path)) return true;
    constexpr std::size_t k_beginning = std::size_t{1} << 16;
    const std::string text = "\n" + first_bytes(path, k_beginning);
    // a recording whose first bytes are damaged holds the text of its scene too
    if (text.find('\0') != std::string::npos) return false;
    for (const char* table : {"\n[simulation]", "\n[[body]]", "\n[[swarm]]", "\n[[contact]]"}) {
        if (text.find(table) != std::string::npos) return true;
    }
    return false;
}

bool is_taken_as_recording(const std::string& path) {
    if (looks_like_recording(path)) return true;
    if (looks_like_scene(path)) return false;
    std::error_code error;
    const std::string ending = fs::path(path).extension().string();
    if (fs::is_regular_file(path, error)) return ending != ".toml";
    return ending == ".carom" || ending == ".part" || ending == ".h5" ||
           fs::is_directory(path, error);
}

std::string recording_not(const std::string& path, std::string_view wanted) {
    return fmt::format(
        "is a recording, not {}; 'carom info {}' says what is in it, 'carom view {}' shows it, "
        "'carom resume {}' goes on with it",
        wanted, path, path, path);
}

std::string scene_not(const std::string& path, std::string_view wanted) {
    return fmt::format("is a {}scene, not {}; 'carom run {}' simulates it into a recording",
                       is_built_in(path) ? "built-in " : "", wanted, path);
}

record::Recording open_recording(const std::string& path) {
    if (!looks_like_recording(path) && looks_like_scene(path))
        refuse(fmt::format("{}: {}", path, scene_not(path, "a recording")));
    return record::Recording(path);
}

scene::Scene open_scene(const std::string& path) {
    if (looks_like_recording(path))
        refuse(fmt::format("{}: {}", path, recording_not(path, "a scene")));
    return scene::read_scene(path);
}

}  // namespace carom::cli
