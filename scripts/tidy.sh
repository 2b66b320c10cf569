#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over the library and the program; slow, so not part of ./test.
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
# each source as a unit of its own
cmake --preset release -B build/tidy -DCAROM_UNITY=OFF >/dev/null
git ls-files 'carom/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy -p build/tidy --quiet
