// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/world/event.h"

namespace carom::world {

// What is left to do at this instant, before time goes on. Each list is worked off in its order:
// first what wakes, then the steps of what has no motion, then the times of what has a new one.
class WorkList {
public:
    struct Wake {
        BodyId body, by;
    };
    void wake(BodyId body, BodyId by) { wakes_.items.push_back({body, by}); }
    void step(BodyId body) { steps_.items.push_back(body); }
    void changed(BodyId body) { changed_.items.push_back(body); }

    bool has_wake() const { return wakes_.left(); }
    bool has_step() const { return steps_.left(); }
    bool has_changed() const { return changed_.left(); }
    Wake next_wake() { return wakes_.take(); }
    BodyId next_step() { return steps_.take(); }
    BodyId next_changed() { return changed_.take(); }
    void clear() { *this = WorkList(); }

private:
    template <class T>
    struct List {
        std::vector<T> items;
        std::size_t next = 0;
        bool left() const { return next < items.size(); }
        T take() {
            const T item = items[next++];
            if (next == items.size()) {
                items.clear();
                next = 0;
            }
            return item;
        }
    };
    List<Wake> wakes_;
    List<BodyId> steps_, changed_;
};

}  // namespace carom::world
