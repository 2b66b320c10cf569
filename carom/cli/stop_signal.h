// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <signal.h>

namespace carom::cli {

// While one of these lives, the first SIGINT or SIGTERM only asks the work to stop; another one
// that comes more than half a second later ends the program at once, as without it. Sooner, it is
// the same request: 'timeout' and some shells signal a program and then its whole group. They may
// be nested: the outermost one counts.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    static bool wanted();

private:
    struct sigaction before_interrupt_ = {};
    struct sigaction before_terminate_ = {};
};

}  // namespace carom::cli
