// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "carom/serve/session.h"

namespace carom::serve {

// The built-in scenes, and those of them that run or have run because a page asked for them. For
// several threads.
class Gallery {
public:
    // Most scenes that are kept; then the one that was asked for longest ago goes, and is stopped.
    static constexpr std::size_t k_most_open = 4;

    // Reads a built-in scene and begins to run it.
    using Open = std::function<std::shared_ptr<Session>(const std::string& name)>;
    explicit Gallery(Open open);

    // {"scenes":[{"name","title","expect","duration","bodies"},...]}: bodies are the free ones.
    std::string list() const;
    // As drawing_text() has it. Throws HttpError (404) when there is no scene of that name.
    std::string drawing(const std::string& name) const;

    // Begins to run a scene unless it is open already. Throws HttpError: 404 when there is none of
    // that name, 429 when too many were asked for.
    void open(const std::string& name);
    // Null when it is not open.
    std::shared_ptr<Session> find(std::string_view name) const;

    // Stops everything that runs, and waits.
    void stop();

private:
    struct Running {
        std::string name;
        std::shared_ptr<Session> session;
    };

    Open open_;
    RateLimit rate_;
    mutable std::mutex mutex_;  // of all below
    std::vector<Running> running_;
    mutable std::string list_;  // made when it is first asked for
    mutable std::vector<std::pair<std::string, std::string>> drawings_;
};

}  // namespace carom::serve
