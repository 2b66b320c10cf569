// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "carom/math/stop.h"

namespace carom::world {

// Threads for loops whose pieces do not depend on each other (oneTBB).
//
// How a loop is cut into pieces must not depend on the number of threads. A piece writes to places
// of its own, and what is added up of them is added up afterwards, in order. Then the bits are the
// same with any number of threads, whoever does which piece.
//
// No thread is started before the first loop. The threads are those of the process: several workers
// share them, and there are never more than oneTBB allows, which is one for each processor unless
// the program says otherwise (tbb::global_control).
class Workers {
public:
    explicit Workers(int threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return threads_; }

    // work(k) for every k < pieces: one after another with one thread, else in any order and
    // several at once. The caller's thread takes part, and is the only one that asks the stop check
    // (null: there is none), before each of its pieces; Stopped is then thrown. What a piece throws
    // is thrown to the caller when no piece is running any more; those not begun are left out.
    void run(std::size_t pieces, const StopCheck* stop,
             const std::function<void(std::size_t)>& work);

private:
    struct Arena;

    int threads_;
    std::unique_ptr<Arena> arena_;
};

}  // namespace carom::world
