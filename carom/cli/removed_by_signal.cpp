// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/removed_by_signal.h"

#include <unistd.h>

#include <climits>
#include <cstring>
#include <iterator>

namespace carom::cli {
namespace {

// A handler may only use what is there already: no heap, no locks.
char g_path[PATH_MAX] = "";

void remove_and_end(int signal) {
    unlink(g_path);
    // the usual action is in place again, and comes when this handler returns
    raise(signal);
}

// No signal of these is delivered while one of these lives.
class Blocked {
public:
    template <class Signals>
    explicit Blocked(const Signals& signals) {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal : signals)
            sigaddset(&set, signal);
        sigprocmask(SIG_BLOCK, &set, &before_);
    }
    ~Blocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;

private:
    sigset_t before_;
};

}  // namespace

RemovedBySignal::RemovedBySignal(const std::function<std::string()>& make) {
    const Blocked blocked(k_signals);
    const std::string path = make();
    const bool fits = path.size() < sizeof g_path;
    std::strncpy(g_path, fits ? path.c_str() : "", sizeof g_path - 1);
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    action.sa_handler = remove_and_end;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < std::size(k_signals); ++i) {
        sigaction(k_signals[i], &action, &before_[i]);
        if (before_[i].sa_handler == SIG_IGN) sigaction(k_signals[i], &before_[i], nullptr);
    }
}

RemovedBySignal::~RemovedBySignal() {
    const Blocked blocked(k_signals);
    for (std::size_t i = 0; i < std::size(k_signals); ++i)
        sigaction(k_signals[i], &before_[i], nullptr);
    g_path[0] = '\0';
}

}  // namespace carom::cli
