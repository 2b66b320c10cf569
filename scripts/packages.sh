#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the system packages that are missing: "build" for the program, "test" also for the tests.
set -euo pipefail

build=(g++ cmake ninja-build libeigen3-dev libboost-dev nlohmann-json3-dev libcli11-dev libfmt-dev libsimdjson-dev
    libqhull-dev libassimp-dev libtomlplusplus-dev libhdf5-dev libcpp-httplib-dev libtinygltf-dev zlib1g-dev pkg-config
    clang-14 lld-14 wasi-libc libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 libclang-rt-14-dev-wasm32)
test=(libgtest-dev libbenchmark-dev libfcl-dev clang clang-format libclang-rt-14-dev python3 git chromium)
# node and npm may come from elsewhere
command -v node >/dev/null || build+=(nodejs)
command -v npm >/dev/null || build+=(npm)

wanted=("${build[@]}")
[ "${1:-build}" = test ] && wanted+=("${test[@]}")

missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "not root and no sudo; please install: ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
