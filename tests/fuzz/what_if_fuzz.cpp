// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as what a page asks for with POST /api/whatif. Whatever they are, the reader
// refuses them with a RequestError of one line, or gives a law that a world takes. A finding
// aborts.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "carom/scene/built_in.h"
#include "carom/serve/what_if.h"
#include "tests/fuzz/bounded_run.h"

using namespace carom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const scene::Scene bounce = scene::read_built_in("bounce");
    const std::string text(reinterpret_cast<const char*>(data), size);
    serve::WhatIf wanted;
    try {
        wanted = serve::read_what_if(text);
    } catch (const serve::RequestError& error) {
        const std::string_view message = error.what();
        if (message.empty()) fuzz::found("an error without a message", text);
        if (message.find('\n') != std::string_view::npos)
            fuzz::found("a message of two lines", text);
        return 0;
    }
    scene::Scene scene = bounce;
    try {
        scene.contacts.set("default", "default", wanted.law);
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') fuzz::found("an error without a message", text);
        return 0;
    }
    world::World world = scene::make_world(scene);
    fuzz::RunBounds bounds;
    bounds.events = 20;
    fuzz::run_bounded(world, bounds, text);
    return 0;
}
