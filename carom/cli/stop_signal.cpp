// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/stop_signal.h"

#include <time.h>

#include <cstring>

namespace carom::cli {
namespace {

// Signals within this time after the first one are the same request, s.
constexpr double k_one_request = 0.5;

volatile sig_atomic_t g_stop = 0;
timespec g_asked{};  // when the first signal came; written before g_stop
int g_living = 0;    // StopSignals

void ask_to_stop(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (g_stop == 0) {
        g_asked = now;
        g_stop = 1;
        return;
    }
    const double since = static_cast<double>(now.tv_sec - g_asked.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - g_asked.tv_nsec);
    if (since < k_one_request) return;
    struct sigaction usual;
    std::memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);
    raise(signal);  // delivered when this handler returns
}

}  // namespace

StopSignal::StopSignal() {
    if (g_living++ > 0) return;
    g_stop = 0;
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    action.sa_handler = ask_to_stop;
    sigemptyset(&action.sa_mask);
    // neither signal interrupts the handling of the other
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    action.sa_flags = SA_RESTART;  // writes that a signal interrupts are continued
    sigaction(SIGINT, &action, &before_interrupt_);
    sigaction(SIGTERM, &action, &before_terminate_);
    // a program started in the background with SIGINT ignored goes on ignoring it
    if (before_interrupt_.sa_handler == SIG_IGN) sigaction(SIGINT, &before_interrupt_, nullptr);
}

StopSignal::~StopSignal() {
    if (--g_living > 0) return;
    // the program ends now: the rest of the same request must not kill it on its last lines
    if (g_stop != 0) return;
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_terminate_, nullptr);
}

bool StopSignal::wanted() {
    return g_stop != 0;
}

}  // namespace carom::cli
