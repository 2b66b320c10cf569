// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/served_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "carom/cli/command_error.h"
#include "carom/cli/commands.h"
#include "carom/cli/option_checks.h"
#include "carom/cli/say.h"
#include "carom/cli/stop_signal.h"
#include "carom/serve/browser.h"
#include "carom/serve/pages.h"
#include "carom/serve/request_check.h"

namespace carom::cli {
namespace {

void tell_address(const std::string& address, const ServeOptions& options) {
    if (options.json) {
        fmt::print("{}\n", nlohmann::json{{"address", address}}.dump());
    } else {
        fmt::print("{}\nCtrl-C ends.\n", address);
    }
    flush_output();
    if (!serve::is_loopback(options.server.host)) {
        say("whoever can reach {} on the network can look at this too\n", options.server.host);
    }
}

}  // namespace

void add_serve_options(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--host", options.server.host,
                    "The address to listen on; any other than 127.0.0.1 lets other machines in")
        ->type_name("ADDRESS")
        ->capture_default_str();
    command.add_option("--port", options.server.port, "The port; 0 is any that is free")
        ->capture_default_str()
        ->type_name("N")
        ->check(whole_number_between(0, 65535));
    command.add_flag("--no-browser", options.no_browser, "Only print the address");
    command.add_flag("--json", options.json, "The address as one JSON object: address");
}

serve::Pages built_in_pages() {
    const serve::Pages pages{pages::viewer_page(), pages::lab_page(), pages::gallery_page(),
                             pages::compare_page()};
    if (pages.viewer.empty() || pages.lab.empty()) {
        give_up(
            "this carom was built without its pages; build it with CAROM_BUILD_VIEWER=ON, "
            "which needs npm");
    }
    return pages;
}

void serve_until_stopped(const serve::Pages& pages, const serve::Shown& shown,
                         const std::string& path, const ServeOptions& options,
                         const std::function<void()>& meanwhile) {
    constexpr auto k_pause = std::chrono::milliseconds(50);
    const StopSignal stop;
    try {
        const serve::Server server(pages, shown, options.server);
        const std::string address = server.address() + path;
        tell_address(address, options);
        if (!options.no_browser) serve::open_browser(address);
        while (!StopSignal::wanted()) {
            meanwhile();
            std::this_thread::sleep_for(k_pause);
        }
    } catch (const serve::ServeError& error) {
        refuse(error.what());
    }
}

}  // namespace carom::cli
