// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <atomic>

namespace carom::tests {

// How often memory was asked for: every operator new of a program that has this counts.
extern std::atomic<long> allocations;

}  // namespace carom::tests
