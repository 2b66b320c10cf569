// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The only source that knows oneTBB. Under the thread sanitizer it is compiled without it, as the
// library itself is, and says where the threads wait for each other; so the sanitizer sees all that
// pieces do, and nothing of how they are handed out.

#include "carom/world/workers.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <thread>

#if defined(CAROM_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace carom::world {
namespace {

// What oneTBB promises: what came before the loop happens before every piece, and every piece
// before what comes after the loop. Nothing is said of two pieces.
class Order {
public:
#if defined(CAROM_THREAD_SANITIZER)
    void loop_begins() {
        __tsan_release(&begin_);
    }
    void piece_begins() {
        __tsan_acquire(&begin_);
    }
    void piece_ends() {
        __tsan_release(&end_);
    }
    void loop_ends() {
        __tsan_acquire(&end_);
    }

private:
    char begin_ = 0, end_ = 0;
#else
    void loop_begins() {}
    void piece_begins() {}
    void piece_ends() {}
    void loop_ends() {}
#endif
};

}  // namespace

struct Workers::Arena {
    explicit Arena(int threads) : arena(threads) {}
    tbb::task_arena arena;
};

Workers::Workers(int threads) : threads_(threads) {}
Workers::~Workers() = default;

void Workers::run(std::size_t pieces, const StopCheck* stop,
                  const std::function<void(std::size_t)>& work) {
    if (threads_ <= 1 || pieces <= 1) {
        for (std::size_t k = 0; k < pieces; ++k) {
            check_stop(stop);
            work(k);
        }
        return;
    }
    if (!arena_) arena_ = std::make_unique<Arena>(threads_);
    const std::thread::id caller = std::this_thread::get_id();
    Order order;
    order.loop_begins();
    const auto piece = [&](std::size_t k) {
        order.piece_begins();
        if (std::this_thread::get_id() == caller) check_stop(stop);
        work(k);
        order.piece_ends();
    };
    arena_->arena.execute(
        [&] { tbb::parallel_for(std::size_t{0}, pieces, piece, tbb::simple_partitioner()); });
    order.loop_ends();
}

}  // namespace carom::world
