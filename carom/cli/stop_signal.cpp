// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/stop_signal.h"

#include <cstring>

namespace carom::cli {
namespace {

volatile sig_atomic_t g_stop = 0;
int g_living = 0;  // StopSignals

void ask_to_stop(int) {
    g_stop = 1;
}

}  // namespace

StopSignal::StopSignal() {
    if (g_living++ > 0) return;
    g_stop = 0;
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    action.sa_handler = ask_to_stop;
    sigemptyset(&action.sa_mask);
    // writes that a signal comes upon go on; the second signal finds the usual action again
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &action, &before_interrupt_);
    sigaction(SIGTERM, &action, &before_terminate_);
    // a program started in the background with SIGINT ignored goes on ignoring it
    if (before_interrupt_.sa_handler == SIG_IGN) sigaction(SIGINT, &before_interrupt_, nullptr);
}

StopSignal::~StopSignal() {
    if (--g_living > 0) return;
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_terminate_, nullptr);
}

bool StopSignal::wanted() {
    return g_stop != 0;
}

}  // namespace carom::cli
