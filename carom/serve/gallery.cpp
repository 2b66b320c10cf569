// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/gallery.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/scene/built_in.h"
#include "carom/serve/http_request.h"
#include "carom/serve/scene_drawing.h"

namespace carom::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr double k_burst = 12.0;      // scenes that may be opened in quick succession
constexpr double k_per_second = 1.0;  // and how many more in each second

void check_name(const std::string& name) {
    if (scene::find_built_in(name) == nullptr) {
        throw HttpError(
            404, "there is no built-in scene of that name; there are " + scene::built_in_names());
    }
}

Json entry_of(std::string_view name) {
    const scene::Scene scene = scene::read_built_in(name);
    const auto free = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                    [](const world::BodySpec& body) { return !body.fixed; });
    return {{"name", name},
            {"title", scene.title.empty() ? std::string(name) : scene.title},
            {"expect", scene.expect},
            {"duration", scene.duration},
            {"bodies", free}};
}

}  // namespace

Gallery::Gallery(Open open) : open_(std::move(open)), rate_(k_burst, k_per_second) {}

std::string Gallery::list() const {
    const std::lock_guard lock(mutex_);
    if (list_.empty()) {
        Json json = {{"scenes", Json::array()}};
        for (const scene::BuiltIn& built_in : scene::built_in_scenes())
            json["scenes"].push_back(entry_of(built_in.name));
        list_ = json.dump();
    }
    return list_;
}

std::string Gallery::drawing(const std::string& name) const {
    check_name(name);
    const std::lock_guard lock(mutex_);
    for (const auto& [known, text] : drawings_) {
        if (known == name) return text;
    }
    drawings_.emplace_back(name, drawing_text(scene::read_built_in(name)));
    return drawings_.back().second;
}

void Gallery::open(const std::string& name) {
    check_name(name);
    std::shared_ptr<Session> dropped;  // is stopped without the lock
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(running_.begin(), running_.end(),
                                    [&](const Running& one) { return one.name == name; });
    if (known != running_.end()) {
        std::rotate(known, known + 1, running_.end());  // asked for last
        return;
    }
    if (!rate_.take())
        throw HttpError(429, "too many scenes were opened within a short time; wait some seconds");
    running_.push_back({name, open_(name)});
    if (running_.size() <= k_most_open) return;
    dropped = std::move(running_.front().session);
    running_.erase(running_.begin());
}

std::shared_ptr<Session> Gallery::find(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    for (const Running& one : running_) {
        if (one.name == name) return one.session;
    }
    return nullptr;
}

void Gallery::stop() {
    std::vector<Running> all;
    {
        const std::lock_guard lock(mutex_);
        all.swap(running_);
    }
    for (const Running& one : all)
        one.session->stop();
}

}  // namespace carom::serve
