#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the library into an empty folder and builds and runs another project on it.
# usage: install_test.sh BUILD_FOLDER SOURCE_FOLDER COMPILER
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
cmake -S "$2/tests/install/consumer" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_CXX_COMPILER="$3" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/consumer"
