// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <signal.h>

#include <functional>
#include <iterator>
#include <string>

namespace carom::cli {

// A temporary file that does not outlive the program: while one of these lives, SIGINT, SIGTERM,
// SIGHUP, SIGQUIT and SIGXCPU remove the file and then end the program as they do without it. A
// signal that the program was started with ignored stays ignored. One at a time.
class RemovedBySignal {
public:
    // make() creates the file and returns its path, empty when it cannot; no signal comes between
    // the creation and the watch.
    explicit RemovedBySignal(const std::function<std::string()>& make);
    ~RemovedBySignal();
    RemovedBySignal(const RemovedBySignal&) = delete;
    RemovedBySignal& operator=(const RemovedBySignal&) = delete;

private:
    static constexpr int k_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction before_[std::size(k_signals)];
};

}  // namespace carom::cli
